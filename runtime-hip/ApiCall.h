// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every mgpu function does first and last: refuse after a failure, load the driver, check its handles, make the
// right device current, and turn a driver's error into the record.

#ifndef LOCKSTEP_RUNTIME_HIP_APICALL_H
#define LOCKSTEP_RUNTIME_HIP_APICALL_H

#include "runtime-hip/Runtime.h"

namespace lockstep::hip {

/// One mgpu function at work, on the stack of its thread. Once something failed, all further checks and calls through
/// this object still work (so that clean-up can go on), but only the first failure of the run is kept.
class ApiCall {
public:
  /// `function` must be a literal; it names the mgpu function in messages.
  explicit ApiCall(const char *function);

  /// One that is not refused after a failure, because it has to clean up. False only without a driver.
  struct EvenAfterFailure {};
  ApiCall(const char *function, EvenAfterFailure);

  /// The same for mgpuReset: what a driver says then is of no use to anybody, so no failure is recorded.
  struct DroppingFailures {};
  ApiCall(const char *function, DroppingFailures);
  ~ApiCall();
  ApiCall(const ApiCall &) = delete;
  ApiCall &operator=(const ApiCall &) = delete;

  /// False where the function must do nothing: an earlier call failed, or the driver could not be loaded.
  explicit operator bool() const { return loaded != nullptr; }

  const Driver &driver() const { return *loaded; }

  /// Make the default device, or `device`, current until this object dies.
  bool enterDefaultDevice() { return enterDevice(runtimeState().defaultDevice.load(std::memory_order_relaxed)); }
  bool enterDevice(int32_t device);

  /// The driver's handle for an argument called `argument`, with its device made current; null with the failure
  /// recorded where it is not a live handle of that kind. A null stream is refused here: to the driver it is the legacy
  /// stream.
  hipStream_t stream(const char *argument, MgpuStream handle);
  hipEvent_t event(const char *argument, MgpuEvent handle);
  hipModule_t module(const char *argument, MgpuModule handle);
  hipFunction_t function(const char *argument, MgpuFunction handle);

  /// What the registry knows of a live handle of `kind`; nothing, with the failure recorded, where it is not one.
  std::optional<runtime::HandleInfo> check(const char *argument, const void *handle, runtime::HandleKind kind);

  /// Takes a checked handle out of use before the driver destroys it. Refuses pooled ones, which belong to the pool.
  bool retire(const char *argument, const void *handle, runtime::HandleKind kind);

  /// Calls the driver; false with the failure recorded where it fails or where an optional function is missing.
  template <typename Signature, typename... Arguments>
  bool invoke(const DriverFunction<Signature> &function, Arguments... arguments) {
    if (!function.isPresent()) {
      failMissing(function.name);
      return false;
    }
    hipError_t result = function(arguments...);
    if (result == hipSuccess)
      return true;
    fail(loaded->describe(function.name, result));
    return false;
  }

  /// Records a failure that no driver call made.
  void refuse(MgpuStatusKind kind, std::string detail);
  void fail(const runtime::Failure &failure);

private:
  template <typename Result> Result resolve(const char *argument, const void *handle, runtime::HandleKind kind);
  void failMissing(const char *call);

  const char *name;
  const Driver *loaded = nullptr;
  bool dropsFailures = false;
  int32_t entered = -1; ///< The device that the calls act on.
  ContextScope scope;
};

/// Names `op` for the driver calls that the object outlives; what the thread had named returns afterwards.
class OpScope {
public:
  OpScope(const Driver &driver, const char *op);
  ~OpScope();
  OpScope(const OpScope &) = delete;
  OpScope &operator=(const OpScope &) = delete;

private:
  const Driver &driver;
  std::string previous;
};

/// The driver's types are behind the ABI's opaque ones: the handles are the driver's own.
inline MgpuStream toMgpu(hipStream_t stream) { return reinterpret_cast<MgpuStream>(stream); }
inline MgpuEvent toMgpu(hipEvent_t event) { return reinterpret_cast<MgpuEvent>(event); }
inline MgpuModule toMgpu(hipModule_t module) { return reinterpret_cast<MgpuModule>(module); }
inline MgpuFunction toMgpu(hipFunction_t function) { return reinterpret_cast<MgpuFunction>(function); }
inline hipDeviceptr_t toAddress(const void *memory) { return reinterpret_cast<uintptr_t>(memory); }

} // namespace lockstep::hip

#endif // LOCKSTEP_RUNTIME_HIP_APICALL_H
