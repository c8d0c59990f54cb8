// RUN: lockstep-opt %s --convert-agpu-to-serial=op-names=false | FileCheck %s
// RUN: not lockstep-opt %S/convert-agpu-to-streams-invalid.mlir --split-input-file --convert-agpu-to-serial 2>&1 | FileCheck %s --check-prefix=REFUSED

// REFUSED: has chains in its signature but no body
// REFUSED: is not known to pass it on

// LOWER-7: one stream, a wait after each operation, chains are null; control flow stays.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[C:[a-z0-9]+]]: !llvm.ptr) -> !llvm.ptr
func.func @main(%d: memref<4xi32>, %v: i32, %n: index, %c: !agpu.chain) -> !agpu.chain {
  // CHECK: %[[S:.*]] = llvm.call @mgpuStreamPoolAcquire()
  // CHECK: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
  // CHECK-NOT: mgpuStreamPoolAcquire
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: llvm.call @mgpuMemset32({{.*}}, %[[S]])
  // CHECK-NEXT: llvm.call @mgpuStreamSynchronize(%[[S]])
  %a = agpu.memset [%c] (%d, %v) : memref<4xi32>, i32
  // CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %[[NULL]]) -> (!llvm.ptr)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (!agpu.chain) {
    // CHECK: llvm.call @mgpuMemset32({{.*}}, %[[S]])
    // CHECK-NEXT: llvm.call @mgpuStreamSynchronize(%[[S]])
    // CHECK-NEXT: scf.yield %[[NULL]] : !llvm.ptr
    %b = agpu.memset [%x] (%d, %v) : memref<4xi32>, i32
    scf.yield %b : !agpu.chain
  }
  // CHECK-NOT: Event
  // CHECK: llvm.call @mgpuStreamPoolRelease(%[[S]])
  // CHECK-NEXT: return %{{.*}} : !llvm.ptr
  agpu.wait [%r]
  return %r : !agpu.chain
}
