// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the wrappers call (runtime-cuda/DriverSymbols.def, runtime-hip/DriverSymbols.def).

#include "harness/order/CallMeanings.h"

#include "llvm/ADT/StringMap.h"

using namespace lockstep::harness;

using enum CallMeaning;
using NamedShape = std::pair<const char *, CallShape>;

/// What both vendors have: by the name behind "cu" and "hip".
static constexpr NamedShape kBoth[] = {
    {"MemcpyAsync", {Work}},
    {"Memcpy2DAsync", {Work}},
    {"Memcpy3DAsync", {Work}},
    {"MemsetD8Async", {Work}},
    {"MemsetD16Async", {Work}},
    {"MemsetD32Async", {Work}},
    {"LaunchHostFunc", {Work, 0}},
    {"StreamDestroy", {StreamDestroy}},
    {"StreamSynchronize", {StreamSync}},
    {"StreamWaitEvent", {StreamWait}},
    {"EventDestroy", {EventDestroy}},
    {"EventRecord", {EventRecord}},
    {"EventSynchronize", {EventSync}},
    {"EventQuery", {EventSync}},
    {"EventElapsedTime", {EventTime}},
    {"GraphCreate", {GraphCreate}},
    {"GraphDestroy", {GraphDestroy}},
    {"GraphAddEmptyNode", {AddEmptyNode}},
    {"GraphAddKernelNode", {AddWorkNode}},
    {"GraphAddMemcpyNode", {AddWorkNode}},
    {"GraphAddMemsetNode", {AddWorkNode}},
    {"GraphAddHostNode", {AddWorkNode}},
    {"GraphAddMemAllocNode", {AddWorkNode}},
    {"GraphAddMemFreeNode", {AddWorkNode}},
    {"GraphAddEventRecordNode", {AddRecordNode}},
    {"GraphAddEventWaitNode", {AddWaitNode}},
    {"GraphExecDestroy", {ExecDestroy}},
    {"GraphExecKernelNodeSetParams", {SetNode}},
    {"GraphExecMemcpyNodeSetParams", {SetNode}},
    {"GraphExecMemsetNodeSetParams", {SetNode}},
    {"GraphExecHostNodeSetParams", {SetNode}},
    {"GraphExecEventRecordNodeSetEvent", {SetNodeEvent}},
    {"GraphExecEventWaitNodeSetEvent", {SetNodeEvent}},
    {"GraphExecUpdate", {ExecUpdate}},
    {"StreamBeginCapture", {CaptureBegin}},
    {"StreamEndCapture", {CaptureEnd}},
};

static constexpr NamedShape kSingle[] = {
    {"cuCtxSynchronize", {DeviceSync}},
    {"cuEventCreate", {EventCreate}},
    {"cuGraphInstantiate", {Instantiate}},
    {"cuGraphLaunch", {ExecLaunch}},
    {"cuLaunchKernel", {Work, 8}},
    // Behind the address of the configuration and its seven extents.
    {"cuLaunchKernelEx", {Work, 8}},
    {"cuMemAllocAsync", {Work}},
    {"cuMemFreeAsync", {Work}},
    {"cuMemsetD2D8Async", {Work}},
    {"cuMemsetD2D16Async", {Work}},
    {"cuMemsetD2D32Async", {Work}},
    {"cuStreamCreate", {StreamCreate}},
    {"hipDeviceSynchronize", {DeviceSync}},
    {"hipEventCreateWithFlags", {EventCreate}},
    {"hipFreeAsync", {Work}},
    {"hipGraphInstantiateWithFlags", {Instantiate}},
    // HIP orders no two launches of one executable (async-semantics 5.10).
    {"hipGraphLaunch", {ExecLaunchFree}},
    {"hipMallocAsync", {Work}},
    {"hipMemset2DAsync", {Work}},
    {"hipModuleLaunchKernel", {Work, 8}},
    {"hipStreamAddCallback", {Work, 0}},
    {"hipStreamCreateWithFlags", {StreamCreate}},
};

static const llvm::StringMap<CallShape> &shapes() {
  static const llvm::StringMap<CallShape> map = [] {
    llvm::StringMap<CallShape> shapes;
    for (const auto &[name, shape] : kBoth) {
      shapes[("cu" + llvm::Twine(name)).str()] = shape;
      shapes[("hip" + llvm::Twine(name)).str()] = shape;
    }
    for (const auto &[name, shape] : kSingle)
      shapes[name] = shape;
    return shapes;
  }();
  return map;
}

CallShape lockstep::harness::findCallShape(llvm::StringRef call) { return shapes().lookup(call); }
