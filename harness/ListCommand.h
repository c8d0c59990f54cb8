// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_LISTCOMMAND_H
#define LOCKSTEP_HARNESS_LISTCOMMAND_H

#include "harness/ExitStatus.h"

#include <string>
#include <vector>

namespace lockstep::harness {

/// Prints the scenarios in `inputs` (the default suite where empty) whose names match `filter`, with what each states
/// and how it can be lowered.
ExitStatus listCommand(const std::vector<std::string> &inputs, llvm::StringRef filter);

/// Prints the families of scenarios, and the parameters of each with default and range.
ExitStatus listFamilies();

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_LISTCOMMAND_H
