// RUN: lockstep-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(agpu-legalize-kernels))' --verify-diagnostics

gpu.module @kernels {
  gpu.func @divergent(%v: i32) kernel {
    // expected-error@+1 {{must be 'uniform': a block in which some threads do not reach it has no defined result}}
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  func.func private @elsewhere(i32) -> i32
  // A declaration that nobody uses does no harm.
  func.func private @unused()
  llvm.func @__nv_abs(i32) -> i32
  gpu.func @calls(%v: i32) kernel {
    %a = llvm.call @__nv_abs(%v) : (i32) -> i32
    // expected-error@+1 {{'func.call' op in a kernel uses the function @elsewhere, which has no body: give it one, or declare a function of the device's library as llvm.func}}
    %r = func.call @elsewhere(%a) : (i32) -> i32
    gpu.return
  }
}
