# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DBUILD=<build folder> -DSOURCE=<root> -DWORK=<scratch folder> -DCOMPILER=<c++> -P package_kokkos_test.cmake
# Does what examples/kokkos/README.md tells a user of trellis::kokkos to do: installs Trellis, builds that program
# separately against the installed package's component kokkos, and runs it. Also requests a component that does not exist.
cmake_minimum_required(VERSION 3.25)

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
set(options -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} -S ${SOURCE}/examples/kokkos -B ${WORK}/build ${options})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/through_kokkos --size 1000 --side 10 --repetitions 1)
if(NOT output MATCHES "dot, through Kokkos.*All results are right")
  message(FATAL_ERROR "through_kokkos printed '${output}'")
endif()

file(WRITE ${WORK}/wrong/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)\nproject(wrong LANGUAGES CXX)\n"
  "find_package(Trellis REQUIRED COMPONENTS cocos)\n")
execute_process(COMMAND ${CMAKE_COMMAND} -S ${WORK}/wrong -B ${WORK}/wrong/build ${options} OUTPUT_QUIET
  ERROR_VARIABLE error RESULT_VARIABLE code)
if(code EQUAL 0 OR NOT error MATCHES "no component *\n? *'cocos'")
  message(FATAL_ERROR "a component that does not exist: exit code ${code}, ${error}")
endif()
