// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_HELPTEXT_H
#define LOCKSTEP_HARNESS_HELPTEXT_H

#include "llvm/ADT/StringRef.h"

namespace lockstep::harness {

/// What --help shows above the options: what the command does, examples, exit status. For the tool itself where
/// `command` is none of its commands.
llvm::StringRef helpOverview(llvm::StringRef command);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_HELPTEXT_H
