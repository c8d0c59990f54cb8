// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/Passes.h"

#include "lowering/KernelPipeline.h"
#include "lowering/Pipelines.h"

namespace lockstep::agpu {

namespace {
#define GEN_PASS_REGISTRATION
#include "lowering/Passes.h.inc"
} // namespace

void registerLoweringPasses() {
  registerLockstepPasses();
  registerKernelPipelines();
  registerLoweringPipeline();
}

} // namespace lockstep::agpu
