// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/HelpText.h"

using llvm::StringRef;

static constexpr StringRef kTool = R"(Lockstep runs asynchronous GPU programs written in MLIR and judges them.

A program is lowered in several ways and run under many schedules of a simulated GPU,
or on a real one. Each combination is a cell; a cell passes where the program's
expectations hold and nothing forbidden happened.

EXAMPLES:
  lockstep run                          the suite 'quick', default schedules
  lockstep run my.mlir                  one program
  lockstep run 'forkjoin(width=8)'      one generated scenario
  lockstep emit my.mlir --stage dot     the order that a program asks for, as a graph
  lockstep doctor                       what this machine has and what it lacks

EXIT STATUS:
  0  as expected            2  wrong usage or unreadable input
  1  findings               3  the environment lacks something (driver, device, tool)

'lockstep COMMAND --help' explains a command.
)";

static constexpr StringRef kRun = R"(Runs programs and judges them.

An input is a program (FILE.mlir with a function 'main'), a folder of programs (folders named
'test' or 'Inputs', and hidden ones, are left out), a scenario that is generated, such as
'forkjoin(width=8,depth=3)' (see 'list --families') or dot:FILE with a kernel for each node, or
a suite: a name such as 'quick' or 'full', or a FILE.yaml. Without any, the suite 'quick' is
run. Every combination of program, lowering, backend and schedule is a cell. Cells run in worker
processes, so that a crash or hang costs only its cell.

A program is judged by its agpu.expect operations; one without any, by comparing what it
prints with what it prints under 'serial' and 'eager'. Whatever the simulated driver or
the runtime library complains about is a finding too.

The lowering 'upstream' is MLIR's own, as a subject to be tested; 'pipeline:builtin.module(...)'
is a pass pipeline of yours, from the program in agpu form to the LLVM dialect.

What a program prints is shown where a single cell runs and for failing cells; --out
keeps it for all.

EXAMPLES:
  lockstep run suites/seeds
  lockstep run my.mlir --lowering streams --schedule eager,lazy,random:20
  lockstep run my.mlir --lowering streams --schedule random:1:7     replays seed 7
  lockstep run full --jobs 8 --out results --shard 1/4
  lockstep run quick --filter tag:random
  lockstep run my.mlir --lowering serial,upstream
  lockstep run my.mlir --lowering 'pipeline:builtin.module(my-pass,lockstep-lower)' --load-pass-plugin my.so
  lockstep run my.mlir --driver real

EXIT STATUS:
  0  every cell passed      2  wrong usage or unreadable input; nothing ran
  1  findings               3  the environment lacks something (driver, device, tool)
  130, 143, 129  ended by SIGINT, SIGTERM, SIGHUP; the results are partial
)";

static constexpr StringRef kList =
    R"(Lists the programs that 'run' would take, with the name that --filter sees, and what judges each. With
--families, the families of scenarios that can be generated, with their parameters.

EXAMPLES:
  lockstep list
  lockstep list suites/seeds --filter '*upstream*'
  lockstep list --families

EXIT STATUS: 0, or 2 where an input cannot be read
)";

static constexpr StringRef kEmit = R"(Prints a program at a stage of its way.

STAGES:
  agpu     after import: every device operation in the agpu dialect, kernels outlined,
           chains that others imply removed
  gpu      in upstream's gpu dialect with async tokens, as 'upstream' lowers it
  lowered  after the lowering: calls of the runtime library, kernels as bitcode
  llvm     the host part as LLVM IR
  isa      the kernels as assembly of the device (PTX, or AMD's with --backend hip)
  dot      the order that the program asks for: one Graphviz graph with a cluster a function
  svg      the same, drawn

EXAMPLES:
  lockstep emit my.mlir --stage lowered --lowering streams
  lockstep emit my.mlir --stage svg -o my.svg

EXIT STATUS: 0; 2 wrong usage or unreadable input; 1 where the program cannot be lowered
)";

static constexpr StringRef kDoctor =
    R"(Says what this machine has and what it lacks: versions, driver libraries and where they were
found, devices, ptxas; for what is missing, what it is good for and how to get it.

EXAMPLES:
  lockstep doctor

EXIT STATUS: 0, or 3 where not even the simulated driver can be used
)";

static constexpr StringRef kReport = R"(Makes a report of results that 'run --out DIR' wrote.

Each file is the results.json of a run. Several are the shards of one run: their report is
the one that a single run over everything would have written. A cell that stands in two of
them, or shards of different runs, are an error.

EXAMPLES:
  lockstep report results/results.json --out report
  lockstep report shard-*/results.json --out report

EXIT STATUS: 0, whatever the verdicts; 2 where a file is no results, or they do not fit
)";

StringRef lockstep::harness::helpOverview(StringRef command) {
  if (command == "run")
    return kRun;
  if (command == "list")
    return kList;
  if (command == "emit")
    return kEmit;
  if (command == "doctor")
    return kDoctor;
  if (command == "report")
    return kReport;
  return kTool;
}
