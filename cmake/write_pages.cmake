# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DPROGRAM=<trellis> [-DRUN=<emulator>] -DPAGES=<folder> -P write_pages.cmake
# Writes <folder>/man1/*.1 and trellis.bash, .zsh, .fish.
function(trellis)
  execute_process(COMMAND ${RUN} ${PROGRAM} ${ARGN} OUTPUT_VARIABLE output RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${PROGRAM} ${ARGN}: exit code ${code}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${PAGES}/man1)
file(MAKE_DIRECTORY ${PAGES}/man1)
trellis(man --directory ${PAGES}/man1)
foreach(shell bash zsh fish)
  trellis(completions ${shell})
  file(WRITE ${PAGES}/trellis.${shell} "${output}")
endforeach()
file(TOUCH ${PAGES}/written)
