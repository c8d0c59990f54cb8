// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/order/OrderPicture.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace lockstep::harness;
using namespace lockstep::reports;
using llvm::StringRef;

/// "file.mlir:3:5" but not "copy_top".
static bool isPlace(StringRef text) {
  auto [rest, column] = text.rsplit(':');
  auto [file, line] = rest.rsplit(':');
  auto isNumber = [](StringRef digits) { return !digits.empty() && llvm::all_of(digits, llvm::isDigit); };
  return !file.empty() && isNumber(line) && isNumber(column);
}

/// Operations are called "NAME WORD" or "PLACE WORD", where the word says what they do.
static GraphNode makeNode(StringRef name) {
  auto [first, word] = name.rsplit(' ');
  return {name.str(), word.str(), isPlace(first) ? first.str() : ""};
}

namespace {

/// Collects nodes and edges, each once.
class Picture {
public:
  size_t node(StringRef name) {
    auto [entry, isNew] = positions.try_emplace(name, graph.nodes.size());
    if (isNew)
      graph.nodes.push_back(makeNode(name));
    return entry->getValue();
  }
  void edge(size_t from, size_t to, EdgeState state) {
    if (from != to && edges.try_emplace({from, to}, graph.edges.size()).second)
      graph.edges.push_back({from, to, state});
  }
  bool has(StringRef name) const { return positions.contains(name); }

  CellGraph graph;

private:
  llvm::StringMap<size_t> positions;
  llvm::DenseMap<std::pair<size_t, size_t>, size_t> edges;
};

} // namespace

static bool isMissingOrder(const Finding &finding) {
  return (finding.oracle == "order" || finding.oracle == "hazard") && finding.ops.size() == 2;
}

std::optional<CellGraph> lockstep::harness::drawOrder(const OrderSpec &spec, llvm::ArrayRef<Finding> findings) {
  if (llvm::none_of(findings, isMissingOrder))
    return std::nullopt;
  Picture picture;
  for (const SpecOp &op : spec.ops())
    picture.node(spec.name(op.name));
  if (picture.graph.nodes.size() > kPictureOpsMax)
    return std::nullopt;
  // What comes later in the program stands first in a finding; a hazard between executions may go either way.
  for (const Finding &finding : findings)
    if (isMissingOrder(finding) && picture.has(finding.ops[0]) && picture.has(finding.ops[1]))
      picture.edge(picture.node(finding.ops[1]), picture.node(finding.ops[0]), EdgeState::Missing);
  for (const SpecOp &op : spec.ops())
    for (uint32_t before : op.after) {
      size_t from = picture.node(spec.name(spec.ops()[before].name)), to = picture.node(spec.name(op.name));
      // Edges back to an earlier operation belong to a further round of a loop.
      if (from < to)
        picture.edge(from, to, EdgeState::Enforced);
    }
  return std::move(picture.graph);
}
