// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches: limits, arguments, and the run of a kernel.

#include "simgpu/core/MemoryApi.h"
#include "simgpu/core/ModuleApi.h"
#include "simgpu/core/Vendor.h"

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
      return refuse(vendor().emptyGrid, (size.grid[i] == 0 ? "gridDim" : "blockDim") + axis + " is 0");
    if (size.grid[i] > gridDimensionMax[i])
      return refuse(Status::InvalidValue, "gridDim" + axis + " " + std::to_string(size.grid[i]) + " is over " +
                                              std::to_string(gridDimensionMax[i]));
    if (size.block[i] > blockDimensionMax[i])
      return refuse(vendor().tooManyThreads, "blockDim" + axis + " " + std::to_string(size.block[i]) + " is over " +
                                                 std::to_string(blockDimensionMax[i]));
  }
  if (size.threadsPerBlock() > threadsPerBlockMax)
    return refuse(vendor().tooManyThreads, std::to_string(size.threadsPerBlock()) + " threads in a block are over " +
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

static Status readArguments(Call &call, const LoadedFunction &function, const LaunchArguments &arguments,
                            KernelArguments &copied) {
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
  std::vector<char> &packed = copied.packed;
  packed.resize(sizeBytes);
  for (const ParameterLayout &parameter : parameters)
    copied.pointers.push_back(packed.data() + parameter.offsetBytes);
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
    memcpy(copied.pointers[i], arguments.pointers[i], parameters[i].sizeBytes);
  }
  return Status::Success;
}

/// Allocations that a pointer-sized argument points into. Memory whose free was queued before this launch is a finding
/// now: no order of execution makes that use legal.
static std::vector<AllocationPtr> findUsed(Call &call, Use use, const LoadedFunction &function,
                                           const KernelArguments &arguments) {
  std::vector<AllocationPtr> used;
  const std::vector<ParameterLayout> &parameters = function.code->getParameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    uint64_t address;
    if (parameters[i].sizeBytes != sizeof address)
      continue;
    memcpy(&address, arguments.pointers[i], sizeof address);
    AllocationPtr allocation = call.machine.memory.find(address);
    if (!allocation)
      continue;
    if (std::string problem = allocation->whyUnusable(use == Use::InGraph); !problem.empty())
      call.report(Status::Success, "memory", "MEM-4",
                  "kernel " + function.name + ": argument " + std::to_string(i) + " points into " +
                      allocation->describe() + ", " + problem);
    else
      used.push_back(allocation);
  }
  return used;
}

Status runKernel(Machine &machine, const KernelTask &task, const std::string &call, const std::string &op,
                 bool hasLock) {
  std::vector<const void *> pointers(task.arguments->pointers.begin(), task.arguments->pointers.end());
  std::optional<KernelFailure> failure;
  {
    Arena::Open open(machine.arena);
    ++ThreadState::get().kernelDepth;
    failure = task.function->code->run(task.size, pointers);
    --ThreadState::get().kernelDepth;
  }
  if (!failure)
    return Status::Success;
  Lock lock(machine.mutex, std::defer_lock);
  if (!hasLock)
    lock.lock();
  machine.addFinding({"errors", "ERROR-1", call, "kernel " + task.function->name + " failed: " + failure->message, op});
  return failure->status;
}

Status makeKernelTask(Call &call, Use use, uint64_t functionHandle, const LaunchSize &size,
                      const LaunchArguments &arguments, KernelTask &task) {
  Status status;
  task.function = call.resolve<LoadedFunction>(functionHandle, HandleKind::Function, "f", status);
  task.size = size;
  if (!task.function || (status = checkSize(call, *task.function, size)) != Status::Success)
    return status;
  auto copied = std::make_shared<KernelArguments>();
  if ((status = readArguments(call, *task.function, arguments, *copied)) != Status::Success)
    return status;
  task.used = findUsed(call, use, *task.function, *copied);
  task.arguments = std::move(copied);
  return Status::Success;
}

Status launchKernel(Call &call, uint64_t function, const LaunchSize &size, const LaunchArguments &arguments,
                    uint64_t streamHandle) {
  Status status;
  std::shared_ptr<Stream> stream = call.resolveForWork(streamHandle, "hStream", status);
  if (!stream)
    return status;
  KernelTask task;
  if ((status = makeKernelTask(call, Call::useOf(*stream), function, size, arguments, task)) != Status::Success)
    return status;
  if (task.function->context.lock() != stream->context.lock())
    return call.report(Status::InvalidHandle, "lifetime", "ERROR-4",
                       "function and stream belong to different contexts");
  return call.enqueue(*stream, task);
}

} // namespace lockstep::simgpu
