// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Passes that turn chains into calls of the mgpu runtime ABI.

#ifndef LOCKSTEP_LOWERING_STREAMPASSES_TD
#define LOCKSTEP_LOWERING_STREAMPASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertAgpuToStreamsPass : Pass<"convert-agpu-to-streams", "::mlir::ModuleOp"> {
  let summary = "Turns chains into streams and events.";
  let description = [{
    Lowers device operations to calls of the runtime, on pooled streams, ordered by pooled events. Structured control
    flow becomes blocks first; each block is planned as a whole (`lowering/StreamPlan.h`).

    Needs: launches outlined (`agpu-outline-kernels`). `agpu-prune-chains` first is cheaper, but changes no result.

    Guarantees (docs/parts/stream-lowering.md has the rules LOWER-1 to LOWER-9):
    - Every chain orders what it ordered. Nothing blocks the host but `agpu.wait` and synchronous operations.
    - An event is recorded only after an operation with a consumer on another stream or outside of its block, right
      after that operation, one for all consumers, and is waited for just before the consumer.
    - Streams are acquired at the entry of a function and released before it returns; a loop creates nothing.
    - A chain that leaves its block is an event handle of type `!llvm.ptr`, null where it is complete, with reference
      counts in the runtime's pool that balance on every path.
    - A copy reads its source after what it comes after, also from pageable host memory that something in device order
      writes: there it is a graph of one node, since a driver may read pageable memory during the call.

    Refuses: functions without a body that have chains in their signature; chains used by operations that are not known
    to pass them on; device operations inside regions that do not become blocks; memrefs whose layout is not strided;
    unranked memrefs as arguments of `agpu.host_call`; `agpu.launch`.

    Before:

    ```mlir
    func.func @main(%d: memref<4xi32, 1>, %h: memref<4xi32>, %v: i32) {
      %c1 = agpu.memset [] (%d, %v) : memref<4xi32, 1>, i32
      %c2 = agpu.memcpy [%c1] (%h, %d) : memref<4xi32>, memref<4xi32, 1>
      agpu.wait [%c2]
      return
    }
    ```

    After (the parts of memref descriptors left out):

    ```mlir
    func.func @main(%d: memref<4xi32, 1>, %h: memref<4xi32>, %v: i32) {
      %stream = llvm.call @mgpuStreamPoolAcquire() : () -> !llvm.ptr
      llvm.call @mgpuMemset32(%pd, %v, %count, %stream) : (!llvm.ptr, i32, i64, !llvm.ptr) -> ()
      llvm.call @mgpuMemcpy(%ph, %pd, %bytes, %stream) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
      llvm.call @mgpuStreamSynchronize(%stream) : (!llvm.ptr) -> ()
      llvm.call @mgpuStreamPoolRelease(%stream) : (!llvm.ptr) -> ()
      return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect", "::mlir::arith::ArithDialect"
  ];
  let options = [
    Option<"maxStreams", "max-streams", "unsigned", "8", "The most streams that a block is spread over.">,
    Option<"opNames", "op-names", "bool", "true",
           "Whether to name each operation to the runtime before its calls, for errors and records.">,
  ];
  let statistics = [
    Statistic<"streamCount", "streams", "Streams acquired, in all functions together">,
    Statistic<"eventCount", "events", "Places where an event is recorded">,
    Statistic<"streamWaitCount", "stream-waits", "Places where a stream waits for an event">,
    Statistic<"hostWaitCount", "host-waits", "Places where the host waits">,
    Statistic<"lateReadCount", "late-reads", "Copies that are graphs, so that pageable memory is not read early">,
  ];
}

def ConvertAgpuToSerialPass : Pass<"convert-agpu-to-serial", "::mlir::ModuleOp"> {
  let summary = "Lets each device operation complete before the next begins.";
  let description = [{
    The reference lowering: all device operations of a function on one pooled stream, and the host waits for the stream
    after each. Chains order nothing more than that does, and become null pointers.

    With `trace-chains` they become what `lockstepTraceOp` gives (`runtime-api/Trace.h`): each operation says, when the
    host reaches it, what it comes after and which memory it accesses. So the program writes down the order that it asks
    for while it runs in a stricter one.

    Needs: launches outlined (`agpu-outline-kernels`).

    Guarantees: device operations run one after the other in the order in which the host reaches them. Types of
    functions become those that `convert-agpu-to-streams` makes.

    Refuses: what `convert-agpu-to-streams` refuses, but for the places of operations: structured control flow stays.

    Before:

    ```mlir
    %c1 = agpu.memset [] (%d, %v) : memref<4xi32, 1>, i32
    %c2 = agpu.memset [%c1] (%e, %v) : memref<4xi32, 1>, i32
    agpu.wait [%c2]
    ```

    After (the parts of memref descriptors left out):

    ```mlir
    llvm.call @mgpuMemset32(%pd, %v, %count, %stream) : (!llvm.ptr, i32, i64, !llvm.ptr) -> ()
    llvm.call @mgpuStreamSynchronize(%stream) : (!llvm.ptr) -> ()
    llvm.call @mgpuMemset32(%pe, %v, %count, %stream) : (!llvm.ptr, i32, i64, !llvm.ptr) -> ()
    llvm.call @mgpuStreamSynchronize(%stream) : (!llvm.ptr) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"opNames", "op-names", "bool", "true",
           "Whether to name each operation to the runtime before its calls, for errors and records.">,
    Option<"traceChains", "trace-chains", "bool", "false",
           "Whether the program tells the harness which order its chains ask for, as it runs.">,
  ];
}

def AgpuNameRuntimeCallsPass : Pass<"agpu-name-runtime-calls", "::mlir::ModuleOp"> {
  let summary = "Names operations to the runtime in what another compiler lowered.";
  let description = [{
    Puts a call of `mgpuSetOp` before each call of a runtime function that does work or waits, and before each
    `gpu.launch_func`, which becomes one when the module is translated to LLVM IR. It has the name that this
    project's own lowerings would give: place in the source and kind of operation, found from location and callee. So
    findings name operations, and the order that is enforced between them can be judged.

    Needs: the LLVM dialect; locations kept by the lowering before.

    Guarantees: calls that follow each other in a block with one location get one name. Calls without a location in a
    file get none. A module that declares `mgpuSetOp` stays as it is: its lowering names operations itself.

    Refuses: nothing.

    Before:

    ```mlir
    llvm.call @mgpuMemcpy(%dst, %src, %bytes, %stream) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> () loc("a.mlir":3:5)
    ```

    After (with a constant that holds "a.mlir:3:5 memcpy"):

    ```mlir
    llvm.call @mgpuSetOp(%name) : (!llvm.ptr) -> () loc("a.mlir":3:5)
    llvm.call @mgpuMemcpy(%dst, %src, %bytes, %stream) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> () loc("a.mlir":3:5)
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [Statistic<"namedCount", "named", "Places where an operation is named">];
}

def AgpuLowerExpectPass : Pass<"agpu-lower-expect", "::mlir::ModuleOp"> {
  let summary = "Turns agpu.expect into calls of the harness, and nothing else.";
  let description = [{
    Lowers each `agpu.expect` of host code to a call of `lockstepExpect` (`runtime-api/Expect.h`), so that a program
    that another compiler lowers can still state what it expects. `convert-agpu-to-streams` and
    `convert-agpu-to-serial` do this by themselves.

    Needs: nothing. Everything else stays as it is.

    Guarantees: no `agpu.expect` is left in a function.

    Refuses: constants whose element type or storage the comparison does not know.

    Before:

    ```mlir
    agpu.expect %h, dense<7> : tensor<1xi32> : memref<?xi32>
    ```

    After (the descriptor and the constants left out):

    ```mlir
    llvm.call @lockstepExpect(%rank, %descriptor, %place, %kind, %bits, %constant_rank, %shape, %data, %tolerance)
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def AgpuToLlvmPass : Pass<"agpu-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Converts what is left of host code to the LLVM dialect.";
  let description = [{
    The last step: arith, math, complex, index, ub, vector, scf, cf, memref and func become LLVM, with one type
    converter for which a chain is a pointer and every memory space is the default one.

    Needs: chains lowered, kernels embedded; `expand-strided-metadata` and `lower-affine` where the program computes
    views.

    Guarantees: the module holds the LLVM dialect and nothing else, and `gpu.container_module` is gone. Structured
    control flow becomes blocks first; rounds of scf.parallel and scf.forall run in turn.

    Refuses: everything else, by name, and says which pass turns it into something that can be lowered.

    Before:

    ```mlir
    func.func @first(%m: memref<?xi32, 1>) -> i32 {
      %zero = arith.constant 0 : index
      %v = memref.load %m[%zero] : memref<?xi32, 1>
      return %v : i32
    }
    ```

    After, with the memref's descriptor in five arguments:

    ```mlir
    llvm.func @first(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64) -> i32 { ... }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect",
  "::mlir::arith::ArithDialect"];
}

#endif // LOCKSTEP_LOWERING_STREAMPASSES_TD
