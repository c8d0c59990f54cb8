// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an LLVM module of kernels to what NVIDIA's driver loads: PTX and cubin. Knows LLVM only. Errors say what was
// looked for and where; nothing is printed.

#ifndef LOCKSTEP_LOWERING_NVPTXCOMPILER_H
#define LOCKSTEP_LOWERING_NVPTXCOMPILER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace lockstep::agpu {

constexpr llvm::StringLiteral kNvptxTriple = "nvptx64-nvidia-cuda";

/// What the compiler is for. Empty paths mean the usual places; see findCudaToolkit.
struct NvptxOptions {
  std::string chip;
  std::string features;
  std::string cudaPath;
  std::string ptxas;
};

/// A target machine for the chip. Fails where this LLVM has no NVPTX target or does not know the chip.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createNvptxTargetMachine(const NvptxOptions &options);

/// PTX text. Links the device library where the module calls it, and optimises the module at level 2.
llvm::Expected<std::string> compileToPtx(llvm::Module &module, llvm::TargetMachine &machine,
                                         const NvptxOptions &options);

/// A cubin, by running ptxas on files in the temporary folder; they are removed again.
llvm::Expected<std::string> assemblePtx(llvm::StringRef ptx, const NvptxOptions &options);

/// The folder of the CUDA toolkit: |cudaPath|, else the first of CUDA_HOME, CUDA_PATH and CUDA_ROOT that is set, else
/// the folder that NVIDIA's packages use. It may not exist.
std::string findCudaToolkit(llvm::StringRef cudaPath);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_NVPTXCOMPILER_H
