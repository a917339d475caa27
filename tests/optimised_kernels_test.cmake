# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DOBJECTS=<file> -DNM=<program> -P optimised_kernels_test.cmake
# Fails if one of the object files listed in OBJECTS, which are optimised only a little (trellis_room), contains a loop over
# tiles: a kernel from a header whose source file KERNELS does not name, so that it would run several times slower.
cmake_minimum_required(VERSION 3.25)

file(STRINGS ${OBJECTS} objects REGEX "[.]o(bj)?$")  # without precompiled headers
set(looked 0)
set(offenders 0)
foreach(object IN LISTS objects)
  if(NOT EXISTS ${object})
    continue()
  endif()
  math(EXPR looked "${looked} + 1")
  execute_process(COMMAND ${NM} ${object} OUTPUT_VARIABLE symbols ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
  if(symbols MATCHES "[WTt] (_ZN7trellis7backend[0-9]+(loop_over_(tiles|batches|joined_parts)|add_of_(tiles|vectors))[^\n]*)")
    math(EXPR offenders "${offenders} + 1")
    message("${object}: ${CMAKE_MATCH_1}")
  endif()
endforeach()
if(looked EQUAL 0)
  message(FATAL_ERROR "none of the objects in ${OBJECTS} exists")
endif()
message("${looked} objects, ${offenders} with kernels that are not optimised")
if(offenders GREATER 0)
  message(FATAL_ERROR "name their sources in KERNELS of their trellis_room()")
endif()
