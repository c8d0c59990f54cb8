// RUN: lockstep-opt %s --split-input-file --verify-diagnostics --agpu-check-capturable

llvm.func @mgpuStreamCreate() -> !llvm.ptr
llvm.func @mgpuStreamDestroy(!llvm.ptr)
llvm.func @mgpuStreamSynchronize(!llvm.ptr)
llvm.func @mgpuMemFree(!llvm.ptr, !llvm.ptr)
llvm.func @other()

// Created first, destroyed behind the wait: nothing stands among the work.
llvm.func @clean(%m: !llvm.ptr) {
  %s = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
  llvm.call @mgpuMemFree(%m, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mgpuMemFree(%m, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mgpuStreamSynchronize(%s) : (!llvm.ptr) -> ()
  llvm.call @mgpuStreamDestroy(%s) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @among(%m: !llvm.ptr, %s: !llvm.ptr) {
  // expected-note @below {{mgpuMemFree is before it}}
  llvm.call @mgpuMemFree(%m, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  // expected-error @below {{mgpuStreamCreate stands among work on streams, which could not be captured with it}}
  %t = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
  // expected-note @below {{mgpuMemFree is behind it, and nothing between ends the region}}
  llvm.call @mgpuMemFree(%m, %t) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}

// A call of other code ends a region.
llvm.func @split(%m: !llvm.ptr, %s: !llvm.ptr) {
  llvm.call @mgpuMemFree(%m, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @other() : () -> ()
  %t = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
  llvm.call @mgpuMemFree(%m, %t) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @mgpuGraphCaptureBegin(!llvm.ptr, !llvm.ptr)
llvm.func @mgpuGraphCaptureLaunch(!llvm.ptr, !llvm.ptr)
llvm.func @mgpuEventCreate() -> !llvm.ptr
llvm.func @mgpuEventRecord(!llvm.ptr, !llvm.ptr)
llvm.func @mgpuStreamWaitEvent(!llvm.ptr, !llvm.ptr)
llvm.func @mgpuStreamSynchronize(!llvm.ptr)
llvm.func @mgpuMemFree(!llvm.ptr, !llvm.ptr)
llvm.func @other()

llvm.func @joined(%slot: !llvm.ptr, %m: !llvm.ptr, %s: !llvm.ptr, %t: !llvm.ptr, %e: !llvm.ptr, %f: !llvm.ptr) {
  llvm.call @mgpuGraphCaptureBegin(%slot, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mgpuEventRecord(%e, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mgpuStreamWaitEvent(%t, %e) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mgpuMemFree(%m, %t) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mgpuEventRecord(%f, %t) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mgpuStreamWaitEvent(%s, %f) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mgpuGraphCaptureLaunch(%slot, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}

llvm.func @unjoined(%slot: !llvm.ptr, %m: !llvm.ptr, %s: !llvm.ptr, %t: !llvm.ptr, %e: !llvm.ptr) {
  // expected-note @below {{the capture begins here}}
  llvm.call @mgpuGraphCaptureBegin(%slot, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mgpuEventRecord(%e, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mgpuStreamWaitEvent(%t, %e) : (!llvm.ptr, !llvm.ptr) -> ()
  // expected-note @below {{mgpuMemFree is not joined}}
  llvm.call @mgpuMemFree(%m, %t) : (!llvm.ptr, !llvm.ptr) -> ()
  // expected-error @below {{a capture ends before all its streams are waited for}}
  llvm.call @mgpuGraphCaptureLaunch(%slot, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}

llvm.func @forbidden(%slot: !llvm.ptr, %m: !llvm.ptr, %s: !llvm.ptr, %t: !llvm.ptr, %e: !llvm.ptr) {
  // expected-note @below {{the capture begins here}}
  llvm.call @mgpuGraphCaptureBegin(%slot, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  // expected-error @below {{mgpuStreamSynchronize is not allowed while a stream is captured}}
  llvm.call @mgpuStreamSynchronize(%t) : (!llvm.ptr) -> ()
  // expected-error @below {{mgpuEventCreate is not allowed while a stream is captured}}
  %f = llvm.call @mgpuEventCreate() : () -> !llvm.ptr
  // expected-error @below {{calls code that is not known while a stream is captured}}
  llvm.call @other() : () -> ()
  // expected-error @below {{mgpuMemFree is on a stream that does not take part in the capture}}
  llvm.call @mgpuMemFree(%m, %t) : (!llvm.ptr, !llvm.ptr) -> ()
  // expected-error @below {{a stream that is captured waits for an event from outside of the capture}}
  llvm.call @mgpuStreamWaitEvent(%s, %e) : (!llvm.ptr, !llvm.ptr) -> ()
  // expected-error @below {{a capture begins while another one is open}}
  llvm.call @mgpuGraphCaptureBegin(%slot, %t) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mgpuGraphCaptureLaunch(%slot, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}

llvm.func @ends(%slot: !llvm.ptr, %s: !llvm.ptr, %t: !llvm.ptr) {
  // expected-error @below {{a capture ends that did not begin in this block}}
  llvm.call @mgpuGraphCaptureLaunch(%slot, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  // expected-note @below {{the capture begins here}}
  llvm.call @mgpuGraphCaptureBegin(%slot, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  // expected-error @below {{a capture ends on another stream than it began on}}
  llvm.call @mgpuGraphCaptureLaunch(%slot, %t) : (!llvm.ptr, !llvm.ptr) -> ()
  // expected-error @below {{a capture begins and does not end in its block}}
  // expected-note @below {{the capture begins here}}
  llvm.call @mgpuGraphCaptureBegin(%slot, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}
