// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same call from two threads at once, while work in flight keeps both waiting. Needs the schedule `parallel`.

#ifndef LOCKSTEP_SIMGPU_TEST_TWOTHREADS_H
#define LOCKSTEP_SIMGPU_TEST_TWOTHREADS_H

#include <algorithm>
#include <atomic>
#include <chrono>
#include <latch>
#include <thread>
#include <vector>

namespace lockstep::simgpu::test {

/// Work that goes on until the gate opens: a host function, and its data.
class Gate {
public:
  static void wait(void *gate) { static_cast<Gate *>(gate)->isOpen.wait(false); }
  void open() {
    isOpen = true;
    isOpen.notify_all();
  }

private:
  std::atomic<bool> isOpen = false;
};

/// What `call` gives in two threads, sorted. The gate opens a while after both have begun.
template <typename Call> auto callTwiceAtOnce(Gate &gate, Call call) {
  std::vector<decltype(call())> results(2);
  std::latch haveBegun(3);
  auto runs = [&](size_t i) {
    haveBegun.arrive_and_wait();
    results[i] = call();
  };
  std::thread first(runs, 0), second(runs, 1);
  haveBegun.arrive_and_wait();
  // Nothing shows from outside that both wait now. If they do not yet, they see the same.
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  gate.open();
  first.join();
  second.join();
  std::sort(results.begin(), results.end());
  return results;
}

} // namespace lockstep::simgpu::test

#endif // LOCKSTEP_SIMGPU_TEST_TWOTHREADS_H
