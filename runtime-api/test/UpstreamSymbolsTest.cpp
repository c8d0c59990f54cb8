// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Upstream's functions as reference/upstream-lowering.md lists them, written out here a second time with the C types of
// the machine: Symbols.def must agree with this list, by name and by shape.

#include "runtime-api/Mgpu.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <type_traits>

namespace {
using Pointer = void *;
using StridedMemRef = void *;

/// What the calling convention sees of a type: a pointer is a pointer, an integer has a size and a sign.
template <typename T> struct Shape {
  using Type = T;
};
template <typename T> struct Shape<T *> {
  using Type = void *;
};

template <typename Declared, typename Upstream> struct HasShape;
template <typename R, typename... A, typename S, typename... B> struct HasShape<R (*)(A...), S(B...)> {
  static constexpr bool value() {
    if constexpr (sizeof...(A) != sizeof...(B))
      return false;
    else
      return std::is_same_v<typename Shape<R>::Type, typename Shape<S>::Type> &&
             (std::is_same_v<typename Shape<A>::Type, typename Shape<B>::Type> && ...);
  }
};

/// All names of Symbols.def.
std::map<std::string, int> tableNames() {
  std::map<std::string, int> names;
#define MGPU_SYMBOL(RESULT, NAME, PARAMETERS) ++names[#NAME];
#include "runtime-api/Symbols.def"
  return names;
}

#define UPSTREAM_SYMBOLS(X)                                                                                            \
  X(mgpuModuleLoad, Pointer(Pointer, size_t))                                                                          \
  X(mgpuModuleLoadJIT, Pointer(Pointer, int))                                                                          \
  X(mgpuModuleUnload, void(Pointer))                                                                                   \
  X(mgpuModuleGetFunction, Pointer(Pointer, const char *))                                                             \
  X(mgpuLaunchKernel, void(Pointer, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, int32_t, Pointer,      \
                           void **, void **, size_t))                                                                  \
  X(mgpuLaunchClusterKernel, void(Pointer, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,       \
                                  intptr_t, intptr_t, int32_t, Pointer, void **, void **, size_t))                     \
  X(mgpuStreamCreate, Pointer())                                                                                       \
  X(mgpuStreamDestroy, void(Pointer))                                                                                  \
  X(mgpuStreamSynchronize, void(Pointer))                                                                              \
  X(mgpuStreamWaitEvent, void(Pointer, Pointer))                                                                       \
  X(mgpuEventCreate, Pointer())                                                                                        \
  X(mgpuEventDestroy, void(Pointer))                                                                                   \
  X(mgpuEventSynchronize, void(Pointer))                                                                               \
  X(mgpuEventRecord, void(Pointer, Pointer))                                                                           \
  X(mgpuMemAlloc, Pointer(uint64_t, Pointer, bool))                                                                    \
  X(mgpuMemFree, void(Pointer, Pointer))                                                                               \
  X(mgpuMemcpy, void(Pointer, Pointer, size_t, Pointer))                                                               \
  X(mgpuMemset32, void(Pointer, unsigned, size_t, Pointer))                                                            \
  X(mgpuMemset16, void(Pointer, unsigned short, size_t, Pointer))                                                      \
  X(mgpuMemHostRegister, void(Pointer, uint64_t))                                                                      \
  X(mgpuMemHostUnregister, void(Pointer))                                                                              \
  X(mgpuMemHostRegisterMemRef, void(int64_t, StridedMemRef, int64_t))                                                  \
  X(mgpuMemHostUnregisterMemRef, void(int64_t, StridedMemRef, int64_t))                                                \
  X(mgpuSetDefaultDevice, void(int32_t))                                                                               \
  X(mgpuTensorMapEncodeTiled, void(Pointer, int32_t, uint32_t, Pointer, const uint64_t *, const uint64_t *,            \
                                   const uint32_t *, const uint32_t *, int32_t, int32_t, int32_t, int32_t))            \
  X(mgpuTensorMapEncodeTiledMemref, Pointer(int64_t, Pointer, int32_t, int32_t, int32_t, int32_t, int32_t, int64_t *))

#define CHECK_SHAPE(NAME, ...)                                                                                         \
  static_assert(HasShape<decltype(&NAME), __VA_ARGS__>::value(), #NAME " differs from upstream's signature");
UPSTREAM_SYMBOLS(CHECK_SHAPE)

// The check itself can fail.
static_assert(!HasShape<decltype(&mgpuStreamWaitEvent), void(Pointer)>::value());
static_assert(!HasShape<decltype(&mgpuMemset16), void(Pointer, int, size_t, Pointer)>::value());

TEST(UpstreamSymbolsTest, Abi18EveryUpstreamFunctionIsInTheTable) {
  std::map<std::string, int> names = tableNames();
#define CHECK_NAME(NAME, ...) EXPECT_EQ(names.count(#NAME), 1u) << #NAME;
  UPSTREAM_SYMBOLS(CHECK_NAME)
}

TEST(UpstreamSymbolsTest, Abi18NoNameTwice) {
  for (const auto &[name, count] : tableNames())
    EXPECT_EQ(count, 1) << name;
}
} // namespace
