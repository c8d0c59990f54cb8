// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs in the DOT language, read and drawn by the Graphviz libraries. Not thread safe: those keep global state.

#ifndef LOCKSTEP_HARNESS_GRAPHVIZ_GRAPHVIZ_H
#define LOCKSTEP_HARNESS_GRAPHVIZ_GRAPHVIZ_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace lockstep::harness {

/// A directed graph without cycles. Nodes stand in an order that the edges allow; within that, in the file's.
struct DotGraph {
  struct Node {
    std::string name;
    std::vector<size_t> predecessors; ///< Indices of earlier nodes, each once.
  };
  std::vector<Node> nodes;
};

/// Reads a file. Fails with a usage error that starts with the place in the file: for a syntax error, an undirected
/// graph, a cycle, no nodes.
llvm::Expected<DotGraph> readDot(llvm::StringRef path);

/// Draws a graph in the DOT language, as SVG.
llvm::Expected<std::string> renderSvg(llvm::StringRef dot);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_GRAPHVIZ_GRAPHVIZ_H
