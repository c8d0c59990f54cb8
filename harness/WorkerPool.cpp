// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/WorkerPool.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <csignal>
#include <poll.h>

using namespace lockstep::harness;

/// How long the loop sleeps at most, so that progress and time limits are looked at.
static constexpr int kPollMs = 50;

PoolObserver::~PoolObserver() = default;

std::string lockstep::harness::secondsText(double seconds) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", seconds);
  return text;
}

WorkerPool::WorkerPool(size_t workerCount, TimeLimits limits, PoolObserver &observer)
    : limits(limits), observer(observer), slots(std::max<size_t>(1, workerCount)) {}

WorkerPool::~WorkerPool() = default;

llvm::Error WorkerPool::run(std::vector<JobRequest> jobs) {
  // Writing to a worker that just died must give an error, not end this process.
  std::signal(SIGPIPE, SIG_IGN);
  queue.assign(std::make_move_iterator(jobs.begin()), std::make_move_iterator(jobs.end()));
  while (!observer.shouldStop()) {
    if (llvm::Error error = assignJobs())
      return error;
    if (!isBusy())
      return llvm::Error::success();
    poll();
    for (Slot &slot : slots)
      if (slot.job)
        if (llvm::Error error = receive(slot))
          return error;
    checkLimits();
    observer.tick();
  }
  slots.clear();
  return llvm::Error::success();
}

bool WorkerPool::isBusy() const {
  return llvm::any_of(slots, [](const Slot &slot) { return slot.job.has_value(); });
}

llvm::Error WorkerPool::assignJobs() {
  for (Slot &slot : slots) {
    if (slot.job || queue.empty())
      continue;
    JobRequest job = std::move(queue.front());
    queue.pop_front();
    if (llvm::Error error = assign(slot, std::move(job)))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error WorkerPool::assign(Slot &slot, JobRequest job) {
  // A wrong program's late copy may have hit what belongs to the next one: that gets a process of its own.
  if (slot.process && (slot.backend != job.backend || slot.driver != job.driver || slot.isSuspect))
    slot.process.reset();
  if (!slot.process) {
    llvm::Expected<std::unique_ptr<WorkerProcess>> process = WorkerProcess::start();
    if (!process)
      return process.takeError();
    slot.process = std::move(*process);
    slot.backend = job.backend;
    slot.driver = job.driver;
    slot.isFresh = true;
    slot.isSuspect = false;
  }
  slot.isCompiled = false;
  slot.isTracing = false;
  slot.isInCell = false;
  slot.phaseStart = Clock::now();
  slot.job = std::move(job);
  // A worker that cannot be written to is dead; reading from it will say so and how.
  llvm::consumeError(slot.process->send(*slot.job));
  return llvm::Error::success();
}

void WorkerPool::poll() {
  std::vector<pollfd> descriptors;
  for (const Slot &slot : slots)
    if (slot.job)
      descriptors.push_back({slot.process->replyFd(), POLLIN, 0});
  ::poll(descriptors.data(), descriptors.size(), kPollMs);
}

llvm::Error WorkerPool::receive(Slot &slot) {
  std::vector<Reply> replies;
  llvm::Expected<bool> isOpen = slot.process->receive(replies);
  if (!isOpen)
    return isOpen.takeError();
  for (Reply &reply : replies)
    if (llvm::Error error = handle(slot, std::move(reply)))
      return error;
  if (!*isOpen && slot.job)
    handleLoss(slot, Loss::Died);
  else if (!*isOpen)
    slot.process.reset();
  return llvm::Error::success();
}

llvm::Error WorkerPool::handle(Slot &slot, Reply reply) {
  if (!slot.job)
    return llvm::createStringError("a worker process spoke while it had no job");
  slot.phaseStart = Clock::now();
  if (auto *compiled = std::get_if<CompiledReply>(&reply)) {
    slot.isCompiled = true;
    observer.compiled(*slot.job, compiled->durationMs);
  } else if (auto *failed = std::get_if<CompileFailedReply>(&reply)) {
    observer.compileFailed(*slot.job, failed->message);
    slot.job.reset();
  } else if (std::holds_alternative<TraceStartedReply>(reply)) {
    slot.isTracing = true;
  } else if (std::holds_alternative<TraceDoneReply>(reply)) {
    slot.isTracing = false;
  } else if (std::holds_alternative<CellStartedReply>(reply)) {
    slot.isInCell = true;
  } else if (auto *done = std::get_if<CellDoneReply>(&reply)) {
    if (slot.job->cells.empty() || slot.job->cells.front().id != done->id)
      return llvm::createStringError("a worker process reported a cell out of order");
    slot.isInCell = false;
    slot.isSuspect |= !done->findings.empty();
    slot.job->cells.erase(slot.job->cells.begin());
    observer.cellDone(*done);
  } else if (std::holds_alternative<JobDoneReply>(reply)) {
    if (!slot.job->cells.empty())
      return llvm::createStringError("a worker process left cells out");
    slot.job.reset();
    slot.isFresh = false;
  } else {
    return llvm::createStringError("a worker process sent a reply that belongs to another request");
  }
  return llvm::Error::success();
}

double WorkerPool::limitSeconds(const Slot &slot) const {
  return slot.isCompiled ? limits.cellSeconds : limits.compileSeconds;
}

std::string WorkerPool::lossReason(const Slot &slot, Loss loss, const std::string &end) const {
  switch (loss) {
  case Loss::Died:
    return end;
  case Loss::TimedOut:
    return "no end after " + secondsText(limitSeconds(slot)) + " s";
  case Loss::WroteTooMuch:
    return llvm::formatv("it wrote more than {0} MiB", kOutputBytesMax >> 20).str();
  }
  return end;
}

void WorkerPool::handleLoss(Slot &slot, Loss loss) {
  std::chrono::duration<double, std::milli> duration = Clock::now() - slot.phaseStart;
  if (loss != Loss::Died)
    slot.process->kill();
  std::string end = slot.process->waitForEnd();
  LostCell lost;
  lost.isTimeout = loss == Loss::TimedOut;
  lost.reason = lossReason(slot, loss, end);
  lost.whileCompiling = !slot.isCompiled;
  lost.output = slot.process->readOutput();
  lost.errorOutput = slot.process->readErrorOutput();
  lost.durationMs = duration.count();
  JobRequest job = std::move(*slot.job);
  bool wasTracing = slot.isTracing;
  bool mayBeOldFault = (lost.whileCompiling || wasTracing) && loss == Loss::Died && !slot.isFresh;
  slot.job.reset();
  slot.process.reset();
  // What an earlier program did to its worker, or left running in it, must not be blamed on this one.
  if (mayBeOldFault)
    return queue.push_front(std::move(job));
  // The cells may come to their end all the same: they are run without what the trace was to tell.
  if (wasTracing) {
    job.untracedReason = "the traced run of the program ended early: " + lost.reason;
    return queue.push_front(std::move(job));
  }
  // Compiling again would end in the same way, so all cells are lost then; else the first one is.
  size_t lostCount = lost.whileCompiling ? job.cells.size() : std::min<size_t>(1, job.cells.size());
  for (size_t i = 0; i < lostCount; ++i) {
    lost.id = job.cells[i].id;
    observer.cellLost(lost);
  }
  job.cells.erase(job.cells.begin(), job.cells.begin() + lostCount);
  if (!job.cells.empty())
    queue.push_front(std::move(job));
}

void WorkerPool::checkLimits() {
  for (Slot &slot : slots) {
    if (!slot.job)
      continue;
    std::chrono::duration<double> duration = Clock::now() - slot.phaseStart;
    if (duration.count() > limitSeconds(slot))
      handleLoss(slot, Loss::TimedOut);
    else if (slot.process->outputBytes() > kOutputBytesMax)
      handleLoss(slot, Loss::WroteTooMuch);
  }
}
