// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_LOWERING_GRAPHBLOCKS_H
#define LOCKSTEP_LOWERING_GRAPHBLOCKS_H

#include "lowering/BlockLowering.h"
#include "lowering/GraphRegions.h"

namespace lockstep::agpu {

/// What both ways of making a graph share: regions as units, and where hoisted allocations go.
class RegionBlocks : public BlockLowering {
public:
  struct GraphCounts {
    uint64_t graphs = 0, nodes = 0;
  };

  RegionBlocks(RuntimeEmitter &emitter, uint32_t maxStreams, AllocationPlacement placement)
      : BlockLowering(emitter, maxStreams), placement(placement) {}
  const GraphCounts &getGraphCounts() const { return graphCounts; }

protected:
  void beginUnit(uint32_t node) override;
  ChainOpInterface getFirstEmitted(uint32_t node) override;
  /// The operations of the current unit.
  llvm::ArrayRef<ChainOpInterface> getOps() const { return getUnits().ops[current]; }
  bool isInUnit(mlir::Operation *op) const;
  /// Whether the operation is done on the stream: an allocation before the graph, a deallocation behind it.
  bool isHoisted(ChainOpInterface op) const { return hoisted.contains(op); }
  mlir::LogicalResult emitHoistedDeallocs(mlir::Value stream);

  GraphCounts graphCounts;

private:
  BlockUnits buildUnits(mlir::Block &block) override { return buildRegionUnits(block, placement); }

  const AllocationPlacement placement;
  uint32_t current = 0;
  /// Decided when the unit begins: once an allocation is emitted, its memref has another definition.
  llvm::DenseSet<mlir::Operation *> hoisted;
};

/// A graph is built node by node, each where its operation stands.
class GraphBlocks : public RegionBlocks {
public:
  using RegionBlocks::RegionBlocks;

private:
  void beginUnit(uint32_t node) override;
  mlir::LogicalResult emitOp(ChainOpInterface op, mlir::Value stream) override;
  mlir::LogicalResult endUnit(mlir::Value stream) override;
  mlir::LogicalResult emitNode(ChainOpInterface op);
  WorkTarget targetFor(ChainOpInterface op);
  bool needsEmptyNode(JoinOp op) const;

  /// Of the current unit's graph: its handle, null before its first node, and the number of the node of each operation
  /// that has one.
  mlir::Value graph;
  llvm::DenseMap<mlir::Operation *, int32_t> nodes;
};

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_GRAPHBLOCKS_H
