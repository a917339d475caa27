# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# Checks first what a machine must have to build Trellis: one line that says what to do, instead of pages of errors
# later.

if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 11)
    OR (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16))
  message(FATAL_ERROR "${CMAKE_CXX_COMPILER} is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}; Trellis needs g++ 11 or "
    "clang 16: install one (Debian 12: g++, or clang-16) and say which with -DCMAKE_CXX_COMPILER=")
endif()

# Free disk space in MiB where the build goes; empty if df does not say. The whole tree with its tests takes half a GB.
execute_process(COMMAND df -Pm ${CMAKE_BINARY_DIR} OUTPUT_VARIABLE _free ERROR_QUIET)
if(_free MATCHES "\n[^\n]* ([0-9]+) +[0-9]+%")
  set(_free ${CMAKE_MATCH_1})
  if(_free LESS 500)
    message(FATAL_ERROR "${CMAKE_BINARY_DIR}: ${_free} MiB are free on this disk, and a build needs up to 3 GB: make room, or build elsewhere (-B)")
  elseif(_free LESS 3000)
    message(NOTICE "Note: ${_free} MiB are free on this disk, and a build with all tests needs up to 3 GB")
  endif()
endif()

cmake_host_system_information(RESULT _memory QUERY AVAILABLE_PHYSICAL_MEMORY)
cmake_host_system_information(RESULT _cores QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR _jobs "${_memory} / 2048")
if(_memory GREATER 0 AND _jobs LESS _cores)
  if(_jobs LESS 1)
    set(_jobs 1)
  endif()
  message(NOTICE "Note: ${_memory} MiB of memory are free, and a compiler takes up to 2 GB: build with -j${_jobs}")
endif()

# trellis_find(<Debian package> <arguments of find_package>...)
# Remembers what is not found, so that trellis_found_all() can name it all at once.
set(TRELLIS_MISSING "")
set(TRELLIS_MISSING_PACKAGES "")
macro(trellis_find package name)
  find_package(${name} ${ARGN} QUIET)
  if(NOT ${name}_FOUND)
    list(APPEND TRELLIS_MISSING ${name})
    list(APPEND TRELLIS_MISSING_PACKAGES ${package})
  endif()
endmacro()

function(trellis_found_all)
  if(TRELLIS_MISSING)
    list(JOIN TRELLIS_MISSING ", " names)
    list(JOIN TRELLIS_MISSING_PACKAGES " " packages)
    message(FATAL_ERROR "not found: ${names} (Debian: apt-get install ${packages}; scripts/install-dependencies.sh installs all)")
  endif()
endfunction()
