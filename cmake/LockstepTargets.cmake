# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The few ways in which this project declares targets and tests. Every test carries the label `quick` or `slow`.

# One precompiled header serves every target that includes MLIR: parsing MLIR's headers is most of their compile time.
set(LOCKSTEP_PCH_DIR ${CMAKE_BINARY_DIR}/cmake/pch)
file(WRITE ${LOCKSTEP_PCH_DIR}/anchor.cpp.in "// Holds the precompiled header of the MLIR targets.\n")
configure_file(${LOCKSTEP_PCH_DIR}/anchor.cpp.in ${LOCKSTEP_PCH_DIR}/anchor.cpp COPYONLY)
add_library(LockstepMLIRPch STATIC ${LOCKSTEP_PCH_DIR}/anchor.cpp)
target_include_directories(LockstepMLIRPch SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_precompile_headers(LockstepMLIRPch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/MLIRPch.h)

# lockstep_add_library(NAME [SHARED] [MLIR] SOURCES … [LINK …] [DEPENDS …])
# A static library whose headers are included by their path from the root ("dialect/AgpuOps.h").
# MLIR: links the shared MLIR and LLVM libraries and uses the precompiled header.
function(lockstep_add_library name)
  cmake_parse_arguments(ARG "SHARED;MLIR" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  if(ARG_SHARED)
    add_library(${name} SHARED ${ARG_SOURCES})
  else()
    add_library(${name} STATIC ${ARG_SOURCES})
  endif()
  lockstep_configure_target(${name} "${ARG_MLIR}" "${ARG_LINK}" "${ARG_DEPENDS}")
endfunction()

# lockstep_add_executable(NAME [MLIR] SOURCES … [LINK …] [DEPENDS …])
function(lockstep_add_executable name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  lockstep_configure_target(${name} "${ARG_MLIR}" "${ARG_LINK}" "${ARG_DEPENDS}")
endfunction()

function(lockstep_configure_target name use_mlir link depends)
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  target_link_libraries(${name} PUBLIC ${link})
  if(use_mlir)
    target_include_directories(${name} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
    target_link_libraries(${name} PUBLIC MLIR LLVM)
    # The header was compiled with -fPIC; a file that uses it must be too, so no -fPIE for executables.
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIC)
    target_precompile_headers(${name} REUSE_FROM LockstepMLIRPch)
  endif()
  if(depends)
    add_dependencies(${name} ${depends})
  endif()
endfunction()

# lockstep_tablegen(TARGET TD OUTPUT… where each OUTPUT is "file.inc|-gen-option[|-option…]")
# Runs mlir-tblgen on TD of this folder; TARGET is what users of the outputs depend on.
function(lockstep_tablegen target td)
  set(outputs)
  file(GLOB inputs CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.td ${CMAKE_SOURCE_DIR}/dialect/*.td)
  foreach(spec IN LISTS ARGN)
    string(REPLACE "|" ";" parts "${spec}")
    list(POP_FRONT parts file)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${file})
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${LOCKSTEP_LLVM_TOOLS_DIR}/mlir-tblgen ${parts} -I ${CMAKE_SOURCE_DIR} -I ${CMAKE_CURRENT_SOURCE_DIR}
              -I ${MLIR_INCLUDE_DIRS} ${CMAKE_CURRENT_SOURCE_DIR}/${td} -o ${output}
      DEPENDS ${inputs}
      COMMENT "Generating ${file}" VERBATIM)
    list(APPEND outputs ${output})
  endforeach()
  add_custom_target(${target} DEPENDS ${outputs})
endfunction()

# lockstep_add_gtest(NAME quick|slow [MLIR] SOURCES … [LINK …] [DEPENDS …] [ENVIRONMENT …])
# One GoogleTest binary, registered with CTest as a single test called NAME.
function(lockstep_add_gtest name label)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK;DEPENDS;ENVIRONMENT" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  lockstep_configure_target(${name} "${ARG_MLIR}" "${ARG_LINK};GTest::gmock;GTest::gtest_main" "${ARG_DEPENDS}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test)
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  lockstep_label_test(${name} ${label})
  if(ARG_ENVIRONMENT)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${ARG_ENVIRONMENT}")
  endif()
endfunction()

function(lockstep_label_test name label)
  if(NOT label MATCHES "^(quick|slow)$")
    message(FATAL_ERROR "test ${name}: label must be quick or slow, not '${label}'")
  endif()
  set_tests_properties(${name} PROPERTIES LABELS ${label})
endfunction()

# lockstep_add_lit_suite(NAME quick|slow DIR [DEPENDS …])
# All *.mlir and *.test files below DIR, run by lit with the shared configuration in cmake/lit.cfg.py.
function(lockstep_add_lit_suite name label dir)
  set(exec_root ${CMAKE_BINARY_DIR}/lit/${name})
  set(LOCKSTEP_LIT_NAME ${name})
  set(LOCKSTEP_LIT_SOURCE_ROOT ${dir})
  set(LOCKSTEP_LIT_EXEC_ROOT ${exec_root})
  configure_file(${CMAKE_SOURCE_DIR}/cmake/lit.site.cfg.py.in ${exec_root}/lit.site.cfg.py @ONLY)
  add_test(NAME ${name} COMMAND ${LOCKSTEP_LLVM_TOOLS_DIR}/lit --succinct --order=lexical ${exec_root})
  lockstep_label_test(${name} ${label})
endfunction()

# lockstep_add_product_target()
# The target `product`: every program and shared library but those of the tests, which is what ./lockstep builds.
# Called once, after the last add_subdirectory.
function(lockstep_add_product_target)
  lockstep_collect_product(${CMAKE_SOURCE_DIR} products)
  add_custom_target(product)
  if(products)
    add_dependencies(product ${products})
  endif()
endfunction()

function(lockstep_collect_product dir result)
  set(found)
  get_property(targets DIRECTORY ${dir} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(output_dir ${target} RUNTIME_OUTPUT_DIRECTORY)
    if(type MATCHES "^(EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY)$"
       AND NOT output_dir STREQUAL "${CMAKE_BINARY_DIR}/test")
      list(APPEND found ${target})
    endif()
  endforeach()
  get_property(subdirs DIRECTORY ${dir} PROPERTY SUBDIRECTORIES)
  list(FILTER subdirs EXCLUDE REGEX "/test$")
  foreach(subdir IN LISTS subdirs)
    lockstep_collect_product(${subdir} below)
    list(APPEND found ${below})
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()
