// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One piece of work on the simulated device. An operation is queued by a driver call and run later, when the scheduler
// chooses it. It is runnable once all its prerequisites are done.
//
// Owned by shared pointers: the engine keeps it until it is done, streams and events keep it to ask whether it is.
// The machine's lock guards all fields; `work` alone may run without the lock.

#ifndef LOCKSTEP_SIMGPU_CORE_OPERATION_H
#define LOCKSTEP_SIMGPU_CORE_OPERATION_H

#include "simgpu/core/Status.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::simgpu {

struct Context;

enum class OperationKind : uint8_t {
  Copy,
  Fill,
  Kernel,
  HostFunction,
  EventRecord,
  EventWait,
  Allocate,
  Free,
  Empty,
  GraphBegin, ///< Before all nodes of one launch of a graph.
  GraphEnd,   ///< After them.
  GraphUpload,
};

const char *operationKindName(OperationKind kind);

struct Operation {
  enum class State : uint8_t { Pending, Running, Done };

  uint64_t id = 0; ///< Counts submissions since the last reset, from 1.
  OperationKind kind = OperationKind::Copy;
  State state = State::Pending;
  bool runsUnlocked = false;        ///< `work` is foreign code that may call back or block: run it without the lock.
  bool runsAfterError = false;      ///< `work` runs even when the context has failed.
  std::shared_ptr<Context> context; ///< Null once done.
  uint32_t streamAge = 0;           ///< Counts streams in order of creation: the scheduler's notion of "newest".
  uint32_t nodeNumber = 0; ///< Counts the nodes of a graph, where the operation is one: "newest" within a launch.
  std::string stream;      ///< Name for people: "S3", "legacy".
  std::string detail;      ///< Kernel name or direction of the copy; equal in every run, so no address.
  std::string call;        ///< The driver call that queued it.
  std::string op;          ///< The program's op, as given by lockstepSimSetOp.
  uint64_t sizeBytes = 0;  ///< Bytes moved, or threads of a kernel: enters the trace and the cost.
  uint64_t costNs = 0;     ///< Duration on the virtual clock.
  uint64_t hostCostNs = 0; ///< What queueing it costs the host on that clock.
  uint64_t submittedNs = 0, startNs = 0, endNs = 0;

  std::function<Status()> check;      ///< With the lock: judges the arguments as they are when the operation runs.
  std::function<Status(Status)> work; ///< Gets the state of its context; a failure breaks the context.
  std::function<void()> finish;       ///< With the lock, after `work`, in every case.

  std::vector<uint64_t> prerequisites; ///< Operations that were not done at submission.
  std::vector<uint64_t> dependents;
  uint32_t unmetCount = 0;

  bool isDone() const { return state == State::Done; }
};

using OperationPtr = std::shared_ptr<Operation>;

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_OPERATION_H
