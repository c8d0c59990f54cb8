// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/order/HappensBefore.h"

#include "harness/order/GraphReplay.h"

#include <map>

using namespace lockstep::harness;

/// Handles that stand for streams that nobody created: null and 1 are the legacy stream, 2 is the thread's own.
static constexpr uint64_t kLegacyStream = 1, kPerThreadStream = 2;
static constexpr uint64_t kNonBlocking = 1;

namespace {

struct Stream {
  uint32_t number = 0;
  bool isBlocking = false;
  History done; ///< All that comes before what is queued next.
  std::shared_ptr<ReplayedCapture> capture = nullptr;
  llvm::SmallVector<uint32_t, 2> frontier = {}; ///< In a capture: the nodes that the next one comes after.
};

struct Event {
  uint32_t number = 0;
  History seen;
  std::shared_ptr<ReplayedCapture> capture = nullptr; ///< Recorded in one; then `nodes` is what it has seen.
  llvm::SmallVector<uint32_t, 2> nodes = {};
};

} // namespace

namespace lockstep::harness {

/// The state of the driver's objects while the log is gone through.
class HappensBeforeReplay {
public:
  explicit HappensBeforeReplay(HappensBefore &result) : result(result), log(result.log), graphs(result.log) {}
  void run();

private:
  void apply(const CallLog::Entry &entry, uint32_t index);
  void applyToStream(const CallLog::Entry &entry, uint32_t index, llvm::ArrayRef<uint64_t> arguments);
  void applyToEvent(const CallLog::Entry &entry, uint32_t index, llvm::ArrayRef<uint64_t> arguments);

  Stream &find(uint64_t handle, uint32_t thread);
  Event &findEvent(uint64_t handle) { return events[handle]; }
  /// Makes the stream ready for an action: what must come before it by the rules of the host and the legacy stream.
  Stream &enter(uint64_t handle, uint32_t thread, uint32_t index);

  void createStream(const CallLog::Entry &entry, uint64_t flags);
  void destroyStream(uint64_t handle, uint32_t thread);
  void queue(Stream &stream, const CallLog::Entry &entry, uint32_t index);
  void record(Event &event, Stream &stream);
  void wait(Stream &stream, const Event &event);
  void syncDevice();
  void launch(const CallLog::Entry &entry, uint32_t index);
  void beginCapture(Stream &stream);
  void endCapture(Stream &stream, uint64_t graph);
  PartialOrder::Element addItem(const History &before, std::optional<uint32_t> owner, uint32_t logEntry,
                                uint32_t queuedBy);
  std::vector<std::optional<uint32_t>> findOwners(const ReplayedGraph &graph, uint32_t thread);

  HappensBefore &result;
  const CallLog &log;
  GraphReplay graphs;
  std::map<std::pair<uint64_t, uint32_t>, Stream> streams; ///< By handle; a thread's own by its number too.
  llvm::DenseMap<uint64_t, Event> events;
  History destroyed, destroyedBlocking; ///< Work of streams that are gone.
  uint32_t streamCount = 0, eventCount = 0;
};

} // namespace lockstep::harness

void HappensBeforeReplay::run() {
  result.places.resize(log.entries().size());
  for (auto [index, entry] : llvm::enumerate(log.entries())) {
    if (entry.isAnnouncement())
      result.runs.announce(entry.thread, entry.name, index, result.host);
    else if (entry.code == 0)
      apply(entry, index);
  }
  result.runs.finish(result.host);
}

Stream &HappensBeforeReplay::find(uint64_t handle, uint32_t thread) {
  handle = std::max(handle, kLegacyStream);
  auto [found, isNew] = streams.try_emplace({handle, handle == kPerThreadStream ? thread : 0});
  if (isNew)
    found->second.isBlocking = handle == kPerThreadStream;
  return found->second;
}

Stream &HappensBeforeReplay::enter(uint64_t handle, uint32_t thread, uint32_t index) {
  Stream &stream = find(handle, thread);
  result.places[index].stream = stream.number;
  if (stream.capture)
    return stream;
  stream.done.include(result.host);
  if (std::max(handle, kLegacyStream) == kLegacyStream) {
    stream.done.include(destroyedBlocking);
    for (auto &[key, other] : streams)
      if (other.isBlocking)
        stream.done.include(other.done);
  } else if (stream.isBlocking) {
    stream.done.include(find(kLegacyStream, thread).done);
  }
  return stream;
}

void HappensBeforeReplay::apply(const CallLog::Entry &entry, uint32_t index) {
  llvm::ArrayRef<uint64_t> arguments = log.arguments(entry);
  switch (entry.shape.meaning) {
  case CallMeaning::None:
    break;
  case CallMeaning::Work: {
    int position = entry.shape.stream;
    uint64_t handle = arguments[position < 0 ? arguments.size() + position : position];
    queue(enter(handle, entry.thread, index), entry, index);
    break;
  }
  case CallMeaning::StreamCreate:
  case CallMeaning::StreamDestroy:
  case CallMeaning::StreamWait:
  case CallMeaning::StreamSync:
  case CallMeaning::CaptureBegin:
  case CallMeaning::CaptureEnd:
    applyToStream(entry, index, arguments);
    break;
  case CallMeaning::EventCreate:
  case CallMeaning::EventDestroy:
  case CallMeaning::EventRecord:
  case CallMeaning::EventSync:
  case CallMeaning::EventTime:
    applyToEvent(entry, index, arguments);
    break;
  case CallMeaning::DeviceSync:
    syncDevice();
    break;
  case CallMeaning::ExecLaunch:
  case CallMeaning::ExecLaunchFree:
    launch(entry, index);
    break;
  default:
    graphs.apply(entry, index);
  }
}

void HappensBeforeReplay::applyToStream(const CallLog::Entry &entry, uint32_t index,
                                        llvm::ArrayRef<uint64_t> arguments) {
  switch (entry.shape.meaning) {
  case CallMeaning::StreamCreate:
    createStream(entry, arguments[1]);
    break;
  case CallMeaning::StreamDestroy:
    destroyStream(arguments[0], entry.thread);
    break;
  case CallMeaning::StreamWait:
    result.places[index].event = findEvent(arguments[1]).number;
    wait(enter(arguments[0], entry.thread, index), findEvent(arguments[1]));
    break;
  case CallMeaning::StreamSync: {
    Stream &stream = find(arguments[0], entry.thread);
    result.places[index].stream = stream.number;
    result.host.include(stream.done);
    break;
  }
  case CallMeaning::CaptureBegin:
    beginCapture(enter(arguments[0], entry.thread, index));
    break;
  default:
    endCapture(find(arguments[0], entry.thread), entry.output);
  }
}

void HappensBeforeReplay::applyToEvent(const CallLog::Entry &entry, uint32_t index,
                                       llvm::ArrayRef<uint64_t> arguments) {
  switch (entry.shape.meaning) {
  case CallMeaning::EventCreate:
    events[entry.output] = {++eventCount, {}};
    break;
  case CallMeaning::EventDestroy:
    events.erase(arguments[0]);
    break;
  case CallMeaning::EventRecord:
    record(findEvent(arguments[0]), enter(arguments[1], entry.thread, index));
    result.places[index].event = findEvent(arguments[0]).number;
    break;
  case CallMeaning::EventTime:
    result.host.include(findEvent(arguments[2]).seen);
    [[fallthrough]];
  default: {
    const Event &event = findEvent(arguments[entry.shape.meaning == CallMeaning::EventTime ? 1 : 0]);
    result.places[index].event = event.number;
    result.host.include(event.seen);
  }
  }
}

void HappensBeforeReplay::createStream(const CallLog::Entry &entry, uint64_t flags) {
  streams[{entry.output, 0}] = {++streamCount, (flags & kNonBlocking) == 0, {}};
}

/// The work goes on; nothing waits for it but what waits for everything.
void HappensBeforeReplay::destroyStream(uint64_t handle, uint32_t thread) {
  const Stream &stream = find(handle, thread);
  destroyed.include(stream.done);
  if (stream.isBlocking)
    destroyedBlocking.include(stream.done);
  streams.erase({handle, 0});
}

PartialOrder::Element HappensBeforeReplay::addItem(const History &before, std::optional<uint32_t> owner,
                                                   uint32_t logEntry, uint32_t queuedBy) {
  PartialOrder::Element element = result.order.add(before);
  if (owner)
    result.runs[*owner].items.push_back(result.work.size());
  result.work.push_back({element, logEntry, queuedBy});
  return element;
}

void HappensBeforeReplay::queue(Stream &stream, const CallLog::Entry &entry, uint32_t index) {
  if (stream.capture) {
    std::vector<ReplayedNode> &nodes = stream.capture->graph.nodes;
    nodes.push_back({ReplayedNode::Kind::Work, stream.frontier, entry.op, index});
    stream.frontier = {static_cast<uint32_t>(nodes.size() - 1)};
    return;
  }
  PartialOrder::Element element = addItem(stream.done, result.runs.find(entry.thread, entry.op), index, index);
  result.order.include(stream.done, element);
}

void HappensBeforeReplay::record(Event &event, Stream &stream) {
  event.capture = stream.capture;
  event.nodes = stream.frontier;
  event.seen = stream.capture ? History() : stream.done;
}

void HappensBeforeReplay::wait(Stream &stream, const Event &event) {
  if (!event.capture) {
    stream.done.include(event.seen);
    return;
  }
  if (event.capture->hasEnded)
    return;
  // The stream joins the capture, if it does not take part already.
  if (!stream.capture)
    stream.capture = event.capture;
  for (uint32_t node : event.nodes)
    if (!llvm::is_contained(stream.frontier, node))
      stream.frontier.push_back(node);
}

void HappensBeforeReplay::syncDevice() {
  result.host.include(destroyed);
  for (const auto &[key, stream] : streams)
    result.host.include(stream.done);
}

void HappensBeforeReplay::beginCapture(Stream &stream) {
  stream.capture = std::make_shared<ReplayedCapture>();
  stream.frontier.clear();
}

void HappensBeforeReplay::endCapture(Stream &stream, uint64_t graph) {
  std::shared_ptr<ReplayedCapture> capture = stream.capture;
  if (!capture)
    return;
  capture->hasEnded = true;
  for (auto &[key, other] : streams)
    if (other.capture == capture) {
      other.capture = nullptr;
      other.frontier.clear();
    }
  graphs.add(graph, std::move(capture->graph));
}

/// For each node the execution that it works for.
std::vector<std::optional<uint32_t>> HappensBeforeReplay::findOwners(const ReplayedGraph &graph, uint32_t thread) {
  llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 1>> nodesOfName;
  for (auto [position, node] : llvm::enumerate(graph.nodes))
    if (node.kind == ReplayedNode::Kind::Work)
      nodesOfName[node.op].push_back(position);
  std::vector<std::optional<uint32_t>> owners(graph.nodes.size());
  for (const auto &[name, positions] : nodesOfName)
    for (auto [position, owner] : llvm::zip_equal(positions, result.runs.findForLaunch(thread, name, positions.size())))
      owners[position] = owner;
  result.runs.endLaunch(thread);
  return owners;
}

void HappensBeforeReplay::launch(const CallLog::Entry &entry, uint32_t index) {
  llvm::ArrayRef<uint64_t> arguments = log.arguments(entry);
  Stream &stream = enter(arguments[1], entry.thread, index);
  ReplayedExecutable *executable = graphs.executable(arguments[0]);
  if (!executable || stream.capture)
    return;
  const ReplayedGraph &graph = executable->graph;
  History start = stream.done;
  if (entry.shape.meaning == CallMeaning::ExecLaunch)
    start.include(executable->launched);
  std::vector<std::optional<uint32_t>> owners = findOwners(graph, entry.thread);
  // Behind each node: its item, or what is before a node that does no work.
  std::vector<PartialOrder::Element> elements(graph.nodes.size());
  std::vector<History> passed(graph.nodes.size());
  auto includeNode = [&](History &history, uint32_t position) {
    if (graph.nodes[position].kind == ReplayedNode::Kind::Work)
      result.order.include(history, elements[position]);
    else
      history.include(passed[position]);
  };
  std::vector<bool> isInner(graph.nodes.size());
  for (auto [position, node] : llvm::enumerate(graph.nodes)) {
    History before = start;
    for (uint32_t other : node.after) {
      includeNode(before, other);
      isInner[other] = true;
    }
    if (node.kind == ReplayedNode::Kind::Work) {
      elements[position] = addItem(before, owners[position], node.logEntry, index);
      continue;
    }
    if (node.kind == ReplayedNode::Kind::Wait)
      before.include(findEvent(node.event).seen);
    else if (node.kind == ReplayedNode::Kind::Record)
      events[node.event] = {findEvent(node.event).number, before};
    passed[position] = std::move(before);
  }
  stream.done = std::move(start);
  for (uint32_t position = 0; position < graph.nodes.size(); ++position)
    if (!isInner[position])
      includeNode(stream.done, position);
  executable->launched.include(stream.done);
}

HappensBefore::HappensBefore(const CallLog &log) : log(log) { HappensBeforeReplay(*this).run(); }

bool HappensBefore::isBefore(const OpRun &first, const OpRun &second) const {
  return llvm::all_of(first.items, [&](uint32_t a) {
    return llvm::all_of(second.items, [&](uint32_t b) { return order.isBefore(work[a].element, work[b].element); });
  });
}

bool HappensBefore::isIn(const OpRun &op, const History &history) const {
  return llvm::all_of(op.items, [&](uint32_t item) { return order.holds(history, work[item].element); });
}
