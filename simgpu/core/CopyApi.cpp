// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each direction promises to the host, and when bytes move.

#include "simgpu/core/CopyApi.h"

#include "simgpu/core/MemoryApi.h"

#include <cstring>

namespace lockstep::simgpu {

namespace {
enum class Place : uint8_t { Pageable, Pinned, Managed, Device };

/// One side of a copy as the driver sees it.
struct Endpoint {
  Region region;
  Place place = Place::Pageable;
  AllocationPtr allocation; ///< Null for pageable memory.

  bool isHost() const { return place == Place::Pageable || place == Place::Pinned; }
};

/// Bytes from the first to behind the last one that is touched.
uint64_t spanOf(const Region &region, const Extent &extent) {
  return (extent.depth - 1) * region.slicePitchBytes + (extent.height - 1) * region.rowPitchBytes + extent.widthBytes;
}

Place placeOf(const AllocationPtr &allocation) {
  if (!allocation)
    return Place::Pageable;
  if (allocation->isHost())
    return Place::Pinned;
  return allocation->kind == MemoryKind::Managed ? Place::Managed : Place::Device;
}

const char *nameOf(Place place) {
  static const char *const names[] = {"pageable", "pinned", "managed", "device"};
  return names[static_cast<unsigned>(place)];
}
} // namespace

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
static Status resolveEndpoint(Call &call, const Region &region, const Extent &extent, const char *argument,
                              Endpoint &endpoint) {
  Status status = checkPitches(call, region, extent, argument);
  if (status != Status::Success)
    return status;
  std::string text = std::string("argument ") + argument;
  if (region.address == 0)
    return call.report(Status::InvalidValue, "memory", "COPY-9", text + " is null");
  endpoint.region = region;
  endpoint.allocation = findLive(call, region.address, argument, status);
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

/// The rows of a region, one behind the other.
static std::vector<char> gather(const Memory &memory, const Region &region, const Extent &extent) {
  std::vector<char> packed(extent.sizeBytes());
  char *next = packed.data();
  forEachRow(memory.view(region.address), region, extent, [&](const char *row) {
    memcpy(next, row, extent.widthBytes);
    next += extent.widthBytes;
  });
  return packed;
}

static void scatter(const Memory &memory, const Region &region, const Extent &extent, const std::vector<char> &packed) {
  const char *next = packed.data();
  forEachRow(memory.view(region.address), region, extent, [&](char *row) {
    memcpy(row, next, extent.widthBytes);
    next += extent.widthBytes;
  });
}

static void copyRegion(const Memory &memory, const Region &destination, const Region &source, const Extent &extent) {
  if (extent.height == 1 && extent.depth == 1)
    memmove(memory.view(destination.address), memory.view(source.address), extent.widthBytes);
  else
    scatter(memory, destination, extent, gather(memory, source, extent));
}

/// What the call form promises to the host about an operation that was queued.
static bool mustWait(Form form, const Endpoint &destination, const Endpoint &source) {
  if (source.isHost() && destination.isHost())
    return true;
  if (form == Form::Asynchronous)
    return false;
  if (source.isHost())
    return source.place == Place::Pinned;
  return destination.isHost();
}

Status copy(Call &call, Form form, const Region &destinationRegion, const Region &sourceRegion, const Extent &extent,
            uint64_t streamHandle) {
  Status status;
  std::shared_ptr<Stream> stream = call.resolveStream(streamHandle, "hStream", status);
  if (!stream || extent.sizeBytes() == 0)
    return status;
  Endpoint destination, source;
  status = resolveEndpoint(call, destinationRegion, extent, "dst", destination);
  if (status != Status::Success)
    return status;
  status = resolveEndpoint(call, sourceRegion, extent, "src", source);
  if (status != Status::Success)
    return status;

  std::string detail = std::string(nameOf(source.place)) + " to " + nameOf(destination.place);
  OperationPtr operation = call.createOperation(OperationKind::Copy, *stream, detail, extent.sizeBytes());
  checkWhenRun(call, *operation, {destination.allocation, source.allocation});
  const Memory &memory = call.machine.memory;
  const std::shared_ptr<Context> owner = stream->context.lock();
  bool isStaged = false;
  if (source.place == Place::Pageable && !destination.isHost()) {
    isStaged = form == Form::Synchronous || call.machine.engine.getScheduler().readsSourceAtSubmit();
    // The synchronous form first waits for the stream, then reads the source; the device may get the bytes later.
    if (form == Form::Synchronous && (status = call.waitFor(call.operationsOf(*stream), *owner)) != Status::Success)
      return status;
  }
  if (isStaged)
    operation->work = [&memory, to = destination.region, extent,
                       packed = gather(memory, source.region, extent)](Status) {
      scatter(memory, to, extent, packed);
      return Status::Success;
    };
  else
    operation->work = [&memory, to = destination.region, from = source.region, extent](Status) {
      copyRegion(memory, to, from, extent);
      return Status::Success;
    };
  call.submit(*stream, operation);
  return mustWait(form, destination, source) ? call.waitFor({operation}, *owner) : Status::Success;
}

static void fillRow(char *row, uint64_t widthBytes, uint32_t value, uint32_t elementBytes) {
  if (elementBytes == 1) {
    memset(row, static_cast<int>(value & 0xFF), widthBytes);
    return;
  }
  for (uint64_t offset = 0; offset < widthBytes; offset += elementBytes)
    memcpy(row + offset, &value, elementBytes); // Little-endian: the low bytes come first.
}

Status fill(Call &call, Form form, const Region &region, const Extent &extent, uint32_t value, uint32_t elementBytes,
            uint64_t streamHandle) {
  Status status;
  std::shared_ptr<Stream> stream = call.resolveStream(streamHandle, "hStream", status);
  if (!stream || extent.sizeBytes() == 0)
    return status;
  if (region.address % elementBytes != 0 || region.rowPitchBytes % elementBytes != 0)
    return call.report(Status::InvalidValue, "errors", "COPY-9",
                       "address or pitch is not a multiple of the element size");
  Endpoint destination;
  status = resolveEndpoint(call, region, extent, "dstDevice", destination);
  if (status != Status::Success)
    return status;
  OperationPtr operation =
      call.createOperation(OperationKind::Fill, *stream, nameOf(destination.place), extent.sizeBytes());
  checkWhenRun(call, *operation, {destination.allocation});
  operation->work = [&memory = call.machine.memory, region, extent, value, elementBytes](Status) {
    forEachRow(memory.view(region.address), region, extent,
               [&](char *row) { fillRow(row, extent.widthBytes, value, elementBytes); });
    return Status::Success;
  };
  call.submit(*stream, operation);
  bool waits = form == Form::Synchronous && destination.place != Place::Device;
  return waits ? call.waitFor({operation}, *stream->context.lock()) : Status::Success;
}

} // namespace lockstep::simgpu
