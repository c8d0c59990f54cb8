// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_MODULE_H
#define LOCKSTEP_SIMGPU_JIT_MODULE_H

#include "simgpu/jit/Errors.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace lockstep::simgpu::jit {

struct CompiledModule;
struct CompiledKernel;

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

struct LaunchShape {
  Dim3 grid, block;
  uint32_t dynamicSharedBytes = 0;
};

/// Where a parameter lies in a packed argument buffer, by the CUDA rules: each at its own alignment, in order.
struct KernelParameter {
  uint32_t sizeBytes, alignBytes, offsetBytes;
};

/// A module variable that the host can find by name.
struct Global {
  void *address;
  size_t sizeBytes;
};

/// Gives module variables their place in device memory. Called by Module::load on the calling thread. What it hands
/// out stays the caller's to release, after the module and every launch of it are gone.
class DeviceAllocator {
public:
  virtual ~DeviceAllocator() = default;
  /// The device address of fresh memory, or null when there is none left.
  virtual void *allocateGlobal(size_t sizeBytes, size_t alignBytes) = 0;
  /// Copies host bytes to device memory that allocateGlobal returned.
  virtual void writeGlobal(void *address, const void *bytes, size_t sizeBytes) = 0;
};

/// One kernel of a loaded module; lives as long as its module.
class Kernel {
public:
  Kernel(std::shared_ptr<const CompiledModule> code, const CompiledKernel &record, void *const *globals)
      : code(std::move(code)), record(record), globals(globals) {}

  llvm::StringRef name() const;
  llvm::ArrayRef<KernelParameter> parameters() const;
  uint32_t staticSharedBytes() const;
  /// The bound that the program states (maxntid, reqntid), 0 when it states none.
  uint32_t maxThreadsPerBlock() const;
  /// Whether threads of a block wait for each other, so that each needs a stack of its own.
  bool usesFibers() const;

  /// Runs every block of the grid, one after another in ascending order, on the calling thread; returns when all are
  /// done. `arguments[i]` points at the bytes of parameter i, which are copied before the first block starts. May be
  /// called from several threads at once. Checks no device limit; the caller does. Fails with KernelFault,
  /// KernelAssert or KernelDeadlock; memory written until then stays written.
  llvm::Error run(const LaunchShape &shape, llvm::ArrayRef<const void *> arguments) const;

private:
  std::shared_ptr<const CompiledModule> code;
  const CompiledKernel &record;
  void *const *globals;
};

/// A program in LLVM bitcode, compiled for the host. Code is compiled once for each content of the image and shared by
/// all modules loaded from it (a bounded cache of the process); variables belong to the module, so the code reaches
/// them through a table of addresses that every launch passes along.
class Module {
public:
  static llvm::Expected<std::shared_ptr<Module>> load(llvm::StringRef image, DeviceAllocator &allocator);

  /// The bytes of the bitcode that starts at `image`, or nothing when it is not bitcode. Reads no byte after its end.
  static std::optional<size_t> imageSizeBytes(const void *image);

  /// How many images this process has compiled: a load that does not raise it was served from the cache.
  static uint64_t compileCount();

  ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  const Kernel *findKernel(llvm::StringRef name) const;
  std::optional<Global> findGlobal(llvm::StringRef name) const;

private:
  explicit Module(std::shared_ptr<const CompiledModule> code);
  llvm::Error placeGlobals(DeviceAllocator &allocator);

  std::shared_ptr<const CompiledModule> code;
  std::unique_ptr<void *[]> globals;
  std::vector<Kernel> kernels;
};

/// Receives the text of device printf, one call for each device call, on the thread that runs the kernel. The default
/// writes to the standard output. Must not be replaced while kernels run. An empty function restores the default.
using PrintSink = std::function<void(llvm::StringRef)>;
void setPrintSink(PrintSink sink);

} // namespace lockstep::simgpu::jit

#endif
