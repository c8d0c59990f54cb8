// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Scenario.h"

#include "harness/ExitStatus.h"
#include "harness/InstallPaths.h"
#include "harness/ProgramFacts.h"
#include "harness/scenario/Family.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"

using namespace lockstep::harness;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string lockstep::harness::defaultSuite() {
  llvm::SmallString<128> suite(installPaths().sourceRoot);
  path::append(suite, "suites");
  // Shown in messages and names: short where the user stands in the checkout.
  llvm::SmallString<128> current;
  if (!fs::current_path(current) && current == installPaths().sourceRoot)
    return "suites";
  return suite.str().str();
}

/// The name under which results list a program: independent of where the user stands.
static std::string scenarioName(StringRef file) {
  llvm::SmallString<128> absolute;
  llvm::SmallString<128> root;
  StringRef name = file;
  if (!fs::real_path(file, absolute) && !fs::real_path(installPaths().sourceRoot, root)) {
    StringRef inside = absolute;
    if (inside.consume_front(root) && inside.consume_front("/"))
      name = inside;
  }
  name.consume_front("./");
  return name.str();
}

static bool isSkippedFolder(StringRef name) { return name == "test" || name == "Inputs" || name.starts_with("."); }

static llvm::Error collectDirectory(StringRef directory, std::vector<Scenario> &scenarios) {
  std::error_code code;
  size_t countBefore = scenarios.size();
  // A link to a folder is not followed: it may lead back here, and would give the same programs again.
  for (fs::recursive_directory_iterator entry(directory, code, /*follow_symlinks=*/false), end; entry != end;
       entry.increment(code)) {
    if (code)
      break;
    StringRef name = path::filename(entry->path());
    if (entry->type() == fs::file_type::directory_file && isSkippedFolder(name))
      entry.no_push();
    else if (entry->type() != fs::file_type::directory_file && path::extension(name) == ".mlir")
      scenarios.push_back({scenarioName(entry->path()), entry->path()});
  }
  if (code)
    return usageError("cannot read '" + directory + "': " + code.message());
  if (scenarios.size() == countBefore)
    return usageError("no program in '" + directory + "': looked for *.mlir in it and its folders");
  return llvm::Error::success();
}

static llvm::Error collect(StringRef input, std::vector<Scenario> &scenarios) {
  if (lockstep::scenario::looksLikeScenario(input) && !fs::exists(input)) {
    llvm::Expected<lockstep::scenario::ScenarioSpec> spec = lockstep::scenario::parseScenario(input);
    if (!spec)
      return spec.takeError();
    scenarios.push_back({spec->name(), spec->name()});
    return llvm::Error::success();
  }
  if (fs::is_directory(input))
    return collectDirectory(input, scenarios);
  if (!fs::exists(input))
    return usageError("no such file or directory: '" + input + "'");
  scenarios.push_back({scenarioName(input), input.str()});
  return llvm::Error::success();
}

static llvm::Error checkNames(llvm::ArrayRef<Scenario> sorted) {
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].name == sorted[i - 1].name)
      return usageError("'" + sorted[i].name + "' is given twice: as '" + sorted[i - 1].path + "' and as '" +
                        sorted[i].path + "'");
  return llvm::Error::success();
}

static llvm::Error applyFilter(StringRef filter, std::vector<Scenario> &scenarios) {
  llvm::Expected<llvm::GlobPattern> pattern = llvm::GlobPattern::create(filter);
  if (!pattern)
    return usageError("--filter '" + filter + "': " + llvm::toString(pattern.takeError()));
  llvm::erase_if(scenarios, [&](const Scenario &scenario) { return !pattern->match(scenario.name); });
  if (scenarios.empty())
    return usageError("--filter '" + filter + "' matches no program; `lockstep list` shows their names");
  return llvm::Error::success();
}

llvm::Expected<std::vector<Scenario>> lockstep::harness::findScenarios(llvm::ArrayRef<std::string> inputs,
                                                                       StringRef filter) {
  std::vector<Scenario> scenarios;
  for (const std::string &input : inputs)
    if (llvm::Error error = collect(input, scenarios))
      return error;
  llvm::sort(scenarios, [](const Scenario &a, const Scenario &b) { return a.name < b.name; });
  if (llvm::Error error = checkNames(scenarios))
    return error;
  if (!filter.empty())
    if (llvm::Error error = applyFilter(filter, scenarios))
      return error;
  std::vector<std::string> paths;
  for (const Scenario &scenario : scenarios)
    paths.push_back(scenario.path);
  llvm::Expected<std::vector<ProgramFacts>> facts = checkPrograms(paths);
  if (!facts)
    return facts.takeError();
  for (size_t i = 0; i < scenarios.size(); ++i) {
    scenarios[i].expectationCount = (*facts)[i].expectationCount;
    scenarios[i].expectedFindings = std::move((*facts)[i].expectedFindings);
    scenarios[i].metricLimits = std::move((*facts)[i].metricLimits);
  }
  return scenarios;
}
