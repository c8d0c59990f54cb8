// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares our declarations of functions with a vendor's, at compile time.

#ifndef LOCKSTEP_SIMGPU_TEST_SAMESIGNATURE_H
#define LOCKSTEP_SIMGPU_TEST_SAMESIGNATURE_H

#include <type_traits>

namespace lockstep::simgpu::test {

/// Whether a parameter is passed the same way: pointers agree in depth and constness and in what a scalar pointee is; a
/// scalar agrees in size and kind. Names of structures and handles may differ.
template <typename A, typename B> constexpr bool isSameShape() {
  if constexpr (std::is_pointer_v<A> || std::is_pointer_v<B>) {
    if constexpr (!std::is_pointer_v<A> || !std::is_pointer_v<B>)
      return false;
    else {
      using PointeeA = std::remove_pointer_t<A>;
      using PointeeB = std::remove_pointer_t<B>;
      if constexpr (std::is_const_v<PointeeA> != std::is_const_v<PointeeB> ||
                    std::is_void_v<PointeeA> != std::is_void_v<PointeeB> ||
                    std::is_function_v<PointeeA> != std::is_function_v<PointeeB>)
        return false;
      else if constexpr (std::is_void_v<PointeeA> || std::is_function_v<PointeeA> || std::is_class_v<PointeeA> ||
                         std::is_class_v<PointeeB>)
        return std::is_class_v<PointeeA> == std::is_class_v<PointeeB>;
      else
        return isSameShape<std::remove_cv_t<PointeeA>, std::remove_cv_t<PointeeB>>();
    }
  } else {
    return sizeof(A) == sizeof(B) && std::is_enum_v<A> == std::is_enum_v<B> &&
           std::is_floating_point_v<A> == std::is_floating_point_v<B> && std::is_integral_v<A> == std::is_integral_v<B>;
  }
}

template <typename A, typename B> struct SameSignature;
template <typename ResultA, typename... A, typename ResultB, typename... B>
struct SameSignature<ResultA (*)(A...), ResultB (*)(B...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(A) != sizeof...(B))
      return false;
    else
      return (isSameShape<A, B>() && ...);
  }();
};

// The checker itself must be able to say no.
static_assert(!SameSignature<int (*)(int), int (*)(long)>::value);
static_assert(!SameSignature<int (*)(int), int (*)(int, int)>::value);
static_assert(!SameSignature<int (*)(void *), int (*)(const void *)>::value);
static_assert(!SameSignature<int (*)(int *), int (*)(int **)>::value);
static_assert(!SameSignature<int (*)(float), int (*)(int)>::value);

} // namespace lockstep::simgpu::test

#endif // LOCKSTEP_SIMGPU_TEST_SAMESIGNATURE_H
