// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_LOWERING_STREAMBLOCKS_H
#define LOCKSTEP_LOWERING_STREAMBLOCKS_H

#include "lowering/BlockLowering.h"

namespace lockstep::agpu {

/// Each operation is issued on a stream by itself.
class StreamBlocks : public BlockLowering {
public:
  using BlockLowering::BlockLowering;

private:
  BlockUnits buildUnits(mlir::Block &block) override { return buildOperationUnits(block); }
  mlir::LogicalResult emitOp(ChainOpInterface op, mlir::Value stream) override;
};

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_STREAMBLOCKS_H
