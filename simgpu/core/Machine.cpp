// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Start, reset and end of the machine.

#include "simgpu/core/Machine.h"

#include "simgpu/core/Capture.h"
#include "simgpu/core/Graph.h"
#include "simgpu/core/HostAccessGuard.h"
#include "simgpu/core/JitCompiler.h"
#include "simgpu/core/Module.h"
#include "simgpu/core/Thread.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace lockstep::simgpu {

void MemoryPool::take(uint64_t bytes) {
  idleBytes -= std::min(idleBytes, bytes);
  usedBytes += bytes;
  usedHighBytes = std::max(usedHighBytes, usedBytes);
  reservedHighBytes = std::max(reservedHighBytes, usedBytes + idleBytes);
}

void MemoryPool::giveBack(uint64_t bytes) {
  usedBytes -= bytes;
  idleBytes += bytes;
}

void MemoryPool::trimTo(uint64_t bytes) { idleBytes = std::min(idleBytes, bytes > usedBytes ? bytes - usedBytes : 0); }

static bool readNumber(const std::string &text, uint64_t least, uint64_t most, uint64_t &value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= least && value <= most;
}

static bool setKey(MachineConfig &config, const std::string &key, const std::string &value, std::string &error) {
  uint64_t number = 0;
  if (key == "schedule") {
    config.schedule = value;
    return createScheduler(value, error) != nullptr;
  }
  if (key == "memory_limit_bytes") {
    if (readNumber(value, 1, uint64_t(32) << 30, number)) {
      config.memoryLimitBytes = number;
      return true;
    }
    error = "memory_limit_bytes '" + value + "' is not a number from 1 to 34359738368";
    return false;
  }
  if (key == "device_count") {
    if (readNumber(value, 0, 64, number)) {
      config.deviceCount = static_cast<unsigned>(number);
      return true;
    }
    error = "device_count '" + value + "' is not a number from 0 to 64";
    return false;
  }
  error = "unknown key '" + key + "'; keys are schedule, memory_limit_bytes, device_count";
  return false;
}

std::optional<MachineConfig> MachineConfig::read(const char *text, std::string &error) {
  MachineConfig config;
  static const char *const variables[][2] = {{"schedule", "LOCKSTEP_SIM_SCHEDULE"},
                                             {"memory_limit_bytes", "LOCKSTEP_SIM_MEMORY_LIMIT_BYTES"},
                                             {"device_count", "LOCKSTEP_SIM_DEVICE_COUNT"}};
  for (const auto &[key, variable] : variables) {
    const char *value = getenv(variable);
    if (value && *value && !setKey(config, key, value, error)) {
      error = std::string("environment variable ") + variable + ": " + error;
      return std::nullopt;
    }
  }
  std::string rest = text ? text : "";
  while (!rest.empty()) {
    std::string entry = rest.substr(0, rest.find(';'));
    rest = entry.size() == rest.size() ? "" : rest.substr(entry.size() + 1);
    if (entry.empty())
      continue;
    size_t equals = entry.find('=');
    if (equals == std::string::npos) {
      error = "'" + entry + "' is not of the form key=value";
      return std::nullopt;
    }
    if (!setKey(config, entry.substr(0, equals), entry.substr(equals + 1), error))
      return std::nullopt;
  }
  return config;
}

/// Threads of the scheduler must be gone before the process tears down what they use. They stay where the exit comes
/// from inside a host function or a driver call: waiting for that one's end would last for ever.
static void stopAtExit() {
  Machine &machine = Machine::get();
  Lock lock(machine.mutex, std::try_to_lock);
  bool hasThreads = machine.engine.getScheduler().threadCount() > 0;
  if (hasThreads && lock.owns_lock() && ThreadState::get().hostFunctionDepth == 0)
    machine.engine.stop(lock);
  machine.isDeinitialized = true;
}

Machine &Machine::get() {
  static Machine *machine = [] {
    Machine *created = new Machine();
    std::string error;
    std::optional<MachineConfig> config = MachineConfig::read(nullptr, error);
    if (!config) {
      fprintf(stderr, "lockstep simulated GPU: %s\n", error.c_str());
      exit(2);
    }
    Lock lock(created->mutex);
    created->restart(lock, *config);
    installHostAccessGuard(*created);
    return created;
  }();
  static const int registered = atexit(stopAtExit);
  (void)registered;
  return *machine;
}

Machine::Machine() : memory(arena), compiler(createJitCompiler(memory)) {
  engine.setMemoryLossHandler([this](const Context &context) {
    for (const AllocationPtr &allocation : memory.listLive())
      if (allocation->context.lock().get() == &context)
        memory.release(allocation);
  });
}

void Machine::injectFailure(Status status, uint64_t callCount) {
  injectedFailure = status;
  callsUntilInjected = callCount;
}

Status Machine::takeInjectedFailure() {
  if (callsUntilInjected == 0 || --callsUntilInjected > 0)
    return Status::Success;
  return injectedFailure;
}

void Machine::restart(Lock &lock, const MachineConfig &newConfig) {
  std::string error;
  engine.restart(lock, createScheduler(newConfig.schedule, error));
  config = newConfig;
  handles.reset();
  liveGraphMemory.clear();
  captures.clear();
  captureCount = 0;
  findings.clear();
  devices.clear();
  memory.restart(config.deviceCount, config.memoryLimitBytes);
  devices.resize(config.deviceCount);
  for (unsigned i = 0; i < config.deviceCount; ++i) {
    devices[i].pool = std::make_shared<MemoryPool>();
    devices[i].pool->deviceOrdinal = static_cast<int>(i);
    handles.create(HandleKind::MemoryPool, devices[i].pool);
  }
  ++resetCount;
  threadCount = 0;
  streamCount = 0;
  isInitialized = false;
  callsUntilInjected = 0;
}

const char *Machine::reset(const char *text) {
  Lock lock(mutex);
  std::optional<MachineConfig> wanted = MachineConfig::read(text, configError);
  if (!wanted)
    return configError.c_str();
  restart(lock, *wanted);
  return nullptr;
}

void Machine::finish() {
  auto add = [&](std::string message, std::string op = "") {
    addFinding({"leak", "", "", std::move(message), std::move(op)});
  };
  std::vector<OperationPtr> pending = engine.pendingWork();
  if (!pending.empty()) {
    const Operation &first = *pending.front();
    std::string others = pending.size() == 1 ? "" : ", nor for " + std::to_string(pending.size() - 1) + " more";
    addFinding({"leak", "STREAM-10", first.call,
                "has not run at the end: nothing waits for it" + others + " (" + first.stream + ")", first.op});
  }
  for (HandleKind kind : {HandleKind::Stream, HandleKind::Event, HandleKind::Module, HandleKind::Library,
                          HandleKind::Graph, HandleKind::GraphExec, HandleKind::UserObject})
    handles.forEach(kind, [&](HandleObject &object) {
      // The leak is its library, or the node that owns the graph.
      if (kind == HandleKind::Module && static_cast<LoadedModule &>(object).library)
        return;
      if (kind == HandleKind::Graph && static_cast<Graph &>(object).isOwned())
        return;
      add(std::string(handleKindName(kind)) + " was created and not destroyed (" +
          HandleTable::shortName(object.handle) + ")");
    });
  for (const std::shared_ptr<CaptureSession> &session : captures)
    add("capture " + std::to_string(session->id) + " was begun and not ended");
  for (const AllocationPtr &allocation : memory.listLive())
    if (allocation->kind != MemoryKind::ModuleGlobal && !allocation->freeWasQueued)
      add(allocation->describe() + " was not freed", allocation->op);
}

} // namespace lockstep::simgpu
