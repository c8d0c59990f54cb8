// RUN: lockstep-opt %s --agpu-serialize-kernels | FileCheck %s
// RUN: lockstep-opt %s --agpu-serialize-kernels --verify-roundtrip -o /dev/null
// RUN: lockstep-opt %s --agpu-serialize-kernels=format=isa | FileCheck %s --check-prefix=ISA
// RUN: lockstep-opt %s "--agpu-serialize-kernels=format=isa chip=sm_90 features=+ptx80" | FileCheck %s --check-prefix=CHIP


// Bitcode behind a header: magic number, version 0, offset 20. A helper is no kernel.
// CHECK: gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_75">
// CHECK-SAME: kernels = <[#gpu.kernel_metadata<"fill", !llvm.func<void (ptr, f32)>>]>
// CHECK-SAME: offload = "\DE\C0\17\0B\00\00\00\00\14\00\00\00
// CHECK-SAME: BC\C0\DE
// CHECK: gpu.binary @empty
// CHECK-NOT: gpu.module

// ISA: gpu.binary @kernels
// ISA-SAME: assembly = "
// ISA-SAME: .target sm_75
// ISA-SAME: .visible .entry fill(

// CHIP: .version 8.0
// CHIP-SAME: .target sm_90

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func internal @helper(%v: f32) -> f32 {
      %r = llvm.fmul %v, %v : f32
      llvm.return %r : f32
    }
    llvm.func @fill(%p: !llvm.ptr, %v: f32) attributes {gpu.kernel, nvvm.kernel} {
      %r = llvm.call @helper(%v) : (f32) -> f32
      llvm.store %r, %p : f32, !llvm.ptr
      llvm.return
    }
  }
  gpu.module @empty {
  }
}
