// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Families of scenarios: each makes a scenario of parameters. A scenario is written as its family and those parameters
// that are not the default: "forkjoin(width=8,depth=3)".

#ifndef LOCKSTEP_HARNESS_SCENARIO_FAMILY_H
#define LOCKSTEP_HARNESS_SCENARIO_FAMILY_H

#include "harness/scenario/Dag.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>

namespace lockstep::scenario {

struct Parameter {
  llvm::StringRef name;
  uint64_t standard; ///< The value where none is given.
  uint64_t min, max;
  llvm::StringRef description;
};

/// The values of all parameters of a family, by name.
class Parameters {
public:
  explicit Parameters(std::map<std::string, uint64_t> values) : values(std::move(values)) {}
  uint64_t operator[](llvm::StringRef name) const { return values.at(name.str()); }
  /// The parameter `bytes` in words.
  uint64_t words() const { return (*this)["bytes"] / 4; }

private:
  std::map<std::string, uint64_t> values;
};

struct Family {
  llvm::StringRef name;
  llvm::StringRef description;
  std::vector<Parameter> parameters;
  Dag (*build)(const Parameters &);
};

/// All families, in the order in which the documentation has them.
llvm::ArrayRef<Family> families();

/// A family with values for its parameters.
struct ScenarioSpec {
  const Family *family = nullptr;
  std::map<std::string, uint64_t> values; ///< Of every parameter.
  /// The one way to write it.
  std::string name() const;
  Dag build() const { return family->build(Parameters(values)); }
};

bool isFamily(llvm::StringRef name);

/// Reads "family" or "family(parameter=value,…)". Fails with one line that names what is wrong and what there is.
llvm::Expected<ScenarioSpec> parseScenario(llvm::StringRef text);

} // namespace lockstep::scenario

#endif // LOCKSTEP_HARNESS_SCENARIO_FAMILY_H
