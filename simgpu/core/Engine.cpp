// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop that turns queued work into done work.

#include "simgpu/core/Engine.h"
#include "simgpu/core/Context.h"
#include "simgpu/core/FailureReach.h"
#include "simgpu/core/Vendor.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>

namespace lockstep::simgpu {

const char *operationKindName(OperationKind kind) {
  static const char *const names[] = {"copy",     "fill", "kernel", "host_function", "event_record", "event_wait",
                                      "allocate", "free", "empty",  "graph_begin",   "graph_end",    "graph_upload"};
  return names[static_cast<unsigned>(kind)];
}

Engine::~Engine() { assert(workers.empty() && "the owner stops the engine first"); }

void Engine::startWorkers(Lock &lock) {
  for (unsigned i = 0; i < scheduler->threadCount(); ++i)
    workers.emplace_back([this, mutex = lock.mutex()] { workerMain(*mutex); });
}

void Engine::stop(Lock &lock) {
  stopping = true;
  changed.notify_all();
  std::vector<std::thread> ending = std::move(workers);
  workers.clear();
  lock.unlock();
  for (std::thread &worker : ending)
    worker.join();
  lock.lock();
  changed.wait(lock, [this] { return runningCount == 0; });
  stopping = false;
}

/// Streams, graphs and contexts know their operations, so an operation that will not run (again) must not keep them.
static void letGo(Operation &operation) {
  operation.context = nullptr;
  operation.check = nullptr;
  operation.work = nullptr;
  operation.finish = nullptr;
}

void Engine::restart(Lock &lock, std::unique_ptr<Scheduler> newScheduler) {
  stop(lock);
  for (const auto &entry : pending)
    letGo(*entry.second);
  pending.clear();
  runnable.clear();
  trace.clear();
  lastId = 0;
  hostNs = 0;
  processFailure = Status::Success;
  scheduler = std::move(newScheduler);
  startWorkers(lock);
}

void Engine::submit(const OperationPtr &operation, const std::vector<OperationPtr> &prerequisites) {
  operation->id = ++lastId;
  hostNs += operation->hostCostNs;
  operation->submittedNs = hostNs;
  operation->startNs = hostNs;
  for (const OperationPtr &prerequisite : prerequisites) {
    if (!prerequisite)
      continue;
    operation->startNs = std::max(operation->startNs, prerequisite->endNs);
    std::vector<uint64_t> &dependents = prerequisite->dependents;
    bool isListed = !dependents.empty() && dependents.back() == operation->id; // Ids grow, so it would be the last.
    if (prerequisite->isDone() || isListed)
      continue;
    operation->prerequisites.push_back(prerequisite->id);
    dependents.push_back(operation->id);
    ++operation->unmetCount;
  }
  pending.emplace(operation->id, operation);
  if (operation->unmetCount == 0) {
    makeRunnable(*operation);
    changed.notify_all();
  }
}

std::unordered_set<uint64_t> Engine::closureOf(const std::vector<OperationPtr> &targets) const {
  std::unordered_set<uint64_t> closure;
  std::vector<uint64_t> open;
  for (const OperationPtr &target : targets)
    if (target && !target->isDone())
      open.push_back(target->id);
  while (!open.empty()) {
    uint64_t id = open.back();
    open.pop_back();
    auto found = pending.find(id);
    if (found == pending.end() || !closure.insert(id).second)
      continue;
    const std::vector<uint64_t> &more = found->second->prerequisites;
    open.insert(open.end(), more.begin(), more.end());
  }
  return closure;
}

void Engine::makeRunnable(const Operation &operation) {
  auto isOlder = [](const Operation *a, const Operation *b) { return a->id < b->id; };
  runnable.insert(std::upper_bound(runnable.begin(), runnable.end(), &operation, isOlder), &operation);
}

void Engine::runChosen(Lock &lock, size_t index) {
  OperationPtr operation = pending.at(runnable[index]->id);
  runnable.erase(runnable.begin() + static_cast<ptrdiff_t>(index));
  run(lock, std::move(operation));
}

void Engine::runUntilHostProceeds(Lock &lock, const Moment &moment) {
  if (scheduler->threadCount() > 0)
    return;
  scheduler->begin(moment);
  while (!runnable.empty()) {
    std::optional<size_t> choice = scheduler->choose(runnable, moment);
    if (!choice)
      return;
    runChosen(lock, *choice);
  }
}

void Engine::advance(Lock &lock) { runUntilHostProceeds(lock, Moment{}); }

void Engine::advanceQuery(Lock &lock, const std::vector<OperationPtr> &targets) {
  std::unordered_set<uint64_t> forced = closureOf(targets);
  runUntilHostProceeds(lock, Moment{Moment::Kind::Query, &forced});
}

void Engine::waitFor(Lock &lock, const std::vector<OperationPtr> &targets) {
  size_t doneCount = 0; // The targets before this one are done, and stay so.
  auto isOver = [&] {
    while (doneCount < targets.size() && (!targets[doneCount] || targets[doneCount]->isDone()))
      ++doneCount;
    return doneCount == targets.size();
  };
  std::unordered_set<uint64_t> forced = closureOf(targets);
  Moment moment{Moment::Kind::Synchronize, &forced};
  if (scheduler->threadCount() == 0 && !isOver())
    scheduler->begin(moment);
  while (!isOver()) {
    std::optional<size_t> choice;
    if (scheduler->threadCount() == 0 && !runnable.empty())
      choice = scheduler->choose(runnable, moment);
    if (choice)
      runChosen(lock, *choice);
    else // What the wait needs is running in another thread.
      changed.wait(lock);
  }
  for (const OperationPtr &target : targets)
    if (target)
      hostNs = std::max(hostNs, target->endNs);
}

void Engine::run(Lock &lock, OperationPtr operation) {
  assert(operation->unmetCount == 0 && operation->state == Operation::State::Pending);
  operation->state = Operation::State::Running;
  ++runningCount;
  Status broken = failureOf(*operation->context);
  Status status = broken;
  if (status == Status::Success && operation->check)
    status = operation->check();
  if (operation->work && (status == Status::Success || operation->runsAfterError)) {
    bool unlocks = operation->runsUnlocked || scheduler->threadCount() > 0;
    if (unlocks)
      lock.unlock();
    status = operation->work(status);
    if (unlocks)
      lock.lock();
  }
  if (operation->finish)
    operation->finish();
  if (status != Status::Success)
    fail(*operation->context, status);
  --runningCount;
  complete(operation);
}

Status Engine::failureOf(const Context &context) const {
  return processFailure != Status::Success ? processFailure : context.failure;
}

void Engine::fail(Context &context, Status status) {
  if (failureOf(context) != Status::Success)
    return;
  if (vendor().faultAborts && reachOf(status) != FailureReach::Call) {
    fprintf(stderr, "lockstep simulated GPU: the device failed with error %u, which ends the process on this driver\n",
            static_cast<unsigned>(status));
    abort();
  }
  switch (reachOf(status)) {
  case FailureReach::Call:
    return;
  case FailureReach::Process:
    processFailure = status;
    return;
  case FailureReach::ContextMemory:
    loseMemory(context);
    [[fallthrough]];
  case FailureReach::Context:
    context.failure = status;
    return;
  }
}

void Engine::complete(const OperationPtr &operation) {
  operation->endNs = operation->startNs + operation->costNs;
  trace.add(*operation);
  operation->state = Operation::State::Done;
  letGo(*operation);
  for (uint64_t id : operation->dependents) {
    const OperationPtr &dependent = pending.at(id);
    dependent->startNs = std::max(dependent->startNs, operation->endNs);
    if (--dependent->unmetCount == 0)
      makeRunnable(*dependent);
  }
  operation->dependents.clear();
  pending.erase(operation->id);
  changed.notify_all();
}

std::vector<OperationPtr> Engine::pendingOf(const Context &context) const {
  std::vector<OperationPtr> list;
  for (const auto &entry : pending)
    if (entry.second->context.get() == &context)
      list.push_back(entry.second);
  return list;
}

static bool isWork(OperationKind kind) {
  switch (kind) {
  case OperationKind::Copy:
  case OperationKind::Fill:
  case OperationKind::Kernel:
  case OperationKind::HostFunction:
    return true;
  default:
    return false;
  }
}

std::vector<OperationPtr> Engine::pendingWork() const {
  std::vector<OperationPtr> list;
  for (const auto &entry : pending)
    if (isWork(entry.second->kind))
      list.push_back(entry.second);
  return list;
}

void Engine::workerMain(std::mutex &mutex) {
  Lock lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return stopping || !runnable.empty(); });
    if (stopping)
      return;
    if (std::optional<size_t> choice = scheduler->choose(runnable, Moment{}))
      runChosen(lock, *choice);
  }
}

} // namespace lockstep::simgpu
