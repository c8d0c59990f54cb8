// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_LOWERING_CAPTURECHECK_H
#define LOCKSTEP_LOWERING_CAPTURECHECK_H

#include "lowering/CaptureEffects.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace lockstep::agpu {

/// Judges the runtime calls of one block after the other. Reports what could not stand in a capture; a region that
/// could be captured ends where the host waits or page-locks memory, at a call of other code, and at the end of the
/// block.
class CaptureCheck {
public:
  CaptureCheck();

  /// Reports each problem as an error; false where there was one.
  bool check(mlir::Block &block);

private:
  void checkRuntimeCall(mlir::LLVM::CallOp call, RuntimeFunction function);
  void checkCaptured(mlir::LLVM::CallOp call, RuntimeFunction function);
  void endRegion();
  void begin(mlir::LLVM::CallOp call);
  void end(mlir::LLVM::CallOp call);
  mlir::InFlightDiagnostic report(mlir::Operation *op, const llvm::Twine &text);

  llvm::StringMap<RuntimeFunction> functions;
  bool isClean = true;
  /// Of the region: its last work, and what is forbidden behind it.
  mlir::Operation *lastWork = nullptr;
  llvm::SmallVector<mlir::Operation *> suspects;
  /// Of the open capture, if any: where it begins, and what each stream that takes part, and each event recorded there,
  /// holds of the work and records in it.
  mlir::Operation *capture = nullptr;
  mlir::Value origin;
  llvm::DenseMap<mlir::Value, llvm::SmallSetVector<mlir::Operation *, 8>> streams, events;
};

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_CAPTURECHECK_H
