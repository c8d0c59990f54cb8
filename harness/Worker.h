// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_WORKER_H
#define LOCKSTEP_HARNESS_WORKER_H

namespace lockstep::harness {

/// The main function of a worker process: answers requests (harness/WorkerProtocol.h) until the parent closes the pipe
/// or ends. Gives the status to exit with.
int runWorker();

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_WORKER_H
