# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# For tests that are scripts and run programs in ${WORK}, which is emptied first.
#   run(CODE PROGRAM ARGUMENT...)   fails on another exit code; the output is then in `output`
#   expect(TEXT WHAT...)            fails unless the text matches each of these regular expressions
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
function(run code)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} OUTPUT_VARIABLE output ERROR_VARIABLE error RESULT_VARIABLE found)
  if(NOT found EQUAL code)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: exit code ${found}, expected ${code}\n${output}${error}")
  endif()
  set(output "${output}${error}" PARENT_SCOPE)
endfunction()
function(expect text)
  foreach(what IN LISTS ARGN)
    if(NOT text MATCHES "${what}")
      message(FATAL_ERROR "expected ${what} in\n${text}")
    endif()
  endforeach()
endfunction()
