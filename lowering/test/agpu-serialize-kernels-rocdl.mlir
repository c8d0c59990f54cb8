// RUN: lockstep-opt %s --agpu-serialize-kernels=target=rocdl | FileCheck %s
// RUN: lockstep-opt %s --agpu-serialize-kernels=target=rocdl --verify-roundtrip -o /dev/null
// RUN: lockstep-opt %s "--agpu-serialize-kernels=target=rocdl format=isa rocm-path=%t/none" > %t.isa
// RUN: FileCheck %s --check-prefix=ISA --input-file=%t.isa
// RUN: lockstep-opt %s "--agpu-serialize-kernels=target=rocdl format=isa chip=gfx1100 rocm-path=%t/none" \
// RUN:   | FileCheck %s --check-prefix=WAVE32
// RUN: lockstep-opt %s "--agpu-serialize-kernels=target=rocdl format=isa chip=gfx1100 features=+wavefrontsize64 rocm-path=%t/none" \
// RUN:   | FileCheck %s --check-prefix=WAVE64

// CHECK: gpu.binary @kernels [#gpu.object<#rocdl.target<chip = "gfx90a", abi = "500">
// CHECK-SAME: kernels = <[#gpu.kernel_metadata<"fill", !llvm.func<void (ptr<1>, f32, i64)>>]>
// CHECK-SAME: offload = "\DE\C0\17\0B\00\00\00\00\14\00\00\00
// CHECK-SAME: BC\C0\DE
// CHECK-NOT: gpu.module

// The sizes of block and grid are read from the implicit arguments, floor is an instruction: no library is needed. The
// metadata lists each argument with its place and size, then the implicit ones.
// ISA: assembly = "
// ISA-SAME: .amdgcn_target \22amdgcn-amd-amdhsa--gfx90a\22
// ISA-SAME: .amdhsa_code_object_version 5
// ISA-SAME: v_floor_f32
// ISA-SAME: .amdhsa_kernel fill
// ISA-SAME: amdhsa.kernels:
// ISA-SAME: .offset:         0
// ISA-SAME: .size:           8
// ISA-SAME: .value_kind:     global_buffer
// ISA-SAME: .offset:         8
// ISA-SAME: .size:           4
// ISA-SAME: .value_kind:     by_value
// ISA-SAME: .offset:         16
// ISA-SAME: .size:           8
// ISA-SAME: .value_kind:     by_value
// ISA-SAME: .offset:         24
// ISA-SAME: .value_kind:     hidden_block_count_x
// ISA-SAME: .kernarg_segment_size: 280
// ISA-SAME: .max_flat_workgroup_size: 1024
// ISA-SAME: .name:           fill
// ISA-SAME: .wavefront_size: 64

// WAVE32: .wavefront_size: 32
// WAVE64: .wavefront_size: 64

gpu.module @kernels {
  llvm.func @__ocml_floor_f32(f32) -> f32
  llvm.func @fill(%p: !llvm.ptr<1>, %v: f32, %n: i64) attributes {gpu.kernel, rocdl.kernel} {
    %block = rocdl.workgroup.dim.x : i32
    %grid = rocdl.grid.dim.x : i32
    %sum = llvm.add %block, %grid : i32
    %f = llvm.call @__ocml_floor_f32(%v) : (f32) -> f32
    llvm.store %f, %p : f32, !llvm.ptr<1>
    %next = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %sum, %next : i32, !llvm.ptr<1>
    llvm.return
  }
}
