// RUN: lockstep-opt %s --pass-pipeline='builtin.module(gpu.module(agpu-legalize-kernels))' --verify-diagnostics

gpu.module @kernels {
  gpu.func @divergent(%v: i32) kernel {
    // expected-error@+1 {{must be 'uniform': a block in which some threads do not reach it has no defined result}}
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    gpu.return
  }
}
