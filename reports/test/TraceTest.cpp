// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules of Chrome's trace form that Perfetto insists on, checked by `expectValid`:
// - Every event has `ph`, `name` and `pid`; events with a time have `ts`, in microseconds.
// - Pieces of work ("X") on one track are nested or apart, and have a duration above 0.
// - An arrow is a start ("s") and an end ("f") with the same `id`, `name` and `cat`, the end not before the start, and
//   each within a piece of work on its track; the end says `bp: e`, else it would be tied to the next piece of work.
// - Tracks get their names from "thread_name".

#include "reports/TraceWriter.h"
#include "reports/test/SampleResults.h"

#include "llvm/Support/JSON.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <map>

using namespace lockstep::reports;
using namespace lockstep::reports::test;
using llvm::StringRef;
using llvm::json::Object;
using testing::ElementsAre;

static std::vector<Object> eventsOf(const CellResult &cell) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  writeTrace(cell, stream);
  std::vector<Object> events;
  llvm::json::Value document = llvm::cantFail(llvm::json::parse(text));
  for (const llvm::json::Value &event : *document.getAsObject()->getArray("traceEvents"))
    events.push_back(*event.getAsObject());
  return events;
}

static std::vector<Object> ofKind(const std::vector<Object> &events, StringRef kind) {
  std::vector<Object> found;
  for (const Object &event : events)
    if (event.getString("ph") == kind)
      found.push_back(event);
  return found;
}

static double startOf(const Object &event) { return *event.getNumber("ts"); }
static double endOf(const Object &event) { return startOf(event) + event.getNumber("dur").value_or(0); }

/// For rounding: times are sums of fractions of microseconds.
static constexpr double kSlackUs = 1e-9;

static bool nestOrApart(const Object &one, const Object &other) {
  bool areApart = endOf(one) <= startOf(other) + kSlackUs || endOf(other) <= startOf(one) + kSlackUs;
  bool isInside = startOf(other) <= startOf(one) && endOf(one) <= endOf(other) + kSlackUs;
  bool isAround = startOf(one) <= startOf(other) && endOf(other) <= endOf(one) + kSlackUs;
  return areApart || isInside || isAround;
}

static bool isWithinWork(const Object &moment, const std::vector<Object> &work) {
  return llvm::any_of(work, [&](const Object &event) {
    return event.getInteger("tid") == moment.getInteger("tid") && startOf(event) <= startOf(moment) + kSlackUs &&
           startOf(moment) < endOf(event);
  });
}

static void expectArrowsAreTied(const std::vector<Object> &events) {
  std::vector<Object> work = ofKind(events, "X"), starts = ofKind(events, "s"), ends = ofKind(events, "f");
  ASSERT_EQ(starts.size(), ends.size());
  for (size_t i = 0; i < starts.size(); ++i) {
    EXPECT_EQ(starts[i].getInteger("id"), ends[i].getInteger("id"));
    EXPECT_EQ(starts[i].getString("name"), ends[i].getString("name"));
    EXPECT_EQ(starts[i].getString("cat"), ends[i].getString("cat"));
    EXPECT_LE(startOf(starts[i]), startOf(ends[i]));
    EXPECT_EQ(ends[i].getString("bp"), StringRef("e"));
    EXPECT_TRUE(isWithinWork(starts[i], work)) << i;
    EXPECT_TRUE(isWithinWork(ends[i], work)) << i;
  }
}

static void expectValid(const std::vector<Object> &events) {
  std::map<int64_t, std::string> names;
  for (const Object &event : events) {
    EXPECT_TRUE(event.getString("ph") && event.getString("name") && event.getInteger("pid"));
    EXPECT_EQ(event.getString("ph") == StringRef("M"), !event.getNumber("ts"));
    if (event.getString("name") == StringRef("thread_name"))
      names[*event.getInteger("tid")] = event.getObject("args")->getString("name")->str();
  }
  std::vector<Object> work = ofKind(events, "X");
  for (size_t i = 0; i < work.size(); ++i) {
    EXPECT_GT(*work[i].getNumber("dur"), 0);
    EXPECT_TRUE(names.count(*work[i].getInteger("tid")));
    for (size_t j = 0; j < i; ++j)
      if (work[i].getInteger("tid") == work[j].getInteger("tid"))
        EXPECT_TRUE(nestOrApart(work[i], work[j])) << i << " and " << j;
  }
  expectArrowsAreTied(events);
}

static std::vector<std::string> trackNames(const std::vector<Object> &events) {
  std::vector<std::string> names;
  for (const Object &event : events)
    if (event.getString("name") == StringRef("thread_name"))
      names.push_back(event.getObject("args")->getString("name")->str());
  return names;
}

TEST(Trace, HasTracksWorkAndArrows) {
  std::vector<Object> events = eventsOf(makeFailingCell());
  expectValid(events);
  EXPECT_THAT(trackNames(events), ElementsAre("stream 1", "stream 2"));
  std::vector<Object> work = ofKind(events, "X");
  ASSERT_EQ(work.size(), 2u);
  EXPECT_EQ(work[1].getString("name"), StringRef("copy"));
  EXPECT_EQ(work[1].getNumber("ts"), 1.0);
  EXPECT_NEAR(*work[1].getNumber("dur"), 1.2505, kSlackUs);
  std::vector<Object> arrows = ofKind(events, "s");
  ASSERT_EQ(arrows.size(), 1u);
  EXPECT_EQ(arrows[0].getString("name"), StringRef("order that nothing enforced"));
  EXPECT_EQ(arrows[0].getString("cat"), StringRef("missing"));
}

TEST(Trace, WorkThatOverlapsGetsARowOfItsOwn) {
  CellResult cell = makeFailingCell();
  cell.timeline->flows.clear();
  cell.timeline->tracks = {"stream", "host"};
  // Nested, overlapping, without duration, and at once.
  cell.timeline->spans = {{0, "a", "", 0, 100},   {0, "b", "", 10, 50},   {0, "c", "", 40, 120}, {0, "d", "", 120, 120},
                          {0, "e", "", 120, 130}, {1, "f", "", 500, 600}, {0, "g", "", 0, 100}};
  std::vector<Object> events = eventsOf(cell);
  expectValid(events);
  EXPECT_THAT(trackNames(events), ElementsAre("stream", "host", "stream (2)"));
}

TEST(Trace, ArrowsGoTheWayOfTheWork) {
  CellResult cell = makeFailingCell();
  cell.timeline->spans = {{0, "a", "", 0, 100},     {1, "b", "", 200, 300},   {0, "c", "", 250, 400},
                          {1, "d", "", 1000, 1000}, {0, "e", "", 1000, 1000}, {1, "f", "", 5000, 5001}};
  // Forward, into the same time, back in time, from and to what takes no time.
  cell.timeline->flows = {{0, 1}, {1, 2}, {2, 1}, {1, 0, EdgeState::Missing}, {3, 4}, {4, 3}, {5, 3, EdgeState::Extra}};
  std::vector<Object> events = eventsOf(cell);
  EXPECT_EQ(ofKind(events, "s").size(), 7u);
  expectValid(events);
}

TEST(Trace, OfEachCellThatIsNotAsExpectedUnderANameOfItsOwn) {
  Results results = sampleResults();
  CellResult cell = makeFailingCell();
  cell.scenario = "a_mlir";
  results.cells.push_back(cell);
  cell.scenario = "a/mlir";
  results.cells.push_back(cell);
  cell.verdict = Verdict::XFail;
  results.cells.push_back(cell);
  std::vector<std::string> names;
  for (const auto &[name, unused] : traceFiles(results))
    names.push_back(name);
  EXPECT_THAT(names, ElementsAre("a.mlir/cuda-streams-random-7.json", "a_mlir/cuda-streams-random-7.json",
                                 "a_mlir/cuda-streams-random-7.2.json"));
}
