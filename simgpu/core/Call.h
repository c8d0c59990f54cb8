// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One driver call in progress: holds the machine's lock, knows the call's name for findings, and has the helpers that
// most calls share. Facades open one for each entry point; the functions in *Api.h take it as first argument.

#ifndef LOCKSTEP_SIMGPU_CORE_CALL_H
#define LOCKSTEP_SIMGPU_CORE_CALL_H

#include "simgpu/core/Machine.h"
#include "simgpu/core/Task.h"
#include "simgpu/core/Thread.h"

namespace lockstep::simgpu {

/// What must hold before a driver call does anything.
enum class Needs : uint8_t {
  Nothing,
  Driver,        ///< The driver is initialised.
  Context,       ///< And a live context is current, without an earlier failure.
  BrokenContext, ///< And a live context is current; an earlier failure does not matter.
};

/// The stream handles that every context has.
inline constexpr uint64_t legacyStreamHandle = 1;
inline constexpr uint64_t perThreadStreamHandle = 2;

class Call {
public:
  explicit Call(const char *name);

  /// Checks `needs`; sets `context`. A call from inside a host function is refused with NotPermitted and a finding.
  Status begin(Needs needs);
  /// What begin does for Needs::Context, for a facade that makes one current meanwhile.
  Status demandContext() { return checkCurrentContext(Needs::Context); }
  /// Lets the scheduler run what it wants to run now. To be called last.
  void end();

  /// Adds a finding on this call and gives `status` back.
  Status report(Status status, const char *oracle, const char *rule, std::string message);

  /// The live object that `handle` names. Otherwise null, a finding, and `status` set to InvalidHandle, InvalidContext,
  /// or what the documentation has for that kind.
  template <typename T>
  std::shared_ptr<T> resolve(uint64_t handle, HandleKind kind, const char *argument, Status &status) {
    return std::static_pointer_cast<T>(resolveObject(handle, kind, argument, status));
  }
  /// Like resolve; knows the handles 0, 1 and 2 of the current context.
  std::shared_ptr<Stream> resolveStream(uint64_t handle, const char *argument, Status &status);

  /// The same for work: refuses the legacy stream beside a capture, and a stream whose capture was invalidated.
  std::shared_ptr<Stream> resolveForWork(uint64_t handle, const char *argument, Status &status);
  /// How a task for the stream is judged.
  static Use useOf(const Stream &stream) { return stream.capture ? Use::InGraph : Use::Now; }

  /// A new operation on `stream` that belongs to this call, not yet queued.
  OperationPtr createOperation(OperationKind kind, const Stream &stream, std::string detail, uint64_t sizeBytes);
  /// The same with the kind, the cost and the work of `task`.
  OperationPtr createOperation(const Stream &stream, const Task &task);
  /// Queues it behind what the stream's rules demand (async-semantics 5.1) and behind `more`.
  void submit(Stream &stream, const OperationPtr &operation, const std::vector<OperationPtr> &more = {});
  /// Queues `task` on the stream, or captures it.
  Status enqueue(Stream &stream, const Task &task);
  /// Blocks until all of `operations` are done; gives the failure of `of`, if it has one.
  Status waitFor(const std::vector<OperationPtr> &operations, const Context &of);
  /// What the next operation on the stream waits for: the last one on it and, for the legacy stream, on all blocking
  /// streams. (The edge from the legacy stream to a blocking one is submit's.)
  std::vector<OperationPtr> operationsOf(const Stream &stream) const;

  const char *name;
  Machine &machine;
  ThreadState &thread;
  Lock lock;
  std::shared_ptr<Context> context; ///< The current one, where `begin` demanded it.

private:
  Status checkCurrentContext(Needs needs);
  std::shared_ptr<HandleObject> resolveObject(uint64_t handle, HandleKind kind, const char *argument, Status &status);
  std::shared_ptr<Stream> perThreadStream();
};

/// Creates a stream of `context`; the handle is created for Kind::Created only.
std::shared_ptr<Stream> createStreamObject(Machine &machine, const std::shared_ptr<Context> &context, Stream::Kind kind,
                                           bool isBlocking, int priority);

/// Runs `body` as the driver call `name`: begin, body, end. Gives the first failure.
template <typename Body> Status runCall(const char *name, Needs needs, Body body) {
  Call call(name);
  Status status = call.begin(needs);
  if (status != Status::Success)
    return status;
  status = body(call);
  call.end();
  return status;
}

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_CALL_H
