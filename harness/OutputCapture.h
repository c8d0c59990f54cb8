// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_OUTPUTCAPTURE_H
#define LOCKSTEP_HARNESS_OUTPUTCAPTURE_H

#include <string>

namespace lockstep::harness {

/// The program under test writes to this process's standard output and error, which its parent made files in memory.
/// Between cells they are emptied.
void clearCapturedOutput();

/// Flushes the C and C++ streams and gives what the two files hold.
void takeCapturedOutput(std::string &output, std::string &errorOutput);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_OUTPUTCAPTURE_H
