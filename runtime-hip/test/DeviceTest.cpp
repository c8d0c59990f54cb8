// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which device is current for a call, and after it.

#include "runtime-hip/test/RuntimeTest.h"

using namespace lockstep::hip;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {
class DeviceTest : public RuntimeTest {};

TEST_F(DeviceTest, Abi15TheDefaultDeviceIsCurrentForEachCallOnly) {
  mgpuSetDefaultDevice(1);
  fake().calls.clear();
  MgpuStream stream = mgpuStreamCreate();
  EXPECT_THAT(fake().calls, ElementsAre("hipSetDevice 1", "hipStreamCreateWithFlags", "hipSetDevice 0"));
  fake().calls.clear();
  mgpuMemAlloc(4, stream, /*is_host_shared=*/false);
  EXPECT_THAT(fake().calls, ElementsAre("hipSetDevice 1", "hipMallocAsync", "hipSetDevice 0"));
  EXPECT_EQ(fake().device, 0);
  expectOk();
}

TEST_F(DeviceTest, Abi14StreamsAndEventsKeepTheirDevice) {
  mgpuSetDefaultDevice(1);
  MgpuStream stream = mgpuStreamCreate();
  MgpuEvent event = mgpuEventCreate();
  mgpuSetDefaultDevice(0);
  fake().calls.clear();
  mgpuEventRecord(event, stream);
  EXPECT_THAT(fake().calls, ElementsAre("hipSetDevice 1", "hipEventRecord event1 stream1", "hipSetDevice 0"));
  expectOk();
}

TEST_F(DeviceTest, Abi15TheCallersDeviceIsRestored) {
  ASSERT_EQ(mgpuInitialize(), kMgpuStatusOk) << message();
  fake().device = 1;
  fake().calls.clear();
  mgpuStreamCreate();
  EXPECT_THAT(fake().calls, ElementsAre("hipSetDevice 0", "hipStreamCreateWithFlags", "hipSetDevice 1"));
  expectOk();
}

TEST_F(DeviceTest, Abi15NothingIsSetWhereItIsCurrentAlready) {
  mgpuStreamCreate();
  EXPECT_THAT(fake().callsOf({"hipSetDevice"}), IsEmpty());
  expectOk();
}

TEST_F(DeviceTest, Abi15AFailureToRestoreIsAFailure) {
  mgpuSetDefaultDevice(1);
  MgpuRecorder failing = {nullptr,
                          [](void *, const MgpuCallRecord *record) -> int32_t {
                            bool isRestore = std::string(record->call) == "hipSetDevice" && record->arguments[0] == 0;
                            return isRestore ? hipErrorInvalidDevice : 0;
                          },
                          nullptr};
  mgpuSetRecorder(&failing);
  mgpuStreamCreate();
  EXPECT_STREQ(status().function, "mgpuStreamCreate");
  EXPECT_STREQ(status().call, "hipSetDevice");
}

TEST_F(DeviceTest, Abi14UnknownDeviceIsRefused) {
  mgpuSetDefaultDevice(2);
  EXPECT_EQ(status().kind, kMgpuStatusInvalidValue);
  EXPECT_THAT(message(), HasSubstr("there is no device 2; the driver reports 2"));
}
} // namespace
