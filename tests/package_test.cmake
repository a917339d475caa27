# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DBUILD=<build folder> -DSOURCE=<root> -DWORK=<scratch folder> -DCOMPILER=<c++> -P package_test.cmake
# Does what the README and the tutorial tell a user of the library to do: installs Trellis, takes the README's own
# program and its CMakeLists.txt, builds them against the installed package, runs the program on a shipped
# configuration, and expects that configuration's plaquette. Likewise examples/own_observable, and the tutorial's
# project, with its heat program (the tutorial's other programs are compared with its text by tutorial_test.cmake).
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/fenced_block.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tutorial_blocks.cmake)

function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE error RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: exit code ${code}\n${output}${error}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -DPAGE=${SOURCE}/README.md -DFOLDER=${WORK}/plaquette -P ${CMAKE_CURRENT_LIST_DIR}/readme_program.cmake)
run(${CMAKE_COMMAND} -S ${WORK}/plaquette -B ${WORK}/plaquette/build -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/prefix
  -DCMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --build ${WORK}/plaquette/build)
run(${WORK}/plaquette/build/plaquette ${SOURCE}/tests/data/milc/lat.sample.l8888)
if(NOT output MATCHES "plaquette 0\\.59356024043")
  message(FATAL_ERROR "the README's program printed '${output}', not the plaquette 0.59356024043")
endif()

run(${CMAKE_COMMAND} -S ${SOURCE}/examples/own_observable -B ${WORK}/own_observable -G Ninja
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --build ${WORK}/own_observable)
run(${WORK}/own_observable/own_observable measure --help)
if(NOT output MATCHES "link_trace +average of Re tr U")
  message(FATAL_ERROR "examples/own_observable does not know its observable:\n${output}")
endif()

tutorial_blocks(${SOURCE}/docs/tutorial.md)
foreach(name IN LISTS programs)
  file(WRITE ${WORK}/tutorial/${name}.cpp "${source_${name}}")
endforeach()
file(WRITE ${WORK}/tutorial/CMakeLists.txt "${project}")
run(${CMAKE_COMMAND} -S ${WORK}/tutorial -B ${WORK}/tutorial/build -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/prefix
  -DCMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --build ${WORK}/tutorial/build --target heat)
run(${WORK}/tutorial/build/heat)
if(NOT consoles_heat MATCHES "heat\n(centre [0-9.]+)\n")
  message(FATAL_ERROR "the tutorial does not say what its heat program prints")
endif()
set(expected "${CMAKE_MATCH_1}")
string(FIND "${output}" "${expected}\n" at)
if(NOT at EQUAL 0)
  message(FATAL_ERROR "the tutorial's heat program printed '${output}', not '${expected}'")
endif()
