// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/scenario/SuiteFile.h"

#include "harness/ExitStatus.h"
#include "harness/scenario/Family.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLTraits.h"

using namespace lockstep::scenario;
using llvm::StringRef;

namespace {

using Sweep = std::map<std::string, std::vector<std::string>>;

struct Item {
  std::string scenario, program;
  Sweep sweep;
  std::vector<std::string> tags;
};

struct Suite {
  std::string description;
  std::vector<Item> items;
};

/// What a diagnostic of the parser says, as one line.
struct Problem {
  std::string text;
};

} // namespace

LLVM_YAML_IS_SEQUENCE_VECTOR(Item)

template <> struct llvm::yaml::CustomMappingTraits<Sweep> {
  static void inputOne(IO &io, StringRef key, Sweep &sweep) { io.mapRequired(key, sweep[key.str()]); }
  static void output(IO &, Sweep &) {}
};

template <> struct llvm::yaml::MappingTraits<Item> {
  static void mapping(IO &io, Item &item) {
    io.mapOptional("scenario", item.scenario);
    io.mapOptional("program", item.program);
    io.mapOptional("sweep", item.sweep);
    io.mapOptional("tags", item.tags);
  }
  static std::string validate(IO &, Item &item) {
    if (item.scenario.empty() == item.program.empty())
      return "an entry has either 'scenario' or 'program'";
    if (!item.sweep.empty() && item.scenario.empty())
      return "only a scenario has a 'sweep'";
    for (const auto &[name, values] : item.sweep)
      if (values.empty())
        return "the sweep over '" + name + "' has no values";
    return "";
  }
};

template <> struct llvm::yaml::MappingTraits<Suite> {
  static void mapping(IO &io, Suite &suite) {
    io.mapRequired("description", suite.description);
    io.mapRequired("scenarios", suite.items);
  }
};

static void keepFirst(const llvm::SMDiagnostic &diagnostic, void *context) {
  auto *problem = static_cast<Problem *>(context);
  if (!problem->text.empty())
    return;
  problem->text = diagnostic.getFilename().str() + ":" + std::to_string(diagnostic.getLineNo()) + ":" +
                  std::to_string(diagnostic.getColumnNo() + 1) + ": error: " + diagnostic.getMessage().str();
}

/// The scenario of an item with values from its sweep, for each combination.
static llvm::Error spread(const Item &item, std::vector<SuiteEntry> &entries) {
  llvm::Expected<ScenarioSpec> spec = parseScenario(item.scenario);
  if (!spec)
    return spec.takeError();
  std::vector<std::string> texts = {spec->name()};
  for (const auto &[name, values] : item.sweep) {
    std::vector<std::string> longer;
    for (StringRef text : texts)
      for (const std::string &value : values) {
        StringRef begin = text;
        bool hasParameters = begin.consume_back(")");
        longer.push_back((begin + (hasParameters ? "," : "(") + name + "=" + value + ")").str());
      }
    texts = std::move(longer);
  }
  for (StringRef text : texts) {
    llvm::Expected<ScenarioSpec> swept = parseScenario(text);
    if (!swept)
      return swept.takeError();
    entries.push_back({swept->name(), "", item.tags});
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<SuiteEntry>> lockstep::scenario::readSuite(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return lockstep::harness::usageError(path + ":1:1: error: cannot read the file: " + file.getError().message());
  Problem problem;
  llvm::yaml::Input input((*file)->getMemBufferRef(), nullptr, keepFirst, &problem);
  Suite suite;
  input >> suite;
  if (input.error())
    return lockstep::harness::usageError(problem.text.empty() ? path + ":1:1: error: not a suite" : problem.text);
  std::vector<SuiteEntry> entries;
  for (const Item &item : suite.items) {
    if (!item.program.empty()) {
      llvm::SmallString<128> program(llvm::sys::path::parent_path(path));
      llvm::sys::path::append(program, item.program);
      entries.push_back({"", program.str().str(), item.tags});
    } else if (llvm::Error error = spread(item, entries)) {
      return lockstep::harness::usageError(path + ":1:1: error: '" + item.scenario +
                                           "': " + llvm::toString(std::move(error)));
    }
  }
  if (entries.empty())
    return lockstep::harness::usageError(path + ":1:1: error: the suite has no scenarios");
  return entries;
}
