// A capture by hand that waits for its stream before it ends. Without the wait, all is well.

llvm.func @mgpuStreamPoolAcquire() -> !llvm.ptr
llvm.func @mgpuStreamPoolRelease(!llvm.ptr)
llvm.func @mgpuStreamSynchronize(!llvm.ptr)
llvm.func @mgpuMemset32(!llvm.ptr, i32, i64, !llvm.ptr)
llvm.func @mgpuMemAlloc(i64, !llvm.ptr, i8) -> !llvm.ptr
llvm.func @mgpuMemFree(!llvm.ptr, !llvm.ptr)
llvm.func @mgpuGraphCaptureBegin(!llvm.ptr, !llvm.ptr)
llvm.func @mgpuGraphCaptureLaunch(!llvm.ptr, !llvm.ptr)
llvm.func @mgpuGraphRelease(!llvm.ptr)

llvm.mlir.global internal @slot() : !llvm.ptr {
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.return %null : !llvm.ptr
}

func.func @main() {
  %slot = llvm.mlir.addressof @slot : !llvm.ptr
  %bytes = llvm.mlir.constant(16 : i64) : i64
  %count = llvm.mlir.constant(4 : i64) : i64
  %value = llvm.mlir.constant(7 : i32) : i32
  %no = llvm.mlir.constant(0 : i8) : i8
  %s = llvm.call @mgpuStreamPoolAcquire() : () -> !llvm.ptr
  %d = llvm.call @mgpuMemAlloc(%bytes, %s, %no) : (i64, !llvm.ptr, i8) -> !llvm.ptr
  llvm.call @mgpuGraphCaptureBegin(%slot, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mgpuMemset32(%d, %value, %count, %s) : (!llvm.ptr, i32, i64, !llvm.ptr) -> ()
  llvm.call @mgpuStreamSynchronize(%s) : (!llvm.ptr) -> ()
  llvm.call @mgpuGraphCaptureLaunch(%slot, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mgpuMemFree(%d, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mgpuStreamSynchronize(%s) : (!llvm.ptr) -> ()
  llvm.call @mgpuGraphRelease(%slot) : (!llvm.ptr) -> ()
  llvm.call @mgpuStreamPoolRelease(%s) : (!llvm.ptr) -> ()
  return
}
