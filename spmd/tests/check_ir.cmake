# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# Runs the plugin on TEST and FileCheck on its output, remarks and errors included. Lines of the test may specify:
#   ; REFUSED             the plugin must end with an error
#   ; OPTIONS: <options>  of opt, instead of -passes=trellis-spmd
file(STRINGS ${TEST} refused REGEX "^; REFUSED")
file(STRINGS ${TEST} options REGEX "^; OPTIONS: ")
string(REPLACE "; OPTIONS: " "" options "${options}")
if(NOT options)
  set(options -passes=trellis-spmd)
endif()
separate_arguments(options UNIX_COMMAND "${options}")
execute_process(COMMAND ${OPT} -load-pass-plugin=${PLUGIN} ${options} -S ${TEST} -o -
  RESULT_VARIABLE result OUTPUT_VARIABLE ir ERROR_VARIABLE messages)
if((refused AND result EQUAL 0) OR (NOT refused AND NOT result EQUAL 0))
  message(FATAL_ERROR "opt ended with ${result}\n${messages}")
endif()
string(RANDOM LENGTH 12 unique)
set(file ${CMAKE_CURRENT_BINARY_DIR}/ir.${unique}.txt)
file(WRITE ${file} "${messages}\n${ir}")
execute_process(COMMAND ${FILECHECK} ${TEST} --input-file=${file} RESULT_VARIABLE result ERROR_VARIABLE errors)
file(REMOVE ${file})
if(NOT result EQUAL 0)
  message(FATAL_ERROR "FileCheck:\n${errors}\n${messages}\n${ir}")
endif()
