// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each function of the runtime may do while a stream is captured.

#ifndef LOCKSTEP_LOWERING_CAPTUREEFFECTS_H
#define LOCKSTEP_LOWERING_CAPTUREEFFECTS_H

#include "lowering/RuntimeCalls.h"

namespace lockstep::agpu {

enum class CaptureEffect {
  Work,      ///< Work on a stream: becomes part of the graph.
  Record,    ///< An event takes the state of a stream.
  Wait,      ///< A stream waits for an event, and joins the capture where the event is of it.
  Host,      ///< The host waits or page-locks: not allowed in a capture, and the end of a region that could be one.
  Forbidden, ///< Creates, destroys, loads or asks: not allowed in a capture.
  Begin,     ///< A capture begins.
  End,       ///< A capture ends.
  None,      ///< Concerns no driver, or only what the library has ready.
};

CaptureEffect getCaptureEffect(RuntimeFunction function);

/// The argument that names the stream of work, records, waits, begins and ends.
unsigned getStreamArgument(RuntimeFunction function);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_CAPTUREEFFECTS_H
