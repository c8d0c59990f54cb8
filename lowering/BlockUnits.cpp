// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/BlockUnits.h"

using namespace mlir;

namespace lockstep::agpu {

bool isCarriedChain(Value chain) {
  Block *block = chain.getParentBlock();
  return llvm::any_of(chain.getUsers(),
                      [&](Operation *user) { return user->getBlock() != block || !isa<ChainOpInterface>(user); });
}

void BlockUnitsBuilder::startUnit(StreamPlanNode::Kind kind) {
  StreamPlanNode node;
  node.kind = kind;
  units.graph.nodes.push_back(std::move(node));
  units.ops.emplace_back();
}

bool BlockUnitsBuilder::isInLastUnit(Operation *op) const {
  auto found = units.nodes.find(op);
  return found != units.nodes.end() && found->second + 1 == units.graph.nodes.size();
}

void BlockUnitsBuilder::addDependencies(ChainOpInterface op, llvm::DenseSet<Operation *> &seenJoins) {
  StreamPlanNode &node = units.graph.nodes.back();
  for (Value chain : op.getChains()) {
    Operation *definition = chain.getDefiningOp();
    auto unit = units.nodes.find(definition);
    if (unit != units.nodes.end()) {
      if (unit->second + 1 < units.graph.nodes.size())
        node.dependencies.push_back(unit->second);
      continue;
    }
    if (auto join = dyn_cast_or_null<JoinOp>(definition); join && join->getBlock() == &block) {
      if (seenJoins.insert(join).second)
        addDependencies(cast<ChainOpInterface>(definition), seenJoins);
      continue;
    }
    auto [external, isNew] = externalNumbers.try_emplace(chain, units.externals.size());
    if (isNew)
      units.externals.push_back(chain);
    node.externals.push_back(external->second);
  }
}

void BlockUnitsBuilder::add(ChainOpInterface op) {
  llvm::DenseSet<Operation *> seenJoins;
  addDependencies(op, seenJoins);
  StreamPlanNode &node = units.graph.nodes.back();
  if (op.isAsync() && isCarriedChain(op.getChain()))
    node.isCarried = true;
  uint32_t number = units.graph.nodes.size() - 1;
  units.nodes[op] = number;
  units.ops.back().push_back(op);
  if (op.isAsync() || isa<WaitOp>(op))
    return;
  startUnit(StreamPlanNode::Kind::HostWait);
  units.graph.nodes.back().dependencies.push_back(number);
}

BlockUnits BlockUnitsBuilder::take() {
  units.graph.numExternals = units.externals.size();
  return std::move(units);
}

BlockUnits buildOperationUnits(Block &block) {
  BlockUnitsBuilder builder(block);
  for (Operation &operation : block) {
    auto op = dyn_cast<ChainOpInterface>(operation);
    if (!op)
      continue;
    builder.startUnit(isa<JoinOp>(op)   ? StreamPlanNode::Kind::Join
                      : isa<WaitOp>(op) ? StreamPlanNode::Kind::HostWait
                                        : StreamPlanNode::Kind::Work);
    builder.add(op);
  }
  return builder.take();
}

} // namespace lockstep::agpu
