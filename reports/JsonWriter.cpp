// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/JsonWriter.h"

using namespace lockstep::reports;
using llvm::json::OStream;

static std::string text(llvm::StringRef bytes) {
  return llvm::json::isUTF8(bytes) ? bytes.str() : llvm::json::fixUTF8(bytes);
}

static llvm::json::Value optionalNumber(std::optional<uint64_t> number) {
  return number ? llvm::json::Value(*number) : llvm::json::Value(nullptr);
}

static void writeGit(const std::optional<GitDescription> &git, OStream &json) {
  json.attributeObject("git", [&] {
    json.attribute("sha", git ? llvm::json::Value(text(git->sha)) : llvm::json::Value(nullptr));
    json.attribute("dirty", git ? llvm::json::Value(git->dirty) : llvm::json::Value(nullptr));
  });
}

static void writeHost(const HostDescription &host, OStream &json) {
  json.attributeObject("host", [&] {
    json.attribute("name", text(host.name));
    json.attribute("system", text(host.system));
    json.attribute("architecture", text(host.architecture));
    json.attribute("cpu", text(host.cpu));
    json.attribute("cores", host.cores);
  });
}

static void writeRun(const RunDescription &run, OStream &json) {
  json.attribute("id", text(run.id));
  json.attribute("started", text(run.started));
  json.attribute("duration_ms", run.durationMs);
  json.attribute("command", text(run.command));
  json.attribute("seed", optionalNumber(run.seed));
  writeGit(run.git, json);
  writeHost(run.host, json);
  json.attributeArray("drivers", [&] {
    for (const DriverDescription &driver : run.drivers)
      json.object([&] {
        json.attribute("backend", text(driver.backend));
        json.attribute("driver", text(driver.driver));
        json.attribute("path", text(driver.path));
        json.attribute("version", text(driver.version));
        json.attribute("simulated", driver.simulated);
      });
  });
  json.attributeArray("devices", [&] {
    for (const DeviceDescription &device : run.devices)
      json.object([&] {
        json.attribute("backend", text(device.backend));
        json.attribute("driver", text(device.driver));
        json.attribute("index", device.index);
        json.attribute("name", text(device.name));
      });
  });
}

static void writeFinding(const Finding &finding, OStream &json) {
  json.attribute("oracle", text(finding.oracle));
  json.attribute("rule", text(finding.rule));
  json.attribute("message", text(finding.message));
  json.attributeArray("ops", [&] {
    for (const std::string &op : finding.ops)
      json.value(text(op));
  });
  json.attribute("repro", text(finding.repro));
}

static void writeMetric(const Metric &metric, OStream &json) {
  json.attribute("value", metric.value);
  json.attribute("unit", text(metric.unit));
  if (metric.samples.empty())
    return;
  json.attributeArray("samples", [&] {
    for (double sample : metric.samples)
      json.value(sample);
  });
}

static void writeEdges(llvm::StringRef key, llvm::ArrayRef<CellEdge> edges, OStream &json) {
  json.attributeArray(key, [&] {
    for (const CellEdge &edge : edges)
      json.object([&] {
        json.attribute("from", edge.from);
        json.attribute("to", edge.to);
        json.attribute("state", edgeStateName(edge.state));
      });
  });
}

static void writeGraph(const CellGraph &graph, OStream &json) {
  json.attributeArray("nodes", [&] {
    for (const GraphNode &node : graph.nodes)
      json.object([&] {
        json.attribute("op", text(node.op));
        json.attribute("kind", text(node.kind));
        json.attribute("place", text(node.place));
      });
  });
  writeEdges("edges", graph.edges, json);
}

static void writeTimeline(const Timeline &timeline, OStream &json) {
  json.attribute("clock", text(timeline.clock));
  json.attributeArray("tracks", [&] {
    for (const std::string &track : timeline.tracks)
      json.value(text(track));
  });
  json.attributeArray("spans", [&] {
    for (const TimelineSpan &span : timeline.spans)
      json.object([&] {
        json.attribute("track", span.track);
        json.attribute("op", text(span.op));
        json.attribute("name", text(span.name));
        json.attribute("start_ns", span.startNs);
        json.attribute("end_ns", span.endNs);
      });
  });
  writeEdges("flows", timeline.flows, json);
}

static void writeCell(const CellResult &cell, OStream &json) {
  json.attribute("scenario", text(cell.scenario));
  json.attribute("lowering", text(cell.lowering));
  json.attribute("backend", text(cell.backend));
  json.attribute("driver", text(cell.driver));
  json.attribute("schedule", text(cell.schedule));
  json.attribute("seed", optionalNumber(cell.seed));
  json.attribute("verdict", verdictName(cell.verdict));
  json.attribute("reason", text(cell.reason));
  json.attributeArray("findings", [&] {
    for (const Finding &finding : cell.findings)
      json.object([&] { writeFinding(finding, json); });
  });
  json.attributeObject("metrics", [&] {
    for (const auto &[name, metric] : cell.metrics)
      json.attributeObject(name, [&] { writeMetric(metric, json); });
  });
  json.attribute("duration_ms", cell.durationMs);
  json.attribute("repro", text(cell.repro));
  if (cell.graph)
    json.attributeObject("graph", [&] { writeGraph(*cell.graph, json); });
  if (cell.timeline)
    json.attributeObject("timeline", [&] { writeTimeline(*cell.timeline, json); });
}

void lockstep::reports::writeResultsJson(const Results &results, OStream &json) {
  json.object([&] {
    json.attribute("schema", kResultsSchema);
    json.attributeObject("run", [&] { writeRun(results.run, json); });
    json.attributeArray("cells", [&] {
      for (const CellResult &cell : results.cells)
        json.object([&] { writeCell(cell, json); });
    });
    json.attributeObject("totals", [&] {
      json.attribute("cells", results.cells.size());
      for (Verdict verdict : kAllVerdicts)
        json.attribute(verdictName(verdict), countVerdict(results, verdict));
    });
  });
}

void lockstep::reports::writeResultsJson(const Results &results, llvm::raw_ostream &stream) {
  OStream json(stream, /*IndentSize=*/1);
  writeResultsJson(results, json);
  stream << '\n';
}
