// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole simulated machine: one per process, guarded by one lock. Parts know nothing of it; driver calls reach it
// through Call.h.

#ifndef LOCKSTEP_SIMGPU_CORE_MACHINE_H
#define LOCKSTEP_SIMGPU_CORE_MACHINE_H

#include "simgpu/core/Context.h"
#include "simgpu/core/DeviceCode.h"
#include "simgpu/core/Engine.h"
#include "simgpu/core/Findings.h"
#include "simgpu/core/GraphMemory.h"
#include "simgpu/core/Handles.h"
#include "simgpu/core/Memory.h"

#include <array>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockstep::simgpu {

struct CaptureSession;

struct MachineConfig {
  std::string schedule = "eager";
  uint64_t memoryLimitBytes = uint64_t(1) << 30;
  unsigned deviceCount = 1;

  /// Reads "key=value;key=value" over the environment over the defaults. Nothing, and a line in `error`, where a key or
  /// value is wrong.
  static std::optional<MachineConfig> read(const char *text, std::string &error);
};

struct MemoryPool : HandleObject {
  int deviceOrdinal = 0;
  uint64_t releaseThresholdBytes = 0;
  uint64_t usedBytes = 0;
  uint64_t idleBytes = 0; ///< Freed by the program and not yet given back to the device.
  uint64_t usedHighBytes = 0, reservedHighBytes = 0;
  std::array<bool, 3> reuseSwitches{true, true, true}; ///< Kept for the program; this pool never reuses early.

  void take(uint64_t bytes);
  void giveBack(uint64_t bytes);
  /// Gives idle bytes back to the device until at most `bytes` are reserved.
  void trimTo(uint64_t bytes);
};

struct Device {
  std::shared_ptr<Context> primary; ///< Null while nobody retains it.
  unsigned primaryRetainCount = 0;
  unsigned primaryFlags = 0;
  std::shared_ptr<MemoryPool> pool; ///< The default pool, which never dies.
  GraphMemoryUse graphMemory;
};

class Machine {
public:
  /// The machine of this process. The first call reads the environment; a wrong value there ends the process with a
  /// message and status 2.
  static Machine &get();

  /// Null, or what is wrong with `config`; the text lives until the next reset.
  const char *reset(const char *config);
  /// Adds the findings of the end of a process; nothing runs.
  void finish();
  void addFinding(Finding finding) { findings.add(std::move(finding)); }

  /// The `callCount`-th call from now that needs a working context gives `status` back, as the failure of earlier work.
  void injectFailure(Status status, uint64_t callCount);
  /// Counts one such call: the failure whose turn has come, or Success.
  Status takeInjectedFailure();

  std::mutex mutex;
  MachineConfig config;
  FindingLog findings;
  HandleTable handles;
  Arena arena;
  Memory memory;
  Engine engine;
  std::vector<Device> devices;
  std::vector<std::shared_ptr<CaptureSession>> captures;  ///< Those that have not ended.
  std::set<std::shared_ptr<GraphMemory>> liveGraphMemory; ///< What launches allocated and nothing freed.
  std::unique_ptr<DeviceCompiler> compiler;
  uint64_t resetCount = 0;
  uint64_t threadCount = 0;
  uint64_t captureCount = 0;
  uint32_t streamCount = 0;
  bool isInitialized = false;
  bool isDeinitialized = false; ///< The process is ending, and the driver went before the caller did.

private:
  Machine();
  void restart(Lock &lock, const MachineConfig &newConfig);
  std::string configError;
  Status injectedFailure = Status::Success;
  uint64_t callsUntilInjected = 0;
};

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_MACHINE_H
