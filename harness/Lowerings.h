// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_LOWERINGS_H
#define LOCKSTEP_HARNESS_LOWERINGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace lockstep::harness {

/// The lowerings of this version, the reference first.
llvm::ArrayRef<llvm::StringRef> knownLowerings();

/// Reads a comma separated list. A name given twice is kept once. Fails with a usage error.
llvm::Expected<std::vector<std::string>> parseLowerings(llvm::StringRef list);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_LOWERINGS_H
