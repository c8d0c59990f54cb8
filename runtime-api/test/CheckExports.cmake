# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# cmake -DLIBRARY=… -DTABLE=… -DNM=… -DREADELF=… -P CheckExports.cmake
# Fails unless the dynamic symbols that LIBRARY defines are exactly the names in TABLE, and unless all that it needs is
# the C and C++ runtime (and the sanitizers', in such a build).

file(STRINGS ${TABLE} rows REGEX "^MGPU_SYMBOL\\(")
set(wanted)
foreach(row IN LISTS rows)
  string(REGEX REPLACE "^MGPU_SYMBOL\\([^,]*, *([A-Za-z0-9]+),.*" "\\1" name "${row}")
  list(APPEND wanted ${name})
endforeach()
list(LENGTH wanted wanted_count)
if(wanted_count LESS 40)
  message(FATAL_ERROR "only ${wanted_count} names read from ${TABLE}")
endif()

execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[0-9a-f]+ [A-Za-z] [^\n]+" lines "${output}")
set(exported)
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^[0-9a-f]+ [A-Za-z] " "" name "${line}")
  list(APPEND exported ${name})
endforeach()

set(missing ${wanted})
list(REMOVE_ITEM missing ${exported})
set(extra ${exported})
list(REMOVE_ITEM extra ${wanted})
if(missing OR extra)
  message(FATAL_ERROR "${LIBRARY}: not exported: ${missing}; exported but not in the table: ${extra}")
endif()

execute_process(COMMAND ${READELF} -d ${LIBRARY} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "NEEDED[^\n]*\\[[^]]+\\]" lines "${output}")
foreach(line IN LISTS lines)
  string(REGEX REPLACE ".*\\[([^]]+)\\].*" "\\1" name "${line}")
  if(NOT name MATCHES "^(libc|libm|libdl|libpthread|libstdc\\+\\+|libgcc_s|ld-linux[-_a-z0-9]*|lib[atu][a-z]*san)\\.so")
    message(FATAL_ERROR "${LIBRARY} needs ${name}")
  endif()
endforeach()
