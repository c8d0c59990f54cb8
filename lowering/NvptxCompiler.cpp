// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/NvptxCompiler.h"

#include "lowering/DeviceCompilation.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

// The headers that declare these name every target of LLVM; a build of LLVM without NVPTX is found out at run time.
extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

using namespace llvm;

namespace lockstep::agpu {

namespace {

constexpr StringLiteral kDeviceLibraryPrefix = "__nv_";

const Target *findNvptxTarget(std::string &error) {
  static const bool initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialized;
  return TargetRegistry::lookupTarget(Triple(kNvptxTriple), error);
}

SmallVector<StringRef> getDeviceLibraryCalls(const Module &module) {
  SmallVector<StringRef> names;
  for (const Function &function : module) {
    if (function.isDeclaration() && !function.use_empty() && function.getName().starts_with(kDeviceLibraryPrefix))
      names.push_back(function.getName());
  }
  return names;
}

std::string getDeviceLibraryPath(const NvptxOptions &options) {
  SmallString<128> path(findCudaToolkit(options.cudaPath));
  sys::path::append(path, "nvvm", "libdevice", "libdevice.10.bc");
  return std::string(path);
}

Error linkDeviceLibrary(Module &module, const NvptxOptions &options) {
  SmallVector<StringRef> calls = getDeviceLibraryCalls(module);
  if (calls.empty())
    return Error::success();
  std::string path = getDeviceLibraryPath(options);
  if (!sys::fs::exists(path)) {
    return createStringError("unresolved device library functions " + join(calls, ", ") +
                             ": they need the CUDA toolkit's libdevice, which is not at " + path +
                             "; install the toolkit, give its folder with cuda-path, or use format=bitcode");
  }
  if (Error error = linkLibrary(module, path))
    return error;
  SmallVector<StringRef> rest = getDeviceLibraryCalls(module);
  if (!rest.empty())
    return createStringError("unresolved device library functions " + join(rest, ", ") + ": " + path +
                             " does not define them");
  return Error::success();
}

Expected<std::string> findPtxas(const NvptxOptions &options) {
  if (!options.ptxas.empty()) {
    if (sys::fs::can_execute(options.ptxas))
      return options.ptxas;
    return createStringError("ptxas not found: " + options.ptxas + " is not a program");
  }
  if (ErrorOr<std::string> program = sys::findProgramByName("ptxas"))
    return *program;
  SmallString<128> path(findCudaToolkit(options.cudaPath));
  sys::path::append(path, "bin", "ptxas");
  if (sys::fs::can_execute(path))
    return std::string(path);
  return createStringError("ptxas not found: neither on the PATH nor at " + path +
                           "; install the CUDA toolkit, give the program with ptxas, or use format=isa");
}

} // namespace

std::string findCudaToolkit(StringRef cudaPath) {
  if (!cudaPath.empty())
    return cudaPath.str();
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"}) {
    const char *value = std::getenv(variable);
    if (value && *value)
      return value;
  }
  return "/usr/local/cuda";
}

Expected<std::unique_ptr<TargetMachine>> createNvptxTargetMachine(const NvptxOptions &options) {
  std::string error;
  const Target *target = findNvptxTarget(error);
  if (!target)
    return createStringError("this LLVM has no NVPTX target: " + error);
  Triple triple(kNvptxTriple);
  // Asked first: creating a machine for an unknown processor prints a warning and goes on with another one.
  std::unique_ptr<MCSubtargetInfo> subtarget(target->createMCSubtargetInfo(triple, "", ""));
  if (!subtarget || !subtarget->isCPUStringValid(options.chip))
    return createStringError("unknown chip '" + options.chip + "': expected a name such as sm_75");
  std::unique_ptr<TargetMachine> machine(
      target->createTargetMachine(triple, options.chip, options.features, TargetOptions(), Reloc::PIC_));
  if (!machine)
    return createStringError("LLVM cannot create a code generator for " + options.chip);
  return machine;
}

Expected<std::string> compileToPtx(Module &module, TargetMachine &machine, const NvptxOptions &options) {
  if (Error error = linkDeviceLibrary(module, options))
    return error;
  return compileModule(module, machine, CodeGenFileType::AssemblyFile, "NVPTX");
}

Expected<std::string> assemblePtx(StringRef ptx, const NvptxOptions &options) {
  Expected<std::string> program = findPtxas(options);
  if (!program)
    return program.takeError();
  Expected<TemporaryFile> input = TemporaryFile::create("ptx");
  if (!input)
    return input.takeError();
  Expected<TemporaryFile> output = TemporaryFile::create("cubin");
  if (!output)
    return output.takeError();

  if (Error error = writeFile(input->path, ptx))
    return error;
  if (Error error = runProgram({*program, "-arch", options.chip, input->path, "-o", output->path}))
    return error;
  return readFile(output->path);
}

} // namespace lockstep::agpu
