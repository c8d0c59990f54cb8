// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/GraphCalls.h"

#include "runtime-cuda/Launches.h"

using namespace lockstep::cuda;
using namespace lockstep::runtime;

static CUgraphNode toNode(void *handle) { return static_cast<CUgraphNode>(handle); }
static CUgraph toGraph(void *handle) { return static_cast<CUgraph>(handle); }
static CUgraphExec toExec(void *handle) { return static_cast<CUgraphExec>(handle); }

namespace {
/// Kernel parameters as the driver wants them. It copies the arguments at the call.
struct KernelParameters {
  explicit KernelParameters(const KernelNode &node) {
    for (size_t offset : node.offsets)
      pointers.push_back(const_cast<unsigned char *>(node.arguments.data() + offset));
    params.func = static_cast<CUfunction>(node.function.handle);
    params.gridDimX = node.grid[0];
    params.gridDimY = node.grid[1];
    params.gridDimZ = node.grid[2];
    params.blockDimX = node.block[0];
    params.blockDimY = node.block[1];
    params.blockDimZ = node.block[2];
    params.sharedMemBytes = node.sharedBytes;
    params.kernelParams = pointers.data();
  }

  std::vector<void *> pointers;
  CUDA_KERNEL_NODE_PARAMS params = {};
};
} // namespace

static CUDA_MEMCPY3D describeCopy(const CopyNode &node) {
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = node.source;
  copy.srcPitch = node.sourcePitchBytes;
  copy.srcHeight = node.depth > 1 ? node.sourceSliceRows : node.height;
  copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.dstDevice = node.destination;
  copy.dstPitch = node.destinationPitchBytes;
  copy.dstHeight = node.depth > 1 ? node.destinationSliceRows : node.height;
  copy.WidthInBytes = node.rowBytes;
  copy.Height = node.height;
  copy.Depth = node.depth;
  return copy;
}

static CUDA_MEMSET_NODE_PARAMS describeFill(const FillNode &node) {
  const FillPiece &piece = node.piece;
  return {piece.destination, piece.pitchBytes, piece.value, piece.elementBytes, piece.width, piece.height};
}

static CUDA_HOST_NODE_PARAMS describeHost(const HostNode &node) { return {&HostCalls::run, node.call}; }

static CUevent toEvent(const GraphHandle &event) { return static_cast<CUevent>(event.handle); }

/// Adds one node; the result is false with the failure recorded.
struct GraphCalls::NodeAdder {
  ApiCall &call;
  CUgraph graph;
  const CUgraphNode *dependencies;
  size_t count;
  CUgraphNode *result;

  bool operator()(const EmptyNode &) const {
    return call.invoke(call.driver().cuGraphAddEmptyNode, result, graph, dependencies, count);
  }
  bool operator()(const KernelNode &node) const {
    KernelParameters kernel(node);
    const CUDA_KERNEL_NODE_PARAMS *params = &kernel.params;
    return allowSharedBytes(call, params->func, static_cast<int32_t>(node.sharedBytes)) &&
           call.invoke(call.driver().cuGraphAddKernelNode, result, graph, dependencies, count, params);
  }
  bool operator()(const CopyNode &node) const {
    const CUDA_MEMCPY3D copy = describeCopy(node);
    return call.invoke(call.driver().cuGraphAddMemcpyNode, result, graph, dependencies, count, &copy, call.context());
  }
  bool operator()(const FillNode &node) const {
    const CUDA_MEMSET_NODE_PARAMS fill = describeFill(node);
    return call.invoke(call.driver().cuGraphAddMemsetNode, result, graph, dependencies, count, &fill, call.context());
  }
  bool operator()(const HostNode &node) const {
    const CUDA_HOST_NODE_PARAMS host = describeHost(node);
    return call.invoke(call.driver().cuGraphAddHostNode, result, graph, dependencies, count, &host);
  }
  bool operator()(const EventRecordNode &node) const {
    return call.invoke(call.driver().cuGraphAddEventRecordNode, result, graph, dependencies, count,
                       toEvent(node.event));
  }
  bool operator()(const EventWaitNode &node) const {
    return call.invoke(call.driver().cuGraphAddEventWaitNode, result, graph, dependencies, count, toEvent(node.event));
  }
  bool operator()(const MemFreeNode &node) const {
    return call.invoke(call.driver().cuGraphAddMemFreeNode, result, graph, dependencies, count,
                       CUdeviceptr(node.address));
  }
};

/// Sets the parameters of one node of an executable graph.
struct GraphCalls::NodeSetter {
  GraphCalls &calls;
  CUgraphExec executable;
  CUgraphNode handle;

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
    if (!allowSharedBytes(calls.call, kernel.params.func, static_cast<int32_t>(node.sharedBytes)))
      return GraphChange::Failed;
    return set(driver().cuGraphExecKernelNodeSetParams, &kernel.params);
  }
  GraphChange operator()(const CopyNode &node) const {
    CUDA_MEMCPY3D copy = describeCopy(node);
    return set(driver().cuGraphExecMemcpyNodeSetParams, &copy, calls.call.context());
  }
  GraphChange operator()(const FillNode &node) const {
    CUDA_MEMSET_NODE_PARAMS fill = describeFill(node);
    return set(driver().cuGraphExecMemsetNodeSetParams, &fill, calls.call.context());
  }
  GraphChange operator()(const HostNode &node) const {
    CUDA_HOST_NODE_PARAMS host = describeHost(node);
    return set(driver().cuGraphExecHostNodeSetParams, &host);
  }
  GraphChange operator()(const EventRecordNode &node) const {
    return set(driver().cuGraphExecEventRecordNodeSetEvent, toEvent(node.event));
  }
  GraphChange operator()(const EventWaitNode &node) const {
    return set(driver().cuGraphExecEventWaitNodeSetEvent, toEvent(node.event));
  }
  // Nothing of these can be set.
  GraphChange operator()(const EmptyNode &) const { return GraphChange::Refused; }
  GraphChange operator()(const MemFreeNode &) const { return GraphChange::Refused; }
};

/// The codes with which a driver says that it cannot change an executable graph that way. Any other code is a failure,
/// maybe of work that was queued long before.
GraphChange GraphCalls::classify(const char *name, CUresult result) {
  switch (result) {
  case CUDA_SUCCESS:
    return GraphChange::Done;
  case CUDA_ERROR_INVALID_VALUE:
  case CUDA_ERROR_NOT_SUPPORTED:
  case CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE:
    return GraphChange::Refused;
  default:
    call.fail(call.driver().describe(name, result));
    return GraphChange::Failed;
  }
}

void *GraphCalls::createGraph() {
  CUgraph graph = nullptr;
  bool done = call.enterDevice(device) && call.invoke(call.driver().cuGraphCreate, &graph, 0u);
  return done ? graph : nullptr;
}

void *GraphCalls::addNode(void *graph, const GraphNode &node, const std::vector<void *> &dependencies) {
  OpScope scope(call.driver(), node.op.c_str());
  std::vector<CUgraphNode> driverDependencies;
  for (void *dependency : dependencies)
    driverDependencies.push_back(toNode(dependency));
  CUgraphNode result = nullptr;
  NodeAdder adder{call, toGraph(graph), driverDependencies.data(), driverDependencies.size(), &result};
  return std::visit(adder, node.parameters) ? result : nullptr;
}

bool GraphCalls::addAllocation(void *graph, uint64_t sizeBytes, uint64_t &address) {
  CUDA_MEM_ALLOC_NODE_PARAMS params = {};
  params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  params.poolProps.handleTypes = CU_MEM_HANDLE_TYPE_NONE;
  params.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  params.bytesize = sizeBytes;
  CUgraphNode node = nullptr;
  const CUgraphNode *none = nullptr;
  if (!call.invoke(call.driver().cuGraphAddMemAllocNode, &node, toGraph(graph), none, size_t(0), &params))
    return false;
  address = params.dptr;
  return true;
}

void *GraphCalls::instantiate(void *graph) {
  CUgraphExec executable = nullptr;
  return call.invoke(call.driver().cuGraphInstantiate, &executable, toGraph(graph), 0ull) ? executable : nullptr;
}

GraphChange GraphCalls::setNode(void *executable, void *handle, const GraphNode &node) {
  OpScope scope(call.driver(), node.op.c_str());
  return std::visit(NodeSetter{*this, toExec(executable), toNode(handle)}, node.parameters);
}

GraphChange GraphCalls::update(void *executable, void *graph) {
  const auto &function = call.driver().cuGraphExecUpdate;
  if (!function.isPresent())
    return GraphChange::Refused;
  CUgraphExecUpdateResultInfo info = {};
  return classify(function.name, function(toExec(executable), toGraph(graph), &info));
}

bool GraphCalls::launch(void *executable, const char *op) {
  std::optional<OpScope> scope;
  if (op)
    scope.emplace(call.driver(), op);
  return call.invoke(call.driver().cuGraphLaunch, toExec(executable), stream);
}

void GraphCalls::destroyGraph(void *graph) {
  CUresult result = call.driver().cuGraphDestroy(toGraph(graph));
  // A lowered program releases its slots in a global destructor. Where the driver ended before, they went with it.
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_DEINITIALIZED)
    call.fail(call.driver().describe("cuGraphDestroy", result));
}

void GraphCalls::destroyExecutable(void *executable) {
  CUresult result = call.driver().cuGraphExecDestroy(toExec(executable));
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_DEINITIALIZED)
    call.fail(call.driver().describe("cuGraphExecDestroy", result));
}
