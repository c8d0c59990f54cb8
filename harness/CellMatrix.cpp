// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/CellMatrix.h"

#include "harness/ExitStatus.h"

#include "llvm/ADT/MapVector.h"

#include <algorithm>
#include <tuple>

using namespace lockstep::harness;
using llvm::StringRef;

llvm::Expected<Shard> lockstep::harness::parseShard(StringRef text) {
  Shard shard;
  auto [index, count] = text.split('/');
  if (index.getAsInteger(10, shard.index) || count.getAsInteger(10, shard.count) || shard.index == 0 ||
      shard.index > shard.count)
    return usageError("--shard '" + text + "': expected I/N with I from 1 to N");
  return shard;
}

static Schedule baselineSchedule(const Target &target) {
  return {target.takesSchedules ? Schedule::Kind::Eager : Schedule::Kind::None};
}

size_t CellMatrix::baselineTarget(size_t target) const {
  if (targets[target].takesSchedules)
    return target;
  for (size_t i = 0; i < targets.size(); ++i)
    if (targets[i].takesSchedules && targets[i].backend == targets[target].backend)
      return i;
  return target;
}

std::optional<size_t> CellMatrix::baselineOf(const Cell &cell) const {
  if (scenarios[cell.scenario].expectationCount != 0)
    return std::nullopt;
  size_t target = baselineTarget(cell.target);
  Schedule schedule = baselineSchedule(targets[target]);
  for (size_t i = 0; i < cells.size(); ++i)
    if (cells[i].scenario == cell.scenario && cells[i].target == target && cells[i].lowering == kBaselineLowering &&
        cells[i].schedule == schedule)
      return i;
  return std::nullopt;
}

static void addBaselines(CellMatrix &matrix) {
  for (size_t i = 0; i < matrix.visibleCount; ++i) {
    Cell cell = matrix.cells[i];
    if (matrix.scenarios[cell.scenario].expectationCount != 0 || matrix.baselineOf(cell))
      continue;
    size_t target = matrix.baselineTarget(cell.target);
    Schedule schedule = baselineSchedule(matrix.targets[target]);
    matrix.cells.push_back({cell.scenario, kBaselineLowering.str(), target, schedule, true});
  }
}

CellMatrix lockstep::harness::makeCellMatrix(std::vector<Scenario> scenarios, std::vector<Target> targets,
                                             size_t visibleTargetCount, std::vector<std::string> lowerings,
                                             llvm::ArrayRef<Schedule> schedules, Shard shard) {
  CellMatrix matrix{std::move(scenarios), std::move(targets), visibleTargetCount, std::move(lowerings), {}, 0};
  size_t group = 0;
  for (size_t scenario = 0; scenario < matrix.scenarios.size(); ++scenario)
    for (size_t target = 0; target < matrix.visibleTargetCount; ++target)
      for (const std::string &lowering : matrix.lowerings) {
        if (group++ % shard.count != shard.index - 1)
          continue;
        if (!matrix.targets[target].takesSchedules) {
          matrix.cells.push_back({scenario, lowering, target, {Schedule::Kind::None}});
          continue;
        }
        for (const Schedule &schedule : schedules)
          matrix.cells.push_back({scenario, lowering, target, schedule});
      }
  matrix.visibleCount = matrix.cells.size();
  addBaselines(matrix);
  return matrix;
}

/// Cuts the largest job in two until there is one for each worker: compiling twice costs less than an idle core.
static void spread(std::vector<JobRequest> &jobs, size_t workerCount) {
  while (!jobs.empty() && jobs.size() < workerCount) {
    auto largest = std::max_element(jobs.begin(), jobs.end(), [](const JobRequest &a, const JobRequest &b) {
      return a.cells.size() < b.cells.size();
    });
    size_t half = largest->cells.size() / 2;
    if (half == 0)
      return;
    JobRequest second = *largest;
    second.cells.erase(second.cells.begin(), second.cells.end() - half);
    largest->cells.resize(largest->cells.size() - half);
    jobs.push_back(std::move(second));
  }
}

std::vector<JobRequest> CellMatrix::makeJobs(size_t workerCount) const {
  llvm::MapVector<std::tuple<size_t, size_t, StringRef>, JobRequest,
                  std::map<std::tuple<size_t, size_t, StringRef>, unsigned>>
      groups;
  for (size_t i = 0; i < cells.size(); ++i) {
    const Cell &cell = cells[i];
    const Target &target = targets[cell.target];
    JobRequest &job = groups[{cell.scenario, cell.target, cell.lowering}];
    if (job.cells.empty()) {
      job = {scenarios[cell.scenario].path, cell.lowering, target.backend, target.driverLibrary, {}};
      if (auto pipeline = pipelines.find(cell.lowering); pipeline != pipelines.end()) {
        job.pipeline = pipeline->second;
        job.passPlugins = passPlugins;
      }
    }
    job.cells.push_back({i, cell.schedule.driverText()});
  }
  std::vector<JobRequest> jobs;
  for (auto &entry : groups)
    jobs.push_back(std::move(entry.second));
  spread(jobs, workerCount);
  return jobs;
}
