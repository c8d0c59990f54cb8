// Needs the assembler, and with it the toolkit's device library.
// REQUIRES: ptxas
// RUN: lockstep-opt %s "--agpu-serialize-kernels=format=binary chip=sm_80" | FileCheck %s

// CHECK: gpu.binary @kernels
// CHECK-SAME: bin = "\7FELF

gpu.module @kernels {
  llvm.func @__nv_expf(f32) -> f32
  llvm.func @fill(%p: !llvm.ptr, %v: f32) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.call @__nv_expf(%v) : (f32) -> f32
    llvm.store %r, %p : f32, !llvm.ptr
    llvm.return
  }
}
