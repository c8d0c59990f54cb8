// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/DeviceCompilation.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

namespace lockstep::agpu {

namespace {

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

} // namespace

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

Error linkLibrary(Module &module, StringRef path) {
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
  return Error::success();
}

Expected<std::string> compileModule(Module &module, TargetMachine &machine, CodeGenFileType type, StringRef target) {
  std::string failures;
  LLVMContext &context = module.getContext();
  std::unique_ptr<DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<ErrorCollector>(failures));
  scope_exit restore([&] { context.setDiagnosticHandler(std::move(previous)); });
  optimize(module, machine);

  SmallVector<char, 0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return createStringError("LLVM's " + target + " target cannot write this kind of file");
  passes.run(module);
  if (!failures.empty())
    return createStringError("LLVM's " + target + " target refuses the kernels: " + StringRef(failures).trim());
  return std::string(text.begin(), text.end());
}

Expected<std::string> readFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError("cannot read " + path + ": " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

Error writeFile(StringRef path, StringRef content) {
  std::error_code code;
  raw_fd_ostream stream(path, code);
  stream << content;
  stream.close();
  if (code || stream.has_error()) {
    stream.clear_error();
    return createStringError("cannot write " + path);
  }
  return Error::success();
}

Error runProgram(ArrayRef<StringRef> command) {
  Expected<TemporaryFile> messages = TemporaryFile::create("txt");
  if (!messages)
    return messages.takeError();
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(messages->path), StringRef(messages->path)};
  std::string error;
  int status = sys::ExecuteAndWait(command.front(), command, /*Env=*/std::nullopt, redirects, /*SecondsToWait=*/0,
                                   /*MemoryLimit=*/0, &error);
  if (status == 0)
    return Error::success();
  Expected<std::string> text = readFile(messages->path);
  if (!text)
    return text.takeError();
  return createStringError(command.front() + " failed with status " + Twine(status) + ": " +
                           StringRef(error + *text).trim());
}

} // namespace lockstep::agpu
