// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_EMITCOMMAND_H
#define LOCKSTEP_HARNESS_EMITCOMMAND_H

#include "harness/ExitStatus.h"

#include <string>

namespace lockstep::harness {

/// The options of `lockstep emit` as given.
struct EmitOptions {
  std::string input;
  std::string stage;
  std::string lowering;
  std::string backend;
  std::string output; ///< "-" for standard output.
};

/// Prints a program at a stage. An output file appears whole or not at all.
ExitStatus emitCommand(const EmitOptions &options);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_EMITCOMMAND_H
