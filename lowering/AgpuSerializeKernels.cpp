// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// agpu-serialize-kernels: gpu.module, already in the LLVM and NVVM dialects, becomes gpu.binary.

#include "lowering/NvptxCompiler.h"
#include "lowering/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/LLVMContext.h"

#define DEBUG_TYPE "agpu-serialize-kernels"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_AGPUSERIALIZEKERNELSPASS
#include "lowering/Passes.h.inc"

namespace {

enum class Format { Bitcode, Isa, Binary };

std::optional<Format> parseFormat(StringRef name) {
  return llvm::StringSwitch<std::optional<Format>>(name)
      .Case("bitcode", Format::Bitcode)
      .Case("isa", Format::Isa)
      .Case("binary", Format::Binary)
      .Default(std::nullopt);
}

gpu::CompilationTarget getObjectFormat(Format format) {
  switch (format) {
  case Format::Bitcode:
    return gpu::CompilationTarget::Offload;
  case Format::Isa:
    return gpu::CompilationTarget::Assembly;
  case Format::Binary:
    return gpu::CompilationTarget::Binary;
  }
  llvm_unreachable("all formats are listed");
}

/// The kernels of a module, in the form in which a gpu.object lists them.
gpu::KernelTableAttr getKernels(gpu::GPUModuleOp module) {
  SmallVector<gpu::KernelMetadataAttr> kernels;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
        function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      kernels.push_back(gpu::KernelMetadataAttr::get(function.getNameAttr(), function.getFunctionType()));
  }
  return gpu::KernelTableAttr::get(module.getContext(), kernels);
}

/// Reports each operation that translation to LLVM IR would only name without its place.
LogicalResult checkIsLlvm(gpu::GPUModuleOp module) {
  bool complete = true;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == module || isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitOpError("is left after the conversion to NVVM");
    complete = false;
    return WalkResult::skip();
  });
  return success(complete);
}

/// Places are for messages; the object must not depend on where its source lies.
void dropLocations(gpu::GPUModuleOp module) {
  Location unknown = UnknownLoc::get(module.getContext());
  module.walk([&](Operation *op) {
    if (op != module)
      op->setLoc(unknown);
  });
}

class AgpuSerializeKernelsPass : public impl::AgpuSerializeKernelsPassBase<AgpuSerializeKernelsPass> {
public:
  using AgpuSerializeKernelsPassBase::AgpuSerializeKernelsPassBase;

private:
  void getDependentDialects(DialectRegistry &registry) const override {
    AgpuSerializeKernelsPassBase::getDependentDialects(registry);
    registerBuiltinDialectTranslation(registry);
    registerGPUDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    registerNVVMDialectTranslation(registry);
  }

  void runOnOperation() override {
    SmallVector<gpu::GPUModuleOp> modules = llvm::to_vector(getOperation().getOps<gpu::GPUModuleOp>());
    std::optional<Format> chosen = parseFormat(format);
    if (target != "nvvm") {
      getOperation().emitError("unknown target '") << target << "': expected nvvm";
      return signalPassFailure();
    }
    if (!chosen) {
      getOperation().emitError("unknown format '") << format << "': expected bitcode, isa or binary";
      return signalPassFailure();
    }
    for (gpu::GPUModuleOp module : modules) {
      if (failed(serialize(module, *chosen)))
        return signalPassFailure();
    }
  }

  LogicalResult serialize(gpu::GPUModuleOp module, Format format);
  llvm::Expected<std::string> compile(llvm::Module &module, llvm::TargetMachine &machine, const NvptxOptions &options,
                                      Format format);
};

llvm::Expected<std::string> AgpuSerializeKernelsPass::compile(llvm::Module &module, llvm::TargetMachine &machine,
                                                              const NvptxOptions &options, Format format) {
  if (format == Format::Bitcode)
    return writeWrappedBitcode(module);
  llvm::Expected<std::string> ptx = compileToPtx(module, machine, options);
  if (!ptx || format == Format::Isa)
    return ptx;
  return assemblePtx(*ptx, options);
}

LogicalResult AgpuSerializeKernelsPass::serialize(gpu::GPUModuleOp module, Format format) {
  auto emit = [&](llvm::Error error) {
    return module.emitOpError("cannot be serialized: ") << llvm::toString(std::move(error));
  };
  NvptxOptions options{chip, features, cudaPath, ptxas};
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine = createNvptxTargetMachine(options);
  if (!machine)
    return emit(machine.takeError());

  if (failed(checkIsLlvm(module)))
    return failure();
  dropLocations(module);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule = translateModuleToLLVMIR(module, context, module.getName());
  if (!llvmModule)
    return module.emitOpError("cannot be serialized: it has no translation to LLVM IR");
  llvmModule->setTargetTriple(llvm::Triple(kNvptxTriple));
  llvmModule->setDataLayout((*machine)->createDataLayout());

  llvm::Expected<std::string> object = compile(*llvmModule, **machine, options, format);
  if (!object)
    return emit(object.takeError());

  OpBuilder builder(module);
  auto targetAttr = NVVM::NVVMTargetAttr::get(&getContext(), /*optLevel=*/2, kNvptxTriple, chip, features);
  auto objectAttr = gpu::ObjectAttr::get(&getContext(), targetAttr, getObjectFormat(format),
                                         builder.getStringAttr(*object), /*properties=*/nullptr, getKernels(module));
  gpu::BinaryOp::create(builder, module.getLoc(), module.getName(), /*offloadingHandler=*/nullptr,
                        ArrayRef<Attribute>(objectAttr));
  module.erase();
  ++moduleCount;
  byteCount += object->size();
  return success();
}

} // namespace
} // namespace lockstep::agpu
