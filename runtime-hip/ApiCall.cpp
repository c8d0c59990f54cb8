// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/ApiCall.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

ApiCall::ApiCall(const char *function) : name(function) {
  Runtime &state = runtimeState();
  if (!state.status.hasFailed())
    loaded = state.ensureDriver(function);
}

ApiCall::ApiCall(const char *function, EvenAfterFailure) : name(function), loaded(runtimeState().loadedDriver()) {}

ApiCall::ApiCall(const char *function, DroppingFailures) : ApiCall(function, EvenAfterFailure()) {
  dropsFailures = true;
}

ApiCall::~ApiCall() {
  Failure failure;
  if (!scope.leave(failure))
    fail(failure);
}

void ApiCall::fail(const Failure &failure) {
  if (!dropsFailures)
    runtimeState().status.fail(name, failure);
}

void ApiCall::refuse(MgpuStatusKind kind, std::string detail) {
  Failure failure;
  failure.kind = kind;
  failure.detail = std::move(detail);
  fail(failure);
}

void ApiCall::failMissing(const char *call) {
  refuse(kMgpuStatusNoSymbol, "the library '" + loaded->libraryPath() + "' (HIP " + formatVersion(loaded->version()) +
                                  ") does not have " + call + "; this function needs a newer one");
}

bool ApiCall::enterDevice(int32_t device) {
  if (device == entered)
    return true;
  Failure failure;
  if (runtimeState().contexts.use(*loaded, device, failure) && scope.enter(*loaded, device, failure)) {
    entered = device;
    return true;
  }
  fail(failure);
  return false;
}

std::optional<HandleInfo> ApiCall::check(const char *argument, const void *handle, HandleKind kind) {
  std::optional<HandleInfo> info = runtimeState().handles.find(handle);
  if (info && info->kind == kind && info->state == HandleState::Live)
    return info;
  refuse(kMgpuStatusInvalidHandle, explainMisuse(argument, handle, kind, info));
  return std::nullopt;
}

bool ApiCall::retire(const char *argument, const void *handle, HandleKind kind) {
  std::optional<HandleInfo> info = check(argument, handle, kind);
  if (!info)
    return false;
  if (info->isPooled) {
    refuse(kMgpuStatusInvalidHandle, std::string("argument '") + argument + "' is " + nameWithArticle(kind) +
                                         " of the pool; release it to the pool instead of destroying it");
    return false;
  }
  if (!enterDevice(info->device))
    return false;
  if (runtimeState().handles.change(handle, HandleState::Live, HandleState::Destroyed))
    return true;
  // Another thread was quicker.
  info->state = HandleState::Destroyed;
  refuse(kMgpuStatusInvalidHandle, explainMisuse(argument, handle, kind, info));
  return false;
}

template <typename Result> Result ApiCall::resolve(const char *argument, const void *handle, HandleKind kind) {
  std::optional<HandleInfo> info = check(argument, handle, kind);
  if (!info || !enterDevice(info->device))
    return nullptr;
  return static_cast<Result>(const_cast<void *>(handle));
}

hipStream_t ApiCall::stream(const char *argument, MgpuStream handle) {
  return resolve<hipStream_t>(argument, handle, HandleKind::Stream);
}

hipEvent_t ApiCall::event(const char *argument, MgpuEvent handle) {
  return resolve<hipEvent_t>(argument, handle, HandleKind::Event);
}

hipModule_t ApiCall::module(const char *argument, MgpuModule handle) {
  return resolve<hipModule_t>(argument, handle, HandleKind::Module);
}

hipFunction_t ApiCall::function(const char *argument, MgpuFunction handle) {
  return resolve<hipFunction_t>(argument, handle, HandleKind::Function);
}

OpScope::OpScope(const Driver &driver, const char *op) : driver(driver), previous(currentOp()) {
  setCurrentOp(op);
  driver.forwardOp(op);
}

OpScope::~OpScope() {
  setCurrentOp(previous.c_str());
  driver.forwardOp(previous.c_str());
}
