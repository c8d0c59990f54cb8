// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_RUNPLAN_H
#define LOCKSTEP_HARNESS_RUNPLAN_H

#include "harness/Backends.h"
#include "harness/CellMatrix.h"
#include "harness/RunCommand.h"

namespace lockstep::harness {

/// What a run will do: every option read and checked, every program parsed, every driver tried.
struct RunPlan {
  CellMatrix matrix;
  reports::RunDescription description;
  size_t workerCount = 1;
};

/// Fails with usage errors and environment errors; nothing has run or been written then.
llvm::Expected<RunPlan> makeRunPlan(const RunOptions &options);

/// Starts a worker that loads the backend's library over a driver and says what it is. Fails with an environment error
/// where a driver is not usable.
llvm::Expected<ProbeReply> probeDriver(const Backend &backend, const Driver &driver);

/// The command that runs one cell alone.
std::string reproCommand(const RunOptions &options, const CellMatrix &matrix, const Cell &cell);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_RUNPLAN_H
