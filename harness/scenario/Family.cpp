// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/scenario/Family.h"

#include "harness/ExitStatus.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace lockstep::scenario;
using llvm::StringRef;

static const Family *findFamily(StringRef name) {
  const Family *found = llvm::find_if(families(), [&](const Family &family) { return family.name == name; });
  return found == families().end() ? nullptr : found;
}

bool lockstep::scenario::isFamily(StringRef name) { return findFamily(name) != nullptr; }

std::string ScenarioSpec::name() const {
  std::string text;
  for (const Parameter &parameter : family->parameters)
    if (uint64_t value = values.at(parameter.name.str()); value != parameter.standard)
      text += (text.empty() ? "" : ",") + parameter.name.str() + "=" + std::to_string(value);
  return text.empty() ? family->name.str() : family->name.str() + "(" + text + ")";
}

static llvm::Error setParameter(StringRef text, StringRef assignment, ScenarioSpec &spec, std::vector<StringRef> &set) {
  auto [name, valueText] = assignment.split('=');
  name = name.trim();
  valueText = valueText.trim();
  std::vector<StringRef> known;
  for (const Parameter &parameter : spec.family->parameters)
    known.push_back(parameter.name);
  auto parameter = llvm::find_if(spec.family->parameters, [&](const Parameter &p) { return p.name == name; });
  if (parameter == spec.family->parameters.end())
    return lockstep::harness::unknownNameError(("parameter of " + spec.family->name).str(), name, known);
  if (llvm::is_contained(set, name))
    return lockstep::harness::usageError("'" + text + "': " + name + " is given twice");
  set.push_back(name);
  uint64_t value = 0;
  if (valueText.getAsInteger(10, value) || value < parameter->min || value > parameter->max)
    return lockstep::harness::usageError("'" + text + "': expected " + name + "=N with N from " +
                                         llvm::Twine(parameter->min) + " to " + llvm::Twine(parameter->max) +
                                         ", not '" + assignment.trim() + "'");
  if (name == "bytes" && value % 4 != 0)
    return lockstep::harness::usageError("'" + text + "': bytes must be a multiple of 4, not " + llvm::Twine(value));
  spec.values[name.str()] = value;
  return llvm::Error::success();
}

llvm::Expected<ScenarioSpec> lockstep::scenario::parseScenario(StringRef text) {
  auto [name, rest] = text.split('(');
  ScenarioSpec spec;
  spec.family = findFamily(name);
  if (!spec.family) {
    std::vector<StringRef> known;
    for (const Family &family : families())
      known.push_back(family.name);
    return lockstep::harness::unknownNameError("family of scenarios", name, known);
  }
  for (const Parameter &parameter : spec.family->parameters)
    spec.values[parameter.name.str()] = parameter.standard;
  if (rest.empty() && !text.ends_with("("))
    return spec;
  if (!rest.consume_back(")"))
    return lockstep::harness::usageError("'" + text + "': expected ')' at the end");
  llvm::SmallVector<StringRef> assignments;
  if (!rest.trim().empty())
    rest.split(assignments, ',');
  std::vector<StringRef> set;
  for (StringRef assignment : assignments)
    if (llvm::Error error = setParameter(text, assignment, spec, set))
      return error;
  return spec;
}
