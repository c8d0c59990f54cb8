// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/WorkerProtocol.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace lockstep::harness;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using namespace lockstep::reports;

static std::string toLine(Object object) {
  std::string line;
  llvm::raw_string_ostream(line) << Value(std::move(object)) << '\n';
  return line;
}

/// Program output may hold any bytes; JSON may not.
static std::string text(StringRef bytes) {
  return llvm::json::isUTF8(bytes) ? bytes.str() : llvm::json::fixUTF8(bytes);
}

static std::string stringOf(const Object &object, StringRef key) { return object.getString(key).value_or("").str(); }

static Object encode(const ProbeRequest &request) {
  return Object{{"type", "probe"}, {"backend", request.backend}, {"driver", request.driver}};
}

static Object encode(const JobRequest &request) {
  Array cells;
  for (const CellRequest &cell : request.cells)
    cells.push_back(Object{{"id", cell.id}, {"schedule", cell.schedule}});
  Array plugins;
  for (const std::string &plugin : request.passPlugins)
    plugins.push_back(plugin);
  return Object{{"type", "job"},
                {"program", request.program},
                {"lowering", request.lowering},
                {"backend", request.backend},
                {"driver", request.driver},
                {"cells", std::move(cells)},
                {"pipeline", request.pipeline},
                {"pass_plugins", std::move(plugins)},
                {"untraced", text(request.untracedReason)}};
}

static Object encode(const ProbeReply &reply) {
  return Object{{"type", "probe"},
                {"error", text(reply.error)},
                {"library", text(reply.libraryPath)},
                {"version", text(reply.version)},
                {"device", text(reply.deviceName)},
                {"devices", reply.deviceCount},
                {"simulated", reply.isSimulated}};
}

static Object encode(const CompiledReply &reply) { return Object{{"type", "compiled"}, {"ms", reply.durationMs}}; }
static Object encode(const CompileFailedReply &reply) {
  return Object{{"type", "compile-failed"}, {"message", text(reply.message)}};
}
static Object encode(const CellStartedReply &reply) { return Object{{"type", "started"}, {"id", reply.id}}; }
static Object encode(const TraceStartedReply &) { return Object{{"type", "trace-started"}}; }
static Object encode(const TraceDoneReply &) { return Object{{"type", "trace-done"}}; }
static Object encode(const JobDoneReply &) { return Object{{"type", "job-done"}}; }

static Object encode(const CellGraph &graph) {
  Array nodes, edges;
  for (const GraphNode &node : graph.nodes)
    nodes.push_back(Object{{"op", text(node.op)}, {"kind", text(node.kind)}, {"place", text(node.place)}});
  for (const CellEdge &edge : graph.edges)
    edges.push_back(Object{{"from", edge.from}, {"to", edge.to}, {"state", edgeStateName(edge.state)}});
  return Object{{"nodes", std::move(nodes)}, {"edges", std::move(edges)}};
}

static Object encode(const CellDoneReply &reply) {
  Array findings;
  for (const Finding &finding : reply.findings) {
    Array ops;
    for (const std::string &op : finding.ops)
      ops.push_back(text(op));
    findings.push_back(Object{{"oracle", text(finding.oracle)},
                              {"rule", text(finding.rule)},
                              {"message", text(finding.message)},
                              {"ops", std::move(ops)}});
  }
  Object driverCalls;
  for (const auto &[call, count] : reply.driverCalls)
    driverCalls[call] = count;
  Object done{{"type", "done"},
              {"id", reply.id},
              {"error", text(reply.error)},
              {"exit", reply.exitStatus},
              {"expectations", reply.expectations},
              {"output", text(reply.output)},
              {"error_output", text(reply.errorOutput)},
              {"findings", std::move(findings)},
              {"driver_calls", std::move(driverCalls)},
              {"named_ops", reply.namedOps},
              {"order_problem", text(reply.orderProblem)},
              {"ms", reply.durationMs}};
  if (reply.order)
    done["order"] = Object{{"ops", reply.order->ops},
                           {"unjudged", reply.order->unjudgedOps},
                           {"free", reply.order->freePairs},
                           {"lost", reply.order->lostPairs}};
  if (reply.graph)
    done["graph"] = encode(*reply.graph);
  return done;
}

std::string lockstep::harness::encodeRequest(const Request &request) {
  return toLine(std::visit([](const auto &alternative) { return encode(alternative); }, request));
}

std::string lockstep::harness::encodeReply(const Reply &reply) {
  return toLine(std::visit([](const auto &alternative) { return encode(alternative); }, reply));
}

static llvm::Expected<Object> parseLine(StringRef line) {
  llvm::Expected<Value> value = llvm::json::parse(line);
  if (!value)
    return value.takeError();
  Object *object = value->getAsObject();
  if (!object || !object->getString("type"))
    return llvm::createStringError("not a message: " + line);
  return std::move(*object);
}

static uint64_t unsignedOf(const Object &object, StringRef key) {
  const Value *value = object.get(key);
  return value ? value->getAsUINT64().value_or(0) : 0;
}

static uint64_t idOf(const Object &object) { return unsignedOf(object, "id"); }

llvm::Expected<Request> lockstep::harness::decodeRequest(StringRef line) {
  llvm::Expected<Object> object = parseLine(line);
  if (!object)
    return object.takeError();
  std::string type = stringOf(*object, "type");
  if (type == "probe")
    return ProbeRequest{stringOf(*object, "backend"), stringOf(*object, "driver")};
  if (type != "job")
    return llvm::createStringError("unknown request '" + type + "'");
  JobRequest job{stringOf(*object, "program"),
                 stringOf(*object, "lowering"),
                 stringOf(*object, "backend"),
                 stringOf(*object, "driver"),
                 {}};
  if (const Array *cells = object->getArray("cells"))
    for (const Value &cell : *cells)
      if (const Object *fields = cell.getAsObject())
        job.cells.push_back({idOf(*fields), stringOf(*fields, "schedule")});
  job.pipeline = stringOf(*object, "pipeline");
  job.untracedReason = stringOf(*object, "untraced");
  if (const Array *plugins = object->getArray("pass_plugins"))
    for (const Value &plugin : *plugins)
      job.passPlugins.push_back(plugin.getAsString().value_or("").str());
  return job;
}

static CellGraph decodeGraph(const Object &object) {
  CellGraph graph;
  if (const Array *nodes = object.getArray("nodes"))
    for (const Value &value : *nodes)
      if (const Object *node = value.getAsObject())
        graph.nodes.push_back({stringOf(*node, "op"), stringOf(*node, "kind"), stringOf(*node, "place")});
  if (const Array *edges = object.getArray("edges"))
    for (const Value &value : *edges)
      if (const Object *edge = value.getAsObject())
        if (auto state = edgeStateFromName(edge->getString("state").value_or("")))
          graph.edges.push_back({unsignedOf(*edge, "from"), unsignedOf(*edge, "to"), *state});
  return graph;
}

static CellDoneReply decodeCellDone(const Object &object) {
  CellDoneReply reply;
  reply.id = idOf(object);
  reply.error = stringOf(object, "error");
  reply.exitStatus = object.getInteger("exit").value_or(0);
  reply.expectations = object.getInteger("expectations").value_or(0);
  reply.output = stringOf(object, "output");
  reply.errorOutput = stringOf(object, "error_output");
  reply.durationMs = object.getNumber("ms").value_or(0);
  if (const Object *driverCalls = object.getObject("driver_calls"))
    for (const auto &[call, count] : *driverCalls)
      reply.driverCalls[call.str()] = count.getAsUINT64().value_or(0);
  reply.namedOps = unsignedOf(object, "named_ops");
  reply.orderProblem = stringOf(object, "order_problem");
  if (const Object *order = object.getObject("order"))
    reply.order = {unsignedOf(*order, "ops"), unsignedOf(*order, "unjudged"), unsignedOf(*order, "free"),
                   unsignedOf(*order, "lost")};
  if (const Object *graph = object.getObject("graph"))
    reply.graph = decodeGraph(*graph);
  const Array *findings = object.getArray("findings");
  if (!findings)
    return reply;
  for (const Value &value : *findings) {
    const Object *fields = value.getAsObject();
    if (!fields)
      continue;
    Finding finding{stringOf(*fields, "oracle"), stringOf(*fields, "rule"), stringOf(*fields, "message"), {}, {}};
    if (const Array *ops = fields->getArray("ops"))
      for (const Value &op : *ops)
        finding.ops.push_back(op.getAsString().value_or("").str());
    reply.findings.push_back(std::move(finding));
  }
  return reply;
}

llvm::Expected<Reply> lockstep::harness::decodeReply(StringRef line) {
  llvm::Expected<Object> object = parseLine(line);
  if (!object)
    return object.takeError();
  std::string type = stringOf(*object, "type");
  if (type == "compiled")
    return CompiledReply{object->getNumber("ms").value_or(0)};
  if (type == "compile-failed")
    return CompileFailedReply{stringOf(*object, "message")};
  if (type == "started")
    return CellStartedReply{idOf(*object)};
  if (type == "trace-started")
    return TraceStartedReply{};
  if (type == "trace-done")
    return TraceDoneReply{};
  if (type == "done")
    return decodeCellDone(*object);
  if (type == "job-done")
    return JobDoneReply{};
  if (type == "probe")
    return ProbeReply{stringOf(*object, "error"),
                      stringOf(*object, "library"),
                      stringOf(*object, "version"),
                      stringOf(*object, "device"),
                      object->getInteger("devices").value_or(0),
                      object->getBoolean("simulated").value_or(false)};
  return llvm::createStringError("unknown reply '" + type + "'");
}

bool LineBuffer::takeLine(std::string &line) {
  size_t end = pending.find('\n', scanned);
  if (end == std::string::npos) {
    scanned = pending.size();
    return false;
  }
  line = pending.substr(0, end);
  pending.erase(0, end + 1);
  scanned = 0;
  return true;
}
