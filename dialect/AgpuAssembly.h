// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The custom directives of AgpuOps.td. Private to the dialect library: the generated parsers and printers call them.

#ifndef LOCKSTEP_DIALECT_AGPUASSEMBLY_H
#define LOCKSTEP_DIALECT_AGPUASSEMBLY_H

#include "mlir/IR/OpImplementation.h"

namespace lockstep::agpu {

/// `[` chains `]`, present exactly where the operation gives a chain: then |chainType| is `!agpu.chain`, else null.
mlir::ParseResult parseChains(mlir::OpAsmParser &parser, mlir::Type &chainType,
                              llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &chains);
void printChains(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Type chainType, mlir::OperandRange chains);

/// `args(%a : type, …)`, absent where there are none.
mlir::ParseResult parseKernelArguments(mlir::OpAsmParser &parser,
                                       llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &arguments,
                                       llvm::SmallVectorImpl<mlir::Type> &types);
void printKernelArguments(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange arguments,
                          mlir::TypeRange types);

/// `tolerance` and a 64-bit float, absent where there is none.
mlir::ParseResult parseTolerance(mlir::OpAsmParser &parser, mlir::FloatAttr &tolerance);
void printTolerance(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::FloatAttr tolerance);

} // namespace lockstep::agpu

#endif // LOCKSTEP_DIALECT_AGPUASSEMBLY_H
