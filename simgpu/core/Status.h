// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operation of the simulated device ends with. The numbers are those of the CUDA Driver API, which the HIP
// runtime shares for most of them; a facade checks the numbers against its own declarations.

#ifndef LOCKSTEP_SIMGPU_CORE_STATUS_H
#define LOCKSTEP_SIMGPU_CORE_STATUS_H

#include <cstdint>

namespace lockstep::simgpu {

enum class Status : uint32_t {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NotInitialized = 3,
  Deinitialized = 4,
  InvalidConfiguration = 9, ///< Of HIP alone.
  NoDevice = 100,
  InvalidDevice = 101,
  InvalidImage = 200,
  InvalidContext = 201,
  NoBinaryForGpu = 209,
  PrimaryContextInUse = 220,
  FileNotFound = 301,
  OperatingSystem = 304,
  InvalidHandle = 400,
  IllegalState = 401,
  LossyQuery = 402,
  NotFound = 500,
  NotReady = 600,
  IllegalAddress = 700,
  LaunchOutOfResources = 701,
  LaunchTimeout = 702,
  PrimaryContextActive = 708,
  ContextIsDestroyed = 709,
  Assert = 710,
  HostMemoryAlreadyRegistered = 712,
  HostMemoryNotRegistered = 713,
  HardwareStackError = 714,
  IllegalInstruction = 715,
  LaunchFailed = 719,
  NotPermitted = 800,
  NotSupported = 801,
  CaptureUnsupported = 900,
  CaptureInvalidated = 901,
  CaptureMerge = 902,
  CaptureUnmatched = 903,
  CaptureUnjoined = 904,
  CaptureIsolation = 905,
  CaptureImplicit = 906,
  CapturedEvent = 907,
  CaptureWrongThread = 908,
  GraphUpdateFailed = 910,
  Unknown = 999,
};

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_STATUS_H
