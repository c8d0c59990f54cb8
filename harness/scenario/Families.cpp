// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/scenario/Families.h"

#include "llvm/ADT/STLExtras.h"

using namespace lockstep::scenario;

static std::vector<Family> allFamilies() {
  std::vector<Family> all;
  for (auto list : {shapeFamilies, memoryFamilies, controlFlowFamilies, randomFamilies})
    llvm::append_range(all, list());
  return all;
}

llvm::ArrayRef<Family> lockstep::scenario::families() {
  static const std::vector<Family> all = allFamilies();
  return all;
}
