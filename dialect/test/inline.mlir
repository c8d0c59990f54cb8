// RUN: lockstep-opt %s --inline | FileCheck %s

func.func private @callee(%m: memref<4xi32>, %v: i32, %c: !agpu.chain) -> !agpu.chain {
  %c1 = agpu.memset [%c] (%m, %v) : memref<4xi32>, i32
  return %c1 : !agpu.chain
}
// CHECK-LABEL: func.func @caller(
// CHECK-SAME: [[M:%.*]]: memref<4xi32>, [[V:%.*]]: i32, [[C:%.*]]: !agpu.chain)
func.func @caller(%m: memref<4xi32>, %v: i32, %c: !agpu.chain) {
  // CHECK-NEXT: [[C1:%.*]] = agpu.memset {{\[}}[[C]]] ([[M]], [[V]])
  // CHECK-NEXT: [[C2:%.*]] = agpu.memset {{\[}}[[C1]]] ([[M]], [[V]])
  %c1 = call @callee(%m, %v, %c) : (memref<4xi32>, i32, !agpu.chain) -> !agpu.chain
  %c2 = call @callee(%m, %v, %c1) : (memref<4xi32>, i32, !agpu.chain) -> !agpu.chain
  // CHECK-NEXT: agpu.wait {{\[}}[[C2]]]
  agpu.wait [%c2]
  return
}
