// RUN: lockstep-opt %s --split-input-file --convert-agpu-to-graph=op-names=false | FileCheck %s
// RUN: lockstep-opt %s --split-input-file --convert-agpu-to-graph="op-names=false mode=capture" | FileCheck %s --check-prefix=CAPTURE
// RUN: lockstep-opt %s --split-input-file --convert-agpu-to-graph="op-names=false allocations=nodes" | FileCheck %s --check-prefix=NODES

// GRAPHLOWER-1: one region, one graph; the edges are the chains. A list of dependencies is a constant.

// CHECK-LABEL: func.func @fork
func.func @fork(%d: memref<4xi32>, %v: i32) {
  // CHECK: %[[S:.*]] = llvm.call @mgpuStreamPoolAcquire()
  // CHECK: %[[SLOT:.*]] = llvm.mlir.addressof @[[SLOTNAME:agpu.graph.[0-9]+]]
  // CHECK: %[[G:.*]] = llvm.call @mgpuGraphBegin(%[[SLOT]])
  // CHECK: llvm.call @mgpuGraphAddMemsetNode(%[[G]], %[[NONE:[^,]*]], %[[ZERO:[^,]*]],
  %a = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  // CHECK: %[[LIST:.*]] = llvm.mlir.addressof @[[ONE:agpu.constant.[0-9]+]]
  // CHECK: llvm.call @mgpuGraphAddMemsetNode(%[[G]], %[[LIST]], %[[N1:[^,]*]],
  %b = agpu.memset [%a] (%d, %v) : memref<4xi32>, i32
  // CHECK: %[[LIST:.*]] = llvm.mlir.addressof @[[ONE]]
  // CHECK: llvm.call @mgpuGraphAddMemsetNode(%[[G]], %[[LIST]], %[[N1]],
  %c = agpu.memset [%a] (%d, %v) : memref<4xi32>, i32
  // CHECK: %[[LIST:.*]] = llvm.mlir.addressof @[[TWO:agpu.constant.[0-9]+]]
  // CHECK: llvm.call @mgpuGraphAddMemsetNode(%[[G]], %[[LIST]],
  %e = agpu.memset [%b, %c] (%d, %v) : memref<4xi32>, i32
  // CHECK: llvm.call @mgpuGraphLaunch(%[[G]], %[[S]])
  // CHECK-NEXT: llvm.call @mgpuStreamSynchronize(%[[S]])
  agpu.wait [%e]
  // The second wait finds everything complete: nothing runs again.
  // CHECK-NEXT: llvm.call @mgpuStreamPoolRelease(%[[S]])
  // CHECK-NEXT: return
  agpu.wait [%b]
  return
}
// CHECK: llvm.mlir.global internal @[[SLOTNAME]]() {{.*}}agpu.graph_slot
// CHECK: llvm.mlir.zero
// CHECK: llvm.mlir.global internal constant @[[ONE]]("\00\00\00\00")
// CHECK: llvm.mlir.global internal constant @[[TWO]]("\01\00\00\00\02\00\00\00")

// GRAPHLOWER-8: under capture a stream that forks waits for the begin, and is waited for at the end.
// CAPTURE-LABEL: func.func @fork
// CAPTURE: %[[S0:.*]] = llvm.call @mgpuStreamPoolAcquire()
// CAPTURE: %[[S1:.*]] = llvm.call @mgpuStreamPoolAcquire()
// CAPTURE: llvm.call @mgpuGraphCaptureBegin(%[[SLOT:.*]], %[[S0]])
// CAPTURE: llvm.call @mgpuMemset32({{.*}}, %[[S0]])
// CAPTURE: llvm.call @mgpuEventRecord(%[[E:.*]], %[[S0]])
// CAPTURE: llvm.call @mgpuStreamWaitEvent(%[[S1]], %[[E]])
// CAPTURE: llvm.call @mgpuMemset32({{.*}}, %[[S1]])
// CAPTURE: llvm.call @mgpuEventRecord(%[[E:.*]], %[[S1]])
// CAPTURE: llvm.call @mgpuStreamWaitEvent(%[[S0]], %[[E]])
// CAPTURE: llvm.call @mgpuMemset32({{.*}}, %[[S0]])
// CAPTURE: llvm.call @mgpuGraphCaptureLaunch(%[[SLOT]], %[[S0]])
// CAPTURE: llvm.call @mgpuStreamSynchronize(%[[S0]])

// -----

// GRAPHLOWER-2: a join is a node only where that makes fewer edges.

// CHECK-LABEL: func.func @join
func.func @join(%d: memref<4xi32>, %v: i32) {
  %a = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  %b = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  // CHECK-COUNT-2: mgpuGraphAddMemsetNode
  // CHECK-NEXT: %[[LIST:.*]] = llvm.mlir.addressof @[[BOTH:agpu.constant.[0-9]+]]
  // CHECK-NEXT: llvm.call @mgpuGraphAddEmptyNode(%{{.*}}, %[[LIST]],
  %j = agpu.join [%a, %b]
  // CHECK: llvm.mlir.addressof @[[JOIN:agpu.constant.[0-9]+]]
  %c = agpu.memset [%j] (%d, %v) : memref<4xi32>, i32
  // CHECK: llvm.mlir.addressof @[[JOIN]]
  %e = agpu.memset [%j] (%d, %v) : memref<4xi32>, i32
  // One user: no node.
  // CHECK-NOT: mgpuGraphAddEmptyNode
  %k = agpu.join [%c, %e]
  // CHECK: llvm.mlir.addressof @[[LAST:agpu.constant.[0-9]+]]
  %f = agpu.memset [%k] (%d, %v) : memref<4xi32>, i32
  agpu.wait [%f]
  return
}
// CHECK-DAG: @[[BOTH]]("\00\00\00\00\01\00\00\00")
// CHECK-DAG: @[[JOIN]]("\02\00\00\00")
// CHECK-DAG: @[[LAST]]("\03\00\00\00\04\00\00\00")

// -----

// GRAPHLOWER-3: what may wait or is not known ends a region; what the host does to its own memory does not.

func.func private @other()

// CHECK-LABEL: func.func @regions
func.func @regions(%d: memref<4xi32>, %h: memref<4xi32>, %v: i32, %i: index) {
  // CHECK: mgpuGraphBegin
  %a = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  // CHECK-NOT: mgpuGraphLaunch
  memref.store %v, %h[%i] : memref<4xi32>
  %s = arith.addi %v, %v : i32
  %b = agpu.memset [%a] (%d, %s) : memref<4xi32>, i32
  // CHECK: mgpuGraphLaunch
  // CHECK: call @other
  func.call @other() : () -> ()
  // Same stream, so no event.
  // CHECK: mgpuGraphBegin
  // CHECK-NOT: mgpuStreamWaitEvent
  %c = agpu.memset [%b] (%d, %v) : memref<4xi32>, i32
  // CHECK: mgpuGraphLaunch
  // CHECK: mgpuMemHostRegisterMemRef
  agpu.host_register %h : memref<4xi32>
  // A synchronous operation ends its region.
  // CHECK: mgpuGraphBegin
  // CHECK: mgpuGraphLaunch
  // CHECK-NEXT: mgpuStreamSynchronize
  agpu.memset (%d, %v) : memref<4xi32>, i32
  // CHECK: mgpuGraphBegin
  // CHECK: mgpuGraphLaunch
  %e = agpu.memset [%c] (%d, %v) : memref<4xi32>, i32
  agpu.wait [%e]
  return
}

// -----

// GRAPHLOWER-4: regions that need nothing of each other are on different streams, and a region waits for an event of
// another stream before it is launched.

func.func private @other()

// CHECK-LABEL: func.func @independent
func.func @independent(%d: memref<4xi32>, %v: i32) {
  // CHECK: mgpuGraphLaunch(%{{.*}}, %[[S0:[0-9]+]])
  %a = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  func.call @other() : () -> ()
  // CHECK: mgpuGraphLaunch(%{{.*}}, %[[S1:[0-9]+]])
  // CHECK-NEXT: %[[E:.*]] = llvm.call @mgpuEventPoolAcquire()
  // CHECK-NEXT: llvm.call @mgpuEventRecord(%[[E]], %[[S1]])
  %b = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  func.call @other() : () -> ()
  // CHECK: llvm.call @mgpuStreamWaitEvent(%[[S0]], %[[E]])
  // CHECK-NEXT: llvm.call @mgpuEventPoolRelease(%[[E]])
  // CHECK: mgpuGraphLaunch(%{{.*}}, %[[S0]])
  %c = agpu.memset [%a, %b] (%d, %v) : memref<4xi32>, i32
  agpu.wait [%c]
  return
}

// -----

// GRAPHLOWER-5: allocations come before the graph, deallocations behind it; where that would lose an edge, the region
// ends. As nodes, all is one graph.

// CHECK-LABEL: func.func @memory
// CAPTURE-LABEL: func.func @memory
// NODES-LABEL: func.func @memory
func.func @memory(%v: i32) {
  // CHECK: mgpuMemAlloc(%{{.*}}, %[[S:[0-9]+]], %{{.*}})
  // CAPTURE: mgpuMemAlloc
  // CAPTURE-NOT: mgpuMem
  // CAPTURE: mgpuGraphCaptureBegin
  // NODES: mgpuGraphBegin
  // NODES-NOT: mgpuMemAlloc
  // NODES: mgpuGraphAddMemAllocNode(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[A:[0-9]+]])
  // NODES-NEXT: llvm.load %[[A]]
  %m, %a = agpu.alloc [] () : memref<4xi32, 1>
  // CHECK: mgpuGraphBegin
  // CHECK: mgpuGraphAddMemsetNode
  // CAPTURE: mgpuMemset32
  %b = agpu.memset [%a] (%m, %v) : memref<4xi32, 1>, i32
  // CHECK: mgpuGraphLaunch(%{{.*}}, %[[S]])
  // CHECK: mgpuMemFree(%{{.*}}, %[[S]])
  // CAPTURE: mgpuGraphCaptureLaunch
  // CAPTURE: mgpuMemFree
  // NODES: mgpuGraphAddMemFreeNode
  %f = agpu.dealloc [%b] %m : memref<4xi32, 1>
  // This allocation waits for room.
  // CHECK: mgpuMemAlloc(%{{.*}}, %[[S]], %{{.*}})
  // NODES: mgpuGraphAddMemAllocNode
  %n, %c = agpu.alloc [%f] () : memref<4xi32, 1>
  // CHECK: mgpuGraphBegin
  %e = agpu.memset [%c] (%n, %v) : memref<4xi32, 1>, i32
  // CHECK: mgpuGraphLaunch(%{{.*}}, %[[S]])
  // NODES: mgpuGraphAddMemFreeNode
  // NODES: mgpuGraphLaunch
  %g = agpu.dealloc [%e] %n : memref<4xi32, 1>
  agpu.wait [%g]
  return
}

// -----

// Memory that another block frees, and memory that the host shares, are no nodes.

// NODES-LABEL: func.func @outlives
func.func @outlives(%v: i32) -> (memref<4xi32>, memref<4xi32>) {
  // NODES: mgpuMemAlloc
  %m, %a = agpu.alloc [] () : memref<4xi32>
  // NODES: mgpuMemAlloc
  %n, %b = agpu.alloc [] host_shared () : memref<4xi32>
  %c = agpu.dealloc [%b] %n : memref<4xi32>
  // NODES: mgpuMemFree
  agpu.wait [%a, %c]
  return %m, %n : memref<4xi32>, memref<4xi32>
}

// -----

// GRAPHLOWER-6: a chain that leaves its block is the event of its region.

// CHECK-LABEL: func.func @carried
// CHECK-SAME: -> (!llvm.ptr, !llvm.ptr)
func.func @carried(%d: memref<4xi32>, %v: i32) -> (!agpu.chain, !agpu.chain) {
  // CHECK: mgpuGraphLaunch(%{{.*}}, %[[S:[0-9]+]])
  // CHECK-NEXT: %[[E:.*]] = llvm.call @mgpuEventPoolAcquire()
  // CHECK-NEXT: llvm.call @mgpuEventRecord(%[[E]], %[[S]])
  // CHECK-NEXT: llvm.call @mgpuEventPoolRetain(%[[E]], %{{.*}})
  // CHECK: return %[[E]], %[[E]]
  %a = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  %b = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  return %a, %b : !agpu.chain, !agpu.chain
}

// -----

// Every kind of node, with the size of each kernel argument and of each element.

gpu.binary @kernels [#gpu.object<#nvvm.target, offload = "">]

func.func private @callee(%v: i32)

// CHECK-LABEL: func.func @kinds
func.func @kinds(%d: memref<4x8xi16>, %h: memref<4x8xi16, strided<[16, 1]>>, %u: memref<*xi16>, %v: i16, %w: i32) {
  %c1 = arith.constant 1 : index
  // CHECK: llvm.call @mgpuGraphAddMemcpyStridedNode(
  %a = agpu.memcpy [] (%d, %h) : memref<4x8xi16>, memref<4x8xi16, strided<[16, 1]>>
  // CHECK: llvm.call @mgpuGraphAddMemcpyMemRefNode(
  %b = agpu.memcpy [] (%d, %u) : memref<4x8xi16>, memref<*xi16>
  // CHECK: llvm.call @mgpuGraphAddMemsetStridedNode(
  %c = agpu.memset [] (%h, %v) : memref<4x8xi16, strided<[16, 1]>>, i16
  // CHECK: llvm.call @mgpuGraphAddMemsetMemRefNode(
  %e = agpu.memset [] (%u, %v) : memref<*xi16>, i16
  // CHECK: %[[SIZES:.*]] = llvm.mlir.addressof @[[BYTES:agpu.constant.[0-9]+]]
  // CHECK: llvm.call @mgpuGraphAddKernelNode({{.*}}, %[[SIZES]], %{{[^,]*}})
  %f = agpu.launch_func [] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : i32, %v : i16)
  // CHECK: llvm.call @mgpuGraphAddHostNode(
  %g = agpu.host_call [] @callee(%w) : i32
  agpu.wait [%a, %b, %c, %e, %f, %g]
  return
}
// CHECK: @[[BYTES]]("\04\00\00\00\00\00\00\00\02\00\00\00\00\00\00\00")
