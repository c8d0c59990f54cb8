// RUN: lockstep-opt %s --agpu-lower-expect | FileCheck %s
// RUN: lockstep-opt %s --agpu-lower-expect --convert-agpu-to-serial --agpu-to-llvm | FileCheck %s --check-prefix=LLVM

// CHECK: llvm.func @lockstepExpect(
// CHECK-LABEL: func.func @main(
// CHECK-SAME: [[H:%.*]]: memref<?xi32>, [[D:%.*]]: memref<?xi32>)
// LLVM: llvm.func @main(
func.func @main(%h: memref<?xi32>, %d: memref<?xi32>) {
  // Device work is left to others.
  // CHECK: agpu.memcpy ([[H]], [[D]])
  agpu.memcpy (%h, %d) : memref<?xi32>, memref<?xi32>
  // CHECK-NOT: agpu.expect
  // CHECK: llvm.call @lockstepExpect(
  // LLVM: llvm.call @mgpuMemcpy
  // LLVM: llvm.call @lockstepExpect(
  agpu.expect %h, dense<7> : tensor<1xi32> : memref<?xi32>
  return
}

// A function without expectations is not touched.
// CHECK-LABEL: func.func @other(
// CHECK-SAME: [[N:%.*]]: index)
// CHECK-NEXT: return
func.func @other(%n: index) {
  return
}
