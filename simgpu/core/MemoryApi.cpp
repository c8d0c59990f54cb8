// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation, release, and the use of memory at the wrong time.

#include "simgpu/core/MemoryApi.h"

#include "simgpu/core/CaptureApi.h"
#include "simgpu/core/Vendor.h"

#include <cstdio>

namespace lockstep::simgpu {

static std::string hexadecimal(uint64_t value) {
  char text[32];
  snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

static void nameAllocation(Call &call, Allocation &allocation) {
  allocation.call = call.name;
  allocation.op = call.thread.op;
}

static Status refuseZeroSize(Call &call, uint64_t &address) {
  address = 0;
  return vendor().zeroSizeIsNull ? Status::Success
                                 : call.report(Status::InvalidValue, "errors", "MEM-2", "a size of 0 bytes");
}

Status allocateMemory(Call &call, MemoryKind kind, uint64_t sizeBytes, uint64_t &address) {
  if (Status status = refuseUnsafe(call); status != Status::Success)
    return status;
  if (sizeBytes == 0)
    return refuseZeroSize(call, address);
  AllocationPtr allocation = call.machine.memory.allocate(kind, call.context->deviceOrdinal, sizeBytes);
  if (!allocation)
    return Status::OutOfMemory;
  allocation->context = call.context;
  nameAllocation(call, *allocation);
  address = allocation->address;
  return Status::Success;
}

Status allocatePitched(Call &call, uint64_t widthBytes, uint64_t rows, size_t &pitchBytes, uint64_t &address) {
  static constexpr size_t alignBytes = 512;
  pitchBytes = (widthBytes + alignBytes - 1) / alignBytes * alignBytes;
  return allocateMemory(call, MemoryKind::Device, pitchBytes * rows, address);
}

/// The live allocation that starts at `address`; otherwise null and a finding.
static AllocationPtr findForFree(Call &call, uint64_t address) {
  AllocationPtr allocation = call.machine.memory.find(address);
  std::string text = hexadecimal(address);
  if (!allocation)
    call.report(Status::InvalidValue, "memory", "MEM-1", text + " is not in any allocation");
  else if (allocation->isDead || (allocation->freeWasQueued && allocation->kind != MemoryKind::Graph))
    call.report(Status::InvalidValue, "lifetime", "MEM-1", allocation->describe() + " is freed a second time");
  else if (allocation->address != address)
    call.report(Status::InvalidValue, "memory", "MEM-1", text + " is not the start of " + allocation->describe());
  else
    return allocation;
  return nullptr;
}

static std::shared_ptr<MemoryPool> poolOf(Call &call, const Allocation &allocation) {
  return call.machine.devices[allocation.deviceOrdinal].pool;
}

Status freeMemory(Call &call, uint64_t address) {
  if (address == 0)
    return Status::Success;
  if (Status status = refuseUnsafe(call); status != Status::Success)
    return status;
  AllocationPtr allocation = findForFree(call, address);
  if (!allocation)
    return Status::InvalidValue;
  if (allocation->isHost() || allocation->kind == MemoryKind::ModuleGlobal)
    return call.report(Status::InvalidValue, "memory", "MEM-1", allocation->describe() + " is not this call's to free");
  bool isOfPool = allocation->kind == MemoryKind::StreamOrdered;
  Status earlier = Status::Success;
  if (vendor().freeWaits && (!isOfPool || vendor().freeOfPoolMemoryWaits)) {
    earlier = call.waitFor(call.machine.engine.pendingOf(*call.context), *call.context);
    if (earlier != Status::Success && allocation->isDead) // It went with its context.
      return earlier;
    if (!findForFree(call, address)) // Another thread was faster.
      return Status::InvalidValue;
  }
  std::shared_ptr<GraphMemory> ofGraph = allocation->graphMemory.lock();
  if (ofGraph)
    if (Status status = checkFreeOutside(call, *ofGraph); status != Status::Success)
      return status;
  if (!allocation->isUsable)
    call.report(Status::Success, "order", "MEM-3", allocation->describe() + " is freed before its allocation has run");
  if (ofGraph) {
    ofGraph->free();
    return earlier;
  }
  if (allocation->kind == MemoryKind::StreamOrdered)
    poolOf(call, *allocation)->giveBack(allocation->sizeBytes);
  call.machine.memory.release(allocation);
  return earlier;
}

/// Under capture an allocation becomes a node, and a free accepts memory of graphs alone (CAPTURE-13).
static Status captureAllocation(Call &call, Stream &stream, int deviceOrdinal, uint64_t sizeBytes, uint64_t &address) {
  std::shared_ptr<GraphMemory> memory;
  if (Status status = createGraphMemory(call, deviceOrdinal, sizeBytes, memory); status != Status::Success)
    return status;
  memory->owner = stream.capture->session->graph->handle;
  address = memory->allocation->address;
  return captureTask(call, stream, AllocateTask{memory});
}

static Status captureFree(Call &call, Stream &stream, uint64_t address) {
  Status status;
  uint64_t graph = stream.capture->session->graph->handle;
  std::shared_ptr<GraphMemory> memory = findGraphMemory(call, address, status);
  if (!memory || (status = checkFreeNode(call, *memory, graph)) != Status::Success)
    return status;
  memory->freedBy.insert(graph);
  return captureTask(call, stream, FreeTask{memory});
}

Status allocateAsync(Call &call, uint64_t sizeBytes, const std::shared_ptr<MemoryPool> &pool, uint64_t streamHandle,
                     uint64_t &address) {
  Status status;
  std::shared_ptr<Stream> stream = call.resolveForWork(streamHandle, "hStream", status);
  if (!stream)
    return status;
  if (sizeBytes == 0)
    return refuseZeroSize(call, address);
  if (stream->capture)
    return captureAllocation(call, *stream, pool->deviceOrdinal, sizeBytes, address);
  AllocationPtr allocation = call.machine.memory.allocate(MemoryKind::StreamOrdered, pool->deviceOrdinal, sizeBytes);
  if (!allocation)
    return Status::OutOfMemory;
  nameAllocation(call, *allocation);
  allocation->isUsable = false;
  pool->take(sizeBytes);
  address = allocation->address;
  OperationPtr operation = call.createOperation(OperationKind::Allocate, *stream, "", sizeBytes);
  operation->finish = [allocation] { allocation->isUsable = true; };
  call.submit(*stream, operation);
  return Status::Success;
}

Status freeAsync(Call &call, uint64_t address, uint64_t streamHandle) {
  Status status;
  std::shared_ptr<Stream> stream = call.resolveForWork(streamHandle, "hStream", status);
  if (!stream)
    return status;
  if (stream->capture)
    return captureFree(call, *stream, address);
  AllocationPtr allocation = findForFree(call, address);
  if (!allocation)
    return Status::InvalidValue;
  if (!allocation->isInArena() || allocation->kind == MemoryKind::ModuleGlobal)
    return call.report(Status::InvalidValue, "memory", "MEM-4",
                       allocation->describe() + " cannot be freed in stream order");
  OperationPtr operation = call.createOperation(OperationKind::Free, *stream, "", allocation->sizeBytes);
  if (std::shared_ptr<GraphMemory> ofGraph = allocation->graphMemory.lock()) {
    if (Status problem = checkFreeOutside(call, *ofGraph); problem != Status::Success)
      return problem;
    ofGraph->markFreed();
    ofGraph->setFree(*operation);
    call.submit(*stream, operation);
    return Status::Success;
  }
  allocation->freeWasQueued = true;
  checkWhenRun(call.machine, *operation, {allocation});
  std::shared_ptr<MemoryPool> pool =
      allocation->kind == MemoryKind::StreamOrdered ? poolOf(call, *allocation) : nullptr;
  operation->finish = [allocation, pool, &machine = call.machine] {
    if (allocation->isDead) // Its context went first, and took it along.
      return;
    if (pool)
      pool->giveBack(allocation->sizeBytes);
    machine.memory.release(allocation);
  };
  call.submit(*stream, operation);
  return Status::Success;
}

Status freeHost(Call &call, uint64_t address) {
  if (Status status = refuseUnsafe(call); status != Status::Success)
    return status;
  AllocationPtr allocation = findForFree(call, address);
  if (!allocation)
    return Status::InvalidValue;
  if (allocation->kind != MemoryKind::HostAllocated)
    return call.report(Status::InvalidValue, "memory", "MEM-1", allocation->describe() + " is not this call's to free");
  call.machine.memory.release(allocation);
  return Status::Success;
}

Status registerHost(Call &call, uint64_t address, uint64_t sizeBytes) {
  if (Status status = refuseUnsafe(call); status != Status::Success)
    return status;
  if (address == 0 || sizeBytes == 0)
    return call.report(Status::InvalidValue, "errors", "MEM-9", address == 0 ? "a null pointer" : "a size of 0 bytes");
  if (call.machine.arena.contains(address))
    return call.report(Status::InvalidValue, "memory", "MEM-9", hexadecimal(address) + " is device memory");
  if (AllocationPtr other = call.machine.memory.findOverlap(address, sizeBytes))
    return call.report(Status::HostMemoryAlreadyRegistered, "errors", "MEM-9",
                       "the range overlaps " + other->describe());
  AllocationPtr allocation = call.machine.memory.registerHost(address, sizeBytes);
  allocation->context = call.context;
  nameAllocation(call, *allocation);
  return Status::Success;
}

Status unregisterHost(Call &call, uint64_t address) {
  if (Status status = refuseUnsafe(call); status != Status::Success)
    return status;
  AllocationPtr allocation = call.machine.memory.find(address);
  if (!allocation || allocation->isDead || allocation->kind != MemoryKind::HostRegistered ||
      allocation->address != address)
    return call.report(Status::HostMemoryNotRegistered, "errors", "MEM-9", hexadecimal(address) + " is not registered");
  call.machine.memory.release(allocation);
  return Status::Success;
}

AllocationPtr findLive(Call &call, uint64_t address, const char *argument, Status &status, Use use) {
  AllocationPtr allocation = call.machine.memory.find(address);
  status = Status::Success;
  std::string problem = allocation ? allocation->whyUnusable(use == Use::InGraph) : "";
  if (allocation && problem.empty())
    return allocation;
  status = Status::InvalidValue;
  if (allocation)
    call.report(status, "memory", "MEM-4",
                std::string("argument ") + argument + " is in " + allocation->describe() + ", " + problem);
  else if (call.machine.arena.contains(address))
    call.report(status, "memory", "",
                std::string("argument ") + argument + " (" + hexadecimal(address) + ") is in no allocation");
  return nullptr;
}

void checkWhenRun(Machine &machine, Operation &operation, std::vector<AllocationPtr> used) {
  std::erase(used, nullptr);
  if (used.empty())
    return;
  // The operation outlives the call, so the check keeps copies of what a finding needs.
  operation.check = [used = std::move(used), &machine, name = operation.call, op = operation.op] {
    Status status = Status::Success;
    for (const AllocationPtr &allocation : used) {
      if (allocation->isDead || (allocation->wasFreedByGraph && !allocation->isUsable))
        machine.addFinding({"order", "MEM-1", name, "runs after " + allocation->describe() + " was freed", op});
      else if (!allocation->isUsable)
        machine.addFinding({"order", "MEM-3", name, "runs before " + allocation->describe() + " has taken place", op});
      if (allocation->isReleased)
        status = Status::IllegalAddress;
    }
    return status;
  };
}

} // namespace lockstep::simgpu
