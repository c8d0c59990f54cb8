// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The fake driver's graphs: a launch does all nodes at once, in the order in which they were added.

#include "runtime-cuda/test/FakeDriverCalls.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace lockstep::cuda;

static thread_local int openCaptures = 0;
static thread_local CUstreamCaptureMode threadMode = CUstreamCaptureMode(0);

bool lockstep::cuda::isUnsafe() { return openCaptures != 0 && threadMode != CU_STREAM_CAPTURE_MODE_RELAXED; }

static FakeGraph *find(CUgraph graph) {
  auto *fake = reinterpret_cast<FakeGraph *>(graph);
  return state().graphs.count(fake) ? fake : nullptr;
}

static FakeExec *find(CUgraphExec exec) {
  auto *fake = reinterpret_cast<FakeExec *>(exec);
  return state().execs.count(fake) ? fake : nullptr;
}

/// Adds a node behind `dependencies`, each of which must be a node of the graph and none there twice.
static FakeNode *addNode(const char *call, CUgraphNode *result, CUgraph handle, const CUgraphNode *dependencies,
                         size_t count) {
  FakeGraph *graph = find(handle);
  if (!graph)
    return nullptr;
  auto node = std::make_unique<FakeNode>();
  node->call = call;
  for (size_t index = 0; index < count; ++index) {
    auto *dependency = reinterpret_cast<const FakeNode *>(dependencies[index]);
    bool isKnown = std::any_of(graph->nodes.begin(), graph->nodes.end(),
                               [&](const std::unique_ptr<FakeNode> &other) { return other.get() == dependency; });
    if (!isKnown || std::count(node->dependencies.begin(), node->dependencies.end(), dependency))
      return nullptr;
    node->dependencies.push_back(dependency);
  }
  graph->nodes.push_back(std::move(node));
  FakeNode *added = graph->nodes.back().get();
  *result = reinterpret_cast<CUgraphNode>(added);
  return added;
}

#define FAKE_ADD(NAME)                                                                                                 \
  FAKE_ENTER(NAME);                                                                                                    \
  FakeNode *added = addNode(#NAME, node, graph, dependencies, count);                                                  \
  if (!added)                                                                                                          \
  return CUDA_ERROR_INVALID_VALUE

/// The part of an executable graph that was made from `node`; null where there is none.
static FakeNode *findExecuted(CUgraphExec handle, CUgraphNode node) {
  FakeExec *exec = find(handle);
  if (exec)
    for (auto &[original, executed] : exec->nodes)
      if (original == reinterpret_cast<const FakeNode *>(node))
        return &executed;
  return nullptr;
}

#define FAKE_SET(NAME)                                                                                                 \
  FAKE_ENTER(NAME);                                                                                                    \
  FakeNode *set = findExecuted(exec, node);                                                                            \
  if (!set)                                                                                                            \
  return CUDA_ERROR_INVALID_HANDLE

static CUresult setKernel(FakeNode &node, const CUDA_KERNEL_NODE_PARAMS *params) {
  node.kernel = *params;
  // Kernels of the tests have one int or nothing. The pointers are of no use after the call.
  if (params->kernelParams)
    std::memcpy(&node.firstArgument, params->kernelParams[0], sizeof(int));
  node.kernel.kernelParams = nullptr;
  return checkHandle(state().functions, params->func);
}

FAKE_EXPORT CUresult cuGraphCreate(CUgraph *graph, unsigned) {
  FAKE_ENTER(cuGraphCreate);
  auto *fake = new FakeGraph;
  state().graphs.insert(fake);
  *graph = reinterpret_cast<CUgraph>(fake);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphDestroy(CUgraph graph) {
  FAKE_ENTER(cuGraphDestroy);
  FakeGraph *fake = find(graph);
  if (!fake)
    return CUDA_ERROR_INVALID_VALUE;
  state().graphs.erase(fake);
  delete fake;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                         size_t count) {
  FAKE_ADD(cuGraphAddEmptyNode);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                             size_t count, const CUDA_KERNEL_NODE_PARAMS *params) {
  FAKE_ADD(cuGraphAddKernelNode);
  return setKernel(*added, params);
}

FAKE_EXPORT CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                          size_t count, const CUDA_MEMCPY3D *copy, CUcontext context) {
  FAKE_ADD(cuGraphAddMemcpyNode);
  added->copy = *copy;
  added->context = context;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                          size_t count, const CUDA_MEMSET_NODE_PARAMS *fill, CUcontext context) {
  FAKE_ADD(cuGraphAddMemsetNode);
  added->fill = *fill;
  added->context = context;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                        const CUDA_HOST_NODE_PARAMS *host) {
  FAKE_ADD(cuGraphAddHostNode);
  added->host = *host;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                               size_t count, CUevent event) {
  FAKE_ADD(cuGraphAddEventRecordNode);
  added->event = event;
  return checkHandle(state().events, event);
}

FAKE_EXPORT CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                             size_t count, CUevent event) {
  FAKE_ADD(cuGraphAddEventWaitNode);
  added->event = event;
  return checkHandle(state().events, event);
}

FAKE_EXPORT CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                            size_t count, CUDA_MEM_ALLOC_NODE_PARAMS *params) {
  FAKE_ADD(cuGraphAddMemAllocNode);
  if (params->poolProps.allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
      params->poolProps.location.type != CU_MEM_LOCATION_TYPE_DEVICE || params->bytesize == 0)
    return CUDA_ERROR_INVALID_VALUE;
  params->dptr = reinterpret_cast<uintptr_t>(std::malloc(params->bytesize));
  state().graphMemory.push_back(params->dptr);
  added->memory = params->dptr;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                           size_t count, CUdeviceptr memory) {
  FAKE_ADD(cuGraphAddMemFreeNode);
  added->memory = memory;
  const auto &all = state().graphMemory;
  return std::count(all.begin(), all.end(), memory) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static void copyNodes(FakeExec &exec, const FakeGraph &graph) {
  exec.graph = &graph;
  for (const auto &node : graph.nodes)
    exec.nodes.push_back({node.get(), *node});
}

FAKE_EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long) {
  FAKE_ENTER(cuGraphInstantiate);
  FakeGraph *fake = find(graph);
  if (!fake)
    return CUDA_ERROR_INVALID_VALUE;
  auto *made = new FakeExec;
  copyNodes(*made, *fake);
  state().execs.insert(made);
  *exec = reinterpret_cast<CUgraphExec>(made);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphExecDestroy(CUgraphExec exec) {
  FAKE_ENTER(cuGraphExecDestroy);
  FakeExec *fake = find(exec);
  if (!fake)
    return CUDA_ERROR_INVALID_VALUE;
  state().execs.erase(fake);
  delete fake;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                                       const CUDA_KERNEL_NODE_PARAMS *params) {
  FAKE_SET(cuGraphExecKernelNodeSetParams);
  return setKernel(*set, params);
}

FAKE_EXPORT CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *copy,
                                                    CUcontext) {
  FAKE_SET(cuGraphExecMemcpyNodeSetParams);
  set->copy = *copy;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                    const CUDA_MEMSET_NODE_PARAMS *fill, CUcontext) {
  FAKE_SET(cuGraphExecMemsetNodeSetParams);
  set->fill = *fill;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                  const CUDA_HOST_NODE_PARAMS *host) {
  FAKE_SET(cuGraphExecHostNodeSetParams);
  set->host = *host;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  FAKE_SET(cuGraphExecEventRecordNodeSetEvent);
  set->event = event;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  FAKE_SET(cuGraphExecEventWaitNodeSetEvent);
  set->event = event;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *) {
  FAKE_ENTER(cuGraphExecUpdate);
  FakeExec *fake = find(exec);
  FakeGraph *from = find(graph);
  if (!fake || !from)
    return CUDA_ERROR_INVALID_VALUE;
  if (fake->nodes.size() != from->nodes.size())
    return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  for (size_t index = 0; index < from->nodes.size(); ++index)
    fake->nodes[index].second = *from->nodes[index];
  return CUDA_SUCCESS;
}

static CUresult fillRows(const CUDA_MEMSET_NODE_PARAMS &fill) {
  if (fill.height > 1 && fill.pitch < fill.width * fill.elementSize)
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t row = 0; row < fill.height; ++row)
    for (size_t column = 0; column < fill.width; ++column)
      std::memcpy(reinterpret_cast<char *>(fill.dst) + row * fill.pitch + column * fill.elementSize, &fill.value,
                  fill.elementSize);
  return CUDA_SUCCESS;
}

static CUresult run(const FakeNode &node) {
  FakeDriver &fake = state();
  if (node.call == "cuGraphAddMemcpyNode")
    return copyBox(node.copy);
  if (node.call == "cuGraphAddMemsetNode")
    return fillRows(node.fill);
  if (node.call == "cuGraphAddHostNode")
    fake.heldHostFunctions.push_back({node.host.fn, node.host.userData});
  if (node.call == "cuGraphAddMemAllocNode" && !fake.liveGraphMemory.insert(node.memory).second)
    return CUDA_ERROR_INVALID_VALUE;
  if (node.call == "cuGraphAddMemFreeNode" && !fake.liveGraphMemory.erase(node.memory))
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  FAKE_ENTER(cuGraphLaunch);
  FakeExec *fake = find(exec);
  CUresult result = fake ? checkStream(stream) : CUDA_ERROR_INVALID_VALUE;
  if (result != CUDA_SUCCESS)
    return result;
  state().launches.push_back({fake, stream, {}});
  for (const auto &[original, node] : fake->nodes) {
    state().launches.back().nodes.push_back(node);
    if (result == CUDA_SUCCESS)
      result = run(node);
  }
  if (!state().holdsHostFunctions)
    runHeldHostFunctions(entry);
  return result;
}

FAKE_EXPORT CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  FAKE_ENTER(cuStreamBeginCapture);
  CUresult result = checkStream(stream);
  if (result != CUDA_SUCCESS || !state().capturing.insert(stream).second)
    return result == CUDA_SUCCESS ? static_cast<CUresult>(401) : result;
  if (mode != CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)
    return CUDA_ERROR_INVALID_VALUE;
  ++openCaptures;
  return CUDA_SUCCESS;
}

/// The graph has one empty node: this driver does not note what is captured, but does it at once.
FAKE_EXPORT CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  Entry entry("cuStreamEndCapture");
  if (!state().capturing.erase(stream))
    return static_cast<CUresult>(903);
  --openCaptures;
  *graph = nullptr;
  if (entry.result != CUDA_SUCCESS)
    return entry.result;
  auto *fake = new FakeGraph;
  fake->nodes.push_back(std::make_unique<FakeNode>());
  fake->nodes.back()->call = "captured";
  state().graphs.insert(fake);
  *graph = reinterpret_cast<CUgraph>(fake);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  FAKE_ENTER(cuThreadExchangeStreamCaptureMode);
  std::swap(*mode, threadMode);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
  FAKE_ENTER(cuStreamIsCapturing);
  *status = static_cast<CUstreamCaptureStatus>(state().capturing.count(stream));
  return CUDA_SUCCESS;
}
