// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/AgpuInterfaces.h"

#include "dialect/AgpuOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

#include "dialect/AgpuInterfaces.cpp.inc"

LogicalResult lockstep::agpu::detail::verifyChains(Operation *op) {
  auto chainOp = cast<ChainOpInterface>(op);
  // CHAIN-7: code of the device cannot give work to the device.
  if (auto module = op->getParentOfType<gpu::GPUModuleOp>()) {
    InFlightDiagnostic error = op->emitOpError("stands in a kernel module");
    error.attachNote(module.getLoc()) << "expected: in host code, outside of this gpu.module";
    return failure();
  }
  // CHAIN-6: a synchronous operation has no chains in; the host waits with agpu.wait instead.
  if (chainOp.isAsync() || chainOp.getChains().empty() || isa<WaitOp>(op))
    return success();
  InFlightDiagnostic error = op->emitOpError("has chains in, but gives no chain");
  error.attachNote() << "expected: a chain result, or an agpu.wait on these chains before a synchronous operation";
  error.attachNote() << "actual: " << chainOp.getChains().size() << " chain operands and no chain result";
  return failure();
}
