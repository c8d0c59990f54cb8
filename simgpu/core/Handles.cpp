// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout of a handle, from the top: 8 bits mark, 8 bits kind, 16 bits epoch, 32 bits serial. The mark makes the number
// a non-canonical address, so that a program which follows a handle as a pointer faults at once.

#include "simgpu/core/Handles.h"

#include <cassert>
#include <cstdio>

namespace lockstep::simgpu {

static constexpr uint64_t handleMark = 0x4C;
static constexpr uint32_t epochMask = 0xFFFF;

static uint64_t markOf(uint64_t handle) { return handle >> 56; }
static unsigned kindOf(uint64_t handle) { return (handle >> 48) & 0xFF; }
static uint32_t epochOf(uint64_t handle) { return (handle >> 32) & epochMask; }
static uint32_t serialOf(uint64_t handle) { return static_cast<uint32_t>(handle); }
static bool looksLikeHandle(uint64_t handle) {
  return markOf(handle) == handleMark && kindOf(handle) > 0 && kindOf(handle) < handleKindEnd;
}

HandleObject::~HandleObject() = default;

const char *handleKindName(HandleKind kind) {
  switch (kind) {
  case HandleKind::Context:
    return "a context";
  case HandleKind::Stream:
    return "a stream";
  case HandleKind::Event:
    return "an event";
  case HandleKind::Module:
    return "a module";
  case HandleKind::Function:
    return "a kernel function";
  case HandleKind::MemoryPool:
    return "a memory pool";
  case HandleKind::Library:
    return "a library";
  case HandleKind::Kernel:
    return "a kernel of a library";
  case HandleKind::Graph:
    return "a graph";
  case HandleKind::GraphNode:
    return "a node of a graph";
  case HandleKind::GraphExec:
    return "an executable graph";
  case HandleKind::UserObject:
    return "a user object";
  }
  return "an unknown object";
}

void HandleTable::reset() {
  for (auto &objects : live)
    objects.clear();
  lastSerial.fill(0);
  epoch = (epoch + 1) & epochMask;
}

uint64_t HandleTable::create(HandleKind kind, std::shared_ptr<HandleObject> object) {
  unsigned index = static_cast<unsigned>(kind);
  uint32_t serial = ++lastSerial[index];
  uint64_t handle = handleMark << 56 | uint64_t(index) << 48 | uint64_t(epoch) << 32 | serial;
  object->handle = handle;
  live[index].emplace(serial, std::move(object));
  return handle;
}

void HandleTable::destroy(uint64_t handle) {
  [[maybe_unused]] size_t erased = live[kindOf(handle)].erase(serialOf(handle));
  assert(erased == 1 && "destroying a handle that is not live");
}

HandleTable::Lookup HandleTable::lookup(uint64_t handle, HandleKind expected) const {
  if (handle == 0)
    return {nullptr, Problem::Null};
  if (!looksLikeHandle(handle))
    return {nullptr, Problem::NotAHandle};
  if (epochOf(handle) != epoch)
    return {nullptr, Problem::Stale};
  if (kindOf(handle) != static_cast<unsigned>(expected))
    return {nullptr, Problem::WrongKind};
  auto found = live[kindOf(handle)].find(serialOf(handle));
  if (found == live[kindOf(handle)].end())
    return {nullptr, serialOf(handle) <= lastSerial[kindOf(handle)] ? Problem::Destroyed : Problem::NotAHandle};
  return {found->second, Problem::None};
}

std::string HandleTable::describe(uint64_t handle) const {
  if (handle == 0)
    return "null";
  if (!looksLikeHandle(handle)) {
    char text[32];
    snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(handle));
    return std::string("not a handle (") + text + ")";
  }
  HandleKind kind = static_cast<HandleKind>(kindOf(handle));
  std::string name = std::string(handleKindName(kind));
  if (epochOf(handle) != epoch)
    return name + " of before the last reset (" + shortName(handle) + ")";
  switch (lookup(handle, kind).problem) {
  case Problem::None:
    return name + " (" + shortName(handle) + ")";
  case Problem::Destroyed:
    return name + " that was destroyed (" + shortName(handle) + ")";
  default:
    return "not a handle, though it looks like " + name;
  }
}

std::string HandleTable::shortName(uint64_t handle) {
  static const char letters[] = "?CSEMFPLKGNXU";
  return letters[kindOf(handle)] + std::to_string(serialOf(handle));
}

void HandleTable::forEach(HandleKind kind, const std::function<void(HandleObject &)> &visit) const {
  for (const auto &entry : live[static_cast<unsigned>(kind)])
    visit(*entry.second);
}

} // namespace lockstep::simgpu
