// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_REPORTS_RUNTIMES_H
#define LOCKSTEP_REPORTS_RUNTIMES_H

#include "reports/Results.h"

namespace lockstep::reports {

/// When `run` started, in milliseconds since 1970 (UTC); 0 where `started` is not "YYYY-MM-DDThh:mm:ssZ".
int64_t startMs(const RunDescription &run);

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_RUNTIMES_H
