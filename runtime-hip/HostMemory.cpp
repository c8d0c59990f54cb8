// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/Strided.h"
#include "runtime-hip/ApiCall.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

namespace {
struct Span {
  char *start = nullptr;
  uint64_t sizeBytes = 0;
};
} // namespace

/// The bytes from the first to the last element of a memref, gaps of a strided one included: the driver locks whole
/// pages anyway. Nothing, with the failure recorded, for a bad shape.
static std::optional<Span> spanOf(ApiCall &call, int64_t rank, MgpuMemRef *memref, int64_t elementBytes) {
  std::string error;
  if (rank >= 0 && memref)
    if (auto plan =
            planStridedFill(rank, memref->shape, memref->shape + rank, elementBytes, RectangleLimits(), error)) {
      if (plan->isEmpty)
        return Span();
      const ByteRange &range = plan->ranges[kDestination];
      return Span{firstElement(*memref, elementBytes) + range.lower, static_cast<uint64_t>(range.upper - range.lower)};
    }
  call.refuse(kMgpuStatusInvalidValue,
              "argument 'memref' is not valid: " + (error.empty() ? "null or of negative rank" : error));
  return std::nullopt;
}

static void registerSpan(ApiCall &call, Span span) {
  if (span.sizeBytes && call.enterDefaultDevice())
    call.invoke(call.driver().hipHostRegister, static_cast<void *>(span.start), span.sizeBytes, 0u);
}

static void unregisterSpan(ApiCall &call, void *start) {
  if (call.enterDefaultDevice())
    call.invoke(call.driver().hipHostUnregister, start);
}

void mgpuMemHostRegister(void *memory, uint64_t sizeBytes) {
  ApiCall call("mgpuMemHostRegister");
  if (call)
    registerSpan(call, {static_cast<char *>(memory), sizeBytes});
}

void mgpuMemHostUnregister(void *memory) {
  ApiCall call("mgpuMemHostUnregister");
  if (call)
    unregisterSpan(call, memory);
}

void mgpuMemHostRegisterMemRef(int64_t rank, MgpuMemRef *memref, int64_t elementBytes) {
  ApiCall call("mgpuMemHostRegisterMemRef");
  if (!call)
    return;
  if (std::optional<Span> span = spanOf(call, rank, memref, elementBytes))
    registerSpan(call, *span);
}

void mgpuMemHostUnregisterMemRef(int64_t rank, MgpuMemRef *memref, int64_t elementBytes) {
  ApiCall call("mgpuMemHostUnregisterMemRef");
  if (!call)
    return;
  std::optional<Span> span = spanOf(call, rank, memref, elementBytes);
  if (span && span->sizeBytes)
    unregisterSpan(call, span->start);
}
