// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_DIALECT_AGPUBASE_TD
#define LOCKSTEP_DIALECT_AGPUBASE_TD

include "mlir/IR/OpBase.td"

def Agpu_Dialect : Dialect {
  let name = "agpu";
  let cppNamespace = "::lockstep::agpu";
  let summary = "Asynchronous GPU operations ordered by chain values.";
  let description = [{
    The dialect describes a host program that gives work to a GPU. Each device operation may take any number of *chains*
    and give one: a value of type `!agpu.chain` that stands for the completion of that operation and of all before it.
    Chains are ordinary SSA values. Kernels themselves stay in upstream's `gpu` dialect (`gpu.module`, `gpu.func`).

    Square brackets in front of the operands make an operation asynchronous: `[%a, %b]` are the chains that it waits
    for, and it yields a chain. `[]` is asynchronous and waits for nothing. Without brackets the operation is
    synchronous: the host goes on when the operation is complete, and no chain is given; such an operation has no chains
    in either, `agpu.wait` excepted (CHAIN-6). Both kinds stand in host code, never in a `gpu.module` (CHAIN-7).

    Position in the stack: above are importers (`convert-gpu-to-agpu`, `convert-async-to-agpu`); below are the lowerings
    `convert-agpu-to-serial` and `convert-agpu-to-streams`, which turn chains into calls of the `mgpu` runtime ABI.
  }];
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
  // Shared by all operations with chains: duplicate and useless chain operands.
  let hasCanonicalizer = 1;
  let extraClassDeclaration = "void registerTypes();";
}

#endif // LOCKSTEP_DIALECT_AGPUBASE_TD
