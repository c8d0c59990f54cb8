// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/RunPlan.h"

#include "harness/Lowerings.h"
#include "harness/RunEnvironment.h"
#include "harness/UserPipelineCheck.h"
#include "harness/WorkerPool.h"

#include "llvm/ADT/STLExtras.h"

#include <poll.h>
#include <thread>

using namespace lockstep::harness;
namespace reports = lockstep::reports;
using llvm::StringRef;

/// Loading a driver takes milliseconds; one that has not answered after this long hangs.
static constexpr int kProbeTimeoutMs = 60000;

/// The wrapper's message ends in advice about the variable through which the harness names the driver. Whoever reads
/// it here has given an option.
static std::string adviseOption(const Backend &backend, const Driver &driver, StringRef message) {
  auto [what, advice] = message.rsplit("; ");
  if (!advice.contains(backend.driverVariable))
    return message.str();
  std::string option = "--driver " + driver.name;
  if (driver.name == "real")
    return (what + "; " + option + " needs a GPU and " + backend.driverPackage).str();
  return (what + "; '" + option + "' names it: give sim, real, or the path of a driver library").str();
}

llvm::Expected<ProbeReply> lockstep::harness::probeDriver(const Backend &backend, const Driver &driver) {
  llvm::Expected<std::unique_ptr<WorkerProcess>> worker = WorkerProcess::start();
  if (!worker)
    return worker.takeError();
  if (llvm::Error error = (*worker)->send(ProbeRequest{backend.name.str(), driver.library}))
    return error;
  std::vector<Reply> replies;
  bool isOpen = true;
  while (replies.empty() && isOpen) {
    pollfd descriptor = {(*worker)->replyFd(), POLLIN, 0};
    if (poll(&descriptor, 1, kProbeTimeoutMs) == 0)
      return environmentError("the driver '" + driver.library + "' did not come up within " +
                              llvm::Twine(kProbeTimeoutMs / 1000) + " s");
    llvm::Expected<bool> received = (*worker)->receive(replies);
    if (!received)
      return received.takeError();
    isOpen = *received;
  }
  if (replies.empty()) {
    std::string end = (*worker)->waitForEnd();
    std::string words = lastLines((*worker)->readErrorOutput(), 4);
    return environmentError("loading the driver '" + driver.library + "' ended the process: " + end +
                            (words.empty() ? "" : "\n" + words));
  }
  auto *probe = std::get_if<ProbeReply>(&replies.front());
  if (!probe)
    return llvm::createStringError("a worker process answered a probe with something else");
  if (!probe->error.empty())
    return environmentError(adviseOption(backend, driver, probe->error));
  return std::move(*probe);
}

static llvm::Error addTarget(StringRef backendName, StringRef driverName, RunPlan &plan) {
  llvm::Expected<const Backend *> backend = findBackend(backendName);
  if (!backend)
    return backend.takeError();
  llvm::Expected<Driver> driver = resolveDriver(**backend, driverName);
  if (!driver)
    return driver.takeError();
  llvm::Expected<ProbeReply> probe = probeDriver(**backend, *driver);
  if (!probe)
    return probe.takeError();
  plan.matrix.targets.push_back({backendName.str(), driver->name, driver->library, probe->isSimulated});
  plan.description.drivers.push_back(
      {backendName.str(), driver->name, probe->libraryPath, probe->version, probe->isSimulated});
  for (int64_t index = 0; index < probe->deviceCount; ++index)
    plan.description.devices.push_back({backendName.str(), driver->name, index, probe->deviceName});
  return llvm::Error::success();
}

/// Of a backend that was not asked for, a missing vendor's driver is no fault as long as another has one.
static llvm::Error addDefaultTargets(const RunOptions &options, RunPlan &plan) {
  llvm::Error failure = llvm::Error::success();
  for (const Backend *backend : defaultBackends(options.driver)) {
    llvm::Error error = addTarget(backend->name, options.driver, plan);
    if (error && options.driver != "real")
      return llvm::joinErrors(std::move(failure), std::move(error));
    failure = llvm::joinErrors(std::move(failure), std::move(error));
  }
  if (plan.matrix.targets.empty())
    return failure;
  llvm::consumeError(std::move(failure));
  return llvm::Error::success();
}

static llvm::Error addNamedTargets(const RunOptions &options, RunPlan &plan) {
  llvm::SmallVector<StringRef> names;
  StringRef(options.backends).split(names, ',');
  // Names first: a wrong one must not cost the start of a driver.
  for (StringRef name : names)
    if (llvm::Expected<const Backend *> backend = findBackend(name.trim()); !backend)
      return backend.takeError();
  llvm::SmallVector<StringRef> added;
  for (StringRef name : names) {
    if (llvm::is_contained(added, name.trim()))
      continue;
    added.push_back(name.trim());
    if (llvm::Error error = addTarget(name.trim(), options.driver, plan))
      return error;
  }
  return llvm::Error::success();
}

static llvm::Error addTargets(const RunOptions &options, RunPlan &plan) {
  llvm::Error error = options.backends.empty() ? addDefaultTargets(options, plan) : addNamedTargets(options, plan);
  if (error)
    return error;
  plan.matrix.visibleTargetCount = plan.matrix.targets.size();
  return llvm::Error::success();
}

/// A program without expectations is compared with what it does on a simulated driver, also where it runs on a real
/// one. Without a simulated driver the real one is compared with itself.
static void addBaselineTargets(llvm::ArrayRef<Scenario> scenarios, RunPlan &plan) {
  if (llvm::none_of(scenarios, [](const Scenario &scenario) { return scenario.expectationCount == 0; }))
    return;
  for (size_t i = 0; i < plan.matrix.visibleTargetCount; ++i)
    if (std::string backend = plan.matrix.targets[i].backend; !plan.matrix.targets[i].takesSchedules)
      llvm::consumeError(addTarget(backend, "sim", plan));
}

static void describeRun(const RunOptions &options, llvm::ArrayRef<Schedule> schedules, RunPlan &plan) {
  reports::RunDescription &run = plan.description;
  run.started = currentTimeText();
  run.id = makeRunId(run.started);
  run.command = quoteCommand(options.commandLine);
  run.git = describeGit();
  run.host = describeHost();
  for (const Schedule &schedule : schedules)
    if (schedule.kind == Schedule::Kind::Random) {
      run.seed = schedule.seed;
      return;
    }
}

static llvm::Expected<std::vector<LoweringChoice>> readLowerings(const RunOptions &options) {
  llvm::Expected<std::vector<LoweringChoice>> choices = parseLowerings(options.lowerings);
  if (!choices)
    return choices.takeError();
  std::vector<std::string> pipelines;
  for (const LoweringChoice &choice : *choices)
    if (!choice.pipeline.empty())
      pipelines.push_back(choice.pipeline);
  if (pipelines.empty() && !options.passPlugins.empty())
    return usageError("--load-pass-plugin has no use without --lowering pipeline:...");
  if (!pipelines.empty())
    if (llvm::Error error = checkUserPipelines(pipelines, options.passPlugins))
      return error;
  return choices;
}

llvm::Expected<RunPlan> lockstep::harness::makeRunPlan(const RunOptions &options) {
  RunPlan plan;
  llvm::Expected<std::vector<LoweringChoice>> choices = readLowerings(options);
  if (!choices)
    return choices.takeError();
  llvm::Expected<std::vector<Schedule>> schedules = parseSchedules(options.schedules);
  if (!schedules)
    return schedules.takeError();
  llvm::Expected<Shard> shard = parseShard(options.shard);
  if (!shard)
    return shard.takeError();
  std::vector<std::string> inputs = options.inputs;
  if (inputs.empty())
    inputs.push_back(kDefaultSuite.str());
  llvm::Expected<std::vector<Scenario>> scenarios = findScenarios(inputs, options.filter);
  if (!scenarios)
    return scenarios.takeError();
  if (llvm::Error error = addTargets(options, plan))
    return error;
  addBaselineTargets(*scenarios, plan);
  describeRun(options, *schedules, plan);
  std::vector<std::string> lowerings;
  for (const LoweringChoice &choice : *choices)
    lowerings.push_back(choice.name);
  plan.matrix = makeCellMatrix(std::move(*scenarios), std::move(plan.matrix.targets), plan.matrix.visibleTargetCount,
                               std::move(lowerings), *schedules, *shard);
  plan.matrix.passPlugins = options.passPlugins;
  for (const LoweringChoice &choice : *choices)
    if (!choice.pipeline.empty())
      plan.matrix.pipelines[choice.name] = choice.pipeline;
  plan.workerCount = options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  return plan;
}

/// A file whose name begins like an option needs a folder in front to be taken as a file.
static std::string scenarioArgument(StringRef path) { return (path.starts_with("-") ? "./" + path : path).str(); }

std::string lockstep::harness::reproCommand(const RunOptions &options, const CellMatrix &matrix, const Cell &cell) {
  const Target &target = matrix.targets[cell.target];
  LoweringChoice lowering{cell.lowering, ""};
  if (auto pipeline = matrix.pipelines.find(cell.lowering); pipeline != matrix.pipelines.end())
    lowering.pipeline = pipeline->second;
  std::vector<std::string> words = {options.program,
                                    "run",
                                    scenarioArgument(matrix.scenarios[cell.scenario].path),
                                    "--lowering",
                                    lowering.optionText(),
                                    "--backend",
                                    target.backend};
  if (!lowering.pipeline.empty())
    for (const std::string &plugin : matrix.passPlugins)
      words.insert(words.end(), {"--load-pass-plugin", plugin});
  if (target.driver != "sim")
    words.insert(words.end(), {"--driver", target.driver});
  if (cell.schedule.kind != Schedule::Kind::None)
    words.insert(words.end(), {"--schedule", cell.schedule.optionText()});
  if (options.timeoutSeconds != RunOptions().timeoutSeconds)
    words.insert(words.end(), {"--timeout", secondsText(options.timeoutSeconds)});
  return quoteCommand(words);
}
