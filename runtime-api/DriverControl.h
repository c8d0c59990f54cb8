// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control surface that a simulated driver library exports beside the vendor's API, so that a harness can choose a
// schedule, start afresh between two runs, and collect what the simulator found. A vendor's library exports none of
// these; a caller looks each up with dlsym and takes their absence as "this driver is real".
//
// C ABI. All functions are thread safe unless stated. Strings passed in are copied; strings handed out live until the
// next lockstepSimReset. Nothing here blocks on device work except lockstepSimReset.

#ifndef LOCKSTEP_RUNTIME_API_DRIVERCONTROL_H
#define LOCKSTEP_RUNTIME_API_DRIVERCONTROL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this header; lockstepSimInterfaceVersion returns the one that the library was built with.
#define LOCKSTEP_SIM_INTERFACE_VERSION 1

/// One thing that the program under test did and must not do, or relied on and must not rely on.
typedef struct LockstepSimFinding {
  const char *oracle;  ///< Which judge: "lifetime", "errors", "memory", "order", "leak".
  const char *rule;    ///< Label of the rule broken, as in docs/SPEC.md ("EVENT-7"), or "" where the rule has none.
  const char *call;    ///< The driver call that was wrong ("cuStreamWaitEvent"), or "" at exit.
  const char *message; ///< One line for a person, without the call's name in front.
  const char *op;      ///< Text last given to lockstepSimSetOp by the calling thread, or "".
} LockstepSimFinding;

typedef uint32_t (*LockstepSimInterfaceVersionFn)(void);

/// Drops the whole state of the simulated machine (contexts, modules, memory, queued work, findings, trace) and starts
/// a new one. `config` is a list "key=value;key=value"; keys: `schedule` (eager | lazy | random:SEED |
/// parallel[:THREADS]), `memory_limit_bytes`, `device_count`. Keys left out take the value of the environment variable
/// LOCKSTEP_SIM_<KEY in capitals>, then the default (eager, 1 GiB, 1). Handles of before the reset are stale afterwards
/// and are reported as such. Returns null, or one line saying what is wrong with `config`; then nothing was changed.
/// Must not run at the same time as any other driver call.
typedef const char *(*LockstepSimResetFn)(const char *config);

/// Ends the run as the exit of a process would: runs nothing more, and adds a finding "leak" where work is still queued
/// or running, and for each stream, event, module, graph and allocation that the program created and did not release.
/// Returns the number of findings so far.
typedef size_t (*LockstepSimFinishFn)(void);

typedef size_t (*LockstepSimFindingCountFn)(void);
/// Fills `*finding` with finding `index`, in the order of their discovery. Returns 0, or 1 where there is none.
typedef int (*LockstepSimFindingFn)(size_t index, LockstepSimFinding *finding);

/// Names the program's op on whose behalf this thread calls the driver from now on ("async.mlir:12:9 memcpy"). Shown in
/// findings and in the trace. Null clears it.
typedef void (*LockstepSimSetOpFn)(const char *op);

/// Lets the `callCount`-th driver call from now that needs a working context (1: the next one) give back the vendor's
/// code `result`, as the failure of work queued earlier: the call does nothing else, and what the code takes down is
/// down from then on (docs/spec/device-rules.md, ERROR-1; a code that takes nothing down fails that call alone). No
/// finding: the program did nothing wrong. One injection at a time, a later one replaces it. Returns 0, or 1 where an
/// argument is 0.
typedef int (*LockstepSimInjectFailureFn)(uint32_t result, uint64_t callCount);

/// A hash of everything that ran so far, in the order in which it ran: the same program, schedule and seed give the
/// same hash in every process, whatever addresses the memory got.
typedef uint64_t (*LockstepSimTraceHashFn)(void);

/// Writes what ran so far, one line an operation, to `path`. Returns 0, or errno.
typedef int (*LockstepSimTraceWriteFn)(const char *path);

#define LOCKSTEP_SIM_INTERFACE_VERSION_SYMBOL "lockstepSimInterfaceVersion"
#define LOCKSTEP_SIM_RESET_SYMBOL "lockstepSimReset"
#define LOCKSTEP_SIM_FINISH_SYMBOL "lockstepSimFinish"
#define LOCKSTEP_SIM_FINDING_COUNT_SYMBOL "lockstepSimFindingCount"
#define LOCKSTEP_SIM_FINDING_SYMBOL "lockstepSimFinding"
#define LOCKSTEP_SIM_SET_OP_SYMBOL "lockstepSimSetOp"
#define LOCKSTEP_SIM_INJECT_FAILURE_SYMBOL "lockstepSimInjectFailure"
#define LOCKSTEP_SIM_TRACE_HASH_SYMBOL "lockstepSimTraceHash"
#define LOCKSTEP_SIM_TRACE_WRITE_SYMBOL "lockstepSimTraceWrite"

#ifdef __cplusplus
} // extern "C"
#endif

#endif // LOCKSTEP_RUNTIME_API_DRIVERCONTROL_H
