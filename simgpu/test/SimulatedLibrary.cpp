// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/test/SimulatedLibrary.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>

namespace lockstep::simgpu::test {

SimulatedLibrary::SimulatedLibrary(const char *path) : library(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  load(LOCKSTEP_SIM_INTERFACE_VERSION_SYMBOL, interfaceVersion);
  load(LOCKSTEP_SIM_RESET_SYMBOL, reset);
  load(LOCKSTEP_SIM_FINISH_SYMBOL, finish);
  load(LOCKSTEP_SIM_FINDING_COUNT_SYMBOL, findingCount);
  load(LOCKSTEP_SIM_FINDING_SYMBOL, finding);
  load(LOCKSTEP_SIM_SET_OP_SYMBOL, setOp);
  load(LOCKSTEP_SIM_INJECT_FAILURE_SYMBOL, injectFailure);
  load(LOCKSTEP_SIM_TRACE_HASH_SYMBOL, traceHash);
  load(LOCKSTEP_SIM_TRACE_WRITE_SYMBOL, traceWrite);
}

void *SimulatedLibrary::find(const char *name) const {
  void *function = dlsym(library, name);
  if (!function) {
    fprintf(stderr, "the library has no %s\n", name);
    exit(1);
  }
  return function;
}

std::vector<LockstepSimFinding> SimulatedLibrary::readFindings() const {
  std::vector<LockstepSimFinding> findings(findingCount());
  for (size_t i = 0; i < findings.size(); ++i)
    finding(i, &findings[i]);
  return findings;
}

std::vector<std::string> SimulatedLibrary::listFindings() const {
  std::vector<std::string> texts;
  for (const LockstepSimFinding &finding : readFindings())
    texts.push_back(std::string(finding.rule) + " " + finding.call + ": " + finding.message);
  return texts;
}

std::vector<std::string> SimulatedLibrary::listRules() const {
  std::vector<std::string> rules;
  for (const LockstepSimFinding &finding : readFindings())
    rules.push_back(finding.rule);
  return rules;
}

std::vector<std::string> listSchedules(unsigned randomCount) {
  std::vector<std::string> schedules{"eager", "lazy"};
  for (unsigned seed = 1; seed <= randomCount; ++seed)
    schedules.push_back("random:" + std::to_string(seed));
  return schedules;
}

std::string bitcodeOf(const char *moduleText) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(moduleText, diagnostic, context);
  if (!module) {
    diagnostic.print("bitcodeOf", llvm::errs());
    exit(1);
  }
  std::string raw;
  llvm::raw_string_ostream stream(raw);
  llvm::WriteBitcodeToFile(*module, stream);
  stream.flush();
  // Mark, version, offset, size, CPU type.
  uint32_t header[5] = {0x0B17C0DE, 0, sizeof header, static_cast<uint32_t>(raw.size()), 0};
  return std::string(reinterpret_cast<const char *>(header), sizeof header) + raw;
}

} // namespace lockstep::simgpu::test
