// RUN: lockstep-opt %s --pass-pipeline="builtin.module(gpu.module(agpu-legalize-kernels{target=rocdl subgroup-size=64}))" \
// RUN:   | FileCheck %s
// RUN: not lockstep-opt %s --pass-pipeline="builtin.module(gpu.module(agpu-legalize-kernels{target=spirv}))" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TARGET
// RUN: not lockstep-opt %s --pass-pipeline="builtin.module(gpu.module(agpu-legalize-kernels{target=rocdl}))" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CLUSTER
// TARGET: unknown target 'spirv': expected nvvm or rocdl
// CLUSTER: 'gpu.subgroup_reduce' op has a cluster of 64 lanes at a distance of 1, but a subgroup has 32

gpu.module @kernels {
  // Segments of 32 in a wave of 64: the lane in its segment, the partner, whether that is inside, and the address.
  // CHECK-LABEL: gpu.func @shuffle
  // CHECK-DAG: %[[MASK:.*]] = arith.constant 31 : i32
  // CHECK-DAG: %[[WIDTH:.*]] = arith.constant 32 : i32
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i32
  // CHECK: %[[LANE_INDEX:.*]] = gpu.lane_id
  // CHECK: %[[LANE:.*]] = arith.index_cast %[[LANE_INDEX]] : index to i32
  // CHECK: %[[OWN:.*]] = arith.andi %[[LANE]], %[[MASK]]
  // CHECK: %[[PARTNER:.*]] = arith.addi %[[OWN]],
  // CHECK: %[[VALID:.*]] = arith.cmpi ult, %[[PARTNER]], %[[WIDTH]]
  // CHECK: %[[START:.*]] = arith.subi %[[LANE]], %[[OWN]]
  // CHECK: %[[FOUND:.*]] = arith.addi %[[START]], %[[PARTNER]]
  // CHECK: %[[FROM:.*]] = arith.select %[[VALID]], %[[FOUND]], %[[LANE]]
  // CHECK: %[[ADDRESS:.*]] = arith.shli %[[FROM]], %[[TWO]]
  // CHECK: rocdl.ds_bpermute %[[ADDRESS]],
  gpu.func @shuffle(%v: i32, %d: i32, %out: memref<i32>) kernel {
    %w = arith.constant 32 : i32
    %r, %p = gpu.shuffle down %v, %d, %w : i32
    %s = arith.select %p, %r, %v : i32
    memref.store %s, %out[] : memref<i32>
    gpu.return
  }

  // Six steps for 64 lanes, and one that reads the first lane's result.
  // CHECK-LABEL: gpu.func @reduce
  // CHECK-COUNT-7: rocdl.ds_bpermute
  // CHECK-NOT: rocdl.ds_bpermute
  // CHECK: gpu.return
  gpu.func @reduce(%v: i32, %out: memref<i32>) kernel {
    %r = gpu.subgroup_reduce add %v cluster(size = 64) : (i32) -> i32
    memref.store %r, %out[] : memref<i32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @size
  // CHECK: arith.constant 64 : index
  // CHECK-NOT: gpu.subgroup_size
  gpu.func @size(%out: memref<index>) kernel {
    %s = gpu.subgroup_size : index
    memref.store %s, %out[] : memref<index>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @check
  // CHECK: scf.if
  // CHECK: gpu.printf "{{.*}}agpu-legalize-kernels-rocdl.mlir:{{[0-9]+}}: device assertion '100%% sure' failed\0A"
  // CHECK: llvm.intr.trap
  gpu.func @check(%c: i1) kernel {
    cf.assert %c, "100% sure"
    gpu.return
  }
}
