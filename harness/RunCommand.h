// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_RUNCOMMAND_H
#define LOCKSTEP_HARNESS_RUNCOMMAND_H

#include "harness/ExitStatus.h"
#include "harness/ResultsOutput.h"

#include <string>
#include <vector>

namespace lockstep::harness {

/// The options of `lockstep run` as given; texts are not checked yet.
struct RunOptions {
  std::string program = "lockstep"; ///< As the user spelt it; for commands to be copied.
  std::vector<std::string> inputs;  ///< Empty for the default suite.
  std::string lowerings;
  std::vector<std::string> passPlugins;
  std::string backends; ///< Empty for those that are built.
  std::string driver;
  std::string schedules;
  unsigned jobs = 0;           ///< 0 for one each core.
  double timeoutSeconds = 60;  ///< For each cell.
  std::string outputDirectory; ///< Empty for none.
  std::string filter;
  std::string shard;
  bool failFast = false;
  bool showOutput = false;
  std::vector<std::string> commandLine; ///< For the record.
};

/// Checks everything, runs the cells, prints the results and stores them where asked to. Blocks until all is done.
ExitStatus runCommand(const RunOptions &options, const OpenResultsOutput &openOutput);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_RUNCOMMAND_H
