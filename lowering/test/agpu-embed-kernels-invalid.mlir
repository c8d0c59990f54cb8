// RUN: lockstep-opt %s --agpu-embed-kernels --split-input-file --verify-diagnostics

// expected-note@+2 {{the module has 1 kernels}}
// expected-note@+1 {{it has the kernel @fill}}
gpu.binary @kernels [#gpu.object<#nvvm.target, kernels = <[#gpu.kernel_metadata<"fill", !llvm.func<void (ptr)>>]>, offload = "x">]
// expected-error@+1 {{names a kernel that does not exist: @kernels::@fil}}
llvm.mlir.global internal @agpu.function.kernels.fil() {agpu.kernel = @kernels::@fil} : !llvm.ptr

// -----

// expected-error@+1 {{names a kernel of a gpu.binary that does not exist: @kernels::@fill}}
llvm.mlir.global internal @agpu.function.kernels.fill() {agpu.kernel = @kernels::@fill} : !llvm.ptr

// -----

// expected-error@+1 {{with the attribute 'agpu.kernel' must be a pointer and name a kernel as @module::@kernel}}
llvm.mlir.global internal @handle(0 : i64) {agpu.kernel = @kernels::@fill} : i64

// -----

// expected-error@+1 {{has the name of a runtime function but is not its declaration: expected an external llvm.func of type '!llvm.func<ptr ()>'}}
func.func private @mgpuStreamCreate() -> i64

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @nothing() kernel {
      gpu.return
    }
  }
  func.func @main(%n: index) {
    // expected-error@+1 {{is not lowered yet, and the kernel that it names is about to become data}}
    agpu.launch_func @kernels::@nothing blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}
