// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/CaptureCheck.h"

#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;

namespace lockstep::agpu {

CaptureCheck::CaptureCheck() {
  for (unsigned i = 0; i != kRuntimeFunctionCount; ++i)
    functions[getRuntimeFunctionName(static_cast<RuntimeFunction>(i))] = static_cast<RuntimeFunction>(i);
}

InFlightDiagnostic CaptureCheck::report(Operation *op, const Twine &text) {
  isClean = false;
  InFlightDiagnostic diagnostic = op->emitError(text);
  if (capture)
    diagnostic.attachNote(capture->getLoc()) << "the capture begins here";
  return diagnostic;
}

static StringRef nameOf(Operation *call) { return *cast<LLVM::CallOp>(call).getCallee(); }

void CaptureCheck::endRegion() {
  lastWork = nullptr;
  suspects.clear();
}

bool CaptureCheck::check(Block &block) {
  isClean = true;
  endRegion();
  for (Operation &op : block) {
    auto call = dyn_cast<LLVM::CallOp>(op);
    auto function = call && call.getCallee() ? functions.find(*call.getCallee()) : functions.end();
    if (function != functions.end()) {
      checkRuntimeCall(call, function->second);
    } else if (isa<CallOpInterface>(op)) {
      if (capture)
        report(&op, "calls code that is not known while a stream is captured");
      endRegion();
    }
  }
  if (capture) {
    report(capture, "a capture begins and does not end in its block");
    capture = nullptr;
  }
  return isClean;
}

void CaptureCheck::checkRuntimeCall(LLVM::CallOp call, RuntimeFunction function) {
  CaptureEffect effect = getCaptureEffect(function);
  if (effect == CaptureEffect::Begin)
    return begin(call);
  if (effect == CaptureEffect::End)
    return end(call);
  if (capture)
    return checkCaptured(call, function);
  switch (effect) {
  case CaptureEffect::Host:
    return endRegion();
  case CaptureEffect::Forbidden:
    if (lastWork)
      suspects.push_back(call);
    return;
  case CaptureEffect::Work:
  case CaptureEffect::Record:
  case CaptureEffect::Wait:
    for (Operation *suspect : suspects) {
      InFlightDiagnostic diagnostic =
          report(suspect, nameOf(suspect) + " stands among work on streams, which could not be captured with it");
      diagnostic.attachNote(lastWork->getLoc()) << nameOf(lastWork) << " is before it";
      diagnostic.attachNote(call.getLoc()) << nameOf(call) << " is behind it, and nothing between ends the region";
    }
    suspects.clear();
    lastWork = call;
    return;
  default:
    return;
  }
}

void CaptureCheck::checkCaptured(LLVM::CallOp call, RuntimeFunction function) {
  CaptureEffect effect = getCaptureEffect(function);
  if (effect == CaptureEffect::Host || effect == CaptureEffect::Forbidden) {
    report(call, nameOf(call) + " is not allowed while a stream is captured");
    return;
  }
  if (effect == CaptureEffect::None)
    return;
  Value stream = call.getArgOperands()[getStreamArgument(function)];
  if (effect == CaptureEffect::Wait) {
    Value event = call.getArgOperands()[1];
    auto recorded = events.find(event);
    if (recorded != events.end())
      streams[stream].insert(recorded->second.begin(), recorded->second.end());
    else if (streams.contains(stream))
      report(call, "a stream that is captured waits for an event from outside of the capture");
    return;
  }
  auto held = streams.find(stream);
  if (held == streams.end()) {
    if (effect == CaptureEffect::Work)
      report(call, nameOf(call) + " is on a stream that does not take part in the capture");
    return;
  }
  held->second.insert(call);
  if (effect == CaptureEffect::Record)
    events[call.getArgOperands()[0]] = held->second;
}

void CaptureCheck::begin(LLVM::CallOp call) {
  if (capture) {
    report(call, "a capture begins while another one is open");
    return;
  }
  endRegion();
  streams.clear();
  events.clear();
  capture = call;
  origin = call.getArgOperands()[1];
  // The begin itself is held by every stream that takes part, so that none is taken for joined by accident.
  streams[origin].insert(call);
}

void CaptureCheck::end(LLVM::CallOp call) {
  if (!capture) {
    report(call, "a capture ends that did not begin in this block");
    return;
  }
  if (call.getArgOperands()[1] != origin) {
    report(call, "a capture ends on another stream than it began on");
  } else {
    const auto &joined = streams[origin];
    for (const auto &[stream, held] : streams)
      for (Operation *work : held)
        if (!joined.contains(work)) {
          report(call, "a capture ends before all its streams are waited for").attachNote(work->getLoc())
              << nameOf(work) << " is not joined";
          break;
        }
  }
  capture = nullptr;
  endRegion();
}

} // namespace lockstep::agpu
