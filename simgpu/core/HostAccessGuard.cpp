// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A synchronous fault of host code: the thread is in the program under test, not in the simulator, so taking the lock
// and allocating memory here is as safe as in that program; only another thread may hold the lock, hence try_lock.

#include "simgpu/core/HostAccessGuard.h"

#include "simgpu/core/Machine.h"
#include "simgpu/core/Thread.h"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace lockstep::simgpu {

static Machine *guarded = nullptr;
static struct sigaction previousSegv, previousBus;

static void reportAccess(uint64_t address) {
  char text[320];
  std::string what = "no allocation that is known";
  Lock lock(guarded->mutex, std::try_to_lock);
  if (lock.owns_lock())
    if (AllocationPtr allocation = guarded->memory.find(address))
      what = allocation->describe() + (allocation->isDead ? ", already freed" : "") + ", offset " +
             std::to_string(address - allocation->address);
  snprintf(text, sizeof text, "host access to device memory 0x%llx (%s)", static_cast<unsigned long long>(address),
           what.c_str());
  std::string line = std::string("lockstep simulated GPU: ") + text + "\n";
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, line.data(), line.size());
  if (lock.owns_lock())
    guarded->addFinding({"memory", "MEM-10", "", text, ThreadState::get().op});
}

static void onFault(int signal, siginfo_t *info, void *machineContext) {
  uint64_t address = reinterpret_cast<uint64_t>(info->si_addr);
  if (guarded->arena.contains(address) && ThreadState::get().kernelDepth == 0)
    reportAccess(address);
  const struct sigaction &previous = signal == SIGBUS ? previousBus : previousSegv;
  if ((previous.sa_flags & SA_SIGINFO) && previous.sa_sigaction)
    return previous.sa_sigaction(signal, info, machineContext);
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
    return previous.sa_handler(signal);
  // Back to the default action: the access is repeated on return and ends the process.
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
}

void installHostAccessGuard(Machine &machine) {
  guarded = &machine;
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previousSegv);
  sigaction(SIGBUS, &action, &previousBus);
}

} // namespace lockstep::simgpu
