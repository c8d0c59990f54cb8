// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_LOWERINGS_H
#define LOCKSTEP_HARNESS_LOWERINGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace lockstep::harness {

/// MLIR's own lowering: a subject to be tested, where the others are this project's.
inline constexpr llvm::StringLiteral kUpstreamLowering = "upstream";

/// The lowerings of this version, the reference first, upstream's last.
llvm::ArrayRef<llvm::StringRef> knownLowerings();

/// What a run takes where it is given none, as a list: this project's own lowerings.
std::string defaultLowerings();

/// One lowering of a run.
struct LoweringChoice {
  std::string name;     ///< A known lowering, or the label of a pipeline.
  std::string pipeline; ///< Text of a pass pipeline; empty for a known lowering.
  bool operator==(const LoweringChoice &) const = default;

  /// As parseLowerings reads it.
  std::string optionText() const;
};

/// Reads a comma separated list of known names and of pipelines, `pipeline:builtin.module(…)`, called "pipeline", or
/// `LABEL=pipeline:builtin.module(…)`; commas inside of brackets belong to a pipeline. What is given twice is kept
/// once. Fails with a usage error; whether a pipeline makes sense is not looked at.
llvm::Expected<std::vector<LoweringChoice>> parseLowerings(llvm::StringRef list);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_LOWERINGS_H
