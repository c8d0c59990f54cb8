// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A backend as a program sees it, loaded with dlopen so that both can be in one process, and what its driver was asked
// to do, in words that do not name a vendor.

#ifndef LOCKSTEP_RUNTIME_API_TEST_BACKENDS_BACKEND_H
#define LOCKSTEP_RUNTIME_API_TEST_BACKENDS_BACKEND_H

#include "runtime-api/Mgpu.h"

#include <functional>
#include <string>
#include <vector>

namespace lockstep::runtime::test {

/// One pointer for each function of the ABI, under its name.
struct Backend {
#define MGPU_SYMBOL(RESULT, NAME, PARAMETERS) RESULT(*NAME) PARAMETERS;
#include "runtime-api/Symbols.def"

  std::string name; ///< "cuda" or "hip".
  std::vector<char> kernels;

  /// The library that the build made; its driver is the simulated one. Ends the test program where it cannot be loaded.
  static const Backend &cuda();
  static const Backend &hip();
};

/// What happened in one run of `program`: a line for each driver call that matters, with those of its arguments that
/// both vendors have, then a line for the record of the first failure.
std::vector<std::string> transcriptOf(const Backend &backend, const std::function<void(const Backend &)> &program);

/// Lines that differ, as "cuda: …; hip: …"; empty where the transcripts are equal.
std::vector<std::string> compare(const std::vector<std::string> &cuda, const std::vector<std::string> &hip);

} // namespace lockstep::runtime::test

#endif // LOCKSTEP_RUNTIME_API_TEST_BACKENDS_BACKEND_H
