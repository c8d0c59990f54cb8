// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Passes that judge or simplify the order that chains ask for.

#ifndef LOCKSTEP_LOWERING_CHECKPASSES_TD
#define LOCKSTEP_LOWERING_CHECKPASSES_TD

include "mlir/Pass/PassBase.td"

def AgpuPruneChainsPass : Pass<"agpu-prune-chains"> {
  let summary = "Drops chain operands that other operands imply.";
  let description = [{
    Within each block, a chain operand goes where the history of the operation's other operands holds it already: a
    transitive reduction, which looks through `agpu.join`.

    Needs: nothing. Works below any operation.

    Guarantees:
    - What is complete when an operation starts, and when a chain is complete, is the same as before (the proof is in
      `lowering/ChainGraph.h`).
    - Of operands that do work, none is left that another one of the same operation implies. Two joins are not compared
      with each other.
    - The operations themselves stay; a join without users is dead code for the canonicalizer.

    Refuses: nothing. Chains from other blocks, from calls and from control flow imply nothing that is known here, so
    operands are kept for them.

    Before:

    ```mlir
    %a = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
    %b = agpu.memcpy [%a] (%h, %m) : memref<4xi32>, memref<4xi32, 1>
    %c = agpu.dealloc [%a, %b] %m : memref<4xi32, 1>
    ```

    After:

    ```mlir
    %a = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
    %b = agpu.memcpy [%a] (%h, %m) : memref<4xi32>, memref<4xi32, 1>
    %c = agpu.dealloc [%b] %m : memref<4xi32, 1>
    ```
  }];
  let statistics = [Statistic<"removedCount", "removed-operands", "Chain operands dropped">];
}

def AgpuCheckHazardsPass : Pass<"agpu-check-hazards", "::mlir::ModuleOp"> {
  let summary = "Reports two accesses to the same memory that nothing orders.";
  let description = [{
    Reports each pair of operations that access overlapping memory, one of them writing, where no path of chains and no
    host wait orders them; and each use of memory after it was freed. The IR is not changed.

    Needs: chains. Works before and after `agpu-outline-kernels`; looks into kernels that are in the gpu and memref
    dialects, and takes other kernels to read and write all their memrefs.

    Guarantees: each report names both operations, the memory, and the edge that would order them. What is seen:
    - Accesses of device operations, of kernels (what a kernel reads and writes through its arguments, also by way of
      casts, views and calls), and of the host: every operation with declared memory effects, and calls. An operation
      without chains is complete when the host goes on, but is not ordered after what is still pending.
    - Allocation and release: a use that is not ordered after its `agpu.alloc`, a release that is not ordered after a
      use, a use after a release.
    - Memory through `memref.cast`, `subview`, `view`, `reinterpret_cast` and the other views. Parts that are
      known to be apart are no hazard. Two results of allocations never overlap.
    - Straight lines exactly. `scf.if`, `scf.for` and `scf.while`, with carried chains, including an access in one
      iteration against one in an earlier iteration. With `cf`, a block against the blocks that dominate it.

    What is not seen, so that a correct program is not reported: overlap of parts whose position is not
    constant; memory that may be one of several (a loop argument that changes, `arith.select`); pairs around a
    loop made of `cf` branches; chains and memory behind a call that gives a chain. Nothing is assumed about
    conditions: two `scf.if` with the same condition are taken to be independent.

    Refuses: programs with a hazard, unless `severity=warning`.

    Before and after (with an error that says: hazard: 'agpu.memcpy' reads memory that an unordered 'agpu.memset'
    writes):

    ```mlir
    %a = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
    %b = agpu.memcpy [] (%h, %m) : memref<4xi32>, memref<4xi32, 1>
    ```
  }];
  let options = [
    Option<"severity", "severity", "std::string", "\"error\"",
           "`error`: a hazard makes the pass fail; `warning`: it is only reported.">,
    Option<"assumeArgumentsAlias", "assume-arguments-alias", "bool", "false",
           "Two memref arguments of a function may be the same memory.">,
  ];
  let statistics = [Statistic<"hazardCount", "hazards", "Pairs of operations reported">];
}

def AgpuAnnotateAccessesPass : Pass<"agpu-annotate-accesses", "::mlir::ModuleOp"> {
  let summary = "Writes down what kernels and host functions certainly do through their arguments.";
  let description = [{
    Gives each `agpu.launch_func` and `agpu.host_call` the attribute `agpu.certain_accesses`: for each argument a list
    of elements, as a number (1: read, 2: written) and the indices. `convert-agpu-to-serial` with `trace-chains` uses
    it, at a time when kernels are no longer IR.

    Needs: kernels outlined and still in the gpu and memref dialects.

    Guarantees: nothing else changes. Each element listed is accessed by the first thread of the first block of every
    launch, in bounds or not: what a condition guards, atomic updates, and what is accessed at an index that depends on
    an argument, are left out. So two operations whose elements meet, one of them written, are in conflict.

    Refuses: nothing.

    Before (a kernel that does `out[thread] = in[thread]`):

    ```mlir
    %c = agpu.launch_func [] @k::@scale blocks in (%one, %one, %one) threads in (%n, %one, %one)
        args(%in : memref<4xi32>, %out : memref<4xi32>)
    ```

    After:

    ```mlir
    %c = agpu.launch_func [] @k::@scale blocks in (%one, %one, %one) threads in (%n, %one, %one)
        args(%in : memref<4xi32>, %out : memref<4xi32>)
        {agpu.certain_accesses = [[array<i64: 1, 0>], [array<i64: 2, 0>]]}
    ```
  }];
}

#endif // LOCKSTEP_LOWERING_CHECKPASSES_TD
