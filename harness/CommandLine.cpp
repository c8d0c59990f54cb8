// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/CommandLine.h"

#include "harness/DoctorCommand.h"
#include "harness/EmitCommand.h"
#include "harness/HelpText.h"
#include "harness/Interrupt.h"
#include "harness/ListCommand.h"
#include "harness/Lowerings.h"
#include "harness/ReportCommand.h"
#include "harness/RunCommand.h"
#include "harness/Schedule.h"
#include "harness/Worker.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace lockstep::harness;
namespace cl = llvm::cl;

namespace {

struct RunFlags {
  cl::SubCommand command{"run", "Run programs and judge them"};
  cl::OptionCategory category{"Options of run"};
  cl::list<std::string> inputs{cl::Positional, cl::desc("[FILE.mlir|DIR|SCENARIO|SUITE]..."), cl::sub(command),
                               cl::cat(category)};
  cl::opt<std::string> lowering{"lowering",
                                cl::desc("Lowerings: serial, streams, graph, capture, upstream (MLIR's own), or "
                                         "[LABEL=]pipeline:builtin.module(PASS,...) (default: all but upstream)"),
                                cl::value_desc("LIST"),
                                cl::init(defaultLowerings()),
                                cl::sub(command),
                                cl::cat(category)};
  cl::list<std::string> passPlugins{"load-pass-plugin",
                                    cl::desc("Load passes for pipelines from a plugin of MLIR; may be given again"),
                                    cl::value_desc("FILE"), cl::sub(command), cl::cat(category)};
  cl::opt<std::string> backend{"backend", cl::desc("Backends: cuda, hip (default: both)"), cl::value_desc("LIST"),
                               cl::sub(command), cl::cat(category)};
  cl::opt<std::string> driver{
      "driver",
      cl::desc("Driver library: sim (simulated), real (the vendor's), or a path (default: sim)"),
      cl::value_desc("sim|real|PATH"),
      cl::init("sim"),
      cl::sub(command),
      cl::cat(category)};
  cl::opt<std::string> schedule{
      "schedule",
      cl::desc("Schedules of the simulated driver: eager, lazy, parallel, random:COUNT[:SEED] with seeds SEED, SEED+1, "
               "... (default: eager,lazy,random:5)"),
      cl::value_desc("LIST"),
      cl::init(kDefaultSchedules.str()),
      cl::sub(command),
      cl::cat(category)};
  cl::opt<std::string> jobs{"jobs", cl::desc("Number of worker processes (default: one each core)"),
                            cl::value_desc("N"), cl::sub(command), cl::cat(category)};
  cl::opt<std::string> timeout{"timeout",
                               cl::desc("Time limit for each cell, in seconds (default: 60)"),
                               cl::value_desc("SECONDS"),
                               cl::init("60"),
                               cl::sub(command),
                               cl::cat(category)};
  cl::opt<std::string> out{"out", cl::desc("Write the results, reports of them, and the programs' output to DIR"),
                           cl::value_desc("DIR"), cl::sub(command), cl::cat(category)};
  cl::opt<std::string> filter{"filter", cl::desc("Take only programs whose name matches"), cl::value_desc("GLOB"),
                              cl::sub(command), cl::cat(category)};
  cl::opt<std::string> shard{"shard",
                             cl::desc("Take part I of N of the work"),
                             cl::value_desc("I/N"),
                             cl::init("1/1"),
                             cl::sub(command),
                             cl::cat(category)};
  cl::opt<bool> failFast{"fail-fast", cl::desc("Stop at the first cell that does not pass"), cl::sub(command),
                         cl::cat(category)};
  cl::opt<bool> showOutput{"show-output", cl::desc("Print the output of every cell, not only of failing ones"),
                           cl::sub(command), cl::cat(category)};
};

struct ListFlags {
  cl::SubCommand command{"list", "List programs and what judges them"};
  cl::OptionCategory category{"Options of list"};
  cl::list<std::string> inputs{cl::Positional, cl::desc("[FILE.mlir|DIR|SCENARIO|SUITE]..."), cl::sub(command),
                               cl::cat(category)};
  cl::opt<std::string> filter{"filter", cl::desc("Take only programs whose name matches"), cl::value_desc("GLOB"),
                              cl::sub(command), cl::cat(category)};
  cl::opt<bool> families{"families", cl::desc("List the families of scenarios instead"), cl::sub(command),
                         cl::cat(category)};
};

struct EmitFlags {
  cl::SubCommand command{"emit", "Print a program at a stage of its way"};
  cl::OptionCategory category{"Options of emit"};
  cl::opt<std::string> input{cl::Positional, cl::desc("FILE.mlir|SCENARIO"), cl::sub(command), cl::cat(category)};
  cl::opt<std::string> stage{"stage", cl::desc("agpu, gpu, lowered, llvm, isa, dot, or svg"), cl::value_desc("STAGE"),
                             cl::sub(command), cl::cat(category)};
  cl::opt<std::string> lowering{"lowering",
                                cl::desc("Lowering: serial, streams, graph, capture or upstream (default: streams)"),
                                cl::value_desc("NAME"),
                                cl::init("streams"),
                                cl::sub(command),
                                cl::cat(category)};
  cl::opt<std::string> backend{"backend",
                               cl::desc("Backend whose kernels are made: cuda or hip (default: cuda)"),
                               cl::value_desc("NAME"),
                               cl::init("cuda"),
                               cl::sub(command),
                               cl::cat(category)};
  cl::opt<std::string> output{"o",
                              cl::desc("Write to FILE (default: standard output)"),
                              cl::value_desc("FILE"),
                              cl::init("-"),
                              cl::sub(command),
                              cl::cat(category)};
};

struct DoctorFlags {
  cl::SubCommand command{"doctor", "Say what this machine has and what it lacks"};
};

struct ReportFlags {
  cl::SubCommand command{"report", "Make a report of results, or of the shards of a run"};
  cl::OptionCategory category{"Options of report"};
  cl::list<std::string> files{cl::Positional, cl::desc("results.json..."), cl::sub(command), cl::cat(category)};
  cl::opt<std::string> out{"out", cl::desc("Write the report to DIR"), cl::value_desc("DIR"), cl::sub(command),
                           cl::cat(category)};
};

struct Flags {
  RunFlags run;
  ListFlags list;
  EmitFlags emit;
  DoctorFlags doctor;
  ReportFlags report;
};

} // namespace

static void printVersion(llvm::raw_ostream &stream) {
  stream << "lockstep " << LOCKSTEP_VERSION << " (LLVM " << LLVM_VERSION_STRING << ")\n";
}

/// LLVM's parser writes "lockstep: MESSAGE  Try: …" and a suggestion on a second line: one line, in our form.
static std::string oneLine(llvm::StringRef text) {
  std::string line;
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : words) {
    part.consume_front("lockstep: ");
    llvm::SmallVector<llvm::StringRef> pieces;
    part.split(pieces, "  ", -1, /*KeepEmpty=*/false);
    for (llvm::StringRef piece : pieces)
      line += (" " + piece.trim()).str();
  }
  return llvm::StringRef(line).ltrim().str();
}

/// About eleven days. More is a slip of the pen, and the next thing to it, "inf", no time limit at all.
static constexpr unsigned kTimeoutSecondsMax = 1000000;

/// How the user spelt this program: as the launcher was called where it started us, else as we were.
static std::string spelling(const char *self) {
  const char *launcher = std::getenv("LOCKSTEP_COMMAND");
  std::string text = launcher && *launcher ? launcher : self;
  // For us alone: whatever a worker starts was not started by the launcher.
  unsetenv("LOCKSTEP_COMMAND");
  return text;
}

static ExitStatus run(Flags &flags, std::vector<std::string> commandLine, const OpenResultsOutput &openOutput) {
  RunFlags &given = flags.run;
  RunOptions options;
  options.program = commandLine.front();
  options.inputs = given.inputs;
  options.lowerings = given.lowering;
  options.passPlugins = given.passPlugins;
  options.backends = given.backend;
  options.driver = given.driver;
  options.schedules = given.schedule;
  if (!given.jobs.empty() && (llvm::StringRef(given.jobs).getAsInteger(10, options.jobs) || options.jobs == 0))
    return reportError(usageError("--jobs '" + given.jobs + "': expected a number of processes, 1 or more"));
  if (llvm::StringRef(given.timeout).getAsDouble(options.timeoutSeconds) || !(options.timeoutSeconds > 0) ||
      !(options.timeoutSeconds <= kTimeoutSecondsMax))
    return reportError(usageError("--timeout '" + given.timeout + "': expected a number of seconds above 0, at most " +
                                  llvm::Twine(kTimeoutSecondsMax)));
  options.outputDirectory = given.out;
  options.filter = given.filter;
  options.shard = given.shard;
  options.failFast = given.failFast;
  options.showOutput = given.showOutput;
  options.commandLine = std::move(commandLine);
  return runCommand(options, openOutput);
}

static ExitStatus dispatch(Flags &flags, std::vector<std::string> commandLine, const OpenResultsOutput &openOutput,
                           const RebuildReport &rebuildReport) {
  if (flags.run.command)
    return run(flags, std::move(commandLine), openOutput);
  if (flags.list.command)
    return flags.list.families ? listFamilies() : listCommand(flags.list.inputs, flags.list.filter);
  if (flags.emit.command)
    return emitCommand(
        {flags.emit.input, flags.emit.stage, flags.emit.lowering, flags.emit.backend, flags.emit.output});
  if (flags.doctor.command)
    return doctorCommand();
  if (flags.report.command)
    return reportCommand(std::vector<std::string>(flags.report.files), flags.report.out, rebuildReport);
  return reportError(usageError("no command; try 'lockstep --help'"));
}

/// LLVM ends the process with "LLVM ERROR" where standard output could not be written: one line in our form instead. A
/// reader that has seen enough (`| head -1`) is no fault.
static ExitStatus finishOutput(ExitStatus status) {
  llvm::outs().flush();
  std::error_code code = llvm::outs().error();
  llvm::outs().clear_error();
  if (!code || code == std::errc::broken_pipe)
    return status;
  return reportError(environmentError("cannot write to standard output: " + code.message()));
}

int lockstep::harness::runCommandLine(int argumentCount, char **arguments, const OpenResultsOutput &openOutput,
                                      const RebuildReport &rebuildReport) {
  // A worker is started by this program alone, so it is no command of the user's. It sets no signal handlers: a crash
  // must end it with the signal, at once.
  if (argumentCount > 1 && llvm::StringRef(arguments[1]) == "worker")
    return runWorker();
  IgnoredSignals ignored;
  llvm::InitLLVM init(argumentCount, arguments);
  ignored.restore();
  Flags flags;
  // LLVM's library brings hundreds of options of its own; none has a meaning here.
  cl::OptionCategory none("");
  cl::HideUnrelatedOptions(none);
  cl::SetVersionPrinter(printVersion);
  // The parser takes the program's name from here; the path of the binary is of no use in a message.
  std::string name = "lockstep";
  std::vector<const char *> words = {name.c_str()};
  words.insert(words.end(), arguments + 1, arguments + argumentCount);
  std::string errors;
  llvm::raw_string_ostream errorStream(errors);
  if (!cl::ParseCommandLineOptions(words.size(), words.data(), helpOverview(argumentCount > 1 ? arguments[1] : ""),
                                   &errorStream))
    // An option without its value is reported by LLVM itself, in one line.
    return errors.empty() ? kExitUsage : reportError(usageError(oneLine(errors)));
  std::vector<std::string> commandLine(words.begin(), words.end());
  commandLine.front() = spelling(arguments[0]);
  return finishOutput(dispatch(flags, std::move(commandLine), openOutput, rebuildReport));
}
