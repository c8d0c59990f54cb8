// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture: async-semantics 5.7. The first functions are driver calls' bodies; see Call.h. The others are what
// the calls on streams, events and memory ask.

#ifndef LOCKSTEP_SIMGPU_CORE_CAPTUREAPI_H
#define LOCKSTEP_SIMGPU_CORE_CAPTUREAPI_H

#include "simgpu/core/Call.h"
#include "simgpu/core/Capture.h"
#include "simgpu/core/GraphApi.h"

namespace lockstep::simgpu {

Status beginCapture(Call &call, uint64_t stream, CaptureMode mode);
/// Adds to a graph of the program, behind `dependencies`.
Status beginCaptureToGraph(Call &call, uint64_t stream, uint64_t graph, const std::vector<Dependency> &dependencies,
                           CaptureMode mode);
/// Gives the captured graph, which is the program's from now on; 0 on failure.
Status endCapture(Call &call, uint64_t stream, uint64_t &graph);

struct CaptureInfo {
  CaptureStatus status = CaptureStatus::None;
  uint64_t id = 0;
  uint64_t graph = 0;
  const std::vector<uint64_t> *nodes = nullptr;   ///< Valid until the next query of the stream.
  const std::vector<ShownPorts> *ports = nullptr; ///< The same; one for each node.
  bool hasPorts = false;                          ///< Whether one of them is not the default.
};
/// On the legacy stream CaptureImplicit where a blocking stream is captured; nothing is invalidated.
Status getCaptureInfo(Call &call, uint64_t stream, CaptureInfo &info);
/// Replaces what the next operation comes after, or adds to it. IllegalState where the stream is not captured.
Status updateCaptureDependencies(Call &call, uint64_t stream, const std::vector<Dependency> &dependencies,
                                 bool replaces);
/// Gives the thread another mode and returns the one it had.
CaptureMode exchangeCaptureMode(Call &call, CaptureMode mode);

/// For a call that the documentation calls potentially unsafe: CaptureUnsupported, and the captures in question are
/// invalidated, where the thread's mode forbids it now. `isWait`: the call waits or asks.
Status refuseUnsafe(Call &call, bool isWait = false);
/// For a call that waits for, or asks about, all that `stream` holds.
Status refuseOnCaptured(Call &call, Stream &stream);
/// For a call that waits for all streams of a context.
Status refuseInCapturingContext(Call &call, Context &context);
/// For a call that waits for, or asks about, an event.
Status refuseCapturedEvent(Call &call, const Event &event);
/// For work on `stream`: whether its capture was invalidated, or it is the legacy stream beside a captured one.
Status checkWork(Call &call, Stream &stream);

/// Adds the task to the capture of the stream, which must have one.
Status captureTask(Call &call, Stream &stream, Task task);
/// The event holds what the captured stream's next operation would come after.
void captureRecord(Stream &stream, Event &event);
/// `isCaptured` says whether the capture took the wait; otherwise it is an ordinary one.
Status captureWait(Call &call, const std::shared_ptr<Stream> &stream, const Event &event, bool &isCaptured);
/// For a stream that is destroyed: its capture is invalidated.
void abandonCapture(Call &call, Stream &stream);
/// Makes a child graph node of an executable graph's nodes.
Status captureLaunch(Call &call, Stream &stream, const GraphExec &exec);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_CAPTUREAPI_H
