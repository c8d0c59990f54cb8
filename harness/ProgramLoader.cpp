// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/ProgramLoader.h"

#include "dialect/AgpuDialect.h"
#include "dialect/AgpuOps.h"
#include "harness/DriverCalls.h"
#include "harness/ExitStatus.h"
#include "harness/order/OrderJudge.h"
#include "harness/scenario/ProgramBuilder.h"
#include "harness/scenario/Source.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace lockstep::harness;

std::unique_ptr<mlir::MLIRContext> lockstep::harness::createProgramContext() {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  registry.insert<lockstep::agpu::AgpuDialect>();
  auto context = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  // A message with its place says enough; the operation in its generic form would drown it.
  context->printOpOnDiagnostic(false);
  return context;
}

static void printPlace(mlir::Location location, llvm::raw_ostream &stream) {
  if (auto place = location->findInstanceOf<mlir::FileLineColLoc>())
    stream << place.getFilename().getValue() << ':' << place.getLine() << ':' << place.getColumn() << ": ";
}

/// Upstream's advice is about a flag that Lockstep does not have, and its list of dialects fills a screen.
static bool isAboutRegistration(llvm::StringRef note) { return note.starts_with("Available dialects:"); }

static std::string messageText(const mlir::Diagnostic &diagnostic) {
  std::string text = llvm::StringRef(diagnostic.str()).rtrim().str();
  if (size_t advice = text.find(". If this is intended, please"); advice != std::string::npos)
    text.resize(advice);
  return text;
}

DiagnosticText::DiagnosticText(mlir::MLIRContext &context) : context(context) {
  handler = context.getDiagEngine().registerHandler([this](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error || !text.empty())
      return;
    llvm::raw_string_ostream stream(text);
    printPlace(diagnostic.getLocation(), stream);
    stream << "error: " << messageText(diagnostic);
    for (mlir::Diagnostic &note : diagnostic.getNotes()) {
      if (isAboutRegistration(note.str()))
        continue;
      stream << '\n';
      printPlace(note.getLocation(), stream);
      stream << "note: " << note;
    }
  });
}

DiagnosticText::~DiagnosticText() { context.getDiagEngine().eraseHandler(handler); }

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> lockstep::harness::loadProgram(mlir::MLIRContext &context,
                                                                                 llvm::StringRef path) {
  if (lockstep::scenario::looksLikeScenario(path)) {
    llvm::Expected<lockstep::scenario::NamedDag> made = lockstep::scenario::makeScenario(path);
    if (!made)
      return made.takeError();
    return lockstep::scenario::buildProgram(context, made->dag);
  }
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return usageError(path + ":1:1: error: cannot read the file: " + file.getError().message());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  DiagnosticText diagnostics(context);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  if (module)
    return module;
  llvm::StringRef message = diagnostics.firstError();
  return usageError(message.empty() ? path + ":1:1: error: not a program" : llvm::Twine(message));
}

static constexpr llvm::StringLiteral kExpectFindings = "agpu.expect_findings";
static constexpr llvm::StringLiteral kExpectAtMost = "agpu.expect_at_most";

static llvm::Error attributeError(mlir::ModuleOp module, llvm::StringRef name, const llvm::Twine &problem) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  printPlace(module.getLoc(), stream);
  stream << "error: attribute '" << name << "': " << problem;
  return usageError(message);
}

static llvm::Expected<ExpectedFinding> readExpectedFinding(mlir::ModuleOp module, mlir::Attribute entry) {
  ExpectedFinding expected;
  const std::pair<llvm::StringRef, std::string *> fields[] = {{"name", &expected.name},
                                                              {"lowering", &expected.lowering},
                                                              {"oracle", &expected.oracle},
                                                              {"message", &expected.message},
                                                              {"schedule", &expected.schedule}};
  auto dictionary = llvm::dyn_cast<mlir::DictionaryAttr>(entry);
  if (!dictionary)
    return attributeError(module, kExpectFindings, "expected dictionaries");
  for (mlir::NamedAttribute attribute : dictionary) {
    llvm::StringRef key = attribute.getName();
    const auto *field = llvm::find_if(fields, [&](const auto &known) { return known.first == key; });
    auto text = llvm::dyn_cast<mlir::StringAttr>(attribute.getValue());
    if (field == std::end(fields) || !text)
      return attributeError(module, kExpectFindings,
                            "'" + key + "' is none of the texts name, lowering, oracle, message, schedule");
    llvm::Expected<llvm::GlobPattern> pattern = llvm::GlobPattern::create(text);
    if (!pattern)
      return attributeError(module, kExpectFindings,
                            "'" + text.getValue() + "': " + llvm::toString(pattern.takeError()));
    *field->second = text.str();
  }
  for (auto [key, value] : fields)
    if (value->empty())
      return attributeError(module, kExpectFindings, "an entry has no '" + key + "'");
  return expected;
}

static llvm::Error readMetricLimits(mlir::ModuleOp module, MetricLimits &limits) {
  mlir::Attribute attribute = module->getAttr(kExpectAtMost);
  if (!attribute)
    return llvm::Error::success();
  auto dictionary = llvm::dyn_cast<mlir::DictionaryAttr>(attribute);
  if (!dictionary)
    return attributeError(module, kExpectAtMost, "expected a dictionary of metrics");
  auto known = driverCallMetrics({{"", 1}}, /*namedOps=*/1);
  known.merge(orderMetrics(OrderCounts()));
  for (mlir::NamedAttribute entry : dictionary) {
    auto limit = llvm::dyn_cast<mlir::IntegerAttr>(entry.getValue());
    if (!limit || !known.contains(entry.getName().str()))
      return attributeError(module, kExpectAtMost, "'" + entry.getName().getValue() + "' is no metric with an integer");
    limits[entry.getName().str()] = limit.getInt();
  }
  return llvm::Error::success();
}

static llvm::Error readExpectedFindings(mlir::ModuleOp module, std::vector<ExpectedFinding> &findings) {
  mlir::Attribute attribute = module->getAttr(kExpectFindings);
  if (!attribute)
    return llvm::Error::success();
  auto entries = llvm::dyn_cast<mlir::ArrayAttr>(attribute);
  if (!entries)
    return attributeError(module, kExpectFindings, "expected an array of dictionaries");
  for (mlir::Attribute entry : entries) {
    llvm::Expected<ExpectedFinding> finding = readExpectedFinding(module, entry);
    if (!finding)
      return finding.takeError();
    findings.push_back(std::move(*finding));
  }
  return llvm::Error::success();
}

llvm::Expected<ProgramFacts> lockstep::harness::inspectProgram(mlir::ModuleOp module, llvm::StringRef path) {
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  if (!main || main.isExternal())
    return usageError(path + ":1:1: error: the program has no function 'main': expected func.func @main()");
  mlir::FunctionType type = main.getFunctionType();
  bool hasStatus = type.getNumResults() == 1 && type.getResult(0).isSignlessInteger(32);
  if (type.getNumInputs() != 0 || (type.getNumResults() != 0 && !hasStatus)) {
    std::string message;
    llvm::raw_string_ostream stream(message);
    printPlace(main.getLoc(), stream);
    stream << "error: 'main' must take nothing and return nothing or an i32, but has type " << type;
    return usageError(message);
  }
  ProgramFacts facts;
  facts.mainReturnsStatus = hasStatus;
  if (llvm::Error error = readExpectedFindings(module, facts.expectedFindings))
    return error;
  if (llvm::Error error = readMetricLimits(module, facts.metricLimits))
    return error;
  module.walk([&](lockstep::agpu::ExpectOp) { ++facts.expectationCount; });
  return facts;
}

static llvm::Expected<ProgramFacts> checkProgram(mlir::MLIRContext &context, llvm::StringRef path) {
  auto module = loadProgram(context, path);
  if (!module)
    return module.takeError();
  return inspectProgram(**module, path);
}

llvm::Expected<std::vector<ProgramFacts>> lockstep::harness::checkPrograms(llvm::ArrayRef<std::string> paths) {
  std::unique_ptr<mlir::MLIRContext> context = createProgramContext();
  std::vector<ProgramFacts> facts;
  llvm::Error errors = llvm::Error::success();
  for (const std::string &path : paths) {
    llvm::Expected<ProgramFacts> found = checkProgram(*context, path);
    if (found)
      facts.push_back(*found);
    else
      errors = llvm::joinErrors(std::move(errors), found.takeError());
  }
  if (errors)
    return errors;
  return facts;
}
