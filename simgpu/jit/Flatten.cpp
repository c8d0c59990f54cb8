// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/Flatten.h"
#include "simgpu/jit/BlockContext.h"
#include "simgpu/jit/CallLowering.h"
#include "simgpu/jit/Entries.h"
#include "simgpu/jit/FlattenTypes.h"
#include "simgpu/jit/KernelTarget.h"
#include "simgpu/jit/Variables.h"
#include "simgpu/jit/WaitingLoops.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

/// Casts between address spaces that are written as constants, at any depth below `constant`.
void collectAddressSpaceCasts(Constant *constant, SmallSetVector<Constant *, 8> &casts) {
  if (isa<GlobalValue>(constant))
    return;
  if (auto *expression = dyn_cast<ConstantExpr>(constant);
      expression && expression->getOpcode() == Instruction::AddrSpaceCast)
    casts.insert(expression);
  for (Use &use : constant->operands())
    if (auto *operand = dyn_cast<Constant>(use.get()))
      collectAddressSpaceCasts(operand, casts);
}

class Flattener {
public:
  Flattener(std::unique_ptr<llvm::Module> source, const TargetMachine &host)
      : source(std::move(source)), target(std::make_unique<llvm::Module>("kernels", this->source->getContext())) {
    target->setDataLayout(host.createDataLayout());
    target->setTargetTriple(host.getTargetTriple());
  }

  Expected<FlatProgram> run(const LoweringTable &table) {
    StripDebugInfo(*source);
    for (Function &function : *source)
      if (isKernel(function) && !function.isDeclaration())
        kernels.push_back(&function);
    if (Error error = readTarget())
      return error;
    auto plan = planVariables(*source, kernels);
    if (!plan)
      return plan.takeError();
    variables = std::move(*plan);
    expandConstants();
    declareVariables();
    declareFunctions();
    for (Function &function : *source)
      if (!function.isDeclaration())
        cloneBody(function);
    if (Error error = rewriteCalls(table))
      return error;
    for (Function &function : *target)
      if (!function.isDeclaration())
        letWaitingLoopsYield(function);
    return finish();
  }

private:
  static bool isKernel(const Function &function) {
    return function.getCallingConv() == CallingConv::PTX_Kernel ||
           function.getCallingConv() == CallingConv::AMDGPU_KERNEL;
  }

  Error readTarget() {
    auto target = readKernelTarget(*source, kernels);
    if (!target)
      return target.takeError();
    kernelTarget = *target;
    return Error::success();
  }

  /// Replaces constant expressions over variables by instructions, because the address of a variable will be one.
  void expandConstants() {
    SmallVector<Constant *> roots;
    for (GlobalVariable &variable : source->globals())
      roots.push_back(&variable);
    convertUsersOfConstantsToInstructions(roots);
    SmallSetVector<Constant *, 8> casts;
    for (Function &function : *source)
      for (Instruction &instruction : instructions(function))
        for (Use &use : instruction.operands())
          if (auto *constant = dyn_cast<Constant>(use.get()))
            collectAddressSpaceCasts(constant, casts);
    convertUsersOfConstantsToInstructions(casts.getArrayRef(), nullptr, true, /*IncludeSelf=*/true);
  }

  void declareVariables() {
    for (auto [variable, home] : variables.homes) {
      if (home.kind != VariableHome::hostConstant)
        continue;
      auto *copy = new GlobalVariable(*target, types.remapType(variable->getValueType()), /*isConstant=*/true,
                                      GlobalValue::InternalLinkage, nullptr, variable->getName());
      copy->setAlignment(variable->getAlign());
      copy->setInitializer(MapValue(variable->getInitializer(), values, RF_None, &types));
      values[variable] = copy;
    }
  }

  void declareFunctions() {
    for (Function &function : *source) {
      auto *type = cast<FunctionType>(types.remapType(function.getFunctionType()));
      if (!function.isDeclaration())
        values[&function] = defineFunction(function, type);
      else
        values[&function] = declareExternal(function, type);
    }
  }

  Function *defineFunction(const Function &function, FunctionType *type) {
    Type *word = Type::getInt32Ty(type->getContext());
    SmallVector<Type *> parameters{PointerType::get(type->getContext(), 0), word, word, word};
    static_assert(hiddenParameters == 4);
    append_range(parameters, type->params());
    auto *copy = Function::Create(FunctionType::get(type->getReturnType(), parameters, type->isVarArg()),
                                  GlobalValue::InternalLinkage, "device." + function.getName(), *target);
    for (unsigned i = 0; i != function.arg_size(); ++i)
      values[function.getArg(i)] = copy->getArg(hiddenParameters + i);
    return copy;
  }

  /// Intrinsics of no particular target keep their meaning on the host. Others become plain declarations under a name
  /// that the verifier has no rules for, until rewriteCalls replaces their calls.
  Function *declareExternal(const Function &function, FunctionType *type) {
    if (function.isIntrinsic() && !Intrinsic::isTargetIntrinsic(function.getIntrinsicID())) {
      auto *copy = Function::Create(type, GlobalValue::ExternalLinkage, function.getName(), *target);
      copy->setAttributes(function.getAttributes());
      if (auto renamed = Intrinsic::remangleIntrinsicFunction(copy)) {
        copy->eraseFromParent();
        copy = *renamed;
      }
      externalNames[copy] = Intrinsic::getBaseName(function.getIntrinsicID()).str();
      return copy;
    }
    auto *copy = Function::Create(type, GlobalValue::ExternalLinkage, "extern." + function.getName(), *target);
    externalNames[copy] =
        function.isIntrinsic() ? Intrinsic::getBaseName(function.getIntrinsicID()).str() : function.getName().str();
    return copy;
  }

  void cloneBody(Function &function) {
    auto *copy = cast<Function>(static_cast<Value *>(values[&function]));
    auto *prologue = BasicBlock::Create(copy->getContext(), "prologue", copy);
    SmallSetVector<const GlobalVariable *, 8> used;
    for (Instruction &instruction : instructions(function))
      for (Use &use : instruction.operands())
        if (auto *variable = dyn_cast<GlobalVariable>(use.get()))
          if (auto home = variables.homes.find(variable);
              home != variables.homes.end() && home->second.kind != VariableHome::hostConstant && used.insert(variable))
            values[variable] = addressOf(home->second, *prologue);
    SmallVector<ReturnInst *> returns;
    CloneFunctionInto(copy, &function, values, CloneFunctionChangeType::DifferentModule, returns, "", nullptr, &types);
    for (const GlobalVariable *variable : used)
      values.erase(variable);
    resetAttributes(*copy, function);
    BasicBlock *entry = prologue->getNextNode();
    BranchInst::Create(entry, prologue);
    // Allocas must stand in the entry block to be static.
    MergeBlockIntoPredecessor(entry);
    resetInstructions(*copy);
  }

  Value *addressOf(const VariableHome &home, BasicBlock &prologue) {
    IRBuilder<> builder(&prologue);
    Value *block = prologue.getParent()->getArg(0);
    auto load = [&](Value *base, uint64_t offset) {
      LoadInst *value =
          builder.CreateLoad(builder.getPtrTy(), builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset));
      value->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
      return value;
    };
    switch (home.kind) {
    case VariableHome::table:
      return load(load(block, offsetof(BlockContext, globals)), home.position * sizeof(void *));
    case VariableHome::shared:
      return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), load(block, offsetof(BlockContext, shared)),
                                                home.position);
    case VariableHome::dynamicShared:
      return load(block, offsetof(BlockContext, dynamicShared));
    case VariableHome::hostConstant:
      break;
    }
    llvm_unreachable("constants are mapped once for the module");
  }

  /// Attributes speak of the device target, and some (memory effects, nosync) are untrue once calls are replaced.
  void resetAttributes(Function &copy, const Function &original) {
    AttributeList attributes = copy.getAttributes();
    SmallVector<AttributeSet> parameters;
    for (unsigned i = 0; i != copy.arg_size(); ++i)
      parameters.push_back(withoutRegister(attributes.getParamAttrs(i)));
    copy.setAttributes(AttributeList::get(copy.getContext(), AttributeSet(), attributes.getRetAttrs(), parameters));
    copy.setCallingConv(CallingConv::C);
    copy.setLinkage(GlobalValue::InternalLinkage);
    copy.setVisibility(GlobalValue::DefaultVisibility);
    copy.setComdat(nullptr);
    copy.setSection("");
    copy.addFnAttr(Attribute::NoUnwind);
    // Address 0 faults on the device; it does not make code unreachable.
    copy.addFnAttr(Attribute::NullPointerIsValid);
    // A large frame must not step over the guard page below a fiber's stack.
    copy.addFnAttr("probe-stack", "inline-asm");
    for (Attribute::AttrKind kind : {Attribute::NoInline, Attribute::AlwaysInline})
      if (original.hasFnAttribute(kind))
        copy.addFnAttr(kind);
  }

  /// On the device `inreg` asks for a scalar register; the host would pass the argument in another way.
  AttributeSet withoutRegister(AttributeSet attributes) {
    return attributes.removeAttribute(target->getContext(), Attribute::InReg);
  }

  void resetInstructions(Function &copy) {
    for (Instruction &instruction : make_early_inc_range(instructions(copy))) {
      if (auto *cast = dyn_cast<AddrSpaceCastInst>(&instruction)) {
        cast->replaceAllUsesWith(cast->getOperand(0));
        cast->eraseFromParent();
      } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
        exchange->setSyncScopeID(SyncScope::System);
      } else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
        update->setSyncScopeID(SyncScope::System);
      } else if (auto *fence = dyn_cast<FenceInst>(&instruction)) {
        fence->setSyncScopeID(SyncScope::System);
      } else if (auto *load = dyn_cast<LoadInst>(&instruction); load && load->isAtomic()) {
        load->setSyncScopeID(SyncScope::System);
      } else if (auto *store = dyn_cast<StoreInst>(&instruction); store && store->isAtomic()) {
        store->setSyncScopeID(SyncScope::System);
      }
    }
  }

  Error rewriteCalls(const LoweringTable &table) {
    SmallVector<CallInst *> calls;
    for (Function &function : *target)
      for (Instruction &instruction : instructions(function)) {
        if (auto *call = dyn_cast<CallInst>(&instruction))
          calls.push_back(call);
        else if (isa<CallBase>(instruction))
          return createStringError("function '" + originalName(function) + "' has an invoke, which no GPU runs");
      }
    for (CallInst *call : calls)
      if (Error error = rewriteCall(*call, table))
        return error;
    return Error::success();
  }

  Error rewriteCall(CallInst &call, const LoweringTable &table) {
    if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
      return createStringError("function '" + originalName(*call.getFunction()) + "' holds inline assembly (\"" +
                               assembly->getAsmString() + "\"), which the simulated device cannot run");
    Function *callee = call.getCalledFunction();
    auto external = callee ? externalNames.find(callee) : externalNames.end();
    if (external == externalNames.end()) {
      passHiddenArguments(call);
      return Error::success();
    }
    auto lower = table.find(external->second);
    if (lower == table.end()) {
      if (callee->isIntrinsic())
        return Error::success();
      return createStringError("function '" + originalName(*call.getFunction()) + "' calls '" + external->second +
                               "', which the simulated device does not know");
    }
    CallSite site(call, kernelTarget.warpSize, ++callNumber);
    Value *replacement = lower->second(site);
    if (!replacement || (!call.getType()->isVoidTy() && replacement->getType() != call.getType()))
      return createStringError("function '" + originalName(*call.getFunction()) + "' calls '" + external->second +
                               "' in a form that the simulated device does not support");
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(replacement);
    call.eraseFromParent();
    return Error::success();
  }

  void passHiddenArguments(CallInst &call) {
    Function *caller = call.getFunction();
    SmallVector<Value *> arguments;
    SmallVector<Type *> parameters;
    SmallVector<AttributeSet> attributes;
    for (unsigned i = 0; i != hiddenParameters; ++i) {
      arguments.push_back(caller->getArg(i));
      parameters.push_back(caller->getArg(i)->getType());
      attributes.push_back({});
    }
    append_range(arguments, call.args());
    FunctionType *type = call.getFunctionType();
    append_range(parameters, type->params());
    for (unsigned i = 0; i != call.arg_size(); ++i)
      attributes.push_back(withoutRegister(call.getAttributes().getParamAttrs(i)));
    auto *wider = FunctionType::get(type->getReturnType(), parameters, type->isVarArg());
    auto *replacement = CallInst::Create(wider, call.getCalledOperand(), arguments, "", call.getIterator());
    replacement->setAttributes(
        AttributeList::get(call.getContext(), AttributeSet(), call.getAttributes().getRetAttrs(), attributes));
    replacement->takeName(&call);
    call.replaceAllUsesWith(replacement);
    call.eraseFromParent();
  }

  Expected<FlatProgram> finish() {
    for (auto &[function, name] : externalNames)
      if (function->use_empty())
        function->eraseFromParent();
      else if (!function->isIntrinsic())
        return createStringError("the address of '" + name + "' is taken, which the simulated device does not know");
    if (NamedMDNode *units = target->getNamedMetadata("llvm.dbg.cu"))
      units->eraseFromParent();
    FlatProgram program;
    for (Function *kernel : kernels) {
      CompiledKernel record = describeKernel(*kernel, program.kernels.size());
      record.warpSize = kernelTarget.warpSize;
      record.implicitLayout = kernelTarget.implicitLayout;
      record.staticSharedBytes = variables.sharedBytes.lookup(kernel);
      createEntry(*cast<Function>(static_cast<Value *>(values[kernel])), record);
      program.kernels.push_back(std::move(record));
    }
    std::string message;
    raw_string_ostream stream(message);
    if (verifyModule(*target, &stream))
      return createStringError("the flattened program is not valid: " + message);
    program.variables = std::move(variables.variables);
    program.module = std::move(target);
    return program;
  }

  static std::string originalName(const Function &copy) { return copy.getName().substr(strlen("device.")).str(); }

  std::unique_ptr<llvm::Module> source;
  std::unique_ptr<llvm::Module> target;
  FlattenTypes types;
  ValueToValueMapTy values;
  VariablePlan variables;
  SmallVector<Function *> kernels;
  KernelTarget kernelTarget;
  uint32_t callNumber = 0;
  /// Declared functions of the flattened program and what the device program calls them.
  DenseMap<Function *, std::string> externalNames;
};

} // namespace

Expected<FlatProgram> flatten(std::unique_ptr<llvm::Module> source, const TargetMachine &host) {
  const Triple &triple = source->getTargetTriple();
  if (triple.isNVPTX())
    return Flattener(std::move(source), host).run(nvvmLoweringTable());
  if (triple.isAMDGCN())
    return Flattener(std::move(source), host).run(amdgpuLoweringTable());
  return createStringError("the bitcode is for target '" + triple.str() +
                           "': the simulated device takes bitcode for nvptx64-nvidia-cuda and amdgcn-amd-amdhsa");
}

} // namespace lockstep::simgpu::jit
