// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels are compiled for.

#ifndef LOCKSTEP_LOWERING_KERNELTARGET_H
#define LOCKSTEP_LOWERING_KERNELTARGET_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace lockstep::agpu {

enum class KernelTargetKind { Nvvm, Rocdl };

/// By the name that options use: `nvvm` or `rocdl`.
inline std::optional<KernelTargetKind> parseKernelTarget(llvm::StringRef name) {
  if (name == "nvvm")
    return KernelTargetKind::Nvvm;
  if (name == "rocdl")
    return KernelTargetKind::Rocdl;
  return std::nullopt;
}

struct KernelTarget {
  KernelTargetKind kind = KernelTargetKind::Nvvm;
  std::string chip;     ///< Empty: sm_75 or gfx90a.
  std::string features; ///< LLVM's target features, such as `+wavefrontsize64`.

  std::string getChip() const {
    if (!chip.empty())
      return chip;
    return kind == KernelTargetKind::Nvvm ? "sm_75" : "gfx90a";
  }

  /// Lanes of a warp or wave. AMD's processors up to gfx9 have 64; later ones have 32 where features do not say
  /// otherwise, as in LLVM.
  unsigned getSubgroupSize() const {
    llvm::StringRef text = features;
    if (kind == KernelTargetKind::Nvvm || text.contains("+wavefrontsize32"))
      return 32;
    if (text.contains("+wavefrontsize64"))
      return 64;
    std::string name = getChip();
    return llvm::StringRef(name).starts_with("gfx1") ? 32 : 64;
  }
};

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_KERNELTARGET_H
