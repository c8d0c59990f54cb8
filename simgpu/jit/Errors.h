// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_ERRORS_H
#define LOCKSTEP_SIMGPU_JIT_ERRORS_H

#include "llvm/Support/Error.h"
#include <string>

namespace lockstep::simgpu::jit {

/// The kernel did what the host processor refuses: touched memory that is not there, divided by zero, ran off its
/// stack. `address` is the address touched, or that of the instruction where no memory was involved.
class KernelFault : public llvm::ErrorInfo<KernelFault> {
public:
  static char ID;
  enum class Kind : uint8_t { memoryAccess, stack, arithmetic, unreachableCode };
  KernelFault(std::string what, uintptr_t address, Kind kind) : what(std::move(what)), address(address), kind(kind) {}
  void log(llvm::raw_ostream &stream) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
  const std::string &description() const { return what; }
  uintptr_t faultAddress() const { return address; }
  Kind getKind() const { return kind; }

private:
  std::string what;
  uintptr_t address;
  Kind kind;
};

/// A device assertion of the kernel does not hold.
class KernelAssert : public llvm::ErrorInfo<KernelAssert> {
public:
  static char ID;
  explicit KernelAssert(std::string what) : what(std::move(what)) {}
  void log(llvm::raw_ostream &stream) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string what;
};

/// The kernel ended itself with a trap, or asked for a barrier that cannot be.
class KernelTrap : public llvm::ErrorInfo<KernelTrap> {
public:
  static char ID;
  explicit KernelTrap(std::string what) : what(std::move(what)) {}
  void log(llvm::raw_ostream &stream) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string what;
};

/// No thread of a block can go on: each live one waits for a barrier or for lanes that never come.
class KernelDeadlock : public llvm::ErrorInfo<KernelDeadlock> {
public:
  static char ID;
  explicit KernelDeadlock(std::string what) : what(std::move(what)) {}
  void log(llvm::raw_ostream &stream) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string what;
};

} // namespace lockstep::simgpu::jit

#endif
