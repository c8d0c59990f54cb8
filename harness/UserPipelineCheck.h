// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run asks of pipelines before it starts; apart from UserPipeline.h so that it can be had without MLIR's
// headers.

#ifndef LOCKSTEP_HARNESS_USERPIPELINECHECK_H
#define LOCKSTEP_HARNESS_USERPIPELINECHECK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace lockstep::harness {

/// Loads the plugins into this process and reads each pipeline. Fails with a usage error: one line, with the position
/// in the text where a pipeline is wrong.
llvm::Error checkUserPipelines(llvm::ArrayRef<std::string> pipelines, llvm::ArrayRef<std::string> passPlugins);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_USERPIPELINECHECK_H
