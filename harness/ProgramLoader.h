// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_PROGRAMLOADER_H
#define LOCKSTEP_HARNESS_PROGRAMLOADER_H

#include "harness/ProgramFacts.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace lockstep::harness {

/// A context that knows every dialect a program may use and the translations of those it is lowered to. Single
/// threaded: the harness runs several processes instead.
std::unique_ptr<mlir::MLIRContext> createProgramContext();

/// Collects the diagnostics of a context while it lives, as text: "file:line:column: error: …", notes below their
/// error.
class DiagnosticText {
public:
  explicit DiagnosticText(mlir::MLIRContext &context);
  ~DiagnosticText();

  /// The first error with its notes, without a newline at the end; "" where there was none.
  const std::string &firstError() const { return text; }

private:
  mlir::MLIRContext &context;
  mlir::DiagnosticEngine::HandlerID handler;
  std::string text;
};

/// Reads and verifies the program in a file, or makes that of a scenario ("forkjoin(width=8)"). Fails with a usage
/// error: one message that starts with the place in the file.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> loadProgram(mlir::MLIRContext &context, llvm::StringRef path);

/// Fails with a usage error where there is no `main` that can be run.
llvm::Expected<ProgramFacts> inspectProgram(mlir::ModuleOp module, llvm::StringRef path);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_PROGRAMLOADER_H
