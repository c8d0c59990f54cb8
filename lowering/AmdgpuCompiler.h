// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an LLVM module of kernels to what HIP loads: assembly text of AMD's processors, and code objects. Knows LLVM
// only. Errors say what was looked for and where; nothing is printed.

#ifndef LOCKSTEP_LOWERING_AMDGPUCOMPILER_H
#define LOCKSTEP_LOWERING_AMDGPUCOMPILER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace lockstep::agpu {

constexpr llvm::StringLiteral kAmdgpuTriple = "amdgcn-amd-amdhsa";

/// What the compiler is for. Empty paths mean the usual places; see findRocm.
struct AmdgpuOptions {
  std::string chip;
  std::string features;
  unsigned subgroupSize; ///< Lanes of a wave.
  std::string rocmPath;
  std::string lld;
};

/// A target machine for the chip. Fails where this LLVM has no AMDGPU target or does not know the chip.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createAmdgpuTargetMachine(const AmdgpuOptions &options);

/// Says in the module, for whom it is: triple, layout, code object version 5, and for each function its processor and
/// wave size.
void prepareAmdgpuModule(llvm::Module &module, const llvm::TargetMachine &machine, const AmdgpuOptions &options);

/// Assembly text with the metadata that HIP's loader reads. The sizes of block and grid come from the implicit
/// arguments; other functions of AMD's device library (`__ocml_…`, `__ockl_…`) are linked where ROCm is found.
llvm::Expected<std::string> compileToAmdgpuIsa(llvm::Module &module, llvm::TargetMachine &machine,
                                               const AmdgpuOptions &options);

/// A code object (HSACO): the object that LLVM writes, linked by ld.lld. Temporary files are removed again.
llvm::Expected<std::string> compileToHsaco(llvm::Module &module, llvm::TargetMachine &machine,
                                           const AmdgpuOptions &options);

/// The folder of ROCm: |rocmPath|, else ROCM_PATH or HIP_PATH of the environment, else its usual folder. It may not
/// exist.
std::string findRocm(llvm::StringRef rocmPath);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_AMDGPUCOMPILER_H
