// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule ERROR-4 for every supported function that takes a handle: each handle argument in turn is given each wrong kind.

#include "simgpu/test/DriverUnderTest.h"

#include <tuple>
#include <type_traits>
#include <utility>

namespace lockstep::simgpu::test {
namespace {

using ::testing::AnyOf;

template <typename T>
constexpr bool isHandle =
    std::is_same_v<T, CUstream> || std::is_same_v<T, CUevent> || std::is_same_v<T, CUmodule> ||
    std::is_same_v<T, CUfunction> || std::is_same_v<T, CUcontext> || std::is_same_v<T, CUmemoryPool> ||
    std::is_same_v<T, CUlibrary> || std::is_same_v<T, CUkernel>;

class WrongUse : public DeviceTest {
protected:
  void SetUp() override {
    DeviceTest::SetUp();
    stream = createStream();
    event = createEvent();
    memory = allocate(64);
    ASSERT_OK(cu.cuModuleLoadData(&module, testModule().data()));
    ASSERT_OK(cu.cuModuleGetFunction(&function, module, "shared"));
    ASSERT_OK(cu.cuLibraryLoadData(&library, testModule().data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASSERT_OK(cu.cuLibraryGetKernel(&kernel, library, "shared"));
    ASSERT_OK(cu.cuDeviceGetDefaultMemPool(&pool, 0));
    destroyed = createStream();
    ASSERT_OK(cu.cuStreamDestroy_v2(destroyed));
  }

  template <typename T> T rightValue() {
    if constexpr (std::is_same_v<T, CUstream>)
      return stream;
    else if constexpr (std::is_same_v<T, CUevent>)
      return event;
    else if constexpr (std::is_same_v<T, CUmodule>)
      return module;
    else if constexpr (std::is_same_v<T, CUfunction>)
      return function;
    else if constexpr (std::is_same_v<T, CUcontext>)
      return context;
    else if constexpr (std::is_same_v<T, CUmemoryPool>)
      return pool;
    else if constexpr (std::is_same_v<T, CUlibrary>)
      return library;
    else if constexpr (std::is_same_v<T, CUkernel>)
      return kernel;
    else if constexpr (std::is_same_v<T, CUhostFn>)
      return [](void *) {};
    else if constexpr (std::is_same_v<T, CUstreamCallback>)
      return [](CUstream, CUresult, void *) {};
    else if constexpr (std::is_pointer_v<T>)
      return (T)scratch;
    else if constexpr (std::is_same_v<T, CUdeviceptr>)
      return memory;
    else
      return T{};
  }

  /// The wrong handles for an argument of type T, each a number that some other use made.
  template <typename T> std::vector<void *> wrongHandles() {
    std::vector<void *> wrong{reinterpret_cast<void *>(0x12345678), destroyed, scratch};
    for (void *handle : std::initializer_list<void *>{stream, event, module, function, context, pool, library, kernel})
      if (handle != (void *)rightValue<T>())
        wrong.push_back(handle);
    return wrong;
  }

  template <typename... Parameters, size_t... Indices>
  void tryAll(const char *name, CUresult (*call)(Parameters...), std::index_sequence<Indices...>) {
    (tryArgument<Indices>(name, call, std::index_sequence<Indices...>()), ...);
  }

  template <size_t Wrong, typename... Parameters, size_t... Indices>
  void tryArgument(const char *name, CUresult (*call)(Parameters...), std::index_sequence<Indices...>) {
    using T = std::tuple_element_t<Wrong, std::tuple<Parameters...>>;
    if constexpr (isHandle<T>) {
      ++argumentCount;
      for (void *handle : wrongHandles<T>()) {
        size_t before = cu.findingCount();
        auto value = [&]<size_t Index, typename P>() -> P {
          if constexpr (Index == Wrong)
            return reinterpret_cast<P>(handle);
          else
            return rightValue<P>();
        };
        EXPECT_THAT(call(value.template operator()<Indices, Parameters>()...),
                    AnyOf(CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_INVALID_VALUE))
            << name << ", argument " << Wrong << ", handle " << handle;
        ASSERT_EQ(cu.findingCount(), before + 1) << name << ", argument " << Wrong << ", handle " << handle;
      }
    }
  }

  template <typename... Parameters> void tryFunction(const char *name, CUresult (*call)(Parameters...)) {
    tryAll(name, call, std::index_sequence_for<Parameters...>());
  }

  CUstream stream = nullptr, destroyed = nullptr;
  CUevent event = nullptr;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUmemoryPool pool = nullptr;
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUdeviceptr memory = 0;
  unsigned argumentCount = 0;
  alignas(16) char scratch[4096] = {};
};

TEST_F(WrongUse, ERROR_4_EveryFunctionRefusesEveryWrongHandle) {
#define LOCKSTEP_CUDA_CALL(name, parameters, arguments) tryFunction(#name, cu.name);
#define LOCKSTEP_CUDA_STREAM_CALL(name, per_thread_name, parameters, arguments)                                        \
  tryFunction(#name, cu.name);                                                                                         \
  tryFunction(#per_thread_name, cu.per_thread_name);
#include "simgpu/cuda/CudaCalls.def"
  EXPECT_GT(argumentCount, 80u);
}

} // namespace
} // namespace lockstep::simgpu::test
