// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executable graphs: instantiation, launch, and changes of parameters; async-semantics 5.6. Every function is one
// driver call's body; see Call.h. Instantiation, launch and update are linear in nodes and edges, apart from the order
// of nodes at instantiation (n log n).

#ifndef LOCKSTEP_SIMGPU_CORE_GRAPHEXECAPI_H
#define LOCKSTEP_SIMGPU_CORE_GRAPHEXECAPI_H

#include "simgpu/core/GraphApi.h"

namespace lockstep::simgpu {

/// Copies the graph. Where it has a cycle: InvalidValue, a finding, and `cyclic` is set to a node of the cycle.
Status instantiateGraph(Call &call, uint64_t graph, uint64_t flags, bool freesOnLaunch, uint64_t &exec,
                        uint64_t &cyclic);
/// Never waits: launches that were queued complete.
Status destroyExec(Call &call, uint64_t exec);
Status getExecFlags(Call &call, uint64_t exec, uint64_t &flags);

/// Queues every node with the parameters that it has now. The launch waits for the stream and for earlier launches of
/// the same instance; the stream's later work waits for all of it.
Status launchGraph(Call &call, uint64_t exec, uint64_t stream);
Status uploadGraph(Call &call, uint64_t exec, uint64_t stream);

/// Later launches run `task` in place of what the node did; the graph itself is left alone. The task must be of the
/// same kind, else InvalidValue and a finding, and within the documented limits, else InvalidValue.
Status setExecTask(Call &call, uint64_t exec, uint64_t node, Task task, std::shared_ptr<Context> context);
/// Parameters of all nodes in the child graph at `node`, from `child`.
Status setExecChildGraph(Call &call, uint64_t exec, uint64_t node, uint64_t child);
/// Kernels, copies and fills only.
Status setEnabled(Call &call, uint64_t exec, uint64_t node, bool isEnabled);
Status getEnabled(Call &call, uint64_t exec, uint64_t node, bool &isEnabled);

/// Why an update was refused, in the numbers of the CUDA Driver API.
enum class UpdateProblem : uint32_t {
  None = 0,
  Error = 1,
  Topology = 2,
  NodeType = 3,
  Parameters = 5,
  NotSupported = 6,
  Function = 7,
};

struct UpdateResult {
  UpdateProblem problem = UpdateProblem::None;
  uint64_t node = 0; ///< Of the new graph, where the problem is one node's.
  uint64_t from = 0; ///< The dependency that does not match, where that is the problem.
};

/// The nodes, each behind its dependencies and otherwise in order of creation (Kahn's algorithm). Where there is a
/// cycle, `cyclic` is a node in it or behind it, else null.
std::vector<const GraphNode *> sortNodes(const Graph &graph, const GraphNode *&cyclic);

/// Gives the instance the parameters of a graph of the same shape; GraphUpdateFailed where that cannot be done, and
/// then nothing was changed, or the nodes before the failing one (HIP-8).
Status updateExec(Call &call, uint64_t exec, uint64_t graph, UpdateResult &result);

/// Whether an instance may go over from one task of a kind to another, by setting parameters (`isSetter`) or update.
UpdateProblem compareTasks(Machine &machine, const Task &now, const Task &wanted, bool isSetter);
/// Pairs the nodes of `graph` with those of `level` and, where all fit, gives them their tasks.
UpdateResult updateLevel(Machine &machine, ExecGraph &level, const Graph &graph);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_GRAPHEXECAPI_H
