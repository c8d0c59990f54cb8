// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows in which order a program's device work ran: marks in streams, run under many schedules.

#ifndef LOCKSTEP_SIMGPU_TEST_ORDERPROBE_H
#define LOCKSTEP_SIMGPU_TEST_ORDERPROBE_H

#include "simgpu/test/SimulatedLibrary.h"

#include <deque>
#include <functional>

#include <gtest/gtest.h>

namespace lockstep::simgpu::test {

/// `Device` is a test fixture with Stream, HostFunction, start, queue and waitForAll, as DeviceTest has them.
template <typename Device> class OrderProbe : public Device {
protected:
  /// A host function that appends `letter` to the order.
  typename Device::HostFunction markFor(char letter) {
    marks.push_back({this, letter});
    return {[](void *data) {
              Mark *mark = static_cast<Mark *>(data);
              mark->test->order += mark->letter;
            },
            &marks.back()};
  }

  /// Queues it.
  void mark(typename Device::Stream stream, char letter) { this->queue(stream, markFor(letter)); }

  /// Runs `program` under every schedule, each time to the end of all work; gives the orders seen.
  std::vector<std::string> ordersOf(const std::function<void()> &program, unsigned randomCount = 40) {
    std::vector<std::string> orders;
    for (const std::string &schedule : listSchedules(randomCount)) {
      this->start(schedule);
      order.clear();
      marks.clear();
      program();
      this->waitForAll();
      orders.push_back(order);
    }
    return orders;
  }

  static bool isBefore(const std::string &order, char first, char second) {
    return order.find(first) != std::string::npos && order.find(first) < order.find(second);
  }

  /// The edge that a rule promises: kept under every schedule.
  void expectAlwaysBefore(char first, char second, const std::function<void()> &program) {
    for (const std::string &seen : ordersOf(program))
      EXPECT_TRUE(isBefore(seen, first, second)) << first << " must run before " << second << ", ran " << seen;
  }

  /// No edge: some schedule runs `second` first.
  void expectSometimesAfter(char first, char second, const std::function<void()> &program) {
    bool seenOtherWay = false;
    for (const std::string &seen : ordersOf(program))
      seenOtherWay |= isBefore(seen, second, first);
    EXPECT_TRUE(seenOtherWay) << first << " ran before " << second << " under every schedule";
  }

  std::string order;

private:
  struct Mark {
    OrderProbe *test;
    char letter;
  };
  std::deque<Mark> marks;
};

} // namespace lockstep::simgpu::test

#endif // LOCKSTEP_SIMGPU_TEST_ORDERPROBE_H
