// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels and host functions of scenarios, as IR. The formulas are those of Mixing.h and Dag.h.

#ifndef LOCKSTEP_HARNESS_SCENARIO_KERNELLIBRARY_H
#define LOCKSTEP_HARNESS_SCENARIO_KERNELLIBRARY_H

#include "harness/scenario/Dag.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace lockstep::scenario {

/// A memref<?xi32> with any offset and stride: what kernels and host functions take.
mlir::MemRefType sliceType(mlir::MLIRContext *context);

/// The functions of one module, added to it when they are first asked for.
class KernelLibrary {
public:
  explicit KernelLibrary(mlir::ModuleOp module);

  /// A kernel of a gpu.module of its own, so that its code is the same in every scenario. Arguments: the target, each
  /// source, the number of threads with work (index), the salt (i32). Threads stand in x only.
  mlir::SymbolRefAttr kernel(KernelKind kind, size_t sourceCount);
  /// How many threads a launch needs: one for each word of the target, with Atomic for each of the source.
  static uint64_t threadCount(const DeviceOp &op);

  /// (memref<?xi32>, i32): writes the words of the input buffer with that number.
  mlir::func::FuncOp fillInput();
  /// (memref<?xi32>): writes poison.
  mlir::func::FuncOp poison();
  /// (slice, i32): rewrites each word with a salt, as HostCall and HostUpdate do.
  mlir::func::FuncOp rewrite();

private:
  mlir::func::FuncOp function(llvm::StringRef name, mlir::TypeRange arguments,
                              llvm::function_ref<mlir::Value(class KernelBuilder &, mlir::ValueRange, mlir::Value)>);

  mlir::ModuleOp module;
};

} // namespace lockstep::scenario

#endif // LOCKSTEP_HARNESS_SCENARIO_KERNELLIBRARY_H
