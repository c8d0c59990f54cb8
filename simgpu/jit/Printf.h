// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_SIMGPU_JIT_PRINTF_H
#define LOCKSTEP_SIMGPU_JIT_PRINTF_H

#include <cstdint>

namespace lockstep::simgpu::jit {

/// Device printf: formats as the host's printf does, reading the arguments from `arguments`, where each stands at its
/// natural alignment with the size that its conversion says, and hands the text to the print sink. Returns the number
/// of arguments, as vprintf of CUDA does, or -1 for a null format. Conversions with `*` or `n` are printed as they are.
int32_t devicePrintf(const char *format, const char *arguments);

} // namespace lockstep::simgpu::jit

#endif
