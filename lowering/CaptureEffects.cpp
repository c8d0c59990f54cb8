// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/CaptureEffects.h"

#include "runtime-api/Mgpu.h"

#include <span>

namespace lockstep::agpu {

namespace {

using enum RuntimeFunction;

// Sources: the list of unsafe calls in the documentation of cuThreadExchangeStreamCaptureMode, the capture rows of the
// rules for devices (docs/spec), and the contract of graphs in runtime-api/Mgpu.h.
constexpr RuntimeFunction kWork[] = {mgpuLaunchKernel, mgpuLaunchClusterKernel, mgpuMemAlloc, mgpuMemFree, mgpuMemcpy,
                                     mgpuMemset8, mgpuMemset16, mgpuMemset32, mgpuMemset64, mgpuMemcpyStrided,
                                     mgpuMemcpyMemRef, mgpuMemsetStrided, mgpuMemsetMemRef, mgpuLaunchHostFunc,
                                     // Becomes a child graph.
                                     mgpuGraphLaunch};

constexpr RuntimeFunction kRecord[] = {mgpuEventRecord};

constexpr RuntimeFunction kWait[] = {mgpuStreamWaitEvent, mgpuStreamWaitChain};

constexpr RuntimeFunction kHost[] = {mgpuStreamSynchronize,      mgpuEventSynchronize,  mgpuChainSynchronize,
                                     mgpuMemHostRegister,        mgpuMemHostUnregister, mgpuMemHostRegisterMemRef,
                                     mgpuMemHostUnregisterMemRef};

constexpr RuntimeFunction kForbidden[] = {mgpuModuleLoad,
                                          mgpuModuleLoadJIT,
                                          mgpuModuleUnload,
                                          mgpuStreamCreate,
                                          mgpuStreamDestroy,
                                          mgpuEventCreate,
                                          mgpuEventCreateTimed,
                                          mgpuEventDestroy,
                                          mgpuEventQuery,
                                          mgpuEventElapsedTimeNs,
                                          mgpuTensorMapEncodeTiledMemref,
                                          mgpuGraphRelease,
                                          mgpuInitialize,
                                          mgpuReset};

constexpr RuntimeFunction kBegin[] = {mgpuGraphCaptureBegin};

constexpr RuntimeFunction kEnd[] = {mgpuGraphCaptureLaunch};

constexpr RuntimeFunction kNone[] = {mgpuModuleGetFunction,
                                     mgpuSetDefaultDevice,
                                     mgpuTensorMapEncodeTiled,
                                     mgpuStreamPoolAcquire,
                                     mgpuStreamPoolRelease,
                                     mgpuEventPoolAcquire,
                                     mgpuEventPoolRetain,
                                     mgpuEventPoolRelease,
                                     mgpuGraphBegin,
                                     mgpuGraphAddEmptyNode,
                                     mgpuGraphAddKernelNode,
                                     mgpuGraphAddMemcpyNode,
                                     mgpuGraphAddMemcpyStridedNode,
                                     mgpuGraphAddMemcpyMemRefNode,
                                     mgpuGraphAddMemsetNode,
                                     mgpuGraphAddMemsetStridedNode,
                                     mgpuGraphAddMemsetMemRefNode,
                                     mgpuGraphAddHostNode,
                                     mgpuGraphAddEventRecordNode,
                                     mgpuGraphAddEventWaitNode,
                                     mgpuGraphAddMemAllocNode,
                                     mgpuGraphAddMemFreeNode,
                                     mgpuSetOp,
                                     mgpuStatusGet,
                                     mgpuStatusSetPolicy,
                                     mgpuDriverInfo,
                                     mgpuSetRecorder};

struct EffectTable {
  CaptureEffect effects[kRuntimeFunctionCount]{};
  unsigned placed = 0;

  constexpr EffectTable() {
    place(CaptureEffect::Work, kWork);
    place(CaptureEffect::Record, kRecord);
    place(CaptureEffect::Wait, kWait);
    place(CaptureEffect::Host, kHost);
    place(CaptureEffect::Forbidden, kForbidden);
    place(CaptureEffect::Begin, kBegin);
    place(CaptureEffect::End, kEnd);
    place(CaptureEffect::None, kNone);
  }

  constexpr void place(CaptureEffect effect, std::span<const RuntimeFunction> functions) {
    for (RuntimeFunction function : functions)
      effects[static_cast<unsigned>(function)] = effect;
    placed += functions.size();
  }
};

constexpr EffectTable kTable;
static_assert(kTable.placed == kRuntimeFunctionCount, "each function of the table is in one of the lists");

template <typename Signature> constexpr int kStreamArgument = -1;
template <typename Result, typename... Parameters>
constexpr int kStreamArgument<Result(Parameters...)> = [] {
  int index = 0, found = -1;
  ((std::is_same_v<Parameters, MgpuStream> ? found = index++ : index++), ...);
  return found;
}();

} // namespace

CaptureEffect getCaptureEffect(RuntimeFunction function) { return kTable.effects[static_cast<unsigned>(function)]; }

unsigned getStreamArgument(RuntimeFunction function) {
  static constexpr int kArguments[] = {
#define MGPU_SYMBOL(RESULT, NAME, PARAMETERS) kStreamArgument<RESULT PARAMETERS>,
#include "runtime-api/Symbols.def"
  };
  int argument = kArguments[static_cast<unsigned>(function)];
  assert(argument >= 0 && "only functions on a stream have one");
  return argument;
}

} // namespace lockstep::agpu
