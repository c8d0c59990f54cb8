// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the text of a schedule.

#include "simgpu/core/Scheduler.h"

#include <charconv>
#include <thread>

namespace lockstep::simgpu {

static constexpr unsigned threadCountMax = 64;

Scheduler::~Scheduler() = default;

static bool readNumber(std::string_view text, uint64_t &value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::unique_ptr<Scheduler> createScheduler(const std::string &text, std::string &error) {
  if (text == "eager")
    return createEagerScheduler();
  if (text == "lazy")
    return createLazyScheduler();
  uint64_t number = 0;
  if (text.starts_with("random:") && readNumber(std::string_view(text).substr(7), number))
    return createRandomScheduler(number);
  if (text == "parallel")
    return createParallelScheduler(std::max(2u, std::thread::hardware_concurrency()));
  if (text.starts_with("parallel:") && readNumber(std::string_view(text).substr(9), number) && number >= 1 &&
      number <= threadCountMax)
    return createParallelScheduler(static_cast<unsigned>(number));
  error = "schedule '" + text + "' is none of eager, lazy, random:SEED, parallel, parallel:THREADS (1 to 64)";
  return nullptr;
}

} // namespace lockstep::simgpu
