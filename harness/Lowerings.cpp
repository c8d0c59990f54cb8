// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Lowerings.h"

#include "harness/ExitStatus.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace lockstep::harness;
using llvm::StringRef;

llvm::ArrayRef<StringRef> lockstep::harness::knownLowerings() {
  static constexpr StringRef names[] = {"serial", "streams"};
  return names;
}

llvm::Expected<std::vector<std::string>> lockstep::harness::parseLowerings(StringRef list) {
  llvm::SmallVector<StringRef> names;
  list.split(names, ',');
  std::vector<std::string> lowerings;
  for (StringRef name : names) {
    name = name.trim();
    if (!llvm::is_contained(knownLowerings(), name))
      return unknownNameError("lowering", name, knownLowerings());
    if (!llvm::is_contained(lowerings, name))
      lowerings.push_back(name.str());
  }
  return lowerings;
}
