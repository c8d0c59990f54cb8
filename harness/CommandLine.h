// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_COMMANDLINE_H
#define LOCKSTEP_HARNESS_COMMANDLINE_H

#include "harness/ReportCommand.h"
#include "harness/ResultsOutput.h"

namespace lockstep::harness {

/// The main function of the tool `lockstep`: reads the command line, runs the command, gives the exit status.
/// `openOutput` is what --out of `run` stands for, `rebuildReport` what `report` does.
int runCommandLine(int argumentCount, char **arguments, const OpenResultsOutput &openOutput,
                   const RebuildReport &rebuildReport);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_COMMANDLINE_H
