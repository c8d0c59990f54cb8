// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/KernelBody.h"

#include "lowering/MemorySpaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace lockstep::agpu {

namespace {

bool isWorkgroupAlloca(memref::AllocaOp op) { return isWorkgroupMemory(op.getType()); }

LogicalResult verifyAlloca(memref::AllocaOp op, LaunchOp launch) {
  if (!isWorkgroupMemory(op.getType()) && !isPrivateMemory(op.getType()))
    return success();
  if (!op.getType().hasStaticShape())
    return op.emitOpError("in workgroup or private memory must have a static shape in a kernel");
  if (op->getBlock() != &launch.getBody().front())
    return op.emitOpError("in workgroup or private memory must be in the first block of the kernel");
  return success();
}

LogicalResult verifyKernelOp(Operation *op, LaunchOp launch) {
  if (auto alloca = dyn_cast<memref::AllocaOp>(op))
    return verifyAlloca(alloca, launch);
  if (auto alloc = dyn_cast<memref::AllocOp>(op); alloc && isWorkgroupMemory(alloc.getType()))
    return op->emitOpError("in workgroup memory is not supported in a kernel: use memref.alloca");
  return success();
}

/// Computations on integers that are cheaper to repeat in the kernel than to pass to it.
bool isCheapComputation(Operation *op) {
  if (!isa_and_nonnull<arith::ArithDialect, index::IndexDialect>(op->getDialect()) && !isa<memref::DimOp>(op))
    return false;
  return op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrIndex(); });
}

/// Decides which of the operations above a launch go into its kernel.
class Sinker {
public:
  explicit Sinker(LaunchOp launch) : region(launch.getBody()) {
    getUsedValuesDefinedAbove(region, captured);
    for (Value value : captured)
      visit(value);
  }

  /// In an order in which definitions come before uses.
  ArrayRef<Operation *> getSunk() const { return sunk.getArrayRef(); }

private:
  /// Whether the kernel can have the value without one more argument.
  bool visit(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return captured.contains(value);
    if (sunk.contains(op))
      return true;
    size_t count = sunk.size();
    if (!canSink(op)) {
      // What went along only for the sake of this operation comes back.
      while (sunk.size() > count)
        sunk.pop_back();
      return captured.contains(value);
    }
    sunk.insert(op);
    return true;
  }

  bool canSink(Operation *op) {
    if (op->hasTrait<OpTrait::ConstantLike>())
      return true;
    if (!isCheapComputation(op) || !llvm::all_of(op->getUsers(), [&](Operation *user) { return isInside(user); }))
      return false;
    pending.insert(op);
    bool result = llvm::all_of(op->getOperands(), [&](Value operand) { return visit(operand); });
    pending.erase(op);
    return result;
  }

  bool isInside(Operation *user) {
    return region.isAncestor(user->getParentRegion()) || sunk.contains(user) || pending.contains(user);
  }

  Region &region;
  SetVector<Value> captured;
  SetVector<Operation *> sunk;
  /// Operations that are being looked at: from their operands to the use in the kernel.
  DenseSet<Operation *> pending;
};

/// Gives block and thread ids and sizes, for the region's arguments.
SmallVector<Value> createConfiguration(OpBuilder &builder, Location loc) {
  SmallVector<Value> values;
  static constexpr gpu::Dimension kDimensions[] = {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z};
  for (gpu::Dimension dimension : kDimensions)
    values.push_back(gpu::BlockIdOp::create(builder, loc, dimension));
  for (gpu::Dimension dimension : kDimensions)
    values.push_back(gpu::ThreadIdOp::create(builder, loc, dimension));
  for (gpu::Dimension dimension : kDimensions)
    values.push_back(gpu::GridDimOp::create(builder, loc, dimension));
  for (gpu::Dimension dimension : kDimensions)
    values.push_back(gpu::BlockDimOp::create(builder, loc, dimension));
  return values;
}

void makeAttributions(gpu::GPUFuncOp kernel) {
  for (auto alloca : llvm::make_early_inc_range(kernel.getBody().front().getOps<memref::AllocaOp>())) {
    MemRefType type = alloca.getType();
    if (!isWorkgroupAlloca(alloca) && !isPrivateMemory(type))
      continue;
    BlockArgument attribution = isWorkgroupAlloca(alloca) ? kernel.addWorkgroupAttribution(type, alloca.getLoc())
                                                          : kernel.addPrivateAttribution(type, alloca.getLoc());
    alloca.replaceAllUsesWith(attribution);
    alloca.erase();
  }
}

} // namespace

LogicalResult verifyKernelBody(LaunchOp launch) {
  WalkResult result = launch.getBody().walk([&](Operation *op) -> WalkResult { return verifyKernelOp(op, launch); });
  return failure(result.wasInterrupted());
}

unsigned sinkIntoKernel(LaunchOp launch) {
  Sinker sinker(launch);
  OpBuilder builder = OpBuilder::atBlockBegin(&launch.getBody().front());
  IRMapping mapping;
  for (Operation *op : sinker.getSunk()) {
    Operation *copy = builder.clone(*op, mapping);
    for (auto [original, result] : llvm::zip(op->getResults(), copy->getResults()))
      replaceAllUsesInRegionWith(original, result, launch.getBody());
  }
  // Constants stay for other users; a computation went only where all of its users went too.
  for (Operation *op : llvm::reverse(sinker.getSunk())) {
    if (op->use_empty() && !op->hasTrait<OpTrait::ConstantLike>())
      op->erase();
  }
  return sinker.getSunk().size();
}

SmallVector<Value> getKernelArguments(LaunchOp launch) {
  SetVector<Value> values;
  getUsedValuesDefinedAbove(launch.getBody(), values);
  return values.takeVector();
}

gpu::GPUFuncOp createKernel(LaunchOp launch, ArrayRef<Value> arguments, StringRef name, gpu::GPUModuleOp gpuModule) {
  Location loc = launch.getLoc();
  OpBuilder builder = OpBuilder::atBlockBegin(gpuModule.getBody());
  auto type = builder.getFunctionType(TypeRange(ValueRange(arguments)), {});
  auto kernel = gpu::GPUFuncOp::create(builder, loc, name, type);
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());

  Block &entry = kernel.getBody().front();
  for (auto [value, argument] : llvm::zip(arguments, entry.getArguments()))
    replaceAllUsesInRegionWith(value, argument, launch.getBody());
  builder.setInsertionPointToStart(&entry);
  SmallVector<Value> configuration = createConfiguration(builder, loc);

  Block &first = launch.getBody().front();
  for (auto [argument, value] : llvm::zip_equal(first.getArguments(), configuration))
    argument.replaceAllUsesWith(value);
  entry.getOperations().splice(entry.end(), first.getOperations());
  first.erase();
  kernel.getBody().getBlocks().splice(kernel.getBody().end(), launch.getBody().getBlocks());

  for (Operation &op : llvm::make_early_inc_range(entry.getOperations())) {
    if (isa<gpu::BlockIdOp, gpu::ThreadIdOp, gpu::GridDimOp, gpu::BlockDimOp>(op) && op.use_empty())
      op.erase();
  }
  kernel.walk([](TerminatorOp terminator) {
    OpBuilder atEnd(terminator);
    gpu::ReturnOp::create(atEnd, terminator.getLoc());
    terminator.erase();
  });
  makeAttributions(kernel);
  return kernel;
}

LogicalResult copySymbols(Location loc, gpu::GPUModuleOp gpuModule, SymbolTable &hostSymbols) {
  SymbolTable deviceSymbols(gpuModule);
  SmallVector<Operation *> pending = llvm::to_vector(llvm::make_pointer_range(gpuModule.getBody()->getOperations()));
  while (!pending.empty()) {
    std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(pending.pop_back_val());
    if (!uses)
      return emitError(loc, "a kernel uses symbols in a way that cannot be followed");
    for (const SymbolTable::SymbolUse &use : *uses) {
      StringAttr name = use.getSymbolRef().getRootReference();
      if (deviceSymbols.lookup(name))
        continue;
      Operation *symbol = hostSymbols.lookup(name);
      if (!symbol)
        return use.getUser()->emitOpError("in a kernel uses a symbol that the module does not have: @") << name.str();
      if (auto global = dyn_cast<memref::GlobalOp>(symbol);
          global && !global.getConstant() && !isWorkgroupMemory(global.getType()))
        return use.getUser()->emitOpError("in a kernel uses the global @")
               << name.str() << ", which is not constant: a kernel would get its own copy; pass the memref instead";
      Operation *copy = symbol->clone();
      deviceSymbols.insert(copy);
      pending.push_back(copy);
    }
  }
  return success();
}

} // namespace lockstep::agpu
