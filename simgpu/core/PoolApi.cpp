// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/core/PoolApi.h"

#include "simgpu/core/ContextApi.h"

#include <optional>

namespace lockstep::simgpu {

static Status refuseNullValue(Call &call) {
  return call.report(Status::InvalidValue, "errors", "", "the pointer to the value is null");
}

static Status refuseAttribute(Call &call, uint32_t attribute, const char *why) {
  return call.report(Status::InvalidValue, "errors", "", "attribute " + std::to_string(attribute) + why);
}

static std::shared_ptr<MemoryPool> resolvePool(Call &call, uint64_t handle, Status &status) {
  return call.resolve<MemoryPool>(handle, HandleKind::MemoryPool, "pool", status);
}

Status getPool(Call &call, int device, uint64_t &pool) {
  Status status = checkDevice(call, device);
  if (status == Status::Success)
    pool = call.machine.devices[device].pool->handle;
  return status;
}

static bool isReuseSwitch(PoolAttribute attribute) {
  return attribute >= PoolAttribute::ReuseFollowEventDependencies &&
         attribute <= PoolAttribute::ReuseAllowInternalDependencies;
}

/// The switch's place in MemoryPool::reuseSwitches.
static size_t placeOf(PoolAttribute attribute) { return static_cast<size_t>(attribute) - 1; }

static std::optional<uint64_t> readNumber(const MemoryPool &pool, PoolAttribute attribute) {
  switch (attribute) {
  case PoolAttribute::ReleaseThreshold:
    return pool.releaseThresholdBytes;
  case PoolAttribute::ReservedCurrent:
    return pool.usedBytes + pool.idleBytes;
  case PoolAttribute::ReservedHigh:
    return pool.reservedHighBytes;
  case PoolAttribute::UsedCurrent:
    return pool.usedBytes;
  case PoolAttribute::UsedHigh:
    return pool.usedHighBytes;
  default:
    return std::nullopt;
  }
}

Status getPoolAttribute(Call &call, uint64_t handle, PoolAttribute attribute, void *value) {
  Status status;
  auto pool = resolvePool(call, handle, status);
  if (!pool)
    return status;
  if (!value)
    return refuseNullValue(call);
  if (isReuseSwitch(attribute)) {
    *static_cast<int *>(value) = pool->reuseSwitches[placeOf(attribute)];
    return Status::Success;
  }
  std::optional<uint64_t> number = readNumber(*pool, attribute);
  if (!number)
    return refuseAttribute(call, static_cast<uint32_t>(attribute), " is unknown");
  *static_cast<uint64_t *>(value) = *number;
  return Status::Success;
}

Status setPoolAttribute(Call &call, uint64_t handle, PoolAttribute attribute, const void *value) {
  Status status;
  auto pool = resolvePool(call, handle, status);
  if (!pool)
    return status;
  if (!value)
    return refuseNullValue(call);
  if (isReuseSwitch(attribute))
    pool->reuseSwitches[placeOf(attribute)] = *static_cast<const int *>(value) != 0;
  else if (attribute == PoolAttribute::ReleaseThreshold)
    pool->releaseThresholdBytes = *static_cast<const uint64_t *>(value);
  else if (attribute == PoolAttribute::ReservedHigh && *static_cast<const uint64_t *>(value) == 0)
    pool->reservedHighBytes = pool->usedBytes + pool->idleBytes;
  else if (attribute == PoolAttribute::UsedHigh && *static_cast<const uint64_t *>(value) == 0)
    pool->usedHighBytes = pool->usedBytes;
  else
    return refuseAttribute(call, static_cast<uint32_t>(attribute), " cannot be set to this");
  return Status::Success;
}

Status trimPool(Call &call, uint64_t handle, uint64_t bytes) {
  Status status;
  if (auto pool = resolvePool(call, handle, status))
    pool->trimTo(bytes);
  return status;
}

/// Null and `status` where there is no such device or counter.
static uint64_t *findCounter(Call &call, int device, GraphMemoryAttribute attribute, const void *value,
                             Status &status) {
  if ((status = checkDevice(call, device)) != Status::Success)
    return nullptr;
  if (!value) {
    status = refuseNullValue(call);
    return nullptr;
  }
  GraphMemoryUse &use = call.machine.devices[device].graphMemory;
  switch (attribute) {
  case GraphMemoryAttribute::UsedCurrent:
    return &use.usedBytes;
  case GraphMemoryAttribute::UsedHigh:
    return &use.usedHighBytes;
  case GraphMemoryAttribute::ReservedCurrent:
    return &use.reservedBytes;
  case GraphMemoryAttribute::ReservedHigh:
    return &use.reservedHighBytes;
  }
  status = refuseAttribute(call, static_cast<uint32_t>(attribute), " is unknown");
  return nullptr;
}

Status getGraphMemoryAttribute(Call &call, int device, GraphMemoryAttribute attribute, void *value) {
  Status status;
  if (const uint64_t *counter = findCounter(call, device, attribute, value, status))
    *static_cast<uint64_t *>(value) = *counter;
  return status;
}

Status setGraphMemoryAttribute(Call &call, int device, GraphMemoryAttribute attribute, const void *value) {
  Status status;
  uint64_t *counter = findCounter(call, device, attribute, value, status);
  if (!counter)
    return status;
  bool isHigh = attribute == GraphMemoryAttribute::UsedHigh || attribute == GraphMemoryAttribute::ReservedHigh;
  if (!isHigh || *static_cast<const uint64_t *>(value) != 0)
    return refuseAttribute(call, static_cast<uint32_t>(attribute),
                           " is set: only a high watermark can be, and only to 0");
  *counter = 0;
  return Status::Success;
}

Status trimGraphMemory(Call &call, int device) {
  Status status = checkDevice(call, device);
  if (status == Status::Success)
    call.machine.devices[device].graphMemory.trim();
  return status;
}

} // namespace lockstep::simgpu
