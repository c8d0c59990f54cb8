// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes GCC and the distribution's MLIR agree on the identity of op traits.
//
// MLIR identifies a trait by the compiler's spelling of `Trait<Empty>`, where `Empty` is local to a function of
// TypeID. The packaged libMLIR is built with Clang, which spells the argument `Empty`; GCC spells it with the whole
// function around it. Without this header, a question such as "is this op a terminator?" gets the answer no as soon as
// asker and op were compiled by different compilers. It must come before every other header of MLIR, so the
// precompiled header, which CMake includes first in each MLIR target, includes it first.

#ifndef LOCKSTEP_CMAKE_GCCTYPEIDS_H
#define LOCKSTEP_CMAKE_GCCTYPEIDS_H

#include "mlir/Support/TypeID.h"

#if defined(__GNUC__) && !defined(__clang__)

#include <string>
#include <string_view>

namespace lockstep::gcc {

/// Whether |T| is the local class with which TypeID names traits.
template <typename T> constexpr bool isTraitPlaceholder() {
  llvm::StringRef name = llvm::getTypeName<T>();
  return std::string_view(name.data(), name.size()).ends_with(">()::Empty");
}

} // namespace lockstep::gcc

namespace mlir::detail {

template <template <typename> class Trait, typename Placeholder>
class TypeIDResolver<Trait<Placeholder>,
                     std::enable_if_t<lockstep::gcc::isTraitPlaceholder<Placeholder>() &&
                                      !InlineTypeIDResolver::has_resolve_typeid<Trait<Placeholder>>::value>>
    : public FallbackTypeIDResolver {
public:
  static TypeID resolveTypeID() {
    // The registry keeps a reference to the name for the life of the process, so the name is never freed.
    static const std::string *name = new std::string(clangName(llvm::getTypeName<Trait<Placeholder>>()));
    static TypeID id = registerImplicitTypeID(*name);
    return id;
  }

private:
  static std::string clangName(StringRef gccName) {
    return gccName.take_front(gccName.find("<mlir::TypeID::get<")).str() + "<Empty>";
  }
};

} // namespace mlir::detail

#endif // GCC

#endif // LOCKSTEP_CMAKE_GCCTYPEIDS_H
