// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/test/RuntimeModel.h"

#include "llvm/ADT/STLExtras.h"

using namespace lockstep::test;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

int64_t RuntimeModel::call(StringRef name, ArrayRef<int64_t> arguments,
                           llvm::function_ref<std::vector<int32_t>(int64_t)> data) {
  if (std::optional<int64_t> handle = create(name))
    return *handle;
  if (callPool(name, arguments))
    return 0;
  if (name == "mgpuEventRecord")
    record(arguments[0], arguments[1]);
  else if (name == "mgpuStreamWaitEvent" || name == "mgpuStreamWaitChain")
    wait(arguments[0], arguments[1]);
  else if (name == "mgpuStreamSynchronize")
    hostWait(stream(arguments[0]), isCaptured(arguments[0]));
  else if (name == "mgpuEventSynchronize" || name == "mgpuChainSynchronize") {
    if (arguments[0] && isAlive(arguments[0]))
      hostWait(events[arguments[0] - 1], capture && capture->events.count(arguments[0]));
  } else if (name == "mgpuGraphLaunch")
    launch(arguments[0], arguments[1]);
  else if (name == "mgpuGraphCaptureBegin")
    beginCapture(arguments[1]);
  else if (name == "mgpuGraphCaptureLaunch")
    launchCapture(arguments[1]);
  else if (name.starts_with("mgpuGraphAdd"))
    addNode(name, arguments[0], data(arguments[1]), arguments[2]);
  else if (name.starts_with("mgpuMem"))
    issue(arguments.back());
  return 0;
}

std::optional<int64_t> RuntimeModel::create(StringRef name) {
  if (name == "mgpuStreamPoolAcquire") {
    ++result.numStreamAcquires;
    streamHeld.push_back(true);
    streams.emplace_back();
    return streams.size();
  }
  if (name == "mgpuEventPoolAcquire") {
    events.emplace_back();
    references.push_back(1);
    noteEvents(1);
    return events.size();
  }
  if (name == "mgpuGraphBegin") {
    if (!graphs.empty() && graphs.back().isOpen)
      problem("a graph begins before the last one is launched");
    graphs.emplace_back();
    return graphs.size();
  }
  return std::nullopt;
}

bool RuntimeModel::callPool(StringRef name, ArrayRef<int64_t> arguments) {
  if (name == "mgpuStreamPoolRelease")
    streamHeld[arguments[0] - 1] = false;
  else if (name == "mgpuEventPoolRetain")
    changeReferences(arguments[0], arguments[1]);
  else if (name == "mgpuEventPoolRelease")
    changeReferences(arguments[0], -1);
  else
    return false;
  return true;
}

void RuntimeModel::addNode(StringRef name, int64_t number, ArrayRef<int32_t> dependencies, int64_t count) {
  Graph &graph = graphs[number - 1];
  if (!graph.isOpen)
    problem("a node is added to a graph that was launched");
  if (dependencies.size() != static_cast<size_t>(count))
    problem("a node's list has " + Twine(dependencies.size()) + " entries and says " + Twine(count));
  WorkSet done;
  for (int32_t node : dependencies) {
    if (node < 0 || static_cast<size_t>(node) >= graph.nodes.size())
      problem("a node depends on node " + Twine(node) + " of " + Twine(graph.nodes.size()));
    else
      done |= graph.nodes[node];
  }
  if (name != "mgpuGraphAddEmptyNode") {
    unsigned work = result.before.size();
    result.before.push_back(done);
    result.hostKnows.push_back(host);
    done.set(work);
    graph.work.set(work);
  }
  graph.nodes.push_back(done);
}

void RuntimeModel::launch(int64_t number, int64_t on) {
  Graph &graph = graphs[number - 1];
  if (!graph.isOpen)
    problem("a graph is launched twice");
  graph.isOpen = false;
  WorkSet earlier = stream(on) | host;
  for (unsigned work : graph.work)
    result.before[work] |= earlier;
  stream(on) |= graph.work;
  stream(on) |= host;
}

void RuntimeModel::beginCapture(int64_t on) {
  if (capture)
    problem("a capture begins in a capture");
  capture = Capture();
  capture->origin = on;
  capture->outside[on] = stream(on);
  stream(on).clear();
}

void RuntimeModel::launchCapture(int64_t on) {
  if (!capture || capture->origin != on)
    return problem("a capture ends on a stream that did not begin it");
  Capture ended = std::move(*capture);
  capture.reset();
  for (auto &[number, outside] : ended.outside) {
    if (!(streams[number - 1] - streams[on - 1]).empty())
      problem("stream " + Twine(number) + " of a capture is not joined");
  }
  for (auto &[number, outside] : ended.outside)
    streams[number - 1] = outside;
  WorkSet earlier = stream(on) | host;
  for (unsigned work : ended.work)
    result.before[work] |= earlier;
  stream(on) = earlier | ended.work;
}

void RuntimeModel::record(int64_t event, int64_t on) {
  if (!isAlive(event))
    return;
  events[event - 1] = stream(on);
  if (!capture)
    return;
  if (isCaptured(on))
    capture->events.insert(event);
  else
    capture->events.erase(event);
}

void RuntimeModel::wait(int64_t waiting, int64_t event) {
  if (!event || !isAlive(event))
    return;
  if (capture && capture->events.count(event)) {
    if (capture->outside.try_emplace(waiting, stream(waiting)).second)
      stream(waiting).clear();
  } else if (isCaptured(waiting)) {
    problem("a captured stream waits for an event from outside");
    return;
  }
  stream(waiting) |= events[event - 1];
}

void RuntimeModel::hostWait(const WorkSet &work, bool isCaptured) {
  if (isCaptured)
    problem("the host waits for captured work");
  host |= work;
}

void RuntimeModel::issue(int64_t on) {
  WorkSet &before = stream(on);
  unsigned number = result.before.size();
  if (isCaptured(on))
    capture->work.set(number);
  else
    before |= host;
  result.before.push_back(before);
  result.hostKnows.push_back(host);
  before.set(number);
}

WorkSet &RuntimeModel::stream(int64_t number) {
  if (!streamHeld[number - 1])
    problem("stream " + Twine(number) + " is used after its release");
  return streams[number - 1];
}

bool RuntimeModel::isAlive(int64_t event) {
  if (!event || references[event - 1] > 0)
    return true;
  problem("event " + Twine(event) + " is used after its release");
  return false;
}

void RuntimeModel::changeReferences(int64_t event, int64_t change) {
  if (!event || !isAlive(event))
    return;
  references[event - 1] += change;
  if (!references[event - 1])
    noteEvents(-1);
}

void RuntimeModel::noteEvents(int64_t change) {
  numEvents += change;
  result.numEventsPeak = std::max(result.numEventsPeak, numEvents);
}

void RuntimeModel::finish() {
  result.hostKnows.push_back(host);
  for (auto [index, references] : llvm::enumerate(references))
    if (references)
      problem("event " + Twine(index + 1) + " keeps " + Twine(references) + " references");
  for (auto [index, isHeld] : llvm::enumerate(streamHeld))
    if (isHeld)
      problem("stream " + Twine(index + 1) + " is not released");
  if (capture || (!graphs.empty() && graphs.back().isOpen))
    problem("a graph is not launched");
}
