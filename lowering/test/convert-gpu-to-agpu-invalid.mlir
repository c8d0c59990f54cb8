// What the import refuses; import-diagnostics.test checks that no case is missing.
// RUN: lockstep-opt %s --split-input-file --convert-gpu-to-agpu --verify-diagnostics

func.func @clusters(%n: index) {
  // expected-error @below {{launches clusters}}
  // expected-note @below {{agpu.launch has blocks and threads only}}
  gpu.launch clusters(%cx, %cy, %cz) in (%kx = %n, %ky = %n, %kz = %n)
             blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    gpu.terminator
  }
  return
}

// -----

func.func @attributions(%n: index) {
  // expected-error @below {{has memory attributions}}
  // expected-note @below {{run gpu-kernel-outlining first: a gpu.func keeps them}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n)
             workgroup(%w : memref<4xi32, 3>) {
    gpu.terminator
  }
  return
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel() kernel {
      gpu.return
    }
  }
  func.func @launch_func_clusters(%n: index) {
    // expected-error @below {{launches clusters}}
    // expected-note @below {{agpu.launch_func has blocks and threads only}}
    gpu.launch_func @kernels::@kernel clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel() kernel {
      gpu.return
    }
  }
  func.func @stream(%n: index, %stream: !llvm.ptr) {
    // expected-error @below {{is launched on an explicit stream}}
    // expected-note @below {{order it with async tokens instead}}
    gpu.launch_func <%stream : !llvm.ptr> @kernels::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

func.func @symbols(%n: index) {
  // expected-error @below {{allocates device memory with layout symbols}}
  // expected-note @below {{agpu.alloc has the identity layout only}}
  %m = gpu.alloc () [%n] : memref<4xi32, affine_map<(d0)[s0] -> (d0 + s0)>, 1>
  return
}

// -----

func.func @memref_symbols(%n: index) {
  // expected-error @below {{allocates device memory with layout symbols}}
  // expected-note @below {{agpu.alloc has the identity layout only}}
  %m = memref.alloc()[%n] : memref<4xi32, affine_map<(d0)[s0] -> (d0 + s0)>, 1>
  return
}

// -----

func.func @no_counterpart(%device: i32) {
  // expected-error @below {{has no counterpart in agpu}}
  // expected-note @below {{see the pass description for what can be imported}}
  gpu.set_default_device %device
  return
}

// -----

func.func @sparse(%m: memref<?xf32>, %n: index) {
  %t = gpu.wait async
  // expected-error @below {{has no counterpart in agpu}}
  // expected-note @below {{see the pass description for what can be imported}}
  %v, %t1 = gpu.create_dn_tensor async [%t] %m, %n : index into memref<?xf32>
  return
}

// -----

// What agpu itself refuses is reported at the operation that was imported.
func.func @layout() {
  // expected-error @below {{allocates a memref whose layout is not the identity}}
  // expected-note @below {{expected}}
  // expected-note @below {{actual}}
  %m = gpu.alloc () : memref<4xi32, strided<[2]>, 1>
  return
}
