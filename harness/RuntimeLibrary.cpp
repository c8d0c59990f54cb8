// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/RuntimeLibrary.h"

#include "harness/NamedOps.h"
#include "runtime-api/DriverControl.h"
#include "runtime-api/Mgpu.h"

#include <atomic>
#include <cstdlib>
#include <dlfcn.h>

using namespace lockstep::harness;
using llvm::StringRef;
using lockstep::reports::Finding;

namespace {

/// The wrapper's functions that the harness itself calls.
struct WrapperFunctions {
  decltype(&mgpuInitialize) initialize = nullptr;
  decltype(&mgpuReset) reset = nullptr;
  decltype(&mgpuDriverInfo) driverInfo = nullptr;
  decltype(&mgpuStatusGet) statusGet = nullptr;
  decltype(&mgpuStatusSetPolicy) statusSetPolicy = nullptr;
  decltype(&mgpuSetRecorder) setRecorder = nullptr;
  decltype(&mgpuSetOp) setOp = nullptr;
};

/// The control surface of a simulated driver; all null for a real one.
struct SimulatorFunctions {
  LockstepSimResetFn reset = nullptr;
  LockstepSimFinishFn finish = nullptr;
  LockstepSimFindingFn finding = nullptr;
};

template <typename Function> bool lookUp(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

class LoadedLibrary : public RuntimeLibrary {
public:
  LoadedLibrary(void *wrapper, WrapperFunctions mgpu, SimulatorFunctions simulator)
      : wrapper(wrapper), mgpu(mgpu), simulator(simulator) {
    MgpuRecorder recorder = {this, /*before=*/nullptr, noteCall};
    mgpu.setRecorder(&recorder);
    forwardNamedOps(mgpu.setOp, &log);
  }
  ~LoadedLibrary() override {
    mgpu.setRecorder(nullptr);
    forwardNamedOps(nullptr, nullptr);
  }

  ProbeReply probe() override;
  llvm::Error beginCell(StringRef schedule) override;
  std::vector<Finding> endCell() override;
  const DriverCallCounts &driverCalls() const override { return calls; }
  const CallLog &callLog() const override { return log; }
  bool hasFailed() const override { return failed; }
  bool isSimulated() const override { return simulator.reset != nullptr; }
  void *handle() const override { return wrapper; }

private:
  static void noteCall(void *context, const MgpuCallRecord *record);
  void addStatus(std::vector<Finding> &findings);
  void addSimulatorFindings(std::vector<Finding> &findings);

  void *wrapper;
  WrapperFunctions mgpu;
  SimulatorFunctions simulator;
  DriverCallCounter counter;
  DriverCallCounts calls;
  CallLog log;
  std::atomic<bool> isLogging = false; ///< A program runs: what others call is not its doing.
  bool failed = false;
  std::string cellConfig; ///< Of the simulated machine, in the cell that began last.
};

} // namespace

RuntimeLibrary::~RuntimeLibrary() = default;

void LoadedLibrary::noteCall(void *context, const MgpuCallRecord *record) {
  auto *library = static_cast<LoadedLibrary *>(context);
  library->counter.count(record->call);
  if (library->isLogging)
    library->log.add(*record);
}

static llvm::Error openFailure(const llvm::Twine &what) {
  const char *text = dlerror();
  return llvm::createStringError(what + ": " + (text ? text : "unknown reason"));
}

static llvm::Expected<SimulatorFunctions> loadSimulatorFunctions(const std::string &driver) {
  SimulatorFunctions functions;
  // The wrapper says what is wrong with a driver that does not load, and what to do about it.
  void *library = dlopen(driver.c_str(), RTLD_NOW | RTLD_LOCAL);
  LockstepSimInterfaceVersionFn version = nullptr;
  if (!library || !lookUp(library, LOCKSTEP_SIM_INTERFACE_VERSION_SYMBOL, version))
    return functions;
  if (version() != LOCKSTEP_SIM_INTERFACE_VERSION)
    return llvm::createStringError("the simulated driver '" + driver + "' has control interface version " +
                                   llvm::Twine(version()) + ", this tool needs " +
                                   llvm::Twine(LOCKSTEP_SIM_INTERFACE_VERSION) + ": build both from the same sources");
  if (!lookUp(library, LOCKSTEP_SIM_RESET_SYMBOL, functions.reset) ||
      !lookUp(library, LOCKSTEP_SIM_FINISH_SYMBOL, functions.finish) ||
      !lookUp(library, LOCKSTEP_SIM_FINDING_SYMBOL, functions.finding))
    return openFailure("the simulated driver '" + driver + "' lacks a control function");
  return functions;
}

llvm::Expected<std::unique_ptr<RuntimeLibrary>> RuntimeLibrary::load(const Backend &backend,
                                                                     const std::string &driver) {
  std::string path = wrapperLibraryPath(backend);
  // The vendor's driver is what the wrapper looks for by itself; its messages then speak of that and not of a variable.
  if (driver == backend.realDriver)
    unsetenv(backend.driverVariable.data());
  else
    setenv(backend.driverVariable.data(), driver.c_str(), /*overwrite=*/1);
  void *wrapper = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!wrapper)
    return openFailure("cannot load the wrapper library '" + path + "'");
  WrapperFunctions mgpu;
  if (!lookUp(wrapper, "mgpuInitialize", mgpu.initialize) || !lookUp(wrapper, "mgpuReset", mgpu.reset) ||
      !lookUp(wrapper, "mgpuDriverInfo", mgpu.driverInfo) || !lookUp(wrapper, "mgpuStatusGet", mgpu.statusGet) ||
      !lookUp(wrapper, "mgpuStatusSetPolicy", mgpu.statusSetPolicy) ||
      !lookUp(wrapper, "mgpuSetRecorder", mgpu.setRecorder) || !lookUp(wrapper, "mgpuSetOp", mgpu.setOp))
    return openFailure("'" + path + "' is no wrapper library of this version");
  llvm::Expected<SimulatorFunctions> simulator = loadSimulatorFunctions(driver);
  if (!simulator)
    return simulator.takeError();
  return std::make_unique<LoadedLibrary>(wrapper, mgpu, *simulator);
}

ProbeReply LoadedLibrary::probe() {
  ProbeReply reply;
  mgpu.statusSetPolicy(kMgpuPolicyRecord);
  MgpuDriverInfo info = {};
  MgpuStatus status = {};
  if (mgpu.initialize() != 0 || mgpu.driverInfo(&info) != 0) {
    mgpu.statusGet(&status);
    reply.error = status.message && *status.message ? status.message : "the driver could not be initialised";
    return reply;
  }
  reply.libraryPath = info.library_path;
  reply.version = info.version;
  reply.deviceName = info.device_name;
  reply.deviceCount = info.device_count;
  reply.isSimulated = info.is_simulated != 0;
  return reply;
}

llvm::Error LoadedLibrary::beginCell(StringRef schedule) {
  if (simulator.reset) {
    cellConfig = ("schedule=" + schedule).str();
    if (const char *problem = simulator.reset(cellConfig.c_str()))
      return llvm::createStringError("the simulated driver refused '" + cellConfig + "': " + problem);
  }
  mgpu.reset();
  mgpu.statusSetPolicy(kMgpuPolicyRecord);
  // A lowering that names no operations must not have its calls blamed on those of the program before.
  mgpu.setOp("");
  counter.take();
  log.clear();
  isLogging = true;
  return llvm::Error::success();
}

std::vector<Finding> LoadedLibrary::endCell() {
  std::vector<Finding> findings;
  calls = counter.take();
  isLogging = false;
  addStatus(findings);
  failed = !findings.empty();
  if (!findings.empty() && simulator.finish) {
    // The program went on without its waits: what is queued may touch host memory that it has given back since, and
    // must not run any more.
    addSimulatorFindings(findings);
    simulator.reset(cellConfig.c_str());
    mgpu.reset();
    return findings;
  }
  // Gives back what the wrapper holds for the program (pools, context), so that a leak that is left is the program's.
  mgpu.reset();
  addSimulatorFindings(findings);
  return findings;
}

void LoadedLibrary::addStatus(std::vector<Finding> &findings) {
  MgpuStatus status = {};
  if (mgpu.statusGet(&status) == kMgpuStatusOk)
    return;
  Finding finding{"errors", "", status.message, {}, {}};
  for (const char *op : {status.op, status.function, status.call})
    if (op && *op)
      finding.ops.push_back(op);
  findings.push_back(std::move(finding));
}

void LoadedLibrary::addSimulatorFindings(std::vector<Finding> &findings) {
  if (!simulator.finish)
    return;
  // After a failure the wrapper refuses the program's releases too: what then is left over is no second mistake.
  bool hasFailed = !findings.empty();
  size_t count = simulator.finish();
  for (size_t i = 0; i < count; ++i) {
    LockstepSimFinding found = {};
    if (simulator.finding(i, &found) != 0)
      break;
    if (hasFailed && StringRef(found.oracle) == "leak")
      continue;
    std::string message = *found.call ? std::string(found.call) + ": " + found.message : found.message;
    // As the wrapper's own message ends: what was given to the device and failed later is otherwise hard to place.
    if (*found.op)
      message += std::string(" [op: ") + found.op + "]";
    Finding finding{found.oracle, found.rule, std::move(message), {}, {}};
    for (const char *op : {found.op, found.call})
      if (op && *op)
        finding.ops.push_back(op);
    findings.push_back(std::move(finding));
  }
}
