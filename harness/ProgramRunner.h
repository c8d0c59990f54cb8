// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_PROGRAMRUNNER_H
#define LOCKSTEP_HARNESS_PROGRAMRUNNER_H

#include "harness/ProgramCompiler.h"

#include <memory>

namespace lockstep::harness {

/// Links and runs one compiled program, any number of times, in this process. Each run has fresh globals: only the
/// compilation is shared. What the program may call: the wrapper's mgpu functions, lockstepExpect and lockstepTrace…,
/// MLIR's runner utilities (printMemrefI32 and friends), and whatever this process exports (the C library).
class ProgramRunner {
public:
  /// `wrapper` is the dlopen handle of the backend's wrapper library; it must stay loaded.
  static llvm::Expected<std::unique_ptr<ProgramRunner>> create(CompiledProgram program, void *wrapper);
  virtual ~ProgramRunner();

  /// Runs the constructors, main and the destructors; gives what main returned, 0 where it returns nothing. Fails where
  /// the program cannot be linked, naming what is missing; then nothing of it ran. A program that crashes or exits
  /// takes the process with it.
  virtual llvm::Expected<int64_t> run() = 0;
};

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_PROGRAMRUNNER_H
