// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/AgpuDialect.h"
#include "lowering/GpuImport.h"
#include "lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "convert-gpu-to-agpu"

namespace lockstep::agpu {
#define GEN_PASS_DEF_CONVERTGPUTOAGPUPASS
#include "lowering/Passes.h.inc"
} // namespace lockstep::agpu

using namespace mlir;
using namespace lockstep::agpu;

namespace {
struct ConvertGpuToAgpuPass : public lockstep::agpu::impl::ConvertGpuToAgpuPassBase<ConvertGpuToAgpuPass> {
  void runOnOperation() override {
    FailureOr<GpuImportCounts> counts = importGpuOps(getOperation());
    if (failed(counts))
      return signalPassFailure();
    numImported += counts->imported;
    numOrdered += counts->ordered;
  }
};
} // namespace
