// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Life of a graph's memory, in order of submission and as it runs.

#include "simgpu/core/GraphMemory.h"

#include "simgpu/core/CostModel.h"
#include "simgpu/core/MemoryApi.h"

#include <algorithm>
#include <cstring>

namespace lockstep::simgpu {

void GraphMemoryUse::take(uint64_t bytes) {
  usedBytes += bytes;
  usedHighBytes = std::max(usedHighBytes, usedBytes);
  reservedBytes = std::max(reservedBytes, usedBytes);
  reservedHighBytes = std::max(reservedHighBytes, reservedBytes);
}

GraphMemory::~GraphMemory() {
  if (allocation && !allocation->isDead)
    machine.memory.release(allocation);
}

void GraphMemory::markAllocated() {
  if (isLive())
    return;
  allocation->freeWasQueued = false;
  machine.liveGraphMemory.insert(shared_from_this());
  machine.devices[allocation->deviceOrdinal].graphMemory.take(allocation->sizeBytes);
}

void GraphMemory::markFreed() {
  allocation->freeWasQueued = true;
  machine.devices[allocation->deviceOrdinal].graphMemory.giveBack(allocation->sizeBytes);
  machine.liveGraphMemory.erase(shared_from_this()); // Last: this may go with it.
}

void GraphMemory::setAllocation(Operation &operation) {
  operation.sizeBytes = allocation->sizeBytes;
  operation.finish = [self = shared_from_this()] {
    const AllocationPtr &memory = self->allocation;
    memory->isUsable = true;
    memset(self->machine.memory.view(memory->address), freshPattern, memory->sizeBytes);
  };
}

void GraphMemory::endUse() {
  allocation->isUsable = false;
  allocation->wasFreedByGraph = true;
  memset(machine.memory.view(allocation->address), freedPattern, allocation->sizeBytes);
}

void GraphMemory::setFree(Operation &operation) {
  operation.sizeBytes = allocation->sizeBytes;
  checkWhenRun(machine, operation, {allocation});
  operation.finish = [self = shared_from_this()] { self->endUse(); };
}

void GraphMemory::free() {
  endUse();
  markFreed();
}

Status createGraphMemory(Call &call, int deviceOrdinal, uint64_t sizeBytes, std::shared_ptr<GraphMemory> &memory) {
  if (sizeBytes == 0)
    return call.report(Status::InvalidValue, "errors", "MEM-2", "a size of 0 bytes");
  AllocationPtr allocation = call.machine.memory.allocate(MemoryKind::Graph, deviceOrdinal, sizeBytes);
  if (!allocation)
    return Status::OutOfMemory;
  allocation->call = call.name;
  allocation->op = call.thread.op;
  allocation->isUsable = false;
  allocation->freeWasQueued = true;
  memory = std::make_shared<GraphMemory>(call.machine);
  memory->allocation = allocation;
  allocation->graphMemory = memory;
  return Status::Success;
}

std::shared_ptr<GraphMemory> findGraphMemory(Call &call, uint64_t address, Status &status) {
  AllocationPtr allocation = call.machine.memory.find(address);
  std::shared_ptr<GraphMemory> memory = allocation ? allocation->graphMemory.lock() : nullptr;
  status = Status::Success;
  if (memory && allocation->address == address)
    return memory;
  std::string what = allocation ? "in " + allocation->describe() : "in no allocation";
  status = call.report(Status::InvalidValue, "memory", "GRAPH-7",
                       "the address to free is not one that an allocation node gave: it is " + what);
  return nullptr;
}

Status checkFreeOutside(Call &call, const GraphMemory &memory) {
  const char *problem = memory.isFreedByOwner() ? " is freed by its own graph, and cannot be freed elsewhere"
                        : !memory.isLive()      ? " is not allocated: no launch was queued, or a free was"
                                                : nullptr;
  if (!problem)
    return Status::Success;
  return call.report(Status::InvalidValue, "lifetime", "GRAPH-7", memory.allocation->describe() + problem);
}

Status checkFreeNode(Call &call, const GraphMemory &memory, uint64_t graph) {
  const char *problem = nullptr;
  if (memory.freedBy.count(graph))
    problem = " is freed in this graph already";
  else if (memory.isFreedByOwner())
    problem = " is freed by its own graph, and cannot be freed elsewhere";
  else if (graph == memory.owner && !memory.freedBy.empty())
    problem = " is freed by another graph, and cannot be freed by its own";
  if (!problem)
    return Status::Success;
  return call.report(Status::InvalidValue, "lifetime", "GRAPH-7", memory.allocation->describe() + problem);
}

} // namespace lockstep::simgpu
