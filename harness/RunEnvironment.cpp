// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/RunEnvironment.h"

#include "harness/InstallPaths.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <ctime>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

using namespace lockstep::harness;
using namespace lockstep::reports;
using llvm::StringRef;

static std::string cpuModel() {
  auto file = llvm::MemoryBuffer::getFileAsStream("/proc/cpuinfo");
  if (!file)
    return "";
  StringRef text = (*file)->getBuffer();
  size_t position = text.find("model name");
  if (position == StringRef::npos)
    return "";
  return text.substr(position).split('\n').first.split(':').second.trim().str();
}

HostDescription lockstep::harness::describeHost() {
  HostDescription host;
  utsname names = {};
  if (uname(&names) == 0) {
    host.name = names.nodename;
    host.system = std::string(names.sysname) + " " + names.release;
    host.architecture = names.machine;
  }
  host.cpu = cpuModel();
  host.cores = std::thread::hardware_concurrency();
  return host;
}

/// The output of git, none where it fails.
static std::optional<std::string> runGit(llvm::ArrayRef<StringRef> arguments) {
  auto git = llvm::sys::findProgramByName("git");
  llvm::SmallString<128> output;
  if (!git || llvm::sys::fs::createTemporaryFile("lockstep-git", "txt", output))
    return std::nullopt;
  llvm::scope_exit remove([&] { llvm::sys::fs::remove(output); });
  llvm::SmallVector<StringRef> words = {*git, "-C", installPaths().sourceRoot};
  words.append(arguments.begin(), arguments.end());
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(output), StringRef("")};
  if (llvm::sys::ExecuteAndWait(*git, words, std::nullopt, redirects) != 0)
    return std::nullopt;
  auto text = llvm::MemoryBuffer::getFile(output);
  if (!text)
    return std::nullopt;
  return (*text)->getBuffer().trim().str();
}

std::optional<GitDescription> lockstep::harness::describeGit() {
  std::optional<std::string> sha = runGit({"rev-parse", "HEAD"});
  if (!sha)
    return std::nullopt;
  std::optional<std::string> changes = runGit({"status", "--porcelain"});
  return GitDescription{*sha, changes && !changes->empty()};
}

std::string lockstep::harness::currentTimeText() {
  std::time_t now = std::time(nullptr);
  std::tm fields = {};
  gmtime_r(&now, &fields);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &fields);
  return text;
}

std::string lockstep::harness::makeRunId(StringRef started) {
  std::string id;
  for (char c : started)
    if (c != '-' && c != ':')
      id += c;
  return id + "-" + std::to_string(getpid());
}

std::string lockstep::harness::quoteCommand(llvm::ArrayRef<std::string> arguments) {
  std::string line;
  for (const std::string &argument : arguments) {
    if (!line.empty())
      line += ' ';
    bool isPlain = !argument.empty() && llvm::all_of(argument, [](char c) {
      return llvm::isAlnum(c) || StringRef("_-./:,=@%+").contains(c);
    });
    if (isPlain) {
      line += argument;
      continue;
    }
    line += '\'';
    for (char c : argument)
      line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}
