// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// agpu-embed-kernels: gpu.binary becomes data of the host program, loaded by a constructor that fills kernel handles.

#include "dialect/AgpuOps.h"
#include "lowering/Passes.h"
#include "lowering/RuntimeCalls.h"
#include "lowering/RuntimeEmitter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "agpu-embed-kernels"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_AGPUEMBEDKERNELSPASS
#include "lowering/Passes.h.inc"

namespace {

constexpr StringLiteral kKernelAttribute = "agpu.kernel";
/// Upstream's modules use the same: after the runtime library's own constructors, before a program's.
constexpr int32_t kConstructorPriority = 123;
constexpr int32_t kDefaultJitLevel = 2;
constexpr uint64_t kDataAlignBytes = 8;

/// A pointer global that the constructor fills with a kernel's function handle.
struct KernelHandle {
  LLVM::GlobalOp global;
  StringAttr kernel;
};

/// The handles of each binary, in program order.
using HandleMap = llvm::MapVector<Operation *, SmallVector<KernelHandle>>;

gpu::ObjectAttr getObject(gpu::BinaryOp binary) { return cast<gpu::ObjectAttr>(binary.getObjects()[0]); }

LogicalResult checkKernel(LLVM::GlobalOp global, gpu::BinaryOp binary, SymbolRefAttr reference) {
  gpu::KernelTableAttr kernels = getObject(binary).getKernels();
  // A binary made elsewhere may come without a table; then the driver is the judge.
  if (!kernels || kernels.lookup(reference.getLeafReference()))
    return success();
  InFlightDiagnostic diagnostic = global.emitOpError("names a kernel that does not exist: ") << reference;
  diagnostic.attachNote(binary.getLoc()) << "the module has " << kernels.size() << " kernels";
  for (gpu::KernelMetadataAttr kernel : kernels)
    diagnostic.attachNote(binary.getLoc()) << "it has the kernel @" << kernel.getName().getValue();
  return diagnostic;
}

LogicalResult collectHandles(ModuleOp module, HandleMap &handles) {
  SymbolTable symbols(module);
  for (auto binary : module.getOps<gpu::BinaryOp>())
    handles[binary];
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    Attribute attribute = global->getAttr(kKernelAttribute);
    if (!attribute)
      continue;
    auto reference = dyn_cast<SymbolRefAttr>(attribute);
    if (!reference || reference.getNestedReferences().size() != 1 ||
        !isa<LLVM::LLVMPointerType>(global.getGlobalType()))
      return global.emitOpError("with the attribute '")
             << kKernelAttribute << "' must be a pointer and name a kernel as @module::@kernel";
    auto binary = symbols.lookup<gpu::BinaryOp>(reference.getRootReference());
    if (!binary)
      return global.emitOpError("names a kernel of a gpu.binary that does not exist: ") << reference;
    if (failed(checkKernel(global, binary, reference)))
      return failure();
    handles[binary].push_back({global, reference.getLeafReference()});
  }
  return success();
}

/// Builds the constructor and the destructor of the module.
class Embedder {
public:
  explicit Embedder(ModuleOp module)
      : module(module), builder(module.getContext()), runtime(module),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  LogicalResult verify() {
    if (failed(runtime.verifyNames()))
      return failure();
    WalkResult result = module.walk([](Operation *op) -> WalkResult {
      if (isa<LaunchOp, LaunchFuncOp, gpu::LaunchFuncOp>(op))
        return op->emitOpError("is not lowered yet, and the kernel that it names is about to become data");
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  void embed(gpu::BinaryOp binary, ArrayRef<KernelHandle> handles);
  void finish();

private:
  LLVM::GlobalOp createData(Location loc, StringRef name, StringRef bytes, uint64_t alignBytes);
  void createZeroInitializer(LLVM::GlobalOp global);
  LLVM::LLVMFuncOp createFunction(StringRef name);
  Value createLoad(gpu::BinaryOp binary, Value data);
  Value createConstant(Location loc, Type type, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value));
  }

  ModuleOp module;
  OpBuilder builder;
  RuntimeCalls runtime;
  Type pointer;
  LLVM::LLVMFuncOp constructor;
  SmallVector<LLVM::GlobalOp> loaded;
};

LLVM::GlobalOp Embedder::createData(Location loc, StringRef name, StringRef bytes, uint64_t alignBytes) {
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  return LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
                                builder.getStringAttr(bytes), alignBytes);
}

void Embedder::createZeroInitializer(LLVM::GlobalOp global) {
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&global.getInitializerRegion());
  builder.setInsertionPointToStart(block);
  Value zero = LLVM::ZeroOp::create(builder, global.getLoc(), pointer);
  LLVM::ReturnOp::create(builder, global.getLoc(), zero);
}

/// An empty function at the end of the module; the builder is left in it.
LLVM::LLVMFuncOp Embedder::createFunction(StringRef name) {
  builder.setInsertionPointToEnd(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(module.getContext()), {});
  auto function = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type, LLVM::Linkage::Internal);
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  return function;
}

Value Embedder::createLoad(gpu::BinaryOp binary, Value data) {
  Location loc = binary.getLoc();
  gpu::ObjectAttr object = getObject(binary);
  if (object.getFormat() != gpu::CompilationTarget::Assembly) {
    Value size = createConstant(loc, builder.getI64Type(), object.getObject().size());
    return runtime.call(builder, loc, RuntimeFunction::mgpuModuleLoad, {data, size}).getResult();
  }
  auto properties = object.getProperties();
  auto level = properties ? properties.getAs<IntegerAttr>("O") : IntegerAttr();
  Value levelValue = createConstant(loc, builder.getI32Type(), level ? level.getInt() : kDefaultJitLevel);
  return runtime.call(builder, loc, RuntimeFunction::mgpuModuleLoadJIT, {data, levelValue}).getResult();
}

void Embedder::embed(gpu::BinaryOp binary, ArrayRef<KernelHandle> handles) {
  Location loc = binary.getLoc();
  std::string name = binary.getName().str();
  if (!constructor)
    constructor = createFunction("agpu.load_kernels");

  builder.setInsertionPoint(binary);
  std::string bytes = getObject(binary).getObject().getValue().str();
  if (getObject(binary).getFormat() == gpu::CompilationTarget::Assembly)
    bytes.push_back('\0');
  LLVM::GlobalOp data = createData(loc, "agpu.data." + name, bytes, kDataAlignBytes);
  auto handle = LLVM::GlobalOp::create(builder, loc, pointer, /*isConstant=*/false, LLVM::Linkage::Internal,
                                       "agpu.module." + name, Attribute());
  createZeroInitializer(handle);
  loaded.push_back(handle);

  builder.setInsertionPointToEnd(&constructor.getBody().front());
  Value moduleValue = createLoad(binary, LLVM::AddressOfOp::create(builder, loc, data));
  LLVM::StoreOp::create(builder, loc, moduleValue, LLVM::AddressOfOp::create(builder, loc, handle));
  for (const KernelHandle &kernel : handles) {
    LLVM::GlobalOp global = kernel.global;
    if (global.getInitializerRegion().empty() && !global.getValueOrNull())
      createZeroInitializer(global);
    LLVM::GlobalOp kernelName;
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(binary);
      std::string text = kernel.kernel.str() + '\0';
      kernelName = createData(loc, ("agpu.name." + global.getName()).str(), text, /*alignBytes=*/0);
    }
    Value nameValue = LLVM::AddressOfOp::create(builder, loc, kernelName);
    Value function =
        runtime.call(builder, loc, RuntimeFunction::mgpuModuleGetFunction, {moduleValue, nameValue}).getResult();
    LLVM::StoreOp::create(builder, loc, function, LLVM::AddressOfOp::create(builder, loc, global));
  }
  binary.erase();
}

void Embedder::finish() {
  Location loc = module.getLoc();
  ArrayAttr priority = builder.getI32ArrayAttr(kConstructorPriority);
  ArrayAttr noData = builder.getArrayAttr(LLVM::ZeroAttr::get(module.getContext()));
  auto nameOf = [&](LLVM::LLVMFuncOp function) { return builder.getArrayAttr(FlatSymbolRefAttr::get(function)); };
  if (constructor) {
    builder.setInsertionPointToEnd(&constructor.getBody().front());
    LLVM::ReturnOp::create(builder, loc, ValueRange());
    builder.setInsertionPointToEnd(module.getBody());
    LLVM::GlobalCtorsOp::create(builder, loc, nameOf(constructor), priority, noData);
  }
  auto slots = llvm::filter_to_vector(module.getOps<LLVM::GlobalOp>(),
                                      [](LLVM::GlobalOp global) { return global->hasAttr(kGraphSlotAttribute); });
  if (slots.empty() && loaded.empty())
    return;
  // Graphs name functions of the modules, so they go first.
  LLVM::LLVMFuncOp destructor = createFunction("agpu.teardown");
  for (LLVM::GlobalOp slot : slots) {
    runtime.call(builder, loc, RuntimeFunction::mgpuGraphRelease,
                 LLVM::AddressOfOp::create(builder, loc, slot).getResult());
    slot->removeAttr(kGraphSlotAttribute);
  }
  for (LLVM::GlobalOp handle : llvm::reverse(loaded)) {
    Value moduleValue = LLVM::LoadOp::create(builder, loc, pointer, LLVM::AddressOfOp::create(builder, loc, handle));
    runtime.call(builder, loc, RuntimeFunction::mgpuModuleUnload, moduleValue);
  }
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  builder.setInsertionPointToEnd(module.getBody());
  LLVM::GlobalDtorsOp::create(builder, loc, nameOf(destructor), priority, noData);
}

class AgpuEmbedKernelsPass : public impl::AgpuEmbedKernelsPassBase<AgpuEmbedKernelsPass> {
  void runOnOperation() override {
    HandleMap handles;
    Embedder embedder(getOperation());
    if (failed(embedder.verify()) || failed(collectHandles(getOperation(), handles)))
      return signalPassFailure();
    for (auto &[op, kernels] : handles) {
      auto binary = cast<gpu::BinaryOp>(op);
      if (kernels.empty()) {
        binary.erase();
        ++droppedCount;
        continue;
      }
      embedder.embed(binary, kernels);
      ++moduleCount;
    }
    embedder.finish();
  }
};

} // namespace
} // namespace lockstep::agpu
