# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DPROGRAM=<file> -DARGUMENTS=<words> -DMESSAGE=<regex> -P wrong_option_test.cmake
# The program must refuse the arguments: exit code 2, nothing on stdout, and one line on stderr that matches the regex.
cmake_minimum_required(VERSION 3.25)
separate_arguments(ARGUMENTS)
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} OUTPUT_VARIABLE output ERROR_VARIABLE error RESULT_VARIABLE code)
if(NOT code EQUAL 2 OR NOT output STREQUAL "" OR NOT error MATCHES "^[a-z_]+: error: [^\n]*${MESSAGE}[^\n]*\n$")
  message(FATAL_ERROR "${PROGRAM} ${ARGUMENTS}: exit code ${code}, '${output}', '${error}'")
endif()
