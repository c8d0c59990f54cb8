// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the interfaces behave differently over the one device: async-semantics 5.10. Each facade defines vendor(); the
// defaults are what CUDA's documentation says.

#ifndef LOCKSTEP_SIMGPU_CORE_VENDOR_H
#define LOCKSTEP_SIMGPU_CORE_VENDOR_H

#include "simgpu/core/Status.h"

namespace lockstep::simgpu {

struct Vendor {
  const char *interfaceName = "CUDA";
  const char *architecture = "nvptx"; ///< How the target triple of its kernels begins.
  /// Destroying a stream waits for its last command (HIP-1).
  bool destroyWaitsForStream = false;
  /// Freeing memory waits for the device (HIP-2), and whether it does for memory of pools.
  bool freeWaits = false, freeOfPoolMemoryWaits = false;
  /// Zero bytes of memory are null and no error (HIP-3).
  bool zeroSizeIsNull = false;
  /// A record of an event whose last record is in flight might count or not (HIP-5).
  bool reRecordMightBeLost = false;
  /// Launches of one executable graph on two streams are in no order (HIP-7).
  bool launchesAreOrdered = true;
  /// An update of an executable graph goes node by node: numbers of dependencies are compared, not edges, and a failure
  /// leaves the nodes before it changed (HIP-8).
  bool updateIsByNode = false;
  /// What is not joined at the end of a capture is judged by the graph's leaves, and leaves the streams captured
  /// (HIP-9).
  bool unjoinedStaysCaptured = false;
  /// A wait or query of any thread invalidates every global capture, whatever the thread's mode (HIP-10).
  bool waitsInvalidateGlobalCaptures = false;
  /// A fault of a kernel ends the process (HIP-11).
  bool faultAborts = false;
  /// What a stream that is no stream gives (HIP-12).
  Status invalidStream = Status::InvalidHandle;
  /// What launches of a wrong size give (HIP-13).
  Status emptyGrid = Status::InvalidValue, tooManyThreads = Status::InvalidValue;
};

const Vendor &vendor();

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_VENDOR_H
