// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed handles. A handle is a number that is never a valid address: a mark, the kind of object, the count of resets
// and a serial number that is not used again until the next reset. So a handle of the wrong kind, a destroyed one, one
// of before the last reset and a number that was never a handle are told apart, whatever a program does with them.
//
// Not thread safe; the machine's lock guards it.

#ifndef LOCKSTEP_SIMGPU_CORE_HANDLES_H
#define LOCKSTEP_SIMGPU_CORE_HANDLES_H

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace lockstep::simgpu {

enum class HandleKind : uint8_t {
  Context = 1,
  Stream,
  Event,
  Module,
  Function,
  MemoryPool,
  Library,
  Kernel,
  Graph,
  GraphNode,
  GraphExec,
  UserObject,
};
inline constexpr unsigned handleKindEnd = 13;

/// "a stream", with the article.
const char *handleKindName(HandleKind kind);

/// Base of everything a handle can name.
class HandleObject {
public:
  virtual ~HandleObject();
  uint64_t handle = 0; ///< Set by HandleTable::create; stays after the object's destruction through the API.
};

class HandleTable {
public:
  enum class Problem { None, Null, NotAHandle, Stale, WrongKind, Destroyed };
  struct Lookup {
    std::shared_ptr<HandleObject> object; ///< Null where there is a problem.
    Problem problem;
  };

  /// Forgets all objects; every handle given out before is stale from now on.
  void reset();
  uint64_t create(HandleKind kind, std::shared_ptr<HandleObject> object);
  /// After this the handle counts as destroyed. It must be live.
  void destroy(uint64_t handle);
  Lookup lookup(uint64_t handle, HandleKind expected) const;
  /// What a person is told about any number given as a handle: "a stream (S3)", "an event that was destroyed (E2)".
  std::string describe(uint64_t handle) const;
  /// "S3": kind letter and serial number. The handle must be one of this table's.
  static std::string shortName(uint64_t handle);
  void forEach(HandleKind kind, const std::function<void(HandleObject &)> &visit) const;

private:
  std::array<std::map<uint32_t, std::shared_ptr<HandleObject>>, handleKindEnd> live;
  std::array<uint32_t, handleKindEnd> lastSerial{};
  uint32_t epoch = 0;
};

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_HANDLES_H
