// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// User objects: references that the program, graphs and instances hold.

#include "simgpu/core/GraphApi.h"
#include "simgpu/core/HostFunctionApi.h"

#include <climits>

namespace lockstep::simgpu {

static Status checkCount(Call &call, uint64_t count) {
  if (count > 0 && count <= INT_MAX)
    return Status::Success;
  return call.report(Status::InvalidValue, "errors", "GRAPH-16", "a count of references that is 0 or too large");
}

Status createUserObject(Call &call, void *data, void (*destroy)(void *), uint64_t count, uint64_t &handle) {
  Status status = checkCount(call, count);
  if (status != Status::Success)
    return status;
  if (!destroy)
    return call.report(Status::InvalidValue, "errors", "GRAPH-16", "argument destroy is null");
  auto object = std::make_shared<UserObject>();
  object->data = data;
  object->destroy = destroy;
  object->referenceCount = object->callerCount = count;
  handle = call.machine.handles.create(HandleKind::UserObject, object);
  return Status::Success;
}

static void drop(Machine &machine, const std::shared_ptr<Context> &context, UserObject &object, uint64_t count) {
  object.referenceCount -= count;
  if (object.referenceCount > 0)
    return;
  machine.handles.destroy(object.handle);
  auto operation = std::make_shared<Operation>();
  operation->kind = OperationKind::HostFunction;
  operation->context = context;
  operation->stream = HandleTable::shortName(object.handle);
  operation->detail = "destroy user object";
  operation->runsAfterError = true;
  setHostWork(*operation, [data = object.data, destroy = object.destroy](Status) { destroy(data); });
  machine.engine.submit(operation, {});
}

/// The object and its context, where the counts are in order.
static std::shared_ptr<UserObject> resolveObject(Call &call, uint64_t handle, uint64_t count, Status &status) {
  if ((status = checkCount(call, count)) != Status::Success)
    return nullptr;
  return call.resolve<UserObject>(handle, HandleKind::UserObject, "object", status);
}

static Status refuseTooMany(Call &call) {
  return call.report(Status::InvalidValue, "lifetime", "GRAPH-16", "more references than the holder has");
}

Status retainUserObject(Call &call, uint64_t handle, uint64_t count) {
  Status status;
  if (auto object = resolveObject(call, handle, count, status)) {
    object->referenceCount += count;
    object->callerCount += count;
  }
  return status;
}

Status releaseUserObject(Call &call, uint64_t handle, uint64_t count) {
  Status status;
  auto object = resolveObject(call, handle, count, status);
  if (!object)
    return status;
  if (object->callerCount < count)
    return refuseTooMany(call);
  object->callerCount -= count;
  drop(call.machine, call.context, *object, count);
  return Status::Success;
}

Status retainForGraph(Call &call, uint64_t graphHandle, uint64_t handle, uint64_t count, bool isMoved) {
  Status status;
  auto graph = call.resolve<Graph>(graphHandle, HandleKind::Graph, "graph", status);
  if (!graph)
    return status;
  auto object = resolveObject(call, handle, count, status);
  if (!object)
    return status;
  if (isMoved && object->callerCount < count)
    return refuseTooMany(call);
  if (isMoved)
    object->callerCount -= count;
  else
    object->referenceCount += count;
  graph->userObjects[object] += count;
  return Status::Success;
}

Status releaseForGraph(Call &call, uint64_t graphHandle, uint64_t handle, uint64_t count) {
  Status status;
  auto graph = call.resolve<Graph>(graphHandle, HandleKind::Graph, "graph", status);
  if (!graph)
    return status;
  auto object = resolveObject(call, handle, count, status);
  if (!object)
    return status;
  auto held = graph->userObjects.find(object);
  if (held == graph->userObjects.end() || held->second < count)
    return refuseTooMany(call);
  held->second -= count;
  if (held->second == 0)
    graph->userObjects.erase(held);
  drop(call.machine, call.context, *object, count);
  return Status::Success;
}

void holdReferences(UserReferences &holder, const UserReferences &references) {
  for (const auto &[object, count] : references) {
    object->referenceCount += count;
    holder[object] += count;
  }
}

void dropReferences(Machine &machine, const std::shared_ptr<Context> &context, UserReferences &references) {
  for (const auto &[object, count] : references)
    drop(machine, context, *object, count);
  references.clear();
}

} // namespace lockstep::simgpu
