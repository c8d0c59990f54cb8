// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/order/GraphReplay.h"

using namespace lockstep::harness;

ReplayedExecutable *GraphReplay::executable(uint64_t handle) {
  auto found = executables.find(handle);
  return found == executables.end() ? nullptr : &found->second;
}

static ReplayedNode::Kind kindOf(CallMeaning meaning) {
  switch (meaning) {
  case CallMeaning::AddWorkNode:
    return ReplayedNode::Kind::Work;
  case CallMeaning::AddRecordNode:
    return ReplayedNode::Kind::Record;
  case CallMeaning::AddWaitNode:
    return ReplayedNode::Kind::Wait;
  default:
    return ReplayedNode::Kind::Empty;
  }
}

/// (out node, graph, dependencies, their number, each of them, more)
void GraphReplay::addNode(const CallLog::Entry &entry, uint32_t logEntry) {
  llvm::ArrayRef<uint64_t> arguments = log.arguments(entry);
  ReplayedGraph &graph = graphs[arguments[1]];
  ReplayedNode node{kindOf(entry.shape.meaning), {}, entry.op, logEntry};
  size_t dependencyCount = arguments[3];
  for (uint64_t dependency : arguments.slice(4, dependencyCount))
    if (auto found = graph.positions.find(dependency); found != graph.positions.end())
      node.after.push_back(found->second);
  if (node.kind == ReplayedNode::Kind::Record || node.kind == ReplayedNode::Kind::Wait)
    node.event = arguments[4 + dependencyCount];
  graph.positions[entry.output] = graph.nodes.size();
  graph.nodes.push_back(std::move(node));
}

void GraphReplay::setNode(const CallLog::Entry &entry, uint32_t logEntry) {
  llvm::ArrayRef<uint64_t> arguments = log.arguments(entry);
  ReplayedExecutable *executable = this->executable(arguments[0]);
  if (!executable)
    return;
  auto found = executable->graph.positions.find(arguments[1]);
  if (found == executable->graph.positions.end())
    return;
  ReplayedNode &node = executable->graph.nodes[found->second];
  node.op = entry.op;
  node.logEntry = logEntry;
  if (entry.shape.meaning == CallMeaning::SetNodeEvent)
    node.event = arguments[2];
}

void GraphReplay::update(uint64_t handle, uint64_t graph) {
  ReplayedExecutable *executable = this->executable(handle);
  auto found = graphs.find(graph);
  if (executable && found != graphs.end())
    executable->graph.nodes = found->second.nodes;
}

void GraphReplay::apply(const CallLog::Entry &entry, uint32_t logEntry) {
  llvm::ArrayRef<uint64_t> arguments = log.arguments(entry);
  switch (entry.shape.meaning) {
  case CallMeaning::GraphCreate:
    graphs[entry.output] = ReplayedGraph();
    break;
  case CallMeaning::GraphDestroy:
    graphs.erase(arguments[0]);
    break;
  case CallMeaning::AddWorkNode:
  case CallMeaning::AddEmptyNode:
  case CallMeaning::AddRecordNode:
  case CallMeaning::AddWaitNode:
    addNode(entry, logEntry);
    break;
  case CallMeaning::Instantiate:
    executables[entry.output] = {graphs.lookup(arguments[1]), {}};
    break;
  case CallMeaning::ExecDestroy:
    executables.erase(arguments[0]);
    break;
  case CallMeaning::SetNode:
  case CallMeaning::SetNodeEvent:
    setNode(entry, logEntry);
    break;
  case CallMeaning::ExecUpdate:
    update(arguments[0], arguments[1]);
    break;
  default:
    break;
  }
}
