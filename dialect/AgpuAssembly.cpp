// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/AgpuAssembly.h"

#include "dialect/AgpuOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace lockstep::agpu;

using UnresolvedOperand = OpAsmParser::UnresolvedOperand;

ParseResult lockstep::agpu::parseChains(OpAsmParser &parser, Type &chainType,
                                        SmallVectorImpl<UnresolvedOperand> &chains) {
  if (failed(parser.parseOptionalLSquare()))
    return success();
  chainType = ChainType::get(parser.getContext());
  if (succeeded(parser.parseOptionalRSquare()))
    return success();
  return failure(parser.parseOperandList(chains) || parser.parseRSquare());
}

void lockstep::agpu::printChains(OpAsmPrinter &printer, Operation *op, Type chainType, OperandRange chains) {
  if (chainType)
    printer << " [" << chains << ']';
}

ParseResult lockstep::agpu::parseKernelArguments(OpAsmParser &parser, SmallVectorImpl<UnresolvedOperand> &arguments,
                                                 SmallVectorImpl<Type> &types) {
  if (failed(parser.parseOptionalKeyword("args")))
    return success();
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    return failure(parser.parseOperand(arguments.emplace_back()) || parser.parseColonType(types.emplace_back()));
  });
}

void lockstep::agpu::printKernelArguments(OpAsmPrinter &printer, Operation *op, OperandRange arguments,
                                          TypeRange types) {
  if (arguments.empty())
    return;
  printer << " args(";
  llvm::interleaveComma(llvm::zip_equal(arguments, types), printer,
                        [&](auto argument) { printer << std::get<0>(argument) << " : " << std::get<1>(argument); });
  printer << ')';
}

ParseResult lockstep::agpu::parseTolerance(OpAsmParser &parser, FloatAttr &tolerance) {
  if (failed(parser.parseOptionalKeyword("tolerance")))
    return success();
  double value;
  if (parser.parseFloat(value))
    return failure();
  tolerance = parser.getBuilder().getF64FloatAttr(value);
  return success();
}

void lockstep::agpu::printTolerance(OpAsmPrinter &printer, Operation *op, FloatAttr tolerance) {
  if (!tolerance)
    return;
  printer << " tolerance ";
  printer.printFloat(tolerance.getValue());
}

namespace {
/// What one `blocks(…) in (…)` or `threads(…) in (…)` clause names: three ids, three sizes, three size values.
struct LaunchClause {
  SmallVector<OpAsmParser::Argument, 3> ids;
  SmallVector<OpAsmParser::Argument, 3> sizes;
  SmallVector<UnresolvedOperand, 3> values;
};
} // namespace

static ParseResult parseLaunchClause(OpAsmParser &parser, StringRef keyword, LaunchClause &clause) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(keyword) || parser.parseArgumentList(clause.ids, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("in") || parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
        return failure(parser.parseArgument(clause.sizes.emplace_back()) || parser.parseEqual() ||
                       parser.parseOperand(clause.values.emplace_back()));
      }))
    return failure();
  if (clause.ids.size() != 3 || clause.sizes.size() != 3)
    return parser.emitError(loc) << "'" << keyword << "' names three ids and three sizes, but found "
                                 << clause.ids.size() << " ids and " << clause.sizes.size() << " sizes";
  return success();
}

ParseResult LaunchOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  Type chainType;
  SmallVector<UnresolvedOperand> chains;
  LaunchClause grid, block;
  if (parseChains(parser, chainType, chains) || parseLaunchClause(parser, "blocks", grid) ||
      parseLaunchClause(parser, "threads", block))
    return failure();

  UnresolvedOperand sharedSize;
  bool hasSharedSize = succeeded(parser.parseOptionalKeyword("dynamic_shared_memory_size"));
  if (hasSharedSize && parser.parseOperand(sharedSize))
    return failure();

  Type indexType = builder.getIndexType();
  if (parser.resolveOperands(chains, ChainType::get(parser.getContext()), result.operands) ||
      parser.resolveOperands(grid.values, indexType, result.operands) ||
      parser.resolveOperands(block.values, indexType, result.operands) ||
      (hasSharedSize && parser.resolveOperand(sharedSize, builder.getI32Type(), result.operands)))
    return failure();
  result.getOrAddProperties<Properties>().operandSegmentSizes = {
      static_cast<int32_t>(chains.size()), 1, 1, 1, 1, 1, 1, hasSharedSize ? 1 : 0};
  if (chainType)
    result.addTypes(chainType);

  SmallVector<OpAsmParser::Argument, kNumConfigRegionArguments> arguments;
  for (auto &list : {grid.ids, block.ids, grid.sizes, block.sizes})
    llvm::append_range(arguments, list);
  for (OpAsmParser::Argument &argument : arguments)
    argument.type = indexType;
  return failure(parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
                 parser.parseRegion(*result.addRegion(), arguments));
}

static void printLaunchClause(OpAsmPrinter &printer, StringRef keyword, ValueRange ids, ValueRange sizes,
                              ValueRange values) {
  printer << ' ' << keyword << '(' << ids << ") in (";
  llvm::interleaveComma(llvm::zip_equal(sizes, values), printer,
                        [&](auto size) { printer << std::get<0>(size) << " = " << std::get<1>(size); });
  printer << ')';
}

void LaunchOp::print(OpAsmPrinter &printer) {
  printChains(printer, *this, getChain() ? getChain().getType() : Type(), getChains());
  ValueRange arguments = getBody().getArguments();
  printLaunchClause(printer, "blocks", arguments.slice(0, 3), arguments.slice(6, 3), getGridSizes());
  printLaunchClause(printer, "threads", arguments.slice(3, 3), arguments.slice(9, 3), getBlockSizes());
  if (Value size = getDynamicSharedMemorySize())
    printer << " dynamic_shared_memory_size " << size;
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), getOperandSegmentSizesAttrName().getValue());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}
