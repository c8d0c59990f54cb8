// Every kind of operation that kernels of this project use, down to bitcode: nothing may be left for a later step.
// RUN: lockstep-opt %s --agpu-kernels-to-nvvm -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: grep -v 'gpu.module\|@host' %t.mlir | not grep -E '^ *(%[^=]*= )?(gpu|memref|vector|scf|cf|arith|math|index|func)[.]'
// RUN: lockstep-opt %t.mlir --agpu-serialize-kernels | FileCheck %s --check-prefix=BINARY
// RUN: lockstep-opt %t.mlir --agpu-serialize-kernels --verify-roundtrip -o /dev/null

// Host code is not touched.
// CHECK: memref.global "private" @host
// CHECK: gpu.module @kernels
// CHECK: gpu.kernel
// BINARY: gpu.binary @kernels [
// BINARY-SAME: #gpu.kernel_metadata<"exp_f32"
// BINARY-NOT: gpu.module

module attributes {gpu.container_module} {
memref.global "private" @host : memref<4xf32>

gpu.module @kernels {
  memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
  func.func private @helper(%a: f32) -> f32 {
    %b = math.exp %a : f32
    return %b : f32
  }

  gpu.func @exp_f32(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %r = math.exp %a : f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @sin_f16(%A: memref<?xf16>, %B: memref<?xf16>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf16>
    %b = memref.load %B[%x] : memref<?xf16>
    %r = math.sin %a : f16
    memref.store %r, %A[%x] : memref<?xf16>
    gpu.return
  }

  gpu.func @tanh_f64(%A: memref<?xf64>, %B: memref<?xf64>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf64>
    %b = memref.load %B[%x] : memref<?xf64>
    %r = math.tanh %a : f64
    memref.store %r, %A[%x] : memref<?xf64>
    gpu.return
  }

  gpu.func @powf_f32(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %r = math.powf %a, %b : f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @sqrt_f64(%A: memref<?xf64>, %B: memref<?xf64>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf64>
    %b = memref.load %B[%x] : memref<?xf64>
    %r = math.sqrt %a : f64
    memref.store %r, %A[%x] : memref<?xf64>
    gpu.return
  }

  gpu.func @trunc_f32(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %r = math.trunc %a : f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @fma_f32(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %r = math.fma %a, %b, %a : f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @exp_vector4xf32(%A: memref<?xvector<4xf32>>, %B: memref<?xvector<4xf32>>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xvector<4xf32>>
    %b = memref.load %B[%x] : memref<?xvector<4xf32>>
    %r = math.exp %a : vector<4xf32>
    memref.store %r, %A[%x] : memref<?xvector<4xf32>>
    gpu.return
  }

  gpu.func @remf_f32(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %r = arith.remf %a, %b : f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @maximumf_f64(%A: memref<?xf64>, %B: memref<?xf64>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf64>
    %b = memref.load %B[%x] : memref<?xf64>
    %r = arith.maximumf %a, %b : f64
    memref.store %r, %A[%x] : memref<?xf64>
    gpu.return
  }

  gpu.func @fpowi_f32(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %c = arith.constant 3 : i32
    %r = math.fpowi %a, %c : f32, i32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @fpowid_f64(%A: memref<?xf64>, %B: memref<?xf64>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf64>
    %b = memref.load %B[%x] : memref<?xf64>
    %i = arith.fptosi %b : f64 to i32
    %r = math.fpowi %a, %i : f64, i32
    memref.store %r, %A[%x] : memref<?xf64>
    gpu.return
  }

  gpu.func @ctlz_i32(%A: memref<?xi32>, %B: memref<?xi32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi32>
    %b = memref.load %B[%x] : memref<?xi32>
    %r = math.ctlz %a : i32
    memref.store %r, %A[%x] : memref<?xi32>
    gpu.return
  }

  gpu.func @ctpop_i64(%A: memref<?xi64>, %B: memref<?xi64>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi64>
    %b = memref.load %B[%x] : memref<?xi64>
    %r = math.ctpop %a : i64
    memref.store %r, %A[%x] : memref<?xi64>
    gpu.return
  }

  gpu.func @cttz_i8(%A: memref<?xi8>, %B: memref<?xi8>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi8>
    %b = memref.load %B[%x] : memref<?xi8>
    %r = math.cttz %a : i8
    memref.store %r, %A[%x] : memref<?xi8>
    gpu.return
  }

  gpu.func @absi_i16(%A: memref<?xi16>, %B: memref<?xi16>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi16>
    %b = memref.load %B[%x] : memref<?xi16>
    %r = math.absi %a : i16
    memref.store %r, %A[%x] : memref<?xi16>
    gpu.return
  }

  gpu.func @ipowi_i32(%A: memref<?xi32>, %B: memref<?xi32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi32>
    %b = memref.load %B[%x] : memref<?xi32>
    %r = math.ipowi %a, %b : i32
    memref.store %r, %A[%x] : memref<?xi32>
    gpu.return
  }

  gpu.func @floordivsi_i64(%A: memref<?xi64>, %B: memref<?xi64>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi64>
    %b = memref.load %B[%x] : memref<?xi64>
    %r = arith.floordivsi %a, %b : i64
    memref.store %r, %A[%x] : memref<?xi64>
    gpu.return
  }

  gpu.func @ceildivui_i16(%A: memref<?xi16>, %B: memref<?xi16>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi16>
    %b = memref.load %B[%x] : memref<?xi16>
    %r = arith.ceildivui %a, %b : i16
    memref.store %r, %A[%x] : memref<?xi16>
    gpu.return
  }

  gpu.func @xori_i1(%A: memref<?xi1>, %B: memref<?xi1>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi1>
    %b = memref.load %B[%x] : memref<?xi1>
    %r = arith.xori %a, %b : i1
    memref.store %r, %A[%x] : memref<?xi1>
    gpu.return
  }

  gpu.func @minui_i8(%A: memref<?xi8>, %B: memref<?xi8>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi8>
    %b = memref.load %B[%x] : memref<?xi8>
    %r = arith.minui %a, %b : i8
    memref.store %r, %A[%x] : memref<?xi8>
    gpu.return
  }

  gpu.func @remsi_index(%A: memref<?xindex>, %B: memref<?xindex>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xindex>
    %b = memref.load %B[%x] : memref<?xindex>
    %r = arith.remsi %a, %b : index
    memref.store %r, %A[%x] : memref<?xindex>
    gpu.return
  }

  gpu.func @ataddf_f32(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %r = memref.atomic_rmw addf %a, %B[%c0] : (f32, memref<?xf32>) -> f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @ataddf_f64(%A: memref<?xf64>, %B: memref<?xf64>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf64>
    %b = memref.load %B[%x] : memref<?xf64>
    %r = memref.atomic_rmw addf %a, %B[%c0] : (f64, memref<?xf64>) -> f64
    memref.store %r, %A[%x] : memref<?xf64>
    gpu.return
  }

  gpu.func @atmulf_f16(%A: memref<?xf16>, %B: memref<?xf16>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf16>
    %b = memref.load %B[%x] : memref<?xf16>
    %r = memref.atomic_rmw mulf %a, %B[%c0] : (f16, memref<?xf16>) -> f16
    memref.store %r, %A[%x] : memref<?xf16>
    gpu.return
  }

  gpu.func @atmulf_f32(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %r = memref.atomic_rmw mulf %a, %B[%c0] : (f32, memref<?xf32>) -> f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @atmuli_i32(%A: memref<?xi32>, %B: memref<?xi32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi32>
    %b = memref.load %B[%x] : memref<?xi32>
    %r = memref.atomic_rmw muli %a, %B[%c0] : (i32, memref<?xi32>) -> i32
    memref.store %r, %A[%x] : memref<?xi32>
    gpu.return
  }

  gpu.func @atmaxs_i64(%A: memref<?xi64>, %B: memref<?xi64>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi64>
    %b = memref.load %B[%x] : memref<?xi64>
    %r = memref.atomic_rmw maxs %a, %B[%c0] : (i64, memref<?xi64>) -> i64
    memref.store %r, %A[%x] : memref<?xi64>
    gpu.return
  }

  gpu.func @atassign_i32(%A: memref<?xi32>, %B: memref<?xi32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi32>
    %b = memref.load %B[%x] : memref<?xi32>
    %r = memref.atomic_rmw assign %a, %B[%c0] : (i32, memref<?xi32>) -> i32
    memref.store %r, %A[%x] : memref<?xi32>
    gpu.return
  }

  gpu.func @gat_f32(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %r = memref.generic_atomic_rmw %B[%c0] : memref<?xf32> {
    ^bb0(%cur: f32):
      %q = arith.mulf %cur, %a : f32
      memref.atomic_yield %q : f32 }
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @gat_i64(%A: memref<?xi64>, %B: memref<?xi64>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi64>
    %b = memref.load %B[%x] : memref<?xi64>
    %r = memref.generic_atomic_rmw %B[%c0] : memref<?xi64> {
    ^bb0(%cur: i64):
      %q = arith.muli %cur, %a : i64
      memref.atomic_yield %q : i64 }
    memref.store %r, %A[%x] : memref<?xi64>
    gpu.return
  }

  gpu.func @aradd_i32(%A: memref<?xi32>, %B: memref<?xi32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi32>
    %b = memref.load %B[%x] : memref<?xi32>
    %r = gpu.all_reduce add %a uniform {} : (i32) -> (i32)
    memref.store %r, %A[%x] : memref<?xi32>
    gpu.return
  }

  gpu.func @aradd_f32(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %r = gpu.all_reduce add %a uniform {} : (f32) -> (f32)
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @armul_f64(%A: memref<?xf64>, %B: memref<?xf64>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf64>
    %b = memref.load %B[%x] : memref<?xf64>
    %r = gpu.all_reduce mul %a uniform {} : (f64) -> (f64)
    memref.store %r, %A[%x] : memref<?xf64>
    gpu.return
  }

  gpu.func @arxor_i64(%A: memref<?xi64>, %B: memref<?xi64>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi64>
    %b = memref.load %B[%x] : memref<?xi64>
    %r = gpu.all_reduce xor %a uniform {} : (i64) -> (i64)
    memref.store %r, %A[%x] : memref<?xi64>
    gpu.return
  }

  gpu.func @arb_i32(%A: memref<?xi32>, %B: memref<?xi32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi32>
    %b = memref.load %B[%x] : memref<?xi32>
    %r = gpu.all_reduce %a uniform {
    ^bb0(%l: i32, %rr: i32):
      %q = arith.xori %l, %rr : i32
      gpu.yield %q : i32 } : (i32) -> (i32)
    memref.store %r, %A[%x] : memref<?xi32>
    gpu.return
  }

  gpu.func @aradd_i8(%A: memref<?xi8>, %B: memref<?xi8>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi8>
    %b = memref.load %B[%x] : memref<?xi8>
    %r = gpu.all_reduce add %a uniform {} : (i8) -> (i8)
    memref.store %r, %A[%x] : memref<?xi8>
    gpu.return
  }

  gpu.func @sradd_f16(%A: memref<?xf16>, %B: memref<?xf16>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf16>
    %b = memref.load %B[%x] : memref<?xf16>
    %r = gpu.subgroup_reduce add %a : (f16) -> (f16)
    memref.store %r, %A[%x] : memref<?xf16>
    gpu.return
  }

  gpu.func @srmaxsi_i64(%A: memref<?xi64>, %B: memref<?xi64>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi64>
    %b = memref.load %B[%x] : memref<?xi64>
    %r = gpu.subgroup_reduce maxsi %a : (i64) -> (i64)
    memref.store %r, %A[%x] : memref<?xi64>
    gpu.return
  }

  gpu.func @src_f64(%A: memref<?xf64>, %B: memref<?xf64>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf64>
    %b = memref.load %B[%x] : memref<?xf64>
    %r = gpu.subgroup_reduce add %a cluster(size = 8) : (f64) -> (f64)
    memref.store %r, %A[%x] : memref<?xf64>
    gpu.return
  }

  gpu.func @shxor_f16(%A: memref<?xf16>, %B: memref<?xf16>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf16>
    %b = memref.load %B[%x] : memref<?xf16>
    %o = arith.constant 1 : i32
    %w = arith.constant 32 : i32
    %r, %ok = gpu.shuffle xor %a, %o, %w : f16
    memref.store %r, %A[%x] : memref<?xf16>
    gpu.return
  }

  gpu.func @shup_i64(%A: memref<?xi64>, %B: memref<?xi64>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xi64>
    %b = memref.load %B[%x] : memref<?xi64>
    %o = arith.constant 1 : i32
    %w = arith.constant 32 : i32
    %r, %ok = gpu.shuffle up %a, %o, %w : i64
    memref.store %r, %A[%x] : memref<?xi64>
    gpu.return
  }

  gpu.func @shidx_f32(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %o = arith.constant 1 : i32
    %w = arith.constant 32 : i32
    %r, %ok = gpu.shuffle idx %a, %o, %w : f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @ws_3(%A: memref<?xf32>, %B: memref<?xf32>) workgroup(%S : memref<64xf32, 3>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    memref.store %a, %S[%x] : memref<64xf32, 3>
    gpu.barrier
    %r = memref.load %S[%c0] : memref<64xf32, 3>
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @ws_wg(%A: memref<?xf32>, %B: memref<?xf32>) workgroup(%S : memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    memref.store %a, %S[%x] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = memref.load %S[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @pv_pr(%A: memref<?xf32>, %B: memref<?xf32>) private(%S : memref<64xf32, #gpu.address_space<private>>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    memref.store %a, %S[%x] : memref<64xf32, #gpu.address_space<private>>
    %r = memref.load %S[%c0] : memref<64xf32, #gpu.address_space<private>>
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @gs_1(%A: memref<?xf32>, %B: memref<?xf32>, %S : memref<64xf32, 1>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %r = memref.load %S[%c0] : memref<64xf32, 1>
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @gs_gl(%A: memref<?xf32>, %B: memref<?xf32>, %S : memref<64xf32, #gpu.address_space<global>>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %r = memref.load %S[%c0] : memref<64xf32, #gpu.address_space<global>>
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @gsat_1(%A: memref<?xf32>, %B: memref<?xf32>, %S : memref<64xf32, 1>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %r = memref.atomic_rmw addf %a, %S[%c0] : (f32, memref<64xf32, 1>) -> f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @dyn(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %n = arith.constant 64 : index
    %v = memref.view %d[%c0][%n] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xf32, #gpu.address_space<workgroup>>
    memref.store %a, %v[%x] : memref<?xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = memref.load %v[%c0] : memref<?xf32, #gpu.address_space<workgroup>>
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @printf(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %n = arith.fptosi %a : f32 to i32
    %dd = arith.extf %a : f32 to f64
    gpu.printf "x %d %f\n", %n, %dd : i32, f64
    %r = arith.addf %a, %b : f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @printf0(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    gpu.printf "x\n"
    %r = arith.addf %a, %b : f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @call(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %r = func.call @helper(%a) : (f32) -> f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @tr(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %v = vector.transfer_read %A[%c0], %a : memref<?xf32>, vector<4xf32>
    %r = vector.reduction <add>, %v : vector<4xf32> into f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @tw(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %v = vector.broadcast %a : f32 to vector<4xf32>
    vector.transfer_write %v, %A[%c0] : vector<4xf32>, memref<?xf32>
    %r = arith.addf %a, %b : f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @v2(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %v = vector.broadcast %a : f32 to vector<4x4xf32>
    %w = vector.transpose %v, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
    %q = vector.multi_reduction <add>, %w, %a [0, 1] : vector<4x4xf32> to f32
    %r = arith.addf %q, %b : f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @vl(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %v = vector.load %A[%c0] : memref<?xf32>, vector<4xf32>
    %e = vector.extract %v[1] : f32 from vector<4xf32>
    %q = vector.fma %v, %v, %v : vector<4xf32>
    vector.store %q, %A[%c0] : memref<?xf32>, vector<4xf32>
    %r = arith.addf %e, %b : f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @sub(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %s = memref.subview %A[%x] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>>
    %r = memref.load %s[%c0] : memref<4xf32, strided<[1], offset: ?>>
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @tab(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %t = memref.get_global @table : memref<4xf32>
    %r = memref.load %t[%x] : memref<4xf32>
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @alloca(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %s = memref.alloca() : memref<4xf32>
    memref.store %a, %s[%c0] : memref<4xf32>
    %r = memref.load %s[%x] : memref<4xf32>
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @ids(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %l = gpu.lane_id
    %s = gpu.subgroup_id : index
    %z = gpu.subgroup_size : index
    %n = gpu.num_subgroups : index
    %g = gpu.global_id y
    %i = index.add %l, %s
    %j = arith.addi %i, %z : index
    %m = arith.addi %j, %n : index
    %o = arith.addi %m, %g : index
    %u = arith.index_cast %o : index to i32
    %r = arith.sitofp %u : i32 to f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @assert(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %p = arith.cmpf ogt, %a, %b : f32
    cf.assert %p, "boom"
    %r = arith.addf %a, %b : f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @scf(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %z = arith.constant 0 : index
    %n = arith.constant 10 : index
    %o = arith.constant 1 : index
    %r = scf.for %i = %z to %n step %o iter_args(%q = %a) -> f32 {
      %p = arith.cmpf ogt, %q, %b : f32
      %y = scf.if %p -> f32 { scf.yield %b : f32 } else { scf.yield %q : f32 }
      gpu.barrier
      scf.yield %y : f32 }
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @aff(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %i = affine.apply affine_map<(d0) -> (d0 * 2)>(%x)
    %r = memref.load %A[%i] : memref<?xf32>
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }

  gpu.func @conv(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %A[%x] : memref<?xf32>
    %b = memref.load %B[%x] : memref<?xf32>
    %h = arith.truncf %a : f32 to f16
    %d = arith.extf %h : f16 to f64
    %r = arith.truncf %d : f64 to f32
    memref.store %r, %A[%x] : memref<?xf32>
    gpu.return
  }
}
}
