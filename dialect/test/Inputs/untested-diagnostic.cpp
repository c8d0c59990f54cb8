// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Not compiled: what check_diagnostics.py must complain about.
bool tested(Operation *op) { return op->emitOpError() << "argument " << 0 << " is tested"; }
bool untested(Operation *op) { return emitMismatch(op, "nobody expects this", 1, 2); }
