// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/DriverCalls.h"

#include "llvm/ADT/STLExtras.h"

#include <vector>

using namespace lockstep::harness;
using llvm::StringRef;

void DriverCallCounter::count(const char *call) {
  std::lock_guard lock(mutex);
  ++counts[call];
}

DriverCallCounts DriverCallCounter::take() {
  std::lock_guard lock(mutex);
  DriverCallCounts taken;
  for (const auto &entry : counts)
    taken[entry.getKey().str()] = entry.getValue();
  counts.clear();
  return taken;
}

namespace {

/// A metric that is the number of calls of some functions, told by how their names begin: a driver has several
/// versions of one function (cuModuleLoadData, cuModuleLoadDataEx; cuMemcpyAsync, cuMemcpy2DAsync).
struct CallFamily {
  const char *metric;
  const char *unit;
  std::vector<StringRef> prefixes;
};

} // namespace

static constexpr const char *kDeviceOps = "device_ops";

static const std::vector<CallFamily> &callFamilies() {
  static const std::vector<CallFamily> families = {
      {kDeviceOps,
       "ops",
       {"cuLaunch", "cuMemcpy", "cuMemset", "cuMemAllocAsync", "cuMemFreeAsync", "cuGraphLaunch", "hipLaunch",
        "hipModuleLaunch", "hipExtModuleLaunch", "hipMemcpy", "hipMemset", "hipMallocAsync", "hipFreeAsync",
        "hipGraphLaunch"}},
      {"streams_created", "streams", {"cuStreamCreate", "hipStreamCreate"}},
      {"streams_destroyed", "streams", {"cuStreamDestroy", "hipStreamDestroy"}},
      {"events_created", "events", {"cuEventCreate", "hipEventCreate"}},
      {"events_destroyed", "events", {"cuEventDestroy", "hipEventDestroy"}},
      {"events_recorded", "calls", {"cuEventRecord", "hipEventRecord"}},
      {"stream_waits", "calls", {"cuStreamWaitEvent", "hipStreamWaitEvent"}},
      {"host_waits",
       "calls",
       {"cuStreamSynchronize", "cuEventSynchronize", "cuCtxSynchronize", "hipStreamSynchronize", "hipEventSynchronize",
        "hipDeviceSynchronize"}},
      {"modules_loaded", "modules", {"cuModuleLoad", "hipModuleLoad"}},
      {"functions_looked_up", "functions", {"cuModuleGetFunction", "hipModuleGetFunction"}},
      {"graphs_instantiated", "graphs", {"cuGraphInstantiate", "hipGraphInstantiate"}},
      {"graphs_destroyed", "graphs", {"cuGraphExecDestroy", "hipGraphExecDestroy"}},
      {"graph_updates",
       "calls",
       {"cuGraphExecUpdate", "cuGraphExecKernelNodeSet", "cuGraphExecMemcpyNodeSet", "cuGraphExecMemsetNodeSet",
        "cuGraphExecHostNodeSet", "cuGraphExecEvent", "hipGraphExecUpdate", "hipGraphExecKernelNodeSet",
        "hipGraphExecMemcpyNodeSet", "hipGraphExecMemsetNodeSet", "hipGraphExecHostNodeSet", "hipGraphExecEvent"}},
      {"graph_launches", "launches", {"cuGraphLaunch", "hipGraphLaunch"}},
  };
  return families;
}

std::map<std::string, lockstep::reports::Metric> lockstep::harness::driverCallMetrics(const DriverCallCounts &counts,
                                                                                      uint64_t namedOps) {
  std::map<std::string, reports::Metric> metrics;
  double total = 0;
  for (const CallFamily &family : callFamilies())
    metrics[family.metric] = {0, family.unit, {}};
  for (const auto &[call, count] : counts) {
    total += count;
    auto isOf = [name = StringRef(call)](StringRef prefix) { return name.starts_with(prefix); };
    for (const CallFamily &family : callFamilies())
      if (llvm::any_of(family.prefixes, isOf))
        metrics[family.metric].value += count;
  }
  // One operation may be several calls, and a graph's launch is many operations.
  if (namedOps != 0)
    metrics[kDeviceOps].value = namedOps;
  metrics["driver_calls"] = {total, "calls", {}};
  if (double ops = metrics[kDeviceOps].value; ops > 0)
    metrics["driver_calls_per_device_op"] = {total / ops, "calls/op", {}};
  return metrics;
}
