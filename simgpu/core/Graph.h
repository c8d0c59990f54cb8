// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs, their nodes, and what becomes of them at instantiation. Plain data; the functions that act on them are in
// GraphApi.h and GraphExecApi.h. The machine's lock guards all of it.

#ifndef LOCKSTEP_SIMGPU_CORE_GRAPH_H
#define LOCKSTEP_SIMGPU_CORE_GRAPH_H

#include "simgpu/core/GraphMemory.h"
#include "simgpu/core/Task.h"

#include <map>
#include <unordered_map>

namespace lockstep::simgpu {

struct CaptureSession;
struct GraphExec;
struct GraphNode;

/// What an edge waits for beside the end of a node; all zero is the end.
struct EdgePorts {
  uint8_t from = 0, to = 0, type = 0;

  bool isDefault() const { return from == 0 && to == 0 && type == 0; }
  bool operator==(const EdgePorts &) const = default;
};

/// One end of an edge, as the node at the other end keeps it.
struct GraphEdge {
  GraphNode *node;
  EdgePorts ports;
};

struct GraphNode : HandleObject {
  Graph *graph = nullptr; ///< Null once the node was removed.
  uint32_t number = 0;    ///< Counts the nodes of its graph, from 1.
  Task task;
  std::weak_ptr<Context> context;
  std::string op;                      ///< The program's op on whose behalf the node was made.
  std::vector<GraphEdge> dependencies; ///< In the order in which they were added: an update pairs by it.
  std::vector<GraphEdge> dependents;
  /// Until the capture ends: what it came after when it was captured. Edits of the graph change nothing.
  std::vector<GraphNode *> captured;
  uint64_t sinkSince = 0; ///< Orders the nodes without dependents by when they became so.
};

/// Something of the program's that lives as long as references to it do.
struct UserObject : HandleObject {
  void *data = nullptr;
  void (*destroy)(void *) = nullptr;
  uint64_t referenceCount = 0;
  uint64_t callerCount = 0; ///< The part of it that the program holds itself.
};

/// References that a graph or an instance holds, by object.
using UserReferences = std::map<std::shared_ptr<UserObject>, uint64_t>;

struct Graph : HandleObject {
  std::map<uint32_t, std::shared_ptr<GraphNode>> nodes; ///< By number: in order of creation.
  uint32_t lastNumber = 0;
  uint64_t lastSink = 0;
  bool hasMemoryNodes = false;
  GraphNode *parent = nullptr;                   ///< The node that owns this graph, if one does.
  std::weak_ptr<CaptureSession> capture;         ///< The capture that adds nodes right now.
  bool isOwnedByCapture = false;                 ///< Until the capture ends, which gives it to the program.
  std::weak_ptr<GraphExec> exec;                 ///< Where there are memory nodes: the one live instance.
  std::unordered_map<uint64_t, uint64_t> clones; ///< Node of the original to node of this clone.
  UserReferences userObjects;

  bool isOwned() const { return parent || isOwnedByCapture; }
};

struct ExecGraph;

/// A node of an executable graph: a copy, so that edits of the graph and of the instance leave each other alone.
struct ExecNode {
  Task task;
  std::weak_ptr<Context> context;
  std::string op;
  uint32_t number = 0;
  bool isEnabled = true;
  std::vector<uint32_t> dependencies; ///< Positions in ExecGraph::nodes, in the order of the graph's edges.
  std::shared_ptr<ExecGraph> child;   ///< For a child graph.
};

struct ExecGraph {
  std::vector<ExecNode> nodes; ///< Each after its dependencies. Never resized, so pointers into it last.
  std::vector<uint32_t> sinks; ///< Nodes without dependents, in the order in which they became so.
};

struct GraphExec : HandleObject {
  uint64_t flags = 0; ///< The facade's, as given.
  bool freesOnLaunch = false;
  ExecGraph root;
  std::unordered_map<uint64_t, ExecNode *> byNode; ///< By the handle of the graph's node; nodes of children too.
  OperationPtr lastLaunch;                         ///< End of the newest launch.
  OperationPtr lastUpload;
  UserReferences userObjects;
};

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_GRAPH_H
