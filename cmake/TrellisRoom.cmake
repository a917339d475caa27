# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0

# trellis_precompiled(<target> <header>)
# Compiles a header once for the target, and for those that reuse it: target_precompile_headers(OTHER REUSE_FROM target).
# Headers took most of the time to compile.
function(trellis_precompiled target header)
  target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/${header}>")
endfunction()

# trellis_tests(<name> <source>...)
# Makes the program <name>_tests, whose tests named Nightly* carry the ctest label "nightly", all others "fast", or "gpu"
# where kernels run on one.
function(trellis_tests name)
  add_executable(${name}_tests ${ARGN})
  target_link_libraries(${name}_tests PRIVATE trellis_${name} trellis_warnings GTest::gtest_main)
  target_compile_definitions(${name}_tests PRIVATE TRELLIS_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
  trellis_test_options(${name}_tests)
  set(label fast)
  if(TRELLIS_BACKEND STREQUAL "cuda")
    set(label gpu)
  endif()
  # A cache of tunings of their own, which need not be there: the user's could spoil them.
  set(cache ENVIRONMENT_MODIFICATION TRELLIS_TUNING_CACHE=set:${PROJECT_BINARY_DIR}/tuning-of-tests.json)
  # Passive: where tests outnumber cores, threads that spin at barriers cost the others many times their own work.
  gtest_discover_tests(${name}_tests TEST_FILTER "-*Nightly*" TEST_PREFIX "${name}." PROPERTIES LABELS ${label} ENVIRONMENT OMP_WAIT_POLICY=passive
    ${cache} DISCOVERY_TIMEOUT 120)
  gtest_discover_tests(${name}_tests TEST_FILTER "*Nightly*" TEST_PREFIX "${name}." TEST_SUFFIX ".nightly"
    PROPERTIES LABELS nightly ENVIRONMENT OMP_WAIT_POLICY=passive ${cache} DISCOVERY_TIMEOUT 120)
endfunction()

# Of test programs: a library that holds nothing but what all of them reuse.
if(TRELLIS_TESTS)
  file(WRITE ${PROJECT_BINARY_DIR}/precompiled_tests.cpp "// The header is what is compiled.\n")
  add_library(trellis_precompiled_tests OBJECT ${PROJECT_BINARY_DIR}/precompiled_tests.cpp)
  target_link_libraries(trellis_precompiled_tests PRIVATE trellis_core trellis_warnings GTest::gtest)
  trellis_precompiled(trellis_precompiled_tests tests/support/precompiled.hpp)
endif()
function(trellis_precompiled_tests target)
  target_precompile_headers(${target} REUSE_FROM trellis_precompiled_tests)
endfunction()

# Of a room's test programs. Optimising what is done once takes a third of the time to compile; the rooms that they test
# are compiled as always, and so are tests of core and su3, which put kernels together themselves.
function(trellis_test_options target)
  trellis_precompiled_tests(${target})
  if(NOT target MATCHES "^(core|su3|kokkos)_")
    trellis_optimise_little(${target})
  endif()
endfunction()

function(trellis_optimise_little target)
  target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>
    # At this level GCC 12 cannot see which member of a std::variant is there.
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-maybe-uninitialized>
    # GCC 13 and later have this option of the machine from -O2 on, and no precompiled header for a file that differs in
    # one. At -O1, which unrolls no loops, it changes nothing.
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>,$<BOOL:${TRELLIS_HAS_UNROLL_ONLY_SMALL_LOOPS}>>:-munroll-only-small-loops>)
endfunction()

# How tests start <n> processes of a program: TRELLIS_LAUNCHER, followed by <n>, the program and its words; empty where
# nothing can. Processes may outnumber cores.
set(TRELLIS_LAUNCHER "")
if(TRELLIS_HAS_MPI AND MPIEXEC_EXECUTABLE)
  execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE version ERROR_QUIET)
  set(TRELLIS_LAUNCHER ${MPIEXEC_EXECUTABLE})
  if(version MATCHES "Open MPI|OpenRTE|PRRTE")
    list(APPEND TRELLIS_LAUNCHER --oversubscribe --allow-run-as-root --bind-to none)
  endif()
  list(APPEND TRELLIS_LAUNCHER ${MPIEXEC_NUMPROC_FLAG})
endif()
# For tests that start jobs themselves (tests/support/launcher.hpp).
list(JOIN TRELLIS_LAUNCHER "|" TRELLIS_LAUNCHER_DEFINITION)
set(TRELLIS_LAUNCHER_DEFINITION "TRELLIS_LAUNCHER=\"${TRELLIS_LAUNCHER_DEFINITION}\"")

# trellis_ranks_tests(<name> <source>...)
# Makes the program <name>_ranks_tests, whose tests all ranks of a job run together, and the ctest entries
# <name>.ranks_<n> of n processes each (without MPI n = 1 alone).
function(trellis_ranks_tests name)
  set(program ${name}_ranks_tests)
  add_executable(${program} ${ARGN} ${PROJECT_SOURCE_DIR}/tests/support/ranks_main.cpp)
  target_link_libraries(${program} PRIVATE trellis_${name} trellis_comm trellis_warnings GTest::gtest)
  target_compile_definitions(${program} PRIVATE TRELLIS_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
  trellis_test_options(${program})
  set(label fast)
  if(TRELLIS_BACKEND STREQUAL "cuda")
    set(label gpu)
  endif()
  set(environment "OMP_NUM_THREADS=1;OMP_WAIT_POLICY=passive;TRELLIS_WATCHDOG=120;OMPI_MCA_mpi_yield_when_idle=1")
  # Written for ctest to read, so that a program that was not built is one entry that says so, as with other tests.
  set(entries "")
  foreach(n 1 2 4 8)
    if(n EQUAL 2)  # from here on there is MPI, whose leaks are not ours
      list(APPEND environment ASAN_OPTIONS=detect_leaks=0)
    endif()
    set(command $<TARGET_FILE:${program}> --gtest_filter=-*Nightly*)
    if(TRELLIS_LAUNCHER)
      list(PREPEND command ${TRELLIS_LAUNCHER} ${n})
    elseif(n GREATER 1)
      break()
    endif()
    list(JOIN command "\" \"" command)
    string(APPEND entries "  add_test(${name}.ranks_${n} \"${command}\")
  set_tests_properties(${name}.ranks_${n} PROPERTIES LABELS ${label} PROCESSORS ${n} ENVIRONMENT \"${environment}\"
    ENVIRONMENT_MODIFICATION \"TRELLIS_TUNING_CACHE=set:${PROJECT_BINARY_DIR}/tuning-of-tests.json\")\n")
  endforeach()
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${program}.cmake)
  file(GENERATE OUTPUT ${file} CONTENT
    "if(EXISTS \"$<TARGET_FILE:${program}>\")\n${entries}else()\n  add_test(${program}_NOT_BUILT ${program}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${file})
endfunction()

# trellis_room(<name> [DEPENDS <library>...] [TEST_DEPENDS <library>...] [WITHOUT <beginning of a path>...]
#   [PRECOMPILED <header> | PRECOMPILED_OF <room>] [KERNELS_IN <source>...] [LONG <source>...])
# Makes the library trellis::<name> of a folder: every *.cpp (and, with CUDA, every *.cu) in it, *_test.cpp excepted;
# those are its tests (trellis_tests), and *_ranks_test.cpp those of several ranks (trellis_ranks_tests). *_fuzz.cpp
# (libFuzzer targets) and paths that begin as WITHOUT says are the room's own business. Its precompiled header is its own
# or that of another room. Where a room says what its KERNELS_IN are, the rest of it is compiled at -O1: optimising that
# gains nothing, and takes half of the time.
function(trellis_room name)
  cmake_parse_arguments(ROOM "" "PRECOMPILED;PRECOMPILED_OF" "DEPENDS;TEST_DEPENDS;WITHOUT;LONG;KERNELS_IN" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  foreach(folder IN LISTS ROOM_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${folder}")
  endforeach()
  file(GLOB_RECURSE cuda_sources CONFIGURE_DEPENDS *.cu)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "(_test|_fuzz|/main|/compile_fail/.*)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  set(ranks_tests ${tests})
  list(FILTER tests EXCLUDE REGEX "_ranks_test\\.cpp$")
  list(FILTER ranks_tests INCLUDE REGEX "_ranks_test\\.cpp$")
  set(cuda_tests ${cuda_sources})
  list(FILTER cuda_sources EXCLUDE REGEX "_test\\.cu$")
  list(FILTER cuda_tests INCLUDE REGEX "_test\\.cu$")
  if(TRELLIS_BACKEND STREQUAL "cuda")
    # What holds kernels is compiled as CUDA.
    foreach(source IN LISTS sources tests ranks_tests)
      file(STRINGS ${source} kernels REGEX "TRELLIS_KERNEL\\(" LIMIT_COUNT 1)
      if(kernels)
        trellis_kernel_sources(${source})
      endif()
    endforeach()
    list(APPEND sources ${cuda_sources})
    list(APPEND tests ${cuda_tests})
  endif()

  if(sources)
    add_library(trellis_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(trellis_${name} PRIVATE $<BUILD_INTERFACE:trellis_warnings>)
    if(ROOM_PRECOMPILED)
      trellis_precompiled(trellis_${name} ${ROOM_PRECOMPILED})
    elseif(ROOM_PRECOMPILED_OF)
      target_precompile_headers(trellis_${name} REUSE_FROM trellis_${ROOM_PRECOMPILED_OF})
    endif()
    # Short files are compiled several at a time; those that take long by themselves are not.
    set_target_properties(trellis_${name} PROPERTIES UNITY_BUILD ${TRELLIS_UNITY} UNITY_BUILD_BATCH_SIZE 8)
    set_source_files_properties(${ROOM_LONG} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    if(DEFINED ROOM_KERNELS_IN OR "KERNELS_IN" IN_LIST ROOM_KEYWORDS_MISSING_VALUES)
      set_source_files_properties(${ROOM_KERNELS_IN} PROPERTIES COMPILE_OPTIONS $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O3>)
      trellis_optimise_little(trellis_${name})
    endif()
  else()
    add_library(trellis_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(trellis::${name} ALIAS trellis_${name})
  set_target_properties(trellis_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(trellis_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
  target_link_libraries(trellis_${name} ${scope} trellis::flags ${ROOM_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY TRELLIS_ROOMS trellis_${name})

  if(TRELLIS_TESTS AND tests)
    trellis_tests(${name} ${tests})
    target_link_libraries(${name}_tests PRIVATE ${ROOM_TEST_DEPENDS})
  endif()
  if(TRELLIS_TESTS AND ranks_tests)
    trellis_ranks_tests(${name} ${ranks_tests})
    target_link_libraries(${name}_ranks_tests PRIVATE ${ROOM_TEST_DEPENDS})
  endif()
endfunction()
