// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches: limits, arguments, and the run of a kernel.

#include "simgpu/core/MemoryApi.h"
#include "simgpu/core/ModuleApi.h"

#include <algorithm>
#include <cstring>

namespace lockstep::simgpu {

static Status checkSize(Call &call, const LoadedFunction &function, const LaunchSize &size) {
  static const char axes[] = "xyz";
  auto refuse = [&](Status status, std::string message) {
    return call.report(status, "errors", "KERNEL-1", "kernel " + function.name + ": " + message);
  };
  for (unsigned i = 0; i < 3; ++i) {
    std::string axis(1, axes[i]);
    if (size.grid[i] == 0 || size.block[i] == 0)
      return refuse(Status::InvalidValue, (size.grid[i] == 0 ? "gridDim" : "blockDim") + axis + " is 0");
    if (size.grid[i] > gridDimensionMax[i])
      return refuse(Status::InvalidValue, "gridDim" + axis + " " + std::to_string(size.grid[i]) + " is over " +
                                              std::to_string(gridDimensionMax[i]));
    if (size.block[i] > blockDimensionMax[i])
      return refuse(Status::InvalidValue, "blockDim" + axis + " " + std::to_string(size.block[i]) + " is over " +
                                              std::to_string(blockDimensionMax[i]));
  }
  if (size.threadsPerBlock() > threadsPerBlockMax)
    return refuse(Status::InvalidValue, std::to_string(size.threadsPerBlock()) + " threads in a block are over " +
                                            std::to_string(threadsPerBlockMax));
  uint32_t bound = function.code->getMaxThreadsPerBlock();
  if (bound && size.threadsPerBlock() > bound)
    return refuse(Status::InvalidValue, std::to_string(size.threadsPerBlock()) +
                                            " threads in a block are over the kernel's own bound of " +
                                            std::to_string(bound));
  if (size.dynamicSharedBytes > function.maxDynamicSharedBytes)
    return refuse(Status::InvalidValue, std::to_string(size.dynamicSharedBytes) +
                                            " bytes of dynamic shared memory are over " +
                                            std::to_string(function.maxDynamicSharedBytes));
  return Status::Success;
}

/// A copy of all arguments in one buffer, laid out as the kernel's parameters say.
static Status readArguments(Call &call, const LoadedFunction &function, const LaunchArguments &arguments,
                            std::vector<char> &packed) {
  auto refuse = [&](Status status, std::string message) {
    return call.report(status, "errors", "ERROR-6", "kernel " + function.name + ": " + message);
  };
  if (arguments.pointers && arguments.packed)
    return refuse(Status::InvalidValue, "both kernelParams and extra are given");
  const std::vector<ParameterLayout> &parameters = function.code->getParameters();
  uint64_t sizeBytes = parameters.empty() ? 0 : parameters.back().offsetBytes + parameters.back().sizeBytes;
  if (sizeBytes > parameterBytesMax || arguments.packedBytes > parameterBytesMax)
    return refuse(Status::LaunchOutOfResources, std::to_string(std::max<uint64_t>(sizeBytes, arguments.packedBytes)) +
                                                    " bytes of arguments are over " +
                                                    std::to_string(parameterBytesMax));
  packed.resize(sizeBytes);
  if (parameters.empty())
    return Status::Success;
  if (arguments.packed) {
    if (arguments.packedBytes < sizeBytes)
      return refuse(Status::InvalidValue, "the argument buffer has " + std::to_string(arguments.packedBytes) +
                                              " bytes, the parameters need " + std::to_string(sizeBytes));
    memcpy(packed.data(), arguments.packed, sizeBytes);
    return Status::Success;
  }
  if (!arguments.pointers)
    return refuse(Status::InvalidValue,
                  "it has " + std::to_string(parameters.size()) + " parameters and no arguments are given");
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!arguments.pointers[i])
      return refuse(Status::InvalidValue, "the pointer to argument " + std::to_string(i) + " is null");
    memcpy(packed.data() + parameters[i].offsetBytes, arguments.pointers[i], parameters[i].sizeBytes);
  }
  return Status::Success;
}

/// Allocations that a pointer-sized argument points into. Memory whose free was queued before this launch is a finding
/// now: no order of execution makes that use legal.
static std::vector<AllocationPtr> findUsed(Call &call, const LoadedFunction &function,
                                           const std::vector<char> &packed) {
  std::vector<AllocationPtr> used;
  const std::vector<ParameterLayout> &parameters = function.code->getParameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    uint64_t address;
    if (parameters[i].sizeBytes != sizeof address)
      continue;
    memcpy(&address, packed.data() + parameters[i].offsetBytes, sizeof address);
    AllocationPtr allocation = call.machine.memory.find(address);
    if (!allocation)
      continue;
    if (allocation->isDead || allocation->freeWasQueued)
      call.report(Status::Success, "memory", "MEM-4",
                  "kernel " + function.name + ": argument " + std::to_string(i) + " points into " +
                      allocation->describe() + (allocation->isDead ? ", which was freed" : ", whose free is queued"));
    else
      used.push_back(allocation);
  }
  return used;
}

static Status runKernel(Machine &machine, const LoadedFunction &function, const LaunchSize &size,
                        const std::vector<char> &packed, const std::string &call, const std::string &op, bool hasLock) {
  std::vector<const void *> pointers;
  for (const ParameterLayout &parameter : function.code->getParameters())
    pointers.push_back(packed.data() + parameter.offsetBytes);
  std::optional<KernelFailure> failure;
  {
    Arena::Open open(machine.arena);
    ++ThreadState::get().kernelDepth;
    failure = function.code->run(size, pointers);
    --ThreadState::get().kernelDepth;
  }
  if (!failure)
    return Status::Success;
  Lock lock(machine.mutex, std::defer_lock);
  if (!hasLock)
    lock.lock();
  machine.addFinding({"errors", "ERROR-1", call, "kernel " + function.name + " failed: " + failure->message, op});
  return failure->status;
}

Status launchKernel(Call &call, uint64_t functionHandle, const LaunchSize &size, const LaunchArguments &arguments,
                    uint64_t streamHandle) {
  Status status;
  auto function = call.resolve<LoadedFunction>(functionHandle, HandleKind::Function, "f", status);
  if (!function)
    return status;
  std::shared_ptr<Stream> stream = call.resolveStream(streamHandle, "hStream", status);
  if (!stream)
    return status;
  if (function->context.lock() != stream->context.lock())
    return call.report(Status::InvalidHandle, "lifetime", "ERROR-4",
                       "function and stream belong to different contexts");
  if ((status = checkSize(call, *function, size)) != Status::Success)
    return status;
  std::vector<char> packed;
  if ((status = readArguments(call, *function, arguments, packed)) != Status::Success)
    return status;
  OperationPtr operation =
      call.createOperation(OperationKind::Kernel, *stream, function->name, size.threadsPerBlock() * size.blockCount());
  checkWhenRun(call, *operation, findUsed(call, *function, packed));
  bool hasLock = call.machine.engine.getScheduler().threadCount() == 0;
  operation->work = [&machine = call.machine, function, size, packed = std::move(packed), name = operation->call,
                     op = operation->op,
                     hasLock](Status) { return runKernel(machine, *function, size, packed, name, op, hasLock); };
  call.submit(*stream, operation);
  return Status::Success;
}

} // namespace lockstep::simgpu
