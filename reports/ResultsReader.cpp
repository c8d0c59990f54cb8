// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The validator looks at a document first; what is read afterwards has the shape that the schema says.

#include "reports/ResultsReader.h"

#include "reports/JsonValidator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace lockstep::reports;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

static std::string text(const Object &object, StringRef key) { return object.getString(key)->str(); }

static std::optional<uint64_t> optionalCount(const Object &object, StringRef key) {
  return object.get(key)->getAsUINT64();
}

static size_t count(const Object &object, StringRef key) { return *object.get(key)->getAsUINT64(); }

/// Each element of the array `key`, read by `read`, which takes an object.
template <typename Read> static auto readList(const Object &object, StringRef key, Read read) {
  std::vector<decltype(read(object))> values;
  for (const Value &value : *object.getArray(key))
    values.push_back(read(*value.getAsObject()));
  return values;
}

static std::vector<std::string> readTexts(const Object &object, StringRef key) {
  std::vector<std::string> texts;
  for (const Value &value : *object.getArray(key))
    texts.push_back(value.getAsString()->str());
  return texts;
}

static Finding readFinding(const Object &object) {
  return {text(object, "oracle"), text(object, "rule"), text(object, "message"), readTexts(object, "ops"),
          text(object, "repro")};
}

static Metric readMetric(const Object &object) {
  Metric metric{*object.getNumber("value"), text(object, "unit"), {}};
  if (const Array *samples = object.getArray("samples"))
    for (const Value &sample : *samples)
      metric.samples.push_back(*sample.getAsNumber());
  return metric;
}

static CellEdge readEdge(const Object &object) {
  return {count(object, "from"), count(object, "to"), *edgeStateFromName(*object.getString("state"))};
}

static CellGraph readGraph(const Object &object) {
  return {
      readList(object, "nodes",
               [](const Object &node) { return GraphNode{text(node, "op"), text(node, "kind"), text(node, "place")}; }),
      readList(object, "edges", readEdge)};
}

static TimelineSpan readSpan(const Object &object) {
  return {count(object, "track"), text(object, "op"), text(object, "name"), *object.getNumber("start_ns"),
          *object.getNumber("end_ns")};
}

static Timeline readTimeline(const Object &object) {
  return {text(object, "clock"), readTexts(object, "tracks"), readList(object, "spans", readSpan),
          readList(object, "flows", readEdge)};
}

static CellResult readCell(const Object &object) {
  CellResult cell;
  cell.scenario = text(object, "scenario");
  cell.lowering = text(object, "lowering");
  cell.backend = text(object, "backend");
  cell.driver = text(object, "driver");
  cell.schedule = text(object, "schedule");
  cell.seed = optionalCount(object, "seed");
  cell.verdict = *verdictFromName(*object.getString("verdict"));
  cell.reason = text(object, "reason");
  cell.findings = readList(object, "findings", readFinding);
  for (const auto &member : *object.getObject("metrics"))
    cell.metrics[StringRef(member.first).str()] = readMetric(*member.second.getAsObject());
  cell.durationMs = *object.getNumber("duration_ms");
  cell.repro = text(object, "repro");
  if (const Object *graph = object.getObject("graph"))
    cell.graph = readGraph(*graph);
  if (const Object *timeline = object.getObject("timeline"))
    cell.timeline = readTimeline(*timeline);
  return cell;
}

static DriverDescription readDriver(const Object &object) {
  return {text(object, "backend"), text(object, "driver"), text(object, "path"), text(object, "version"),
          *object.getBoolean("simulated")};
}

static DeviceDescription readDevice(const Object &object) {
  return {text(object, "backend"), text(object, "driver"), *object.getInteger("index"), text(object, "name")};
}

static RunDescription readRun(const Object &object) {
  RunDescription run;
  run.id = text(object, "id");
  run.started = text(object, "started");
  run.durationMs = *object.getNumber("duration_ms");
  run.command = text(object, "command");
  run.seed = optionalCount(object, "seed");
  const Object &git = *object.getObject("git");
  if (std::optional<StringRef> sha = git.getString("sha"))
    run.git = GitDescription{sha->str(), git.getBoolean("dirty").value_or(false)};
  const Object &host = *object.getObject("host");
  run.host = {text(host, "name"), text(host, "system"), text(host, "architecture"), text(host, "cpu"),
              *host.getInteger("cores")};
  run.drivers = readList(object, "drivers", readDriver);
  run.devices = readList(object, "devices", readDevice);
  return run;
}

llvm::Expected<Results> lockstep::reports::parseResults(StringRef text, StringRef name) {
  llvm::Expected<Value> document = llvm::json::parse(text);
  if (!document)
    return llvm::createStringError(name + ": no JSON: " + llvm::toString(document.takeError()));
  std::vector<std::string> deviations = validateResultsJson(*document);
  if (!deviations.empty()) {
    std::string more = deviations.size() == 1 ? "" : " (and " + std::to_string(deviations.size() - 1) + " more)";
    return llvm::createStringError(name + ": no results of this version: " + deviations.front() + more);
  }
  const Object &object = *document->getAsObject();
  return Results{readRun(*object.getObject("run")), readList(object, "cells", readCell)};
}

llvm::Expected<Results> lockstep::reports::readResults(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::createStringError(path + ": " + file.getError().message());
  return parseResults((*file)->getBuffer(), path);
}
