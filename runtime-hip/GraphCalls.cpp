// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/GraphCalls.h"

#include "runtime-hip/Launches.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

static hipGraphNode_t toNode(void *handle) { return static_cast<hipGraphNode_t>(handle); }
static hipGraph_t toGraph(void *handle) { return static_cast<hipGraph_t>(handle); }
static hipGraphExec_t toExec(void *handle) { return static_cast<hipGraphExec_t>(handle); }

namespace {
/// Kernel parameters as the driver wants them. It copies the arguments at the call.
struct KernelParameters {
  explicit KernelParameters(const KernelNode &node) {
    for (size_t offset : node.offsets)
      pointers.push_back(const_cast<unsigned char *>(node.arguments.data() + offset));
    params.func = node.function.handle;
    params.gridDim = {node.grid[0], node.grid[1], node.grid[2]};
    params.blockDim = {node.block[0], node.block[1], node.block[2]};
    params.sharedMemBytes = node.sharedBytes;
    params.kernelParams = pointers.data();
  }

  std::vector<void *> pointers;
  hipKernelNodeParams params = {};
};
} // namespace

static hipMemcpy3DParms describeCopy(const CopyNode &node) {
  hipMemcpy3DParms copy = {};
  copy.srcPtr = {reinterpret_cast<void *>(node.source),
                 node.height > 1 || node.depth > 1 ? node.sourcePitchBytes : node.rowBytes, node.rowBytes,
                 node.depth > 1 ? node.sourceSliceRows : node.height};
  copy.dstPtr = {reinterpret_cast<void *>(node.destination),
                 node.height > 1 || node.depth > 1 ? node.destinationPitchBytes : node.rowBytes, node.rowBytes,
                 node.depth > 1 ? node.destinationSliceRows : node.height};
  copy.extent = {node.rowBytes, node.height, node.depth};
  copy.kind = hipMemcpyDefault;
  return copy;
}

static MemsetParamsOfVersion describeFill(const Driver &driver, const FillNode &node) {
  const FillPiece &piece = node.piece;
  void *destination = reinterpret_cast<void *>(piece.destination);
  MemsetParamsOfVersion fill = {};
  fill.isFrom7 = driver.version() >= kDriverVersion7;
  if (fill.isFrom7)
    fill.from7 = {destination, piece.pitchBytes, piece.value, piece.elementBytes, piece.width, piece.height};
  else
    fill.upTo6 = {destination, piece.elementBytes, piece.height, piece.pitchBytes, piece.value, piece.width};
  return fill;
}

static hipHostNodeParams describeHost(const HostNode &node) { return {&HostCalls::run, node.call}; }

static hipEvent_t toEvent(const GraphHandle &event) { return static_cast<hipEvent_t>(event.handle); }

/// Adds one node; the result is false with the failure recorded.
struct GraphCalls::NodeAdder {
  ApiCall &call;
  hipGraph_t graph;
  const hipGraphNode_t *dependencies;
  size_t count;
  hipGraphNode_t *result;

  bool operator()(const EmptyNode &) const {
    return call.invoke(call.driver().hipGraphAddEmptyNode, result, graph, dependencies, count);
  }
  bool operator()(const KernelNode &node) const {
    KernelParameters kernel(node);
    const hipKernelNodeParams *params = &kernel.params;
    return call.invoke(call.driver().hipGraphAddKernelNode, result, graph, dependencies, count, params);
  }
  bool operator()(const CopyNode &node) const {
    const hipMemcpy3DParms copy = describeCopy(node);
    return call.invoke(call.driver().hipGraphAddMemcpyNode, result, graph, dependencies, count, &copy);
  }
  bool operator()(const FillNode &node) const {
    const MemsetParamsOfVersion fill = describeFill(call.driver(), node);
    return call.invoke(call.driver().hipGraphAddMemsetNode, result, graph, dependencies, count, &fill);
  }
  bool operator()(const HostNode &node) const {
    const hipHostNodeParams host = describeHost(node);
    return call.invoke(call.driver().hipGraphAddHostNode, result, graph, dependencies, count, &host);
  }
  bool operator()(const EventRecordNode &node) const {
    return call.invoke(call.driver().hipGraphAddEventRecordNode, result, graph, dependencies, count,
                       toEvent(node.event));
  }
  bool operator()(const EventWaitNode &node) const {
    return call.invoke(call.driver().hipGraphAddEventWaitNode, result, graph, dependencies, count, toEvent(node.event));
  }
  bool operator()(const MemFreeNode &node) const {
    return call.invoke(call.driver().hipGraphAddMemFreeNode, result, graph, dependencies, count,
                       hipDeviceptr_t(node.address));
  }
};

/// Sets the parameters of one node of an executable graph.
struct GraphCalls::NodeSetter {
  GraphCalls &calls;
  hipGraphExec_t executable;
  hipGraphNode_t handle;

  template <typename Signature, typename... Arguments>
  GraphChange set(const DriverFunction<Signature> &function, Arguments... arguments) const {
    // A driver without the function cannot make the change either.
    if (!function.isPresent())
      return GraphChange::Refused;
    return calls.classify(function.name, function(executable, handle, arguments...));
  }

  const Driver &driver() const { return calls.call.driver(); }

  GraphChange operator()(const KernelNode &node) const {
    KernelParameters kernel(node);
    return set(driver().hipGraphExecKernelNodeSetParams, &kernel.params);
  }
  GraphChange operator()(const CopyNode &node) const {
    hipMemcpy3DParms copy = describeCopy(node);
    return set(driver().hipGraphExecMemcpyNodeSetParams, &copy);
  }
  GraphChange operator()(const FillNode &node) const {
    const MemsetParamsOfVersion fill = describeFill(driver(), node);
    return set(driver().hipGraphExecMemsetNodeSetParams, &fill);
  }
  GraphChange operator()(const HostNode &node) const {
    hipHostNodeParams host = describeHost(node);
    return set(driver().hipGraphExecHostNodeSetParams, &host);
  }
  GraphChange operator()(const EventRecordNode &node) const {
    return set(driver().hipGraphExecEventRecordNodeSetEvent, toEvent(node.event));
  }
  GraphChange operator()(const EventWaitNode &node) const {
    return set(driver().hipGraphExecEventWaitNodeSetEvent, toEvent(node.event));
  }
  // Nothing of these can be set.
  GraphChange operator()(const EmptyNode &) const { return GraphChange::Refused; }
  GraphChange operator()(const MemFreeNode &) const { return GraphChange::Refused; }
};

/// The codes with which a driver says that it cannot change an executable graph that way. Any other code is a failure,
/// maybe of work that was queued long before.
GraphChange GraphCalls::classify(const char *name, hipError_t result) {
  switch (result) {
  case hipSuccess:
    return GraphChange::Done;
  case hipErrorInvalidValue:
  case hipErrorNotSupported:
  case hipErrorGraphExecUpdateFailure:
    return GraphChange::Refused;
  default:
    call.fail(call.driver().describe(name, result));
    return GraphChange::Failed;
  }
}

void *GraphCalls::createGraph() {
  hipGraph_t graph = nullptr;
  bool done = call.enterDevice(device) && call.invoke(call.driver().hipGraphCreate, &graph, 0u);
  return done ? graph : nullptr;
}

void *GraphCalls::addNode(void *graph, const GraphNode &node, const std::vector<void *> &dependencies) {
  OpScope scope(call.driver(), node.op.c_str());
  std::vector<hipGraphNode_t> driverDependencies;
  for (void *dependency : dependencies)
    driverDependencies.push_back(toNode(dependency));
  hipGraphNode_t result = nullptr;
  NodeAdder adder{call, toGraph(graph), driverDependencies.data(), driverDependencies.size(), &result};
  return std::visit(adder, node.parameters) ? result : nullptr;
}

bool GraphCalls::addAllocation(void *graph, uint64_t sizeBytes, uint64_t &address) {
  hipMemAllocNodeParams params = {};
  params.poolProps.allocType = hipMemAllocationTypePinned;
  params.poolProps.handleTypes = hipMemHandleTypeNone;
  params.poolProps.location = {hipMemLocationTypeDevice, device};
  params.bytesize = sizeBytes;
  hipGraphNode_t node = nullptr;
  const hipGraphNode_t *none = nullptr;
  if (!call.invoke(call.driver().hipGraphAddMemAllocNode, &node, toGraph(graph), none, size_t(0), &params))
    return false;
  address = toAddress(params.dptr);
  return true;
}

void *GraphCalls::instantiate(void *graph) {
  hipGraphExec_t executable = nullptr;
  return call.invoke(call.driver().hipGraphInstantiateWithFlags, &executable, toGraph(graph), 0ull) ? executable
                                                                                                    : nullptr;
}

GraphChange GraphCalls::setNode(void *executable, void *handle, const GraphNode &node) {
  OpScope scope(call.driver(), node.op.c_str());
  return std::visit(NodeSetter{*this, toExec(executable), toNode(handle)}, node.parameters);
}

GraphChange GraphCalls::update(void *executable, void *graph) {
  const auto &function = call.driver().hipGraphExecUpdate;
  if (!function.isPresent())
    return GraphChange::Refused;
  hipGraphNode_t errorNode = nullptr;
  hipGraphExecUpdateResult updateResult = hipGraphExecUpdateSuccess;
  return classify(function.name, function(toExec(executable), toGraph(graph), &errorNode, &updateResult));
}

bool GraphCalls::launch(void *executable, const char *op) {
  std::optional<OpScope> scope;
  if (op)
    scope.emplace(call.driver(), op);
  return call.invoke(call.driver().hipGraphLaunch, toExec(executable), stream);
}

void GraphCalls::destroyGraph(void *graph) {
  hipError_t result = call.driver().hipGraphDestroy(toGraph(graph));
  // A lowered program releases its slots in a global destructor. Where the driver ended before, they went with it.
  if (result != hipSuccess && result != hipErrorDeinitialized)
    call.fail(call.driver().describe("hipGraphDestroy", result));
}

void GraphCalls::destroyExecutable(void *executable) {
  hipError_t result = call.driver().hipGraphExecDestroy(toExec(executable));
  if (result != hipSuccess && result != hipErrorDeinitialized)
    call.fail(call.driver().describe("hipGraphExecDestroy", result));
}
