// Needs the linker.
// REQUIRES: ld.lld
// RUN: lockstep-opt %s "--agpu-serialize-kernels=target=rocdl format=binary rocm-path=%t/none" | FileCheck %s

// CHECK: gpu.binary @kernels [#gpu.object<#rocdl.target<chip = "gfx90a"
// CHECK-SAME: bin = "\7FELF
// CHECK-SAME: fill.kd

gpu.module @kernels {
  llvm.func @fill(%p: !llvm.ptr<1>, %v: f32) attributes {gpu.kernel, rocdl.kernel} {
    llvm.store %v, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
