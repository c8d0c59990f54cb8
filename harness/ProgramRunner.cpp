// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/ProgramRunner.h"

#include "harness/InstallPaths.h"
#include "harness/NamedOps.h"
#include "harness/order/Trace.h"
#include "runtime-api/Expect.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace lockstep::harness;
using llvm::Twine;
namespace orc = llvm::orc;

namespace {

class JitRunner : public ProgramRunner {
public:
  JitRunner(CompiledProgram program, std::unique_ptr<orc::LLJIT> jit, orc::JITDylib &library)
      : program(std::move(program)), jit(std::move(jit)), library(library) {
    // Why something could not be linked is told to the session only; a failed lookup just says that it failed.
    this->jit->getExecutionSession().setErrorReporter([this](llvm::Error error) {
      std::string text = llvm::toString(std::move(error));
      if (linkProblem.empty())
        linkProblem = std::move(text);
    });
  }

  llvm::Expected<int64_t> run() override;

private:
  llvm::Expected<int64_t> runIn(orc::JITDylib &image);

  CompiledProgram program;
  std::unique_ptr<orc::LLJIT> jit;
  orc::JITDylib &library; ///< What the program may call.
  uint64_t runCount = 0;
  std::string linkProblem; ///< The first that the session reported in this run.
};

} // namespace

ProgramRunner::~ProgramRunner() = default;

static llvm::Error addLibrary(orc::JITDylib &dylib, const std::string &path, char prefix) {
  auto generator = orc::DynamicLibrarySearchGenerator::Load(path.c_str(), prefix);
  if (!generator)
    return generator.takeError();
  dylib.addGenerator(std::move(*generator));
  return llvm::Error::success();
}

/// Everything a program may call, in one library. The wrapper comes first: no other may stand in for its symbols.
static llvm::Error fillLibrary(orc::LLJIT &jit, orc::JITDylib &library, void *wrapper) {
  char prefix = jit.getDataLayout().getGlobalPrefix();
  auto flags = llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable;
  orc::SymbolMap own;
  own[jit.mangleAndIntern("lockstepExpect")] = {orc::ExecutorAddr::fromPtr(&lockstepExpect), flags};
  for (TraceFunction function : traceFunctions())
    own[jit.mangleAndIntern(function.name)] = {orc::ExecutorAddr::fromPtr(function.address), flags};
  own[jit.mangleAndIntern("mgpuSetOp")] = {orc::ExecutorAddr::fromPtr(&countNamedOp), flags};
  if (llvm::Error error = library.define(orc::absoluteSymbols(std::move(own))))
    return error;
  library.addGenerator(
      std::make_unique<orc::DynamicLibrarySearchGenerator>(llvm::sys::DynamicLibrary(wrapper), prefix));
  for (const char *name : {"libmlir_runner_utils.so", "libmlir_c_runner_utils.so", "libmlir_async_runtime.so"})
    if (llvm::Error error = addLibrary(library, installPaths().mlirLibraryDirectory + "/" + name, prefix))
      return error;
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix);
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<ProgramRunner>> ProgramRunner::create(CompiledProgram program, void *wrapper) {
  auto jit =
      orc::LLJITBuilder().setPlatformSetUp(orc::setUpInactivePlatform).setLinkProcessSymbolsByDefault(false).create();
  if (!jit)
    return jit.takeError();
  auto library = (*jit)->createJITDylib("library");
  if (!library)
    return library.takeError();
  if (llvm::Error error = fillLibrary(**jit, *library, wrapper))
    return error;
  return std::make_unique<JitRunner>(std::move(program), std::move(*jit), *library);
}

llvm::Expected<int64_t> JitRunner::run() {
  linkProblem.clear();
  auto image = jit->createJITDylib("program-" + std::to_string(runCount++));
  if (!image)
    return image.takeError();
  image->addToLinkOrder(library);
  llvm::Expected<int64_t> status = runIn(*image);
  llvm::Error removal = jit->getExecutionSession().removeJITDylib(*image);
  if (status) {
    if (removal)
      return removal;
    return status;
  }
  llvm::Error failure = llvm::joinErrors(status.takeError(), std::move(removal));
  if (linkProblem.empty())
    return failure;
  llvm::consumeError(std::move(failure));
  return llvm::createStringError("the program cannot be linked: " + linkProblem);
}

llvm::Expected<int64_t> JitRunner::runIn(orc::JITDylib &image) {
  auto copy = llvm::MemoryBuffer::getMemBuffer(program.object->getMemBufferRef(), /*RequiresNullTerminator=*/false);
  if (llvm::Error error = jit->addObjectFile(image, std::move(copy)))
    return error;
  auto start = jit->lookup(image, kProgramStartSymbol);
  if (!start)
    return start.takeError();
  auto main = jit->lookup(image, "main");
  if (!main)
    return main.takeError();
  auto finish = jit->lookup(image, kProgramFinishSymbol);
  if (!finish)
    return finish.takeError();
  start->toPtr<void (*)()>()();
  int64_t status = 0;
  if (program.mainReturnsStatus)
    status = main->toPtr<int32_t (*)()>()();
  else
    main->toPtr<void (*)()>()();
  finish->toPtr<void (*)()>()();
  return status;
}
