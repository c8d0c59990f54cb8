// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph as text for Graphviz.

#include "simgpu/core/GraphApi.h"

#include <cstdio>

namespace lockstep::simgpu {

/// In a quoted string of DOT.
static std::string escape(const std::string &text) {
  std::string escaped;
  for (char c : text) {
    if (c == '"' || c == '\\')
      escaped += '\\';
    escaped += c;
  }
  return escaped;
}

static std::string labelOf(const GraphNode &node, bool isVerbose) {
  std::string label = HandleTable::shortName(node.handle) + ": " + taskName(node.task);
  if (const auto *kernel = std::get_if<KernelTask>(&node.task)) {
    label += " " + kernel->function->name;
    const LaunchSize &size = kernel->size;
    for (unsigned i = 0; isVerbose && i < 6; ++i)
      label += (i == 0   ? " grid "
                : i == 3 ? " block "
                         : "x") +
               std::to_string(i < 3 ? size.grid[i] : size.block[i - 3]);
  }
  if (const auto *copy = std::get_if<CopyTask>(&node.task); copy && isVerbose)
    label += " of " + std::to_string(copy->extent.sizeBytes()) + " bytes";
  if (const auto *fill = std::get_if<FillTask>(&node.task); fill && isVerbose)
    label += " of " + std::to_string(fill->extent.sizeBytes()) + " bytes";
  if (isVerbose && !node.op.empty())
    label += " for " + node.op;
  return label;
}

static void writeLevel(FILE *file, const Graph &graph, bool isVerbose) {
  for (const auto &[number, node] : graph.nodes) {
    const std::string name = HandleTable::shortName(node->handle);
    fprintf(file, "  \"%s\" [label=\"%s\"];\n", name.c_str(), escape(labelOf(*node, isVerbose)).c_str());
    for (const GraphEdge &edge : node->dependencies)
      fprintf(file, "  \"%s\" -> \"%s\";\n", HandleTable::shortName(edge.node->handle).c_str(), name.c_str());
    if (const auto *child = std::get_if<ChildGraphTask>(&node->task)) {
      const std::string inner = HandleTable::shortName(child->graph->handle);
      fprintf(file, "  subgraph \"cluster_%s\" {\n  label=\"%s in %s\";\n", inner.c_str(), inner.c_str(), name.c_str());
      writeLevel(file, *child->graph, isVerbose);
      fprintf(file, "  }\n");
    }
  }
}

Status writeDot(Call &call, uint64_t handle, const char *path, bool isVerbose) {
  Status status;
  auto graph = call.resolve<Graph>(handle, HandleKind::Graph, "hGraph", status);
  if (!graph)
    return status;
  FILE *file = path ? fopen(path, "w") : nullptr;
  if (!file)
    return call.report(Status::OperatingSystem, "errors", "", std::string("cannot write '") + (path ? path : "") + "'");
  fprintf(file, "digraph \"%s\" {\n", HandleTable::shortName(handle).c_str());
  writeLevel(file, *graph, isVerbose);
  fprintf(file, "}\n");
  return fclose(file) == 0 ? Status::Success : Status::OperatingSystem;
}

} // namespace lockstep::simgpu
