// RUN: lockstep-opt %s --convert-agpu-to-serial=trace-chains | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[D:[a-z0-9]+]]: memref<4xi32>, %{{.*}}, %{{.*}}, %[[C:[a-z0-9]+]]: !llvm.ptr) -> !llvm.ptr
func.func @main(%d: memref<4xi32>, %v: i32, %n: index, %c: !agpu.chain) -> !agpu.chain {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // An operation, what it comes after, and its memory; then the work as ever. Its chain goes on as a value.
  // CHECK: %[[A:.*]] = llvm.call @lockstepTraceOp(%{{.*}}, %[[WORK:.*]])
  // CHECK-NEXT: llvm.call @lockstepTraceAfter(%[[C]])
  // CHECK: llvm.call @mgpuSetOp
  // CHECK-NOT: lockstepTraceHostWait
  // CHECK: llvm.call @lockstepTraceAccess(
  // CHECK: llvm.call @mgpuMemset32
  // CHECK: llvm.call @mgpuStreamSynchronize
  %a = agpu.memset [%c] (%d, %v) : memref<4xi32>, i32
  // CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %[[A]]) -> (!llvm.ptr)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (!agpu.chain) {
    // CHECK: %[[B:.*]] = llvm.call @lockstepTraceOp
    // CHECK-NEXT: llvm.call @lockstepTraceAfter(%[[X]])
    // CHECK: %[[J:.*]] = llvm.call @lockstepTraceOp
    // CHECK-NEXT: llvm.call @lockstepTraceAfter(%[[A]])
    // CHECK-NEXT: llvm.call @lockstepTraceAfter(%[[B]])
    // CHECK-NEXT: scf.yield %[[J]]
    %b = agpu.memset [%x] (%d, %v) : memref<4xi32>, i32
    %j = agpu.join [%a, %b]
    scf.yield %j : !agpu.chain
  }
  // CHECK: llvm.call @lockstepTraceOp
  // CHECK-NEXT: llvm.call @lockstepTraceAfter
  // CHECK-NOT: Synchronize
  // CHECK: return
  agpu.wait [%r]
  return %r : !agpu.chain
}

// What is allocated is told behind the allocation, and whether the host looks before the next device operation.
// CHECK-LABEL: func.func @synchronous
func.func @synchronous(%h: memref<4xi32>, %v: i32) -> i32 {
  // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
  %c0 = arith.constant 0 : index
  // CHECK: llvm.call @lockstepTraceHostWait(%[[ONE]])
  // CHECK-NOT: lockstepTraceAccess
  // CHECK: llvm.call @mgpuMemAlloc
  // CHECK: llvm.call @lockstepTraceAccess
  %d = agpu.alloc () : memref<4xi32>
  // CHECK: llvm.call @lockstepTraceHostWait(%[[ONE]])
  agpu.memset (%d, %v) : memref<4xi32>, i32
  // Destination and source.
  // CHECK: llvm.call @lockstepTraceHostWait(%[[ZERO]])
  // CHECK: llvm.call @lockstepTraceAccess
  // CHECK: llvm.call @lockstepTraceAccess
  // CHECK: llvm.call @mgpuMemcpy
  agpu.memcpy (%h, %d) : memref<4xi32>, memref<4xi32>
  %seen = memref.load %h[%c0] : memref<4xi32>
  // CHECK: llvm.call @lockstepTraceHostWait(%[[ZERO]])
  agpu.dealloc %d : memref<4xi32>
  return %seen : i32
}
