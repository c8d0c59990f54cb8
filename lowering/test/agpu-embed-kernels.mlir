// RUN: lockstep-opt %s --agpu-embed-kernels | FileCheck %s
// RUN: lockstep-opt %s --agpu-embed-kernels --verify-roundtrip -o /dev/null
// RUN: lockstep-opt %s --agpu-embed-kernels | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM


// CHECK-DAG: llvm.func @mgpuModuleLoad(!llvm.ptr, i64) -> !llvm.ptr
// CHECK-DAG: llvm.func @mgpuModuleLoadJIT(!llvm.ptr, i32) -> !llvm.ptr
// CHECK-DAG: llvm.func @mgpuModuleGetFunction(!llvm.ptr, !llvm.ptr) -> !llvm.ptr
// CHECK-DAG: llvm.func @mgpuModuleUnload(!llvm.ptr)
// CHECK-NOT: gpu.binary
// CHECK-NOT: agpu.data.unused
// CHECK: llvm.mlir.global internal constant @agpu.data.kernels("abc\00\01") {addr_space = 0 : i32, alignment = 8 : i64}
// CHECK: llvm.mlir.global internal @agpu.module.kernels() {{.*}}: !llvm.ptr {
// PTX ends in a zero byte.
// CHECK: llvm.mlir.global internal constant @agpu.data.text("ptx\00")
// CHECK: llvm.mlir.global internal @agpu.function.kernels.fill() {{.*}}agpu.kernel = @kernels::@fill} : !llvm.ptr {
// CHECK: llvm.mlir.zero

// The program itself loads nothing.
// CHECK-LABEL: llvm.func @main
// CHECK-NOT: mgpu
// CHECK: llvm.return

// CHECK-LABEL: llvm.func internal @agpu.load_kernels()
// CHECK: [[DATA:%.*]] = llvm.mlir.addressof @agpu.data.kernels
// CHECK: [[SIZE:%.*]] = llvm.mlir.constant(5 : i64)
// CHECK: [[MODULE:%.*]] = llvm.call @mgpuModuleLoad([[DATA]], [[SIZE]])
// CHECK: llvm.store [[MODULE]]
// CHECK: [[FILL:%.*]] = llvm.call @mgpuModuleGetFunction([[MODULE]], {{%.*}})
// CHECK: [[ADDRESS:%.*]] = llvm.mlir.addressof @agpu.function.kernels.fill
// CHECK: llvm.store [[FILL]], [[ADDRESS]]
// CHECK: llvm.call @mgpuModuleGetFunction([[MODULE]], {{%.*}})
// CHECK: [[LEVEL:%.*]] = llvm.mlir.constant(3 : i32)
// CHECK: llvm.call @mgpuModuleLoadJIT({{%.*}}, [[LEVEL]])
// CHECK: llvm.mlir.global_ctors ctors = [@agpu.load_kernels], priorities = [123 : i32], data = [#llvm.zero]
// Graphs name functions of the modules, so they are released first.
// CHECK-LABEL: llvm.func internal @agpu.teardown()
// CHECK: [[SLOT:%.*]] = llvm.mlir.addressof @agpu.graph.0
// CHECK: llvm.call @mgpuGraphRelease([[SLOT]])
// CHECK: llvm.mlir.addressof @agpu.module.text
// CHECK: llvm.call @mgpuModuleUnload
// CHECK: llvm.mlir.addressof @agpu.module.kernels
// CHECK: llvm.call @mgpuModuleUnload
// CHECK: llvm.mlir.global_dtors dtors = [@agpu.teardown], priorities = [123 : i32], data = [#llvm.zero]

// LLVM-DAG: @agpu.data.kernels = internal constant [5 x i8] c"abc\00\01", align 8
// LLVM-DAG: @agpu.function.kernels.fill = internal global ptr null
// LLVM-DAG: c"fill\00"
// LLVM-DAG: @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }]{{.*}}i32 123, ptr @agpu.load_kernels
// LLVM-DAG: @llvm.global_dtors = appending global [1 x { i32, ptr, ptr }]{{.*}}i32 123, ptr @agpu.teardown

module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target, kernels = <[
      #gpu.kernel_metadata<"fill", !llvm.func<void (ptr)>>, #gpu.kernel_metadata<"copy", !llvm.func<void (ptr)>>]>,
      offload = "abc\00\01">]
  gpu.binary @unused [#gpu.object<#nvvm.target, offload = "nobody">]
  gpu.binary @text [#gpu.object<#nvvm.target, properties = {O = 3 : i32}, assembly = "ptx">]
  llvm.mlir.global internal @agpu.function.kernels.fill() {agpu.kernel = @kernels::@fill} : !llvm.ptr
  llvm.mlir.global internal @agpu.function.kernels.copy() {agpu.kernel = @kernels::@copy} : !llvm.ptr
  llvm.mlir.global internal @agpu.graph.0() {agpu.graph_slot} : !llvm.ptr {
    %null = llvm.mlir.zero : !llvm.ptr
    llvm.return %null : !llvm.ptr
  }
  // A binary without a list of kernels: the driver will tell.
  llvm.mlir.global internal @agpu.function.text.any() {agpu.kernel = @text::@any} : !llvm.ptr
  llvm.func @main() {
    %a = llvm.mlir.addressof @agpu.function.kernels.fill : !llvm.ptr
    %f = llvm.load %a : !llvm.ptr -> !llvm.ptr
    llvm.return
  }
}
