// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scenario with its loops unrolled and its branches taken: what really happens, once for each time.

#ifndef LOCKSTEP_HARNESS_SCENARIO_EXECUTION_H
#define LOCKSTEP_HARNESS_SCENARIO_EXECUTION_H

#include "harness/scenario/Dag.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::scenario {

/// One execution of an operation, host wait or host update. Its slices name memories, not buffers, and have the loop's
/// advance in their offsets.
struct Instance {
  const DeviceOp *op = nullptr; ///< Null for a wait and for a host update.
  bool isHostUpdate = false;
  std::vector<size_t> after; ///< Instances that it comes after. The host's order is part of it.
  uint64_t iteration = 0;    ///< Of the innermost loop around.
  uint32_t salt = 0;         ///< With what the loops around add.
  uint32_t memory = 0;       ///< Alloc, Dealloc.
  Slice target = {};
  std::vector<Slice> sources = {};
};

/// Instances in the order in which the host issues them; each comes after earlier ones only. Borrows from the
/// scenario.
struct Execution {
  const Dag *dag = nullptr;
  std::vector<Instance> instances;
  /// The buffer of each memory: the buffers themselves come first, and each further allocation of one is a memory of
  /// its own.
  std::vector<BufferId> memories;
};

Execution unroll(const Dag &dag);

/// Two instances that use overlapping words, one of them writing, with no path between them; as a sentence. Such a
/// scenario has no definite result. None in what DagBuilder makes.
std::optional<std::string> findUnordered(const Execution &execution);

/// The contents of each host buffer at the end, all instances executed in `order`, which must be one that `after`
/// allows; empty for device buffers. This is the reference: it shares no code with lowerings, runtime or simulator.
std::vector<std::vector<uint32_t>> evaluate(const Execution &execution, const std::vector<size_t> &order);

/// The same in the host's order.
std::vector<std::vector<uint32_t>> evaluate(const Execution &execution);

} // namespace lockstep::scenario

#endif // LOCKSTEP_HARNESS_SCENARIO_EXECUTION_H
