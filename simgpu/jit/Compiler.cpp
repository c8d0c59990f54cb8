// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/Compiler.h"
#include "simgpu/jit/Flatten.h"
#include "simgpu/jit/HostSymbols.h"
#include "simgpu/jit/Image.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

Expected<orc::JITTargetMachineBuilder> hostMachineBuilder() {
  static const bool initialized = [] { return !InitializeNativeTarget() && !InitializeNativeTargetAsmPrinter(); }();
  if (!initialized)
    return createStringError("this LLVM cannot generate code for the host processor");
  auto builder = orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(CodeGenOptLevel::Default);
  // Unreachable code traps, which is reported, instead of running into whatever follows.
  builder->getOptions().TrapUnreachable = true;
  return builder;
}

void optimize(llvm::Module &module, TargetMachine &host) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder passes(&host);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);
  passes.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(module, modules);
}

Error defineHostSymbols(orc::LLJIT &engine) {
  orc::MangleAndInterner mangle(engine.getExecutionSession(), engine.getDataLayout());
  orc::SymbolMap symbols;
  for (const HostSymbol &symbol : hostSymbols())
    symbols[mangle(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                    JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  return engine.getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols)));
}

} // namespace

Expected<std::unique_ptr<TargetMachine>> createHostMachine() {
  auto builder = hostMachineBuilder();
  if (!builder)
    return builder.takeError();
  return builder->createTargetMachine();
}

Expected<FlatProgram> flattenImage(StringRef image, LLVMContext &context, const TargetMachine &host) {
  if (Error error = checkIsBitcode(image))
    return error;
  auto source = parseBitcodeFile(MemoryBufferRef(image, "device image"), context);
  if (!source)
    return source.takeError();
  return flatten(std::move(*source), host);
}

Expected<std::shared_ptr<const CompiledModule>>
compileProgram(FlatProgram program, std::unique_ptr<LLVMContext> context, TargetMachine &host) {
  optimize(*program.module, host);
  auto builder = hostMachineBuilder();
  if (!builder)
    return builder.takeError();
  auto engine = orc::LLJITBuilder()
                    .setJITTargetMachineBuilder(std::move(*builder))
                    .setLinkProcessSymbolsByDefault(false)
                    .setPlatformSetUp(orc::setUpInactivePlatform)
                    .create();
  if (!engine)
    return engine.takeError();
  if (Error error = defineHostSymbols(**engine))
    return error;
  if (Error error = (*engine)->addIRModule(orc::ThreadSafeModule(std::move(program.module), std::move(context))))
    return error;
  auto compiled = std::make_shared<CompiledModule>();
  compiled->kernels = std::move(program.kernels);
  compiled->variables = std::move(program.variables);
  for (CompiledKernel &kernel : compiled->kernels) {
    auto entry = (*engine)->lookup(kernel.entrySymbol);
    if (!entry)
      return entry.takeError();
    kernel.entry = entry->toPtr<void *>();
  }
  compiled->engine = std::move(*engine);
  return compiled;
}

} // namespace lockstep::simgpu::jit
