// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runner and its worker processes say to each other: one JSON object a line, requests down one pipe, replies
// up another. A worker answers a Job with Compiled or CompileFailed; after Compiled, maybe TraceStarted and TraceDone;
// then CellStarted and CellDone for each cell in order; then JobDone. It answers a Probe with ProbeResult. Between two
// requests it is idle.

#ifndef LOCKSTEP_HARNESS_WORKERPROTOCOL_H
#define LOCKSTEP_HARNESS_WORKERPROTOCOL_H

#include "harness/DriverCalls.h"
#include "harness/order/OrderJudge.h"
#include "reports/Results.h"

#include "llvm/Support/Error.h"

#include <string>
#include <variant>
#include <vector>

namespace lockstep::harness {

/// The file descriptors of a worker; standard input, output and error belong to the program under test.
inline constexpr int kWorkerRequestFd = 3;
inline constexpr int kWorkerReplyFd = 4;

/// Loads a driver and says what it is.
struct ProbeRequest {
  std::string backend;
  std::string driver; ///< What dlopen gets.
};

struct CellRequest {
  uint64_t id = 0;
  std::string schedule; ///< As the simulated driver takes it; "-" for a driver that takes none.
};

/// Compiles one program and runs it once for each cell.
struct JobRequest {
  std::string program; ///< Path of the .mlir file.
  std::string lowering;
  std::string backend;
  std::string driver;
  std::vector<CellRequest> cells;
  std::string pipeline = {};                 ///< Not empty: the passes that `lowering` stands for.
  std::vector<std::string> passPlugins = {}; ///< Libraries with passes for it.
  /// Not empty: the program is not to be traced (its cells are judged without its order), for this reason.
  std::string untracedReason = {};
};

using Request = std::variant<ProbeRequest, JobRequest>;

struct ProbeReply {
  std::string error; ///< Empty where the driver is usable; else one line saying what is missing and what to do.
  std::string libraryPath;
  std::string version;
  std::string deviceName;
  int64_t deviceCount = 0;
  bool isSimulated = false;
};

struct CompiledReply {
  double durationMs = 0;
};
struct CompileFailedReply {
  std::string message;
};
/// The worker runs the program to find out which order it asks for (harness/ProgramTracer.h).
struct TraceStartedReply {};
struct TraceDoneReply {};
struct CellStartedReply {
  uint64_t id = 0;
};

/// What happened in a cell whose program came to its end.
struct CellDoneReply {
  uint64_t id = 0;
  std::string error;                      ///< Not empty: the harness itself could not run the cell, for this reason.
  int64_t exitStatus = 0;                 ///< What main returned.
  int64_t expectations = 0;               ///< Number of agpu.expect that were reached.
  std::string output;                     ///< What the program wrote to standard output.
  std::string errorOutput;                ///< And to standard error.
  std::vector<reports::Finding> findings; ///< Without repro, which a worker does not know.
  DriverCallCounts driverCalls;           ///< What the program itself called, from its start to its end.
  uint64_t namedOps = 0;                  ///< Device operations that it named (harness/NamedOps.h).
  std::optional<OrderCounts> order;       ///< Of the oracles of harness/order, where they judged.
  std::string orderProblem;               ///< Else why not.
  /// The order that the program asks for, where the calls lack some of it.
  std::optional<reports::CellGraph> graph = {};
  double durationMs = 0;
};
struct JobDoneReply {};

using Reply = std::variant<ProbeReply, CompiledReply, CompileFailedReply, TraceStartedReply, TraceDoneReply,
                           CellStartedReply, CellDoneReply, JobDoneReply>;

/// One line with its newline.
std::string encodeRequest(const Request &request);
std::string encodeReply(const Reply &reply);

/// Fail where `line` is not what the encoder writes.
llvm::Expected<Request> decodeRequest(llvm::StringRef line);
llvm::Expected<Reply> decodeReply(llvm::StringRef line);

/// Cuts a byte stream into lines.
class LineBuffer {
public:
  void append(llvm::StringRef bytes) { pending += bytes; }
  /// Takes the next whole line, without its newline, or gives false.
  bool takeLine(std::string &line);

private:
  std::string pending;
  size_t scanned = 0; ///< No newline before this position: long lines are not searched again and again.
};

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_WORKERPROTOCOL_H
