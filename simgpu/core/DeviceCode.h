// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the device core needs of a kernel compiler: an image becomes a module, a module has kernels and globals, a
// kernel runs. The library uses the compiler in simgpu/jit; a test may put its own in place.

#ifndef LOCKSTEP_SIMGPU_CORE_DEVICECODE_H
#define LOCKSTEP_SIMGPU_CORE_DEVICECODE_H

#include "simgpu/core/Status.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::simgpu {

struct LaunchSize {
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t dynamicSharedBytes;

  uint64_t threadsPerBlock() const { return uint64_t(block[0]) * block[1] * block[2]; }
  uint64_t blockCount() const { return uint64_t(grid[0]) * grid[1] * grid[2]; }
};

/// Where a parameter lies in a packed argument buffer.
struct ParameterLayout {
  uint32_t sizeBytes;
  uint32_t offsetBytes;
};

struct KernelFailure {
  Status status;
  std::string message;
};

/// Immutable after load; `run` may be called from several threads at once.
class DeviceKernel {
public:
  virtual ~DeviceKernel();
  virtual const std::vector<ParameterLayout> &getParameters() const = 0;
  virtual uint32_t getStaticSharedBytes() const = 0;
  virtual uint32_t getMaxThreadsPerBlock() const = 0; ///< 0: no bound of its own.
  /// Runs to the end. Device memory is open meanwhile.
  virtual std::optional<KernelFailure> run(const LaunchSize &size,
                                           const std::vector<const void *> &arguments) const = 0;
};

class DeviceModule {
public:
  struct Global {
    uint64_t address;
    uint64_t sizeBytes;
  };
  virtual ~DeviceModule();
  virtual std::shared_ptr<const DeviceKernel> findKernel(const std::string &name) const = 0;
  virtual std::optional<Global> findGlobal(const std::string &name) const = 0;
};

/// Gives device memory for a module's globals; null when there is none left.
using GlobalAllocator = std::function<void *(size_t sizeBytes, size_t alignBytes)>;

class DeviceCompiler {
public:
  virtual ~DeviceCompiler();
  /// Bytes of the image that starts at `image`, or nothing where it is no image for this device.
  virtual std::optional<size_t> findImageSize(const void *image) const = 0;
  /// Null and a line in `error` where the image cannot be loaded.
  virtual std::shared_ptr<DeviceModule> load(const void *image, size_t sizeBytes, const GlobalAllocator &allocate,
                                             std::string &error) const = 0;
};

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_DEVICECODE_H
