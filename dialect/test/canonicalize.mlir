// What canonicalisation removes, and what it must leave alone.
// RUN: lockstep-opt %s --split-input-file --canonicalize | FileCheck %s

// Duplicate chains go from every operation with chains.
// CHECK-LABEL: func.func @duplicate_chains(
// CHECK-SAME: [[M:%.*]]: memref<4xi32>, [[V:%.*]]: i32, [[A:%.*]]: !agpu.chain, [[B:%.*]]: !agpu.chain)
func.func @duplicate_chains(%m: memref<4xi32>, %v: i32, %a: !agpu.chain, %b: !agpu.chain) {
  // CHECK: [[D:%.*]], [[C0:%.*]] = agpu.alloc {{\[}}[[A]], [[B]]] ()
  %d, %c0 = agpu.alloc [%a, %b, %a] () : memref<4xi32>
  // CHECK: [[C1:%.*]] = agpu.memset {{\[}}[[C0]]]
  %c1 = agpu.memset [%c0, %c0] (%d, %v) : memref<4xi32>, i32
  // CHECK: [[C2:%.*]] = agpu.dealloc {{\[}}[[C1]], [[A]]]
  %c2 = agpu.dealloc [%c1, %a, %c1] %d : memref<4xi32>
  // CHECK: agpu.wait {{\[}}[[C2]]]
  agpu.wait [%c2, %c2]
  return
}

// -----

// CHECK-LABEL: func.func @joins(
// CHECK-SAME: [[A:%.*]]: !agpu.chain, [[B:%.*]]: !agpu.chain, [[C:%.*]]: !agpu.chain)
func.func @joins(%a: !agpu.chain, %b: !agpu.chain, %c: !agpu.chain) -> (!agpu.chain, !agpu.chain, !agpu.chain) {
  // A join of one is that one; a join with duplicates loses them.
  // CHECK-NOT: agpu.join {{\[}}[[A]]]
  %one = agpu.join [%a]
  %twice = agpu.join [%b, %b]
  // Nested joins are flattened.
  %inner = agpu.join [%a, %b]
  // CHECK: [[FLAT:%.*]] = agpu.join {{\[}}[[A]], [[B]], [[C]]]
  %outer = agpu.join [%inner, %c]
  // CHECK: return [[A]], [[B]], [[FLAT]]
  return %one, %twice, %outer : !agpu.chain, !agpu.chain, !agpu.chain
}

// -----

// CHECK-LABEL: func.func @waits(
// CHECK-SAME: [[A:%.*]]: !agpu.chain, [[B:%.*]]: !agpu.chain)
func.func @waits(%a: !agpu.chain, %b: !agpu.chain) {
  // A wait for nothing does nothing, also where what it waits for are joins of nothing (JOIN-2).
  %none = agpu.join []
  %still_none = agpu.join [%none, %none]
  agpu.wait []
  agpu.wait [%none]
  agpu.wait [%still_none]
  // CHECK-NEXT: agpu.wait {{\[}}[[A]], [[B]]]
  %join = agpu.join [%a, %b]
  agpu.wait [%join]
  // CHECK-NEXT: agpu.wait {{\[}}[[A]]]
  agpu.wait [%none, %a]
  // CHECK-NEXT: return
  return
}

// -----

// An asynchronous operation stays asynchronous when nothing is left to wait for.
// CHECK-LABEL: func.func @still_asynchronous
func.func @still_asynchronous(%m: memref<4xi32>, %v: i32) -> !agpu.chain {
  %none = agpu.join []
  // CHECK-NEXT: [[C:%.*]] = agpu.memset [] (
  %c = agpu.memset [%none] (%m, %v) : memref<4xi32>, i32
  // CHECK-NEXT: return [[C]]
  return %c : !agpu.chain
}

// -----

// A join that is used elsewhere too stays an operand.
// CHECK-LABEL: func.func @shared_join(
// CHECK-SAME: [[A:%.*]]: !agpu.chain, [[B:%.*]]: !agpu.chain, [[C:%.*]]: !agpu.chain)
func.func @shared_join(%a: !agpu.chain, %b: !agpu.chain, %c: !agpu.chain) -> (!agpu.chain, !agpu.chain) {
  // CHECK: [[J:%.*]] = agpu.join {{\[}}[[A]], [[B]]]
  %join = agpu.join [%a, %b]
  // CHECK: [[K:%.*]] = agpu.join {{\[}}[[J]], [[C]]]
  %outer = agpu.join [%join, %c]
  // CHECK: agpu.wait {{\[}}[[J]]]
  agpu.wait [%join]
  // CHECK: return [[J]], [[K]]
  return %join, %outer : !agpu.chain, !agpu.chain
}

// -----

// Nothing here may go: two waits on one chain (WAIT-2), a join of two, device work whose chain nobody uses.
// CHECK-LABEL: func.func @kept(
// CHECK-SAME: [[M:%.*]]: memref<4xi32>, [[V:%.*]]: i32, [[A:%.*]]: !agpu.chain, [[B:%.*]]: !agpu.chain)
func.func @kept(%m: memref<4xi32>, %v: i32, %a: !agpu.chain, %b: !agpu.chain) -> !agpu.chain {
  // CHECK-NEXT: agpu.wait {{\[}}[[A]]]
  agpu.wait [%a]
  // CHECK-NEXT: agpu.wait {{\[}}[[A]]]
  agpu.wait [%a]
  // CHECK-NEXT: [[J:%.*]] = agpu.join {{\[}}[[A]], [[B]]]
  %j = agpu.join [%a, %b]
  // CHECK-NEXT: {{%.*}} = agpu.memset [] ([[M]], [[V]])
  %unused = agpu.memset [] (%m, %v) : memref<4xi32>, i32
  // CHECK-NEXT: agpu.memset ([[M]], [[V]])
  agpu.memset (%m, %v) : memref<4xi32>, i32
  // CHECK-NEXT: agpu.expect
  agpu.expect %m, dense<1> : tensor<4xi32> : memref<4xi32>
  // CHECK-NEXT: agpu.host_register
  agpu.host_register %m : memref<4xi32>
  // CHECK-NEXT: return [[J]]
  return %j : !agpu.chain
}
