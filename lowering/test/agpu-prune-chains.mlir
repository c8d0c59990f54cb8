// RUN: lockstep-opt %s --agpu-prune-chains | FileCheck %s
// RUN: lockstep-opt %s --agpu-prune-chains --verify-roundtrip -o /dev/null


// CHECK-LABEL: @implied_by_another
func.func @implied_by_another(%m: memref<4xi32, 1>, %h: memref<4xi32>, %v: i32) {
  // CHECK: [[A:%.*]] = agpu.memset []
  %a = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
  // CHECK: [[B:%.*]] = agpu.memcpy {{\[}}[[A]]]
  %b = agpu.memcpy [%a] (%h, %m) : memref<4xi32>, memref<4xi32, 1>
  // CHECK: agpu.dealloc {{\[}}[[B]]]
  %c = agpu.dealloc [%a, %b, %b] %m : memref<4xi32, 1>
  // CHECK: agpu.wait {{\[}}{{%.*}}]
  agpu.wait [%a, %c]
  return
}

// Neither operand of a real join is implied.
// CHECK-LABEL: @diamond
func.func @diamond(%m: memref<4xi32, 1>, %n: memref<4xi32, 1>, %v: i32) {
  // CHECK: [[A:%.*]] = agpu.memset [] (
  %a = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
  // CHECK: [[B:%.*]] = agpu.memset {{\[}}[[A]]]
  %b = agpu.memset [%a] (%m, %v) : memref<4xi32, 1>, i32
  // CHECK: [[C:%.*]] = agpu.memset {{\[}}[[A]]]
  %c = agpu.memset [%a] (%n, %v) : memref<4xi32, 1>, i32
  // CHECK: agpu.memcpy {{\[}}[[B]], [[C]]]
  %d = agpu.memcpy [%b, %c] (%m, %n) : memref<4xi32, 1>, memref<4xi32, 1>
  // CHECK: agpu.memcpy {{\[}}[[B]], [[C]]]
  %e = agpu.memcpy [%b, %a, %c] (%m, %n) : memref<4xi32, 1>, memref<4xi32, 1>
  return
}

// CHECK-LABEL: @through_joins
func.func @through_joins(%m: memref<4xi32, 1>, %n: memref<4xi32, 1>, %v: i32) {
  // CHECK: [[A:%.*]] = agpu.memset []
  %a = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
  // CHECK: [[B:%.*]] = agpu.memset []
  %b = agpu.memset [] (%n, %v) : memref<4xi32, 1>, i32
  // CHECK: [[J:%.*]] = agpu.join {{\[}}[[A]], [[B]]]
  %j = agpu.join [%a, %b]
  // A join that says nothing new goes.
  // CHECK: agpu.memset {{\[}}[[A]], [[B]]] (
  %c = agpu.memset [%a, %j, %b] (%m, %v) : memref<4xi32, 1>, i32
  // A join of one that stands beside it goes, not both.
  // CHECK: [[K:%.*]] = agpu.join {{\[}}[[A]]]
  %k = agpu.join [%a]
  // CHECK: agpu.memset {{\[}}[[A]]] (
  %d = agpu.memset [%a, %k] (%m, %v) : memref<4xi32, 1>, i32
  // A join that says nothing new beside a later operation goes.
  // CHECK: [[E:%.*]] = agpu.memset {{\[}}[[J]]] (
  %e = agpu.memset [%j] (%m, %v) : memref<4xi32, 1>, i32
  // CHECK: agpu.wait {{\[}}[[E]]]
  agpu.wait [%j, %e, %k]
  // Half of what it says is new: it stays.
  // CHECK: [[F:%.*]] = agpu.memset {{\[}}[[A]]]
  %f = agpu.memset [%a] (%m, %v) : memref<4xi32, 1>, i32
  // CHECK: agpu.wait {{\[}}[[J]], [[F]]]
  agpu.wait [%j, %f]
  return
}

// A chain from elsewhere implies nothing, and a block is judged alone.
// CHECK-LABEL: @unknown_history
func.func @unknown_history(%m: memref<4xi32, 1>, %v: i32, %x: !agpu.chain, %y: !agpu.chain, %p: i1) {
  // CHECK: agpu.wait {{\[}}%{{.*}}, %{{.*}}]
  agpu.wait [%x, %y]
  // CHECK: [[A:%.*]] = agpu.memset {{\[}}[[X:%.*]]]
  %a = agpu.memset [%x] (%m, %v) : memref<4xi32, 1>, i32
  // CHECK: agpu.wait {{\[}}[[A]]]
  agpu.wait [%x, %a]
  scf.if %p {
    // CHECK: [[B:%.*]] = agpu.memset {{\[}}[[X]], [[A]]]
    %b = agpu.memset [%x, %a] (%m, %v) : memref<4xi32, 1>, i32
    // CHECK: agpu.wait {{\[}}[[B]]]
    agpu.wait [%b, %a]
  }
  return
}
