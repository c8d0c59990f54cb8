// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_ORDER_CALLMEANINGS_H
#define LOCKSTEP_HARNESS_ORDER_CALLMEANINGS_H

#include "llvm/ADT/StringRef.h"

namespace lockstep::harness {

/// What a driver call does to the order of work. The arguments named are the first ones of the call.
enum class CallMeaning {
  None,           ///< Nothing.
  Work,           ///< Queues work on a stream.
  StreamCreate,   ///< (out stream, flags)
  StreamDestroy,  ///< (stream)
  StreamWait,     ///< (stream, event): later work of the stream waits for what the event has seen.
  StreamSync,     ///< (stream): the host waits.
  EventCreate,    ///< (out event, flags)
  EventDestroy,   ///< (event)
  EventRecord,    ///< (event, stream): the event sees what the stream has now.
  EventSync,      ///< (event): the host waits; for a query that succeeds, the host knows.
  EventTime,      ///< (out time, event, event): succeeds only where both are complete.
  DeviceSync,     ///< The host waits for everything.
  GraphCreate,    ///< (out graph, flags)
  GraphDestroy,   ///< (graph)
  AddWorkNode,    ///< (out node, graph, dependencies, their number, each of them, …)
  AddEmptyNode,   ///< The same.
  AddRecordNode,  ///< The same, then the event.
  AddWaitNode,    ///< The same, then the event.
  Instantiate,    ///< (out executable, graph, flags)
  ExecDestroy,    ///< (executable)
  SetNode,        ///< (executable, node, …): other parameters, the same order.
  SetNodeEvent,   ///< (executable, node, event)
  ExecUpdate,     ///< (executable, graph): becomes that graph.
  ExecLaunch,     ///< (executable, stream); launches of one executable one after the other.
  ExecLaunchFree, ///< The same without an order between launches on different streams.
  CaptureBegin,   ///< (stream, mode)
  CaptureEnd,     ///< (stream, out graph)
};

struct CallShape {
  CallMeaning meaning = CallMeaning::None;
  /// Of Work: where the stream stands among the recorded arguments; negative counts from the end.
  int stream = -1;
};

/// The meaning of a driver function of CUDA or HIP by the name that the recorder gives it. Allocations and frees that
/// take place on the host at once are no work of a device, so they mean nothing here.
CallShape findCallShape(llvm::StringRef call);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_ORDER_CALLMEANINGS_H
