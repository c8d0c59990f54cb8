// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/NvptxCompiler.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/IPO/Internalize.h"

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
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> library = parseIRFile(path, diagnostic, module.getContext());
  if (!library)
    return createStringError("cannot read " + path + ": " + diagnostic.getMessage());
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  auto internalize = [](Module &linked, const StringSet<> &added) {
    internalizeModule(linked,
                      [&](const GlobalValue &value) { return !value.hasName() || !added.contains(value.getName()); });
  };
  if (Linker::linkModules(module, std::move(library), Linker::Flags::LinkOnlyNeeded, internalize))
    return createStringError("cannot link " + path + " into the kernels");
  SmallVector<StringRef> rest = getDeviceLibraryCalls(module);
  if (!rest.empty())
    return createStringError("unresolved device library functions " + join(rest, ", ") + ": " + path +
                             " does not define them");
  return Error::success();
}

void optimize(Module &module, TargetMachine &machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(module, modules);
}

/// Keeps what LLVM reports as errors, which would otherwise end the process.
struct ErrorCollector : DiagnosticHandler {
  explicit ErrorCollector(std::string &text) : text(text) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    raw_string_ostream stream(text);
    DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    stream << '\n';
    return true;
  }

  std::string &text;
};

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

/// A temporary file that is removed with this object.
struct TemporaryFile {
  static Expected<TemporaryFile> create(StringRef suffix) {
    TemporaryFile file;
    if (std::error_code code = sys::fs::createTemporaryFile("lockstep-kernels", suffix, file.path))
      return createStringError("cannot create a temporary file: " + code.message());
    return file;
  }
  TemporaryFile() = default;
  TemporaryFile(TemporaryFile &&other) : path(std::move(other.path)) { other.path.clear(); }
  ~TemporaryFile() {
    if (!path.empty())
      sys::fs::remove(path);
  }

  SmallString<128> path;
};

Expected<std::string> readFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError("cannot read " + path + ": " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

Error runPtxas(StringRef program, const NvptxOptions &options, StringRef input, StringRef output, StringRef messages) {
  SmallVector<StringRef> arguments{program, "-arch", options.chip, input, "-o", output};
  std::optional<StringRef> redirects[] = {StringRef(), messages, messages};
  std::string error;
  int status = sys::ExecuteAndWait(program, arguments, /*Env=*/std::nullopt, redirects, /*SecondsToWait=*/0,
                                   /*MemoryLimit=*/0, &error);
  if (status == 0)
    return Error::success();
  Expected<std::string> text = readFile(messages);
  if (!text)
    return text.takeError();
  return createStringError(program + " failed with status " + Twine(status) + ": " + StringRef(error + *text).trim());
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

std::string writeWrappedBitcode(const Module &module) {
  SmallVector<char, 0> bitcode;
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(module, stream);

  constexpr uint32_t magic = 0x0B17C0DE, version = 0, processor = 0, headerBytes = 20;
  std::string result;
  raw_string_ostream output(result);
  support::endian::Writer writer(output, endianness::little);
  for (uint32_t word : {magic, version, headerBytes, static_cast<uint32_t>(bitcode.size()), processor})
    writer.write(word);
  output.write(bitcode.data(), bitcode.size());
  return result;
}

Expected<std::string> compileToPtx(Module &module, TargetMachine &machine, const NvptxOptions &options) {
  if (Error error = linkDeviceLibrary(module, options))
    return error;
  std::string failures;
  LLVMContext &context = module.getContext();
  std::unique_ptr<DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<ErrorCollector>(failures));
  scope_exit restore([&] { context.setDiagnosticHandler(std::move(previous)); });
  optimize(module, machine);

  SmallVector<char, 0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile))
    return createStringError("LLVM's NVPTX target cannot write PTX");
  passes.run(module);
  if (!failures.empty())
    return createStringError("LLVM's NVPTX target refuses the kernels: " + StringRef(failures).trim());
  return std::string(text.begin(), text.end());
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
  Expected<TemporaryFile> messages = TemporaryFile::create("txt");
  if (!messages)
    return messages.takeError();

  std::error_code code;
  raw_fd_ostream stream(input->path, code);
  stream << ptx;
  stream.close();
  if (code || stream.has_error()) {
    stream.clear_error();
    return createStringError("cannot write " + input->path);
  }
  if (Error error = runPtxas(*program, options, input->path, output->path, messages->path))
    return error;
  return readFile(output->path);
}

} // namespace lockstep::agpu
