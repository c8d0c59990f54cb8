// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/order/OrderSpec.h"

using namespace lockstep::harness;

uint32_t OrderSpecBuilder::add(llvm::StringRef name, LockstepTraceKind kind) {
  auto [entry, isNew] = ids.try_emplace(name, spec.names.size());
  if (isNew) {
    spec.names.push_back(name.str());
    countOfName.push_back(0);
  }
  uint32_t id = entry->getValue();
  spec.specOps.push_back({id, countOfName[id]++, kind});
  spec.specOps.back().after.append(unobserved.begin(), unobserved.end());
  return spec.specOps.size() - 1;
}

void OrderSpecBuilder::addAfter(uint32_t op, uint32_t before) {
  auto &after = spec.specOps[op].after;
  if (!llvm::is_contained(after, before))
    after.push_back(before);
}

void OrderSpecBuilder::resolveAllocation(ByteAccess &access) {
  auto next = allocations.upper_bound(access.begin);
  if (access.access & kLockstepTraceAllocates) {
    // What was here before has been freed.
    if (next != allocations.begin() && std::prev(next)->second.end > access.begin)
      --next;
    while (next != allocations.end() && next->first < access.end)
      next = allocations.erase(next);
    access.allocation = ++allocationCount;
    allocations[access.begin] = {access.end, access.allocation};
  } else if (next != allocations.begin() && std::prev(next)->second.end >= access.end) {
    access.allocation = std::prev(next)->second.id;
  }
}

void OrderSpecBuilder::addAccess(uint32_t op, ByteAccess access) {
  if (access.isEmpty())
    return;
  resolveAllocation(access);
  spec.specOps[op].accesses.push_back(std::move(access));
}

void OrderSpecBuilder::addHostWait(uint32_t op, LockstepTraceHostWait wait) {
  // It comes after what is in the list. So either the host's wait for it speaks for all of them, or it does itself.
  unobserved.clear();
  if (wait == kLockstepTraceObserved)
    spec.specOps[op].isHostAfter = true;
  else
    unobserved.push_back(op);
}

OrderSpec OrderSpecBuilder::finish() {
  History host;
  for (SpecOp &op : spec.specOps) {
    op.before = host;
    for (uint32_t before : op.after) {
      const SpecOp &other = spec.specOps[before];
      if (other.isWork())
        spec.order.include(op.before, other.element);
      else
        op.before.include(other.before);
    }
    if (op.isWork())
      op.element = spec.order.add(op.before);
    if (op.kind == kLockstepTraceWait)
      host.include(op.before);
    if (op.isHostAfter)
      spec.order.include(host, op.element);
  }
  return std::move(spec);
}
