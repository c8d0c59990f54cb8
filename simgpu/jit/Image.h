// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_IMAGE_H
#define LOCKSTEP_SIMGPU_JIT_IMAGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace lockstep::simgpu::jit {

/// Succeeds for LLVM bitcode; otherwise the error names the kind of image found.
llvm::Error checkIsBitcode(llvm::StringRef image);

/// See Module::imageSizeBytes.
std::optional<size_t> bitcodeSizeBytes(const void *image);

} // namespace lockstep::simgpu::jit

#endif
