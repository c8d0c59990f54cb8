// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ERROR-4 and GRAPH-15 for every supported function that takes a handle: each handle argument in turn is given each
// wrong kind, and the finding must be about that argument.

#include "simgpu/test/hip/HipUnderTest.h"

#include <tuple>
#include <type_traits>
#include <utility>

namespace lockstep::simgpu::test {
namespace {

using ::testing::HasSubstr;

/// What a wrong handle of a type gives, and what the finding expects in its place; null for what is no handle.
struct Refusal {
  hipError_t result;
  const char *expected;
};
template <typename T> constexpr Refusal refusalOf = {hipSuccess, nullptr};
template <> constexpr Refusal refusalOf<hipStream_t> = {hipErrorContextIsDestroyed, "a stream is expected"};
template <> constexpr Refusal refusalOf<hipEvent_t> = {hipErrorInvalidHandle, "an event is expected"};
template <> constexpr Refusal refusalOf<hipModule_t> = {hipErrorInvalidHandle, "a module is expected"};
template <> constexpr Refusal refusalOf<hipFunction_t> = {hipErrorInvalidHandle, "a kernel function is expected"};
template <> constexpr Refusal refusalOf<hipGraph_t> = {hipErrorInvalidValue, "a graph is expected"};
template <> constexpr Refusal refusalOf<hipGraphNode_t> = {hipErrorInvalidValue, "a node of a graph is expected"};
template <> constexpr Refusal refusalOf<hipGraphExec_t> = {hipErrorInvalidValue, "an executable graph is expected"};
template <> constexpr Refusal refusalOf<hipMemPool_t> = {hipErrorInvalidHandle, "a memory pool is expected"};
template <> constexpr Refusal refusalOf<hipUserObject_t> = {hipErrorInvalidValue, "a user object is expected"};

class HipWrongUseTest : public HipDeviceTest {
protected:
  void SetUp() override {
    HipDeviceTest::SetUp();
    std::get<hipStream_t>(right) = createStream();
    std::get<hipEvent_t>(right) = createEvent();
    hipModule_t &module = std::get<hipModule_t>(right);
    ASSERT_OK(hip.hipModuleLoadData(&module, hipTestModule().data()));
    ASSERT_OK(hip.hipModuleGetFunction(&std::get<hipFunction_t>(right), module, "empty"));
    hipGraph_t &graph = std::get<hipGraph_t>(right);
    ASSERT_OK(hip.hipGraphCreate(&graph, 0));
    ASSERT_OK(hip.hipGraphAddEmptyNode(&std::get<hipGraphNode_t>(right), graph, nullptr, 0));
    ASSERT_OK(hip.hipGraphInstantiate(&std::get<hipGraphExec_t>(right), graph, nullptr, nullptr, 0));
    auto destroy = [](void *) {};
    ASSERT_OK(
        hip.hipUserObjectCreate(&std::get<hipUserObject_t>(right), scratch, destroy, 1, hipUserObjectNoDestructorSync));
    ASSERT_OK(hip.hipDeviceGetDefaultMemPool(&std::get<hipMemPool_t>(right), 0));
    destroyed = createStream();
    ASSERT_OK(hip.hipStreamDestroy(destroyed));
    fillParameters();
  }

  void fillParameters() {
    memory = allocate(64);
    kernel.blockDim = kernel.gridDim = {1, 1, 1};
    kernel.func = std::get<hipFunction_t>(right);
    copy.srcPtr.ptr = copy.dstPtr.ptr = memory;
    copy.extent = {1, 1, 1};
    copy.kind = hipMemcpyDeviceToDevice;
    rows.srcMemoryType = rows.dstMemoryType = hipMemoryTypeDevice;
    rows.srcDevice = rows.dstDevice = memory;
    rows.WidthInBytes = rows.Height = 1;
    host.fn = [](void *) {};
    fill6 = {memory, 1, 1, 0, 0, 1};
    fill7 = {memory, 0, 0, 1, 1, 1};
    allocation.poolProps.allocType = hipMemAllocationTypePinned;
    allocation.poolProps.location.type = hipMemLocationTypeDevice;
    allocation.bytesize = 1;
  }

  template <typename T> T rightValue() {
    if constexpr (refusalOf<T>.expected != nullptr)
      return std::get<T>(right);
    else if constexpr (std::is_same_v<T, const hipGraphNode_t *>)
      return &std::get<hipGraphNode_t>(right);
    else if constexpr (std::is_same_v<T, const hipKernelNodeParams *>)
      return &kernel;
    else if constexpr (std::is_same_v<std::remove_const_t<std::remove_pointer_t<T>>, hipMemcpy3DParms>)
      return &copy;
    else if constexpr (std::is_same_v<T, const hip_Memcpy2D *>)
      return &rows;
    else if constexpr (std::is_same_v<T, hipPitchedPtr>)
      return copy.dstPtr;
    else if constexpr (std::is_same_v<T, hipExtent>)
      return copy.extent;
    else if constexpr (std::is_same_v<T, const hipHostNodeParams *>)
      return &host;
    else if constexpr (std::is_same_v<T, hipMemAllocNodeParams *>)
      return &allocation;
    else if constexpr (std::is_same_v<T, const hipMemsetParamsOfVersion *>)
      return choose(fill6, fill7);
    else if constexpr (std::is_same_v<T, void **>) // The tokens of a launch, or a place for an address.
      return extra;
    else if constexpr (std::is_same_v<T, hipHostFn_t>)
      return [](void *) {};
    else if constexpr (std::is_same_v<T, hipStreamCallback_t>)
      return [](hipStream_t, hipError_t, void *) {};
    else if constexpr (std::is_pointer_v<T>)
      return (T)scratch;
    else if constexpr (std::is_same_v<T, size_t>)
      return 1;
    else
      return T{};
  }

  /// The wrong handles for an argument of type T, each a number that some other use made.
  template <typename T> std::vector<void *> wrongHandles() {
    std::vector<void *> wrong{reinterpret_cast<void *>(0x12345678), destroyed, scratch, memory};
    auto add = [&]<typename U>(U handle) {
      if constexpr (!std::is_same_v<T, U>)
        wrong.push_back(handle);
    };
    std::apply([&](auto... handles) { (add(handles), ...); }, right);
    return wrong;
  }

  template <size_t Wrong, typename... Parameters, size_t... Indices>
  void tryArgument(const char *name, hipError_t (*call)(Parameters...), std::index_sequence<Indices...>) {
    using T = std::tuple_element_t<Wrong, std::tuple<Parameters...>>;
    if constexpr (refusalOf<T>.expected != nullptr) {
      ++argumentCount;
      for (void *handle : wrongHandles<T>()) {
        SCOPED_TRACE(std::string(name) + ", argument " + std::to_string(Wrong) + ", version " +
                     std::to_string(GetParam()));
        const size_t before = hip.findingCount();
        auto value = [&]<size_t Index, typename P>() -> P {
          if constexpr (Index == Wrong)
            return reinterpret_cast<P>(handle);
          else if constexpr (std::is_same_v<P, unsigned> && (std::is_same_v<Parameters, hipUserObject_t> || ...))
            return 1; // A count of references; elsewhere, flags or sizes.
          else
            return rightValue<P>();
        };
        EXPECT_EQ(call(value.template operator()<Indices, Parameters>()...), refusalOf<T>.result) << handle;
        ASSERT_EQ(hip.findingCount(), before + 1) << handle;
        LockstepSimFinding finding;
        hip.finding(before, &finding);
        EXPECT_THAT(finding.message, HasSubstr(refusalOf<T>.expected));
        EXPECT_STREQ(finding.call, name);
      }
    }
  }

  template <typename... Parameters> void tryFunction(const char *name, hipError_t (*call)(Parameters...)) {
    [&]<size_t... Indices>(std::index_sequence<Indices...> all) {
      (tryArgument<Indices>(name, call, all), ...);
    }(std::index_sequence_for<Parameters...>());
  }

  std::tuple<hipStream_t, hipEvent_t, hipModule_t, hipFunction_t, hipGraph_t, hipGraphNode_t, hipGraphExec_t,
             hipUserObject_t, hipMemPool_t>
      right;
  hipStream_t destroyed = nullptr;
  void *memory = nullptr;
  hipKernelNodeParams kernel{};
  hipMemcpy3DParms copy{};
  hip_Memcpy2D rows{};
  hipHostNodeParams host{};
  hipMemsetParams fill6{};
  hipMemsetParams7 fill7{};
  hipMemAllocNodeParams allocation{};
  size_t extraBytes = sizeof scratch;
  void *extra[5] = {reinterpret_cast<void *>(HIP_LAUNCH_PARAM_BUFFER_POINTER), scratch,
                    reinterpret_cast<void *>(HIP_LAUNCH_PARAM_BUFFER_SIZE), &extraBytes,
                    reinterpret_cast<void *>(HIP_LAUNCH_PARAM_END)};
  unsigned argumentCount = 0;
  alignas(16) char scratch[4096] = {};
};
LOCKSTEP_HIP_FIXTURE(HipWrongUse, HipWrongUseTest);

TEST_P(HipWrongUse, ERROR_4_EveryFunctionRefusesEveryWrongHandle) {
#define LOCKSTEP_HIP_CALL(name, parameters, arguments) tryFunction(#name, hip.name);
#define LOCKSTEP_HIP_STREAM_CALL(name, per_thread_name, parameters, arguments)                                         \
  tryFunction(#name, hip.name);                                                                                        \
  tryFunction(#name, hip.per_thread_name);
#include "simgpu/hip/HipCalls.def"
  EXPECT_GT(argumentCount, 150u);
}

} // namespace
} // namespace lockstep::simgpu::test
