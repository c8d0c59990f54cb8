// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nodes of an open graph. But for memory, an Add calls no driver: mgpuGraphLaunch does, where something changed.

#include "runtime-api/support/Transfers.h"
#include "runtime-hip/Graphs.h"
#include "runtime-hip/Launches.h"

#include <cstring>

using namespace lockstep::hip;
using namespace lockstep::runtime;

namespace {
/// One Add at work: checks graph and dependencies first.
class AddCall {
public:
  AddCall(const char *function, MgpuGraph graph, const int32_t *dependencies, int64_t dependencyCount)
      : call(function) {
    std::string error;
    if (!call || !call.check("graph", graph, HandleKind::Graph))
      return;
    auto *open = reinterpret_cast<GraphSlot *>(graph);
    if (open->builder.setDependencies(dependencies, dependencyCount, error))
      slot = open;
    else
      call.refuse(kMgpuStatusInvalidValue, error);
  }

  explicit operator bool() const { return slot != nullptr; }
  GraphBuilder &builder() { return slot->builder; }

  int32_t refuse(std::string detail) {
    call.refuse(kMgpuStatusInvalidValue, std::move(detail));
    return -1;
  }

  /// Checks a handle that a node names; nothing with the failure recorded.
  std::optional<GraphHandle> handle(const char *argument, void *handle, HandleKind kind) {
    std::optional<HandleInfo> info = call.check(argument, handle, kind);
    if (!info)
      return std::nullopt;
    return GraphHandle{handle, info->serial};
  }

  bool allocate(uint64_t sizeBytes, uint64_t &address) {
    GraphCalls calls(call, slot->device);
    return slot->allocations.take(calls, sizeBytes, address);
  }

  ApiCall call;

private:
  GraphSlot *slot = nullptr;
};
} // namespace

int32_t mgpuGraphAddEmptyNode(MgpuGraph graph, const int32_t *dependencies, int64_t dependencyCount) {
  AddCall add("mgpuGraphAddEmptyNode", graph, dependencies, dependencyCount);
  return add ? add.builder().addOne(EmptyNode()) : -1;
}

/// Copies the arguments one behind the other; false with the failure recorded.
static bool copyArguments(AddCall &add, void **params, const int64_t *paramBytes, int64_t paramCount,
                          KernelNode &node) {
  if (paramCount < 0 || (paramCount > 0 && (!params || !paramBytes))) {
    add.refuse(paramCount < 0 ? "argument 'param_count' is " + std::to_string(paramCount)
                              : "argument 'params' or 'param_bytes' is null");
    return false;
  }
  constexpr size_t kAlignment = alignof(std::max_align_t);
  for (int64_t index = 0; index < paramCount; ++index) {
    if (paramBytes[index] < 0 || !params[index]) {
      add.refuse("kernel argument " + std::to_string(index) + " is null or of negative size");
      return false;
    }
    size_t offset = (node.arguments.size() + kAlignment - 1) / kAlignment * kAlignment;
    node.offsets.push_back(offset);
    node.arguments.resize(offset + paramBytes[index]);
    std::memcpy(node.arguments.data() + offset, params[index], paramBytes[index]);
  }
  return true;
}

static std::array<uint32_t, 3> narrow(intptr_t x, intptr_t y, intptr_t z) {
  return {static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(z)};
}

int32_t mgpuGraphAddKernelNode(MgpuGraph graph, const int32_t *dependencies, int64_t dependencyCount,
                               MgpuFunction function, intptr_t gridX, intptr_t gridY, intptr_t gridZ, intptr_t blockX,
                               intptr_t blockY, intptr_t blockZ, int32_t sharedBytes, void **params,
                               const int64_t *paramBytes, int64_t paramCount) {
  AddCall add("mgpuGraphAddKernelNode", graph, dependencies, dependencyCount);
  if (!add ||
      !checkExtents(add.call, {{"grid", {gridX, gridY, gridZ}}, {"block", {blockX, blockY, blockZ}}}, sharedBytes))
    return -1;
  auto handle = add.handle("function", function, HandleKind::Function);
  KernelNode node;
  if (!handle || !copyArguments(add, params, paramBytes, paramCount, node))
    return -1;
  node.function = *handle;
  node.grid = narrow(gridX, gridY, gridZ);
  node.block = narrow(blockX, blockY, blockZ);
  node.sharedBytes = sharedBytes;
  return add.builder().addOne(std::move(node));
}

int32_t mgpuGraphAddMemcpyNode(MgpuGraph graph, const int32_t *dependencies, int64_t dependencyCount, void *destination,
                               void *source, size_t sizeBytes) {
  AddCall add("mgpuGraphAddMemcpyNode", graph, dependencies, dependencyCount);
  if (!add)
    return -1;
  if (sizeBytes == 0)
    return add.builder().addOne(EmptyNode());
  CopyNode copy;
  copy.destination = toAddress(destination);
  copy.source = toAddress(source);
  copy.rowBytes = sizeBytes;
  return add.builder().addOne(copy);
}

static int32_t addCopy(AddCall &add, const CopyRequest &request) {
  std::string error;
  auto plan = planCopy(request, error);
  if (!plan)
    return add.refuse(error);
  if (!plan->stagingBytes)
    return add.builder().addCopy(plan->direct, request.destination.address, request.source.address);
  uint64_t staging = 0;
  if (!add.allocate(plan->stagingBytes, staging))
    return -1;
  return add.builder().addStagedCopy(plan->in, plan->out, request.destination.address, request.source.address, staging);
}

int32_t mgpuGraphAddMemcpyStridedNode(MgpuGraph graph, const int32_t *dependencies, int64_t dependencyCount,
                                      void *destination, void *source, int64_t rank, const int64_t *sizes,
                                      const int64_t *destinationStrides, const int64_t *sourceStrides,
                                      int64_t elementBytes) {
  AddCall add("mgpuGraphAddMemcpyStridedNode", graph, dependencies, dependencyCount);
  return add ? addCopy(add, {rank,
                             sizes,
                             {toAddress(destination), destinationStrides},
                             {toAddress(source), sourceStrides},
                             elementBytes})
             : -1;
}

int32_t mgpuGraphAddMemcpyMemRefNode(MgpuGraph graph, const int32_t *dependencies, int64_t dependencyCount,
                                     int64_t destinationRank, MgpuMemRef *destination, int64_t sourceRank,
                                     MgpuMemRef *source, int64_t elementBytes) {
  AddCall add("mgpuGraphAddMemcpyMemRefNode", graph, dependencies, dependencyCount);
  if (!add)
    return -1;
  std::string error;
  auto request = requestCopy(destinationRank, destination, sourceRank, source, elementBytes, error);
  return request ? addCopy(add, *request) : add.refuse(error);
}

static int32_t addFill(AddCall &add, const FillRequest &request) {
  std::string error;
  auto pieces = planFill(request, error);
  return pieces ? add.builder().addFill(*pieces) : add.refuse(error);
}

int32_t mgpuGraphAddMemsetNode(MgpuGraph graph, const int32_t *dependencies, int64_t dependencyCount, void *destination,
                               int64_t elementBytes, uint64_t value, size_t count) {
  AddCall add("mgpuGraphAddMemsetNode", graph, dependencies, dependencyCount);
  int64_t size = static_cast<int64_t>(count), stride = 1;
  return add ? addFill(add, {1, &size, {toAddress(destination), &stride}, elementBytes, value}) : -1;
}

int32_t mgpuGraphAddMemsetStridedNode(MgpuGraph graph, const int32_t *dependencies, int64_t dependencyCount,
                                      void *destination, int64_t rank, const int64_t *sizes, const int64_t *strides,
                                      int64_t elementBytes, uint64_t value) {
  AddCall add("mgpuGraphAddMemsetStridedNode", graph, dependencies, dependencyCount);
  return add ? addFill(add, {rank, sizes, {toAddress(destination), strides}, elementBytes, value}) : -1;
}

int32_t mgpuGraphAddMemsetMemRefNode(MgpuGraph graph, const int32_t *dependencies, int64_t dependencyCount,
                                     int64_t rank, MgpuMemRef *destination, int64_t elementBytes, uint64_t value) {
  AddCall add("mgpuGraphAddMemsetMemRefNode", graph, dependencies, dependencyCount);
  if (!add)
    return -1;
  std::string error;
  auto request = requestFill(rank, destination, elementBytes, value, error);
  return request ? addFill(add, *request) : add.refuse(error);
}

int32_t mgpuGraphAddHostNode(MgpuGraph graph, const int32_t *dependencies, int64_t dependencyCount,
                             MgpuHostFunction function, const void *argument, size_t argumentBytes) {
  AddCall add("mgpuGraphAddHostNode", graph, dependencies, dependencyCount);
  if (!add)
    return -1;
  if (!function || (argumentBytes && !argument))
    return add.refuse(function ? "argument 'argument' is null" : "argument 'function' is null");
  HostNode node;
  node.function = function;
  const auto *bytes = static_cast<const unsigned char *>(argument);
  node.argument.assign(bytes, bytes + argumentBytes);
  return add.builder().addOne(std::move(node));
}

int32_t mgpuGraphAddEventRecordNode(MgpuGraph graph, const int32_t *dependencies, int64_t dependencyCount,
                                    MgpuEvent event) {
  AddCall add("mgpuGraphAddEventRecordNode", graph, dependencies, dependencyCount);
  auto handle = add ? add.handle("event", event, HandleKind::Event) : std::nullopt;
  if (!handle)
    return -1;
  runtimeState().capturedEvents.set(event, false);
  return add.builder().addOne(EventRecordNode{*handle});
}

int32_t mgpuGraphAddEventWaitNode(MgpuGraph graph, const int32_t *dependencies, int64_t dependencyCount,
                                  MgpuEvent event) {
  AddCall add("mgpuGraphAddEventWaitNode", graph, dependencies, dependencyCount);
  if (!add)
    return -1;
  // A chain that is complete.
  if (!event)
    return add.builder().addOne(EmptyNode());
  auto handle = add.handle("event", event, HandleKind::Event);
  return handle ? add.builder().addOne(EventWaitNode{*handle}) : -1;
}

int32_t mgpuGraphAddMemAllocNode(MgpuGraph graph, const int32_t *dependencies, int64_t dependencyCount,
                                 uint64_t sizeBytes, void **memory) {
  if (memory)
    *memory = nullptr;
  AddCall add("mgpuGraphAddMemAllocNode", graph, dependencies, dependencyCount);
  if (!add)
    return -1;
  if (!memory)
    return add.refuse("argument 'memory' is null");
  uint64_t address = 0;
  if (sizeBytes && !add.allocate(sizeBytes, address))
    return -1;
  *memory = reinterpret_cast<void *>(address);
  return add.builder().addOne(EmptyNode());
}

int32_t mgpuGraphAddMemFreeNode(MgpuGraph graph, const int32_t *dependencies, int64_t dependencyCount, void *memory) {
  AddCall add("mgpuGraphAddMemFreeNode", graph, dependencies, dependencyCount);
  if (!add)
    return -1;
  if (!memory)
    return add.builder().addOne(EmptyNode());
  return add.builder().addOne(MemFreeNode{toAddress(memory)});
}
