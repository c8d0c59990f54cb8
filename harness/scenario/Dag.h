// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scenario as a value: device operations over buffers, ordered by chains, with the contents that the buffers begin
// with. Buffers hold 32-bit words. The steps stand in an order that the chains allow, which is the order in which a
// host program issues them; the chains say what must come after what, and nothing else does.

#ifndef LOCKSTEP_HARNESS_SCENARIO_DAG_H
#define LOCKSTEP_HARNESS_SCENARIO_DAG_H

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace lockstep::scenario {

using BufferId = uint32_t;
/// A chain is the completion of the operation that gives it, a loop's argument, or what a loop or branch leaves.
using ChainId = uint32_t;

enum class MemoryKind { Pageable, Pinned, Device };

struct Buffer {
  std::string name;
  MemoryKind memory = MemoryKind::Device;
  uint64_t words = 0;
  /// Host memory only: it begins with the words that inputWord gives for the buffer's number, else with poison.
  bool isInput = false;
  /// Host memory only: compared with the reference at the end.
  bool isChecked = false;
  bool isHost() const { return memory != MemoryKind::Device; }
};

/// Words offset, offset + stride, … of a buffer: `words` of them.
struct Slice {
  BufferId buffer = 0;
  uint64_t offset = 0;
  uint64_t words = 0;
  uint64_t stride = 1;
  /// Added to the offset in each iteration of the innermost loop around.
  uint64_t offsetPerIteration = 0;
  bool operator==(const Slice &) const = default;
};

/// What a kernel makes of its target t and its sources s; harness/scenario/Mixing.h has the formulas.
enum class KernelKind {
  Mix,    ///< t[i] from s0[i], s1[i], …
  Update, ///< t[i] from t[i], s0[i], …
  Fold,   ///< t[i] from s0[i], s0[i + n], s0[i + 2n], … with n = |t|
  Shared, ///< t[i] from s0[i] and its neighbour in the block, through shared memory and a barrier
  Atomic, ///< t[i mod |t|] += a mix of s0[i], atomically
  Float,  ///< t[i] from s0[i], s1[i], … in 32-bit floats, in a fixed order of operations
};
inline constexpr KernelKind kKernelKinds[] = {KernelKind::Mix,    KernelKind::Update, KernelKind::Fold,
                                              KernelKind::Shared, KernelKind::Atomic, KernelKind::Float};
/// "mix", "update", …
const char *kernelName(KernelKind kind);

enum class OpKind { Alloc, Dealloc, Copy, Fill, Launch, HostCall };

/// One device operation.
struct DeviceOp {
  OpKind kind = OpKind::Copy;
  std::string name; ///< Unique in the scenario: findings name it.
  std::vector<ChainId> after = {};
  ChainId chain = 0;
  BufferId buffer = 0;             ///< Alloc, Dealloc.
  Slice target = {};               ///< All others.
  std::vector<Slice> sources = {}; ///< Copy: one. Launch: as the kernel has it.
  uint32_t word = 0;               ///< Fill: the word. Launch, HostCall: the salt, to which loops add.
  KernelKind kernel = KernelKind::Mix;
};

/// A chain that is complete when others are.
struct Join {
  std::vector<ChainId> after;
  ChainId chain = 0;
};

/// The host blocks.
struct Wait {
  std::string name;
  std::vector<ChainId> on;
};

/// Host code rewrites host memory, as a HostCall does, but at once. Nothing that uses it may be pending.
struct HostUpdate {
  Slice target;
  uint32_t salt = 0;
};

struct Step;
struct Sequence {
  std::vector<Step> steps;
};

/// A counted loop. The chain `argument` is `initial` in the first iteration and what the one before yielded later.
struct Loop {
  struct Carried {
    ChainId initial = 0, argument = 0, yielded = 0, result = 0;
  };
  uint32_t iterations = 0;
  std::vector<Carried> carried;
  Sequence body;
};

/// A branch on a value that the host reads from memory, so that no compiler knows the way.
struct Branch {
  struct Result {
    ChainId onThen = 0, onElse = 0, result = 0;
  };
  bool isTaken = true;
  std::vector<Result> results;
  Sequence onThen, onElse;
};

struct Step {
  std::variant<DeviceOp, Join, Wait, HostUpdate, Loop, Branch> what;
};

struct Dag {
  std::vector<Buffer> buffers;
  Sequence body;
  ChainId chainCount = 0;
};

} // namespace lockstep::scenario

#endif // LOCKSTEP_HARNESS_SCENARIO_DAG_H
