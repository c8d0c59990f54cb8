// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/RunTimes.h"

#include <ctime>

using namespace lockstep::reports;

int64_t lockstep::reports::startMs(const RunDescription &run) {
  std::tm fields = {};
  const char *end = strptime(run.started.c_str(), "%Y-%m-%dT%H:%M:%SZ", &fields);
  if (!end || *end != '\0')
    return 0;
  return static_cast<int64_t>(timegm(&fields)) * 1000;
}
