// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_CHAINGRAPH_H
#define LOCKSTEP_HARNESS_CHAINGRAPH_H

#include "mlir/IR/BuiltinOps.h"

#include "llvm/Support/raw_ostream.h"

namespace lockstep::harness {

/// Writes the order that a program asks for as a Graphviz graph: one cluster a function, one node for each operation
/// that takes or gives chains, one edge for each chain from its producer to its user. A block argument of chain type is
/// a node of its own. The same program gives the same text.
void writeChainGraph(mlir::ModuleOp module, llvm::raw_ostream &stream);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_CHAINGRAPH_H
