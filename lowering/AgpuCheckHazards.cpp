// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// agpu-check-hazards: reports what HazardCheck finds.

#include "dialect/AgpuOps.h"
#include "lowering/HazardCheck.h"
#include "lowering/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "agpu-check-hazards"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_AGPUCHECKHAZARDSPASS
#include "lowering/Passes.h.inc"

namespace {

StringRef getVerb(const Access &access) {
  if (access.kind == AccessKind::Alloc)
    return "allocates";
  if (access.kind == AccessKind::Free)
    return "frees";
  if (access.reads && access.writes)
    return "reads and writes";
  return access.writes ? "writes" : "reads";
}

std::string getQuoted(Operation *op) { return ("'" + op->getName().getStringRef() + "'").str(); }

bool isAsync(Operation *op) {
  auto chained = dyn_cast<ChainOpInterface>(op);
  return chained && chained.isAsync();
}

bool isUseAfterFree(const Hazard &hazard) { return hazard.first->access.kind == AccessKind::Free && !hazard.loop; }

void addProblem(InFlightDiagnostic &diagnostic, const Hazard &hazard) {
  Operation *first = hazard.first->op, *second = hazard.second->op;
  diagnostic << "hazard: " << getQuoted(second) << " " << getVerb(hazard.second->access) << " memory that ";
  if (isUseAfterFree(hazard)) {
    diagnostic << getQuoted(first) << " has freed";
    return;
  }
  diagnostic << "an unordered " << getQuoted(first) << (hazard.loop ? " of an earlier iteration " : " ")
             << getVerb(hazard.first->access);
}

void addRemedy(Diagnostic &note, const Hazard &hazard) {
  std::string first = getQuoted(hazard.first->op), second = getQuoted(hazard.second->op);
  if (isUseAfterFree(hazard))
    note << "to order them, let " << first << " come after " << second << " and after its chain";
  else if (!isAsync(hazard.second->op))
    note << "to order them, wait for the chain of " << first << " before " << second;
  else if (hazard.loop)
    note << "to order them, carry the chain of " << first << " into the next iteration and add it to the chains of "
         << second;
  else
    note << "to order them, add the chain of " << first << " to the chains of " << second;
}

class AgpuCheckHazardsPass : public impl::AgpuCheckHazardsPassBase<AgpuCheckHazardsPass> {
public:
  using AgpuCheckHazardsPassBase::AgpuCheckHazardsPassBase;

private:
  void runOnOperation() override {
    if (severity != "error" && severity != "warning") {
      getOperation().emitError("unknown severity '") << severity << "': expected error or warning";
      return signalPassFailure();
    }
    bool isClean = true;
    SymbolTableCollection symbols;
    AccessFinder finder(symbols);
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::GPUModuleOp>(op))
        return WalkResult::skip();
      auto function = dyn_cast<FunctionOpInterface>(op);
      if (!function || function.isExternal())
        return WalkResult::advance();
      HazardCheck check(function, finder, assumeArgumentsAlias);
      for (const Hazard &hazard : check.run()) {
        report(hazard);
        isClean = false;
      }
      return WalkResult::skip();
    });
    if (!isClean && severity == "error")
      signalPassFailure();
    markAllAnalysesPreserved();
  }

  void report(const Hazard &hazard) {
    ++hazardCount;
    Operation *first = hazard.first->op, *second = hazard.second->op;
    InFlightDiagnostic diagnostic = severity == "error" ? emitError(second->getLoc()) : emitWarning(second->getLoc());
    addProblem(diagnostic, hazard);
    diagnostic.attachNote(first->getLoc())
        << "here " << getQuoted(first) << " " << getVerb(hazard.first->access) << " it";
    Value root = hazard.second->access.range.root;
    if (auto argument = dyn_cast<BlockArgument>(root))
      diagnostic.attachNote(root.getLoc()) << "the memory is argument #" << argument.getArgNumber();
    else
      diagnostic.attachNote(root.getLoc()) << "the memory comes from " << getQuoted(root.getDefiningOp());
    addRemedy(diagnostic.attachNote(second->getLoc()), hazard);
  }
};

} // namespace
} // namespace lockstep::agpu
