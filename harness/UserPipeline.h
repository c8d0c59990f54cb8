// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowerings that a user names as a pass pipeline, and plugins with passes for them.

#ifndef LOCKSTEP_HARNESS_USERPIPELINE_H
#define LOCKSTEP_HARNESS_USERPIPELINE_H

#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace lockstep::harness {

/// Makes the passes of MLIR, of this project and of the plugins known to this process; plugins that are loaded already
/// are left alone. Fails with a usage error where a file is no pass plugin of this LLVM.
llvm::Error registerPasses(llvm::ArrayRef<std::string> pluginPaths);

/// Runs the pipeline on a program in agpu form. Fails with the first diagnostic, or where something other than the LLVM
/// dialect and gpu.binary is left.
llvm::Error runUserPipeline(mlir::ModuleOp module, llvm::StringRef pipeline);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_USERPIPELINE_H
