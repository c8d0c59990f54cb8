// RUN: lockstep-opt %s --split-input-file --convert-agpu-to-streams=op-names=false | FileCheck %s
// RUN: lockstep-opt %s --split-input-file --convert-agpu-to-streams | FileCheck %s --check-prefix=NAMES

// What each operation becomes. LOWER-5: stack memory is allocated once, in the entry block.

// CHECK-LABEL: func.func @memory
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// NAMES: llvm.call @mgpuSetOp
func.func @memory(%n: index) {
  // CHECK: %[[S:.*]] = llvm.call @mgpuStreamPoolAcquire()
  // CHECK: %[[SIZE:.*]] = builtin.unrealized_conversion_cast %[[N]] : index to i64
  // CHECK: %[[COUNT:.*]] = llvm.mul %{{.*}}, %[[SIZE]]
  // CHECK: %[[BYTES:.*]] = llvm.mul %[[COUNT]], %{{.*}}
  // CHECK: %[[P:.*]] = llvm.call @mgpuMemAlloc(%[[BYTES]], %[[S]], %{{.*}})
  %m, %a = agpu.alloc [] (%n) : memref<?x3xf32, 1>
  // CHECK: llvm.call @mgpuMemFree(%{{.*}}, %[[S]])
  %b = agpu.dealloc [%a] %m : memref<?x3xf32, 1>
  agpu.wait [%b]
  return
}

// -----

// CHECK-LABEL: func.func @copies
func.func @copies(%d: memref<2x3xf32, 1>, %h: memref<2x3xf32>, %n: memref<?x3xf32>,
                  %s: memref<2x3xf32, strided<[6, 2], offset: ?>>, %u: memref<*xf32>) {
  // CHECK: %[[SIX:.*]] = llvm.mlir.constant(24 : i64)
  // CHECK: llvm.call @mgpuMemcpy(%{{.*}}, %{{.*}}, %[[SIX]], %{{.*}})
  agpu.memcpy (%d, %h) : memref<2x3xf32, 1>, memref<2x3xf32>
  // The static shape of the other side is taken.
  // CHECK: llvm.call @mgpuMemcpy(%{{.*}}, %{{.*}}, %[[SIX]], %{{.*}})
  agpu.memcpy (%n, %d) : memref<?x3xf32>, memref<2x3xf32, 1>
  // CHECK: llvm.call @mgpuMemcpyStrided(
  agpu.memcpy (%s, %d) : memref<2x3xf32, strided<[6, 2], offset: ?>>, memref<2x3xf32, 1>
  // CHECK: llvm.call @mgpuMemcpyMemRef(
  agpu.memcpy (%u, %d) : memref<*xf32>, memref<2x3xf32, 1>
  return
}

// -----

// CHECK-LABEL: func.func @fills
func.func @fills(%m8: memref<4xi8>, %m16: memref<4xf16>, %m32: memref<4xf32>, %m64: memref<?xf64>, %mi: memref<4xindex>,
                 %ms: memref<4xbf16, strided<[2]>>, %mu: memref<*xf32>, %v8: i8, %v16: f16, %v32: f32, %v64: f64,
                 %vi: index, %vb: bf16) {
  // CHECK: llvm.call @mgpuMemset8(
  agpu.memset (%m8, %v8) : memref<4xi8>, i8
  // CHECK: %[[B16:.*]] = llvm.bitcast %{{.*}} : f16 to i16
  // CHECK: llvm.call @mgpuMemset16(%{{.*}}, %[[B16]],
  agpu.memset (%m16, %v16) : memref<4xf16>, f16
  // CHECK: %[[B32:.*]] = llvm.bitcast %{{.*}} : f32 to i32
  // CHECK: llvm.call @mgpuMemset32(%{{.*}}, %[[B32]],
  agpu.memset (%m32, %v32) : memref<4xf32>, f32
  // CHECK: %[[B64:.*]] = llvm.bitcast %{{.*}} : f64 to i64
  // CHECK: llvm.call @mgpuMemset64(%{{.*}}, %[[B64]],
  agpu.memset (%m64, %v64) : memref<?xf64>, f64
  // CHECK: llvm.call @mgpuMemset64(
  agpu.memset (%mi, %vi) : memref<4xindex>, index
  // CHECK: %[[BB:.*]] = llvm.bitcast %{{.*}} : bf16 to i16
  // CHECK: %[[WIDE:.*]] = llvm.zext %[[BB]] : i16 to i64
  // CHECK: llvm.call @mgpuMemsetStrided({{.*}}, %[[WIDE]], %{{.*}})
  agpu.memset (%ms, %vb) : memref<4xbf16, strided<[2]>>, bf16
  // CHECK: llvm.call @mgpuMemsetMemRef(
  agpu.memset (%mu, %v32) : memref<*xf32>, f32
  return
}

// -----

// Seven parameters: the memref's five and two scalars. Both launches store to the same slots.

// CHECK-LABEL: func.func @launch
// CHECK-SAME: %[[M:[a-z0-9]+]]: memref<?xf32>, %[[V:[a-z0-9]+]]: f32, %[[N:[a-z0-9]+]]: index, %[[B:[a-z0-9]+]]: i32
// CHECK: llvm.alloca
// CHECK: llvm.alloca
// CHECK-NOT: llvm.alloca
// CHECK: ^bb1
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @fill(%m: memref<?xf32>, %v: f32, %n: index) kernel {
      gpu.return
    }
  }
  func.func @launch(%m: memref<?xf32>, %v: f32, %n: index, %bytes: i32) {
    cf.br ^next
  ^next:
    // CHECK: llvm.store %[[V]], %{{.*}} : f32, !llvm.ptr
    // CHECK: %[[HANDLE:.*]] = llvm.mlir.addressof @agpu.function.kernels.fill
    // CHECK: %[[F:.*]] = llvm.load %[[HANDLE]]
    // CHECK: llvm.call @mgpuLaunchKernel(%[[F]], {{.*}}, %[[B]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
    %a = agpu.launch_func [] @kernels::@fill blocks in (%n, %n, %n) threads in (%n, %n, %n)
        dynamic_shared_memory_size %bytes args(%m : memref<?xf32>, %v : f32, %n : index)
    // CHECK-NOT: llvm.alloca
    // CHECK: llvm.call @mgpuLaunchKernel(
    %b = agpu.launch_func [%a] @kernels::@fill blocks in (%n, %n, %n) threads in (%n, %n, %n)
        args(%m : memref<?xf32>, %v : f32, %n : index)
    agpu.wait [%b]
    return
  }
  // CHECK: llvm.mlir.global internal @agpu.function.kernels.fill() {{.*}}agpu.kernel = @kernels::@fill
}

// -----

// CHECK-LABEL: func.func @host_calls
func.func private @consume(memref<?xi32>, i32)
func.func private @tick()
func.func @host_calls(%m: memref<?xi32>, %i: i32) {
  // CHECK: %[[T:.*]] = llvm.mlir.addressof @agpu.host_call.consume.[[#]]
  // CHECK: llvm.call @mgpuLaunchHostFunc(%{{.*}}, %[[T]], %{{.*}}, %{{.*}})
  %a = agpu.host_call [] @consume(%m, %i) : memref<?xi32>, i32
  // CHECK: %[[NULL:.*]] = llvm.mlir.addressof @agpu.host_call.tick.[[#]]
  // CHECK: llvm.call @mgpuLaunchHostFunc(
  %b = agpu.host_call [%a] @tick()
  agpu.wait [%b]
  return
}
// CHECK: llvm.func internal @agpu.host_call.consume.[[#]](%[[ARGS:.*]]: !llvm.ptr)
// CHECK: llvm.getelementptr %[[ARGS]][0, 0]
// CHECK: %[[I:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: call @consume(%{{.*}}, %[[I]])

// -----

// CHECK-LABEL: func.func @host_memory
func.func @host_memory(%m: memref<2xi32>, %u: memref<*xf32>) {
  // CHECK: llvm.call @mgpuMemHostRegisterMemRef(
  agpu.host_register %m : memref<2xi32>
  // CHECK: llvm.call @mgpuMemHostUnregisterMemRef(
  agpu.host_unregister %u : memref<*xf32>
  // CHECK: llvm.call @lockstepExpect(
  // NAMES-LABEL: func.func @host_memory
  // NAMES: llvm.call @lockstepExpect(
  agpu.expect %m, dense<[1, 2]> : tensor<2xi32> : memref<2xi32>
  // CHECK: llvm.call @lockstepExpect(
  agpu.expect %u, dense<1.5> : tensor<2xf32> tolerance 1.0e-6 : memref<*xf32>
  return
}
// CHECK: llvm.mlir.global internal constant @{{.*}}("\01\00\00\00\02\00\00\00")
// NAMES: llvm.mlir.global internal constant @{{.*}}("{{.*}}convert-agpu-to-streams-ops.mlir:{{[0-9]+}}:3 host_register\00")
