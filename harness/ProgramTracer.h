// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_PROGRAMTRACER_H
#define LOCKSTEP_HARNESS_PROGRAMTRACER_H

#include "harness/ProgramCompiler.h"
#include "harness/RuntimeLibrary.h"
#include "harness/order/OrderSpec.h"

#include "llvm/ADT/StringMap.h"

namespace lockstep::harness {

/// The order that a program asks for, or why it is not known.
struct TracedProgram {
  OrderSpec spec;
  std::string problem; ///< Empty where the program was traced.
};

/// Finds out which order programs ask for: runs the serial lowering of each once, with its chains traced. All kinds of
/// control flow are followed that way, also what depends on results of the device. One thread uses an object.
class ProgramTracer {
public:
  bool hasTraced(llvm::StringRef path) const { return programs.contains(path); }

  /// Compiles and runs the program in `path` in this process, on the driver of `runtime`, where it was not done before.
  /// What it writes and finds is forgotten. A program that crashes takes the process with it.
  const TracedProgram &trace(llvm::StringRef path, const std::string &backend, ProgramCompiler &compiler,
                             RuntimeLibrary &runtime);

private:
  llvm::StringMap<TracedProgram> programs;
};

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_PROGRAMTRACER_H
