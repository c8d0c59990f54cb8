// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs host code in two forms: as agpu operations on blocks, where it notes what the chains ask for, and as calls of
// the runtime, where it notes what streams, events and the host enforce. Device work is numbered as the host issues it,
// which is the same in both forms.

#ifndef LOCKSTEP_LOWERING_TEST_CHAININTERPRETER_H
#define LOCKSTEP_LOWERING_TEST_CHAININTERPRETER_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SparseBitVector.h"

#include <string>
#include <vector>

namespace lockstep::test {

using WorkSet = llvm::SparseBitVector<>;

struct ChainRun {
  /// For each piece of work, what must be (is) complete before it begins.
  std::vector<WorkSet> before;
  /// For each piece of work, what the host had waited for when it issued it; one more entry for the end of the program.
  std::vector<WorkSet> hostKnows;
  /// Misuse of the runtime: references that do not balance, handles that are not alive.
  std::vector<std::string> problems;
  /// Streams acquired from the pool, and the most events that were in use at a time.
  uint64_t numStreamAcquires = 0, numEventsPeak = 0;
};

/// Runs @main, which takes no arguments. The module has functions with plain blocks.
ChainRun interpret(mlir::ModuleOp module);

} // namespace lockstep::test

#endif // LOCKSTEP_LOWERING_TEST_CHAININTERPRETER_H
