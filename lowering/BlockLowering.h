// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What every lowering on streams shares, whatever it issues as a whole: streams, events between units, host waits, and
// chains that leave their block.

#ifndef LOCKSTEP_LOWERING_BLOCKLOWERING_H
#define LOCKSTEP_LOWERING_BLOCKLOWERING_H

#include "lowering/BlockUnits.h"
#include "lowering/RuntimeEmitter.h"

#include "llvm/ADT/SetVector.h"

namespace lockstep::agpu {

/// The events of a plan, each given back when the last wait for it is issued.
class PlannedEvents {
public:
  PlannedEvents(RuntimeEmitter &emitter) : emitter(emitter) {}
  void reset(const StreamPlan &plan);
  void set(uint32_t node, mlir::Value event) { events[node] = event; }
  mlir::Value get(uint32_t node) const { return events.at(node); }
  /// A wait for the node's event was issued.
  void use(uint32_t node, bool isCarried);

private:
  RuntimeEmitter &emitter;
  llvm::DenseMap<uint32_t, mlir::Value> events;
  std::vector<uint32_t> waitsLeft;
};

/// Lowers the agpu operations of a module, one function after the other. Chains become pointers as ChainTypes.h says.
class BlockLowering {
public:
  struct Counts {
    uint64_t streams = 0, events = 0, streamWaits = 0, hostWaits = 0;
  };

  /// A block is spread over at most `maxStreams` streams, at least 1.
  BlockLowering(RuntimeEmitter &emitter, uint32_t maxStreams)
      : emitter(emitter), maxStreams(maxStreams), events(emitter) {}
  virtual ~BlockLowering() = default;

  /// Reports what it refuses. Structured control flow becomes blocks.
  mlir::LogicalResult lower(mlir::ModuleOp module);
  const Counts &getCounts() const { return counts; }

protected:
  virtual BlockUnits buildUnits(mlir::Block &block) = 0;
  /// The unit `node` begins, and its stream has been made to wait for what the unit needs.
  virtual void beginUnit(uint32_t node) {}
  /// Each operation of the unit follows in turn, with the emitter in front of it; the first is named to the runtime.
  virtual mlir::LogicalResult emitOp(ChainOpInterface op, mlir::Value stream) = 0;
  /// Of the operations of the unit that has begun, the one whose calls come first: waits before them work for it too.
  virtual ChainOpInterface getFirstEmitted(uint32_t node) { return units.ops[node].front(); }
  /// The last operation was emitted. The event that stands for the unit comes next.
  virtual mlir::LogicalResult endUnit(mlir::Value stream) { return mlir::success(); }
  /// A function begins: nothing of the last one can be used.
  virtual void enterFunction() {}

  const BlockUnits &getUnits() const { return units; }
  /// Stream number `path` of a list that grows as needed; all are acquired at the entry of the function.
  mlir::Value getStream(llvm::SmallVectorImpl<mlir::Value> &list, uint32_t path);
  /// A pooled event, recorded on the stream.
  mlir::Value recordEvent(mlir::Value stream);
  void waitForEvent(mlir::Value stream, mlir::Value event);

  RuntimeEmitter &emitter;
  const uint32_t maxStreams;

private:
  mlir::LogicalResult lower(mlir::func::FuncOp function);
  void collectOwnedHandles(mlir::Region &region);
  mlir::LogicalResult lowerBlock(mlir::Block &block);
  mlir::LogicalResult lowerOp(ChainOpInterface op);
  void emitWaits(uint32_t node);
  void emitHostWaits(uint32_t node);
  void emitRecord(uint32_t node);

  Counts counts;
  /// Of the module: the chains that have the type of an event handle (convertChainTypes).
  llvm::DenseSet<mlir::Value> handles;
  /// Of the current function: its streams, those of them that units are planned on, and the values that own a
  /// reference to an event.
  llvm::SmallVector<mlir::Value, 8> acquired, streams;
  llvm::SetVector<mlir::Value> owned;
  /// Of the current block.
  BlockUnits units;
  StreamPlan plan;
  PlannedEvents events;
};

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_BLOCKLOWERING_H
