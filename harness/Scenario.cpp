// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Scenario.h"

#include "harness/ExitStatus.h"
#include "harness/InstallPaths.h"
#include "harness/ProgramFacts.h"
#include "harness/scenario/Source.h"
#include "harness/scenario/SuiteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"

using namespace lockstep::harness;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
namespace scenario = lockstep::scenario;

static std::string suitesFolder() {
  llvm::SmallString<128> folder(installPaths().sourceRoot);
  path::append(folder, "suites");
  // Shown in messages and names: short where the user stands in the checkout.
  llvm::SmallString<128> current;
  if (!fs::current_path(current) && current == installPaths().sourceRoot)
    return "suites";
  return folder.str().str();
}

std::vector<std::string> lockstep::harness::suiteNames() {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator entry(suitesFolder(), code), end; !code && entry != end; entry.increment(code))
    if (path::extension(entry->path()) == ".yaml")
      names.push_back(path::stem(entry->path()).str());
  llvm::sort(names);
  return names;
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

static llvm::Error collectScenario(StringRef input, std::vector<Scenario> &scenarios) {
  llvm::Expected<scenario::NamedDag> source = scenario::makeScenario(input);
  if (!source)
    return source.takeError();
  Scenario made{source->name, source->name};
  made.expectationCount =
      llvm::count_if(source->dag.buffers, [](const scenario::Buffer &buffer) { return buffer.isChecked; });
  scenarios.push_back(std::move(made));
  return llvm::Error::success();
}

static llvm::Error collectProgram(StringRef input, std::vector<Scenario> &scenarios) {
  if (fs::is_directory(input))
    return collectDirectory(input, scenarios);
  if (!fs::exists(input))
    return usageError("no such file or directory: '" + input + "'");
  scenarios.push_back({scenarioName(input), input.str()});
  return llvm::Error::success();
}

static llvm::Error collectSuite(StringRef file, std::vector<Scenario> &scenarios) {
  llvm::Expected<std::vector<scenario::SuiteEntry>> entries = scenario::readSuite(file);
  if (!entries)
    return entries.takeError();
  for (const scenario::SuiteEntry &entry : *entries) {
    size_t countBefore = scenarios.size();
    if (llvm::Error error = entry.program.empty() ? collectScenario(entry.scenario, scenarios)
                                                  : collectProgram(entry.program, scenarios))
      return error;
    for (size_t i = countBefore; i < scenarios.size(); ++i)
      scenarios[i].tags = entry.tags;
  }
  return llvm::Error::success();
}

static llvm::Error collect(StringRef input, std::vector<Scenario> &scenarios) {
  if (fs::exists(input))
    return path::extension(input) == ".yaml" ? collectSuite(input, scenarios) : collectProgram(input, scenarios);
  if (llvm::is_contained(suiteNames(), input)) {
    llvm::SmallString<128> file(suitesFolder());
    path::append(file, input + ".yaml");
    return collectSuite(file, scenarios);
  }
  if (scenario::looksLikeScenario(input))
    return collectScenario(input, scenarios);
  return collectProgram(input, scenarios);
}

static llvm::Error checkNames(llvm::ArrayRef<Scenario> sorted) {
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].name == sorted[i - 1].name)
      return usageError("'" + sorted[i].name + "' is given twice: as '" + sorted[i - 1].path + "' and as '" +
                        sorted[i].path + "'");
  return llvm::Error::success();
}

static llvm::Error applyFilter(StringRef filter, std::vector<Scenario> &scenarios) {
  StringRef glob = filter;
  bool isOnTags = glob.consume_front("tag:");
  llvm::Expected<llvm::GlobPattern> pattern = llvm::GlobPattern::create(glob);
  if (!pattern)
    return usageError("--filter '" + filter + "': " + llvm::toString(pattern.takeError()));
  llvm::erase_if(scenarios, [&](const Scenario &scenario) {
    return isOnTags ? llvm::none_of(scenario.tags, [&](StringRef tag) { return pattern->match(tag); })
                    : !pattern->match(scenario.name);
  });
  if (scenarios.empty())
    return usageError("--filter '" + filter + "' matches no program; `lockstep list` shows their names and tags");
  return llvm::Error::success();
}

/// Parses and verifies the programs among the scenarios.
static llvm::Error checkFiles(std::vector<Scenario> &scenarios) {
  std::vector<Scenario *> programs;
  std::vector<std::string> paths;
  for (Scenario &scenario : scenarios)
    if (fs::exists(scenario.path)) {
      programs.push_back(&scenario);
      paths.push_back(scenario.path);
    }
  llvm::Expected<std::vector<ProgramFacts>> facts = checkPrograms(paths);
  if (!facts)
    return facts.takeError();
  for (auto [program, found] : llvm::zip_equal(programs, *facts)) {
    program->expectationCount = found.expectationCount;
    program->expectedFindings = std::move(found.expectedFindings);
    program->metricLimits = std::move(found.metricLimits);
  }
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
  if (llvm::Error error = checkFiles(scenarios))
    return error;
  return scenarios;
}
