// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a signal that asks this process to end (SIGHUP, SIGINT, SIGTERM) does to a run.

#ifndef LOCKSTEP_HARNESS_INTERRUPT_H
#define LOCKSTEP_HARNESS_INTERRUPT_H

#include <array>
#include <csignal>

namespace lockstep::harness {

inline constexpr std::array<int, 3> kEndingSignals = {SIGHUP, SIGINT, SIGTERM};

/// Remembers which of the signals the parent had this process ignore, as nohup and a shell's background jobs do.
/// LLVM's set-up installs its own handlers without asking; `restore` afterwards makes them ignored again.
class IgnoredSignals {
public:
  IgnoredSignals();
  void restore() const;

private:
  std::array<bool, kEndingSignals.size()> isIgnored = {};
};

/// While one lives, the first of the signals is only noted; the second ends the process in the usual way. Ignored ones
/// stay ignored. At most one at a time.
class InterruptGuard {
public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard &) = delete;
  InterruptGuard &operator=(const InterruptGuard &) = delete;

  /// The signal that came, 0 for none.
  static int caught();

private:
  std::array<struct sigaction, kEndingSignals.size()> previous = {};
};

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_INTERRUPT_H
