// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/ProgramCompiler.h"

#include "harness/LoweredProgram.h"
#include "harness/ProgramLoader.h"

#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

#include <map>

using namespace lockstep::harness;
using llvm::StringRef;

/// Replaces llvm.global_ctors (or _dtors) by a function that calls its entries in the order of their priorities.
/// Entries with the same priority keep their order.
static void replaceStructors(llvm::Module &module, StringRef listName,
                             llvm::iterator_range<llvm::orc::CtorDtorIterator> entries, StringRef functionName) {
  std::multimap<unsigned, llvm::Function *> structors;
  for (llvm::orc::CtorDtorIterator::Element entry : entries)
    if (entry.Func)
      structors.insert({entry.Priority, entry.Func});
  llvm::FunctionType *type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
  auto *function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, functionName, module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", function));
  for (auto [priority, structor] : structors)
    builder.CreateCall(type, structor);
  builder.CreateRetVoid();
  if (llvm::GlobalVariable *list = module.getNamedGlobal(listName))
    list->eraseFromParent();
}

/// Coroutines, into which upstream's async passes turn bodies, are split by passes that code generation does not run.
static void splitCoroutines(llvm::Module &module) {
  if (llvm::none_of(module, [](const llvm::Function &function) { return function.isPresplitCoroutine(); }))
    return;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0).run(module, modules);
}

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> emitObject(llvm::Module &module) {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  // The host part only calls the runtime: what counts is how fast it is compiled.
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  builder->setRelocationModel(llvm::Reloc::PIC_);
  builder->setCodeModel(llvm::CodeModel::Small);
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  module.setDataLayout((*machine)->createDataLayout());
  module.setTargetTriple((*machine)->getTargetTriple());
  splitCoroutines(module);
  return llvm::orc::SimpleCompiler(**machine)(module);
}

namespace {

class MlirCompiler : public ProgramCompiler {
public:
  llvm::Expected<CompiledProgram> compile(StringRef path, const LoweringRequest &request) override;

private:
  std::unique_ptr<mlir::MLIRContext> context = createProgramContext();
};

} // namespace

ProgramCompiler::~ProgramCompiler() = default;

std::unique_ptr<ProgramCompiler> ProgramCompiler::create() { return std::make_unique<MlirCompiler>(); }

llvm::Expected<CompiledProgram> MlirCompiler::compile(StringRef path, const LoweringRequest &request) {
  auto module = loadProgram(*context, path);
  if (!module)
    return module.takeError();
  llvm::Expected<ProgramFacts> facts = inspectProgram(**module, path);
  if (!facts)
    return facts.takeError();
  if (llvm::Error error = lowerProgram(**module, request))
    return error;
  llvm::LLVMContext llvmContext;
  llvm::Expected<std::unique_ptr<llvm::Module>> host = translateHostPart(**module, llvmContext);
  if (!host)
    return host.takeError();
  replaceStructors(**host, "llvm.global_ctors", llvm::orc::getConstructors(**host), kProgramStartSymbol);
  replaceStructors(**host, "llvm.global_dtors", llvm::orc::getDestructors(**host), kProgramFinishSymbol);
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> object = emitObject(**host);
  if (!object)
    return object.takeError();
  return CompiledProgram{std::move(*object), facts->mainReturnsStatus};
}
