// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mgpu C ABI: what a lowered program calls. A backend is a shared library that exports every function named in
// Symbols.def, with the semantics written here; nothing in this header depends on a vendor, on LLVM or on MLIR.
//
// Rules for all functions (labels: docs/parts/runtime-abi.md)
// - Thread safe, but for mgpuReset. The library makes its context current on the calling thread for the call and
//   restores the thread's own.
// - Nothing blocks on device work except the functions whose name says Synchronize, mgpuReset,
//   mgpuTensorMapEncodeTiledMemref, and a copy or fill where the driver documents that it may (async-semantics 5.3).
// - Errors (STATUS-1 to STATUS-6). The first failure is kept in a record (MgpuStatus). Until the next mgpuReset later
//   calls are refused: they do nothing, give null or zero, and waits return at once (mgpuEventQuery gives true, so
//   that a program that polls comes to its end). With policy kMgpuPolicyExit (the default) the first failure prints
//   one line on standard error and ends the process with status 1, without running atexit handlers.
// - Handles are checked (ABI-3 to ABI-6): a stream where an event belongs, a destroyed handle, one that this library
//   did not give out, and a null stream are failures that name the function, the argument and the kinds, before the
//   driver sees anything. A null stream would mean the legacy stream to the driver; only mgpuMemAlloc and mgpuMemFree
//   accept it, and then mean "now, not in stream order".
// - Empty work (a size or count of zero, an empty shape) checks its handles and then does nothing.
//
// Single functions
// - mgpuMemAlloc, mgpuMemFree: in stream order (ABI-7). Size 0 gives null without an error; freeing null does
//   nothing. Host-shared memory may be used by the host at once, and is really freed at some later call once the
//   stream's work before the free has completed.
// - mgpuMemcpyStrided and mgpuMemcpyMemRef (ABI-8): sizes and strides as in a memref, strides count elements and may
//   be negative, a source stride may be 0. Source and destination may overlap: the result is as if all were read
//   first. A destination stride of 0 is refused. mgpuMemcpy's two ranges must not overlap.
// - mgpuMemset…: `value`'s low element_bytes bytes (1, 2, 4, 8) go to every element.
// - mgpuMemHostRegisterMemRef registers the bytes from the first to the last element, the gaps of a strided one
//   included.
// - mgpuLaunchHostFunc (ABI-10) copies the argument bytes, aligned for any type, and frees them after the call.
// - mgpuStreamPoolAcquire, mgpuEventPoolAcquire (ABI-9): an object of the default device, created only where the pool
//   has none free. An acquired event has one user; Retain adds `count`, Release takes one off, and with none left the
//   event returns to the pool. Retain and Release of null do nothing, because a complete chain is null. A pooled
//   object must not be destroyed, nor used after its release.
// - mgpuStreamWaitChain, mgpuChainSynchronize: like the event functions; null is a chain that is complete.
// - mgpuTensorMapEncodeTiledMemref: the result lives until mgpuReset (ABI-11).
// - mgpuSetDefaultDevice (ABI-14): for later calls of all threads; streams and events stay with the device of their
//   creation.
// - mgpuInitialize loads the driver; it, mgpuDriverInfo and mgpuStatusGet return the MgpuStatusKind of the record.
//   mgpuDriverInfo's version and device name live until the thread's next mgpuDriverInfo.
// - mgpuReset (ABI-16): destroys what the library owns (pooled streams and events, tensor maps, pending host calls
//   and deferred frees, after waiting for the device where one is pending), forgets all handles and the record, goes
//   back to device 0; keeps policy, recorder and driver. What the program itself created and did not release stays in
//   the driver, to be found as a leak. Handles of before are refused afterwards. Must not run at the same time as any
//   other call. With a simulated driver: first mgpuReset, then lockstepSimFinish (leaks), then lockstepSimReset. A
//   driver library is loaded anew only where LOCKSTEP_CUDA_DRIVER has changed.
//
// Graphs (GRAPHABI-1 to GRAPHABI-12)
// - A slot is a pointer variable of the program, null at the start, one for each program point that launches a graph.
//   Only the library reads what it holds; no other value may be written to it. Each time control passes, the program
//   calls mgpuGraphBegin, one Add for each operation in program order, and mgpuGraphLaunch. The library compares what
//   is added with what it launched last from that slot: equal nodes cost nothing but the launch, changed parameters
//   are set in the executable graph, and only a changed shape (kinds, number of nodes, dependencies), or a change that
//   the driver refuses, makes a new executable graph.
// - An Add returns the node's number, 0, 1, 2, … in the order of the calls, for the dependency lists of later Adds of
//   the same graph; -1 once something failed. `dependencies` may be null where the count is 0; a number may be in it
//   twice. A node that depends on nothing starts behind the work that the launch's stream has then, as does the graph.
// - Everything is copied at the Add: dependency list, kernel arguments (`param_bytes` gives the size of each), argument
//   bytes of a host function. Host-call arguments live until every launch that uses them has completed.
// - Empty work (size or count 0, a null event to wait for, null memory to free) becomes an empty node, so that numbers
//   do not depend on sizes. Where one operation needs several driver nodes, its number stands for all of them.
// - mgpuGraphAddEventRecordNode, …WaitNode: the record captures what comes before it in the graph at each launch; the
//   wait is for what the event holds when it is reached.
// - mgpuGraphAddMemAllocNode writes the address at once; the memory may be used by nodes of this graph behind the
//   node, and by anything ordered behind the launch. Size 0 gives null. The memory is freed by a free node of this or
//   of a later graph, or by mgpuMemFree on a stream. Memory that a free node of the same graph frees has the same
//   address in each execution while its size stays. All allocations take place at the start of the launch, in stream
//   order.
// - mgpuGraphLaunch closes the graph, whose handle is refused afterwards. Between Begin and Launch the slot is locked:
//   another thread that begins it waits, so that no wait for the device and no call of unknown code may stand there. A
//   second Begin on the same thread is refused.
// - mgpuGraphCaptureBegin, mgpuGraphCaptureLaunch: the same with what the stream's calls in between record, by the
//   same thread and in the driver's thread-local mode. Streams that joined must have been waited for by `stream`.
//   In between, calls that wait, query or load are refused by the driver; allocation and free of host-shared memory
//   and the pools may be used, and graphs of other slots be built and launched: they become part of the capture.
//   Whatever failed in between, Launch ends the capture.
// - mgpuGraphRelease gives the slot's objects back and sets it to null; null in it: nothing to do. Launches in flight
//   complete. mgpuReset releases all slots; a slot that holds what a reset released is as good as null.
// - A failure while nodes are set up names the op that mgpuSetOp gave at the Add. After a failure the slot is empty.

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

/// A graph between its Begin and its Launch.
typedef struct MgpuGraphOpaque *MgpuGraph;

/// What mgpuLaunchHostFunc and a host node run. Gets a copy of the argument bytes; must not call mgpu functions.
typedef void (*MgpuHostFunction)(void *argument);

/// MLIR's ranked memref descriptor with the element type left out (StridedMemRefType<char, rank>): the offset, sizes
/// and strides count elements. `shape` holds rank sizes, then rank strides.
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

/// One driver call as a recorder sees it. Arguments are in call order; pointers are shown as integers. A pointer to a
/// structure (cuMemcpy3DAsync, cuGraphAddMemsetNode, …) is followed by the structure's fields, in the vendor's order,
/// reserved handles included, in `after` with what the driver wrote. A list of graph nodes comes as address, length,
/// and then its elements.
typedef struct MgpuCallRecord {
  const char *call;          ///< "cuStreamWaitEvent".
  const char *op;            ///< What mgpuSetOp last named on this thread, or "".
  const uint64_t *arguments; ///< argument_count values: handles, addresses, sizes, flags.
  int32_t argument_count;
  int32_t code;      ///< Result; meaningful in `after` only.
  uint64_t thread;   ///< A small number given to each thread at its first call.
  uint64_t sequence; ///< Position in the order in which recorded calls began, without gaps.
  uint64_t output;   ///< The handle or address that the call produced, 0 where none; in `after` only.
} MgpuCallRecord;

/// Sees every driver call of the wrapper but look-ups of an error's name and text, the version query at load,
/// and mgpuReset's wait for the device. Both callbacks may be null. They run on the calling thread, possibly on several
/// threads at once, and must not call mgpu functions. `before` may return a nonzero code: the driver is then not called
/// and the code stands for its result (fault injection). mgpuSetRecorder copies the structure; null removes it. A call
/// in flight on another thread finishes with the recorder that it began with.
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
