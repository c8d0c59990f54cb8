// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/GraphUpdate.h"

using namespace lockstep::runtime;

static void retireCalls(HostCalls &hostCalls, std::vector<GraphNode> &nodes) {
  for (GraphNode &node : nodes)
    if (auto *host = std::get_if<HostNode>(&node.parameters); host && host->call) {
      hostCalls.retire(host->call);
      host->call = nullptr;
    }
}

/// Gives a host node the copy of its arguments that the driver gets.
static void prepareCall(HostCalls &hostCalls, GraphNode &node) {
  if (auto *host = std::get_if<HostNode>(&node.parameters))
    host->call = hostCalls.add(host->function, host->argument.data(), host->argument.size());
}

bool GraphExecutable::isUpToDate(const std::vector<GraphNode> &wanted) const {
  if (!driver.executable || !haveSameShape(nodes, wanted))
    return false;
  for (size_t index = 0; index < wanted.size(); ++index)
    if (nodes[index].parameters != wanted[index].parameters)
      return false;
  return true;
}

GraphChange GraphExecutable::setChanged(GraphBackend &backend, HostCalls &hostCalls,
                                        const std::vector<GraphNode> &wanted) {
  for (size_t index = 0; index < wanted.size(); ++index) {
    if (nodes[index].parameters == wanted[index].parameters)
      continue;
    std::vector<GraphNode> changed = {wanted[index]};
    prepareCall(hostCalls, changed.front());
    GraphChange change = backend.setNode(driver.executable, handles[index], changed.front());
    if (change == GraphChange::Done)
      std::swap(nodes[index], changed.front());
    // The call that is not needed: the refused one, or the old one, which lives until the launches in flight end.
    retireCalls(hostCalls, changed);
    if (change != GraphChange::Done)
      return change;
  }
  return GraphChange::Done;
}

bool GraphExecutable::rebuild(GraphBackend &backend, HostCalls &hostCalls, std::vector<GraphNode> wanted) {
  release(backend, hostCalls);
  driver.graph = backend.createGraph();
  if (!driver.graph)
    return false;
  nodes = std::move(wanted);
  for (GraphNode &node : nodes) {
    prepareCall(hostCalls, node);
    std::vector<void *> dependencies;
    for (int32_t dependency : node.dependencies)
      dependencies.push_back(handles[dependency]);
    void *handle = backend.addNode(driver.graph, node, dependencies);
    if (!handle)
      return false;
    handles.push_back(handle);
  }
  driver.executable = backend.instantiate(driver.graph);
  return driver.executable != nullptr;
}

bool GraphExecutable::update(GraphBackend &backend, HostCalls &hostCalls, std::vector<GraphNode> wanted) {
  if (driver.executable && haveSameShape(nodes, wanted)) {
    GraphChange change = setChanged(backend, hostCalls, wanted);
    if (change != GraphChange::Refused)
      return change == GraphChange::Done;
  }
  return rebuild(backend, hostCalls, std::move(wanted));
}

bool GraphExecutable::updateCaptured(GraphBackend &backend, void *graph) {
  if (driver.executable) {
    GraphChange change = backend.update(driver.executable, graph);
    if (change != GraphChange::Refused) {
      backend.destroyGraph(graph);
      return change == GraphChange::Done;
    }
  }
  driver.destroy(backend);
  driver = {graph, backend.instantiate(graph)};
  return driver.executable != nullptr;
}

bool GraphExecutable::launch(GraphBackend &backend, HostCalls &hostCalls) {
  for (GraphNode &node : nodes)
    if (auto *host = std::get_if<HostNode>(&node.parameters))
      hostCalls.expectRun(host->call);
  if (backend.launch(driver.executable, nullptr))
    return true;
  for (GraphNode &node : nodes)
    if (auto *host = std::get_if<HostNode>(&node.parameters))
      hostCalls.cancelRun(host->call);
  return false;
}

void GraphExecutable::release(GraphBackend &backend, HostCalls &hostCalls) {
  driver.destroy(backend);
  retireCalls(hostCalls, nodes);
  nodes.clear();
  handles.clear();
}
