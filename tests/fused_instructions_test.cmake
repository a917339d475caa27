# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DPROGRAM=<file> -DOBJDUMP=<program> -P fused_instructions_test.cmake
# Fails if the program has instructions that fuse a b - c and e f + g in neighbouring lanes. No source asks for them: GCC's
# vectoriser makes them of loops over complex numbers, in spite of -ffp-contract=off, and then processors that have them
# get other bits than those that do not.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${OBJDUMP} -d -C --no-show-raw-insn ${PROGRAM}
  COMMAND grep -E "^[0-9a-f]+ <.*>:$|vfm(addsub|subadd)"
  COMMAND grep -B 1 -E "vfm(addsub|subadd)"
  OUTPUT_VARIABLE found RESULTS_VARIABLE results)
list(GET results 0 disassembled)
list(GET results 1 any_function)
if(NOT disassembled EQUAL 0 OR NOT any_function EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} could not be disassembled")
endif()
if(found)
  message(FATAL_ERROR "${found}take sums of complex products apart into real and imaginary ones")
endif()
