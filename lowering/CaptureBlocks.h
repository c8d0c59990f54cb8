// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_LOWERING_CAPTUREBLOCKS_H
#define LOCKSTEP_LOWERING_CAPTUREBLOCKS_H

#include "lowering/GraphBlocks.h"

namespace lockstep::agpu {

/// A graph is what the stream lowering of the region does while the unit's stream is captured. All of it stands at the
/// end of the region, so that hoisted allocations come before it.
class CaptureBlocks : public RegionBlocks {
public:
  using RegionBlocks::RegionBlocks;

private:
  ChainOpInterface getFirstEmitted(uint32_t node) override;
  mlir::LogicalResult emitOp(ChainOpInterface op, mlir::Value stream) override;
  mlir::LogicalResult endUnit(mlir::Value stream) override;
  void enterFunction() override { forks.clear(); }

  StreamPlan planRegion(llvm::ArrayRef<ChainOpInterface> ops) const;
  mlir::LogicalResult capture(llvm::ArrayRef<ChainOpInterface> ops, mlir::Value stream);

  /// Of the current function: streams that join the captures; free again behind each.
  llvm::SmallVector<mlir::Value, 8> forks;
};

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_CAPTUREBLOCKS_H
