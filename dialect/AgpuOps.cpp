// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verifiers. Each check carries the label of the rule in AgpuOps.td that it enforces; docs/parts/dialect-spec.md
// lists them all.

#include "dialect/AgpuOps.h"

#include "dialect/AgpuAssembly.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace lockstep::agpu;

#define GET_OP_CLASSES
#include "dialect/AgpuOps.cpp.inc"

/// Reports |message| on |op|, with notes that say what was expected and what is there.
template <typename Expected, typename Actual>
static LogicalResult emitMismatch(Operation *op, StringRef message, const Expected &expected, const Actual &actual) {
  InFlightDiagnostic error = op->emitOpError(message);
  error.attachNote() << "expected: " << expected;
  error.attachNote() << "actual: " << actual;
  return failure();
}

/// Checks that |arguments| are those of |function|, and that no chain is among them.
static LogicalResult verifyArguments(Operation *op, TypeRange arguments, FunctionOpInterface function) {
  TypeRange parameters = function.getArgumentTypes();
  if (arguments.size() != parameters.size())
    return emitMismatch(op, "has another number of arguments than its function", parameters.size(), arguments.size());
  for (auto [index, types] : llvm::enumerate(llvm::zip_equal(parameters, arguments))) {
    auto [parameter, argument] = types;
    if (parameter == argument)
      continue;
    InFlightDiagnostic error = op->emitOpError() << "argument " << index << " has another type than its function takes";
    error.attachNote() << "expected: " << parameter;
    error.attachNote() << "actual: " << argument;
    return failure();
  }
  return success();
}

static LogicalResult verifyNoChainArgument(Operation *op, TypeRange arguments) {
  for (auto [index, type] : llvm::enumerate(arguments))
    if (isa<ChainType>(type))
      return emitMismatch(op, "passes a chain as an argument", "chains only between the brackets", index);
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

LogicalResult AllocOp::verify() {
  auto type = cast<MemRefType>(getMemref().getType());
  // ALLOC-4
  if (getSizes().size() != type.getNumDynamicDims())
    return emitMismatch(*this, "has another number of sizes than its type has dynamic dimensions",
                        type.getNumDynamicDims(), getSizes().size());
  // ALLOC-5
  if (!type.getLayout().isIdentity())
    return emitMismatch(
        *this, "allocates a memref whose layout is not the identity",
        MemRefType::get(type.getShape(), type.getElementType(), MemRefLayoutAttrInterface(), type.getMemorySpace()),
        type);
  return success();
}

LogicalResult MemcpyOp::verify() {
  auto dst = cast<BaseMemRefType>(getDst().getType());
  auto src = cast<BaseMemRefType>(getSrc().getType());
  // MEMCPY-2: what is unknown here, an unranked memref or a dynamic size, is the program's promise.
  if (dst.getElementType() != src.getElementType())
    return emitMismatch(*this, "copies between different element types", dst.getElementType(), src.getElementType());
  if (!dst.hasRank() || !src.hasRank())
    return success();
  if (dst.getRank() != src.getRank())
    return emitMismatch(*this, "copies between different ranks", dst.getRank(), src.getRank());
  if (failed(verifyCompatibleShape(dst.getShape(), src.getShape())))
    return emitMismatch(*this, "copies between different shapes", dst, src);
  return success();
}

LogicalResult MemsetOp::verify() {
  Type element = cast<BaseMemRefType>(getDst().getType()).getElementType();
  // MEMSET-2
  unsigned width = element.isIndex() ? 64 : element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  if (!llvm::is_contained({8u, 16u, 32u, 64u}, width))
    return emitMismatch(*this, "cannot fill memory of this element type",
                        "an integer, index or float type of 8, 16, 32 or 64 bits", element);
  if (element != getValue().getType())
    return emitMismatch(*this, "fills with a value of another type than the elements", element, getValue().getType());
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

LogicalResult LaunchOp::verify() {
  // LAUNCH-2
  if (getBody().empty())
    return emitMismatch(*this, "has an empty region", "a kernel", "no block");
  Block &entry = getBody().front();
  bool argumentsMatch = entry.getNumArguments() == kNumConfigRegionArguments &&
                        llvm::all_of(entry.getArgumentTypes(), [](Type type) { return type.isIndex(); });
  if (!argumentsMatch)
    return emitMismatch(*this, "has other region arguments than ids and sizes", "12 arguments of type index",
                        entry.getArgumentTypes());
  return success();
}

LogicalResult LaunchOp::verifyRegions() {
  // LAUNCH-5: a block leaves the region where it has no successor.
  for (Block &block : getBody()) {
    if (block.getNumSuccessors() || isa_and_present<TerminatorOp>(block.empty() ? nullptr : &block.back()))
      continue;
    InFlightDiagnostic error = emitOpError("has a block that does not end in agpu.terminator");
    if (!block.empty())
      error.attachNote(block.back().getLoc()) << "actual: " << block.back().getName();
    return failure();
  }
  WalkResult walk = getBody().walk([&](Operation *nested) -> WalkResult {
    // LAUNCH-6
    if (isa_and_present<AgpuDialect>(nested->getDialect()) && !isa<TerminatorOp>(nested)) {
      InFlightDiagnostic error = emitOpError("holds a device operation in its kernel");
      error.attachNote(nested->getLoc()) << "actual: " << nested->getName();
      return WalkResult::interrupt();
    }
    // LAUNCH-3
    if (llvm::any_of(nested->getOperandTypes(), llvm::IsaPred<ChainType>)) {
      InFlightDiagnostic error = emitOpError("uses a chain in its kernel");
      error.attachNote(nested->getLoc()) << "actual: used by " << nested->getName();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// Whether |function| is marked as a kernel, at any stage of its lowering.
static bool isKernel(FunctionOpInterface function) {
  if (function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()))
    return true;
  // Upstream's conversions of gpu.func to the LLVM dialect mark kernels for their target.
  return isa<LLVM::LLVMFuncOp>(function) && (function->hasAttr("nvvm.kernel") || function->hasAttr("rocdl.kernel"));
}

LogicalResult LaunchFuncOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // LAUNCHFUNC-3
  if (failed(verifyNoChainArgument(*this, getKernelOperands().getTypes())))
    return failure();
  // LAUNCHFUNC-1
  if (getKernel().getNestedReferences().size() != 1)
    return emitMismatch(*this, "names its kernel in an unknown form", "@module::@kernel", getKernel());
  Operation *container = symbols.lookupNearestSymbolFrom(*this, getKernelModuleName());
  if (!container)
    return emitMismatch(*this, "names a kernel module that does not exist", "a gpu.module or gpu.binary",
                        getKernelModuleName());
  // What is in a binary cannot be seen from here.
  if (isa<gpu::BinaryOp>(container))
    return success();
  if (!isa<gpu::GPUModuleOp>(container))
    return emitMismatch(*this, "names a kernel module that is none", "a gpu.module or gpu.binary",
                        container->getName());
  Operation *symbol = symbols.lookupSymbolIn(container, getKernelName());
  if (!symbol)
    return emitMismatch(*this, "names a kernel that does not exist in its module", "a function with gpu.kernel",
                        getKernel());
  auto function = dyn_cast<FunctionOpInterface>(symbol);
  if (!function || !isKernel(function))
    return emitMismatch(*this, "names a symbol that is no kernel", "a function with gpu.kernel", symbol->getName());
  // LAUNCHFUNC-2: the LLVM dialect passes a memref as several arguments.
  if (isa<LLVM::LLVMFuncOp>(symbol))
    return success();
  return verifyArguments(*this, getKernelOperands().getTypes(), function);
}

//===----------------------------------------------------------------------===//
// Host
//===----------------------------------------------------------------------===//

LogicalResult HostCallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // HOSTCALL-6
  if (failed(verifyNoChainArgument(*this, getArguments().getTypes())))
    return failure();
  Operation *symbol = symbols.lookupNearestSymbolFrom(*this, getCalleeAttr());
  if (!symbol)
    return emitMismatch(*this, "names a host function that does not exist", "a function", getCalleeAttr());
  auto function = dyn_cast<FunctionOpInterface>(symbol);
  if (!function)
    return emitMismatch(*this, "names a symbol that is no function", "a function", symbol->getName());
  // HOSTCALL-2
  if (function.getNumResults() != 0)
    return emitMismatch(*this, "calls a host function that has results", 0, function.getNumResults());
  // HOSTCALL-5
  if (failed(verifyArguments(*this, getArguments().getTypes(), function)))
    return failure();
  // HOSTCALL-3: only the body itself is looked at, not what it calls.
  Operation *deviceOp = nullptr;
  function.getFunctionBody().walk([&](Operation *nested) {
    if (!isa<ChainOpInterface, gpu::AsyncOpInterface>(nested))
      return WalkResult::advance();
    deviceOp = nested;
    return WalkResult::interrupt();
  });
  if (!deviceOp)
    return success();
  InFlightDiagnostic error = emitOpError("calls a host function that does a device operation");
  error.attachNote(deviceOp->getLoc()) << "actual: " << deviceOp->getName();
  return failure();
}

LogicalResult ExpectOp::verify() {
  auto memref = cast<BaseMemRefType>(getMemref().getType());
  ShapedType expected = getExpected().getShapedType();
  // EXPECT-2: what is unknown here, an unranked memref or a dynamic size, is compared when the program runs.
  if (memref.getElementType() != expected.getElementType())
    return emitMismatch(*this, "expects another element type than the memory has", memref.getElementType(),
                        expected.getElementType());
  if (memref.hasRank() && memref.getRank() != expected.getRank())
    return emitMismatch(*this, "expects another rank than the memory has", memref.getRank(), expected.getRank());
  if (memref.hasRank() && failed(verifyCompatibleShape(memref.getShape(), expected.getShape())))
    return emitMismatch(*this, "expects another shape than the memory has", memref, expected);
  // EXPECT-6
  if (!getToleranceAttr())
    return success();
  if (!isa<FloatType>(expected.getElementType()))
    return emitMismatch(*this, "has a tolerance on elements that are not floats", "a float type",
                        expected.getElementType());
  // Written so that a NaN fails too.
  double tolerance = getToleranceAttr().getValueAsDouble();
  if (!(tolerance >= 0.0))
    return emitMismatch(*this, "has a tolerance that is no distance", "a number, 0 or more", getToleranceAttr());
  return success();
}
