// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mgpu C ABI: what a lowered program calls. A backend is a shared library that exports every function named in
// Symbols.def, with the semantics written here; nothing in this header depends on a vendor, on LLVM or on MLIR.
//
// Rules for all functions
// - Thread safe. The library makes its context current on the calling thread for the call and restores the thread's own.
// - Nothing blocks on device work except the functions whose name says Synchronize, and a copy or fill where the driver
//   documents that it may (async-semantics 5.3).
// - Errors (STATUS-1..4 in docs/SPEC.md). The first driver call that fails is kept in a record (MgpuStatus). Until the
//   next mgpuReset later calls are refused: they do nothing, give null or zero, and waits return at once. With policy
//   kMgpuPolicyExit (the default) the first failure prints one line on standard error and ends the process with status 1.
// - Handles are checked: a stream where an event belongs, a destroyed handle, and a null stream are failures that name
//   the function and the kind of handle. A null stream never reaches the driver, where it would mean the legacy stream;
//   only mgpuMemAlloc and mgpuMemFree accept it, and then mean "now, not in stream order".

#ifndef LOCKSTEP_RUNTIME_API_MGPU_H
#define LOCKSTEP_RUNTIME_API_MGPU_H

#include <stddef.h>
#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct MgpuModuleOpaque *MgpuModule;
typedef struct MgpuFunctionOpaque *MgpuFunction;
typedef struct MgpuStreamOpaque *MgpuStream;
typedef struct MgpuEventOpaque *MgpuEvent;

/// What mgpuLaunchHostFunc runs in stream order. Gets a copy of the argument bytes; must not call mgpu functions.
typedef void (*MgpuHostFunction)(void *argument);

/// MLIR's ranked memref descriptor with the element type left out (StridedMemRefType<char, rank>): the offset, sizes and
/// strides count elements. `shape` holds rank sizes, then rank strides.
typedef struct MgpuMemRef {
  char *allocated;
  char *aligned;
  int64_t offset;
  int64_t shape[];
} MgpuMemRef;

enum MgpuPolicy {
  kMgpuPolicyExit = 0,   ///< Print one line and exit(1) at the first failure.
  kMgpuPolicyRecord = 1, ///< Keep the record and refuse later calls; the caller decides.
};

/// What kind of failure a record describes. The first four are faults of the environment, not of the program.
enum MgpuStatusKind {
  kMgpuStatusOk = 0,
  kMgpuStatusNoLibrary = 1,     ///< The driver library could not be loaded.
  kMgpuStatusNoSymbol = 2,      ///< It lacks a symbol that the wrapper cannot do without.
  kMgpuStatusNoDevice = 3,      ///< It reports no device.
  kMgpuStatusDriverTooOld = 4,  ///< Its version is below the wrapper's minimum.
  kMgpuStatusDriverError = 5,   ///< A driver call returned an error.
  kMgpuStatusInvalidHandle = 6, ///< The wrapper refused a handle before the driver saw it.
  kMgpuStatusInvalidValue = 7,  ///< The wrapper refused another argument.
};

/// The record of the first failure since the last mgpuReset. Strings live until the next mgpuReset; none is null.
typedef struct MgpuStatus {
  int32_t kind;          ///< MgpuStatusKind.
  int32_t code;          ///< The driver's error code, 0 where no driver call failed.
  const char *function;  ///< The mgpu function that failed: "mgpuMemcpy".
  const char *call;      ///< The driver call: "cuMemcpyAsync", or "".
  const char *code_name; ///< "CUDA_ERROR_INVALID_VALUE", or "".
  const char *code_text; ///< The driver's own description, or "".
  const char *op;        ///< What mgpuSetOp last named on that thread, or "".
  const char *message;   ///< One line for a person that contains all of the above.
} MgpuStatus;

typedef struct MgpuDriverInfo {
  const char *backend;      ///< "cuda" or "hip".
  const char *library_path; ///< Where the driver library was found.
  const char *version;      ///< "13.0".
  const char *device_name;  ///< Of the default device.
  int32_t device_count;
  int32_t is_simulated; ///< 1 where the library exports the control surface of DriverControl.h.
} MgpuDriverInfo;

/// One driver call as a recorder sees it. Arguments are in call order; pointers are shown as integers.
typedef struct MgpuCallRecord {
  const char *call;          ///< "cuStreamWaitEvent".
  const char *op;            ///< What mgpuSetOp last named on this thread, or "".
  const uint64_t *arguments; ///< argument_count values: handles, addresses, sizes, flags.
  int32_t argument_count;
  int32_t code;         ///< Result; meaningful in `after` only.
  uint64_t thread;      ///< A small number given to each thread at its first call.
  uint64_t sequence;    ///< Position in the total order of calls of this process.
  uint64_t output;      ///< The handle or address that the call produced, 0 where none; in `after` only.
} MgpuCallRecord;

/// Sees every driver call of the wrapper. Both callbacks may be null. They run on the calling thread, possibly on several
/// threads at once, and must not call mgpu functions. `before` may return a nonzero code: the driver is then not called
/// and the code stands for its result (fault injection).
typedef struct MgpuRecorder {
  void *context;
  int32_t (*before)(void *context, const MgpuCallRecord *record);
  void (*after)(void *context, const MgpuCallRecord *record);
} MgpuRecorder;

/// Exported whatever the visibility that a backend is built with.
#define MGPU_API __attribute__((visibility("default")))
#define MGPU_SYMBOL(RESULT, NAME, PARAMETERS) MGPU_API RESULT NAME PARAMETERS;
#include "runtime-api/Symbols.def"

#ifdef __cplusplus
} // extern "C"
#endif

#endif // LOCKSTEP_RUNTIME_API_MGPU_H
