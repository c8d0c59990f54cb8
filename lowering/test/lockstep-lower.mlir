// The whole pipeline, from upstream's async dialect with a kernel in a region, in both lowerings.
// RUN: lockstep-opt %s --lockstep-lower | FileCheck %s --check-prefixes=CHECK,STREAMS
// RUN: lockstep-opt %s --lockstep-lower=lowering=serial | FileCheck %s --check-prefixes=CHECK,SERIAL
// RUN: lockstep-opt %s --lockstep-lower=max-streams=1 | FileCheck %s --check-prefix=ONE
// RUN: lockstep-opt %s --lockstep-lower | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=IR
//
// Unknown choices name what there is.
// RUN: not lockstep-opt %s --lockstep-lower=lowering=threads 2>&1 | FileCheck %s --check-prefix=LOWERING
// RUN: not lockstep-opt %s --lockstep-lower=backend=metal 2>&1 | FileCheck %s --check-prefix=BACKEND
// RUN: not lockstep-opt %s --lockstep-lower=kernel-format=elf 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not lockstep-opt %s --lockstep-lower=max-streams=0 2>&1 | FileCheck %s --check-prefix=NONE
// LOWERING: unknown lowering 'threads': it may be serial, streams
// BACKEND: unknown backend 'metal': it may be cuda, hip
// FORMAT: unknown kernel format 'elf': it may be bitcode, isa, binary
// NONE: the number of streams must be at least 1

// CHECK-NOT: gpu.
// CHECK-NOT: async.
// CHECK: llvm.func @main()
// STREAMS-COUNT-2: llvm.call @mgpuStreamPoolAcquire()
// STREAMS: llvm.call @mgpuStreamWaitEvent(
// SERIAL: llvm.call @mgpuStreamPoolAcquire()
// SERIAL-NOT: llvm.call @mgpuStreamPoolAcquire()
// SERIAL-NOT: llvm.call @mgpuStreamWaitEvent(
// CHECK: llvm.call @mgpuLaunchKernel(
// CHECK: llvm.return
// ONE: llvm.call @mgpuStreamPoolAcquire()
// ONE-NOT: llvm.call @mgpuStreamPoolAcquire()
// IR: define {{.*}}@main()
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.constant 2 : index
  %v0 = arith.constant 42 : i32
  %h0 = memref.alloc(%count) : memref<?xi32>
  %h0_unranked = memref.cast %h0 : memref<?xi32> to memref<*xi32>
  gpu.host_register %h0_unranked : memref<*xi32>
  memref.store %v0, %h0[%c0] : memref<?xi32>
  memref.store %v0, %h0[%c1] : memref<?xi32>
  %t0, %f0 = async.execute () -> !async.value<memref<?xi32>> {
    %b0 = gpu.alloc(%count) : memref<?xi32>
    gpu.memcpy %b0, %h0 : memref<?xi32>, memref<?xi32>
    async.yield %b0 : memref<?xi32>
  }
  %t1, %f1 = async.execute [%t0] (%f0 as %b0 : !async.value<memref<?xi32>>) -> !async.value<memref<?xi32>> {
    %b1 = gpu.alloc(%count) : memref<?xi32>
    gpu.memcpy %b1, %b0 : memref<?xi32>, memref<?xi32>
    async.yield %b1 : memref<?xi32>
  }
  %t2, %f2 = async.execute [%t0] (%f0 as %b0 : !async.value<memref<?xi32>>) -> !async.value<memref<?xi32>> {
    %b2 = gpu.alloc(%count) : memref<?xi32>
    gpu.memcpy %b2, %b0 : memref<?xi32>, memref<?xi32>
    async.yield %b2 : memref<?xi32>
  }
  %t3 = async.execute [%t1, %t2] (%f1 as %b1 : !async.value<memref<?xi32>>, %f2 as %b2 : !async.value<memref<?xi32>>) {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %count, %sy = %c1, %sz = %c1) {
      %v1 = memref.load %b1[%tx] : memref<?xi32>
      %v2 = memref.load %b2[%tx] : memref<?xi32>
      %sum = arith.addi %v1, %v2 : i32
      memref.store %sum, %h0[%tx] : memref<?xi32>
      gpu.terminator
    }
    async.yield
  }
  async.await %t3 : !async.token
  agpu.expect %h0, dense<84> : tensor<2xi32> : memref<?xi32>
  return
}
