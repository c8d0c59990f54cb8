// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/ListCommand.h"

#include "harness/Lowerings.h"
#include "harness/Scenario.h"
#include "harness/TextWidth.h"
#include "harness/scenario/Family.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace lockstep::harness;
namespace scenario = lockstep::scenario;

ExitStatus lockstep::harness::listCommand(const std::vector<std::string> &inputs, llvm::StringRef filter) {
  llvm::Expected<std::vector<Scenario>> scenarios =
      findScenarios(inputs.empty() ? std::vector<std::string>{kDefaultSuite.str()} : inputs, filter);
  if (!scenarios)
    return reportError(scenarios.takeError());
  size_t width = sizeof("scenario") - 1;
  for (const Scenario &scenario : *scenarios)
    width = std::max(width, displayWidth(displayText(scenario.name)));
  std::string lowerings = llvm::join(knownLowerings(), ", ");
  llvm::outs() << padded("scenario", width) << "  judged by        lowerings and tags\n";
  for (const Scenario &scenario : *scenarios) {
    std::string judge = "its output";
    if (scenario.expectationCount != 0)
      judge = std::to_string(scenario.expectationCount) +
              (scenario.expectationCount == 1 ? " expectation" : " expectations");
    llvm::outs() << padded(displayText(scenario.name), width) << "  " << padded(judge, 15) << "  " << lowerings
                 << (scenario.tags.empty() ? "" : "  " + llvm::join(scenario.tags, ", ")) << '\n';
  }
  return kExitAsExpected;
}

ExitStatus lockstep::harness::listFamilies() {
  for (const scenario::Family &family : scenario::families()) {
    llvm::outs() << family.name << ": " << family.description << '\n';
    for (const scenario::Parameter &parameter : family.parameters)
      llvm::outs() << "  " << parameter.name << "=" << parameter.standard << "  " << parameter.description << ", "
                   << parameter.min << " to " << parameter.max << '\n';
  }
  return kExitAsExpected;
}
