// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts, streams and events of the simulated device. Plain data; the functions that act on them are in Submit.h and
// Machine.h. The machine's lock guards all of it.

#ifndef LOCKSTEP_SIMGPU_CORE_CONTEXT_H
#define LOCKSTEP_SIMGPU_CORE_CONTEXT_H

#include "simgpu/core/Handles.h"
#include "simgpu/core/Operation.h"

#include <map>
#include <vector>

namespace lockstep::simgpu {

struct EventCapture;
struct Stream;
struct StreamCapture;

struct Context : HandleObject {
  int deviceOrdinal = 0;
  bool isPrimary = false;
  bool isDestroyed = false;
  unsigned flags = 0;               ///< The facade's, as given.
  Status failure = Status::Success; ///< Sticky, of this context alone; Engine::failureOf knows what holds for it.
  std::shared_ptr<Stream> legacyStream;
  std::map<uint64_t, std::shared_ptr<Stream>> perThreadStreams; ///< By the number of the thread.
  /// CU_CTX_SYNC_MEMOPS: every synchronous copy and fill waits. HIP has no such flag.
  bool waitsForMemoryOperations() const { return (flags & 0x80) != 0; }

  /// All blocking and non-blocking streams, the per-thread ones included. A destroyed stream stays until its last
  /// operation is done, because that operation still counts for the legacy stream and for a wait on the context.
  std::vector<std::shared_ptr<Stream>> streams;
};

struct Stream : HandleObject {
  enum class Kind : uint8_t { Legacy, PerThread, Created };
  Kind kind = Kind::Created;
  bool isBlocking = true; ///< Ordered against the legacy stream. Meaningless for the legacy stream itself.
  bool isDestroyed = false;
  int priority = 0;
  uint32_t age = 0; ///< Counts streams in order of creation.
  std::string name; ///< "S3", "legacy", "per-thread 1".
  std::weak_ptr<Context> context;
  OperationPtr tail;                      ///< Last operation queued.
  std::shared_ptr<StreamCapture> capture; ///< Its part in a capture; null where it has none.
};

struct Event : HandleObject {
  std::weak_ptr<Context> context;
  bool hasTiming = true;
  bool isBlockingSync = false;
  OperationPtr record; ///< The newest record; null while never recorded. Waits hold the record they saw.
  std::shared_ptr<EventCapture> capture; ///< Instead of it, where the newest record was in a capture.
};

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_CONTEXT_H
