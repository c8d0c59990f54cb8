// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/core/PointerApi.h"

#include "simgpu/core/MemoryApi.h"

namespace lockstep::simgpu {

AllocationPtr findPinned(Call &call, uint64_t address, Status &status) {
  status = Status::Success;
  AllocationPtr allocation = call.machine.memory.find(address);
  if (allocation && !allocation->isDead && allocation->isHost())
    return allocation;
  status = call.report(Status::InvalidValue, "memory", "", "the address is not in pinned host memory");
  return nullptr;
}

Status getAddressRange(Call &call, uint64_t address, uint64_t &start, uint64_t &sizeBytes) {
  Status status;
  AllocationPtr allocation = findLive(call, address, "dptr", status);
  if (!allocation)
    return Status::NotFound;
  start = allocation->address;
  sizeBytes = allocation->sizeBytes;
  return Status::Success;
}

static Status writeAttribute(Call &call, void *data, PointerAttribute attribute, const Allocation &allocation,
                             uint64_t address) {
  std::shared_ptr<Context> owner = allocation.context.lock();
  auto write = [&]<typename T>(T value) {
    *static_cast<T *>(data) = value;
    return Status::Success;
  };
  switch (attribute) {
  case PointerAttribute::Context:
    return write(owner ? owner->handle : uint64_t(0));
  case PointerAttribute::MemoryType:
    return write(allocation.isHost() ? 1u : 2u);
  case PointerAttribute::DevicePointer:
    return write(address);
  case PointerAttribute::HostPointer:
    return allocation.isInArena() ? Status::InvalidValue : write(address);
  case PointerAttribute::BufferId:
    return write(allocation.ordinal);
  case PointerAttribute::IsManaged:
    return write(allocation.kind == MemoryKind::Managed ? 1u : 0u);
  case PointerAttribute::DeviceOrdinal:
    return write(allocation.deviceOrdinal);
  case PointerAttribute::RangeStart:
    return write(allocation.address);
  case PointerAttribute::RangeSize:
    return write(allocation.sizeBytes);
  case PointerAttribute::Mapped:
    return write(1u);
  }
  return call.report(Status::NotSupported, "errors", "",
                     "attribute " + std::to_string(static_cast<uint32_t>(attribute)) + " is not supported");
}

Status getPointerAttribute(Call &call, uint64_t address, PointerAttribute attribute, void *data) {
  if (!data)
    return call.report(Status::InvalidValue, "errors", "", "the pointer to the result is null");
  Status status;
  AllocationPtr allocation = findLive(call, address, "ptr", status);
  return allocation ? writeAttribute(call, data, attribute, *allocation, address) : Status::InvalidValue;
}

Status getPointerAttributes(Call &call, uint64_t address, unsigned count, const PointerAttribute *attributes,
                            void **data) {
  if (!attributes || !data)
    return call.report(Status::InvalidValue, "errors", "", "a pointer is null");
  Status status;
  AllocationPtr allocation = findLive(call, address, "ptr", status);
  if (!allocation && call.machine.memory.find(address))
    return Status::InvalidValue;
  Allocation pageable;
  for (unsigned i = 0; i < count; ++i) {
    if (allocation)
      status = writeAttribute(call, data[i], attributes[i], *allocation, address);
    else if (attributes[i] == PointerAttribute::MemoryType || attributes[i] == PointerAttribute::IsManaged)
      *static_cast<unsigned *>(data[i]) = 0;
    else
      status = writeAttribute(call, data[i], attributes[i], pageable, 0);
    if (status == Status::NotSupported)
      return status;
  }
  return Status::Success;
}

} // namespace lockstep::simgpu
