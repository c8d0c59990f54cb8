// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// agpu-prune-chains: drops chain operands that other operands imply. The method and its proof are in ChainGraph.h.

#include "dialect/AgpuOps.h"
#include "lowering/ChainGraph.h"
#include "lowering/Passes.h"

#define DEBUG_TYPE "agpu-prune-chains"

using namespace mlir;

namespace lockstep::agpu {

#define GEN_PASS_DEF_AGPUPRUNECHAINSPASS
#include "lowering/Passes.h.inc"

namespace {

/// The chains of one block. A chain that comes from outside, or from an operation without the interface, is a node
/// without operands: nothing is known about what it implies.
class BlockChains {
public:
  explicit BlockChains(Block &block) {
    for (auto op : block.getOps<ChainOpInterface>())
      addOperation(op);
  }

  /// Drops what is implied; returns how many operands that was.
  unsigned prune() {
    std::vector<std::vector<bool>> implied = graph.findImplied();
    unsigned count = 0;
    for (auto &[op, node] : operations) {
      llvm::SmallDenseSet<uint32_t> seen;
      SmallVector<Value> kept;
      for (Value chain : op.getChains()) {
        uint32_t operand = numbers.lookup(chain);
        if (!seen.insert(operand).second || isImplied(node, operand, implied[node]))
          ++count;
        else
          kept.push_back(chain);
      }
      if (kept.size() != op.getChains().size())
        op.getChainsMutable().assign(kept);
    }
    return count;
  }

private:
  void addOperation(ChainOpInterface op) {
    ChainGraph::Node node;
    node.isJoin = isa<JoinOp>(op);
    llvm::SmallDenseSet<uint32_t> seen;
    for (Value chain : op.getChains()) {
      auto [entry, isNew] = numbers.try_emplace(chain, 0);
      if (isNew)
        entry->second = graph.addNode({});
      if (seen.insert(entry->second).second)
        node.operands.push_back(entry->second);
    }
    uint32_t number = graph.addNode(std::move(node));
    if (Value chain = op.getChain())
      numbers[chain] = number;
    operations.push_back({op, number});
  }

  bool isImplied(uint32_t node, uint32_t operand, const std::vector<bool> &implied) const {
    const std::vector<uint32_t> &operands = graph.getNodes()[node].operands;
    return implied[llvm::find(operands, operand) - operands.begin()];
  }

  ChainGraph graph;
  DenseMap<Value, uint32_t> numbers;
  std::vector<std::pair<ChainOpInterface, uint32_t>> operations;
};

class AgpuPruneChainsPass : public impl::AgpuPruneChainsPassBase<AgpuPruneChainsPass> {
  void runOnOperation() override {
    getOperation()->walk([&](Block *block) { removedCount += BlockChains(*block).prune(); });
  }
};

} // namespace
} // namespace lockstep::agpu
