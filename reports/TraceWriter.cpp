// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times in the form are microseconds; fractions keep the nanoseconds.

#include "reports/TraceWriter.h"

#include "reports/CellOrder.h"
#include "reports/PlainText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

#include <numeric>
#include <tuple>

using namespace lockstep::reports;
using llvm::json::OStream;

static constexpr int kProcess = 1;
/// No reader draws a piece of work that takes no time, or ties an arrow to it.
static constexpr double kLeastDurationNs = 1;

namespace {

/// One row of the trace: work on it is nested or apart.
struct Lane {
  size_t track = 0;
  std::vector<double> openEnds; ///< Of the work that is not over, the innermost last.
};

struct Lanes {
  std::vector<Lane> lanes;
  std::vector<size_t> laneOfSpan;
};

struct Interval {
  double start = 0;
  double end = 0;
};

} // namespace

static Interval intervalOf(const TimelineSpan &span) {
  return {span.startNs, std::max(span.endNs, span.startNs + kLeastDurationNs)};
}

/// True where work over `interval` can go on `lane`, whose other work began before.
static bool fits(Lane &lane, const Interval &interval) {
  while (!lane.openEnds.empty() && lane.openEnds.back() <= interval.start)
    lane.openEnds.pop_back();
  return lane.openEnds.empty() || interval.end <= lane.openEnds.back();
}

/// The first lane of the track that takes the work, or a new one.
static size_t chooseLane(std::vector<Lane> &lanes, size_t track, const Interval &interval) {
  for (size_t i = 0; i < lanes.size(); ++i)
    if (lanes[i].track == track && fits(lanes[i], interval))
      return i;
  lanes.push_back({track, {}});
  return lanes.size() - 1;
}

static Lanes layOut(const Timeline &timeline) {
  Lanes result;
  for (size_t track = 0; track < timeline.tracks.size(); ++track)
    result.lanes.push_back({track, {}});
  result.laneOfSpan.resize(timeline.spans.size());
  std::vector<size_t> order(timeline.spans.size());
  std::iota(order.begin(), order.end(), 0);
  // By start, what encloses first.
  llvm::sort(order, [&](size_t left, size_t right) {
    Interval one = intervalOf(timeline.spans[left]), other = intervalOf(timeline.spans[right]);
    return std::make_tuple(one.start, -one.end, left) < std::make_tuple(other.start, -other.end, right);
  });
  for (size_t index : order) {
    Interval interval = intervalOf(timeline.spans[index]);
    size_t lane = chooseLane(result.lanes, timeline.spans[index].track, interval);
    result.lanes[lane].openEnds.push_back(interval.end);
    result.laneOfSpan[index] = lane;
  }
  return result;
}

/// A description of a track or of the process: Chrome's form calls it metadata.
static void writeName(OStream &json, llvm::StringRef kind, std::optional<size_t> lane, llvm::StringRef name) {
  json.object([&] {
    json.attribute("ph", "M");
    json.attribute("name", kind);
    json.attribute("pid", kProcess);
    if (lane)
      json.attribute("tid", *lane + 1);
    json.attributeObject("args", [&] { json.attribute("name", plainText(name)); });
  });
}

static void writeLanes(OStream &json, const Timeline &timeline, const Lanes &lanes) {
  std::vector<size_t> seen(timeline.tracks.size());
  for (size_t i = 0; i < lanes.lanes.size(); ++i) {
    size_t track = lanes.lanes[i].track;
    size_t number = ++seen[track];
    writeName(json, "thread_name", i,
              timeline.tracks[track] + (number == 1 ? "" : " (" + std::to_string(number) + ")"));
    json.object([&] {
      json.attribute("ph", "M");
      json.attribute("name", "thread_sort_index");
      json.attribute("pid", kProcess);
      json.attribute("tid", i + 1);
      // The further lanes of a track right below its first.
      json.attributeObject("args", [&] { json.attribute("sort_index", track * lanes.lanes.size() + number); });
    });
  }
}

static void writeSpan(OStream &json, const TimelineSpan &span, size_t lane) {
  Interval interval = intervalOf(span);
  json.object([&] {
    json.attribute("ph", "X");
    json.attribute("name", plainText(span.op.empty() ? span.name : span.op));
    json.attribute("cat", "work");
    json.attribute("pid", kProcess);
    json.attribute("tid", lane + 1);
    json.attribute("ts", interval.start / 1000);
    json.attribute("dur", (interval.end - interval.start) / 1000);
    json.attributeObject("args", [&] {
      json.attribute("op", plainText(span.op));
      json.attribute("call", plainText(span.name));
    });
  });
}

static llvm::StringRef flowName(EdgeState state) {
  switch (state) {
  case EdgeState::Enforced:
    return "chain";
  case EdgeState::Missing:
    return "order that nothing enforced";
  case EdgeState::Extra:
    return "order that nothing asked for";
  }
  return "";
}

/// Two moments, the first not after the second, each inside of its piece of work, as near to the end of `from` and the
/// start of `to` as they can be; none where `to` was over before `from` began.
static std::optional<std::pair<double, double>> momentsOf(const Interval &from, const Interval &to) {
  double leave = from.end - kLeastDurationNs, arrive = to.start;
  if (leave > arrive) {
    arrive = std::min(leave, to.end - kLeastDurationNs);
    leave = std::min(leave, arrive);
  }
  if (leave < from.start)
    return std::nullopt;
  return std::make_pair(leave, arrive);
}

static void writeFlow(OStream &json, const Timeline &timeline, const Lanes &lanes, size_t index) {
  const CellEdge &flow = timeline.flows[index];
  size_t from = flow.from, to = flow.to;
  auto moments = momentsOf(intervalOf(timeline.spans[from]), intervalOf(timeline.spans[to]));
  // Readers drop an arrow that goes back in time: it is drawn the way that the work went.
  if (!moments) {
    std::swap(from, to);
    moments = momentsOf(intervalOf(timeline.spans[from]), intervalOf(timeline.spans[to]));
  }
  for (bool isEnd : {false, true})
    json.object([&] {
      json.attribute("ph", isEnd ? "f" : "s");
      json.attribute("name", flowName(flow.state));
      json.attribute("cat", edgeStateName(flow.state));
      json.attribute("id", index + 1);
      json.attribute("pid", kProcess);
      json.attribute("tid", lanes.laneOfSpan[isEnd ? to : from] + 1);
      json.attribute("ts", (isEnd ? moments->second : moments->first) / 1000);
      // To the work around that moment, not to the next that begins.
      if (isEnd)
        json.attribute("bp", "e");
    });
}

void lockstep::reports::writeTrace(const CellResult &cell, llvm::raw_ostream &stream) {
  const Timeline &timeline = *cell.timeline;
  Lanes lanes = layOut(timeline);
  OStream json(stream, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("displayTimeUnit", "ns");
    json.attributeObject("otherData", [&] {
      json.attribute("clock", plainText(timeline.clock));
      json.attribute("repro", plainText(cell.repro));
    });
    json.attributeArray("traceEvents", [&] {
      writeName(json, "process_name", std::nullopt,
                cell.scenario + ", " + columnTitle(cell) + ", " + scheduleTitle(cell));
      writeLanes(json, timeline, lanes);
      for (size_t i = 0; i < timeline.spans.size(); ++i)
        writeSpan(json, timeline.spans[i], lanes.laneOfSpan[i]);
      for (size_t i = 0; i < timeline.flows.size(); ++i)
        writeFlow(json, timeline, lanes, i);
    });
  });
  stream << '\n';
}

std::vector<std::pair<std::string, const CellResult *>> lockstep::reports::traceFiles(const Results &results) {
  std::vector<std::pair<std::string, const CellResult *>> files;
  llvm::StringSet<> used;
  for (const CellResult &cell : results.cells) {
    if (!isUnexpected(cell.verdict) || !cell.timeline)
      continue;
    // Names that differ in signs only give the same stem, and so may drivers.
    std::string stem = fileStem(cell), name = stem;
    for (size_t number = 2; !used.insert(name).second; ++number)
      name = stem + "." + std::to_string(number);
    files.emplace_back(name + ".json", &cell);
  }
  return files;
}
