// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Passes that bring programs of upstream's dialects into agpu, and back.

#ifndef LOCKSTEP_LOWERING_IMPORTPASSES_TD
#define LOCKSTEP_LOWERING_IMPORTPASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertGpuToAgpuPass : Pass<"convert-gpu-to-agpu", "::mlir::ModuleOp"> {
  let summary = "Imports upstream's host-side gpu operations, asynchronous and synchronous.";
  let description = [{
    Rewrites the host side of a program of upstream's `gpu` dialect to `agpu`. Every `!gpu.async.token` becomes an
    `!agpu.chain`, also in block arguments, region results, calls and function types. `gpu.wait async` becomes
    `agpu.join`, `gpu.wait` becomes `agpu.wait`; a `gpu.wait` without operands is dropped: upstream gives it no meaning.
    `memref.alloc` and `memref.dealloc` of device memory (memory space 1 or `#gpu.address_space<global>`) become
    synchronous `agpu.alloc` and `agpu.dealloc`.

    Order of synchronous operations (IMPORT-1). Upstream's lowering gives a synchronous operation a stream of its
    own, so that asynchronous work issued before it may still run. Here it comes after all device work that is
    pending where it stands: it waits for the pending chains, gives a chain itself, and an `agpu.wait` on that chain
    follows. Pending are the chains of the block and of the blocks that dominate it, block arguments among them, for
    which the host has not waited. Work of a nested region whose chain does not leave the region cannot be named and
    is not counted. With nothing pending the operation stays synchronous. Exceptions: a synchronous allocation needs
    no order, because pending work cannot use memory that does not exist yet; `host_unregister` stays synchronous,
    after an `agpu.wait`; `host_register` stays where it is.

    Needs: nothing; kernels may be outlined or not. Runs before `convert-async-to-agpu`, which calls the same import
    where it finds gpu operations in async bodies.

    Guarantees: no host-side `gpu` operation and no `!gpu.async.token` is left. Kernels (`gpu.module`, `gpu.binary`, the
    regions of launches) are unchanged, but `gpu.terminator` becomes `agpu.terminator`. The names that a `gpu.launch`
    asks for its kernel are dropped.

    Refuses: clusters, memory attributions of a `gpu.launch` (outline first), explicit stream operands, layout symbols
    of allocations, sparse operations and `gpu.set_default_device`.

    Before:

    ```mlir
    %t0 = gpu.wait async
    %t1 = gpu.memcpy async [%t0] %d, %h : memref<4xi32, 1>, memref<4xi32>
    gpu.memset %e, %v : memref<4xi32, 1>, i32
    gpu.wait [%t1]
    ```

    After:

    ```mlir
    %c0 = agpu.join []
    %c1 = agpu.memcpy [%c0] (%d, %h) : memref<4xi32, 1>, memref<4xi32>
    %c2 = agpu.memset [%c1] (%e, %v) : memref<4xi32, 1>, i32
    agpu.wait [%c2]
    agpu.wait [%c1]
    ```
  }];
  let dependentDialects = ["::lockstep::agpu::AgpuDialect", "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numImported", "num-imported", "Operations that became agpu operations">,
    Statistic<"numOrdered", "num-ordered", "Synchronous operations that were given pending chains to wait for">,
  ];
}

def ConvertAsyncToAgpuPass : Pass<"convert-async-to-agpu", "::mlir::ModuleOp"> {
  let summary = "Turns async.execute and async.await around device operations into chains.";
  let description = [{
    Inlines the body of each `async.execute` where it stands. Its device operations become asynchronous and follow each
    other in program order; the first waits for the dependencies and for the async values that the body uses. The token
    becomes the chain of the last. A yielded value is available at once, as itself (a memref is a descriptor on the
    host), together with the chain: `!async.value<T>` becomes a chain and a T, also in function signatures, calls, block
    arguments and region results. `async.await` of the host becomes `agpu.wait`; inside a body it orders what follows
    and the host does not block.

    Host operations with memory effects inside a body (a call, a store, a loop around device operations) run on the
    host's own thread now, so the host waits for the chain of the body before them; program order is kept. Operations
    without effects just move. An asynchronous device operation in a body waits for what the body has waited for so far;
    the token covers it too.

    Needs: the module. Bodies hold agpu operations, or gpu operations, which are then imported in the whole module by
    the rules of `convert-gpu-to-agpu`. In a pipeline it runs after that pass.

    Guarantees: no operation and no type of the async dialect is left.

    Refuses: groups, coroutines, the async runtime operations, `async.func`; async values that pass through operations
    other than those of func, scf and cf.

    Before:

    ```mlir
    %t0, %f0 = async.execute -> !async.value<memref<2xi32, 1>> {
      %b = agpu.alloc () : memref<2xi32, 1>
      agpu.memcpy (%b, %h) : memref<2xi32, 1>, memref<2xi32>
      async.yield %b : memref<2xi32, 1>
    }
    async.await %t0 : !async.token
    ```

    After:

    ```mlir
    %b, %c0 = agpu.alloc [] () : memref<2xi32, 1>
    %c1 = agpu.memcpy [%c0] (%b, %h) : memref<2xi32, 1>, memref<2xi32>
    agpu.wait [%c1]
    ```
  }];
  let dependentDialects = ["::lockstep::agpu::AgpuDialect", "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numBodies", "num-bodies", "Bodies of async.execute that were inlined">,
    Statistic<"numHostWaits", "num-host-waits", "Waits that host operations inside bodies needed">,
  ];
}

def ConvertAgpuToGpuPass : Pass<"convert-agpu-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Exports agpu operations to upstream's gpu operations.";
  let description = [{
    Rewrites a program to upstream's `gpu` dialect: every `!agpu.chain` becomes a `!gpu.async.token`, also in block
    arguments, region results, calls and function types, and every device operation its upstream counterpart with the
    same dependencies. `agpu.join` becomes `gpu.wait async`, `agpu.wait` becomes `gpu.wait`; a wait for nothing is
    dropped, because upstream gives it no meaning. A synchronous operation becomes an asynchronous one with a `gpu.wait`
    behind it: whether upstream's synchronous form comes after pending work is read in two ways. It is the reverse of
    `convert-gpu-to-agpu`: exported and imported again, a program orders the same operations.

    Upstream has no host function in device order. `agpu.host_call` becomes a `gpu.wait` for its chains, a call, and a
    new token: the call still comes after everything that it came after, and what follows it still follows; but the host
    blocks there, and work that stands behind it in the program no longer runs beside it.

    With `one-token`, each operation that does work waits for exactly one token, the only form that upstream's
    `gpu-to-llvm` lowers for every operation, and the one that its `gpu-async-region` makes: for none or several
    dependencies a `gpu.wait async` stands in front.

    Needs: nothing; kernels may be outlined or not.

    Guarantees: no operation of agpu is left but `agpu.expect`, which is host work, and no chain.

    Refuses: copies, fills and deallocations of unranked memrefs.

    Before:

    ```mlir
    %d, %c0 = agpu.alloc [] () : memref<4xi32>
    %c1 = agpu.memcpy [%c0] (%d, %h) : memref<4xi32>, memref<4xi32>
    %c2 = agpu.join [%c0, %c1]
    agpu.wait [%c2]
    ```

    After:

    ```mlir
    %d, %t0 = gpu.alloc async () : memref<4xi32>
    %t1 = gpu.memcpy async [%t0] %d, %h : memref<4xi32>, memref<4xi32>
    %t2 = gpu.wait async [%t0, %t1]
    gpu.wait [%t2]
    ```
  }];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect"
  ];
  let options = [
    Option<"oneToken", "one-token", "bool", "false",
           "Whether each operation waits for exactly one token, as gpu-to-llvm demands.">,
  ];
  let statistics = [
    Statistic<"numExported", "num-exported", "Operations that became gpu operations">,
  ];
}

#endif // LOCKSTEP_LOWERING_IMPORTPASSES_TD
