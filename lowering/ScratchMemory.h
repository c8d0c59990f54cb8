// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stack memory of a lowered function through which arguments go to the runtime by address. The runtime reads it before
// it returns, so all operations of the function share it: it is as large as the largest of them needs.

#ifndef LOCKSTEP_LOWERING_SCRATCHMEMORY_H
#define LOCKSTEP_LOWERING_SCRATCHMEMORY_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace lockstep::agpu {

class ScratchMemory {
public:
  /// Arrays of one 64-bit integer a dimension.
  enum Array : unsigned { Sizes, DestinationStrides, SourceStrides, kNumArrays };

  /// Forgets the last function. All requirements are stated before the first use.
  void reset() { *this = ScratchMemory(); }
  void needRank(int64_t rank) { maxRank = std::max(maxRank, rank); }
  void needParameters(unsigned count, uint64_t largestBytes);
  void needArguments(uint64_t sizeBytes) { argumentBytes = std::max(argumentBytes, sizeBytes); }

  // Each allocates at its first use, at the builder's position, which must be in the prologue.
  mlir::Value array(mlir::OpBuilder &builder, mlir::Location loc, Array which);
  /// Room for a ranked memref descriptor; two can be in use.
  mlir::Value descriptor(mlir::OpBuilder &builder, mlir::Location loc, unsigned slot);
  mlir::Value arguments(mlir::OpBuilder &builder, mlir::Location loc);
  /// Allocates the slots for kernel parameters and the array of pointers to them.
  void createParameters(mlir::OpBuilder &builder, mlir::Location loc);
  /// After createParameters.
  bool hasParameters() const { return static_cast<bool>(parameters); }
  mlir::Value parameterArray() const { return parameters; }
  mlir::Value parameterSlot(unsigned index) const { return slots[index]; }

private:
  mlir::Value allocate(mlir::OpBuilder &builder, mlir::Location loc, uint64_t sizeBytes);

  int64_t maxRank = 0;
  unsigned maxParameters = 0;
  uint64_t slotBytes = 0, argumentBytes = 0;
  mlir::Value arrays[kNumArrays], descriptors[2], argumentMemory, parameters;
  llvm::SmallVector<mlir::Value, 16> slots;
};

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_SCRATCHMEMORY_H
