// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers that most tests of targets with LLVM parse anyway. A source file must still include what it uses.

#ifndef LOCKSTEP_CMAKE_TEST_LLVMPCH_H
#define LOCKSTEP_CMAKE_TEST_LLVMPCH_H

#include "cmake/LLVMPch.h"
#include "cmake/test/Pch.h"

#endif // LOCKSTEP_CMAKE_TEST_LLVMPCH_H
