// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_RUNENVIRONMENT_H
#define LOCKSTEP_HARNESS_RUNENVIRONMENT_H

#include "reports/Results.h"

#include "llvm/ADT/ArrayRef.h"

namespace lockstep::harness {

/// This machine.
reports::HostDescription describeHost();

/// The commit that the checkout stands at, and whether it has changes; none where git or the checkout is not there.
std::optional<reports::GitDescription> describeGit();

/// Now, as ISO 8601 in UTC with seconds.
std::string currentTimeText();

/// A name for a run that no other run on this machine has.
std::string makeRunId(llvm::StringRef started);

/// `arguments` as a line that a POSIX shell reads back to the same words.
std::string quoteCommand(llvm::ArrayRef<std::string> arguments);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_RUNENVIRONMENT_H
