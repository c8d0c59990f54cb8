// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/scenario/Source.h"

#include "harness/graphviz/Graphviz.h"
#include "harness/scenario/DagBuilder.h"
#include "harness/scenario/Family.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace lockstep::scenario;
using llvm::StringRef;

static constexpr StringRef kDotPrefix = "dot:";
static constexpr uint64_t kWords = 256;
/// A kernel has a descriptor for each source among its arguments, of which it takes 4,096 bytes.
static constexpr size_t kSourcesMax = 32;

/// A kernel over any number of sources, as several launches where they are too many for one.
static void launchOver(DagBuilder &dag, BufferId target, const std::vector<Slice> &sources) {
  KernelKind kernel = KernelKind::Mix;
  for (size_t begin = 0; begin == 0 || begin < sources.size(); begin += kSourcesMax) {
    size_t end = std::min(begin + kSourcesMax, sources.size());
    dag.launch(kernel, dag.whole(target), {sources.begin() + begin, sources.begin() + end});
    kernel = KernelKind::Update;
  }
}

static Dag buildDag(const lockstep::harness::DotGraph &graph) {
  DagBuilder dag;
  std::vector<BufferId> buffers;
  std::vector<bool> isRead(graph.nodes.size());
  for (const auto &node : graph.nodes) {
    std::vector<Slice> sources;
    for (size_t before : node.predecessors) {
      sources.push_back(dag.whole(buffers[before]));
      isRead[before] = true;
    }
    buffers.push_back(dag.device(node.name, kWords));
    dag.alloc(buffers.back());
    launchOver(dag, buffers.back(), sources);
  }
  for (auto [index, node] : llvm::enumerate(graph.nodes))
    if (!isRead[index])
      dag.copy(dag.whole(dag.output("out_" + node.name, kWords)), dag.whole(buffers[index]));
  return dag.finish();
}

bool lockstep::scenario::looksLikeScenario(StringRef text) {
  StringRef name = text.take_while([](char c) { return llvm::isAlnum(c) || c == '-'; });
  return text.starts_with(kDotPrefix) || isFamily(text) ||
         (!name.empty() && text.drop_front(name.size()).starts_with("(") && text.ends_with(")"));
}

llvm::Expected<NamedDag> lockstep::scenario::makeScenario(StringRef text) {
  if (StringRef path = text; path.consume_front(kDotPrefix)) {
    llvm::Expected<lockstep::harness::DotGraph> graph = lockstep::harness::readDot(path);
    if (!graph)
      return graph.takeError();
    return NamedDag{text.str(), buildDag(*graph)};
  }
  llvm::Expected<ScenarioSpec> spec = parseScenario(text);
  if (!spec)
    return spec.takeError();
  return NamedDag{spec->name(), spec->build()};
}
