// A token chain lowered by upstream's gpu-to-llvm and run by upstream's runner, on this library and the simulated
// driver: alloc, copy in, launch, copy out, free, wait. format=llvm embeds the kernel as LLVM bitcode, which
// mgpuModuleLoad gets.
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

// CHECK: [7,  8,  9,  10]

module attributes {gpu.container_module} {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c7 = arith.constant 7 : i32
    %h = memref.alloc() : memref<4xi32>
    scf.for %i = %c0 to %c4 step %c1 {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %h[%i] : memref<4xi32>
    }
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] () : memref<4xi32>
    %t2 = gpu.memcpy async [%t1] %d, %h : memref<4xi32>, memref<4xi32>
    %t3 = gpu.launch_func async [%t2] @kernels::@add
        blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%d : memref<4xi32>, %c7 : i32)
    %t4 = gpu.memcpy async [%t3] %h, %d : memref<4xi32>, memref<4xi32>
    %t5 = gpu.dealloc async [%t4] %d : memref<4xi32>
    gpu.wait [%t5]
    %u = memref.cast %h : memref<4xi32> to memref<*xi32>
    call @printMemrefI32(%u) : (memref<*xi32>) -> ()
    memref.dealloc %h : memref<4xi32>
    return
  }
  gpu.module @kernels {
    gpu.func @add(%m: memref<4xi32>, %v: i32) kernel {
      %i = gpu.thread_id x
      %a = memref.load %m[%i] : memref<4xi32>
      %b = arith.addi %a, %v : i32
      memref.store %b, %m[%i] : memref<4xi32>
      gpu.return
    }
  }
  func.func private @printMemrefI32(memref<*xi32>)
}
