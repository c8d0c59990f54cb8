// RUN: split-file %s %t
// RUN: not lockstep-opt %t/plain.mlir "--agpu-serialize-kernels=target=rocdl chip=sm_75" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHIP
// RUN: not lockstep-opt %t/plain.mlir "--agpu-serialize-kernels=target=rocdl format=binary lld=%t/none" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LLD
// RUN: chmod +x %t/fails.sh
// RUN: not lockstep-opt %t/plain.mlir "--agpu-serialize-kernels=target=rocdl format=binary lld=%t/fails.sh" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FAILS
// RUN: not lockstep-opt %t/math.mlir "--agpu-serialize-kernels=target=rocdl format=isa rocm-path=%t/none" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LIBRARY
// RUN: not lockstep-opt %t/unlowered.mlir --agpu-serialize-kernels=target=rocdl 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNLOWERED

// CHIP: cannot be serialized: unknown chip 'sm_75': expected a name such as gfx90a
// LLD: cannot be serialized: ld.lld not found: {{.*}}/none is not a program
// FAILS: cannot be serialized: {{.*}}/fails.sh failed with status 7: no such object
// LIBRARY: cannot be serialized: unresolved device library functions __ocml_tanh_f32: they need ROCm's device libraries, but there is no {{.*}}/none/amdgcn/bitcode/ocml.bc; install ROCm, give its folder with rocm-path, or use format=bitcode
// UNLOWERED: unlowered.mlir:3:10: error: 'nvvm.read.ptx.sreg.tid.x' op is left after the conversion to ROCDL

//--- plain.mlir
gpu.module @kernels {
  llvm.func @nothing() attributes {gpu.kernel, rocdl.kernel} {
    llvm.return
  }
}

//--- math.mlir
gpu.module @kernels {
  llvm.func @__ocml_tanh_f32(f32) -> f32
  llvm.func @fill(%p: !llvm.ptr, %v: f32) attributes {gpu.kernel, rocdl.kernel} {
    %r = llvm.call @__ocml_tanh_f32(%v) : (f32) -> f32
    llvm.store %r, %p : f32, !llvm.ptr
    llvm.return
  }
}

//--- unlowered.mlir
gpu.module @kernels {
  llvm.func @thread() -> i32 {
    %r = nvvm.read.ptx.sreg.tid.x : i32
    llvm.return %r : i32
  }
}

//--- fails.sh
#!/bin/sh
echo "no such object" >&2
exit 7
