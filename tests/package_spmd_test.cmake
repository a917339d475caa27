# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DBUILD=<build folder> -DSOURCE=<root> -DWORK=<scratch folder> -DCOMPILER=<c++> -DCLANG=<clang++ of the plugin>
#   -P package_spmd_test.cmake
# Does what docs/spmd.md tells a user of the compiler plugin to do: installs Trellis, takes the page's project and its
# kernel with a barrier, builds them against the installed package with the build's compiler and entirely with clang, and
# runs them. Then without the plugin, with a clang of another version, and insisting on the plugin with that one.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/fenced_block.cmake)

function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE error RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: exit code ${code}\n${output}${error}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect regex)
  if(NOT output MATCHES "${regex}")
    message(FATAL_ERROR "this does not match '${regex}':\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
# A folder's name may be anything.
set(project "${WORK}/a project in c++")
fenced_block(${SOURCE}/docs/spmd.md cmake lists)
fenced_block(${SOURCE}/docs/spmd.md cpp kernels)
# A definition with quotes, and files of the same name, must arrive as written.
file(WRITE "${project}/CMakeLists.txt" "${lists}"
  "target_compile_definitions(reverse PRIVATE \"PROGRAM=\\\"a name\\\"\")\n"
  "trellis_spmd_sources(reverse a/name.cpp b/name.cpp)\n"
  "add_library(only STATIC)\ntrellis_spmd_sources(only kernels.cpp)\ntarget_link_libraries(only trellis::core)\n")
file(WRITE "${project}/kernels.cpp" "${kernels}")
file(WRITE "${project}/a/name.cpp" "const char* first_name() { return PROGRAM; }\n")
file(WRITE "${project}/b/name.cpp" "const char* second_name() { return PROGRAM; }\n")
file(WRITE "${project}/main.cpp" [[
#include <cstdio>
#include "trellis/core/error.hpp"
void reverse_groups(float* x, long n);
const char* first_name();
const char* second_name();
int main() try {
  float x[128];
  for (int i = 0; i < 128; ++i) x[i] = float(i);
  reverse_groups(x, 128);
  std::printf("%s, %s: %g %g %g %g\n", first_name(), second_name(), x[0], x[63], x[64], x[127]);
} catch (const trellis::Error& e) {
  std::printf("error: %s\n", e.what());
  return 1;
}
]])

# clang compiles a whole project if it has OpenMP.
set(compilers ${COMPILER})
if(NOT CLANG STREQUAL COMPILER)
  file(WRITE ${WORK}/openmp.cpp "#include <omp.h>\nint main() { return omp_get_max_threads() == 0; }\n")
  execute_process(COMMAND ${CLANG} -fopenmp ${WORK}/openmp.cpp -o ${WORK}/openmp RESULT_VARIABLE none OUTPUT_QUIET ERROR_QUIET)
  if(none EQUAL 0)
    list(APPEND compilers ${CLANG})
  endif()
endif()
set(options -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/prefix)
set(build 0)
foreach(compiler IN LISTS compilers)
  math(EXPR build "${build} + 1")
  run(${CMAKE_COMMAND} -S ${project} -B ${WORK}/${build} ${options} -DCMAKE_CXX_COMPILER=${compiler}
    -DTRELLIS_SPMD=ON -DTRELLIS_SPMD_CLANG=${CLANG})
  run(${CMAKE_COMMAND} --build ${WORK}/${build})
  run(${WORK}/${build}/reverse)
  expect("^a name, a name: 63 0 127 64\n")
endforeach()

# With the project's compiler alone there are no continuations, and it says so.
list(APPEND options -DCMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} -S ${project} -B ${WORK}/off ${options} -DTRELLIS_SPMD=OFF)
expect("SPMD plugin: off, TRELLIS_SPMD is OFF")
run(${CMAKE_COMMAND} --build ${WORK}/off --target reverse)
execute_process(COMMAND ${WORK}/off/reverse OUTPUT_VARIABLE output)
expect("^error: .*continuations")

if(NOT COMPILER STREQUAL CLANG)
  file(WRITE ${WORK}/clang++ "#!/bin/sh\necho 'clang version 18.1.8'\n")
  file(CHMOD ${WORK}/clang++ PERMISSIONS OWNER_READ OWNER_EXECUTE)
  list(APPEND options -DTRELLIS_SPMD_CLANG=${WORK}/clang++)
  run(${CMAKE_COMMAND} -S ${project} -B ${WORK}/other ${options})
  expect("SPMD plugin: off, the plugin is one of clang 19[0-9.]*, but .*clang[+][+] is version '18[.]1[.]8'")
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${project} -B ${WORK}/other ${options} -DTRELLIS_SPMD=ON OUTPUT_QUIET
    ERROR_VARIABLE output RESULT_VARIABLE code)
  expect("TRELLIS_SPMD is ON")
  if(code EQUAL 0)
    message(FATAL_ERROR "TRELLIS_SPMD=ON accepts another clang")
  endif()
endif()
