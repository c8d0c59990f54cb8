// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/order/CallDescription.h"

#include "llvm/ADT/SetVector.h"

using namespace lockstep::harness;

/// More are not worth their room in a message.
static constexpr size_t kNamedMax = 4;

static std::string streamName(uint32_t number) {
  return number == 0 ? "a default stream" : "stream " + std::to_string(number);
}

/// "event 1, event 2 and 5 more".
static std::string eventList(const llvm::SetVector<uint32_t> &events) {
  std::string text;
  for (size_t i = 0; i < std::min(events.size(), kNamedMax); ++i)
    text += (i == 0 ? "event " : ", event ") + std::to_string(events[i]);
  return events.size() > kNamedMax ? text + " and " + std::to_string(events.size() - kNamedMax) + " more" : text;
}

static std::string describeItem(const HappensBefore &calls, const WorkItem &item) {
  auto nameOf = [&](uint32_t entry) { return calls.calls().name(calls.calls().entries()[entry].name).str(); };
  std::string on = " on " + streamName(calls.place(item.queuedBy).stream);
  if (item.logEntry == item.queuedBy)
    return nameOf(item.logEntry) + on;
  return "the node of " + nameOf(item.logEntry) + " in the graph of " + nameOf(item.queuedBy) + on;
}

/// Events in the calls with that meaning on the stream of `place`, from `begin` to before `end`.
static llvm::SetVector<uint32_t> collectEvents(const HappensBefore &calls, CallMeaning meaning, CallPlace place,
                                               size_t begin, size_t end) {
  llvm::SetVector<uint32_t> events;
  llvm::ArrayRef<CallLog::Entry> entries = calls.calls().entries();
  for (size_t entry = begin; entry < end; ++entry)
    if (entries[entry].shape.meaning == meaning && entries[entry].code == 0 &&
        calls.place(entry).stream == place.stream)
      events.insert(calls.place(entry).event);
  return events;
}

std::string lockstep::harness::describeFirst(const HappensBefore &calls, const OpRun &op) {
  const WorkItem &item = calls.items()[op.items.back()];
  auto events = collectEvents(calls, CallMeaning::EventRecord, calls.place(item.queuedBy), item.queuedBy,
                              calls.calls().entries().size());
  return "first: " + describeItem(calls, item) +
         (events.empty() ? ", no event recorded behind it" : ", recorded behind it: " + eventList(events));
}

std::string lockstep::harness::describeSecond(const HappensBefore &calls, const OpRun &op) {
  const WorkItem &item = calls.items()[op.items.front()];
  auto events = collectEvents(calls, CallMeaning::StreamWait, calls.place(item.queuedBy), 0, item.queuedBy);
  return "second: " + describeItem(calls, item) +
         (events.empty() ? ", no event waited for before it" : ", waited for before it: " + eventList(events));
}

std::string lockstep::harness::describeHostWaits(const HappensBefore &calls, const OpRun &op) {
  llvm::ArrayRef<CallLog::Entry> entries = calls.calls().entries();
  std::string text;
  for (size_t entry = op.logEntry + 1; entry < entries.size(); ++entry) {
    const CallLog::Entry &call = entries[entry];
    if (call.thread != entries[op.logEntry].thread)
      continue;
    if (call.isAnnouncement())
      break;
    CallMeaning meaning = call.shape.meaning;
    if (meaning != CallMeaning::StreamSync && meaning != CallMeaning::EventSync && meaning != CallMeaning::DeviceSync)
      continue;
    text += (text.empty() ? "" : ", ") + calls.calls().name(call.name).str();
    if (meaning == CallMeaning::StreamSync)
      text += " of " + streamName(calls.place(entry).stream);
    if (meaning == CallMeaning::EventSync)
      text += " of event " + std::to_string(calls.place(entry).event);
  }
  return text.empty() ? "the host calls nothing there that waits" : "the host calls there: " + text;
}
