// A fork and a join through `gpu.wait async`, lowered by upstream: events between streams. One value is copied to two
// buffers on two streams, whose sum is taken.
//
// RUN: mlir-opt %s --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_70}, gpu.module(convert-gpu-to-nvvm), \
// RUN:   convert-scf-to-cf, gpu-to-llvm, gpu-module-to-binary{format=llvm}, convert-arith-to-llvm, \
// RUN:   convert-index-to-llvm, convert-cf-to-llvm, convert-func-to-llvm, finalize-memref-to-llvm, \
// RUN:   reconcile-unrealized-casts)' -o %t.mlir
// RUN: env LOCKSTEP_CUDA_DRIVER=%sim_cuda_driver LOCKSTEP_SIM_SCHEDULE=eager mlir-runner %t.mlir \
// RUN:   --entry-point-result=void --shared-libs=%runtime_cuda --shared-libs=%mlir_lib/libmlir_runner_utils.so \
// RUN:   | FileCheck %s
// RUN: env LOCKSTEP_CUDA_DRIVER=%sim_cuda_driver LOCKSTEP_SIM_SCHEDULE=lazy mlir-runner %t.mlir \
// RUN:   --entry-point-result=void --shared-libs=%runtime_cuda --shared-libs=%mlir_lib/libmlir_runner_utils.so \
// RUN:   | FileCheck %s
// RUN: env LOCKSTEP_CUDA_DRIVER=%sim_cuda_driver LOCKSTEP_SIM_SCHEDULE=random:1 mlir-runner %t.mlir \
// RUN:   --entry-point-result=void --shared-libs=%runtime_cuda --shared-libs=%mlir_lib/libmlir_runner_utils.so \
// RUN:   | FileCheck %s
// RUN: env LOCKSTEP_CUDA_DRIVER=%sim_cuda_driver LOCKSTEP_SIM_SCHEDULE=random:2 mlir-runner %t.mlir \
// RUN:   --entry-point-result=void --shared-libs=%runtime_cuda --shared-libs=%mlir_lib/libmlir_runner_utils.so \
// RUN:   | FileCheck %s

// CHECK: [84,  84]

module attributes {gpu.container_module} {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %v42 = arith.constant 42 : i32
    %h = memref.alloc() : memref<2xi32>
    memref.store %v42, %h[%c0] : memref<2xi32>
    memref.store %v42, %h[%c1] : memref<2xi32>
    %t0 = gpu.wait async
    %b0, %t1 = gpu.alloc async [%t0] () : memref<2xi32>
    %b1, %t2 = gpu.alloc async [%t1] () : memref<2xi32>
    %b2, %t3 = gpu.alloc async [%t2] () : memref<2xi32>
    %t4 = gpu.memcpy async [%t3] %b0, %h : memref<2xi32>, memref<2xi32>
    %f1 = gpu.wait async [%t4]
    %f2 = gpu.wait async [%t4]
    %t5 = gpu.memcpy async [%f1] %b1, %b0 : memref<2xi32>, memref<2xi32>
    %t6 = gpu.memcpy async [%f2] %b2, %b0 : memref<2xi32>, memref<2xi32>
    %j = gpu.wait async [%t5, %t6]
    %t7 = gpu.launch_func async [%j] @kernels::@add
        blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1) args(%b1 : memref<2xi32>, %b2 : memref<2xi32>)
    %t8 = gpu.memcpy async [%t7] %h, %b1 : memref<2xi32>, memref<2xi32>
    gpu.wait [%t8]
    %u = memref.cast %h : memref<2xi32> to memref<*xi32>
    call @printMemrefI32(%u) : (memref<*xi32>) -> ()
    memref.dealloc %h : memref<2xi32>
    return
  }
  gpu.module @kernels {
    gpu.func @add(%m: memref<2xi32>, %n: memref<2xi32>) kernel {
      %i = gpu.thread_id x
      %a = memref.load %m[%i] : memref<2xi32>
      %c = memref.load %n[%i] : memref<2xi32>
      %b = arith.addi %a, %c : i32
      memref.store %b, %m[%i] : memref<2xi32>
      gpu.return
    }
  }
  func.func private @printMemrefI32(memref<*xi32>)
}
