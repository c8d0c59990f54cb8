// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Schedule.h"

#include "harness/ExitStatus.h"

#include "llvm/ADT/SmallVector.h"

#include <set>

using namespace lockstep::harness;
using llvm::StringRef;
using llvm::Twine;

/// A run of more schedules than this is a slip: each is a cell of every program.
static constexpr uint64_t kRandomCountMax = 1000000;

std::string Schedule::name() const {
  switch (kind) {
  case Kind::None:
    return "-";
  case Kind::Eager:
    return "eager";
  case Kind::Lazy:
    return "lazy";
  case Kind::Random:
    return "random";
  case Kind::Parallel:
    return "parallel";
  }
  return "-";
}

std::optional<uint64_t> Schedule::optionalSeed() const {
  if (kind != Kind::Random)
    return std::nullopt;
  return seed;
}

std::string Schedule::driverText() const { return kind == Kind::Random ? "random:" + std::to_string(seed) : name(); }

std::string Schedule::optionText() const { return kind == Kind::Random ? "random:1:" + std::to_string(seed) : name(); }

static llvm::Error parseRandom(StringRef text, std::vector<Schedule> &schedules) {
  StringRef rest = text;
  rest.consume_front("random:");
  auto [countText, seedText] = rest.split(':');
  uint64_t count = 0;
  uint64_t seed = 1;
  if (countText.getAsInteger(10, count) || count == 0 || count > kRandomCountMax)
    return usageError("schedule '" + text + "': expected random:COUNT[:SEED] with COUNT from 1 to " +
                      Twine(kRandomCountMax));
  if (rest.contains(':') && seedText.getAsInteger(10, seed))
    return usageError("schedule '" + text + "': SEED is not a number");
  for (uint64_t i = 0; i < count; ++i)
    schedules.push_back({Schedule::Kind::Random, seed + i});
  return llvm::Error::success();
}

static std::vector<Schedule> withoutDuplicates(const std::vector<Schedule> &schedules) {
  std::set<std::pair<Schedule::Kind, uint64_t>> seen;
  std::vector<Schedule> unique;
  for (const Schedule &schedule : schedules)
    if (seen.insert({schedule.kind, schedule.seed}).second)
      unique.push_back(schedule);
  return unique;
}

llvm::Expected<std::vector<Schedule>> lockstep::harness::parseSchedules(StringRef list) {
  std::vector<Schedule> schedules;
  llvm::SmallVector<StringRef> texts;
  list.split(texts, ',');
  for (StringRef text : texts) {
    text = text.trim();
    if (text == "eager")
      schedules.push_back({Schedule::Kind::Eager});
    else if (text == "lazy")
      schedules.push_back({Schedule::Kind::Lazy});
    else if (text == "parallel")
      schedules.push_back({Schedule::Kind::Parallel});
    else if (text == "random" || text.starts_with("random:")) {
      if (llvm::Error error = parseRandom(text, schedules))
        return error;
    } else
      return unknownNameError("schedule", text, {"eager", "lazy", "parallel", "random:COUNT[:SEED]"});
  }
  return withoutDuplicates(schedules);
}
