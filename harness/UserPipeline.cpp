// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/UserPipeline.h"

#include "harness/ExitStatus.h"
#include "harness/ProgramLoader.h"
#include "harness/UserPipelineCheck.h"
#include "lowering/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ErrorHandling.h"

#include <unistd.h>

using namespace lockstep::harness;
using llvm::StringRef;

llvm::Error lockstep::harness::registerPasses(llvm::ArrayRef<std::string> pluginPaths) {
  static const bool once = [] {
    mlir::registerAllPasses();
    lockstep::agpu::registerLoweringPasses();
    return true;
  }();
  (void)once;
  static llvm::StringSet<> loaded;
  for (const std::string &path : pluginPaths) {
    if (!loaded.insert(path).second)
      continue;
    llvm::Expected<mlir::PassPlugin> plugin = mlir::PassPlugin::load(path);
    if (!plugin)
      return usageError("--load-pass-plugin '" + path + "': " + llvm::toString(plugin.takeError()));
    plugin->registerPassRegistryCallbacks();
  }
  return llvm::Error::success();
}

/// The parser writes "NAME:1:14: error: MESSAGE" and more lines, where columns count from behind the first bracket; of
/// brackets that do not close it gives no place.
static std::string oneLineWithPosition(StringRef pipeline, StringRef message) {
  StringRef line = message.split('\n').first.trim();
  size_t bracket = pipeline.find('(');
  auto [place, what] = line.split(" error: ");
  size_t column = 0;
  if (what.empty() || place.drop_back().rsplit(':').second.getAsInteger(10, column)) {
    what = line;
    column = bracket == StringRef::npos ? 1 : pipeline.size();
  } else {
    column += bracket + 1;
  }
  return ("position " + llvm::Twine(column) + ": " + what).str();
}

static llvm::Expected<mlir::OpPassManager> parse(StringRef pipeline) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  llvm::FailureOr<mlir::OpPassManager> passes = mlir::parsePassPipeline(pipeline, stream);
  if (mlir::failed(passes))
    return usageError("pipeline: " + oneLineWithPosition(pipeline, message));
  StringRef anchor = passes->getOpAnchorName();
  if (anchor != mlir::ModuleOp::getOperationName() && anchor != mlir::OpPassManager::getAnyOpAnchorName())
    return usageError("pipeline: position 1: it runs on '" + anchor + "', not on a program; write builtin.module(...)");
  return std::move(*passes);
}

/// MLIR ends the process where a pass stands on an operation that it does not run on: with one line of ours.
static void exitWithReason(void *, const char *reason, bool) {
  _exit(reportError(usageError(llvm::Twine("pipeline: ") + reason)));
}

llvm::Error lockstep::harness::checkUserPipelines(llvm::ArrayRef<std::string> pipelines,
                                                  llvm::ArrayRef<std::string> passPlugins) {
  if (llvm::Error error = registerPasses(passPlugins))
    return error;
  llvm::ScopedFatalErrorHandler handler(exitWithReason);
  for (const std::string &pipeline : pipelines)
    if (llvm::Expected<mlir::OpPassManager> passes = parse(pipeline); !passes)
      return passes.takeError();
  return llvm::Error::success();
}

static llvm::Error checkIsLlvm(mlir::ModuleOp module) {
  mlir::Operation *left = nullptr;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (op == module || llvm::isa_and_nonnull<mlir::LLVM::LLVMDialect>(op->getDialect()))
      return mlir::WalkResult::advance();
    if (llvm::isa<mlir::gpu::BinaryOp>(op))
      return mlir::WalkResult::skip();
    left = op;
    return mlir::WalkResult::interrupt();
  });
  if (!left)
    return llvm::Error::success();
  DiagnosticText diagnostics(*module.getContext());
  left->emitOpError("is left after the pipeline, which must end in the LLVM dialect");
  return llvm::createStringError(diagnostics.firstError());
}

llvm::Error lockstep::harness::runUserPipeline(mlir::ModuleOp module, StringRef pipeline) {
  llvm::Expected<mlir::OpPassManager> parsed = parse(pipeline);
  if (!parsed)
    return parsed.takeError();
  mlir::PassManager passes(module.getContext(), mlir::ModuleOp::getOperationName());
  static_cast<mlir::OpPassManager &>(passes) = std::move(*parsed);
  {
    DiagnosticText diagnostics(*module.getContext());
    if (mlir::failed(passes.run(module))) {
      const std::string &message = diagnostics.firstError();
      return llvm::createStringError(message.empty() ? "the pipeline failed and did not say why" : message);
    }
  }
  if (llvm::Error error = checkIsLlvm(module))
    return error;
  mlir::PassManager naming(module.getContext(), mlir::ModuleOp::getOperationName());
  naming.addPass(lockstep::agpu::createAgpuNameRuntimeCallsPass());
  return mlir::succeeded(naming.run(module)) ? llvm::Error::success()
                                             : llvm::createStringError("operations could not be named to the runtime");
}
