// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The device operations of one block, cut into units that are each issued as a whole, as a graph for planStreams. A
// unit is one operation (streams) or a straight-line region (graphs).

#ifndef LOCKSTEP_LOWERING_BLOCKUNITS_H
#define LOCKSTEP_LOWERING_BLOCKUNITS_H

#include "dialect/AgpuOps.h"
#include "lowering/StreamPlan.h"

#include "llvm/ADT/DenseMap.h"

namespace lockstep::agpu {

struct BlockUnits {
  /// One node for each unit. A synchronous operation ends its unit; the next node is the host's wait for it.
  StreamPlanGraph graph;
  /// For each node its operations, in program order; none for the host wait of a synchronous operation.
  std::vector<llvm::SmallVector<ChainOpInterface, 1>> ops;
  /// The node of each operation. A join that has none is looked through.
  llvm::DenseMap<mlir::Operation *, uint32_t> nodes;
  /// The values behind the numbers of externals: chains that other blocks, block arguments, calls or selects give.
  llvm::SmallVector<mlir::Value> externals;
};

/// Whether a chain is needed outside of its block, or by an operation that passes it on.
bool isCarriedChain(mlir::Value chain);

/// Adds units in program order.
class BlockUnitsBuilder {
public:
  explicit BlockUnitsBuilder(mlir::Block &block) : block(block) {}

  /// Starts a unit; operations are added to the last one.
  void startUnit(StreamPlanNode::Kind kind);
  /// Adds an operation to the last unit, with what its chains stand for outside of the unit as dependencies.
  void add(ChainOpInterface op);
  bool isInLastUnit(mlir::Operation *op) const;
  BlockUnits take();

private:
  void addDependencies(ChainOpInterface op, llvm::DenseSet<mlir::Operation *> &seenJoins);

  mlir::Block &block;
  BlockUnits units;
  llvm::DenseMap<mlir::Value, uint32_t> externalNumbers;
};

/// Each operation is a unit, joins too.
BlockUnits buildOperationUnits(mlir::Block &block);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_BLOCKUNITS_H
