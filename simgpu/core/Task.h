// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task is what one operation does, without where and when: its arguments, judged and copied. A stream runs a task
// once; a graph node keeps one and runs it at each launch. Copies of a task share what is large.
//
// The machine's lock guards the objects that tasks refer to.

#ifndef LOCKSTEP_SIMGPU_CORE_TASK_H
#define LOCKSTEP_SIMGPU_CORE_TASK_H

#include "simgpu/core/Context.h"
#include "simgpu/core/Memory.h"
#include "simgpu/core/Module.h"

#include <string>
#include <variant>
#include <vector>

namespace lockstep::simgpu {

class Machine;
struct Graph;
struct GraphMemory;

/// What a call says about one side of a copy.
enum class Side : uint8_t { Unified, Host, Device };

/// What memory a side turned out to be.
enum class Place : uint8_t { Pageable, Pinned, Managed, Device };

/// One side: `depth` slices of `height` rows of `width` bytes.
struct Region {
  uint64_t address = 0;
  Side side = Side::Unified;
  uint64_t rowPitchBytes = 0;   ///< 0 where there is one row.
  uint64_t slicePitchBytes = 0; ///< 0 where there is one slice.
};

struct Extent {
  uint64_t widthBytes = 0;
  uint64_t height = 1;
  uint64_t depth = 1;

  uint64_t sizeBytes() const { return widthBytes * height * depth; }
  bool isLinear() const { return height == 1 && depth == 1; }
};

/// One side of a copy or fill as the driver sees it.
struct Endpoint {
  Region region;
  Place place = Place::Pageable;
  AllocationPtr allocation; ///< Null for pageable memory.

  bool isHost() const { return place == Place::Pageable || place == Place::Pinned; }
};

struct EmptyTask {};

struct CopyTask {
  Endpoint destination, source;
  Extent extent;
};

struct FillTask {
  Endpoint destination;
  Extent extent;
  uint32_t value = 0;
  uint32_t elementBytes = 1;
};

/// A copy of all arguments of a kernel, laid out as its parameters say.
struct KernelArguments {
  std::vector<char> packed;
  std::vector<void *> pointers; ///< Into `packed`, one for each parameter.
};

struct KernelTask {
  std::shared_ptr<LoadedFunction> function;
  LaunchSize size{};
  std::shared_ptr<const KernelArguments> arguments;
  std::vector<AllocationPtr> used; ///< What pointer-sized arguments point into.
};

struct HostTask {
  void (*function)(void *) = nullptr;
  void *data = nullptr;
};

struct EventRecordTask {
  std::shared_ptr<Event> event;
};

struct EventWaitTask {
  std::shared_ptr<Event> event;
};

struct AllocateTask {
  std::shared_ptr<GraphMemory> memory;
};

struct FreeTask {
  std::shared_ptr<GraphMemory> memory;
};

struct ChildGraphTask {
  std::shared_ptr<Graph> graph; ///< Owned by the node.
};

using Task = std::variant<EmptyTask, CopyTask, FillTask, KernelTask, HostTask, EventRecordTask, EventWaitTask,
                          AllocateTask, FreeTask, ChildGraphTask>;

/// "a copy", with the article.
const char *taskName(const Task &task);

/// Whether the task is judged for an operation that is queued by this call, or for a node that runs at later launches:
/// memory of a graph need not be allocated yet where a node uses it.
enum class Use : uint8_t { Now, InGraph };

/// Gives `operation` the kind, the cost and the work of `task`. `call` and `op` of the operation must be set: findings
/// name them. Tasks of graphs alone (allocate, free, child graph) are the launch's own business.
void equip(Machine &machine, Operation &operation, const Task &task);

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_TASK_H
