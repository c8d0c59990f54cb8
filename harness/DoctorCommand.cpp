// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/DoctorCommand.h"

#include "harness/Backends.h"
#include "harness/InstallPaths.h"
#include "harness/RunPlan.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace lockstep::harness;
using llvm::StringRef;

static void printLine(StringRef name, const llvm::Twine &text) {
  llvm::outs() << llvm::formatv("{0,-18}", name) << text << '\n';
}

static void printAdvice(const llvm::Twine &text) { printLine("", "-> " + text); }

static std::string oneLineOf(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  return StringRef(text).split('\n').first.str();
}

/// Prints a driver's line; gives whether it is usable.
static bool printDriver(const Backend &backend, StringRef driverName) {
  std::string name = (backend.name + " " + driverName).str();
  llvm::Expected<Driver> driver = resolveDriver(backend, driverName);
  if (!driver) {
    printLine(name, "not usable: " + oneLineOf(driver.takeError()));
    return false;
  }
  llvm::Expected<ProbeReply> probe = probeDriver(backend, *driver);
  if (!probe) {
    printLine(name, "not usable: " + oneLineOf(probe.takeError()));
    return false;
  }
  printLine(name, "driver " + probe->version + ", " + llvm::Twine(probe->deviceCount) +
                      (probe->deviceCount == 1 ? " device" : " devices") + " (" + probe->deviceName + "), from " +
                      probe->libraryPath);
  return true;
}

static void printLibraries() {
  const InstallPaths &paths = installPaths();
  printLine("program", paths.executable);
  printLine("sources", paths.sourceRoot);
  for (StringRef name : {"libmlir_runner_utils.so", "libmlir_c_runner_utils.so", "libmlir_async_runtime.so"}) {
    std::string file = paths.mlirLibraryDirectory + "/" + name.str();
    if (llvm::sys::fs::exists(file))
      continue;
    printLine("MLIR runtime", "missing: looked for " + file);
    printAdvice("programs that print memrefs need it; it is in the package mlir-22-tools or libmlir-22-dev");
  }
}

static void printPtxas() {
  llvm::ErrorOr<std::string> ptxas = llvm::sys::findProgramByName("ptxas");
  if (!ptxas)
    ptxas = llvm::sys::findProgramByName("ptxas", {"/usr/local/cuda/bin"});
  if (ptxas)
    return printLine("ptxas", *ptxas);
  printLine("ptxas", "not found: looked in PATH and /usr/local/cuda/bin");
  printAdvice("only for kernels as cubin, which nothing here needs: drivers compile PTX themselves. It is in the CUDA "
              "toolkit");
}

ExitStatus lockstep::harness::doctorCommand() {
  printLine("lockstep", LOCKSTEP_VERSION);
  printLine("LLVM and MLIR", LLVM_VERSION_STRING);
  printLibraries();
  bool isSimulatorUsable = false;
  for (const Backend &backend : backends()) {
    if (!isBuilt(backend)) {
      printLine(backend.name, "not built: looked for " + wrapperLibraryPath(backend));
      printAdvice("programs are not run on the " + backend.name + " backend; ./lockstep builds the whole project");
      continue;
    }
    if (printDriver(backend, "sim"))
      isSimulatorUsable = true;
    else
      printAdvice("./lockstep builds it; without it there is nothing to run on but a GPU");
    if (!printDriver(backend, "real"))
      printAdvice("only for --driver real: needs a GPU and " + backend.driverPackage);
  }
  printPtxas();
  return isSimulatorUsable ? kExitAsExpected : kExitEnvironment;
}
