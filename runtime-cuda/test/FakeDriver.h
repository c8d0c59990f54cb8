// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a test sees of the fake driver: a small stand-in for libcuda.so.1 that does every operation at once on host
// memory, counts calls, and can be told to fail. No simulator: it knows no order, no schedule and no kernels.

#ifndef LOCKSTEP_RUNTIME_CUDA_TEST_FAKEDRIVER_H
#define LOCKSTEP_RUNTIME_CUDA_TEST_FAKEDRIVER_H

#include "runtime-cuda/CudaApi.h"

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::cuda {

/// A node of a fake graph, with a copy of its parameters.
struct FakeNode {
  std::string call; ///< What added it: "cuGraphAddKernelNode".
  std::vector<const FakeNode *> dependencies;
  CUDA_KERNEL_NODE_PARAMS kernel = {};
  int firstArgument = 0; ///< Of a kernel that has one.
  CUDA_MEMCPY3D copy = {};
  CUDA_MEMSET_NODE_PARAMS fill = {};
  CUDA_HOST_NODE_PARAMS host = {};
  CUevent event = nullptr;
  CUdeviceptr memory = 0;
  CUcontext context = nullptr;
};

struct FakeGraph {
  std::vector<std::unique_ptr<FakeNode>> nodes;
};

struct FakeExec {
  const FakeGraph *graph = nullptr;
  std::vector<std::pair<const FakeNode *, FakeNode>> nodes; ///< Node of the graph, and what is executed.
};

/// What a launch executed.
struct FakeLaunch {
  const FakeExec *exec;
  CUstream stream;
  std::vector<FakeNode> nodes;
};

/// The state of one fake driver library. Test code takes `mutex` only where other threads may be calling.
struct FakeDriver {
  std::mutex mutex;
  std::map<std::string, int> counts; ///< Calls by documented name, since clear().
  std::vector<std::string> calls;    ///< The same in order.

  /// The `failIndex`-th call (from 0) of `failCall` returns `failCode` and does nothing.
  std::string failCall;
  int failIndex = 0;
  CUresult failCode = CUDA_SUCCESS;

  bool holdsHostFunctions = false; ///< Host functions wait for the next synchronisation of anything.
  bool eventsAreReady = true;      ///< What cuEventQuery answers.
  int nullStreamUses = 0;          ///< Stream-ordered calls on the legacy stream.
  int badHandleUses = 0;           ///< Calls with a handle that this driver does not know in that place.
  unsigned lastStreamFlags = 0;
  std::vector<std::string> ops; ///< What lockstepSimSetOp got (the simulated shape only).

  std::set<const void *> streams, events, modules, functions;
  std::map<const void *, CUcontext> homes; ///< The context in which a stream or event was made.
  std::vector<void *> spareHandles;        ///< Destroyed ones; the newest is handed out again first.
  std::map<CUdeviceptr, size_t> memory;    ///< Live allocations.
  std::set<CUdeviceptr> managed;           ///< Those of them made by cuMemAllocManaged.
  std::set<void *> registered;             ///< Registered host memory by start.
  std::vector<std::pair<CUhostFn, void *>> heldHostFunctions;
  std::vector<std::pair<void *, size_t>> registrations;

  std::set<FakeGraph *> graphs; ///< Live ones, as are the next.
  std::set<FakeExec *> execs;
  std::vector<FakeLaunch> launches;
  std::vector<CUdeviceptr> graphMemory;  ///< Of allocation nodes.
  std::set<CUdeviceptr> liveGraphMemory; ///< Of those, allocated by a launch and not freed.
  std::set<CUstream> capturing;          ///< Streams on which a capture began.

  int count(const std::string &call) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = counts.find(call);
    return found == counts.end() ? 0 : found->second;
  }
  void clearCalls() {
    std::lock_guard<std::mutex> lock(mutex);
    counts.clear();
    calls.clear();
  }
};

/// Exported by the fake library beside the driver API.
using FakeDriverStateFn = FakeDriver *(*)();
/// Exported too: destroys all objects, sets every field to its first value, and makes no context current on this
/// thread.
using FakeDriverResetFn = void (*)();

/// Environment variables that the fake reads when asked: what cuDriverGetVersion, cuDeviceGetCount and cuInit give.
constexpr const char *kFakeVersionVariable = "FAKE_CUDA_VERSION";
constexpr const char *kFakeDeviceCountVariable = "FAKE_CUDA_DEVICE_COUNT";
constexpr const char *kFakeInitResultVariable = "FAKE_CUDA_INIT_RESULT";

} // namespace lockstep::cuda

#endif // LOCKSTEP_RUNTIME_CUDA_TEST_FAKEDRIVER_H
