// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// agpu-annotate-accesses: writes down what kernels and host functions certainly do through their arguments.

#include "lowering/CertainAccesses.h"
#include "lowering/Passes.h"

#include "dialect/AgpuOps.h"

#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "agpu-annotate-accesses"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_AGPUANNOTATEACCESSESPASS
#include "lowering/Passes.h.inc"

namespace {

constexpr StringLiteral kAttribute = "agpu.certain_accesses";
constexpr int64_t kRead = 1, kWrite = 2;

/// The kind, then the indices.
Attribute encode(const CertainAccess &access, MLIRContext *context) {
  SmallVector<int64_t> numbers = {access.isWrite ? kWrite : kRead};
  numbers.append(access.indices);
  return DenseI64ArrayAttr::get(context, numbers);
}

CertainAccess decode(Attribute attribute) {
  ArrayRef<int64_t> numbers = cast<DenseI64ArrayAttr>(attribute).asArrayRef();
  return {numbers.front() == kWrite, SmallVector<int64_t, 2>(numbers.drop_front())};
}

class AgpuAnnotateAccessesPass : public impl::AgpuAnnotateAccessesPassBase<AgpuAnnotateAccessesPass> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    MLIRContext *context = &getContext();
    getOperation().walk([&](Operation *op) {
      if (!isa<LaunchFuncOp, HostCallOp>(op))
        return;
      SmallVector<Attribute> lists;
      for (const auto &accesses : findCertainAccesses(op, symbols))
        lists.push_back(ArrayAttr::get(context, llvm::map_to_vector(accesses, [&](const CertainAccess &access) {
                                         return encode(access, context);
                                       })));
      op->setAttr(kAttribute, ArrayAttr::get(context, lists));
    });
  }
};

} // namespace

std::optional<ArgumentAccesses> getAnnotatedAccesses(Operation *op) {
  auto lists = op->getAttrOfType<ArrayAttr>(kAttribute);
  if (!lists)
    return std::nullopt;
  return llvm::map_to_vector(lists, [](Attribute list) {
    return SmallVector<CertainAccess, 1>(llvm::map_range(cast<ArrayAttr>(list), decode));
  });
}

} // namespace lockstep::agpu
