// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a program as its author wrote it to the LLVM dialect: which passes, in which order.

#ifndef LOCKSTEP_LOWERING_PIPELINES_H
#define LOCKSTEP_LOWERING_PIPELINES_H

#include "mlir/Pass/PassManager.h"

#include <optional>
#include <string>

namespace lockstep::agpu {

struct LoweringOptions {
  std::string lowering = "streams";     ///< `serial`, `streams`, `graph` or `capture`.
  std::string backend = "cuda";         ///< `cuda` or `hip`.
  std::string kernelFormat = "bitcode"; ///< `bitcode` (simulated device), `isa` or `binary`.
  std::string kernelTarget = "nvvm";    ///< `nvvm` or `rocdl`.
  std::string chip;                     ///< Processor of the kernels; empty: the default of agpu-serialize-kernels.
  std::string features;                 ///< LLVM target features of the kernels.
  unsigned maxStreams = 8;              ///< Most streams that a block is spread over; at least 1.
  std::string allocations = "hoisted";  ///< Memory of graphs: `hoisted` or, with `graph`, `nodes`.
  bool opNames = true;                  ///< Whether operations are named to the runtime.
  bool checkHazards = false;            ///< Whether agpu-check-hazards runs.
  bool traceChains = false;             ///< With `serial`: the program tells which order its chains ask for.
};

/// What is wrong with the options, as a sentence that names the option and what it may be; nullopt where nothing is.
std::optional<std::string> explainInvalid(const LoweringOptions &options);

/// How far to lower.
enum class LoweringStage {
  Agpu,    ///< Imported, kernels outlined, chains pruned: the program in agpu, kernels in gpu.
  Kernels, ///< The same with each gpu.module turned into a gpu.binary.
  Lowered, ///< Chains lowered to calls of the runtime; other host code as it was.
  LLVM,    ///< Nothing but the LLVM dialect.
};

/// Adds the passes up to and with `last` to a pass manager for builtin.module. The options must be valid.
void buildLoweringPipeline(mlir::OpPassManager &passes, const LoweringOptions &options,
                           LoweringStage last = LoweringStage::LLVM);

/// Adds the passes that turn each gpu.module into a gpu.binary for the backend and format of the options.
void buildKernelStage(mlir::OpPassManager &passes, const LoweringOptions &options);

/// Registers the whole as the pipeline `lockstep-lower` for tools that run textual pipelines.
void registerLoweringPipeline();

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_PIPELINES_H
