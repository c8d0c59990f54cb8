// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device compiler of the library: LLVM bitcode, through simgpu/jit.

#ifndef LOCKSTEP_SIMGPU_CORE_JITCOMPILER_H
#define LOCKSTEP_SIMGPU_CORE_JITCOMPILER_H

#include "simgpu/core/DeviceCode.h"

namespace lockstep::simgpu {

class Memory;

/// `memory` must outlive the compiler; module variables get their first contents through its view.
std::unique_ptr<DeviceCompiler> createJitCompiler(Memory &memory);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_JITCOMPILER_H
