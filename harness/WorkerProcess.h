// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_WORKERPROCESS_H
#define LOCKSTEP_HARNESS_WORKERPROCESS_H

#include "harness/WorkerProtocol.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

namespace lockstep::harness {

/// A program that prints without end is stopped here, and not by the machine's memory.
inline constexpr uint64_t kOutputBytesMax = 64 << 20;

/// One worker process as its parent sees it. Its standard output and error go to memory files that outlive it, so that
/// the last words of a crashed program can be read. One thread uses an object. The destructor kills a worker that is
/// still there and waits for its end.
class WorkerProcess {
public:
  /// Starts `lockstep worker` from the running executable.
  static llvm::Expected<std::unique_ptr<WorkerProcess>> start();
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess &) = delete;
  WorkerProcess &operator=(const WorkerProcess &) = delete;

  /// Fails where the worker is gone. Does not block in practice: a worker that is sent something is idle and reads.
  llvm::Error send(const Request &request);

  /// Becomes readable when there are replies, or when the worker ends.
  int replyFd() const { return reply; }

  /// Appends the replies that have arrived, without blocking. Gives false when the worker closed its end: it is dead or
  /// dying. A reply that cannot be read is an error.
  llvm::Expected<bool> receive(std::vector<Reply> &replies);

  /// Ends the process at once.
  void kill();

  /// Blocks until the process has ended; says how: "SIGSEGV (Segmentation fault)", "exit status 3".
  std::string waitForEnd();

  /// What the program under test has written since the last start of a cell, at most kOutputBytesMax of each.
  std::string readOutput() const;
  std::string readErrorOutput() const;
  /// The size of both together.
  uint64_t outputBytes() const;

private:
  WorkerProcess() = default;

  pid_t pid = -1; ///< -1 once waited for.
  int request = -1;
  int reply = -1;
  int output = -1;
  int errorOutput = -1;
  std::string end; ///< Set by waitForEnd.
  LineBuffer lines;
};

/// The last lines of `text`, at most `maxLines`, joined by newlines.
std::string lastLines(llvm::StringRef text, size_t maxLines);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_WORKERPROCESS_H
