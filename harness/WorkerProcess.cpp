// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/WorkerProcess.h"

#include "harness/InstallPaths.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lockstep::harness;

/// Descriptors below this are where the child's are put, so a source there could be overwritten before it is used.
static constexpr int kFirstFreeFd = 16;

static llvm::Error systemError(const llvm::Twine &what) {
  return llvm::createStringError(std::error_code(errno, std::generic_category()), what);
}

/// Moves a descriptor out of the range of the child's and marks it close-on-exec.
static int moveUp(int fd) {
  int moved = fcntl(fd, F_DUPFD_CLOEXEC, kFirstFreeFd);
  close(fd);
  return moved;
}

static bool makePipe(int &readEnd, int &writeEnd) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return false;
  readEnd = moveUp(ends[0]);
  writeEnd = moveUp(ends[1]);
  return readEnd >= 0 && writeEnd >= 0;
}

/// A file in memory; appending, so that truncating it is all that a new cell needs.
static int makeMemoryFile(const char *name) {
  int fd = memfd_create(name, MFD_CLOEXEC);
  if (fd < 0)
    return -1;
  fd = moveUp(fd);
  if (fd >= 0)
    fcntl(fd, F_SETFL, O_APPEND | O_RDWR);
  return fd;
}

static int spawn(pid_t &pid, int requestRead, int replyWrite, int output, int errorOutput) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errorOutput, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, requestRead, kWorkerRequestFd);
  posix_spawn_file_actions_adddup2(&actions, replyWrite, kWorkerReplyFd);
  // A group of its own: a Ctrl-C at the terminal is for the run, which then ends its workers, and a worker ends with
  // whatever the program has started.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::string executable = installPaths().executable;
  std::string name = "lockstep";
  std::string command = "worker";
  char *arguments[] = {name.data(), command.data(), nullptr};
  int code = posix_spawn(&pid, executable.c_str(), &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

llvm::Expected<std::unique_ptr<WorkerProcess>> WorkerProcess::start() {
  std::unique_ptr<WorkerProcess> worker(new WorkerProcess());
  int requestRead = -1;
  int replyWrite = -1;
  if (!makePipe(requestRead, worker->request) || !makePipe(worker->reply, replyWrite))
    return systemError("cannot create a pipe to a worker process");
  worker->output = makeMemoryFile("lockstep-stdout");
  worker->errorOutput = makeMemoryFile("lockstep-stderr");
  if (worker->output < 0 || worker->errorOutput < 0)
    return systemError("cannot create a file in memory for a worker's output");
  int code = spawn(worker->pid, requestRead, replyWrite, worker->output, worker->errorOutput);
  close(requestRead);
  close(replyWrite);
  if (code != 0) {
    worker->pid = -1;
    errno = code;
    return systemError("cannot start a worker process from '" + installPaths().executable + "'");
  }
  fcntl(worker->reply, F_SETFL, O_NONBLOCK);
  return worker;
}

WorkerProcess::~WorkerProcess() {
  // Closing the request pipe asks an idle worker to end, but one that hangs would keep us: kill does for both.
  kill();
  waitForEnd();
  for (int fd : {request, reply, output, errorOutput})
    if (fd >= 0)
      close(fd);
}

llvm::Error WorkerProcess::send(const Request &message) {
  std::string line = encodeRequest(message);
  size_t written = 0;
  while (written < line.size()) {
    ssize_t count = write(request, line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return systemError("cannot send to a worker process");
    written += count;
  }
  return llvm::Error::success();
}

llvm::Expected<bool> WorkerProcess::receive(std::vector<Reply> &replies) {
  bool isOpen = true;
  char bytes[65536];
  while (true) {
    ssize_t count = read(reply, bytes, sizeof(bytes));
    if (count > 0) {
      lines.append(llvm::StringRef(bytes, count));
      continue;
    }
    if (count < 0 && errno == EINTR)
      continue;
    if (count == 0)
      isOpen = false;
    else if (errno != EAGAIN)
      return systemError("cannot read from a worker process");
    break;
  }
  std::string line;
  while (lines.takeLine(line)) {
    llvm::Expected<Reply> decoded = decodeReply(line);
    if (!decoded)
      return decoded.takeError();
    replies.push_back(std::move(*decoded));
  }
  return isOpen;
}

void WorkerProcess::kill() {
  if (pid > 0)
    ::kill(-pid, SIGKILL);
}

std::string WorkerProcess::waitForEnd() {
  if (pid <= 0)
    return end;
  // What the program started must not outlive it. Before the worker is reaped its number stands for its group.
  siginfo_t info = {};
  while (waitid(P_PID, pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  kill();
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  pid = -1;
  if (WIFSIGNALED(status)) {
    int signal = WTERMSIG(status);
    const char *name = sigabbrev_np(signal);
    end = std::string("SIG") + (name ? name : std::to_string(signal)) + " (" + strsignal(signal) + ")";
  } else {
    end = "exit status " + std::to_string(WEXITSTATUS(status));
  }
  return end;
}

static std::string readAll(int fd) {
  std::string text;
  char bytes[65536];
  ssize_t count;
  while (text.size() < kOutputBytesMax && (count = pread(fd, bytes, sizeof(bytes), text.size())) > 0)
    text.append(bytes, count);
  return text;
}

std::string WorkerProcess::readOutput() const { return readAll(output); }
std::string WorkerProcess::readErrorOutput() const { return readAll(errorOutput); }

static uint64_t fileBytes(int fd) {
  struct stat status = {};
  return fstat(fd, &status) == 0 ? status.st_size : 0;
}

uint64_t WorkerProcess::outputBytes() const { return fileBytes(output) + fileBytes(errorOutput); }

std::string lockstep::harness::lastLines(llvm::StringRef text, size_t maxLines) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.rtrim().split(lines, '\n');
  size_t first = lines.size() > maxLines ? lines.size() - maxLines : 0;
  return llvm::join(llvm::ArrayRef(lines).drop_front(first), "\n");
}
