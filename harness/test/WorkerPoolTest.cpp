// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pool starts the running executable as its workers, which is this test: started with the word "worker" it answers
// as the job's program name tells it to.

#include "harness/WorkerPool.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <unistd.h>

using namespace lockstep::harness;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

// The fake worker.

static void say(const Reply &reply) {
  std::string line = encodeReply(reply);
  if (write(kWorkerReplyFd, line.data(), line.size()) != ssize_t(line.size()))
    _exit(9);
}

[[noreturn]] static void hang() {
  while (true)
    pause();
}

/// Behaves in a cell as its schedule says.
static void fakeCell(const CellRequest &cell, const std::string &untracedReason) {
  say(CellStartedReply{cell.id});
  if (cell.schedule == "abort") {
    std::fprintf(stderr, "last words\n");
    std::abort();
  }
  if (cell.schedule == "leave-child") {
    pid_t child = fork();
    if (child == 0) {
      close(kWorkerReplyFd);
      hang();
    }
    std::fprintf(stderr, "%d\n", child);
    std::fflush(stderr);
    _exit(3);
  }
  if (cell.schedule == "exit")
    _exit(3);
  if (cell.schedule == "write")
    for (std::string block(1 << 20, 'x');;)
      if (write(STDOUT_FILENO, block.data(), block.size()) < 0)
        _exit(9);
  if (cell.schedule == "hang")
    hang();
  CellDoneReply done;
  done.id = cell.id;
  done.output = std::to_string(getpid());
  done.orderProblem = untracedReason;
  if (cell.schedule == "finding")
    done.findings.push_back({"values", "", "differs", {}, {}});
  say(done);
}

static void fakeJob(const JobRequest &job) {
  if (job.program == "compile-fails")
    return say(CompileFailedReply{"does not compile"});
  if (job.program == "compile-crashes")
    std::abort();
  if (job.program == "compile-hangs")
    hang();
  if (job.program == "compile-slow")
    usleep(400000);
  say(CompiledReply{1});
  if (llvm::StringRef(job.program).starts_with("trace-") && job.untracedReason.empty()) {
    say(TraceStartedReply{});
    if (job.program == "trace-crashes")
      std::abort();
    if (job.program == "trace-hangs")
      hang();
    say(TraceDoneReply{});
  }
  if (job.program == "out-of-order")
    say(CellDoneReply{999, {}, 0, 0, {}, {}, {}, {}, 0});
  for (const CellRequest &cell : job.cells)
    fakeCell(cell, job.untracedReason);
  say(JobDoneReply{});
  if (job.program == "dies-idle")
    _exit(0);
}

static int fakeWorker() {
  LineBuffer lines;
  std::string line;
  char bytes[4096];
  ssize_t count;
  while ((count = read(kWorkerRequestFd, bytes, sizeof(bytes))) > 0) {
    lines.append(llvm::StringRef(bytes, count));
    while (lines.takeLine(line)) {
      Request request = llvm::cantFail(decodeRequest(line));
      fakeJob(std::get<JobRequest>(request));
    }
  }
  return 0;
}

namespace {

class Collector : public PoolObserver {
public:
  void cellDone(const CellDoneReply &cell) override {
    done[cell.id] = cell.output;
    orderProblems[cell.id] = cell.orderProblem;
  }
  void cellLost(const LostCell &cell) override { lost[cell.id] = cell; }
  void compiled(const JobRequest &, double) override { ++compileCount; }
  void compileFailed(const JobRequest &job, llvm::StringRef message) override {
    for (const CellRequest &cell : job.cells)
      failed[cell.id] = message.str();
  }
  bool shouldStop() override { return stopAfterLoss && !lost.empty(); }
  void tick() override {}

  std::vector<uint64_t> doneIds() const {
    std::vector<uint64_t> ids;
    for (const auto &entry : done)
      ids.push_back(entry.first);
    return ids;
  }

  std::map<uint64_t, std::string> done;
  std::map<uint64_t, std::string> orderProblems;
  std::map<uint64_t, LostCell> lost;
  std::map<uint64_t, std::string> failed;
  size_t compileCount = 0;
  bool stopAfterLoss = false;
};

/// Cells numbered from `first` with the given behaviours.
JobRequest job(std::string program, uint64_t first, std::vector<std::string> behaviours, std::string driver = "d") {
  JobRequest job{std::move(program), "serial", "cuda", std::move(driver), {}};
  for (std::string &behaviour : behaviours)
    job.cells.push_back({first++, std::move(behaviour)});
  return job;
}

std::string run(Collector &collector, size_t workers, std::vector<JobRequest> jobs, TimeLimits limits = {}) {
  WorkerPool pool(workers, limits, collector);
  return llvm::toString(pool.run(std::move(jobs)));
}

bool isZombie(pid_t pid) {
  std::string line;
  std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/stat"), line);
  return line.find(") Z") != std::string::npos;
}

} // namespace

TEST(WorkerPool, OneWorkerRunsAllJobsWithOneProcess) {
  Collector collector;
  EXPECT_EQ(run(collector, 1, {job("a", 0, {"ok", "ok"}), job("b", 2, {"ok"})}), "");
  EXPECT_THAT(collector.doneIds(), ElementsAre(0, 1, 2));
  EXPECT_EQ(collector.done[0], collector.done[2]);
  EXPECT_EQ(collector.compileCount, 2u);
}

TEST(WorkerPool, SeveralWorkersShareTheJobs) {
  Collector collector;
  EXPECT_EQ(run(collector, 2, {job("a", 0, {"ok"}), job("b", 1, {"ok"})}), "");
  EXPECT_NE(collector.done[0], collector.done[1]);
}

TEST(WorkerPool, AProgramAfterAWrongOneGetsAnotherProcess) {
  Collector collector;
  EXPECT_EQ(run(collector, 1, {job("a", 0, {"finding", "ok"}), job("b", 2, {"ok"}), job("c", 3, {"ok"})}), "");
  EXPECT_EQ(collector.done[0], collector.done[1]);
  EXPECT_NE(collector.done[1], collector.done[2]);
  EXPECT_EQ(collector.done[2], collector.done[3]);
}

TEST(WorkerPool, AnotherBackendGetsAnotherProcess) {
  Collector collector;
  JobRequest other = job("b", 1, {"ok"}, "d1");
  other.backend = "hip";
  EXPECT_EQ(run(collector, 1, {job("a", 0, {"ok"}, "d1"), other}), "");
  EXPECT_NE(collector.done[0], collector.done[1]);
}

TEST(WorkerPool, AnotherDriverGetsAnotherProcess) {
  Collector collector;
  EXPECT_EQ(run(collector, 1, {job("a", 0, {"ok"}, "d1"), job("b", 1, {"ok"}, "d2")}), "");
  EXPECT_NE(collector.done[0], collector.done[1]);
}

TEST(WorkerPool, ACrashCostsOneCell) {
  Collector collector;
  EXPECT_EQ(run(collector, 1, {job("a", 0, {"ok", "abort", "ok", "exit", "ok"}), job("b", 5, {"ok"})}), "");
  EXPECT_THAT(collector.doneIds(), ElementsAre(0, 2, 4, 5));
  EXPECT_EQ(collector.lost[1].reason, "SIGABRT (Aborted)");
  EXPECT_THAT(collector.lost[1].errorOutput, HasSubstr("last words"));
  EXPECT_FALSE(collector.lost[1].whileCompiling);
  EXPECT_EQ(collector.lost[3].reason, "exit status 3");
}

TEST(WorkerPool, AHangIsEndedAndCostsOneCell) {
  Collector collector;
  // Long enough for the other cell's worker to start, however busy the machine is.
  EXPECT_EQ(run(collector, 1, {job("a", 0, {"hang", "ok"})}, {5, 600}), "");
  EXPECT_THAT(collector.doneIds(), ElementsAre(1));
  EXPECT_TRUE(collector.lost[0].isTimeout);
  EXPECT_EQ(collector.lost[0].reason, "no end after 5 s");
}

TEST(WorkerPool, EndlessOutputIsEndedAndCostsOneCell) {
  Collector collector;
  EXPECT_EQ(run(collector, 1, {job("a", 0, {"write", "ok"})}), "");
  EXPECT_THAT(collector.doneIds(), ElementsAre(1));
  EXPECT_EQ(collector.lost[0].reason, "it wrote more than 64 MiB");
}

TEST(WorkerPool, ACrashOfTheCompilerCostsTheJob) {
  Collector collector;
  EXPECT_EQ(run(collector, 1, {job("compile-crashes", 0, {"ok", "ok"}), job("b", 2, {"ok"})}), "");
  EXPECT_THAT(collector.doneIds(), ElementsAre(2));
  ASSERT_EQ(collector.lost.size(), 2u);
  EXPECT_TRUE(collector.lost[1].whileCompiling);
}

TEST(WorkerPool, AHangOfTheCompilerCostsTheJob) {
  Collector collector;
  EXPECT_EQ(run(collector, 1, {job("compile-hangs", 0, {"ok", "ok"})}, {600, 0.3}), "");
  EXPECT_EQ(collector.lost.size(), 2u);
  EXPECT_TRUE(collector.lost[1].isTimeout);
  EXPECT_EQ(collector.lost[1].reason, "no end after 0.3 s");
}

TEST(WorkerPool, ACrashOfTheTraceCostsTheTrace) {
  Collector collector;
  EXPECT_EQ(run(collector, 1, {job("a", 0, {"ok"}), job("trace-crashes", 1, {"ok", "ok"}), job("trace-ok", 3, {"ok"})}),
            "");
  EXPECT_THAT(collector.doneIds(), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(collector.orderProblems[0], "");
  EXPECT_EQ(collector.orderProblems[1], "the traced run of the program ended early: SIGABRT (Aborted)");
  EXPECT_EQ(collector.orderProblems[2], collector.orderProblems[1]);
  EXPECT_EQ(collector.orderProblems[3], "");
}

TEST(WorkerPool, AHangOfTheTraceCostsTheTrace) {
  Collector collector;
  EXPECT_EQ(run(collector, 1, {job("trace-hangs", 0, {"ok"})}, {1, 600}), "");
  EXPECT_THAT(collector.doneIds(), ElementsAre(0));
  EXPECT_EQ(collector.orderProblems[0], "the traced run of the program ended early: no end after 1 s");
}

TEST(WorkerPool, TheLimitOfACellIsNotThatOfItsCompilation) {
  Collector collector;
  // The fake compiler takes longer than a cell may.
  EXPECT_EQ(run(collector, 1, {job("compile-slow", 0, {"hang"})}, {0.2, 600}), "");
  EXPECT_EQ(collector.compileCount, 1u);
  EXPECT_FALSE(collector.lost[0].whileCompiling);
}

TEST(WorkerPool, WhatTheProgramLeftRunningEndsWithItsWorker) {
  Collector collector;
  EXPECT_EQ(run(collector, 1, {job("a", 0, {"leave-child", "ok"})}), "");
  ASSERT_EQ(collector.lost.count(0), 1u);
  pid_t child = std::atoi(collector.lost[0].errorOutput.c_str());
  ASSERT_GT(child, 0);
  // It has been killed, and will be gone; at most its entry stays. Else this test never ends.
  while (kill(child, 0) == 0 && !isZombie(child))
    usleep(1000);
}

TEST(WorkerPool, AFailedCompilationIsReported) {
  Collector collector;
  EXPECT_EQ(run(collector, 1, {job("compile-fails", 0, {"ok", "ok"}), job("b", 2, {"ok"})}), "");
  EXPECT_THAT(collector.failed,
              UnorderedElementsAre(testing::Pair(0, "does not compile"), testing::Pair(1, "does not compile")));
  EXPECT_THAT(collector.doneIds(), ElementsAre(2));
}

TEST(WorkerPool, AWorkerThatDiedIdleIsReplaced) {
  Collector collector;
  EXPECT_EQ(run(collector, 1, {job("dies-idle", 0, {"ok"}), job("b", 1, {"ok"})}), "");
  EXPECT_THAT(collector.doneIds(), ElementsAre(0, 1));
}

TEST(WorkerPool, TheObserverCanStopTheRun) {
  Collector collector;
  collector.stopAfterLoss = true;
  EXPECT_EQ(run(collector, 1, {job("a", 0, {"abort", "ok"}), job("b", 2, {"ok"})}), "");
  EXPECT_EQ(collector.lost.size(), 1u);
  EXPECT_TRUE(collector.done.empty());
}

TEST(WorkerPool, AReplyOutOfOrderIsAnError) {
  Collector collector;
  EXPECT_THAT(run(collector, 1, {job("out-of-order", 0, {"ok"})}), HasSubstr("out of order"));
}

TEST(WorkerPool, NoJobsIsNoWork) {
  Collector collector;
  EXPECT_EQ(run(collector, 4, {}), "");
}

int main(int argc, char **argv) {
  if (argc == 2 && llvm::StringRef(argv[1]) == "worker")
    return fakeWorker();
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
