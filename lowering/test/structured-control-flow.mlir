// RUN: lockstep-opt %s --convert-agpu-to-streams --agpu-to-llvm | FileCheck %s --implicit-check-not=scf.
// RUN: lockstep-opt %s --convert-agpu-to-serial --agpu-to-llvm | FileCheck %s --implicit-check-not=scf.
// RUN: lockstep-opt %s --convert-agpu-to-streams | FileCheck %s --check-prefix=JOIN

// Every structured operation with device work in it becomes blocks, whichever lowering came before.

// CHECK-LABEL: llvm.func @parallel
// CHECK: llvm.cond_br
// CHECK: llvm.cond_br
// CHECK: mgpuMemset32(
// The reduction's join waits for both chains: what was reduced so far, and this round's.
// JOIN-LABEL: func.func @parallel
// JOIN: ^bb3(%{{.*}}: index, %[[SO_FAR:.*]]: !llvm.ptr):
// JOIN: llvm.call @mgpuStreamWaitChain(%{{.*}}, %[[SO_FAR]])
// JOIN-NEXT: llvm.call @mgpuEventPoolAcquire
func.func @parallel(%d: memref<4xi32>, %v: i32, %n: index, %c: !agpu.chain) -> !agpu.chain {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) init (%c) -> !agpu.chain {
    %a = agpu.memset [%c] (%d, %v) : memref<4xi32>, i32
    scf.reduce(%a : !agpu.chain) {
    ^bb0(%x: !agpu.chain, %y: !agpu.chain):
      %joined = agpu.join [%x, %y]
      scf.reduce.return %joined : !agpu.chain
    }
  }
  return %r : !agpu.chain
}

// CHECK-LABEL: llvm.func @forall
// CHECK: llvm.cond_br
// CHECK: mgpuMemset32(
func.func @forall(%d: memref<4xi32>, %v: i32, %n: index) {
  scf.forall (%i) in (%n) {
    agpu.memset (%d, %v) : memref<4xi32>, i32
  }
  return
}

// CHECK-LABEL: llvm.func @others
// CHECK: llvm.switch
// CHECK: mgpuMemset32(
// CHECK: mgpuMemset32(
// CHECK: mgpuMemset32(
func.func @others(%d: memref<4xi32>, %v: i32, %n: index) {
  scf.index_switch %n
  case 3 {
    agpu.memset (%d, %v) : memref<4xi32>, i32
    scf.yield
  }
  default {
    scf.execute_region {
      agpu.memset (%d, %v) : memref<4xi32>, i32
      cf.br ^next
    ^next:
      agpu.memset (%d, %v) : memref<4xi32>, i32
      scf.yield
    }
  }
  return
}

// Host work alone.
// CHECK-LABEL: llvm.func @host
// CHECK: llvm.store
func.func @host(%m: memref<4xi32>, %v: i32, %n: index) {
  scf.forall (%i) in (%n) {
    memref.store %v, %m[%i] : memref<4xi32>
  }
  return
}
