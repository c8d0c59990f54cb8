// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a task to the operation that does it.

#include "simgpu/core/Task.h"

#include "simgpu/core/CopyApi.h"
#include "simgpu/core/CostModel.h"
#include "simgpu/core/HostFunctionApi.h"
#include "simgpu/core/MemoryApi.h"
#include "simgpu/core/ModuleApi.h"

#include <array>

namespace lockstep::simgpu {

static const char *nameOf(Place place) {
  static const char *const names[] = {"pageable", "pinned", "managed", "device"};
  return names[static_cast<unsigned>(place)];
}

const char *taskName(const Task &task) {
  static constexpr std::array<const char *, std::variant_size_v<Task>> names = {
      "an empty node",   "a copy",        "a fill",        "a kernel", "a host function",
      "an event record", "an event wait", "an allocation", "a free",   "a child graph"};
  return names[task.index()];
}

namespace {
/// One overload for each kind of task.
struct Equipper {
  Machine &machine;
  Operation &operation;

  void describe(OperationKind kind, std::string detail, uint64_t sizeBytes) const {
    operation.kind = kind;
    operation.detail = std::move(detail);
    operation.sizeBytes = sizeBytes;
    operation.costNs = costOf(kind, sizeBytes);
  }

  void operator()(const EmptyTask &) const { describe(OperationKind::Empty, "", 0); }

  void operator()(const CopyTask &task) const {
    describe(OperationKind::Copy, std::string(nameOf(task.source.place)) + " to " + nameOf(task.destination.place),
             task.extent.sizeBytes());
    checkWhenRun(machine, operation, {task.destination.allocation, task.source.allocation});
    operation.work = [&memory = machine.memory, to = task.destination.region, from = task.source.region,
                      extent = task.extent](Status) {
      copyRegion(memory, to, from, extent);
      return Status::Success;
    };
  }

  void operator()(const FillTask &task) const {
    describe(OperationKind::Fill, nameOf(task.destination.place), task.extent.sizeBytes());
    checkWhenRun(machine, operation, {task.destination.allocation});
    operation.work = [&memory = machine.memory, task](Status) {
      fillRegion(memory, task);
      return Status::Success;
    };
  }

  void operator()(const KernelTask &task) const {
    describe(OperationKind::Kernel, task.function->name, task.size.threadsPerBlock() * task.size.blockCount());
    checkWhenRun(machine, operation, task.used);
    bool hasLock = machine.engine.getScheduler().threadCount() == 0;
    operation.work = [&machine = machine, task, call = operation.call, op = operation.op, hasLock](Status) {
      return runKernel(machine, task, call, op, hasLock);
    };
  }

  void operator()(const HostTask &task) const {
    describe(OperationKind::HostFunction, "", 0);
    setHostWork(operation, [task](Status) { task.function(task.data); });
  }

  void operator()(const EventRecordTask &task) const {
    describe(OperationKind::EventRecord, HandleTable::shortName(task.event->handle), 0);
  }
  void operator()(const EventWaitTask &task) const {
    describe(OperationKind::EventWait, HandleTable::shortName(task.event->handle), 0);
  }
  void operator()(const AllocateTask &) const { describe(OperationKind::Allocate, "", 0); }
  void operator()(const FreeTask &) const { describe(OperationKind::Free, "", 0); }
  void operator()(const ChildGraphTask &) const { describe(OperationKind::Empty, "", 0); }
};
} // namespace

void equip(Machine &machine, Operation &operation, const Task &task) { std::visit(Equipper{machine, operation}, task); }

} // namespace lockstep::simgpu
