// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/ProgramTracer.h"

#include "harness/CellMatrix.h"
#include "harness/Expect.h"
#include "harness/NamedOps.h"
#include "harness/ProgramRunner.h"
#include "harness/order/Trace.h"

using namespace lockstep::harness;
using llvm::StringRef;

static llvm::Expected<OrderSpec> runTraced(StringRef path, const std::string &backend, ProgramCompiler &compiler,
                                           RuntimeLibrary &runtime) {
  LoweringRequest request{kBaselineLowering.str(), backend, runtime.isSimulated()};
  request.traceChains = true;
  llvm::Expected<CompiledProgram> program = compiler.compile(path, request);
  if (!program)
    return program.takeError();
  auto runner = ProgramRunner::create(std::move(*program), runtime.handle());
  if (!runner)
    return runner.takeError();
  if (llvm::Error error = runtime.beginCell(runtime.isSimulated() ? "eager" : "-"))
    return error;
  beginTrace();
  llvm::Expected<int64_t> status = (*runner)->run();
  OrderSpec spec = endTrace();
  std::vector<lockstep::reports::Finding> findings = runtime.endCell();
  if (!status)
    return status.takeError();
  if (runtime.hasFailed())
    return llvm::createStringError(findings.front().message);
  return spec;
}

const TracedProgram &ProgramTracer::trace(StringRef path, const std::string &backend, ProgramCompiler &compiler,
                                          RuntimeLibrary &runtime) {
  auto [entry, isNew] = programs.try_emplace(path);
  TracedProgram &program = entry->getValue();
  if (!isNew)
    return program;
  llvm::Expected<OrderSpec> spec = runTraced(path, backend, compiler, runtime);
  if (spec)
    program.spec = std::move(*spec);
  else
    program.problem = "the program cannot be traced: " + llvm::toString(spec.takeError());
  clearExpectations();
  takeNamedOps();
  return program;
}
