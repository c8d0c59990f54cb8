// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_LOWERING_STREAMBLOCKS_H
#define LOCKSTEP_LOWERING_STREAMBLOCKS_H

#include "lowering/RuntimeEmitter.h"
#include "lowering/StreamPlan.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace lockstep::agpu {

/// The operations of one block as a graph for planStreams.
struct BlockGraph {
  StreamPlanGraph graph;
  /// For each agpu operation with chains its node. A synchronous one has two: the next is the host's wait for it.
  llvm::DenseMap<mlir::Operation *, uint32_t> nodes;
  /// The values behind the numbers of externals: chains that other blocks, block arguments, calls or selects give.
  llvm::SmallVector<mlir::Value> externals;
};

/// Whether a chain is needed outside of its block, or by an operation that passes it on.
bool isCarriedChain(mlir::Value chain);

BlockGraph buildBlockGraph(mlir::Block &block);

/// Lowers the agpu operations of one function after the other. Chains become pointers as ChainTypes.h says.
class StreamBlocks {
public:
  struct Counts {
    uint64_t streams = 0, events = 0, streamWaits = 0, hostWaits = 0;
  };

  /// `handles` are the chains of the module that have the type of an event handle by now (convertChainTypes).
  StreamBlocks(RuntimeEmitter &emitter, uint32_t maxStreams, const llvm::DenseSet<mlir::Value> &handles)
      : emitter(emitter), maxStreams(maxStreams), handles(handles) {}

  /// Lowers all blocks of a function whose agpu operations stand in blocks of its body.
  mlir::LogicalResult lower(mlir::func::FuncOp function);
  const Counts &getCounts() const { return counts; }

private:
  void collectOwnedHandles(mlir::Region &region);
  mlir::LogicalResult lowerBlock(mlir::Block &block);
  mlir::LogicalResult lowerStep(ChainOpInterface op, uint32_t node);
  void emitWaits(uint32_t node);
  void emitHostWaits(uint32_t node);
  void emitRecord(ChainOpInterface op, uint32_t node);
  void useEvent(uint32_t node);
  mlir::Value getStream(uint32_t path);

  RuntimeEmitter &emitter;
  const uint32_t maxStreams;
  const llvm::DenseSet<mlir::Value> &handles;
  Counts counts;
  /// Of the current function: its streams, and the values that own a reference to an event.
  llvm::SmallVector<mlir::Value, 8> streams;
  llvm::SetVector<mlir::Value> owned;
  /// Of the current block: its graph and plan, the recorded events by node, and how many waits for each are to come.
  BlockGraph current;
  StreamPlan plan;
  llvm::DenseMap<uint32_t, mlir::Value> events;
  std::vector<uint32_t> waitsLeft;
};

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_STREAMBLOCKS_H
