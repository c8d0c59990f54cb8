// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/OutputCapture.h"

#include <cstdio>
#include <iostream>
#include <unistd.h>

using namespace lockstep::harness;

static void flushAll() {
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
}

static std::string readAll(int fd) {
  std::string text;
  char bytes[65536];
  ssize_t count;
  while ((count = pread(fd, bytes, sizeof(bytes), text.size())) > 0)
    text.append(bytes, count);
  return text;
}

void lockstep::harness::clearCapturedOutput() {
  flushAll();
  for (int fd : {STDOUT_FILENO, STDERR_FILENO})
    if (ftruncate(fd, 0) != 0)
      std::perror("lockstep worker: cannot empty the output of the last cell");
}

void lockstep::harness::takeCapturedOutput(std::string &output, std::string &errorOutput) {
  flushAll();
  output = readAll(STDOUT_FILENO);
  errorOutput = readAll(STDERR_FILENO);
}
