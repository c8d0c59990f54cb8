// RUN: split-file %s %t
// RUN: not lockstep-opt %t/plain.mlir --agpu-serialize-kernels=target=spirv 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not lockstep-opt %t/plain.mlir --agpu-serialize-kernels=format=fat 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not lockstep-opt %t/plain.mlir --agpu-serialize-kernels=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not lockstep-opt %t/plain.mlir "--agpu-serialize-kernels=format=binary ptxas=%t/none" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PTXAS
// RUN: chmod +x %t/fails.sh
// RUN: not lockstep-opt %t/plain.mlir "--agpu-serialize-kernels=format=binary ptxas=%t/fails.sh" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FAILS
// RUN: not lockstep-opt %t/math.mlir "--agpu-serialize-kernels=format=isa cuda-path=%t/none" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LIBRARY
// RUN: not lockstep-opt %t/unlowered.mlir --agpu-serialize-kernels 2>&1 | FileCheck %s --check-prefix=UNLOWERED

// TARGET: error: unknown target 'spirv': expected nvvm or rocdl
// FORMAT: error: unknown format 'fat': expected bitcode, isa or binary
// CHIP: cannot be serialized: unknown chip 'sm_1': expected a name such as sm_75
// PTXAS: cannot be serialized: ptxas not found: {{.*}}/none is not a program
// FAILS: cannot be serialized: {{.*}}/fails.sh failed with status 7: no such processor
// LIBRARY: cannot be serialized: unresolved device library functions __nv_expf, __nv_sinf: they need the CUDA toolkit's libdevice, which is not at {{.*}}/none/nvvm/libdevice/libdevice.10.bc
// UNLOWERED: unlowered.mlir:2:3: error: 'gpu.func' op is left after the conversion to NVVM
// UNLOWERED: unlowered.mlir:8:10: error: 'math.ctpop' op is left after the conversion to NVVM

//--- plain.mlir
gpu.module @kernels {
  llvm.func @nothing() attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}

//--- math.mlir
gpu.module @kernels {
  llvm.func @__nv_expf(f32) -> f32
  llvm.func @__nv_sinf(f32) -> f32
  llvm.func @fill(%p: !llvm.ptr, %v: f32) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.call @__nv_expf(%v) : (f32) -> f32
    %s = llvm.call @__nv_sinf(%r) : (f32) -> f32
    llvm.store %s, %p : f32, !llvm.ptr
    llvm.return
  }
}

//--- unlowered.mlir
gpu.module @kernels {
  gpu.func @nothing() kernel {
    gpu.return
  }

  llvm.func @count(%v: i32) -> i32 {
    // Of another dialect, in a function that is lowered.
    %r = math.ctpop %v : i32
    llvm.return %r : i32
  }
}

//--- fails.sh
#!/bin/sh
echo "no such processor" >&2
exit 7
