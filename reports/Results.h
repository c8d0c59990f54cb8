// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of one run as values: what results.json holds (schema lockstep-results/1, see reports/ResultSchema.md).
// Plain data without behaviour but names; owned by whoever holds it; no thread safety of its own.

#ifndef LOCKSTEP_REPORTS_RESULTS_H
#define LOCKSTEP_REPORTS_RESULTS_H

#include "reports/CellPictures.h"

#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::reports {

inline constexpr llvm::StringLiteral kResultsSchema = "lockstep-results/1";

/// How a cell ended.
enum class Verdict { Pass, Fail, Error, Crash, Timeout, Skip, XFail, XPass };

inline constexpr std::array<Verdict, 8> kAllVerdicts = {Verdict::Pass,  Verdict::Fail,    Verdict::Error,
                                                        Verdict::Crash, Verdict::Timeout, Verdict::Skip,
                                                        Verdict::XFail, Verdict::XPass};

/// The word that stands for a verdict in results.json and on the terminal.
llvm::StringRef verdictName(Verdict verdict);
std::optional<Verdict> verdictFromName(llvm::StringRef name);

/// What a verdict says about a cell, in words for a stranger; no full stop.
llvm::StringRef verdictMeaning(Verdict verdict);

/// True for the verdicts that make a run end with status 1.
bool isUnexpected(Verdict verdict);

struct Finding {
  std::string oracle;           ///< Which judge: "values", "order", "lifetime", "errors", …
  std::string rule;             ///< Label of the broken rule in docs/SPEC.md, or "".
  std::string message;          ///< One line or more for a person.
  std::vector<std::string> ops; ///< The ops or driver calls concerned.
  std::string repro;            ///< The command that shows this finding alone.
};

struct Metric {
  double value = 0;
  std::string unit;
  std::vector<double> samples;
};

struct CellResult {
  std::string scenario;
  std::string lowering;
  std::string backend;
  std::string driver;
  std::string schedule;         ///< "eager", "lazy", "random", "parallel"; "-" where the driver takes none.
  std::optional<uint64_t> seed; ///< Set for the schedule "random" only.
  Verdict verdict = Verdict::Skip;
  std::string reason; ///< In one line why the verdict is not pass; for pass "", or what was not judged.
  std::vector<Finding> findings;
  std::map<std::string, Metric> metrics;
  double durationMs = 0;
  std::string repro = {};                ///< The command that runs this cell alone; each finding carries it too.
  std::optional<CellGraph> graph = {};   ///< Of cells whose order was judged and found wanting; may be absent.
  std::optional<Timeline> timeline = {}; ///< Of failing cells, where the run was recorded; may be absent.
};

struct DriverDescription {
  std::string backend;
  std::string driver; ///< As given to --driver.
  std::string path;
  std::string version;
  bool simulated = false;
};

struct DeviceDescription {
  std::string backend;
  std::string driver;
  int64_t index = 0;
  std::string name;
};

struct GitDescription {
  std::string sha;
  bool dirty = false;
};

struct HostDescription {
  std::string name;
  std::string system; ///< Kernel name and release.
  std::string architecture;
  std::string cpu;
  int64_t cores = 0;
};

struct RunDescription {
  std::string id;
  std::string started;   ///< ISO 8601, UTC.
  double durationMs = 0; ///< From start to end by the wall clock.
  std::string command;   ///< Quoted so that a shell takes it back.
  std::optional<uint64_t> seed;
  std::optional<GitDescription> git; ///< Absent where the sources are no git checkout.
  HostDescription host;
  std::vector<DriverDescription> drivers;
  std::vector<DeviceDescription> devices;
};

struct Results {
  RunDescription run;
  std::vector<CellResult> cells;
};

/// "suites_seeds_async.mlir/cuda-streams-random-7": for files about this cell; signs become '_'. Cells whose names
/// differ in signs only, or that differ in their driver only, have the same stem.
std::string fileStem(const CellResult &cell);

/// Number of cells with `verdict`.
size_t countVerdict(const Results &results, Verdict verdict);

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_RESULTS_H
