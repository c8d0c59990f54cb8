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

/// Device printf of HIP, in pieces: a message begins, strings and groups of up to seven 64-bit arguments are appended,
/// and the last piece prints it. The first string is the format. Each call returns the message, the last one 0. The
/// simulated device has these in place of the calls that a device would make to the host.
uint64_t deviceMessageBegin();
uint64_t deviceMessageString(uint64_t message, const char *text, uint64_t lengthBytes, uint32_t isLast);
uint64_t deviceMessageArguments(uint64_t message, uint32_t count, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3,
                                uint64_t a4, uint64_t a5, uint64_t a6, uint32_t isLast);

} // namespace lockstep::simgpu::jit

#endif
