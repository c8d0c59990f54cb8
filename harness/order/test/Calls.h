// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Call lists written by hand, in the names of either vendor.

#ifndef LOCKSTEP_HARNESS_ORDER_TEST_CALLS_H
#define LOCKSTEP_HARNESS_ORDER_TEST_CALLS_H

#include "harness/order/HappensBefore.h"

#include <string>

namespace lockstep::harness::test {

class Calls {
public:
  explicit Calls(std::string vendor) : vendor(std::move(vendor)) {}

  bool isCuda() const { return vendor == "cu"; }
  void op(const char *name) { log.announce(name); }
  /// A call of "cu" or "hip" + `name`, for the operation named last.
  void call(const std::string &name, std::vector<uint64_t> arguments, uint64_t output = 0, int32_t code = 0);
  void callFor(const char *op, const std::string &name, std::vector<uint64_t> arguments, uint64_t output = 0);
  /// Names the operation and queues a fill for it.
  void work(const char *op, uint64_t stream);

  uint64_t stream(bool isBlocking = false);
  uint64_t event();
  void record(uint64_t event, uint64_t stream) { call("EventRecord", {event, stream}); }
  void wait(uint64_t stream, uint64_t event) { call("StreamWaitEvent", {stream, event, 0}); }
  void syncStream(uint64_t stream) { call("StreamSynchronize", {stream}); }
  void syncDevice() { call(isCuda() ? "CtxSynchronize" : "DeviceSynchronize", {}); }

  uint64_t graph();
  /// Adds a fill for `op`, which the program names now, as mgpuGraphAdd would.
  uint64_t node(const char *op, uint64_t graph, std::vector<uint64_t> after = {});
  uint64_t nodeOf(const char *op, const std::string &name, uint64_t graph, std::vector<uint64_t> after,
                  std::vector<uint64_t> more = {});
  uint64_t instantiate(uint64_t graph);
  void launch(uint64_t executable, uint64_t stream) { call("GraphLaunch", {executable, stream}); }

  /// Whether the last execution of `first` is before that of `second`, and both have work.
  bool isBefore(const char *first, const char *second) const;
  bool isOrdered(const char *first, const char *second) const {
    return isBefore(first, second) || isBefore(second, first);
  }
  /// Whether the host knows at the end that `op` is complete.
  bool hostKnows(const char *op) const;

  CallLog log;

private:
  uint64_t handle() { return nextHandle += 0x10; }

  std::string vendor;
  std::string currentOp;
  uint64_t nextHandle = 0x1000;
};

/// The last execution of the operation; the test fails where there is none.
const OpRun &findRun(const HappensBefore &order, const char *op);

} // namespace lockstep::harness::test

#endif // LOCKSTEP_HARNESS_ORDER_TEST_CALLS_H
