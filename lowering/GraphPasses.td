// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Passes that turn chains into graphs, and the check of what can be captured.

#ifndef LOCKSTEP_LOWERING_GRAPHPASSES_TD
#define LOCKSTEP_LOWERING_GRAPHPASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertAgpuToGraphPass : Pass<"convert-agpu-to-graph", "::mlir::ModuleOp"> {
  let summary = "Turns straight-line regions of device operations into graphs.";
  let description = [{
    Lowers device operations to graphs of the runtime, one for each straight-line region between host waits, launched on
    pooled streams that pooled events order. Structured control flow becomes blocks first. Each region has a slot, in
    which the runtime keeps the executable graph: a later execution of the same place sets what has changed and launches
    it again.

    With `mode=capture` the same regions are issued as `convert-agpu-to-streams` issues them, on streams that are
    captured, and the capture updates the slot's executable graph.

    Needs: launches outlined (`agpu-outline-kernels`). `agpu-prune-chains` first makes fewer edges.

    Guarantees (docs/parts/graph-lowering.md has the rules GRAPHLOWER-1 to -9):
    - Every chain orders what it ordered: as edges within a region, between regions as the stream lowering does.
    - A region ends where the host waits, calls, branches, or hands chains on, and nowhere between because of memory
      operations of the host.
    - With `allocations=hoisted`, allocations come before the graph and deallocations behind it, on its stream. With
      `allocations=nodes`, memory that a region both allocates and frees is allocated and freed by nodes.
    - A loop instantiates nothing from its second round on, as long as shapes stay.
    - Types of functions become those that `convert-agpu-to-streams` makes.
    - Slots are released at teardown (`agpu-embed-kernels`).

    Refuses: what `convert-agpu-to-streams` refuses.

    Before:

    ```mlir
    func.func @main(%d: memref<4xi32, 1>, %h: memref<4xi32>, %v: i32) {
      %c1 = agpu.memset [] (%d, %v) : memref<4xi32, 1>, i32
      %c2 = agpu.memcpy [%c1] (%h, %d) : memref<4xi32>, memref<4xi32, 1>
      agpu.wait [%c2]
      return
    }
    ```

    After (the parts of memref descriptors left out; the last argument of each node is what it depends on):

    ```mlir
    llvm.mlir.global internal @agpu.graph.0() {agpu.graph_slot} : !llvm.ptr { ... }
    func.func @main(%d: memref<4xi32, 1>, %h: memref<4xi32>, %v: i32) {
      %stream = llvm.call @mgpuStreamPoolAcquire() : () -> !llvm.ptr
      %graph = llvm.call @mgpuGraphBegin(%slot) : (!llvm.ptr) -> !llvm.ptr
      llvm.call @mgpuGraphAddMemsetNode(%graph, %none, %zero, %pd, %four, %v, %count)
      llvm.call @mgpuGraphAddMemcpyNode(%graph, %list_of_0, %one, %ph, %pd, %bytes)
      llvm.call @mgpuGraphLaunch(%graph, %stream) : (!llvm.ptr, !llvm.ptr) -> ()
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
    Option<"mode", "mode", "std::string", "\"explicit\"",
           "How graphs are made: `explicit`, node by node, or `capture`, by the calls of the stream lowering.">,
    Option<"allocations", "allocations", "std::string", "\"hoisted\"",
           "Where memory is allocated and freed: `hoisted`, around the graphs, or `nodes`, in them.">,
    Option<"maxStreams", "max-streams", "unsigned", "8",
           "The most streams that the regions of a block, and with `mode=capture` a region, are spread over.">,
    Option<"opNames", "op-names", "bool", "true",
           "Whether to name each operation to the runtime before its calls, for errors and records.">,
  ];
  let statistics = [
    Statistic<"graphCount", "graphs", "Regions that became graphs">,
    Statistic<"nodeCount", "nodes", "Operations and joins that became nodes">,
    Statistic<"streamCount", "streams", "Streams acquired, in all functions together">,
    Statistic<"eventCount", "events", "Places where an event is recorded">,
    Statistic<"streamWaitCount", "stream-waits", "Places where a stream waits for an event">,
    Statistic<"hostWaitCount", "host-waits", "Places where the host waits">,
  ];
}

def AgpuCheckCapturablePass : Pass<"agpu-check-capturable", "::mlir::ModuleOp"> {
  let summary = "Reports runtime calls that keep a region from being captured.";
  let description = [{
    Looks at calls of the runtime, whoever emitted them. Work on streams between two host waits of a block could be
    captured as a graph if nothing among it creates, destroys, loads or asks. Captures that are there already must hold
    only what is allowed, and must be joined. The IR is not changed.

    Needs: chains lowered to `llvm.call`s of `mgpu` functions: by `convert-agpu-to-streams`, by upstream's
    `gpu-to-llvm`, or by hand.

    Guarantees: each report names the call, and the work before and behind it, or where the capture begins. Reported are
    - a call that creates or destroys a stream or event, loads or unloads a module, launches another graph, or asks for
      an event's state, with work before and behind it and no host operation between;
    - in a capture, besides these: a host wait, page-locking, a call of other code, work on a stream that takes no part,
      a wait for an event from outside, a second begin, and an end that is missing, on another stream, or before all
      streams are joined.

    Refuses: nothing else. What a callee does, and what a block's predecessors left open, is not known here.

    Before (reported, because the second stream is created among work):

    ```mlir
    %s = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
    llvm.call @mgpuMemcpy(%d, %h, %n, %s) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
    %t = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
    llvm.call @mgpuMemcpy(%e, %h, %n, %t) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
    ```

    After: the same.
  }];
  let statistics = [Statistic<"blockCount", "blocks", "Blocks looked at">];
}

#endif // LOCKSTEP_LOWERING_GRAPHPASSES_TD
