// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// agpu-check-capturable: could the work between two host waits be captured?

#include "lowering/CaptureCheck.h"
#include "lowering/Passes.h"

#define DEBUG_TYPE "agpu-check-capturable"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_AGPUCHECKCAPTURABLEPASS
#include "lowering/Passes.h.inc"

namespace {

class AgpuCheckCapturablePass : public impl::AgpuCheckCapturablePassBase<AgpuCheckCapturablePass> {
  void runOnOperation() override {
    CaptureCheck check;
    bool isClean = true;
    getOperation().walk([&](Block *block) {
      ++blockCount;
      isClean &= check.check(*block);
    });
    if (!isClean)
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace lockstep::agpu
