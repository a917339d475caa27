# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# Shared by the programs in this folder. Each can be built in Trellis' own tree, or by itself against an installed
# Trellis:   cmake -S examples/stream -B build-stream -DCMAKE_PREFIX_PATH=<where Trellis is>
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
if(NOT TARGET trellis::core)
  find_package(Trellis REQUIRED)
endif()
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
if(NOT CMAKE_CXX_FLAGS_RELEASE MATCHES "O3")
  set(CMAKE_CXX_FLAGS_RELEASE "-O3")
endif()
enable_testing()

# example(<name> KERNELS <file>... SOURCES <file>...)
# A program made of sources with kernels of the default space, other sources, and the hand-written version for the
# backend of this build.
function(example name)
  cmake_parse_arguments(EXAMPLE "" "" "KERNELS;SOURCES" ${ARGN})
  if(TRELLIS_BACKEND STREQUAL "cuda")
    set(by_hand by_hand_cuda.cu)
  else()
    set(by_hand by_hand_openmp.cpp)
  endif()
  trellis_kernel_sources(${EXAMPLE_KERNELS})
  add_executable(${name} ${EXAMPLE_SOURCES} ${EXAMPLE_KERNELS} ${by_hand})
  # Optimising the command-line code gains nothing and takes long to compile.
  set_source_files_properties(${EXAMPLE_SOURCES} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-Og>)
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..)
  target_link_libraries(${name} PRIVATE trellis::core CLI11::CLI11 nlohmann_json::nlohmann_json
    $<TARGET_NAME_IF_EXISTS:trellis_warnings>)
  if(TRELLIS_BACKEND MATCHES "^(serial|threads)$")
    target_compile_options(${name} PRIVATE -fopenmp-simd)  # hand-written version: vectors, and one thread, like Trellis
  endif()
endfunction()

# example_test(<name> <what> <argument>...)            must succeed
# example_test_fails(<name> <what> <message> <argument>...)   must exit with 2, with a message that names what is wrong
function(example_test name what)
  add_test(NAME examples.${name}.${what} COMMAND ${name} ${ARGN})
  set_tests_properties(examples.${name}.${what} PROPERTIES LABELS fast ENVIRONMENT OMP_WAIT_POLICY=passive)
endfunction()
function(example_test_fails name what message)
  list(JOIN ARGN " " arguments)
  add_test(NAME examples.${name}.${what} COMMAND ${CMAKE_COMMAND} "-DPROGRAM=$<TARGET_FILE:${name}>"
    "-DARGUMENTS=${arguments}" "-DMESSAGE=${message}" -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/wrong_option_test.cmake)
  set_tests_properties(examples.${name}.${what} PROPERTIES LABELS fast)
endfunction()
