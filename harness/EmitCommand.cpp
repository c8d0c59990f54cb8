// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/EmitCommand.h"

#include "harness/Backends.h"
#include "harness/ChainGraph.h"
#include "harness/LoweredProgram.h"
#include "harness/Lowerings.h"
#include "harness/ProgramLoader.h"
#include "harness/graphviz/Graphviz.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace lockstep::harness;
using llvm::StringRef;

static const StringRef kStages[] = {"agpu", "gpu", "lowered", "llvm", "isa", "dot", "svg"};

static std::string textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  stream << '\n';
  return text;
}

static llvm::Expected<std::string> emitLlvm(mlir::ModuleOp module, const LoweringRequest &request) {
  if (llvm::Error error = lowerProgram(module, request))
    return error;
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> host = translateHostPart(module, context);
  if (!host)
    return host.takeError();
  std::string text;
  llvm::raw_string_ostream(text) << **host;
  return text;
}

static llvm::Expected<std::string> emitStage(mlir::ModuleOp module, StringRef stage, const LoweringRequest &request) {
  if (stage == "llvm")
    return emitLlvm(module, request);
  if (stage == "isa")
    return emitKernelAssembly(module, request);
  llvm::Error error = stage == "lowered" ? lowerToRuntimeCalls(module, request)
                      : stage == "gpu"   ? exportProgram(module)
                                         : importProgram(module);
  if (error)
    return error;
  if (stage != "dot" && stage != "svg")
    return textOf(module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  writeChainGraph(module, stream);
  if (stage == "dot")
    return text;
  return renderSvg(text);
}

static llvm::Error checkOptions(const EmitOptions &options) {
  if (options.input.empty())
    return usageError("emit needs a FILE.mlir; try 'lockstep emit --help'");
  if (options.stage.empty())
    return usageError("emit needs --stage agpu, gpu, lowered, llvm, isa, dot or svg");
  if (!llvm::is_contained(kStages, options.stage))
    return unknownNameError("stage", options.stage, kStages);
  if (!llvm::is_contained(knownLowerings(), options.lowering))
    return unknownNameError("lowering", options.lowering, knownLowerings());
  return findBackend(options.backend).takeError();
}

/// To a pipe or a device.
static llvm::Error writeInto(StringRef path, StringRef text) {
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code, llvm::sys::fs::CD_OpenExisting);
  if (!code) {
    stream << text;
    stream.close();
    code = stream.error();
    stream.clear_error();
  }
  return code ? usageError("cannot write '" + path + "': " + code.message()) : llvm::Error::success();
}

/// A regular file is replaced, as a whole or not at all; through a link, so that the link stays.
static llvm::Error write(StringRef path, StringRef text) {
  if (path == "-") {
    llvm::outs() << text;
    return llvm::Error::success();
  }
  llvm::SmallString<256> file = path;
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(path, status)) {
    if (!llvm::sys::fs::is_regular_file(status))
      return writeInto(path, text);
    if (std::error_code code = llvm::sys::fs::real_path(path, file))
      return usageError("cannot write '" + path + "': " + code.message());
  }
  return llvm::handleErrors(
      llvm::writeToOutput(file,
                          [&](llvm::raw_ostream &stream) {
                            stream << text;
                            return llvm::Error::success();
                          }),
      [&](const llvm::ErrorInfoBase &info) { return usageError("cannot write '" + path + "': " + info.message()); });
}

ExitStatus lockstep::harness::emitCommand(const EmitOptions &options) {
  if (llvm::Error error = checkOptions(options))
    return reportError(std::move(error));
  std::unique_ptr<mlir::MLIRContext> context = createProgramContext();
  auto module = loadProgram(*context, options.input);
  if (!module)
    return reportError(module.takeError());
  llvm::Expected<std::string> text = emitStage(**module, options.stage, {options.lowering, options.backend, true});
  if (!text) {
    // The input is readable and the options are right: that it cannot be lowered is a finding about it.
    reportError(text.takeError());
    return kExitFindings;
  }
  if (llvm::Error error = write(options.output, *text))
    return reportError(std::move(error));
  return kExitAsExpected;
}
