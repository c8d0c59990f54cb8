// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/order/test/Calls.h"

#include "gtest/gtest.h"

using namespace lockstep::harness;
using namespace lockstep::harness::test;

void Calls::call(const std::string &name, std::vector<uint64_t> arguments, uint64_t output, int32_t code) {
  std::string full = vendor + name;
  MgpuCallRecord record = {};
  record.call = full.c_str();
  record.op = currentOp.c_str();
  record.arguments = arguments.data();
  record.argument_count = arguments.size();
  record.output = output;
  record.code = code;
  log.add(record);
}

void Calls::callFor(const char *op, const std::string &name, std::vector<uint64_t> arguments, uint64_t output) {
  std::string previous = std::exchange(currentOp, op);
  call(name, std::move(arguments), output);
  currentOp = previous;
}

void Calls::work(const char *name, uint64_t stream) {
  op(name);
  callFor(name, "MemsetD32Async", {0x100000, 7, 4, stream});
}

uint64_t Calls::stream(bool isBlocking) {
  uint64_t made = handle();
  call(isCuda() ? "StreamCreate" : "StreamCreateWithFlags", {0, isBlocking ? 0u : 1u}, made);
  return made;
}

uint64_t Calls::event() {
  uint64_t made = handle();
  call(isCuda() ? "EventCreate" : "EventCreateWithFlags", {0, 2}, made);
  return made;
}

uint64_t Calls::graph() {
  uint64_t made = handle();
  call("GraphCreate", {0, 0}, made);
  return made;
}

uint64_t Calls::nodeOf(const char *op, const std::string &name, uint64_t graph, std::vector<uint64_t> after,
                       std::vector<uint64_t> more) {
  std::vector<uint64_t> arguments = {0, graph, 0, after.size()};
  arguments.insert(arguments.end(), after.begin(), after.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  uint64_t made = handle();
  callFor(op, name, std::move(arguments), made);
  return made;
}

uint64_t Calls::node(const char *name, uint64_t graph, std::vector<uint64_t> after) {
  op(name);
  return nodeOf(name, "GraphAddMemsetNode", graph, std::move(after));
}

uint64_t Calls::instantiate(uint64_t graph) {
  uint64_t made = handle();
  call(isCuda() ? "GraphInstantiate" : "GraphInstantiateWithFlags", {0, graph, 0}, made);
  return made;
}

const OpRun &lockstep::harness::test::findRun(const HappensBefore &order, const char *op) {
  const OpRun *found = nullptr;
  for (const OpRun &run : order.ops())
    if (order.calls().name(run.name) == op)
      found = &run;
  static const OpRun none = {};
  EXPECT_NE(found, nullptr) << op;
  return found ? *found : none;
}

bool Calls::isBefore(const char *first, const char *second) const {
  HappensBefore order(log);
  const OpRun &firstRun = findRun(order, first), &secondRun = findRun(order, second);
  EXPECT_FALSE(firstRun.items.empty()) << first;
  EXPECT_FALSE(secondRun.items.empty()) << second;
  return order.isBefore(firstRun, secondRun);
}

bool Calls::hostKnows(const char *op) const {
  HappensBefore order(log);
  const OpRun &run = findRun(order, op);
  EXPECT_FALSE(run.items.empty()) << op;
  return order.isIn(run, order.hostAtEnd());
}
