// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/GraphBuilder.h"

#include "runtime-api/support/Status.h"

#include <algorithm>

using namespace lockstep::runtime;

bool lockstep::runtime::haveSameShape(const std::vector<GraphNode> &a, const std::vector<GraphNode> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const GraphNode &one, const GraphNode &other) {
    if (one.parameters.index() != other.parameters.index() || one.dependencies != other.dependencies)
      return false;
    return !std::holds_alternative<MemFreeNode>(one.parameters) || one.parameters == other.parameters;
  });
}

void GraphBuilder::clear() {
  nodes.clear();
  lastNodes.clear();
  pendingDependencies.clear();
}

bool GraphBuilder::setDependencies(const int32_t *dependencies, int64_t count, std::string &error) {
  pendingDependencies.clear();
  if (count < 0 || (count > 0 && !dependencies)) {
    error = count < 0 ? "argument 'dependency_count' is " + std::to_string(count) : "argument 'dependencies' is null";
    return false;
  }
  for (int64_t index = 0; index < count; ++index) {
    int32_t dependency = dependencies[index];
    if (dependency < 0 || static_cast<size_t>(dependency) >= lastNodes.size()) {
      error = "dependency " + std::to_string(index) + " is " + std::to_string(dependency) + ", but the graph has " +
              std::to_string(lastNodes.size()) + " nodes so far";
      return false;
    }
    pendingDependencies.push_back(lastNodes[dependency]);
  }
  // The order says nothing, and a driver refuses an edge that it has already.
  std::sort(pendingDependencies.begin(), pendingDependencies.end());
  pendingDependencies.erase(std::unique(pendingDependencies.begin(), pendingDependencies.end()),
                            pendingDependencies.end());
  return true;
}

int32_t GraphBuilder::append(GraphNode::Parameters parameters, std::vector<int32_t> dependencies) {
  nodes.push_back({std::move(parameters), std::move(dependencies), currentOp()});
  return static_cast<int32_t>(nodes.size() - 1);
}

int32_t GraphBuilder::number(int32_t lastNode) {
  lastNodes.push_back(lastNode);
  return static_cast<int32_t>(lastNodes.size() - 1);
}

int32_t GraphBuilder::join(std::vector<int32_t> pieces, const std::vector<int32_t> &dependencies) {
  if (pieces.size() == 1)
    return pieces.front();
  return append(EmptyNode(), pieces.empty() ? dependencies : std::move(pieces));
}

int32_t GraphBuilder::addOne(GraphNode::Parameters parameters) {
  return number(append(std::move(parameters), pendingDependencies));
}

int32_t GraphBuilder::appendRectangles(const StridedPlan &plan, uint64_t destination, uint64_t source,
                                       const std::vector<int32_t> &dependencies) {
  std::vector<int32_t> pieces;
  plan.forEachRectangle([&](int64_t destinationOffset, int64_t sourceOffset) {
    CopyNode copy;
    copy.destination = destination + destinationOffset;
    copy.source = source + sourceOffset;
    copy.rowBytes = plan.rowBytes;
    if (plan.height.size > 1) {
      copy.height = plan.height.size;
      copy.destinationPitchBytes = plan.height.strides[kDestination];
      copy.sourcePitchBytes = plan.height.strides[kSource];
    }
    if (plan.depth.size > 1) {
      copy.depth = plan.depth.size;
      copy.destinationSliceRows = plan.depth.strides[kDestination] / plan.height.strides[kDestination];
      copy.sourceSliceRows = plan.depth.strides[kSource] / plan.height.strides[kSource];
    }
    pieces.push_back(append(copy, dependencies));
    return true;
  });
  return join(std::move(pieces), dependencies);
}

int32_t GraphBuilder::addCopy(const StridedPlan &plan, uint64_t destination, uint64_t source) {
  return number(appendRectangles(plan, destination, source, pendingDependencies));
}

int32_t GraphBuilder::addFill(const std::vector<FillPiece> &fill) {
  std::vector<int32_t> pieces;
  for (const FillPiece &piece : fill)
    pieces.push_back(append(FillNode{piece}, pendingDependencies));
  return number(join(std::move(pieces), pendingDependencies));
}

int32_t GraphBuilder::addStagedCopy(const StridedPlan &in, const StridedPlan &out, uint64_t destination,
                                    uint64_t source, uint64_t staging) {
  int32_t read = appendRectangles(in, staging, source, pendingDependencies);
  int32_t written = appendRectangles(out, destination, staging, {read});
  return number(append(MemFreeNode{staging}, {written}));
}

std::vector<uint64_t> GraphBuilder::freedAddresses() const {
  std::vector<uint64_t> addresses;
  for (const GraphNode &node : nodes)
    if (const auto *free = std::get_if<MemFreeNode>(&node.parameters))
      addresses.push_back(free->address);
  return addresses;
}
