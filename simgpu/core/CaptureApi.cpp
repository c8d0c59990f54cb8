// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Captures begin, end, and are asked about.

#include "simgpu/core/CaptureApi.h"
#include "simgpu/core/Vendor.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace lockstep::simgpu {

static std::string nameOf(const CaptureSession &session) { return "capture " + std::to_string(session.id); }

static Status begin(Call &call, uint64_t streamHandle, CaptureMode mode, std::shared_ptr<Graph> graph,
                    CaptureFrontier frontier) {
  Status status;
  std::shared_ptr<Stream> stream = call.resolveStream(streamHandle, "hStream", status);
  if (!stream)
    return status;
  if (stream->kind == Stream::Kind::Legacy)
    return call.report(Status::CaptureUnsupported, "errors", "CAPTURE-1", "the legacy stream cannot be captured");
  if (stream->capture)
    return call.report(Status::IllegalState, "errors", "CAPTURE-1",
                       "the stream takes part in " + nameOf(*stream->capture->session) + " already");
  auto session = std::make_shared<CaptureSession>();
  session->id = ++call.machine.captureCount;
  session->mode = mode;
  session->thread = call.thread.number;
  session->graph = graph ? graph : createGraphObject(call.machine);
  session->graph->isOwnedByCapture = !graph;
  session->graph->capture = session;
  session->origin = stream;
  session->streams.push_back(stream);
  stream->capture = std::make_shared<StreamCapture>(StreamCapture{session, std::move(frontier), {}, {}});
  call.machine.captures.push_back(session);
  return Status::Success;
}

Status beginCapture(Call &call, uint64_t stream, CaptureMode mode) { return begin(call, stream, mode, nullptr, {}); }

Status beginCaptureToGraph(Call &call, uint64_t stream, uint64_t graphHandle,
                           const std::vector<Dependency> &dependencies, CaptureMode mode) {
  Status status;
  auto graph = call.resolve<Graph>(graphHandle, HandleKind::Graph, "hGraph", status);
  if (!graph)
    return status;
  if (graph->isOwned() || graph->capture.lock())
    return call.report(Status::InvalidValue, "lifetime", "CAPTURE-14",
                       "argument hGraph belongs to another graph or is being captured into");
  CaptureFrontier frontier;
  if ((status = resolveDependencies(call, *graph, dependencies, KernelTask{}, frontier)) != Status::Success)
    return status;
  return begin(call, stream, mode, graph, std::move(frontier));
}

/// Forgets the capture in every stream that takes part, and in the nodes, which the program may destroy from now on.
static void detach(Machine &machine, CaptureSession &session) {
  for (const auto &entry : session.graph->nodes)
    entry.second->captured.clear();
  for (const std::weak_ptr<Stream> &weak : session.streams)
    if (std::shared_ptr<Stream> stream = weak.lock(); stream && stream->capture)
      stream->capture.reset();
  std::erase_if(machine.captures, [&](const auto &other) { return other.get() == &session; });
}

/// Whether the next operation of the origin would come after every leaf of the graph. Leaves that a set of dependencies
/// took out do not count.
static bool endsInOrigin(const CaptureSession &session, const Stream &origin) {
  std::unordered_set<const GraphNode *> joined;
  for (const GraphEdge &edge : origin.capture->frontier)
    joined.insert(edge.node);
  return std::all_of(session.graph->nodes.begin(), session.graph->nodes.end(), [&](const auto &entry) {
    const GraphNode &node = *entry.second;
    return !node.dependents.empty() || joined.count(&node) || session.removed.count(node.handle);
  });
}

/// Whether what every stream of the capture did is in the history of the origin, as it was captured: edits of the graph
/// and of dependencies change nothing.
static bool isJoined(const CaptureSession &session, const Stream &origin) {
  if (vendor().unjoinedStaysCaptured)
    return endsInOrigin(session, origin);
  std::unordered_set<const GraphNode *> reached;
  std::vector<const GraphNode *> open;
  auto visit = [&](const GraphNode *node) {
    if (reached.insert(node).second)
      open.push_back(node);
  };
  for (const GraphEdge &edge : origin.capture->frontier)
    visit(edge.node);
  while (!open.empty()) {
    const GraphNode *node = open.back();
    open.pop_back();
    for (const GraphNode *before : node->captured)
      visit(before);
  }
  return std::all_of(session.streams.begin(), session.streams.end(), [&](const std::weak_ptr<Stream> &weak) {
    std::shared_ptr<Stream> stream = weak.lock();
    if (!stream || !stream->capture)
      return true;
    const CaptureFrontier &frontier = stream->capture->frontier;
    return std::all_of(frontier.begin(), frontier.end(),
                       [&](const GraphEdge &edge) { return reached.count(edge.node) != 0; });
  });
}

Status endCapture(Call &call, uint64_t streamHandle, uint64_t &graph) {
  graph = 0;
  Status status;
  std::shared_ptr<Stream> stream = call.resolveStream(streamHandle, "hStream", status);
  if (!stream)
    return status;
  if (!stream->capture)
    return call.report(Status::IllegalState, "errors", "CAPTURE-4", "the stream is not captured");
  std::shared_ptr<CaptureSession> session = stream->capture->session;
  if (session->origin.lock() != stream)
    return call.report(Status::CaptureUnmatched, "errors", "CAPTURE-4",
                       nameOf(*session) + " did not begin on this stream");
  if (session->mode != CaptureMode::Relaxed && session->thread != call.thread.number)
    return call.report(Status::CaptureWrongThread, "errors", "CAPTURE-9",
                       nameOf(*session) + " began on another thread, and not in relaxed mode");
  if (session->isInvalidated)
    status = Status::CaptureInvalidated;
  else if (!isJoined(*session, *stream))
    status = call.report(Status::CaptureUnjoined, "errors", "CAPTURE-5",
                         nameOf(*session) + " ends while work of another stream is not joined");
  if (status == Status::CaptureUnjoined && vendor().unjoinedStaysCaptured)
    return status;
  detach(call.machine, *session);
  session->graph->capture.reset();
  bool isOwned = session->graph->isOwnedByCapture;
  session->graph->isOwnedByCapture = false;
  if (status == Status::Success)
    graph = session->graph->handle;
  else if (isOwned)
    releaseGraph(call, *session->graph);
  return status;
}

static bool capturesBeside(const Context &context) {
  return std::any_of(context.streams.begin(), context.streams.end(),
                     [](const std::shared_ptr<Stream> &stream) { return stream->isBlocking && stream->capture; });
}

Status getCaptureInfo(Call &call, uint64_t streamHandle, CaptureInfo &info) {
  Status status;
  std::shared_ptr<Stream> stream = call.resolveStream(streamHandle, "hStream", status);
  if (!stream)
    return status;
  if (stream->kind == Stream::Kind::Legacy && capturesBeside(*stream->context.lock()))
    return Status::CaptureImplicit;
  if (!stream->capture)
    return status;
  StreamCapture &capture = *stream->capture;
  info.status = capture.session->isInvalidated ? CaptureStatus::Invalidated : CaptureStatus::Active;
  if (capture.session->isInvalidated)
    return status;
  info.id = capture.session->id;
  info.graph = capture.session->graph->handle;
  capture.shownNodes.clear();
  capture.shownPorts.clear();
  for (const GraphEdge &edge : capture.frontier) {
    capture.shownNodes.push_back(edge.node->handle);
    capture.shownPorts.push_back({edge.ports});
    info.hasPorts |= !edge.ports.isDefault();
  }
  info.nodes = &capture.shownNodes;
  info.ports = &capture.shownPorts;
  return status;
}

/// Adds edges to nodes that are not there yet.
static void merge(CaptureFrontier &frontier, const CaptureFrontier &more) {
  std::unordered_set<const GraphNode *> known;
  for (const GraphEdge &edge : frontier)
    known.insert(edge.node);
  for (const GraphEdge &edge : more)
    if (known.insert(edge.node).second)
      frontier.push_back(edge);
}

Status updateCaptureDependencies(Call &call, uint64_t streamHandle, const std::vector<Dependency> &dependencies,
                                 bool replaces) {
  Status status;
  std::shared_ptr<Stream> stream = call.resolveStream(streamHandle, "hStream", status);
  if (!stream)
    return status;
  if (!stream->capture)
    return call.report(Status::IllegalState, "errors", "CAPTURE-11", "the stream is not captured");
  CaptureSession &session = *stream->capture->session;
  if (session.isInvalidated)
    return Status::CaptureInvalidated;
  CaptureFrontier frontier;
  // Whether the data fit is known once there is a node at the other end.
  if ((status = resolveDependencies(call, *session.graph, dependencies, KernelTask{}, frontier)) != Status::Success)
    return status;
  if (replaces) {
    for (const GraphEdge &edge : stream->capture->frontier)
      session.removed.insert(edge.node->handle);
    stream->capture->frontier.clear();
  }
  merge(stream->capture->frontier, frontier);
  return Status::Success;
}

CaptureMode exchangeCaptureMode(Call &call, CaptureMode mode) { return std::exchange(call.thread.captureMode, mode); }

static Status invalidate(Call &call, CaptureSession &session, Status status, const char *rule,
                         const std::string &message) {
  session.isInvalidated = true;
  return call.report(status, "capturable", rule, message);
}

Status refuseUnsafe(Call &call, bool isWait) {
  CaptureMode mode = call.thread.captureMode;
  bool isGlobalConcerned = isWait && vendor().waitsInvalidateGlobalCaptures;
  Status status = Status::Success;
  for (const std::shared_ptr<CaptureSession> &session : call.machine.captures) {
    bool isOwn = session->thread == call.thread.number;
    bool isGlobal = session->mode == CaptureMode::Global;
    bool isForbidden = isOwn ? mode != CaptureMode::Relaxed && session->mode != CaptureMode::Relaxed
                             : mode == CaptureMode::Global && isGlobal;
    if (!isForbidden && !(isGlobalConcerned && isGlobal))
      continue;
    status = Status::CaptureUnsupported;
    if (!session->isInvalidated)
      invalidate(call, *session, status, "CAPTURE-2",
                 "a potentially unsafe call during " + nameOf(*session) + (isOwn ? "" : " of another thread"));
  }
  return status;
}

Status refuseOnCaptured(Call &call, Stream &stream) {
  if (stream.capture)
    return invalidate(call, *stream.capture->session, Status::CaptureUnsupported, "CAPTURE-2",
                      "the stream takes part in " + nameOf(*stream.capture->session));
  Status status = checkWork(call, stream);
  return status == Status::Success ? refuseUnsafe(call, /*isWait=*/true) : status;
}

Status refuseInCapturingContext(Call &call, Context &context) {
  Status status = Status::Success;
  for (const std::shared_ptr<Stream> &stream : context.streams)
    if (stream->capture)
      status = refuseOnCaptured(call, *stream);
  return status == Status::Success ? refuseUnsafe(call, /*isWait=*/true) : status;
}

Status refuseCapturedEvent(Call &call, const Event &event) {
  if (event.capture)
    return call.report(Status::CapturedEvent, "capturable", "CAPTURE-8", "the event was last recorded in a capture");
  return refuseUnsafe(call, /*isWait=*/true);
}

Status checkWork(Call &call, Stream &stream) {
  if (stream.capture)
    return stream.capture->session->isInvalidated ? Status::CaptureInvalidated : Status::Success;
  if (stream.kind != Stream::Kind::Legacy)
    return Status::Success;
  Status status = Status::Success;
  for (const std::shared_ptr<Stream> &other : stream.context.lock()->streams)
    if (other->isBlocking && other->capture)
      status = invalidate(call, *other->capture->session, Status::CaptureImplicit, "CAPTURE-7",
                          "the legacy stream would have to wait for a stream of " + nameOf(*other->capture->session));
  return status;
}

Status captureTask(Call &call, Stream &stream, Task task) {
  StreamCapture &capture = *stream.capture;
  std::vector<GraphEdge> edges = capture.frontier;
  for (GraphEdge &edge : edges)
    if (!std::holds_alternative<KernelTask>(task))
      edge.ports = EdgePorts();
  std::shared_ptr<GraphNode> node =
      appendNode(call.machine, *capture.session->graph, edges, std::move(task), stream.context.lock(), call.thread.op);
  for (const GraphEdge &edge : edges)
    node->captured.push_back(edge.node);
  capture.frontier = {{node.get(), {}}};
  return Status::Success;
}

void captureRecord(Stream &stream, Event &event) {
  event.capture = std::make_shared<EventCapture>(EventCapture{stream.capture->session, stream.capture->frontier});
}

Status captureWait(Call &call, const std::shared_ptr<Stream> &stream, const Event &event, bool &isCaptured) {
  isCaptured = stream->capture || event.capture;
  if (!isCaptured)
    return Status::Success;
  if (!event.capture) {
    if (!event.record) // Never recorded: nothing to wait for.
      return Status::Success;
    return invalidate(call, *stream->capture->session, Status::CaptureIsolation, "CAPTURE-6",
                      "the event was recorded outside of " + nameOf(*stream->capture->session));
  }
  std::shared_ptr<CaptureSession> session = event.capture->session.lock();
  if (!session ||
      std::find(call.machine.captures.begin(), call.machine.captures.end(), session) == call.machine.captures.end()) {
    if (stream->capture)
      stream->capture->session->isInvalidated = true;
    return call.report(Status::CaptureIsolation, "capturable", "CAPTURE-6",
                       "the event was recorded in a capture that has ended");
  }
  if (session->isInvalidated)
    return Status::CaptureInvalidated;
  if (stream->kind == Stream::Kind::Legacy)
    return invalidate(call, *session, Status::CaptureImplicit, "CAPTURE-7", "the legacy stream cannot join a capture");
  if (!stream->capture) {
    stream->capture = std::make_shared<StreamCapture>(StreamCapture{session, {}, {}, {}});
    session->streams.push_back(stream);
  } else if (stream->capture->session != session) {
    stream->capture->session->isInvalidated = true;
    return invalidate(call, *session, Status::CaptureMerge, "CAPTURE-3",
                      "the wait would join " + nameOf(*session) + " and " + nameOf(*stream->capture->session));
  }
  merge(stream->capture->frontier, event.capture->frontier);
  return Status::Success;
}

void abandonCapture(Call &call, Stream &stream) {
  if (!stream.capture)
    return;
  std::shared_ptr<CaptureSession> session = stream.capture->session;
  invalidate(call, *session, Status::Success, "CAPTURE-12",
             "the stream is destroyed while it takes part in " + nameOf(*session));
  if (session->origin.lock().get() != &stream) {
    stream.capture.reset();
    return;
  }
  // Nobody can end it any more.
  detach(call.machine, *session);
  session->graph->capture.reset();
  if (std::exchange(session->graph->isOwnedByCapture, false))
    releaseGraph(call, *session->graph);
}

static std::shared_ptr<Graph> graphOf(Call &call, const ExecGraph &level) {
  std::shared_ptr<Graph> graph = createGraphObject(call.machine);
  std::vector<GraphNode *> nodes;
  for (const ExecNode &node : level.nodes) {
    std::vector<GraphEdge> edges;
    for (uint32_t position : node.dependencies)
      edges.push_back({nodes[position], {}});
    Task task = node.isEnabled ? node.task : Task(EmptyTask{});
    if (node.child)
      task = ChildGraphTask{graphOf(call, *node.child)};
    nodes.push_back(appendNode(call.machine, *graph, edges, std::move(task), node.context.lock(), node.op).get());
  }
  return graph;
}

static bool hasMemoryNodes(const ExecGraph &level) {
  return std::any_of(level.nodes.begin(), level.nodes.end(), [](const ExecNode &node) {
    return std::holds_alternative<AllocateTask>(node.task) || std::holds_alternative<FreeTask>(node.task) ||
           (node.child && hasMemoryNodes(*node.child));
  });
}

Status captureLaunch(Call &call, Stream &stream, const GraphExec &exec) {
  if (hasMemoryNodes(exec.root))
    return call.report(Status::InvalidValue, "errors", "GRAPH-5",
                       "a graph with allocation or free nodes cannot become a child by its launch");
  return captureTask(call, stream, ChildGraphTask{graphOf(call, exec.root)});
}

} // namespace lockstep::simgpu
