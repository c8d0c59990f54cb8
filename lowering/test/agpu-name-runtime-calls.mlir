// RUN: lockstep-opt %s --split-input-file --agpu-name-runtime-calls | FileCheck %s

module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target, "">]
  llvm.func @mgpuMemAlloc(i64, !llvm.ptr, i8) -> !llvm.ptr
  llvm.func @mgpuMemcpy(!llvm.ptr, !llvm.ptr, i64, !llvm.ptr)
  llvm.func @mgpuStreamCreate() -> !llvm.ptr
  llvm.func @mgpuStreamSynchronize(!llvm.ptr)
  llvm.func @mgpuStreamDestroy(!llvm.ptr)

  // CHECK-LABEL: llvm.func @main
  llvm.func @main(%p: !llvm.ptr, %q: !llvm.ptr, %bytes: i64, %shared: i8) {
    // What does no work gets no name.
    // CHECK-NEXT: llvm.call @mgpuStreamCreate
    %s = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr loc("a.mlir":1:2)
    // CHECK-NEXT: %[[ALLOC:.*]] = llvm.mlir.addressof @[[ALLOC_NAME:.*]] : !llvm.ptr
    // CHECK-NEXT: llvm.call @mgpuSetOp(%[[ALLOC]])
    // CHECK-NEXT: llvm.call @mgpuMemAlloc
    %d = llvm.call @mgpuMemAlloc(%bytes, %s, %shared) : (i64, !llvm.ptr, i8) -> !llvm.ptr loc("a.mlir":1:2)
    // A copy in two parts, and its wait: one operation.
    // CHECK-NEXT: llvm.mlir.addressof @[[COPY_NAME:.*]] : !llvm.ptr
    // CHECK-NEXT: llvm.call @mgpuSetOp
    // CHECK-NEXT: llvm.call @mgpuMemcpy
    // CHECK-NEXT: llvm.call @mgpuMemcpy
    // CHECK-NEXT: llvm.call @mgpuStreamSynchronize
    llvm.call @mgpuMemcpy(%d, %p, %bytes, %s) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> () loc(fused<"lowered">["a.mlir":3:4])
    llvm.call @mgpuMemcpy(%d, %q, %bytes, %s) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> () loc("copy"("a.mlir":3:4))
    llvm.call @mgpuStreamSynchronize(%s) : (!llvm.ptr) -> () loc("a.mlir":3:4)
    // CHECK-NEXT: llvm.mlir.addressof @[[WAIT_NAME:.*]] : !llvm.ptr
    // CHECK-NEXT: llvm.call @mgpuSetOp
    // CHECK-NEXT: llvm.call @mgpuStreamSynchronize
    // CHECK-NEXT: llvm.call @mgpuStreamDestroy
    llvm.call @mgpuStreamSynchronize(%s) : (!llvm.ptr) -> () loc("a.mlir":5:6)
    llvm.call @mgpuStreamDestroy(%s) : (!llvm.ptr) -> () loc("a.mlir":5:6)
    // A place that is not known cannot be named; the same one in another block is named again.
    // CHECK-NEXT: llvm.call @mgpuStreamSynchronize
    // CHECK: llvm.mlir.addressof @[[LAUNCH_NAME:.*]] : !llvm.ptr
    // CHECK-NEXT: llvm.call @mgpuSetOp
    // CHECK-NEXT: gpu.launch_func
    // CHECK-NEXT: llvm.br
    llvm.call @mgpuStreamSynchronize(%s) : (!llvm.ptr) -> () loc(unknown)
    %one = llvm.mlir.constant(1 : i64) : i64
    gpu.launch_func <%s : !llvm.ptr> @kernels::@k blocks in (%one, %one, %one) threads in (%one, %one, %one) : i64 loc("a.mlir":7:8)
    llvm.br ^next
    // CHECK: llvm.mlir.addressof @[[WAIT_NAME]] : !llvm.ptr
    // CHECK-NEXT: llvm.call @mgpuSetOp
    // CHECK-NEXT: llvm.call @mgpuStreamSynchronize
  ^next:
    llvm.call @mgpuStreamSynchronize(%s) : (!llvm.ptr) -> () loc("a.mlir":5:6)
    llvm.return
  }
  // CHECK-DAG: @[[ALLOC_NAME]]("a.mlir:1:2 alloc\00")
  // CHECK-DAG: @[[COPY_NAME]]("a.mlir:3:4 memcpy\00")
  // CHECK-DAG: @[[WAIT_NAME]]("a.mlir:5:6 wait\00")
  // CHECK-DAG: @[[LAUNCH_NAME]]("a.mlir:7:8 launch_func\00")
}

// -----

// Whose lowering names operations is left alone.
module {
  llvm.func @mgpuSetOp(!llvm.ptr)
  llvm.func @mgpuStreamSynchronize(!llvm.ptr)
  // CHECK-LABEL: llvm.func @named
  llvm.func @named(%s: !llvm.ptr) {
    // CHECK-NEXT: llvm.call @mgpuStreamSynchronize
    llvm.call @mgpuStreamSynchronize(%s) : (!llvm.ptr) -> () loc("a.mlir":1:2)
    llvm.return
  }
}
