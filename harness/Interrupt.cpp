// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Interrupt.h"

using namespace lockstep::harness;

static volatile std::sig_atomic_t caughtSignal = 0;

static bool isIgnoredNow(int signal) {
  struct sigaction action = {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

IgnoredSignals::IgnoredSignals() {
  for (size_t i = 0; i < kEndingSignals.size(); ++i)
    isIgnored[i] = isIgnoredNow(kEndingSignals[i]);
}

void IgnoredSignals::restore() const {
  for (size_t i = 0; i < kEndingSignals.size(); ++i)
    if (isIgnored[i])
      std::signal(kEndingSignals[i], SIG_IGN);
}

InterruptGuard::InterruptGuard() {
  caughtSignal = 0;
  struct sigaction action = {};
  action.sa_handler = [](int signal) { caughtSignal = signal; };
  // A second one finds the default action: whoever is in a hurry is not kept.
  action.sa_flags = SA_RESETHAND;
  for (size_t i = 0; i < kEndingSignals.size(); ++i) {
    sigaction(kEndingSignals[i], nullptr, &previous[i]);
    if (previous[i].sa_handler != SIG_IGN)
      sigaction(kEndingSignals[i], &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (size_t i = 0; i < kEndingSignals.size(); ++i)
    sigaction(kEndingSignals[i], &previous[i], nullptr);
}

int InterruptGuard::caught() { return caughtSignal; }
