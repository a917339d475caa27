# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DLAUNCHER=<trellis_launcher> -DWORK=<scratch folder> [-DQEMU=<qemu-x86_64>] -P launcher_test.cmake
# The program `trellis` of a portable build, with scripts instead of the programs that it starts: which one it becomes on
# which processor, that it passes on everything, and what it says if there is nothing to start.
cmake_minimum_required(VERSION 3.25)

# expect(<code> <regex of the output> [<words of env and command>...])
function(expect wanted regex)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=TRELLIS_ISA ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE error
    RESULT_VARIABLE code)
  string(REGEX REPLACE "[^\n]*warning: TCG doesn't support[^\n]*\n" "" error "${error}")
  string(APPEND output "${error}")
  if(NOT code STREQUAL wanted OR NOT output MATCHES "^${regex}\n$")
    message(FATAL_ERROR "${ARGN}: exit code ${code}, expected ${wanted}; this does not match '${regex}':\n${output}")
  endif()
endfunction()

function(stand_in isa)
  set(file "${tree}/lib/trellis/${isa}/trellis")
  file(WRITE ${file} "#!/bin/sh\n[ \"$1\" = die ] && kill -TERM $$\necho ${isa} $# \"$2\" $PASSED $$\nexit 40\n")
  file(CHMOD ${file} PERMISSIONS OWNER_READ OWNER_EXECUTE)
endfunction()

file(REMOVE_RECURSE ${WORK})
set(tree "${WORK}/a tree that was moved")
foreach(isa x86-64-v2 x86-64-v3 x86-64-v4)
  stand_in(${isa})
endforeach()
file(COPY_FILE ${LAUNCHER} "${WORK}/launcher")
file(MAKE_DIRECTORY "${tree}/bin")
file(RENAME "${WORK}/launcher" "${tree}/bin/trellis")
set(trellis "${tree}/bin/trellis")

# The best for this processor, as the installed CMake package determines it from what the kernel says.
set(_trellis_isas x86-64-v2 x86-64-v3 x86-64-v4)
set(TRELLIS_ISA "")
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/TrellisIsa.cmake)
expect(40 "${_trellis_isa} 3 a b handed-on [0-9]+" PASSED=handed-on ${trellis} x "a b" y)

# The same process, which ends as the program does. Started under another name.
expect(0 "143" sh -c "exec 2>/dev/null && \"$0\" die || echo $?" ${trellis})
execute_process(COMMAND sh -c "\"$0\" x & wait $!; echo $!" ${trellis} OUTPUT_VARIABLE output)
if(NOT output MATCHES " ([0-9]+)\n([0-9]+)\n$" OR NOT CMAKE_MATCH_1 STREQUAL CMAKE_MATCH_2)
  message(FATAL_ERROR "the program is not the process that was started:\n${output}")
endif()
file(CREATE_LINK ${trellis} ${WORK}/link SYMBOLIC)
expect(40 "${_trellis_isa} 0 .*" ${WORK}/link)

set(all "x86-64-v2, x86-64-v3, x86-64-v4")
expect(40 "x86-64-v2 0 .*" TRELLIS_ISA=x86-64-v2 ${trellis})
expect(40 "x86-64-v2 0 .*" TRELLIS_ISA=v2 ${trellis})
expect(40 "${_trellis_isa} 0 .*" TRELLIS_ISA= ${trellis})
foreach(wrong v1 v5 x86-64 avx2 v22 native)
  expect(2 "trellis: error: TRELLIS_ISA is '${wrong}'; this program has ${all}" TRELLIS_ISA=${wrong} ${trellis})
endforeach()

if(QEMU)
  set(old "trellis: error: this processor is older than x86-64-v2 [^\n]*")
  expect(1 "${old}" ${QEMU} -cpu qemu64 ${trellis})
  expect(1 "${old}" ${QEMU} -cpu Conroe ${trellis})
  expect(1 "${old}" TRELLIS_ISA=v2 ${QEMU} -cpu Conroe ${trellis})
  expect(40 "x86-64-v2 1 .*" ${QEMU} -cpu Nehalem ${trellis} x)
  expect(40 "x86-64-v2 1 .*" ${QEMU} -cpu SandyBridge ${trellis} x)  # AVX alone
  expect(40 "x86-64-v3 1 .*" ${QEMU} -cpu Haswell ${trellis} x)
  expect(40 "x86-64-v2 1 .*" ${QEMU} -cpu Haswell,-xsave ${trellis} x)  # AVX registers that the system does not save
  expect(40 "x86-64-v2 1 .*" ${QEMU} -cpu Haswell,-movbe ${trellis} x)
  expect(2 "trellis: error: TRELLIS_ISA is 'v4', which this processor cannot run; it can run x86-64-v2, x86-64-v3"
    TRELLIS_ISA=v4 ${QEMU} -cpu Haswell ${trellis})
  file(REMOVE_RECURSE "${tree}/lib/trellis/x86-64-v3")
  expect(40 "x86-64-v2 0 .*" ${QEMU} -cpu Haswell ${trellis})
  expect(2 "trellis: error: TRELLIS_ISA is 'v3'; this program has x86-64-v2, x86-64-v4" TRELLIS_ISA=v3 ${trellis})
else()
  message("no qemu-x86_64 here (Debian: qemu-user): processors other than this one are not tested")
endif()
file(REMOVE_RECURSE "${tree}/lib")
expect(1 "trellis: error: there is no program for this processor in [^\n]*/lib/trellis: build or install Trellis again" ${trellis})
