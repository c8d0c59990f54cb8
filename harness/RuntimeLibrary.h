// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_RUNTIMELIBRARY_H
#define LOCKSTEP_HARNESS_RUNTIMELIBRARY_H

#include "harness/Backends.h"
#include "harness/WorkerProtocol.h"
#include "harness/order/CallLog.h"

#include <memory>

namespace lockstep::harness {

/// A backend's wrapper library and the driver under it, loaded into this (worker) process for good: neither is made to
/// be unloaded. One thread uses an object, and no program runs during a call.
class RuntimeLibrary {
public:
  /// Loads both. Fails where a file is missing or is no wrapper library.
  static llvm::Expected<std::unique_ptr<RuntimeLibrary>> load(const Backend &backend, const std::string &driver);
  virtual ~RuntimeLibrary();

  /// Initialises the driver and says what it is.
  virtual ProbeReply probe() = 0;

  /// Makes everything as in a new process: a fresh simulated machine with this schedule ("-" where the driver is real),
  /// a fresh wrapper that records failures instead of ending the process.
  virtual llvm::Error beginCell(llvm::StringRef schedule) = 0;

  /// Ends the program's use of the device as the end of a process would, and gives what the wrapper and the simulated
  /// driver have found.
  virtual std::vector<reports::Finding> endCell() = 0;

  /// The driver calls of the last cell that ended, without those that give back what is left at its end.
  virtual const DriverCallCounts &driverCalls() const = 0;

  /// The calls of the last cell that ended that order its work, with the operations that the program named.
  virtual const CallLog &callLog() const = 0;

  /// Whether a call failed in the last cell that ended: later ones were refused.
  virtual bool hasFailed() const = 0;

  /// True where the driver has the control surface of runtime-api/DriverControl.h.
  virtual bool isSimulated() const = 0;

  /// The wrapper's handle, from dlopen: where a program's mgpu symbols are looked up.
  virtual void *handle() const = 0;
};

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_RUNTIMELIBRARY_H
