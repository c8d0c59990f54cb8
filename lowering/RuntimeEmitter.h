// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every lowering of agpu shares: the calls that one device operation becomes once its stream is known. Which
// stream, and what waits for what, is the lowering's own part.

#ifndef LOCKSTEP_LOWERING_RUNTIMEEMITTER_H
#define LOCKSTEP_LOWERING_RUNTIMEEMITTER_H

#include "dialect/AgpuOps.h"
#include "lowering/HostTypes.h"
#include "lowering/RuntimeCalls.h"
#include "lowering/ScratchMemory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/StringMap.h"

namespace lockstep::agpu {

/// Where the work of a device operation goes: onto a stream, or into a graph as a node behind other nodes.
struct WorkTarget {
  /// Work on a stream, behind what was issued there.
  WorkTarget(mlir::Value stream) : stream(stream) {}
  /// A node of a graph that is being added to. The dependencies are those of an mgpuGraphAdd function.
  WorkTarget(mlir::Value graph, mlir::Value dependencies, mlir::Value dependencyCount)
      : graph(graph), dependencies(dependencies), dependencyCount(dependencyCount) {}

  mlir::Value stream; ///< Null where the work becomes a node.
  mlir::Value graph, dependencies, dependencyCount;
};

/// Emits runtime calls into one module, one function at a time. Not thread safe: adds symbols to the module.
///
/// Invariants: what an operation needs of the stack is allocated once, in the entry block of its function. Nothing is
/// created, destroyed or loaded between two operations.
class RuntimeEmitter {
public:
  RuntimeEmitter(mlir::ModuleOp module, bool opNames);

  /// Checks that the module does not use names of the runtime for other things. To be called first.
  mlir::LogicalResult verify() { return runtime.verifyNames(); }

  /// Starts with the next function: everything emitted from now on is in it. Finds out how much scratch memory it
  /// needs.
  mlir::LogicalResult enterFunction(mlir::func::FuncOp function);

  /// A pooled stream acquired at the entry of the function.
  mlir::Value acquireStream();

  /// Emits the work of a device operation at the builder's position, and replaces the uses of a memref that it gives.
  /// Its chains are not looked at. Reports an operation that has no lowering.
  mlir::LogicalResult emitWork(ChainOpInterface op, const WorkTarget &target);

  /// A target for one node of `graph` behind the nodes with these numbers.
  WorkTarget behindNodes(mlir::Value graph, llvm::ArrayRef<int32_t> dependencies);

  /// The address of a new graph slot of the module: a null pointer that agpu-embed-kernels releases at teardown.
  mlir::Value createGraphSlot();

  /// Emits a host operation (host_register, host_unregister, expect) in front of the operation.
  mlir::LogicalResult emitHostOp(mlir::Operation *op);
  static bool isHostOp(mlir::Operation *op) { return mlir::isa<HostRegisterOp, HostUnregisterOp, ExpectOp>(op); }

  /// Names the operation to the runtime (mgpuSetOp), so that errors and records mention it; once in a row. A lowering
  /// names an operation once each time that the host reaches it: so executions are told apart.
  void emitName(mlir::Operation *op);

  // RuntimeEmitterTrace.cpp: what tells the harness the order that the program asks for (runtime-api/Trace.h).
  /// The operation and what it comes after; gives its chain.
  mlir::Value traceOp(ChainOpInterface op);
  /// The memory that it accesses. To be called before emitWork.
  void traceAccesses(mlir::Operation *op);
  /// That it is synchronous.
  void traceHostWait(ChainOpInterface op);

  /// A call of a runtime function at the builder's position.
  mlir::Value call(RuntimeFunction function, mlir::ValueRange arguments);

  /// Constants of the current function, each created once, in its entry block.
  mlir::Value constant(mlir::Type type, int64_t value);
  mlir::Value constant64(int64_t value) { return constant(builder.getI64Type(), value); }
  mlir::Value nullPointer();

  /// Positions the builder; all calls are emitted there, with the location of that operation.
  void setInsertionPoint(mlir::Operation *before);
  void setInsertionPointToStart(mlir::Block *block, mlir::Location at);
  /// Calls get this location from now on.
  void setLocation(mlir::Location at) { loc = at; }

private:
  // RuntimeEmitterMemory.cpp
  mlir::LogicalResult emitAlloc(AllocOp op, const WorkTarget &target);
  mlir::LogicalResult emitDealloc(DeallocOp op, const WorkTarget &target);
  mlir::LogicalResult emitMemcpy(MemcpyOp op, const WorkTarget &target);
  mlir::LogicalResult emitMemset(MemsetOp op, const WorkTarget &target);
  /// Calls the function of the target's kind: on a stream with the stream behind the arguments, for a node with graph
  /// and dependencies in front of them.
  void callWork(const WorkTarget &target, RuntimeFunction onStream, RuntimeFunction asNode, mlir::ValueRange arguments);
  mlir::Value allocateAsNode(const WorkTarget &target, mlir::Value bytes);
  void emitHostRegister(mlir::Value memref, RuntimeFunction function);
  mlir::Value elementCount(mlir::MemRefType type, mlir::Value descriptor);
  mlir::Value elementPointer(mlir::MemRefType type, mlir::Value descriptor);
  mlir::Value sizesArray(mlir::MemRefType type, mlir::Value descriptor);
  mlir::Value stridesArray(mlir::MemRefType type, mlir::Value descriptor, ScratchMemory::Array array);
  /// The rank and a pointer to the descriptor of any memref; `slot` says which scratch memory a ranked one may use.
  std::pair<mlir::Value, mlir::Value> rankAndPointer(mlir::Value memref, unsigned slot);
  uint64_t elementBytes(mlir::Type type);

  // RuntimeEmitterCalls.cpp
  mlir::LogicalResult emitLaunch(LaunchFuncOp op, const WorkTarget &target);
  mlir::LogicalResult emitHostCall(HostCallOp op, const WorkTarget &target);
  mlir::Value kernelHandle(mlir::SymbolRefAttr kernel);
  mlir::LLVM::LLVMFuncOp getTrampoline(HostCallOp op, mlir::LLVM::LLVMStructType arguments);
  void flattenArgument(mlir::Value argument, llvm::SmallVectorImpl<mlir::Value> &values);

  // RuntimeEmitterExpect.cpp
  mlir::LogicalResult emitExpect(ExpectOp op);
  mlir::LogicalResult declareExpect();

  // RuntimeEmitterTrace.cpp
  mlir::Value callTrace(llvm::StringRef function, bool hasResult, mlir::ValueRange arguments);
  void traceAccess(mlir::Value memref, int32_t access);
  void traceElements(mlir::Operation *op, mlir::ValueRange arguments);

  /// The value as its LLVM type, by a cast that the final conversion resolves.
  mlir::Value toLLVM(mlir::Value value);
  /// The address of a constant that holds the bytes, aligned for 64-bit integers.
  mlir::Value dataAddress(llvm::StringRef bytes);
  mlir::Value stringAddress(llvm::StringRef text);
  std::string newSymbol(llvm::StringRef stem) { return (stem + llvm::Twine(numSymbols++)).str(); }
  bool isContiguous(mlir::MemRefType type);

  mlir::ModuleOp module;
  const bool opNames;
  RuntimeCalls runtime;
  HostTypeConverter types;
  mlir::DataLayout layout;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::Type pointerType;
  ScratchMemory scratch;
  /// The last operation of the current function's prologue: streams, constants, scratch memory.
  mlir::Operation *prologueEnd = nullptr;
  mlir::Block *entry = nullptr;
  llvm::DenseMap<std::pair<mlir::Type, int64_t>, mlir::Value> constants;
  mlir::Value null;
  llvm::StringMap<mlir::LLVM::GlobalOp> strings;
  llvm::DenseMap<mlir::Attribute, mlir::LLVM::GlobalOp> kernelHandles;
  llvm::DenseMap<mlir::Attribute, mlir::LLVM::LLVMFuncOp> trampolines;
  unsigned numSymbols = 0;
  mlir::Operation *lastNamed = nullptr;
  mlir::LLVM::LLVMFuncOp expectFunction;

  /// Moves the builder behind the prologue for as long as it lives, and makes what is built there part of it.
  class InPrologue;
  friend class ScratchMemory;
};

/// Marks a global as the slot of a graph.
inline constexpr llvm::StringLiteral kGraphSlotAttribute = "agpu.graph_slot";

/// "file:line:column" of an operation, or kUnknownLocation where its location does not say.
inline constexpr llvm::StringLiteral kUnknownLocation = "unknown";
std::string describeLocation(mlir::Location loc);

/// The name by which the runtime and the harness know an operation: "file:line:column kind".
std::string describeOp(mlir::Operation *op);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_RUNTIMEEMITTER_H
