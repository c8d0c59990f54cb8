// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/RunCommand.h"

#include "harness/Interrupt.h"
#include "harness/Progress.h"
#include "harness/ResultTable.h"
#include "harness/RunPlan.h"
#include "harness/TextWidth.h"
#include "harness/Verdict.h"
#include "harness/WorkerPool.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace lockstep::harness;
using namespace lockstep::reports;
using llvm::StringRef;

namespace {

/// Keeps what happens to each cell, and drives the progress line.
class OutcomeCollector : public PoolObserver {
public:
  OutcomeCollector(const CellMatrix &matrix, bool failFast)
      : outcomes(matrix.cells.size()), matrix(matrix), failFast(failFast), progress(matrix.cells.size()) {
    progress.update(0, 0);
  }

  void cellDone(const CellDoneReply &cell) override {
    outcomes[cell.id].done = cell;
    // A comparison with a baseline comes at the end; here only what is wrong already counts.
    count(cell.id, !cell.error.empty() || !cell.findings.empty() || cell.exitStatus != 0);
  }
  void cellLost(const LostCell &cell) override {
    outcomes[cell.id].lost = cell;
    count(cell.id, true);
  }
  void compiled(const JobRequest &job, double durationMs) override {
    for (const CellRequest &cell : job.cells)
      outcomes[cell.id].compileMs = durationMs;
  }
  void compileFailed(const JobRequest &job, StringRef message) override {
    for (const CellRequest &cell : job.cells) {
      outcomes[cell.id].error = message;
      count(cell.id, true);
    }
  }
  bool shouldStop() override { return InterruptGuard::caught() != 0 || (failFast && failing != 0); }
  void tick() override { progress.update(done, failing); }
  void finish() { progress.clear(); }

  std::vector<CellOutcome> outcomes;

private:
  void count(size_t id, bool isFailing) {
    ++done;
    const Cell &cell = matrix.cells[id];
    // What is expected to be found is sorted out at the end.
    bool isOpen = cell.isHiddenBaseline || concerns(matrix.scenarios[cell.scenario].expectedFindings, cell.lowering);
    failing += isFailing && !isOpen;
  }

  const CellMatrix &matrix;
  bool failFast;
  Progress progress;
  size_t done = 0;
  size_t failing = 0;
};

} // namespace

static StringRef stopReason() {
  return InterruptGuard::caught() != 0 ? "the run was interrupted"
                                       : "the run stopped at an earlier failure (--fail-fast)";
}

static std::map<std::string, lockstep::reports::Metric> cellMetrics(const CellDoneReply &done) {
  auto metrics = driverCallMetrics(done.driverCalls, done.namedOps);
  if (done.order)
    metrics.merge(orderMetrics(*done.order));
  return metrics;
}

static CellResult makeResult(const RunOptions &options, const CellMatrix &matrix, size_t index,
                             llvm::ArrayRef<CellOutcome> outcomes) {
  const Cell &cell = matrix.cells[index];
  std::optional<size_t> baseline = matrix.baselineOf(cell);
  bool isCompared = baseline && *baseline != index;
  CellResult result = judgeCell(matrix.scenarios[cell.scenario], outcomes[index],
                                isCompared ? &outcomes[*baseline] : nullptr, stopReason());
  const Target &target = matrix.targets[cell.target];
  result.scenario = matrix.scenarios[cell.scenario].name;
  result.lowering = cell.lowering;
  result.backend = target.backend;
  result.driver = target.driver;
  result.schedule = cell.schedule.name();
  result.seed = cell.schedule.optionalSeed();
  result.repro = reproCommand(options, matrix, cell);
  if (outcomes[index].done && outcomes[index].done->error.empty())
    result.metrics = cellMetrics(*outcomes[index].done);
  if (outcomes[index].compileMs > 0)
    result.metrics["compile"] = {outcomes[index].compileMs, "ms", {}};
  applyMetricLimits(matrix.scenarios[cell.scenario].metricLimits, result);
  applyExpectedFindings(matrix.scenarios[cell.scenario].expectedFindings, result);
  for (Finding &finding : result.findings)
    finding.repro = result.repro;
  return result;
}

static StringRef programOutput(const CellOutcome &outcome, bool errors) {
  if (outcome.done)
    return errors ? outcome.done->errorOutput : outcome.done->output;
  if (outcome.lost)
    return errors ? outcome.lost->errorOutput : outcome.lost->output;
  return "";
}

static llvm::Error writeResults(const Results &results, llvm::ArrayRef<CellOutcome> outcomes, ResultsOutput &output) {
  if (llvm::Error error = output.writeResults(results))
    return error;
  for (size_t i = 0; i < results.cells.size(); ++i)
    for (bool errors : {false, true}) {
      StringRef text = programOutput(outcomes[i], errors);
      std::string name = "output/" + fileStem(results.cells[i]) + (errors ? ".stderr" : ".stdout");
      if (!text.empty())
        if (llvm::Error error = output.writeFile(name, text))
          return error;
    }
  return output.commit();
}

/// A single cell's output is what the user wants to see; of many, that of the failing ones, once for each program and
/// lowering.
static void printProgramOutput(const RunOptions &options, const Results &results,
                               llvm::ArrayRef<CellOutcome> outcomes) {
  bool isSingle = results.cells.size() == 1;
  std::string last;
  for (size_t i = 0; i < results.cells.size(); ++i) {
    const CellResult &cell = results.cells[i];
    StringRef output = programOutput(outcomes[i], /*errors=*/false);
    std::string group = cell.scenario + "\n" + cell.backend + "\n" + cell.lowering;
    bool isWanted = isSingle || options.showOutput || (isUnexpected(cell.verdict) && group != last);
    if (output.empty() || !isWanted)
      continue;
    last = std::move(group);
    if (!isSingle) {
      llvm::outs() << "output of " << displayText(cell.scenario) << ", " << cell.backend << " " << cell.lowering << ", "
                   << cell.schedule;
      if (cell.seed)
        llvm::outs() << " seed " << *cell.seed;
      llvm::outs() << ":\n";
    }
    llvm::outs() << output << (output.ends_with("\n") ? "" : "\n");
  }
}

static ExitStatus report(const RunOptions &options, const RunPlan &plan, llvm::ArrayRef<CellOutcome> outcomes,
                         double seconds, const OpenResultsOutput &openOutput) {
  Results results{plan.description, {}};
  results.run.durationMs = seconds * 1000;
  for (size_t i = 0; i < plan.matrix.visibleCount; ++i)
    results.cells.push_back(makeResult(options, plan.matrix, i, outcomes));
  printProgramOutput(options, results, outcomes);
  // 0 where standard output is no terminal: then nothing is cut.
  // Logs are read in windows of this width.
  constexpr unsigned logColumns = 120;
  unsigned columns = llvm::sys::Process::StandardOutColumns();
  printResultTable(plan.matrix, results, llvm::outs(), columns ? columns : logColumns);
  printExpectedFindings(results, llvm::outs());
  printFindings(results, llvm::outs());
  if (!results.cells.empty())
    llvm::outs() << '\n';
  printSummary(results, seconds, llvm::outs());
  if (!options.outputDirectory.empty()) {
    auto output = openOutput(options.outputDirectory);
    llvm::Error error = output ? writeResults(results, outcomes, **output) : output.takeError();
    if (error)
      return reportError(usageError("--out: " + llvm::toString(std::move(error))));
  }
  if (int signal = InterruptGuard::caught()) {
    llvm::errs() << "lockstep: interrupted: the results are partial\n";
    return exitStatusOfSignal(signal);
  }
  bool hasFindings = llvm::any_of(results.cells, [](const CellResult &cell) { return isUnexpected(cell.verdict); });
  return hasFindings ? kExitFindings : kExitAsExpected;
}

ResultsOutput::~ResultsOutput() = default;

ExitStatus lockstep::harness::runCommand(const RunOptions &options, const OpenResultsOutput &openOutput) {
  auto start = std::chrono::steady_clock::now();
  llvm::Expected<RunPlan> plan = makeRunPlan(options);
  if (!plan)
    return reportError(plan.takeError());
  // Only a trial: what is written at the end would be left behind half done by whoever ends this process before.
  if (!options.outputDirectory.empty())
    if (auto output = openOutput(options.outputDirectory); !output)
      return reportError(usageError("--out: " + llvm::toString(output.takeError())));
  OutcomeCollector collector(plan->matrix, options.failFast);
  InterruptGuard guard;
  TimeLimits limits;
  limits.cellSeconds = options.timeoutSeconds;
  WorkerPool pool(plan->workerCount, limits, collector);
  llvm::Error error = pool.run(plan->matrix.makeJobs(plan->workerCount));
  collector.finish();
  if (error)
    return reportError(std::move(error));
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return report(options, *plan, collector.outcomes, elapsed.count(), openOutput);
}
