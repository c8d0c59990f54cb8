// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/GraphAllocations.h"

#include "runtime-api/support/Status.h"

#include <algorithm>

using namespace lockstep::runtime;

bool GraphAllocations::take(GraphBackend &backend, uint64_t sizeBytes, uint64_t &address) {
  if (usedCount == allocations.size())
    allocations.emplace_back();
  Allocation &allocation = allocations[usedCount++];
  allocation.op = currentOp();
  if (allocation.sizeBytes != sizeBytes) {
    replaced.push_back(allocation.driver);
    allocation.driver = {backend.createGraph(), nullptr};
    allocation.sizeBytes = sizeBytes;
    if (!allocation.driver.graph || !backend.addAllocation(allocation.driver.graph, sizeBytes, allocation.address))
      return false;
    allocation.driver.executable = backend.instantiate(allocation.driver.graph);
    if (!allocation.driver.executable)
      return false;
  }
  address = allocation.address;
  return true;
}

bool GraphAllocations::launch(GraphBackend &backend) {
  for (size_t index = 0; index < usedCount; ++index)
    if (!backend.launch(allocations[index].driver.executable, allocations[index].op.c_str()))
      return false;
  return true;
}

void GraphAllocations::end(GraphBackend &backend, const std::vector<uint64_t> &freed) {
  for (DriverGraph &graph : replaced)
    graph.destroy(backend);
  replaced.clear();
  for (size_t index = 0; index < allocations.size(); ++index) {
    Allocation &allocation = allocations[index];
    bool isKept = index < usedCount && std::count(freed.begin(), freed.end(), allocation.address) != 0;
    if (isKept)
      continue;
    allocation.driver.destroy(backend);
    allocation.sizeBytes = 0;
  }
}

void GraphAllocations::release(GraphBackend &backend) {
  usedCount = 0;
  end(backend, {});
  allocations.clear();
}
