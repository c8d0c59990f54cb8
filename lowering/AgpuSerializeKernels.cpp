// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// agpu-serialize-kernels: gpu.module, already in the LLVM dialect and the target's, becomes gpu.binary.

#include "lowering/AmdgpuCompiler.h"
#include "lowering/DeviceCompilation.h"
#include "lowering/KernelTarget.h"
#include "lowering/NvptxCompiler.h"
#include "lowering/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
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
        function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) ||
        function->hasAttr(ROCDL::ROCDLDialect::getKernelFuncAttrName()))
      kernels.push_back(gpu::KernelMetadataAttr::get(function.getNameAttr(), function.getFunctionType()));
  }
  return gpu::KernelTableAttr::get(module.getContext(), kernels);
}

/// Reports each operation that translation to LLVM IR would only name without its place.
LogicalResult checkIsLlvm(gpu::GPUModuleOp module, KernelTargetKind kind) {
  bool isNvvm = kind == KernelTargetKind::Nvvm;
  bool complete = true;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    Dialect *dialect = op->getDialect();
    bool isTargets =
        isNvvm ? isa_and_nonnull<NVVM::NVVMDialect>(dialect) : isa_and_nonnull<ROCDL::ROCDLDialect>(dialect);
    if (op == module || isTargets || isa_and_nonnull<LLVM::LLVMDialect>(dialect))
      return WalkResult::advance();
    op->emitOpError("is left after the conversion to ") << (isNvvm ? "NVVM" : "ROCDL");
    complete = false;
    return WalkResult::skip();
  });
  return success(complete);
}

/// Upstream's translation bounds blocks by 256 threads where a kernel says nothing; a launch may have 1024.
void setBlockBound(gpu::GPUModuleOp module) {
  constexpr StringLiteral bound = "rocdl.flat_work_group_size";
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function->hasAttr(ROCDL::ROCDLDialect::getKernelFuncAttrName()) && !function->hasAttr(bound) &&
        !function->hasAttr("rocdl.max_flat_work_group_size"))
      function->setAttr(bound, StringAttr::get(module.getContext(), "1,1024"));
  }
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
    registerROCDLDialectTranslation(registry);
  }

  void runOnOperation() override {
    SmallVector<gpu::GPUModuleOp> modules = llvm::to_vector(getOperation().getOps<gpu::GPUModuleOp>());
    std::optional<Format> chosen = parseFormat(format);
    std::optional<KernelTargetKind> kind = parseKernelTarget(target);
    if (!kind) {
      getOperation().emitError("unknown target '") << target << "': expected nvvm or rocdl";
      return signalPassFailure();
    }
    if (!chosen) {
      getOperation().emitError("unknown format '") << format << "': expected bitcode, isa or binary";
      return signalPassFailure();
    }
    for (gpu::GPUModuleOp module : modules) {
      if (failed(serialize(module, {*kind, chip, features}, *chosen)))
        return signalPassFailure();
    }
  }

  LogicalResult serialize(gpu::GPUModuleOp module, const KernelTarget &kernelTarget, Format format);
  /// Bytes of the object.
  llvm::Expected<std::string> compileNvvm(llvm::Module &module, const KernelTarget &kernelTarget, Format format);
  llvm::Expected<std::string> compileRocdl(llvm::Module &module, const KernelTarget &kernelTarget, Format format);
  Attribute getTargetAttribute(const KernelTarget &kernelTarget);
};

llvm::Expected<std::string> AgpuSerializeKernelsPass::compileNvvm(llvm::Module &module,
                                                                  const KernelTarget &kernelTarget, Format format) {
  NvptxOptions options{kernelTarget.getChip(), features, cudaPath, ptxas};
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine = createNvptxTargetMachine(options);
  if (!machine)
    return machine.takeError();
  module.setTargetTriple(llvm::Triple(kNvptxTriple));
  module.setDataLayout((*machine)->createDataLayout());
  if (format == Format::Bitcode)
    return writeWrappedBitcode(module);
  llvm::Expected<std::string> ptx = compileToPtx(module, **machine, options);
  if (!ptx || format == Format::Isa)
    return ptx;
  return assemblePtx(*ptx, options);
}

llvm::Expected<std::string> AgpuSerializeKernelsPass::compileRocdl(llvm::Module &module,
                                                                   const KernelTarget &kernelTarget, Format format) {
  AmdgpuOptions options{kernelTarget.getChip(), features, kernelTarget.getSubgroupSize(), rocmPath, lld};
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine = createAmdgpuTargetMachine(options);
  if (!machine)
    return machine.takeError();
  prepareAmdgpuModule(module, **machine, options);
  if (format == Format::Bitcode)
    return writeWrappedBitcode(module);
  return format == Format::Isa ? compileToAmdgpuIsa(module, **machine, options)
                               : compileToHsaco(module, **machine, options);
}

Attribute AgpuSerializeKernelsPass::getTargetAttribute(const KernelTarget &kernelTarget) {
  if (kernelTarget.kind == KernelTargetKind::Nvvm)
    return NVVM::NVVMTargetAttr::get(&getContext(), /*optLevel=*/2, kNvptxTriple, kernelTarget.getChip(), features);
  return ROCDL::ROCDLTargetAttr::get(&getContext(), /*optLevel=*/2, kAmdgpuTriple, kernelTarget.getChip(), features,
                                     /*abiVersion=*/"500");
}

LogicalResult AgpuSerializeKernelsPass::serialize(gpu::GPUModuleOp module, const KernelTarget &kernelTarget,
                                                  Format format) {
  if (failed(checkIsLlvm(module, kernelTarget.kind)))
    return failure();
  dropLocations(module);
  if (kernelTarget.kind == KernelTargetKind::Rocdl)
    setBlockBound(module);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule = translateModuleToLLVMIR(module, context, module.getName());
  if (!llvmModule)
    return module.emitOpError("cannot be serialized: it has no translation to LLVM IR");
  llvm::Expected<std::string> object = kernelTarget.kind == KernelTargetKind::Nvvm
                                           ? compileNvvm(*llvmModule, kernelTarget, format)
                                           : compileRocdl(*llvmModule, kernelTarget, format);
  if (!object)
    return module.emitOpError("cannot be serialized: ") << llvm::toString(object.takeError());

  OpBuilder builder(module);
  auto objectAttr = gpu::ObjectAttr::get(&getContext(), getTargetAttribute(kernelTarget), getObjectFormat(format),
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
