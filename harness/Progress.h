// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_PROGRESS_H
#define LOCKSTEP_HARNESS_PROGRESS_H

#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <string>

namespace lockstep::harness {

/// One line on a terminal that says how far a run is, written over itself; silent where standard error is no terminal.
class Progress {
public:
  explicit Progress(size_t total);
  ~Progress() { clear(); }

  void update(size_t done, size_t failing);
  /// Removes the line, so that other text can be printed.
  void clear();

  /// The line's text; `elapsedSeconds` since the start gives the time left.
  static std::string text(size_t done, size_t total, size_t failing, double elapsedSeconds);

private:
  size_t total;
  bool isTerminal;
  bool isShown = false;
  std::chrono::steady_clock::time_point start;
};

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_PROGRESS_H
