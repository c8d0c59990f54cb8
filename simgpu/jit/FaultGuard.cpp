// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/FaultGuard.h"
#include "simgpu/jit/Errors.h"
#include "simgpu/jit/FiberStack.h"
#include "simgpu/jit/FiberSwitch.h"
#include <cassert>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <memory>
#include <mutex>

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

enum class Outcome : int { running, signal, assertion, trap, deadlock };

struct Guard {
  sigjmp_buf environment;
  Guard *outer;
  std::string message;
  int signal = 0;
  int signalCode = 0;
  uintptr_t address = 0;
};

thread_local Guard *innermost = nullptr;
/// The machine context of the signal that is being passed on; left behind by a handler that jumps away.
thread_local void *passing = nullptr;

constexpr int faultSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
/// The handlers below ours: when ours were first installed, and the last time.
struct sigaction originalActions[std::size(faultSignals)];
struct sigaction previousActions[std::size(faultSignals)];
bool everInstalled = false;

[[noreturn]] void leave(Guard &guard, Outcome outcome) { siglongjmp(guard.environment, int(outcome)); }

void passOn(int signal, siginfo_t *information, void *machineContext) {
  size_t position = 0;
  while (faultSignals[position] != signal)
    ++position;
  // A handler that was installed over ours and then found itself below may pass the same signal back to us.
  const struct sigaction &next = passing == machineContext ? originalActions[position] : previousActions[position];
  passing = machineContext;
  if (next.sa_flags & SA_SIGINFO)
    next.sa_sigaction(signal, information, machineContext);
  else if (next.sa_handler != SIG_DFL && next.sa_handler != SIG_IGN)
    next.sa_handler(signal);
  else
    // The default action comes when the faulting instruction runs again.
    std::signal(signal, SIG_DFL);
  passing = nullptr;
}

void handleFault(int signal, siginfo_t *information, void *machineContext) {
  Guard *guard = innermost;
  if (!guard)
    return passOn(signal, information, machineContext);
  guard->signal = signal;
  guard->signalCode = information->si_code;
  guard->address = reinterpret_cast<uintptr_t>(information->si_addr);
  leave(*guard, Outcome::signal);
}

/// Others may install handlers at any time, so this is checked at every run; a query costs a fraction of a microsecond.
void installHandlers() {
  static std::mutex mutex;
  struct sigaction current;
  sigaction(SIGSEGV, nullptr, &current);
  if ((current.sa_flags & SA_SIGINFO) && current.sa_sigaction == handleFault)
    return;
  std::lock_guard lock(mutex);
  for (size_t i = 0; i != std::size(faultSignals); ++i) {
    struct sigaction ours = {};
    ours.sa_sigaction = handleFault;
    // Not deferred: the handler leaves by a jump that restores no signal mask.
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&ours.sa_mask);
    sigaction(faultSignals[i], nullptr, &current);
    if ((current.sa_flags & SA_SIGINFO) && current.sa_sigaction == handleFault)
      continue;
    previousActions[i] = current;
    if (!everInstalled)
      originalActions[i] = current;
    sigaction(faultSignals[i], &ours, nullptr);
  }
  everInstalled = true;
}

/// Gives the thread an alternate signal stack for its lifetime, where it has none: a fiber may fault for lack of stack.
class SignalStack {
public:
  SignalStack() {
    stack_t current;
    sigaltstack(nullptr, &current);
    if (!(current.ss_flags & SS_DISABLE))
      return;
    constexpr size_t sizeBytes = 64 * 1024;
    memory = std::make_unique<char[]>(sizeBytes);
    stack_t ours = {};
    ours.ss_sp = memory.get();
    ours.ss_size = sizeBytes;
    sigaltstack(&ours, nullptr);
  }
  ~SignalStack() {
    if (!memory)
      return;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }

private:
  std::unique_ptr<char[]> memory;
};

std::string describeSignal(const Guard &guard) {
  switch (guard.signal) {
  case SIGFPE:
    return "integer division by zero, or its result does not fit";
  case SIGILL:
    return "code that the program says is never reached was reached";
  case SIGBUS:
    return "memory access fault (bus error)";
  default:
    if (isStackGuard(guard.address))
      return "a thread of the kernel ran off its stack of " + std::to_string(fiberStackBytes) + " bytes";
    return "memory access fault";
  }
}

KernelFault::Kind kindOf(const Guard &guard) {
  if (guard.signal == SIGFPE)
    return KernelFault::Kind::arithmetic;
  if (guard.signal == SIGILL)
    return KernelFault::Kind::unreachableCode;
  return isStackGuard(guard.address) ? KernelFault::Kind::stack : KernelFault::Kind::memoryAccess;
}

Error makeError(const Guard &guard, Outcome outcome) {
  switch (outcome) {
  case Outcome::signal:
    return make_error<KernelFault>(describeSignal(guard), guard.address, kindOf(guard));
  case Outcome::assertion:
    return make_error<KernelAssert>(guard.message);
  case Outcome::trap:
    return make_error<KernelTrap>(guard.message);
  default:
    return make_error<KernelDeadlock>(guard.message);
  }
}

} // namespace

Error runGuarded(function_ref<void()> body) {
  installHandlers();
  thread_local SignalStack signalStack;
  Guard guard;
  guard.outer = innermost;
  passing = nullptr;
  int outcome = sigsetjmp(guard.environment, /*savemask=*/0);
  if (outcome == int(Outcome::running)) {
    innermost = &guard;
    body();
    innermost = guard.outer;
    return Error::success();
  }
  arriveByJump();
  innermost = guard.outer;
  return makeError(guard, Outcome(outcome));
}

[[noreturn]] static void abortWith(Outcome outcome, std::string &message) {
  assert(innermost && "device code runs inside runGuarded only");
  innermost->message.swap(message);
  leave(*innermost, outcome);
}

void abortWithAssert(std::string message) { abortWith(Outcome::assertion, message); }
void abortWithTrap(std::string message) { abortWith(Outcome::trap, message); }
void abortWithDeadlock(std::string message) { abortWith(Outcome::deadlock, message); }

} // namespace lockstep::simgpu::jit
