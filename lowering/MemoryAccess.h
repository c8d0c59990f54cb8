// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory an operation of a host program reads and writes, as far as the IR says. Used by agpu-check-hazards.

#ifndef LOCKSTEP_LOWERING_MEMORYACCESS_H
#define LOCKSTEP_LOWERING_MEMORYACCESS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace lockstep::agpu {

/// The indices first, first + stride, … in one dimension; `count` of them. Meaningless where not `isKnown`.
struct Interval {
  int64_t first = 0;
  int64_t count = 0;
  int64_t stride = 1;
  bool isKnown = false;
};

/// A part of one allocation.
struct MemoryRange {
  /// The value through which it is accessed.
  mlir::Value view;
  /// Where the memory comes from: the result of an allocation or a call, a function argument, a memref.get_global. Null
  /// where several are possible.
  mlir::Value root;
  /// Equal for equal memory: the root, or the name of a global.
  const void *key = nullptr;
  /// Bounds in each dimension of the root; empty: all of it.
  llvm::SmallVector<Interval> box;
  /// Whether the part is all of the box, not somewhere in it.
  bool isExact = true;

  bool isWhole() const { return box.empty() && isExact; }
};

enum class Overlap { No, Maybe, Yes };

/// Follows casts and views, and loop arguments that never change, to where the memory comes from.
MemoryRange resolveMemory(mlir::Value memref);

/// Compares two parts of the same root. `sameView`: the same view value means the same part (false across iterations of
/// a loop in which the view is computed).
Overlap compareRanges(const MemoryRange &a, const MemoryRange &b, bool sameView);

/// What one access does. Alloc and Free are those of the memory itself.
enum class AccessKind { Use, Alloc, Free };

struct Access {
  MemoryRange range;
  AccessKind kind = AccessKind::Use;
  bool reads = false;
  bool writes = false;
};

/// Finds accesses. Looks into kernels and functions, and remembers what it found: valid while these do not change.
class AccessFinder {
public:
  explicit AccessFinder(mlir::SymbolTableCollection &symbols) : symbols(symbols) {}

  /// The accesses of one operation; its own regions count only for an agpu.launch.
  llvm::SmallVector<Access> find(mlir::Operation *op);

private:
  struct Effects {
    bool reads = false;
    bool writes = false;
    void add(Effects other) {
      reads |= other.reads;
      writes |= other.writes;
    }
  };
  static Effects getUnknown() { return {true, true}; }

  void addLaunch(mlir::Operation *launch, mlir::Region &region, llvm::SmallVectorImpl<Access> &accesses);
  void addArguments(mlir::Operation *op, mlir::SymbolRefAttr callee, mlir::ValueRange arguments,
                    llvm::SmallVectorImpl<Access> &accesses);
  void addDeclared(mlir::Operation *op, llvm::SmallVectorImpl<Access> &accesses);
  Effects getUses(mlir::Value memref, mlir::Region *inside);
  Effects getUse(mlir::OpOperand &use, mlir::Region *inside);
  Effects getArgument(mlir::Operation *from, mlir::SymbolRefAttr callee, unsigned index);

  mlir::SymbolTableCollection &symbols;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, Effects> arguments;
};

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_MEMORYACCESS_H
