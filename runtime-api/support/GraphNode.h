// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One node of a graph as a backend gives it to the driver: kind, dependencies, parameters, the op it stands for. Knows
// no vendor: addresses and handles are numbers and opaque pointers.

#ifndef LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHNODE_H
#define LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHNODE_H

#include "runtime-api/support/FillPieces.h"
#include "runtime-api/support/HostCalls.h"

#include <array>
#include <string>
#include <variant>

namespace lockstep::runtime {

/// A handle of the driver. The serial tells apart two objects that the driver put at the same address.
struct GraphHandle {
  void *handle = nullptr;
  uint64_t serial = 0;

  bool operator==(const GraphHandle &) const = default;
};

struct EmptyNode {
  bool operator==(const EmptyNode &) const = default;
};

struct KernelNode {
  GraphHandle function;
  std::array<uint32_t, 3> grid;
  std::array<uint32_t, 3> block;
  uint32_t sharedBytes = 0;
  std::vector<unsigned char> arguments; ///< All of them, each at its offset.
  std::vector<size_t> offsets;          ///< Multiples of the widest alignment that an argument can need.

  bool operator==(const KernelNode &) const = default;
};

/// A box of `depth` slices of `height` rows of `rowBytes` bytes.
struct CopyNode {
  uint64_t destination = 0;
  uint64_t source = 0;
  size_t rowBytes = 0;
  size_t height = 1;
  size_t destinationPitchBytes = 0; ///< From row to row; 0 where there is one row.
  size_t sourcePitchBytes = 0;
  size_t depth = 1;
  size_t destinationSliceRows = 0; ///< From slice to slice, in rows; 0 where there is one slice.
  size_t sourceSliceRows = 0;

  bool operator==(const CopyNode &) const = default;
};

struct FillNode {
  FillPiece piece;

  bool operator==(const FillNode &) const = default;
};

struct HostNode {
  MgpuHostFunction function = nullptr;
  std::vector<unsigned char> argument;
  /// What the driver holds; null until it does. Not part of what is compared.
  HostCalls::Pending *call = nullptr;

  bool operator==(const HostNode &other) const { return function == other.function && argument == other.argument; }
};

struct EventRecordNode {
  GraphHandle event;

  bool operator==(const EventRecordNode &) const = default;
};

struct EventWaitNode {
  GraphHandle event;

  bool operator==(const EventWaitNode &) const = default;
};

struct MemFreeNode {
  uint64_t address = 0;

  bool operator==(const MemFreeNode &) const = default;
};

struct GraphNode {
  using Parameters =
      std::variant<EmptyNode, KernelNode, CopyNode, FillNode, HostNode, EventRecordNode, EventWaitNode, MemFreeNode>;

  Parameters parameters;
  std::vector<int32_t> dependencies; ///< Positions of earlier nodes, ascending, none twice.
  std::string op;                    ///< What mgpuSetOp had named when the node was added.
};

/// Whether a driver can turn an executable graph of nodes `a` into one of nodes `b` by setting parameters: same kinds,
/// same dependencies, same memory to free (a free node has no parameter that could be set).
bool haveSameShape(const std::vector<GraphNode> &a, const std::vector<GraphNode> &b);

} // namespace lockstep::runtime

#endif // LOCKSTEP_RUNTIME_API_SUPPORT_GRAPHNODE_H
