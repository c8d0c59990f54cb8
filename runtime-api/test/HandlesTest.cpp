// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/support/Handles.h"

#include <gtest/gtest.h>

using namespace lockstep::runtime;

namespace {
const void *handleAt(uintptr_t address) { return reinterpret_cast<const void *>(address); }

TEST(HandlesTest, ChangesOnlyFromTheGivenState) {
  HandleRegistry registry;
  registry.add(handleAt(64), HandleInfo());
  EXPECT_FALSE(registry.change(handleAt(64), HandleState::Idle, HandleState::Live));
  EXPECT_TRUE(registry.change(handleAt(64), HandleState::Live, HandleState::Destroyed));
  EXPECT_FALSE(registry.change(handleAt(64), HandleState::Live, HandleState::Destroyed));
  EXPECT_FALSE(registry.change(handleAt(128), HandleState::Live, HandleState::Destroyed));
}

TEST(HandlesTest, RetiresWhatAnOwnerOwns) {
  HandleRegistry registry;
  HandleInfo info;
  info.kind = HandleKind::Function;
  info.owner = handleAt(16);
  registry.add(handleAt(64), info);
  info.owner = handleAt(32);
  registry.add(handleAt(128), info);
  registry.retireOwnedBy(handleAt(16));
  EXPECT_EQ(registry.find(handleAt(64))->state, HandleState::Destroyed);
  EXPECT_EQ(registry.find(handleAt(128))->state, HandleState::Live);
}

TEST(HandlesTest, DestroyedHandlesDoNotPileUp) {
  HandleRegistry registry;
  constexpr uintptr_t kCount = 500000;
  for (uintptr_t index = 1; index <= kCount; ++index) {
    registry.add(handleAt(index * 64), HandleInfo());
    registry.change(handleAt(index * 64), HandleState::Live, HandleState::Destroyed);
  }
  EXPECT_FALSE(registry.find(handleAt(64))) << "the oldest is forgotten";
  EXPECT_EQ(registry.find(handleAt(kCount * 64))->state, HandleState::Destroyed) << "the newest is remembered";
}

TEST(HandlesTest, AHandleUsedAgainOutlivesItsGrave) {
  HandleRegistry registry;
  registry.add(handleAt(64), HandleInfo());
  registry.change(handleAt(64), HandleState::Live, HandleState::Destroyed);
  registry.add(handleAt(64), HandleInfo());
  for (uintptr_t index = 2; index <= 200000; ++index) {
    registry.add(handleAt(index * 64), HandleInfo());
    registry.change(handleAt(index * 64), HandleState::Live, HandleState::Destroyed);
  }
  ASSERT_TRUE(registry.find(handleAt(64)));
  EXPECT_EQ(registry.find(handleAt(64))->state, HandleState::Live);
}

TEST(HandlesTest, MisuseIsExplained) {
  HandleInfo event;
  event.kind = HandleKind::Event;
  const void *handle = handleAt(0xabc0);
  EXPECT_EQ(explainMisuse("event", handle, HandleKind::Event, event), "");
  EXPECT_EQ(explainMisuse("stream", handle, HandleKind::Stream, event),
            "argument 'stream' must be a stream, but 0xabc0 is an event");
  EXPECT_EQ(explainMisuse("stream", nullptr, HandleKind::Stream, std::nullopt),
            "argument 'stream' must be a stream, but is null");
  EXPECT_EQ(explainMisuse("stream", handle, HandleKind::Stream, std::nullopt),
            "argument 'stream' must be a stream, but 0xabc0 is no handle that this library gave out");
  event.state = HandleState::Destroyed;
  EXPECT_EQ(explainMisuse("event", handle, HandleKind::Event, event),
            "argument 'event' must be an event, but 0xabc0 was destroyed");
}
} // namespace
