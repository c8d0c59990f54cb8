// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Worker.h"

#include "harness/Expect.h"
#include "harness/NamedOps.h"
#include "harness/OutputCapture.h"
#include "harness/ProgramRunner.h"
#include "harness/ProgramTracer.h"
#include "harness/RuntimeLibrary.h"
#include "harness/WorkerProtocol.h"
#include "harness/order/OrderPicture.h"

#include "llvm/Support/TargetSelect.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace lockstep::harness;
namespace reports = lockstep::reports;
using Clock = std::chrono::steady_clock;

namespace {

class Worker {
public:
  int run();

private:
  void answer(const ProbeRequest &request);
  void answer(const JobRequest &job);
  llvm::Error loadRuntime(const std::string &backend, const std::string &driver);
  llvm::Expected<std::unique_ptr<ProgramRunner>> compile(const JobRequest &job);
  const TracedProgram &trace(const JobRequest &job);
  void judgeOrder(const TracedProgram &traced, CellDoneReply &reply);
  CellDoneReply runCell(const CellRequest &cell, ProgramRunner &runner, const TracedProgram &traced);
  void send(const Reply &reply);

  std::unique_ptr<ProgramCompiler> compiler;
  std::unique_ptr<RuntimeLibrary> runtime;
  std::string loadedBackend;
  std::string loadedDriver;
  ProgramTracer tracer;
  TracedProgram untraced; ///< For a job that says why it is not to be traced.
  LineBuffer lines;
};

} // namespace

static double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

int Worker::run() {
  char bytes[65536];
  std::string line;
  while (true) {
    while (lines.takeLine(line)) {
      llvm::Expected<Request> request = decodeRequest(line);
      if (!request) {
        llvm::errs() << "lockstep worker: " << llvm::toString(request.takeError()) << '\n';
        return 2;
      }
      std::visit([&](const auto &alternative) { answer(alternative); }, *request);
    }
    ssize_t count = read(kWorkerRequestFd, bytes, sizeof(bytes));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return count == 0 ? 0 : 2;
    lines.append(llvm::StringRef(bytes, count));
  }
}

void Worker::send(const Reply &reply) {
  std::string line = encodeReply(reply);
  size_t written = 0;
  while (written < line.size()) {
    ssize_t count = write(kWorkerReplyFd, line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      _exit(2); // The parent is gone: there is nobody left to tell.
    written += count;
  }
}

llvm::Error Worker::loadRuntime(const std::string &backendName, const std::string &driver) {
  if (runtime && (driver != loadedDriver || backendName != loadedBackend))
    return llvm::createStringError("this worker has loaded '" + loadedDriver + "' for " + loadedBackend +
                                   " and cannot load '" + driver + "' for " + backendName);
  if (runtime)
    return llvm::Error::success();
  llvm::Expected<const Backend *> backend = findBackend(backendName);
  if (!backend)
    return backend.takeError();
  llvm::Expected<std::unique_ptr<RuntimeLibrary>> loaded = RuntimeLibrary::load(**backend, driver);
  if (!loaded)
    return loaded.takeError();
  runtime = std::move(*loaded);
  loadedBackend = backendName;
  loadedDriver = driver;
  return llvm::Error::success();
}

void Worker::answer(const ProbeRequest &request) {
  ProbeReply reply;
  if (llvm::Error error = loadRuntime(request.backend, request.driver))
    reply.error = llvm::toString(std::move(error));
  else
    reply = runtime->probe();
  send(reply);
}

llvm::Expected<std::unique_ptr<ProgramRunner>> Worker::compile(const JobRequest &job) {
  if (llvm::Error error = loadRuntime(job.backend, job.driver))
    return error;
  if (!compiler)
    compiler = ProgramCompiler::create();
  llvm::Expected<CompiledProgram> program = compiler->compile(
      job.program, {job.lowering, job.backend, runtime->isSimulated(), job.pipeline, job.passPlugins});
  if (!program)
    return program.takeError();
  return ProgramRunner::create(std::move(*program), runtime->handle());
}

void Worker::answer(const JobRequest &job) {
  Clock::time_point start = Clock::now();
  clearCapturedOutput();
  llvm::Expected<std::unique_ptr<ProgramRunner>> runner = compile(job);
  if (!runner)
    return send(CompileFailedReply{llvm::toString(runner.takeError())});
  send(CompiledReply{millisecondsSince(start)});
  const TracedProgram &traced = trace(job);
  for (const CellRequest &cell : job.cells) {
    send(CellStartedReply{cell.id});
    send(runCell(cell, **runner, traced));
  }
  send(JobDoneReply{});
}

const TracedProgram &Worker::trace(const JobRequest &job) {
  if (!job.untracedReason.empty()) {
    untraced.problem = job.untracedReason;
    return untraced;
  }
  bool isNew = !tracer.hasTraced(job.program);
  if (isNew)
    send(TraceStartedReply{});
  const TracedProgram &traced = tracer.trace(job.program, job.backend, *compiler, *runtime);
  if (isNew)
    send(TraceDoneReply{});
  return traced;
}

void Worker::judgeOrder(const TracedProgram &traced, CellDoneReply &reply) {
  reply.orderProblem = runtime->hasFailed() ? "a call of the runtime failed" : traced.problem;
  if (!reply.orderProblem.empty())
    return;
  OrderVerdict verdict = judge(traced.spec, HappensBefore(runtime->callLog()));
  reply.graph = drawOrder(traced.spec, verdict.findings);
  for (reports::Finding &finding : verdict.findings)
    reply.findings.push_back(std::move(finding));
  reply.order = verdict.counts;
}

CellDoneReply Worker::runCell(const CellRequest &cell, ProgramRunner &runner, const TracedProgram &traced) {
  CellDoneReply reply;
  reply.id = cell.id;
  clearCapturedOutput();
  clearExpectations();
  takeNamedOps();
  Clock::time_point start = Clock::now();
  if (llvm::Error error = runtime->beginCell(cell.schedule)) {
    reply.error = llvm::toString(std::move(error));
    return reply;
  }
  llvm::Expected<int64_t> status = runner.run();
  if (status)
    reply.exitStatus = *status;
  else
    reply.error = llvm::toString(status.takeError());
  reply.findings = takeExpectationFindings(reply.expectations);
  for (reports::Finding &finding : runtime->endCell())
    reply.findings.push_back(std::move(finding));
  reply.driverCalls = runtime->driverCalls();
  reply.namedOps = takeNamedOps();
  if (reply.error.empty())
    judgeOrder(traced, reply);
  reply.durationMs = millisecondsSince(start);
  takeCapturedOutput(reply.output, reply.errorOutput);
  return reply;
}

/// Where the program forks, only the worker itself answers for it.
static void closePipes() {
  close(kWorkerRequestFd);
  close(kWorkerReplyFd);
}

int lockstep::harness::runWorker() {
  // A worker must not outlive the run that asked for it, however that ended.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  pthread_atfork(nullptr, nullptr, closePipes);
  rlimit noCore = {0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  return Worker().run();
}
