// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scenario as a program in the agpu dialect.

#ifndef LOCKSTEP_HARNESS_SCENARIO_PROGRAMBUILDER_H
#define LOCKSTEP_HARNESS_SCENARIO_PROGRAMBUILDER_H

#include "harness/scenario/Dag.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace lockstep::scenario {

/// The program: its `main` makes and fills the host memory, does the steps, and expects in each checked buffer what the
/// reference evaluator gives. Operations carry their names as locations. The context must have the dialects loaded or
/// registered that createProgramContext has. Asserts that the program verifies.
mlir::OwningOpRef<mlir::ModuleOp> buildProgram(mlir::MLIRContext &context, const Dag &dag);

} // namespace lockstep::scenario

#endif // LOCKSTEP_HARNESS_SCENARIO_PROGRAMBUILDER_H
