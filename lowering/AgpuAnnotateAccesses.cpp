// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// agpu-annotate-accesses: writes down what kernels and host functions do through their arguments.

#include "lowering/ArgumentAccesses.h"
#include "lowering/MemoryAccess.h"
#include "lowering/Passes.h"

#include "dialect/AgpuOps.h"

#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "agpu-annotate-accesses"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_AGPUANNOTATEACCESSESPASS
#include "lowering/Passes.h.inc"

namespace {

constexpr StringLiteral kAttribute = "agpu.argument_accesses";
constexpr int8_t kReads = 1, kWrites = 2;

class AgpuAnnotateAccessesPass : public impl::AgpuAnnotateAccessesPassBase<AgpuAnnotateAccessesPass> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    AccessFinder finder(symbols);
    getOperation().walk([&](Operation *op) {
      if (auto launch = dyn_cast<LaunchFuncOp>(op))
        annotate(op, launch.getKernelOperands(), finder);
      else if (auto call = dyn_cast<HostCallOp>(op))
        annotate(op, call.getArguments(), finder);
    });
  }

  void annotate(Operation *op, ValueRange arguments, AccessFinder &finder) {
    llvm::DenseMap<Value, int8_t> accesses;
    for (const Access &access : finder.find(op))
      accesses[access.range.view] |= (access.reads ? kReads : 0) | (access.writes ? kWrites : 0);
    auto flags = llvm::map_to_vector(arguments, [&](Value argument) { return accesses.lookup(argument); });
    op->setAttr(kAttribute, DenseI8ArrayAttr::get(op->getContext(), flags));
  }
};

} // namespace

std::optional<SmallVector<ArgumentAccess>> getArgumentAccesses(Operation *op) {
  auto attribute = op->getAttrOfType<DenseI8ArrayAttr>(kAttribute);
  if (!attribute)
    return std::nullopt;
  return llvm::map_to_vector(attribute.asArrayRef(), [](int8_t flags) {
    return ArgumentAccess{(flags & kReads) != 0, (flags & kWrites) != 0};
  });
}

} // namespace lockstep::agpu
