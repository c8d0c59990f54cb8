// RUN: lockstep-opt %s --pass-pipeline='builtin.module(gpu.module(agpu-legalize-kernels))' | FileCheck %s
// RUN: lockstep-opt %s --pass-pipeline='builtin.module(gpu.module(agpu-legalize-kernels))' --verify-roundtrip -o /dev/null

// CHECK-LABEL: gpu.module @kernels
gpu.module @kernels {
  // The tree of a block: shuffles, one value a subgroup in workgroup memory, barriers.
  // CHECK-LABEL: gpu.func @all_reduce
  // CHECK-SAME: workgroup(
  // CHECK-NOT: gpu.all_reduce
  // CHECK: gpu.shuffle {{.*}} : i32
  // CHECK: gpu.barrier
  gpu.func @all_reduce(%m: memref<?xi32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %m[%i] : memref<?xi32>
    %r = gpu.all_reduce add %v uniform {} : (i32) -> i32
    memref.store %r, %m[%i] : memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @subgroup_reduce
  // CHECK-NOT: gpu.subgroup_reduce
  // CHECK-COUNT-5: gpu.shuffle xor {{.*}} : f32
  // CHECK-NOT: gpu.shuffle
  // CHECK-LABEL: gpu.func @wide_reduce
  // CHECK-NOT: gpu.subgroup_reduce
  // CHECK: gpu.shuffle {{.*}} : i32
  gpu.func @subgroup_reduce(%m: memref<?xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %m[%i] : memref<?xf32>
    %r = gpu.subgroup_reduce add %v : (f32) -> f32
    memref.store %r, %m[%i] : memref<?xf32>
    gpu.return
  }
  gpu.func @wide_reduce(%m: memref<?xf64>, %n: memref<?xi64>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %m[%i] : memref<?xf64>
    %r = gpu.subgroup_reduce add %v : (f64) -> f64
    memref.store %r, %m[%i] : memref<?xf64>
    %w = memref.load %n[%i] : memref<?xi64>
    %s = gpu.subgroup_reduce xor %w cluster(size = 4) : (i64) -> i64
    memref.store %s, %n[%i] : memref<?xi64>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @narrow_shuffle
  // CHECK: arith.bitcast {{.*}} : f16 to i16
  // CHECK: arith.extui {{.*}} : i16 to i32
  // CHECK: gpu.shuffle xor {{.*}} : i32
  // CHECK: arith.trunci {{.*}} : i32 to i16
  // CHECK: arith.bitcast {{.*}} : i16 to f16
  gpu.func @narrow_shuffle(%m: memref<?xf16>, %o: i32, %w: i32) kernel {
    %i = gpu.thread_id x
    %v = memref.load %m[%i] : memref<?xf16>
    %r, %valid = gpu.shuffle xor %v, %o, %w : f16
    memref.store %r, %m[%i] : memref<?xf16>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @float_update
  // CHECK: [[BITS:%.*]] = builtin.unrealized_conversion_cast %{{.*}} : memref<?xf32> to memref<?xi32>
  // CHECK: [[OLD:%.*]] = memref.generic_atomic_rmw [[BITS]]
  // CHECK: ^bb0([[VALUE:%.*]]: i32):
  // CHECK: [[FLOAT:%.*]] = arith.bitcast [[VALUE]] : i32 to f32
  // CHECK: [[DOUBLE:%.*]] = arith.addf [[FLOAT]], [[FLOAT]] : f32
  // CHECK: [[NEW:%.*]] = arith.bitcast [[DOUBLE]] : f32 to i32
  // CHECK: memref.atomic_yield [[NEW]] : i32
  // CHECK: [[RESULT:%.*]] = arith.bitcast [[OLD]] : i32 to f32
  // CHECK: memref.store [[RESULT]]
  gpu.func @float_update(%m: memref<?xf32>) kernel {
    %i = gpu.thread_id x
    %r = memref.generic_atomic_rmw %m[%i] : memref<?xf32> {
    ^bb0(%old: f32):
      %double = arith.addf %old, %old : f32
      memref.atomic_yield %double : f32
    }
    memref.store %r, %m[%i] : memref<?xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @power
  // CHECK-NOT: math.ipowi
  // CHECK: scf.while
  gpu.func @power(%m: memref<?xi64>, %e: i64) kernel {
    %i = gpu.thread_id x
    %v = memref.load %m[%i] : memref<?xi64>
    %r = math.ipowi %v, %e : i64
    memref.store %r, %m[%i] : memref<?xi64>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @ids
  // CHECK-NOT: gpu.global_id
  // CHECK: gpu.block_id x
  // CHECK: gpu.thread_id x
  gpu.func @ids(%m: memref<?xindex>) kernel {
    %i = gpu.global_id x
    memref.store %i, %m[%i] : memref<?xindex>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @subgroups
  // CHECK-NOT: gpu.subgroup_size
  // CHECK-NOT: gpu.num_subgroups
  // CHECK: gpu.block_dim z
  gpu.func @subgroups(%m: memref<?xindex>) kernel {
    %s = gpu.subgroup_size : index
    %n = gpu.num_subgroups : index
    memref.store %n, %m[%s] : memref<?xindex>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @transfer
  // CHECK-NOT: vector.transfer
  // CHECK: vector.maskedload
  gpu.func @transfer(%m: memref<?xf32>, %pad: f32) kernel {
    %i = gpu.thread_id x
    %v = vector.transfer_read %m[%i], %pad : memref<?xf32>, vector<4xf32>
    vector.store %v, %m[%i] : memref<?xf32>, vector<4xf32>
    gpu.return
  }
}
