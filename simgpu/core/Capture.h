// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture: async-semantics 5.7. Plain data; the functions that act on it are in CaptureApi.h. The machine's lock
// guards all of it.

#ifndef LOCKSTEP_SIMGPU_CORE_CAPTURE_H
#define LOCKSTEP_SIMGPU_CORE_CAPTURE_H

#include "simgpu/core/Graph.h"
#include "simgpu/core/Thread.h"

#include <unordered_set>

namespace lockstep::simgpu {

enum class CaptureStatus : uint8_t { None = 0, Active = 1, Invalidated = 2 };

/// One capture, from its begin to its end.
struct CaptureSession {
  uint64_t id = 0; ///< Counts captures since the last reset, from 1.
  CaptureMode mode = CaptureMode::Global;
  uint64_t thread = 0; ///< Number of the thread that began it.
  std::shared_ptr<Graph> graph;
  std::weak_ptr<Stream> origin;
  std::vector<std::weak_ptr<Stream>> streams; ///< All that take part, the origin first.
  std::unordered_set<uint64_t> removed;       ///< Nodes that a set of dependencies took out of a frontier.
  bool isInvalidated = false;
};

/// What the next captured operation comes after.
using CaptureFrontier = std::vector<GraphEdge>;

/// Edge data as a query hands them out.
struct ShownPorts {
  EdgePorts ports;
  uint8_t reserved[5] = {};
};

/// A stream's part in a capture.
struct StreamCapture {
  std::shared_ptr<CaptureSession> session;
  CaptureFrontier frontier;
  /// What the last query handed out; lives until the next one.
  std::vector<uint64_t> shownNodes;
  std::vector<ShownPorts> shownPorts;
};

/// What an event holds that was last recorded in a capture.
struct EventCapture {
  std::weak_ptr<CaptureSession> session; ///< Gone once the capture has ended.
  CaptureFrontier frontier;
};

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_CAPTURE_H
