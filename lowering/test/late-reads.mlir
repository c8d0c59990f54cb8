// RUN: lockstep-opt %s --convert-agpu-to-streams=op-names=false | FileCheck %s

// Rule LOWER-9: which copies are graphs of one node.

// Never written in device order.
// CHECK-LABEL: func.func @only_read
// CHECK-NOT: mgpuGraph
// CHECK: llvm.call @mgpuMemcpy(
// CHECK-NOT: mgpuGraph
func.func @only_read(%n: index) {
  %h = memref.alloc() : memref<4xi32>
  %d, %c0 = agpu.alloc [] () : memref<4xi32>
  %c1 = agpu.memcpy [%c0] (%d, %h) : memref<4xi32>, memref<4xi32>
  agpu.wait [%c1]
  return
}

// CHECK-LABEL: func.func @written_by_copy
// CHECK: llvm.call @mgpuMemcpy(
// CHECK: %[[GRAPH:.*]] = llvm.call @mgpuGraphBegin(
// CHECK: llvm.call @mgpuGraphAddMemcpyNode(%[[GRAPH]], %{{.*}}
// CHECK: llvm.call @mgpuGraphLaunch(%[[GRAPH]], %{{.*}})
// CHECK-NOT: mgpuMemcpy(
func.func @written_by_copy() {
  %h = memref.alloc() : memref<4xi32>
  %d, %c0 = agpu.alloc [] () : memref<4xi32>
  %c1 = agpu.memcpy [%c0] (%h, %d) : memref<4xi32>, memref<4xi32>
  %c2 = agpu.memcpy [%c1] (%d, %h) : memref<4xi32>, memref<4xi32>
  agpu.wait [%c2]
  return
}

// A view of what is written, and a strided copy.
// CHECK-LABEL: func.func @view_of_written
// CHECK: llvm.call @mgpuGraphAddMemcpyStridedNode(
func.func @view_of_written() {
  %h = memref.alloc() : memref<8xi32>
  %d, %c0 = agpu.alloc [] () : memref<8xi32>
  %v, %c1 = agpu.alloc [] () : memref<4xi32>
  %c2 = agpu.memcpy [%c0] (%h, %d) : memref<8xi32>, memref<8xi32>
  %half = memref.subview %h[0] [4] [2] : memref<8xi32> to memref<4xi32, strided<[2]>>
  %c3 = agpu.memcpy [%c1, %c2] (%v, %half) : memref<4xi32>, memref<4xi32, strided<[2]>>
  agpu.wait [%c3]
  return
}

// Page-locked for as long as it is used.
// CHECK-LABEL: func.func @page_locked
// CHECK-NOT: mgpuGraph
// CHECK: return
func.func @page_locked() {
  %h = memref.alloc() : memref<4xi32>
  agpu.host_register %h : memref<4xi32>
  %d, %c0 = agpu.alloc [] () : memref<4xi32>
  %c1 = agpu.memcpy [%c0] (%h, %d) : memref<4xi32>, memref<4xi32>
  %c2 = agpu.memcpy [%c1] (%d, %h) : memref<4xi32>, memref<4xi32>
  agpu.wait [%c2]
  agpu.host_unregister %h : memref<4xi32>
  return
}

// Unlocked before the second copy.
// CHECK-LABEL: func.func @page_locked_too_short
// CHECK: mgpuGraphAddMemcpyNode
func.func @page_locked_too_short() {
  %h = memref.alloc() : memref<4xi32>
  agpu.host_register %h : memref<4xi32>
  %d, %c0 = agpu.alloc [] () : memref<4xi32>
  %c1 = agpu.memcpy [%c0] (%h, %d) : memref<4xi32>, memref<4xi32>
  agpu.wait [%c1]
  agpu.host_unregister %h : memref<4xi32>
  %c2 = agpu.memcpy [%c1] (%d, %h) : memref<4xi32>, memref<4xi32>
  agpu.wait [%c2]
  return
}

// Between two buffers of the device.
// CHECK-LABEL: func.func @on_device
// CHECK-NOT: mgpuGraph
// CHECK: return
func.func @on_device(%e: memref<4xi32, 1>) {
  %d, %c0 = agpu.alloc [] () : memref<4xi32>
  %c1 = agpu.memcpy [%c0] (%d, %e) : memref<4xi32>, memref<4xi32, 1>
  agpu.wait [%c1]
  return
}

// An argument may be anything that is written.
// CHECK-LABEL: func.func @argument
// CHECK: mgpuGraphAddMemcpyNode
func.func @argument(%h: memref<4xi32>, %c: !agpu.chain) -> !agpu.chain {
  %d, %c0 = agpu.alloc [%c] () : memref<4xi32>
  %c1 = agpu.memcpy [%c0] (%d, %h) : memref<4xi32>, memref<4xi32>
  return %c1 : !agpu.chain
}

// Written by a host function.
// CHECK-LABEL: func.func @written_by_call
// CHECK: mgpuGraphAddMemcpyNode
func.func private @touch(memref<4xi32>)
func.func @written_by_call() {
  %h = memref.alloc() : memref<4xi32>
  %d, %c0 = agpu.alloc [] () : memref<4xi32>
  %c1 = agpu.host_call [%c0] @touch(%h) : memref<4xi32>
  %c2 = agpu.memcpy [%c1] (%d, %h) : memref<4xi32>, memref<4xi32>
  agpu.wait [%c2]
  return
}
