// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lockstep-validate-results FILE: status 0 where FILE conforms to lockstep-results/1, else one line a deviation and 1.

#include "reports/JsonValidator.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: lockstep-validate-results FILE\n";
    return 2;
  }
  auto file = llvm::MemoryBuffer::getFile(argv[1]);
  if (!file) {
    llvm::errs() << argv[1] << ": " << file.getError().message() << '\n';
    return 2;
  }
  llvm::Expected<llvm::json::Value> document = llvm::json::parse((*file)->getBuffer());
  if (!document) {
    llvm::errs() << argv[1] << ": " << llvm::toString(document.takeError()) << '\n';
    return 1;
  }
  std::vector<std::string> deviations = lockstep::reports::validateResultsJson(*document);
  for (const std::string &deviation : deviations)
    llvm::outs() << deviation << '\n';
  return deviations.empty() ? 0 : 1;
}
