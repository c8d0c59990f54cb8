// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Lowerings.h"

#include "harness/ExitStatus.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace lockstep::harness;
using llvm::StringRef;

static constexpr StringRef kPipelinePrefix = "pipeline:";
static constexpr StringRef kPipelineName = "pipeline";

llvm::ArrayRef<StringRef> lockstep::harness::knownLowerings() {
  static constexpr StringRef names[] = {"serial", "streams", "graph", "capture", kUpstreamLowering};
  return names;
}

std::string lockstep::harness::defaultLowerings() { return llvm::join(knownLowerings().drop_back(), ","); }

std::string LoweringChoice::optionText() const {
  if (pipeline.empty())
    return name;
  return (name == kPipelineName ? "" : name + "=") + kPipelinePrefix.str() + pipeline;
}

/// The parts between commas that no bracket encloses.
static llvm::SmallVector<StringRef> splitOutsideBrackets(StringRef list) {
  llvm::SmallVector<StringRef> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    depth += StringRef("({[").contains(list[i]);
    depth -= StringRef(")}]").contains(list[i]);
    if (list[i] == ',' && depth <= 0) {
      parts.push_back(list.slice(begin, i));
      begin = i + 1;
    }
  }
  parts.push_back(list.drop_front(begin));
  return parts;
}

static llvm::Expected<LoweringChoice> parseChoice(StringRef text) {
  text = text.trim();
  LoweringChoice choice;
  StringRef label = kPipelineName;
  StringRef rest = text;
  if (size_t equals = text.find("=pipeline:"); equals != StringRef::npos && !text.starts_with(kPipelinePrefix)) {
    label = text.take_front(equals).trim();
    rest = text.drop_front(equals + 1);
  }
  if (!rest.consume_front(kPipelinePrefix)) {
    if (!llvm::is_contained(knownLowerings(), text))
      return unknownNameError("lowering", text, knownLowerings());
    return LoweringChoice{text.str(), ""};
  }
  bool isWord = !label.empty() && llvm::all_of(label, [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; });
  if (!isWord || llvm::is_contained(knownLowerings(), label))
    return usageError("'" + label + "' cannot be the label of a pipeline: expected letters, digits, '-' and '_', and " +
                      "not the name of a lowering");
  if (rest.trim().empty())
    return usageError("'" + text + "' has no passes: expected pipeline:builtin.module(PASS,...)");
  return LoweringChoice{label.str(), rest.trim().str()};
}

llvm::Expected<std::vector<LoweringChoice>> lockstep::harness::parseLowerings(StringRef list) {
  std::vector<LoweringChoice> choices;
  for (StringRef text : splitOutsideBrackets(list)) {
    llvm::Expected<LoweringChoice> choice = parseChoice(text);
    if (!choice)
      return choice.takeError();
    if (llvm::is_contained(choices, *choice))
      continue;
    if (llvm::any_of(choices, [&](const LoweringChoice &other) { return other.name == choice->name; }))
      return usageError("two pipelines are called '" + choice->name + "': tell them apart by LABEL=pipeline:...");
    choices.push_back(std::move(*choice));
  }
  return choices;
}
