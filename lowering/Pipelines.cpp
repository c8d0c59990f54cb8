// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/Pipelines.h"

#include "lowering/KernelPipeline.h"
#include "lowering/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace lockstep::agpu {

namespace {

/// LoweringOptions as a textual pipeline states them.
struct LoweringPipelineOptions : PassPipelineOptions<LoweringPipelineOptions> {
  Option<std::string> lowering{*this, "lowering",
                               llvm::cl::desc("How chains are lowered: serial, streams, graph or capture."),
                               llvm::cl::init("streams")};
  Option<std::string> backend{*this, "backend", llvm::cl::desc("Kind of device: cuda or hip."), llvm::cl::init("cuda")};
  Option<std::string> kernelFormat{*this, "kernel-format", llvm::cl::desc("Kernels as bitcode, isa or binary."),
                                   llvm::cl::init("bitcode")};
  Option<std::string> target{*this, "target", llvm::cl::desc("Dialect of the kernels: nvvm or rocdl."),
                             llvm::cl::init("nvvm")};
  Option<std::string> chip{*this, "chip", llvm::cl::desc("Processor of the kernels."), llvm::cl::init("")};
  Option<std::string> features{*this, "features", llvm::cl::desc("LLVM target features of the kernels."),
                               llvm::cl::init("")};
  Option<unsigned> maxStreams{*this, "max-streams", llvm::cl::desc("The most streams that a block is spread over."),
                              llvm::cl::init(8)};
  Option<std::string> allocations{*this, "allocations", llvm::cl::desc("Memory of graphs: hoisted or nodes."),
                                  llvm::cl::init("hoisted")};
  Option<bool> opNames{*this, "op-names", llvm::cl::desc("Name operations to the runtime."), llvm::cl::init(true)};
  Option<bool> checkHazards{*this, "check-hazards", llvm::cl::desc("Look for unordered conflicting accesses first."),
                            llvm::cl::init(false)};
  Option<bool> traceChains{*this, "trace-chains",
                           llvm::cl::desc("With serial: tell the harness which order chains ask for."),
                           llvm::cl::init(false)};

  LoweringOptions get() const {
    LoweringOptions options;
    options.lowering = lowering;
    options.backend = backend;
    options.kernelFormat = kernelFormat;
    options.kernelTarget = target;
    options.chip = chip;
    options.features = features;
    options.maxStreams = maxStreams;
    options.allocations = allocations;
    options.opNames = opNames;
    options.checkHazards = checkHazards;
    options.traceChains = traceChains;
    return options;
  }
};

std::optional<std::string> explainChoice(StringRef option, StringRef value, ArrayRef<StringRef> choices) {
  if (llvm::is_contained(choices, value))
    return std::nullopt;
  return ("unknown " + option + " '" + value + "': it may be " + llvm::join(choices, ", ")).str();
}

void buildAgpuStage(OpPassManager &passes, const LoweringOptions &options) {
  passes.addPass(createConvertGpuToAgpuPass());
  passes.addPass(createConvertAsyncToAgpuPass());
  passes.addPass(createAgpuOutlineKernelsPass());
  if (options.checkHazards)
    passes.addPass(createAgpuCheckHazardsPass());
  // What is told is the order that the author wrote down: what drops chains is among what is judged by it.
  if (options.traceChains)
    passes.addPass(createAgpuAnnotateAccessesPass());
  else
    passes.addPass(createAgpuPruneChainsPass());
}

void buildLoweredStage(OpPassManager &passes, const LoweringOptions &options) {
  // Views of memrefs are computed while the program is still small.
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  if (options.lowering == "serial") {
    ConvertAgpuToSerialPassOptions serial;
    serial.opNames = options.opNames;
    serial.traceChains = options.traceChains;
    passes.addPass(createConvertAgpuToSerialPass(serial));
  } else if (options.lowering == "graph" || options.lowering == "capture") {
    ConvertAgpuToGraphPassOptions graph;
    graph.mode = options.lowering == "graph" ? "explicit" : "capture";
    graph.allocations = options.allocations;
    graph.maxStreams = options.maxStreams;
    graph.opNames = options.opNames;
    passes.addPass(createConvertAgpuToGraphPass(graph));
  } else {
    ConvertAgpuToStreamsPassOptions streams;
    streams.maxStreams = options.maxStreams;
    streams.opNames = options.opNames;
    passes.addPass(createConvertAgpuToStreamsPass(streams));
  }
}

} // namespace

void buildKernelStage(OpPassManager &passes, const LoweringOptions &options) {
  KernelTarget target{*parseKernelTarget(options.kernelTarget), options.chip, options.features};
  buildKernelPipeline(passes, target);
  AgpuSerializeKernelsPassOptions serialize;
  serialize.target = options.kernelTarget;
  serialize.format = options.kernelFormat;
  serialize.chip = options.chip;
  serialize.features = options.features;
  passes.addPass(createAgpuSerializeKernelsPass(serialize));
}

std::optional<std::string> explainInvalid(const LoweringOptions &options) {
  if (auto problem = explainChoice("lowering", options.lowering, {"serial", "streams", "graph", "capture"}))
    return problem;
  if (auto problem = explainChoice("backend", options.backend, {"cuda", "hip"}))
    return problem;
  if (auto problem = explainChoice("kernel format", options.kernelFormat, {"bitcode", "isa", "binary"}))
    return problem;
  if (auto problem = explainChoice("kernel target", options.kernelTarget, {"nvvm", "rocdl"}))
    return problem;
  if (auto problem = explainChoice("placement of allocations", options.allocations, {"hoisted", "nodes"}))
    return problem;
  if (options.allocations == "nodes" && options.lowering != "graph")
    return "allocations can be nodes with the lowering graph only";
  if (options.traceChains && options.lowering != "serial")
    return "chains can be traced with the lowering serial only";
  if (options.maxStreams == 0)
    return "the number of streams must be at least 1";
  return std::nullopt;
}

void buildLoweringPipeline(OpPassManager &passes, const LoweringOptions &options, LoweringStage last) {
  assert(!explainInvalid(options) && "the caller reports invalid options");
  buildAgpuStage(passes, options);
  if (last == LoweringStage::Agpu)
    return;
  buildKernelStage(passes, options);
  if (last == LoweringStage::Kernels)
    return;
  buildLoweredStage(passes, options);
  if (last == LoweringStage::Lowered)
    return;
  passes.addPass(createAgpuEmbedKernelsPass());
  passes.addPass(createAgpuToLlvmPass());
}

void registerLoweringPipeline() {
  PassRegistryFunction build = [](OpPassManager &passes, StringRef text,
                                  function_ref<LogicalResult(const Twine &)> report) -> LogicalResult {
    LoweringPipelineOptions parsed;
    if (failed(parsed.parseFromString(text)))
      return failure();
    LoweringOptions options = parsed.get();
    if (auto problem = explainInvalid(options))
      return report("lockstep-lower: " + *problem);
    buildLoweringPipeline(passes, options);
    return success();
  };
  auto describe = [](function_ref<void(const detail::PassOptions &)> show) { show(LoweringPipelineOptions()); };
  registerPassPipeline("lockstep-lower", "Lowers a program of agpu, gpu and async operations to the LLVM dialect.",
                       build, describe);
}

} // namespace lockstep::agpu
