// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Progress.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

#include <cmath>

using namespace lockstep::harness;

Progress::Progress(size_t total)
    : total(total), isTerminal(llvm::sys::Process::StandardErrIsDisplayed()), start(std::chrono::steady_clock::now()) {}

std::string Progress::text(size_t done, size_t total, size_t failing, double elapsedSeconds) {
  std::string line = llvm::formatv("{0}/{1} cells", done, total);
  if (failing != 0)
    line += llvm::formatv(", {0} failing", failing);
  if (done != 0 && done < total)
    line += llvm::formatv(", {0} s left", std::lround(std::ceil(elapsedSeconds / done * (total - done))));
  return line;
}

void Progress::update(size_t done, size_t failing) {
  if (!isTerminal)
    return;
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  // To the start of the line, the text, and nothing behind it.
  llvm::errs() << '\r' << text(done, total, failing, elapsed.count()) << "\x1b[K";
  llvm::errs().flush();
  isShown = true;
}

void Progress::clear() {
  if (isShown)
    llvm::errs() << "\r\x1b[K";
  isShown = false;
}
