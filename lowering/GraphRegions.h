// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which operations of a block become one graph: a region.

#ifndef LOCKSTEP_LOWERING_GRAPHREGIONS_H
#define LOCKSTEP_LOWERING_GRAPHREGIONS_H

#include "lowering/BlockUnits.h"

namespace lockstep::agpu {

/// Where allocations and deallocations of a region go.
class AllocationPlacement {
public:
  /// `asNodes`: an allocation whose memory the same block frees, and a deallocation of such memory in the same region,
  /// are nodes of the graph. All others are stream operations: before the graph is launched, and behind it.
  explicit AllocationPlacement(bool asNodes) : asNodes(asNodes) {}

  bool isHoisted(AllocOp op) const { return !isNode(op); }
  /// `inRegionOf` says whether an operation is in the region of the deallocation.
  bool isHoisted(DeallocOp op, llvm::function_ref<bool(mlir::Operation *)> inRegionOf) const;

private:
  bool isNode(AllocOp op) const;

  const bool asNodes;
};

/// Each region is a unit; carried joins of other work are units too. A region ends
/// - before a host wait, a host operation, an operation that hands chains on, and one that may call unknown code or
///   wait, because none of these may stand between the begin of a graph and its launch;
/// - behind a synchronous operation;
/// - before a hoisted allocation that depends on the region, and before an operation that depends on a hoisted
///   deallocation of the region, because the one comes before the graph, and the other behind it;
/// - before a carried join that does not depend on the region, because its event would stand for the region too.
BlockUnits buildRegionUnits(mlir::Block &block, const AllocationPlacement &placement);

/// Calls `visit` for each operation of the same block that the chains of `op` stand for, through joins for which
/// `looksThrough` holds. Each once.
void forEachDependency(ChainOpInterface op, llvm::function_ref<bool(JoinOp)> looksThrough,
                       llvm::function_ref<void(mlir::Operation *)> visit);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_GRAPHREGIONS_H
