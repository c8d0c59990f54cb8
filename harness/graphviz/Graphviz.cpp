// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/graphviz/Graphviz.h"

#include "harness/ExitStatus.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MemoryBuffer.h"

#include <graphviz/gvc.h>
#include <map>

using namespace lockstep::harness;
using llvm::StringRef;

/// What the libraries complain about while a graph is read or drawn.
static std::string &complaints() {
  static std::string text;
  return text;
}

static int keepComplaint(char *text) {
  complaints() += text;
  return 0;
}

/// "Error: <name>: syntax error in line 3 near 'x'", in several pieces, as "PATH:3:1: error: syntax error near 'x'".
static std::string describeSyntaxError(StringRef path) {
  StringRef text = StringRef(complaints()).split('\n').first;
  auto [before, after] = text.split("syntax error in line ");
  unsigned line = 1;
  after.consumeInteger(10, line);
  return (path + ":" + llvm::Twine(line) + ":1: error: syntax error" + after).str();
}

static llvm::Expected<Agraph_t *> parse(StringRef path, const std::string &text) {
  complaints().clear();
  agseterrf(keepComplaint);
  Agraph_t *graph = agmemread(text.c_str());
  if (graph && complaints().empty())
    return graph;
  if (graph)
    agclose(graph);
  return usageError(describeSyntaxError(path));
}

static std::vector<size_t> predecessorsOf(Agraph_t *graph, Agnode_t *node, const std::map<Agnode_t *, size_t> &places) {
  std::vector<size_t> found;
  for (Agedge_t *edge = agfstin(graph, node); edge; edge = agnxtin(graph, edge))
    found.push_back(places.at(edge->node));
  llvm::sort(found);
  found.erase(llvm::unique(found), found.end());
  return found;
}

static bool isReady(Agraph_t *graph, Agnode_t *node, const std::map<Agnode_t *, size_t> &places) {
  for (Agedge_t *edge = agfstin(graph, node); edge; edge = agnxtin(graph, edge))
    if (!places.contains(edge->node))
      return false;
  return true;
}

static llvm::Expected<DotGraph> sortNodes(StringRef path, Agraph_t *graph) {
  DotGraph sorted;
  std::map<Agnode_t *, size_t> places;
  std::vector<Agnode_t *> left;
  for (Agnode_t *node = agfstnode(graph); node; node = agnxtnode(graph, node))
    left.push_back(node);
  if (left.empty())
    return usageError(path + ":1:1: error: the graph has no nodes");
  while (!left.empty()) {
    auto next = llvm::find_if(left, [&](Agnode_t *node) { return isReady(graph, node, places); });
    if (next == left.end())
      return usageError(path + ":1:1: error: the graph has a cycle through '" + agnameof(left.front()) + "'");
    sorted.nodes.push_back({agnameof(*next), predecessorsOf(graph, *next, places)});
    places[*next] = sorted.nodes.size() - 1;
    left.erase(next);
  }
  return sorted;
}

llvm::Expected<DotGraph> lockstep::harness::readDot(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return usageError(path + ":1:1: error: cannot read the file: " + file.getError().message());
  llvm::Expected<Agraph_t *> graph = parse(path, (*file)->getBuffer().str());
  if (!graph)
    return graph.takeError();
  llvm::scope_exit close([&] { agclose(*graph); });
  if (!agisdirected(*graph))
    return usageError(path + ":1:1: error: the graph is not directed: expected 'digraph'");
  return sortNodes(path, *graph);
}

llvm::Expected<std::string> lockstep::harness::renderSvg(StringRef dot) {
  llvm::Expected<Agraph_t *> graph = parse("graph", dot.str());
  if (!graph)
    return graph.takeError();
  GVC_t *context = gvContext();
  llvm::scope_exit close([&] {
    gvFreeLayout(context, *graph);
    agclose(*graph);
    gvFreeContext(context);
  });
  char *image = nullptr;
  unsigned length = 0;
  if (gvLayout(context, *graph, "dot") != 0 || gvRenderData(context, *graph, "svg", &image, &length) != 0 || !image)
    return environmentError("Graphviz cannot draw the graph: " + complaints());
  std::string svg(image, length);
  gvFreeRenderData(image);
  return svg;
}
