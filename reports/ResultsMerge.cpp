// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/ResultsMerge.h"

#include "reports/CellOrder.h"
#include "reports/RunTimes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Regex.h"

#include <tuple>

using namespace lockstep::reports;
using llvm::StringRef;
using llvm::Twine;

/// Says that `right` belongs to another run than `left`.
static llvm::Error otherRun(const NamedResults &left, const NamedResults &right, const Twine &what, const Twine &ofLeft,
                            const Twine &ofRight) {
  return llvm::createStringError(right.name + ": " + what + " is " + ofRight + ", but " + ofLeft + " in " + left.name +
                                 ": these are no shards of one run");
}

static std::string seedText(const RunDescription &run) { return run.seed ? std::to_string(*run.seed) : "none"; }

static std::string commitText(const RunDescription &run) {
  return run.git ? run.git->sha + (run.git->dirty ? " with changes" : "") : "unknown";
}

static llvm::Error checkDrivers(const NamedResults &left, const NamedResults &right) {
  for (const DriverDescription &one : left.results.run.drivers)
    for (const DriverDescription &other : right.results.run.drivers)
      if (one.backend == other.backend && one.driver == other.driver &&
          std::tie(one.version, one.simulated) != std::tie(other.version, other.simulated))
        return otherRun(left, right, "the " + one.backend + " driver's version", one.version, other.version);
  for (const DeviceDescription &one : left.results.run.devices)
    for (const DeviceDescription &other : right.results.run.devices)
      if (std::tie(one.backend, one.driver, one.index) == std::tie(other.backend, other.driver, other.index) &&
          one.name != other.name)
        return otherRun(left, right, one.backend + " device " + Twine(one.index), "'" + one.name + "'",
                        "'" + other.name + "'");
  return llvm::Error::success();
}

static llvm::Error checkSameRun(const NamedResults &left, const NamedResults &right) {
  const RunDescription &one = left.results.run, &other = right.results.run;
  if (one.seed != other.seed)
    return otherRun(left, right, "the seed", seedText(one), seedText(other));
  if (commitText(one) != commitText(other))
    return otherRun(left, right, "the commit", commitText(one), commitText(other));
  return checkDrivers(left, right);
}

static std::string withoutShard(StringRef command) {
  static const StringRef pattern = "^(.*) --?shard[= ][0-9]+/[0-9]+(.*)$";
  llvm::SmallVector<StringRef> parts;
  llvm::Regex regex(pattern);
  return regex.match(command, &parts) ? (parts[1] + parts[2]).str() : command.str();
}

/// Adds what `other` has and `list` lacks, and sorts by `key`.
template <typename T, typename Key> static void unite(std::vector<T> &list, llvm::ArrayRef<T> other, Key key) {
  for (const T &element : other)
    if (llvm::none_of(list, [&](const T &known) { return key(known) == key(element); }))
      list.push_back(element);
  llvm::sort(list, [&](const T &left, const T &right) { return key(left) < key(right); });
}

/// "a, b" of the different texts that the shards have.
static void joinText(std::string &text, StringRef other) {
  llvm::SmallVector<StringRef> known;
  StringRef(text).split(known, ", ");
  if (!llvm::is_contained(known, other))
    text += (", " + other).str();
}

static void addHost(HostDescription &host, const HostDescription &other) {
  bool isSameMachine = host.name == other.name;
  joinText(host.name, other.name);
  joinText(host.system, other.system);
  joinText(host.architecture, other.architecture);
  joinText(host.cpu, other.cpu);
  if (!isSameMachine)
    host.cores += other.cores;
}

/// From the first start to the last end.
static double durationMs(llvm::ArrayRef<const NamedResults *> shards) {
  double end = 0;
  int64_t start = startMs(shards.front()->results.run);
  for (const NamedResults *shard : shards)
    end = std::max(end, startMs(shard->results.run) - start + shard->results.run.durationMs);
  return end;
}

static RunDescription mergeRuns(llvm::ArrayRef<const NamedResults *> shards) {
  RunDescription run = shards.front()->results.run;
  if (shards.size() == 1)
    return run;
  run.command = withoutShard(run.command);
  run.durationMs = durationMs(shards);
  for (const NamedResults *shard : shards.drop_front()) {
    const RunDescription &other = shard->results.run;
    addHost(run.host, other.host);
    unite<DriverDescription>(run.drivers, other.drivers,
                             [](const DriverDescription &driver) { return std::tie(driver.backend, driver.driver); });
    unite<DeviceDescription>(run.devices, other.devices, [](const DeviceDescription &device) {
      return std::tie(device.backend, device.driver, device.index);
    });
  }
  return run;
}

namespace {
struct OriginOfCell {
  const NamedResults *shard;
  const CellResult *cell;
};
} // namespace

/// The cells of all shards in order, or the error that one stands twice.
static llvm::Expected<std::vector<CellResult>> mergeCells(llvm::ArrayRef<NamedResults> shards) {
  std::vector<OriginOfCell> origins;
  for (const NamedResults &shard : shards)
    for (const CellResult &cell : shard.results.cells)
      origins.push_back({&shard, &cell});
  llvm::sort(origins, [](const OriginOfCell &left, const OriginOfCell &right) {
    int order = compareCells(*left.cell, *right.cell);
    return order != 0 ? order < 0 : left.shard < right.shard;
  });
  std::vector<CellResult> cells;
  for (size_t i = 0; i < origins.size(); ++i) {
    const CellResult &cell = *origins[i].cell;
    if (i != 0 && compareCells(*origins[i - 1].cell, cell) == 0)
      return llvm::createStringError(origins[i].shard->name + ": the cell '" + cell.scenario + ", " +
                                     columnTitle(cell) + ", " + scheduleTitle(cell) + "' stands in " +
                                     origins[i - 1].shard->name + " too");
    cells.push_back(cell);
  }
  return cells;
}

llvm::Expected<Results> lockstep::reports::mergeResults(llvm::ArrayRef<NamedResults> shards) {
  for (const NamedResults &right : shards)
    for (const NamedResults &left : shards.take_while([&](const NamedResults &shard) { return &shard != &right; }))
      if (llvm::Error error = checkSameRun(left, right))
        return error;
  llvm::Expected<std::vector<CellResult>> cells = mergeCells(shards);
  if (!cells)
    return cells.takeError();
  std::vector<const NamedResults *> byStart;
  for (const NamedResults &shard : shards)
    byStart.push_back(&shard);
  llvm::sort(byStart, [](const NamedResults *left, const NamedResults *right) {
    const RunDescription &one = left->results.run, &other = right->results.run;
    return std::tie(one.started, one.id, left) < std::tie(other.started, other.id, right);
  });
  return Results{mergeRuns(byStart), std::move(*cells)};
}
