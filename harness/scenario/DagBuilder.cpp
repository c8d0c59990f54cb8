// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/scenario/DagBuilder.h"

#include "harness/scenario/Slices.h"

#include "llvm/ADT/STLExtras.h"

using namespace lockstep::scenario;

const char *lockstep::scenario::kernelName(KernelKind kind) {
  switch (kind) {
  case KernelKind::Mix:
    return "mix";
  case KernelKind::Update:
    return "update";
  case KernelKind::Fold:
    return "fold";
  case KernelKind::Shared:
    return "shared";
  case KernelKind::Atomic:
    return "atomic";
  case KernelKind::Float:
    return "float";
  }
  llvm_unreachable("a kernel of no kind");
}

BufferId DagBuilder::addBuffer(Buffer buffer) {
  dag.buffers.push_back(std::move(buffer));
  return dag.buffers.size() - 1;
}

BufferId DagBuilder::input(const std::string &name, uint64_t words, MemoryKind memory) {
  return addBuffer({name, memory, words, /*isInput=*/true, /*isChecked=*/false});
}

BufferId DagBuilder::output(const std::string &name, uint64_t words, MemoryKind memory) {
  return addBuffer({name, memory, words, /*isInput=*/false, /*isChecked=*/true});
}

BufferId DagBuilder::device(const std::string &name, uint64_t words) {
  return addBuffer({name, MemoryKind::Device, words, false, false});
}

Slice DagBuilder::whole(BufferId buffer) const { return {buffer, 0, dag.buffers[buffer].words}; }

std::string DagBuilder::uniqueName(const std::string &stem) {
  unsigned use = nameUses[stem]++;
  return use == 0 ? stem : stem + "." + std::to_string(use);
}

void DagBuilder::require(const Slice &slice, bool isWrite, std::vector<ChainId> &chains) const {
  auto found = accesses.find(slice.buffer);
  if (found == accesses.end())
    return;
  for (const Access &access : found->second)
    if ((isWrite || access.isWrite) && mayOverlap(access.slice, slice))
      chains.push_back(access.chain);
}

void DagBuilder::note(const Slice &slice, bool isWrite, ChainId chain) {
  std::vector<Access> &known = accesses[slice.buffer];
  if (isWrite)
    llvm::erase_if(known, [&](const Access &access) { return covers(slice, access.slice); });
  known.push_back({slice, isWrite, chain});
}

std::vector<ChainId> DagBuilder::pending(BufferId buffer) const {
  std::vector<ChainId> chains;
  if (auto found = accesses.find(buffer); found != accesses.end())
    for (const Access &access : found->second)
      chains.push_back(access.chain);
  return chains;
}

void DagBuilder::collapse(BufferId buffer, ChainId chain) { accesses[buffer] = {{whole(buffer), true, chain}}; }

ChainId DagBuilder::addOp(DeviceOp op, const std::vector<ChainId> &after) {
  llvm::append_range(op.after, after);
  llvm::sort(op.after);
  op.after.erase(llvm::unique(op.after), op.after.end());
  op.name = uniqueName(op.name);
  op.chain = newChain();
  ChainId chain = op.chain;
  add({std::move(op)});
  return chain;
}

ChainId DagBuilder::alloc(BufferId buffer, const std::vector<ChainId> &after) {
  DeviceOp op{OpKind::Alloc, "alloc_" + dag.buffers[buffer].name, {}, 0, buffer};
  ChainId chain = addOp(std::move(op), after);
  collapse(buffer, chain);
  allocated.push_back(buffer);
  return chain;
}

ChainId DagBuilder::dealloc(BufferId buffer) {
  DeviceOp op{OpKind::Dealloc, "free_" + dag.buffers[buffer].name, pending(buffer), 0, buffer};
  ChainId chain = addOp(std::move(op), {});
  collapse(buffer, chain);
  llvm::erase(allocated, buffer);
  return chain;
}

ChainId DagBuilder::copy(const Slice &target, const Slice &source, const std::vector<ChainId> &after) {
  DeviceOp op{OpKind::Copy, "copy_" + dag.buffers[target.buffer].name};
  require(source, false, op.after);
  require(target, true, op.after);
  op.target = target;
  op.sources = {source};
  ChainId chain = addOp(std::move(op), after);
  note(source, false, chain);
  note(target, true, chain);
  return chain;
}

ChainId DagBuilder::fill(const Slice &target, uint32_t word, const std::vector<ChainId> &after) {
  DeviceOp op{OpKind::Fill, "fill_" + dag.buffers[target.buffer].name};
  require(target, true, op.after);
  op.target = target;
  op.word = word;
  ChainId chain = addOp(std::move(op), after);
  note(target, true, chain);
  return chain;
}

ChainId DagBuilder::launch(KernelKind kernel, const Slice &target, const std::vector<Slice> &sources,
                           const std::vector<ChainId> &after) {
  DeviceOp op{OpKind::Launch, std::string(kernelName(kernel)) + "_" + dag.buffers[target.buffer].name};
  for (const Slice &source : sources)
    require(source, false, op.after);
  require(target, true, op.after);
  op.target = target;
  op.sources = sources;
  op.kernel = kernel;
  op.word = dag.chainCount * 2654435761u;
  ChainId chain = addOp(std::move(op), after);
  for (const Slice &source : sources)
    note(source, false, chain);
  note(target, true, chain);
  return chain;
}

ChainId DagBuilder::hostCall(const Slice &target, const std::vector<ChainId> &after) {
  DeviceOp op{OpKind::HostCall, "call_" + dag.buffers[target.buffer].name};
  require(target, true, op.after);
  op.target = target;
  op.word = dag.chainCount * 2654435761u;
  ChainId chain = addOp(std::move(op), after);
  note(target, true, chain);
  return chain;
}

ChainId DagBuilder::join(const std::vector<ChainId> &chains) {
  if (chains.size() == 1)
    return chains.front();
  ChainId chain = newChain();
  add({Join{chains, chain}});
  return chain;
}

void DagBuilder::wait(const std::vector<BufferId> &buffers) {
  Wait wait{uniqueName("wait"), {}};
  for (BufferId buffer : buffers) {
    llvm::append_range(wait.on, pending(buffer));
    accesses.erase(buffer);
  }
  llvm::sort(wait.on);
  wait.on.erase(llvm::unique(wait.on), wait.on.end());
  if (!wait.on.empty())
    add({std::move(wait)});
}

void DagBuilder::hostUpdate(const Slice &target) {
  wait({target.buffer});
  add({HostUpdate{target, dag.chainCount * 2654435761u + 1}});
}

std::vector<ChainId> DagBuilder::leave(const std::vector<BufferId> &used, const Accesses &before) {
  std::vector<ChainId> inner;
  for (auto &[buffer, list] : accesses)
    if (!llvm::is_contained(used, buffer) && !before.contains(buffer))
      llvm::append_range(inner, pending(buffer));
  std::erase_if(accesses, [&](const auto &entry) {
    return !llvm::is_contained(used, entry.first) && !before.contains(entry.first);
  });
  std::vector<ChainId> chains;
  for (BufferId buffer : used) {
    std::vector<ChainId> all = pending(buffer);
    llvm::append_range(all, inner);
    inner.clear();
    chains.push_back(join(all));
  }
  return chains;
}

void DagBuilder::loop(uint32_t iterations, const std::vector<BufferId> &used, llvm::function_ref<void()> body) {
  Loop loop{iterations, {}, {}};
  for (BufferId buffer : used) {
    ChainId initial = join(pending(buffer));
    ChainId argument = newChain();
    collapse(buffer, argument);
    loop.carried.push_back({initial, argument, 0, 0});
  }
  Sequence *around = block;
  block = &loop.body;
  Accesses before = accesses;
  body();
  std::vector<ChainId> yielded = leave(used, before);
  for (auto [carried, chain] : llvm::zip_equal(loop.carried, yielded))
    carried.yielded = chain;
  block = around;
  for (auto [buffer, carried] : llvm::zip_equal(used, loop.carried)) {
    carried.result = newChain();
    collapse(buffer, carried.result);
  }
  add({std::move(loop)});
}

void DagBuilder::branch(bool isTaken, const std::vector<BufferId> &used, llvm::function_ref<void()> onThen,
                        llvm::function_ref<void()> onElse) {
  Branch branch{isTaken, std::vector<Branch::Result>(used.size()), {}, {}};
  Sequence *around = block;
  Accesses before = accesses;
  block = &branch.onThen;
  onThen();
  for (auto [chain, result] : llvm::zip_equal(leave(used, before), branch.results))
    result.onThen = chain;
  accesses = before;
  block = &branch.onElse;
  onElse();
  for (auto [chain, result] : llvm::zip_equal(leave(used, before), branch.results))
    result.onElse = chain;
  block = around;
  for (auto [buffer, result] : llvm::zip_equal(used, branch.results)) {
    result.result = newChain();
    collapse(buffer, result.result);
  }
  add({std::move(branch)});
}

Dag DagBuilder::finish() {
  while (!allocated.empty())
    dealloc(allocated.front());
  std::vector<BufferId> all;
  for (BufferId buffer = 0; buffer < dag.buffers.size(); ++buffer)
    all.push_back(buffer);
  wait(all);
  Dag finished = std::move(dag);
  *this = DagBuilder();
  return finished;
}
