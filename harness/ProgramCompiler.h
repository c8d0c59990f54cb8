// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_PROGRAMCOMPILER_H
#define LOCKSTEP_HARNESS_PROGRAMCOMPILER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace lockstep::harness {

/// Functions of a compiled program that run its constructors and destructors in the order of their priorities. The
/// harness runs a program many times in a process, so it decides when they run.
inline constexpr llvm::StringLiteral kProgramStartSymbol = "lockstepProgramStart";
inline constexpr llvm::StringLiteral kProgramFinishSymbol = "lockstepProgramFinish";

/// Machine code of a lowered program for this machine, not linked yet.
struct CompiledProgram {
  std::unique_ptr<llvm::MemoryBuffer> object;
  bool mainReturnsStatus = false; ///< main gives an i32; else nothing.
};

/// What to make of a program.
struct LoweringRequest {
  std::string lowering;
  std::string backend;
  bool isSimulated = true;   ///< Kernels as bitcode for the simulated device; else as code for hardware.
  std::string pipeline = {}; ///< Not empty: the passes to run on the program in agpu form.
  std::vector<std::string> passPlugins = {}; ///< Libraries with passes for it.
  bool traceChains = false;                  ///< With `serial`: the program calls the functions of runtime-api/Trace.h.
};

/// Compiles one program after the other, and keeps what they share. One thread uses an object.
class ProgramCompiler {
public:
  static std::unique_ptr<ProgramCompiler> create();
  virtual ~ProgramCompiler();

  /// Lowers the program in `path` and compiles its host part. Fails with the first diagnostic.
  virtual llvm::Expected<CompiledProgram> compile(llvm::StringRef path, const LoweringRequest &request) = 0;
};

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_PROGRAMCOMPILER_H
