// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/order/OpRuns.h"

using namespace lockstep::harness;

void OpRuns::announce(uint32_t thread, uint32_t name, uint32_t logEntry, const History &host) {
  uint32_t index = runs.size();
  if (auto last = lastOfThread.find(thread); last != lastOfThread.end())
    runs[last->second].hostAfter = host;
  runs.push_back({name, countOfName[name]++, logEntry, host, {}});
  lastOfThread[thread] = index;
  lastOfName[name] = index;
  lastOfThreadAndName[{thread, name}] = index;
  sinceLaunch[thread][name].push_back(index);
}

void OpRuns::finish(const History &host) {
  for (auto [thread, run] : lastOfThread)
    runs[run].hostAfter = host;
}

std::optional<uint32_t> OpRuns::find(uint32_t thread, uint32_t name) const {
  if (auto found = lastOfThreadAndName.find({thread, name}); found != lastOfThreadAndName.end())
    return found->second;
  if (auto found = lastOfName.find(name); found != lastOfName.end())
    return found->second;
  return std::nullopt;
}

llvm::SmallVector<std::optional<uint32_t>, 1> OpRuns::findForLaunch(uint32_t thread, uint32_t name,
                                                                    size_t count) const {
  if (auto names = sinceLaunch.find(thread); names != sinceLaunch.end())
    if (auto found = names->second.find(name); found != names->second.end() && found->second.size() == count)
      return {found->second.begin(), found->second.end()};
  return llvm::SmallVector<std::optional<uint32_t>, 1>(count, find(thread, name));
}
