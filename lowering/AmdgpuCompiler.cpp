// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/AmdgpuCompiler.h"

#include "lowering/DeviceCompilation.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

// The headers that declare these name every target of LLVM; a build of LLVM without AMDGPU is found out at run time.
extern "C" {
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmPrinter();
}

using namespace llvm;

namespace lockstep::agpu {

namespace {

constexpr unsigned kCodeObjectVersion = 500;
constexpr unsigned kConstantSpace = 4;
constexpr unsigned kImplicitArgumentBytes = 256;

const Target *findAmdgpuTarget(std::string &error) {
  static const bool initialized = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    return true;
  }();
  (void)initialized;
  return TargetRegistry::lookupTarget(Triple(kAmdgpuTriple), error);
}

bool isDeviceLibraryCall(const Function &function) {
  return function.isDeclaration() && !function.use_empty() &&
         (function.getName().starts_with("__ocml_") || function.getName().starts_with("__ockl_"));
}

SmallVector<StringRef> getDeviceLibraryCalls(const Module &module) {
  SmallVector<StringRef> names;
  for (const Function &function : module) {
    if (isDeviceLibraryCall(function))
      names.push_back(function.getName());
  }
  return names;
}

/// A reader of the implicit arguments in place of a library function of one dimension.
void defineSizeFunction(Module &module, StringRef name, unsigned bytes, unsigned firstOffset) {
  Function *function = module.getFunction(name);
  if (!function || !isDeviceLibraryCall(*function))
    return;
  function->setLinkage(GlobalValue::InternalLinkage);
  function->addFnAttr(Attribute::AlwaysInline);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "entry", function));
  Value *arguments = builder.CreateIntrinsic(builder.getPtrTy(kConstantSpace), Intrinsic::amdgcn_implicitarg_ptr, {});
  Value *dimension = builder.CreateZExtOrTrunc(function->getArg(0), builder.getInt64Ty());
  Value *offset =
      builder.CreateAdd(builder.CreateMul(dimension, builder.getInt64(bytes)), builder.getInt64(firstOffset));
  Value *address = builder.CreateGEP(builder.getInt8Ty(), arguments, offset);
  Value *size = builder.CreateAlignedLoad(builder.getIntNTy(bytes * 8), address, Align(bytes));
  builder.CreateRet(builder.CreateZExtOrTrunc(size, function->getReturnType()));
}

/// A library function that LLVM has an intrinsic for, which needs no library.
void defineByIntrinsic(Module &module, StringRef name, Intrinsic::ID id) {
  Function *function = module.getFunction(name);
  if (!function || !isDeviceLibraryCall(*function))
    return;
  function->setLinkage(GlobalValue::InternalLinkage);
  function->addFnAttr(Attribute::AlwaysInline);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "entry", function));
  SmallVector<Value *> arguments(llvm::make_pointer_range(function->args()));
  builder.CreateRet(builder.CreateIntrinsic(id, {function->getReturnType()}, arguments));
}

/// What needs no library: the sizes of block and grid, and arithmetic that the processor has instructions for.
void defineSimpleFunctions(Module &module) {
  defineSizeFunction(module, "__ockl_get_num_groups", /*bytes=*/4, /*firstOffset=*/0);
  defineSizeFunction(module, "__ockl_get_local_size", /*bytes=*/2, /*firstOffset=*/12);
  for (StringRef suffix : {"_f16", "_f32", "_f64"})
    for (auto [name, id] :
         {std::pair("floor", Intrinsic::floor), std::pair("ceil", Intrinsic::ceil),
          std::pair("trunc", Intrinsic::trunc), std::pair("rint", Intrinsic::rint),
          std::pair("round", Intrinsic::round), std::pair("fabs", Intrinsic::fabs), std::pair("fma", Intrinsic::fma),
          std::pair("sqrt", Intrinsic::sqrt), std::pair("fmin", Intrinsic::minnum),
          std::pair("fmax", Intrinsic::maxnum), std::pair("copysign", Intrinsic::copysign)})
      defineByIntrinsic(module, ("__ocml_" + Twine(name) + suffix).str(), id);
}

/// On this target variables of a function live in address space 5; what says otherwise gets its address from there.
void movePrivateVariables(Function &function) {
  constexpr unsigned privateSpace = 5;
  SmallVector<AllocaInst *> variables;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction); variable && variable->getAddressSpace() != privateSpace)
      variables.push_back(variable);
  for (AllocaInst *variable : variables) {
    IRBuilder<> builder(variable);
    auto *moved = builder.CreateAlloca(variable->getAllocatedType(), privateSpace, variable->getArraySize());
    moved->setAlignment(variable->getAlign());
    variable->replaceAllUsesWith(builder.CreateAddrSpaceCast(moved, variable->getType()));
    variable->eraseFromParent();
  }
}

/// The constants by which the device library is told about the processor, which clang otherwise takes from files.
void addControlConstant(Module &module, StringRef name, unsigned value, unsigned bits) {
  auto *type = IntegerType::get(module.getContext(), bits);
  auto *variable =
      new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::LinkOnceODRLinkage,
                         ConstantInt::get(type, value), name, nullptr, GlobalValue::NotThreadLocal, kConstantSpace);
  variable->setVisibility(GlobalValue::ProtectedVisibility);
  variable->setAlignment(Align(bits / 8));
  variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Local);
}

/// gfx90a is 9010: major, minor and stepping, the last one hexadecimal.
unsigned getIsaVersion(StringRef chip) {
  StringRef digits = chip.drop_front(3);
  unsigned major = 0, minor = 0, stepping = 0;
  digits.drop_back(2).getAsInteger(10, major);
  digits.take_back(2).take_front(1).getAsInteger(16, minor);
  digits.take_back(1).getAsInteger(16, stepping);
  return major * 1000 + minor * 100 + stepping;
}

Error linkDeviceLibraries(Module &module, const AmdgpuOptions &options) {
  defineSimpleFunctions(module);
  SmallVector<StringRef> calls = getDeviceLibraryCalls(module);
  if (calls.empty())
    return Error::success();
  SmallString<128> folder(findRocm(options.rocmPath));
  sys::path::append(folder, "amdgcn", "bitcode");
  for (StringRef name : {"ocml.bc", "ockl.bc"}) {
    SmallString<128> path(folder);
    sys::path::append(path, name);
    if (!sys::fs::exists(path))
      return createStringError("unresolved device library functions " + join(calls, ", ") +
                               ": they need ROCm's device libraries, but there is no " + path +
                               "; install ROCm, give its folder with rocm-path, or use format=bitcode");
  }
  addControlConstant(module, "__oclc_finite_only_opt", 0, 8);
  addControlConstant(module, "__oclc_unsafe_math_opt", 0, 8);
  addControlConstant(module, "__oclc_daz_opt", 0, 8);
  addControlConstant(module, "__oclc_correctly_rounded_sqrt32", 1, 8);
  addControlConstant(module, "__oclc_wavefrontsize64", options.subgroupSize == 64, 8);
  addControlConstant(module, "__oclc_ISA_version", getIsaVersion(options.chip), 32);
  addControlConstant(module, "__oclc_ABI_version", kCodeObjectVersion, 32);
  for (StringRef name : {"ocml.bc", "ockl.bc"}) {
    SmallString<128> path(folder);
    sys::path::append(path, name);
    if (Error error = linkLibrary(module, path))
      return error;
  }
  SmallVector<StringRef> rest = getDeviceLibraryCalls(module);
  if (!rest.empty())
    return createStringError("unresolved device library functions " + join(rest, ", ") + ": the libraries in " +
                             folder + " do not define them");
  return Error::success();
}

Expected<std::string> findLld(const AmdgpuOptions &options) {
  if (!options.lld.empty()) {
    if (sys::fs::can_execute(options.lld))
      return options.lld;
    return createStringError("ld.lld not found: " + options.lld + " is not a program");
  }
  SmallString<128> rocm(findRocm(options.rocmPath));
  sys::path::append(rocm, "llvm", "bin", "ld.lld");
  if (sys::fs::can_execute(rocm))
    return std::string(rocm);
  for (StringRef name : {"ld.lld-22", "ld.lld"}) {
    if (ErrorOr<std::string> program = sys::findProgramByName(name))
      return *program;
  }
  return createStringError("ld.lld not found: neither at " + rocm +
                           " nor on the PATH; install lld, give the program with lld, or use format=isa");
}

} // namespace

std::string findRocm(StringRef rocmPath) {
  if (!rocmPath.empty())
    return rocmPath.str();
  for (const char *variable : {"ROCM_PATH", "HIP_PATH"}) {
    const char *value = std::getenv(variable);
    if (value && *value)
      return value;
  }
  return "/opt/rocm";
}

Expected<std::unique_ptr<TargetMachine>> createAmdgpuTargetMachine(const AmdgpuOptions &options) {
  std::string error;
  const Target *target = findAmdgpuTarget(error);
  if (!target)
    return createStringError("this LLVM has no AMDGPU target: " + error);
  Triple triple(kAmdgpuTriple);
  // Asked first: creating a machine for an unknown processor prints a warning and goes on with another one.
  std::unique_ptr<MCSubtargetInfo> subtarget(target->createMCSubtargetInfo(triple, "", ""));
  if (!subtarget || !subtarget->isCPUStringValid(options.chip) || !StringRef(options.chip).starts_with("gfx"))
    return createStringError("unknown chip '" + options.chip + "': expected a name such as gfx90a");
  std::unique_ptr<TargetMachine> machine(
      target->createTargetMachine(triple, options.chip, options.features, TargetOptions(), Reloc::PIC_));
  if (!machine)
    return createStringError("LLVM cannot create a code generator for " + options.chip);
  return machine;
}

void prepareAmdgpuModule(Module &module, const TargetMachine &machine, const AmdgpuOptions &options) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  module.addModuleFlag(Module::Error, "amdhsa_code_object_version", kCodeObjectVersion);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    movePrivateVariables(function);
    function.addFnAttr("target-cpu", options.chip);
    std::string features = options.features;
    StringRef wave = options.subgroupSize == 64 ? "+wavefrontsize64" : "+wavefrontsize32";
    if (!StringRef(features).contains(wave))
      features += (features.empty() ? "" : ",") + wave.str();
    function.addFnAttr("target-features", features);
    if (function.getCallingConv() != CallingConv::AMDGPU_KERNEL)
      continue;
    function.addFnAttr("amdgpu-implicitarg-num-bytes", utostr(kImplicitArgumentBytes));
    function.addFnAttr("uniform-work-group-size", "true");
  }
}

Expected<std::string> compileToAmdgpuIsa(Module &module, TargetMachine &machine, const AmdgpuOptions &options) {
  if (Error error = linkDeviceLibraries(module, options))
    return error;
  return compileModule(module, machine, CodeGenFileType::AssemblyFile, "AMDGPU");
}

Expected<std::string> compileToHsaco(Module &module, TargetMachine &machine, const AmdgpuOptions &options) {
  Expected<std::string> program = findLld(options);
  if (!program)
    return program.takeError();
  if (Error error = linkDeviceLibraries(module, options))
    return error;
  Expected<std::string> object = compileModule(module, machine, CodeGenFileType::ObjectFile, "AMDGPU");
  if (!object)
    return object;
  Expected<TemporaryFile> input = TemporaryFile::create("o");
  if (!input)
    return input.takeError();
  Expected<TemporaryFile> output = TemporaryFile::create("hsaco");
  if (!output)
    return output.takeError();
  if (Error error = writeFile(input->path, *object))
    return error;
  if (Error error = runProgram({*program, "-shared", "--no-undefined", input->path, "-o", output->path}))
    return error;
  return readFile(output->path);
}

} // namespace lockstep::agpu
