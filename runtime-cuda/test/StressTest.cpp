// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Many threads at once: what the tsan preset looks at, and that no call is lost or mixed up.

#include "runtime-cuda/test/RuntimeTest.h"

#include <atomic>
#include <functional>
#include <thread>

using namespace lockstep::cuda;

namespace {
class StressTest : public RuntimeTest {
protected:
  static void runOnThreads(int count, const std::function<void(int)> &body) {
    std::vector<std::thread> threads;
    for (int index = 0; index < count; ++index)
      threads.emplace_back(body, index);
    for (std::thread &thread : threads)
      thread.join();
  }
};

std::atomic<int> hostCalls{0};

TEST_F(StressTest, ThreadsShareTheLibrary) {
  hostCalls = 0;
  constexpr int kThreads = 8, kRounds = 200;
  runOnThreads(kThreads, [&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      mgpuSetOp(("thread " + std::to_string(thread)).c_str());
      MgpuStream stream = mgpuStreamPoolAcquire();
      MgpuStream own = mgpuStreamCreate();
      MgpuEvent event = mgpuEventPoolAcquire();
      mgpuEventPoolRetain(event, 1);
      bool isShared = round % 4 == 0;
      auto *memory = static_cast<int *>(mgpuMemAlloc(64, stream, isShared));
      mgpuMemset32(memory, thread * 1000 + round, 16, stream);
      mgpuEventRecord(event, stream);
      mgpuStreamWaitChain(own, event);
      mgpuEventPoolRelease(event);
      mgpuLaunchHostFunc(own, [](void *) { ++hostCalls; }, nullptr, 0);
      mgpuChainSynchronize(event);
      ASSERT_EQ(memory[15], thread * 1000 + round);
      mgpuEventPoolRelease(event);
      mgpuMemFree(memory, stream);
      mgpuStreamSynchronize(stream);
      mgpuStreamDestroy(own);
      mgpuStreamPoolRelease(stream);
    }
  });
  expectOk();
  EXPECT_EQ(hostCalls, kThreads * kRounds);
  EXPECT_LE(fake().count("cuEventCreate"), 2 * kThreads);
  EXPECT_EQ(fake().count("cuStreamCreate") - fake().count("cuStreamDestroy"), static_cast<int>(fake().streams.size()));
  EXPECT_LE(fake().streams.size(), static_cast<size_t>(kThreads));
  mgpuReset();
  EXPECT_TRUE(fake().memory.empty());
  EXPECT_TRUE(fake().streams.empty());
  EXPECT_TRUE(fake().events.empty());
}

TEST_F(StressTest, OneOfManyDestroysWins) {
  for (int round = 0; round < 50; ++round) {
    MgpuStream stream = mgpuStreamCreate();
    fake().clearCalls();
    std::atomic<int> ready{0};
    runOnThreads(4, [&](int) {
      ++ready;
      while (ready < 4)
        std::this_thread::yield();
      mgpuStreamDestroy(stream);
    });
    EXPECT_EQ(fake().count("cuStreamDestroy"), 1);
    EXPECT_EQ(fake().badHandleUses, 0);
    mgpuReset();
  }
}

TEST_F(StressTest, SequenceNumbersAreUniqueOverThreads) {
  static std::mutex mutex;
  static std::set<uint64_t> sequences;
  static std::set<uint64_t> threads;
  sequences.clear();
  threads.clear();
  MgpuRecorder recorder = {};
  recorder.after = [](void *, const MgpuCallRecord *record) {
    std::lock_guard<std::mutex> lock(mutex);
    EXPECT_TRUE(sequences.insert(record->sequence).second);
    threads.insert(record->thread);
  };
  mgpuInitialize();
  mgpuSetRecorder(&recorder);
  fake().clearCalls();
  runOnThreads(4, [&](int) {
    for (int round = 0; round < 50; ++round)
      mgpuStreamDestroy(mgpuStreamCreate());
  });
  EXPECT_EQ(sequences.size(), fake().calls.size());
  EXPECT_EQ(*sequences.rbegin() - *sequences.begin() + 1, sequences.size()) << "no gap";
  EXPECT_EQ(threads.size(), 4u);
}
} // namespace
