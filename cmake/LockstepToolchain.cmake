# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Finds LLVM, MLIR and the test libraries, and sets the compiler flags that every target shares.

set(LOCKSTEP_LLVM_VERSION 22)
set(LOCKSTEP_SANITIZER "" CACHE STRING "Value for -fsanitize=, empty for none")

# The packaged MLIR is built by Clang, and MLIR identifies op traits by the compiler's spelling of a type name. GCC
# spells it otherwise: then "is this op a terminator?" is answered no. Clang also reads the precompiled header of MLIR
# ten times as fast as GCC does (docs/PERFORMANCE.md).
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS ${LOCKSTEP_LLVM_VERSION})
  message(FATAL_ERROR "clang++-${LOCKSTEP_LLVM_VERSION} is needed, found ${CMAKE_CXX_COMPILER_ID} "
                      "${CMAKE_CXX_COMPILER_VERSION}: run cmake --preset ci, which names it")
endif()

if(NOT MLIR_DIR)
  find_program(LOCKSTEP_LLVM_CONFIG llvm-config-${LOCKSTEP_LLVM_VERSION})
  if(NOT LOCKSTEP_LLVM_CONFIG)
    message(FATAL_ERROR "llvm-config-${LOCKSTEP_LLVM_VERSION} not found: install llvm-${LOCKSTEP_LLVM_VERSION}-dev and "
                        "libmlir-${LOCKSTEP_LLVM_VERSION}-dev, or set MLIR_DIR")
  endif()
  execute_process(COMMAND ${LOCKSTEP_LLVM_CONFIG} --prefix OUTPUT_VARIABLE LOCKSTEP_LLVM_PREFIX
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  list(PREPEND CMAKE_PREFIX_PATH ${LOCKSTEP_LLVM_PREFIX})
endif()
# MLIR's package file names no version, so LLVM's is the one to check.
find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL LOCKSTEP_LLVM_VERSION)
  message(FATAL_ERROR "LLVM ${LOCKSTEP_LLVM_VERSION} is needed, found ${LLVM_VERSION} in ${LLVM_DIR}")
endif()
set(LOCKSTEP_LLVM_TOOLS_DIR ${LLVM_TOOLS_BINARY_DIR})
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

find_package(Threads REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
# The system's Python first: a version manager's shim costs a tenth of a second at every start.
if(NOT Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# Debian's packages are built with RTTI and without exceptions; anything that derives from an LLVM class must agree.
add_compile_options(-Wall -Wextra -Wno-unused-parameter -fno-exceptions)
if(LLVM_ENABLE_RTTI)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-frtti>)
else()
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()
# Assertions guard programmer errors in every build: this is a test tool.
add_compile_options(-UNDEBUG)
add_compile_definitions(__STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS _GNU_SOURCE)

if(LOCKSTEP_SANITIZER)
  # What is found fails the test. Calls through pointers of another type are not looked at: a library that is loaded at
  # run time has its own declarations, and code that is compiled at run time has no description of its type before it.
  add_compile_options(-fsanitize=${LOCKSTEP_SANITIZER} -fno-sanitize=function -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${LOCKSTEP_SANITIZER})
endif()

find_program(LOCKSTEP_CCACHE ccache)
if(LOCKSTEP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers need the sloppiness and a header file without a time stamp.
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${LOCKSTEP_CCACHE})
endif()

find_program(LOCKSTEP_LLD ld.lld-${LOCKSTEP_LLVM_VERSION})
if(LOCKSTEP_LLD)
  add_link_options(-fuse-ld=lld)
endif()
