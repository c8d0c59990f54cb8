// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a command of the tool ends, and the errors that carry that end. The numbers are part of the command line's
// contract (design section 8).

#ifndef LOCKSTEP_HARNESS_EXITSTATUS_H
#define LOCKSTEP_HARNESS_EXITSTATUS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace lockstep::harness {

enum ExitStatus : int {
  kExitAsExpected = 0,
  kExitFindings = 1,
  kExitUsage = 2,       ///< Wrong usage or unreadable input.
  kExitEnvironment = 3, ///< No driver, no device, a missing tool.
};

/// How a shell shows that a signal ended a command. A run that was interrupted ends in this way, after its results.
inline ExitStatus exitStatusOfSignal(int signal) { return static_cast<ExitStatus>(128 + signal); }

/// An error of the user's: an option, a name or an input file.
llvm::Error usageError(const llvm::Twine &message);

/// Something that the machine lacks.
llvm::Error environmentError(const llvm::Twine &message);

/// The usage error for a name that is not one of `known`; suggests the nearest one where it is near.
llvm::Error unknownNameError(llvm::StringRef what, llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> known);

/// Prints each message of `error` on standard error, with the tool's name in front unless it starts with a place in a
/// file, and gives the status to end with: the one of a usage or environment error, else kExitEnvironment.
ExitStatus reportError(llvm::Error error);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_EXITSTATUS_H
