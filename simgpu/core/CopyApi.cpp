// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each direction promises to the host, and when bytes move.

#include "simgpu/core/CopyApi.h"

#include "simgpu/core/CaptureApi.h"

#include "simgpu/core/MemoryApi.h"

#include <cstring>

namespace lockstep::simgpu {

/// Bytes from the first to behind the last one that is touched.
static uint64_t spanOf(const Region &region, const Extent &extent) {
  return (extent.depth - 1) * region.slicePitchBytes + (extent.height - 1) * region.rowPitchBytes + extent.widthBytes;
}

static Place placeOf(const AllocationPtr &allocation) {
  if (!allocation)
    return Place::Pageable;
  if (allocation->isHost())
    return Place::Pinned;
  return allocation->kind == MemoryKind::Managed ? Place::Managed : Place::Device;
}

static Status checkPitches(Call &call, const Region &region, const Extent &extent, const char *argument) {
  bool rowsOverlap = extent.height > 1 && region.rowPitchBytes < extent.widthBytes;
  bool slicesOverlap =
      extent.depth > 1 && region.slicePitchBytes < (extent.height - 1) * region.rowPitchBytes + extent.widthBytes;
  if (!rowsOverlap && !slicesOverlap)
    return Status::Success;
  return call.report(Status::InvalidValue, "errors", "COPY-9",
                     std::string("argument ") + argument + ": the pitch is smaller than what it has to hold");
}

/// Finds out what memory a region is in and whether the whole of it is; a finding and InvalidValue where not.
static Status resolveEndpoint(Call &call, Use use, const Region &region, const Extent &extent, const char *argument,
                              Endpoint &endpoint) {
  Status status = checkPitches(call, region, extent, argument);
  if (status != Status::Success)
    return status;
  std::string text = std::string("argument ") + argument;
  if (region.address == 0)
    return call.report(Status::InvalidValue, "memory", "COPY-9", text + " is null");
  endpoint.region = region;
  endpoint.allocation = findLive(call, region.address, argument, status, use);
  if (!endpoint.allocation && (call.machine.arena.contains(region.address) || call.machine.memory.find(region.address)))
    return status;
  endpoint.place = placeOf(endpoint.allocation);
  if (region.side == Side::Device && endpoint.place == Place::Pageable)
    return call.report(Status::InvalidValue, "memory", "COPY-9",
                       text + " is pageable host memory, device memory is expected");
  if (region.side == Side::Host && endpoint.place == Place::Device)
    return call.report(Status::InvalidValue, "memory", "COPY-9", text + " is device memory, host memory is expected");
  if (!endpoint.allocation)
    return Status::Success;
  uint64_t offset = region.address - endpoint.allocation->address;
  uint64_t span = spanOf(region, extent);
  if (span > endpoint.allocation->sizeBytes - offset)
    return call.report(Status::InvalidValue, "memory", "COPY-9",
                       text + ": " + std::to_string(span) + " bytes from offset " + std::to_string(offset) +
                           " are out of range of " + endpoint.allocation->describe());
  return Status::Success;
}

template <typename Visit> static void forEachRow(void *base, const Region &region, const Extent &extent, Visit visit) {
  for (uint64_t slice = 0; slice < extent.depth; ++slice)
    for (uint64_t row = 0; row < extent.height; ++row)
      visit(static_cast<char *>(base) + slice * region.slicePitchBytes + row * region.rowPitchBytes);
}

std::vector<char> gather(const Memory &memory, const Region &region, const Extent &extent) {
  std::vector<char> packed(extent.sizeBytes());
  char *next = packed.data();
  forEachRow(memory.view(region.address), region, extent, [&](const char *row) {
    memcpy(next, row, extent.widthBytes);
    next += extent.widthBytes;
  });
  return packed;
}

void scatter(const Memory &memory, const Region &region, const Extent &extent, const std::vector<char> &packed) {
  const char *next = packed.data();
  forEachRow(memory.view(region.address), region, extent, [&](char *row) {
    memcpy(row, next, extent.widthBytes);
    next += extent.widthBytes;
  });
}

void copyRegion(const Memory &memory, const Region &destination, const Region &source, const Extent &extent) {
  if (extent.height == 1 && extent.depth == 1)
    memmove(memory.view(destination.address), memory.view(source.address), extent.widthBytes);
  else
    scatter(memory, destination, extent, gather(memory, source, extent));
}

/// What the call form promises to the host about an operation that was queued.
static bool mustWait(Form form, const Context &context, const Endpoint &destination, const Endpoint &source) {
  if (source.isHost() && destination.isHost())
    return true;
  if (form == Form::Asynchronous)
    return false;
  if (context.waitsForMemoryOperations())
    return true;
  if (source.isHost())
    return source.place == Place::Pinned;
  return destination.isHost();
}

Status makeCopyTask(Call &call, Use use, const Region &destination, const Region &source, const Extent &extent,
                    CopyTask &task) {
  task.extent = extent;
  Status status = resolveEndpoint(call, use, destination, extent, "dst", task.destination);
  return status == Status::Success ? resolveEndpoint(call, use, source, extent, "src", task.source) : status;
}

Status makeFillTask(Call &call, Use use, const Region &destination, const Extent &extent, uint32_t value,
                    uint32_t elementBytes, FillTask &task) {
  if (destination.address % elementBytes != 0 || destination.rowPitchBytes % elementBytes != 0)
    return call.report(Status::InvalidValue, "errors", "COPY-9",
                       "address or pitch is not a multiple of the element size");
  task.extent = extent;
  task.value = value;
  task.elementBytes = elementBytes;
  return resolveEndpoint(call, use, destination, extent, "dstDevice", task.destination);
}

/// A synchronous form is no call that can be captured.
static std::shared_ptr<Stream> resolveStreamOf(Call &call, Form form, uint64_t handle, Status &status) {
  std::shared_ptr<Stream> stream = call.resolveStream(handle, "hStream", status);
  if (!stream)
    return nullptr;
  status = form == Form::Synchronous ? refuseOnCaptured(call, *stream) : checkWork(call, *stream);
  return status == Status::Success ? stream : nullptr;
}

Status copy(Call &call, Form form, const Region &destination, const Region &source, const Extent &extent,
            uint64_t streamHandle) {
  Status status;
  std::shared_ptr<Stream> stream = resolveStreamOf(call, form, streamHandle, status);
  if (!stream || extent.sizeBytes() == 0)
    return status;
  CopyTask task;
  status = makeCopyTask(call, Call::useOf(*stream), destination, source, extent, task);
  if (status != Status::Success)
    return status;
  if (stream->capture)
    return call.enqueue(*stream, task);
  const std::shared_ptr<Context> owner = stream->context.lock();
  bool waits = mustWait(form, *owner, task.destination, task.source);
  bool isStaged = false;
  if (task.source.place == Place::Pageable && !task.destination.isHost()) {
    isStaged = form == Form::Synchronous || call.machine.engine.getScheduler().readsSourceAtSubmit();
    // The synchronous form first waits for the stream, then reads the source; the device may get the bytes later.
    if (form == Form::Synchronous && (status = call.waitFor(call.operationsOf(*stream), *owner)) != Status::Success)
      return status;
  }
  OperationPtr operation = call.createOperation(*stream, task);
  if (isStaged)
    operation->work = [&memory = call.machine.memory, to = destination, extent,
                       packed = gather(call.machine.memory, source, extent)](Status) {
      scatter(memory, to, extent, packed);
      return Status::Success;
    };
  call.submit(*stream, operation);
  return waits ? call.waitFor({operation}, *owner) : Status::Success;
}

static void fillRow(char *row, uint64_t widthBytes, uint32_t value, uint32_t elementBytes) {
  if (elementBytes == 1) {
    memset(row, static_cast<int>(value & 0xFF), widthBytes);
    return;
  }
  for (uint64_t offset = 0; offset < widthBytes; offset += elementBytes)
    memcpy(row + offset, &value, elementBytes); // Little-endian: the low bytes come first.
}

void fillRegion(const Memory &memory, const FillTask &task) {
  const Region &region = task.destination.region;
  forEachRow(memory.view(region.address), region, task.extent,
             [&](char *row) { fillRow(row, task.extent.widthBytes, task.value, task.elementBytes); });
}

Status fill(Call &call, Form form, const Region &region, const Extent &extent, uint32_t value, uint32_t elementBytes,
            uint64_t streamHandle) {
  Status status;
  std::shared_ptr<Stream> stream = resolveStreamOf(call, form, streamHandle, status);
  if (!stream || extent.sizeBytes() == 0)
    return status;
  FillTask task;
  status = makeFillTask(call, Call::useOf(*stream), region, extent, value, elementBytes, task);
  if (status != Status::Success)
    return status;
  if (stream->capture)
    return call.enqueue(*stream, task);
  OperationPtr operation = call.createOperation(*stream, task);
  call.submit(*stream, operation);
  const std::shared_ptr<Context> owner = stream->context.lock();
  bool waits =
      form == Form::Synchronous && (task.destination.place != Place::Device || owner->waitsForMemoryOperations());
  return waits ? call.waitFor({operation}, *owner) : Status::Success;
}

} // namespace lockstep::simgpu
