// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers that every test parses anyway. A source file must still include what it uses.

#ifndef LOCKSTEP_CMAKE_TEST_PCH_H
#define LOCKSTEP_CMAKE_TEST_PCH_H

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#endif // LOCKSTEP_CMAKE_TEST_PCH_H
