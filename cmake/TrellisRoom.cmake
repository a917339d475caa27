# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0

# trellis_precompiled(<target> <header>)
# Compiles a header once for the target, and for those that reuse it: target_precompile_headers(OTHER REUSE_FROM target).
# Headers took most of the compile time.
function(trellis_precompiled target header)
  target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/${header}>")
endfunction()

# trellis_entries(<program> <entries>)
# Writes entries for ctest to read, so that a program that was not built becomes a single entry that says so.
function(trellis_entries program entries)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${program}.cmake)
  file(GENERATE OUTPUT ${file} CONTENT
    "if(EXISTS \"$<TARGET_FILE:${program}>\")\n${entries}else()\n  add_test(${program}_NOT_BUILT ${program}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${file})
endfunction()

# trellis_tests(<name> <source>...)
# Makes the program <name>_tests. Its tests named Nightly* get the ctest label "nightly", all others "fast", or "gpu" if
# kernels run on one.
function(trellis_tests name)
  add_executable(${name}_tests ${ARGN})
  target_link_libraries(${name}_tests PRIVATE trellis_${name} trellis_warnings GTest::gtest_main)
  target_compile_definitions(${name}_tests PRIVATE TRELLIS_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
  trellis_test_options(${name}_tests)
  set(label fast)
  if(TRELLIS_DEVICE_LANGUAGE)
    set(label gpu)
  endif()
  # Tests use their own tuning cache, which need not exist: the user's could spoil them.
  set(cache TRELLIS_TUNING_CACHE=set:${PROJECT_BINARY_DIR}/tuning-of-tests.json)
  # Passive: if tests outnumber cores, threads that spin at barriers cost the others many times their own work.
  if(TRELLIS_WHOLE_PROGRAMS)
    set(entries "")
    foreach(shard 0 1 2 3)
      string(APPEND entries "  add_test(${name}.shard_${shard} \"$<TARGET_FILE:${name}_tests>\" --gtest_filter=-*Nightly*)
  set_tests_properties(${name}.shard_${shard} PROPERTIES LABELS ${label} ENVIRONMENT_MODIFICATION \"${cache}\"
    ENVIRONMENT \"OMP_WAIT_POLICY=passive;GTEST_TOTAL_SHARDS=4;GTEST_SHARD_INDEX=${shard}\")\n")
    endforeach()
    trellis_entries(${name}_tests "${entries}")
  else()
    gtest_discover_tests(${name}_tests TEST_FILTER "-*Nightly*" TEST_PREFIX "${name}." PROPERTIES LABELS ${label}
      ENVIRONMENT OMP_WAIT_POLICY=passive ENVIRONMENT_MODIFICATION ${cache} DISCOVERY_TIMEOUT 120)
  endif()
  gtest_discover_tests(${name}_tests TEST_FILTER "*Nightly*" TEST_PREFIX "${name}." TEST_SUFFIX ".nightly"
    PROPERTIES LABELS nightly ENVIRONMENT OMP_WAIT_POLICY=passive ENVIRONMENT_MODIFICATION ${cache} DISCOVERY_TIMEOUT 120)
endfunction()

# Precompiled headers and optimisation levels. GCC takes the optimisation options from the precompiled header, not from the
# file that uses it (and has crashed if they differ), so a target and its header have one level.

# trellis_optimise_little(<target>)
# For files without kernels. They gain nothing from -O3, which takes twice as long to compile.
function(trellis_optimise_little target)
  target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-Og>
    # At this level GCC 12 cannot tell which alternative a std::variant holds.
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-maybe-uninitialized>)
endfunction()

# For test programs: libraries that contain nothing but the header that all of them reuse.
if(TRELLIS_TESTS)
  file(WRITE ${PROJECT_BINARY_DIR}/precompiled_tests.cpp "// The header is what is compiled.\n")
  foreach(kind kernel_tests tests)
    add_library(trellis_precompiled_${kind} OBJECT ${PROJECT_BINARY_DIR}/precompiled_tests.cpp)
    target_link_libraries(trellis_precompiled_${kind} PRIVATE trellis_core trellis_warnings GTest::gtest)
    trellis_precompiled(trellis_precompiled_${kind} tests/support/precompiled_${kind}.hpp)
  endforeach()
  trellis_optimise_little(trellis_precompiled_tests)
endif()
function(trellis_test_options target)
  target_precompile_headers(${target} REUSE_FROM trellis_precompiled_tests)
  trellis_optimise_little(${target})
endfunction()

# How tests start <n> processes of a program: TRELLIS_LAUNCHER, followed by <n>, the program and its arguments; empty if
# that is impossible. Processes may outnumber cores.
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

# trellis_ranks_tests(<name> <nightly> <source>...)
# Makes the program <name>_ranks_tests, whose tests run on all ranks of a job together, and the ctest entries
# <name>.ranks_<n> with n processes each (without MPI only n = 1). Those whose n is in the list <nightly> get the label
# "nightly".
function(trellis_ranks_tests name nightly)
  set(program ${name}_ranks_tests)
  add_executable(${program} ${ARGN} ${PROJECT_SOURCE_DIR}/tests/support/ranks_main.cpp)
  target_link_libraries(${program} PRIVATE trellis_${name} trellis_comm trellis_warnings GTest::gtest)
  target_compile_definitions(${program} PRIVATE TRELLIS_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
  trellis_test_options(${program})
  set(label fast)
  if(TRELLIS_DEVICE_LANGUAGE)
    set(label gpu)
  endif()
  set(environment "OMP_NUM_THREADS=1;OMP_WAIT_POLICY=passive;TRELLIS_WATCHDOG=120;OMPI_MCA_mpi_yield_when_idle=1")
  set(entries "")
  foreach(n 1 2 4 8)
    if(n EQUAL 2)  # from here on MPI is involved, whose leaks are not ours
      list(APPEND environment ASAN_OPTIONS=detect_leaks=0)
    endif()
    set(command $<TARGET_FILE:${program}> --gtest_filter=-*Nightly*)
    if(TRELLIS_LAUNCHER)
      list(PREPEND command ${TRELLIS_LAUNCHER} ${n})
    elseif(n GREATER 1)
      break()
    endif()
    set(label_of_n ${label})
    if(TRELLIS_LAUNCHER AND n IN_LIST nightly)
      set(label_of_n nightly)
    endif()
    list(JOIN command "\" \"" command)
    string(APPEND entries "  add_test(${name}.ranks_${n} \"${command}\")
  set_tests_properties(${name}.ranks_${n} PROPERTIES LABELS ${label_of_n} PROCESSORS ${n} ENVIRONMENT \"${environment}\"
    ENVIRONMENT_MODIFICATION \"TRELLIS_TUNING_CACHE=set:${PROJECT_BINARY_DIR}/tuning-of-tests.json\")\n")
  endforeach()
  trellis_entries(${program} "${entries}")
endfunction()

# trellis_instantiate(<variable> <class> <header> "<type> <list>"...)
# Writes a source file for each "<type> <list>", because each takes long to compile. It instantiates
# trellis::<class><type, W> for all W of the list TRELLIS_FOR_EACH_<list> of lane counts (core/lanes.hpp). <variable>
# becomes the list of these files, for trellis_room(INSTANTIATED). <header> contains the members' bodies, hence kernels.
function(trellis_instantiate variable class header)
  set(${variable} "")
  foreach(instance IN LISTS ARGN)
    string(MAKE_C_IDENTIFIER "${class} ${instance}" file)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/instantiated/${file}.cpp)
    string(REGEX REPLACE "^(.*) (.*)$" "#define TRELLIS_INSTANTIATE(W) template class ${class}<\\1, W>;\nTRELLIS_FOR_EACH_\\2(TRELLIS_INSTANTIATE)"
      instance "${instance}")
    file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
      "#include \"trellis/core/lanes.hpp\"\n#include \"${header}\"\n\nnamespace trellis {\n${instance}\n#undef TRELLIS_INSTANTIATE\n}  // namespace trellis\n")
    trellis_kernel_sources(${file})
    list(APPEND ${variable} ${file})
  endforeach()
  set(${variable} ${${variable}} PARENT_SCOPE)
endfunction()

# trellis_room(<name> [DEPENDS <library>...] [TEST_DEPENDS <library>...] [WITHOUT <beginning of a path>...]
#   [KERNELS <beginning of a path>...] [KERNEL_TESTS <source>...] [LONG <source>...] [TABLES <source>...]
#   [INSTANTIATED <source>...] [TESTS_TOGETHER] [LONG_RANKS_TESTS])
# Makes the library trellis::<name> of a folder: every *.cpp (and, with CUDA, every *.cu) in it except *_test.cpp; those
# are its tests (trellis_tests), and *_ranks_test.cpp its tests on several ranks (trellis_ranks_tests). *_fuzz.cpp
# (libFuzzer targets) and paths that begin as in WITHOUT are left to the room. Files that start kernels, and those that
# KERNELS names because kernels call them or they contain kernels from headers, are fully optimised; the rest only a
# little. The same goes for tests, except KERNEL_TESTS: the building blocks of kernels are tested as they are compiled
# for kernels. TABLES are compiled separately, so that a program may link longer ones instead (tests/additions).
# INSTANTIATED are files written by trellis_instantiate(). With TESTS_TOGETHER, tests too are compiled several at a time, so
# their helpers need different names. With LONG_RANKS_TESTS those on one, two and eight ranks are nightly: they occupy two
# cores for up to a minute, and four ranks also send every kind of message.
function(trellis_room name)
  cmake_parse_arguments(ROOM "TESTS_TOGETHER;LONG_RANKS_TESTS" "" "DEPENDS;TEST_DEPENDS;WITHOUT;KERNELS;KERNEL_TESTS;LONG;TABLES;INSTANTIATED" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  # Neighbouring files are compiled together, and this header alone takes more than a second.
  foreach(source IN LISTS sources)
    file(STRINGS ${source} json REGEX "include <nlohmann/json.hpp>" LIMIT_COUNT 1)
    if(json)
      list(REMOVE_ITEM sources ${source})
      list(PREPEND sources ${source})
    endif()
  endforeach()
  foreach(folder IN LISTS ROOM_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${folder}")
  endforeach()
  file(GLOB_RECURSE device_sources CONFIGURE_DEPENDS *.${TRELLIS_DEVICE_SUFFIX})
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "(_test|_fuzz|/main|/compile_fail/.*)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  set(ranks_tests ${tests})
  list(FILTER tests EXCLUDE REGEX "_ranks_test\\.cpp$")
  list(FILTER ranks_tests INCLUDE REGEX "_ranks_test\\.cpp$")
  set(device_tests ${device_sources})
  list(FILTER device_sources EXCLUDE REGEX "_test\\.${TRELLIS_DEVICE_SUFFIX}$")
  list(FILTER device_tests INCLUDE REGEX "_test\\.${TRELLIS_DEVICE_SUFFIX}$")
  if(TRELLIS_DEVICE_LANGUAGE)
    # Files with kernels are compiled in its language.
    foreach(source IN LISTS sources tests ranks_tests)
      file(STRINGS ${source} kernels REGEX "TRELLIS_KERNEL\\(" LIMIT_COUNT 1)
      if(kernels)
        trellis_kernel_sources(${source})
      endif()
    endforeach()
    list(APPEND sources ${device_sources})
    list(APPEND tests ${device_tests})
  endif()

  if(sources)
    # Short files are compiled several at a time; long ones are not.
    set_source_files_properties(${ROOM_LONG} ${ROOM_TABLES} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    set(kernels "")
    foreach(source IN LISTS sources)
      file(STRINGS ${source} kernel REGEX "TRELLIS_KERNEL\\(|(parallel_(for|reduce)|for_each_(tile|half_tile|vector|batch))[(<]"
        LIMIT_COUNT 1)
      foreach(beginning IN LISTS ROOM_KERNELS)
        string(FIND ${source} ${CMAKE_CURRENT_SOURCE_DIR}/${beginning} position)
        if(position EQUAL 0)
          set(kernel yes)
        endif()
      endforeach()
      if(kernel)
        list(APPEND kernels ${source})
      endif()
    endforeach()
    list(APPEND kernels ${ROOM_INSTANTIATED})
    if(kernels)
      list(REMOVE_ITEM sources ${kernels})
      add_library(trellis_${name}_kernels OBJECT ${kernels})
      target_include_directories(trellis_${name}_kernels PRIVATE ${PROJECT_SOURCE_DIR})
      target_link_libraries(trellis_${name}_kernels PRIVATE $<BUILD_INTERFACE:trellis_warnings> trellis::flags ${ROOM_DEPENDS})
      set_target_properties(trellis_${name}_kernels PROPERTIES UNITY_BUILD ${TRELLIS_UNITY} UNITY_BUILD_BATCH_SIZE 8)
      list(APPEND sources $<TARGET_OBJECTS:trellis_${name}_kernels>)
    endif()
    add_library(trellis_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(trellis_${name} PRIVATE $<BUILD_INTERFACE:trellis_warnings>)
    trellis_optimise_little(trellis_${name})
    # More at a time: library templates take most of the time, and are the same in many files.
    set_target_properties(trellis_${name} PROPERTIES UNITY_BUILD ${TRELLIS_UNITY} UNITY_BUILD_BATCH_SIZE 12)
    foreach(kind "" _kernels)
      if(name STREQUAL "core")  # the first room
        trellis_precompiled(trellis_core${kind} trellis/lattice/precompiled.hpp)
      elseif(TARGET trellis_${name}${kind})
        target_precompile_headers(trellis_${name}${kind} REUSE_FROM trellis_core${kind})
      endif()
    endforeach()
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
    if(ROOM_KERNEL_TESTS)
      list(TRANSFORM ROOM_KERNEL_TESTS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
      list(REMOVE_ITEM tests ${ROOM_KERNEL_TESTS})
      add_library(${name}_kernel_tests OBJECT ${ROOM_KERNEL_TESTS})
      target_link_libraries(${name}_kernel_tests PRIVATE trellis_${name} trellis_warnings GTest::gtest)
      target_precompile_headers(${name}_kernel_tests REUSE_FROM trellis_precompiled_kernel_tests)
      list(APPEND tests $<TARGET_OBJECTS:${name}_kernel_tests>)
    endif()
    trellis_tests(${name} ${tests})
    if(ROOM_TESTS_TOGETHER)
      set_target_properties(${name}_tests PROPERTIES UNITY_BUILD ${TRELLIS_UNITY} UNITY_BUILD_BATCH_SIZE 8)
    endif()
    target_link_libraries(${name}_tests PRIVATE ${ROOM_TEST_DEPENDS})
  endif()
  if(TRELLIS_TESTS AND ranks_tests)
    set(nightly "")
    if(ROOM_LONG_RANKS_TESTS)
      set(nightly 1 2 8)
    endif()
    trellis_ranks_tests(${name} "${nightly}" ${ranks_tests})
    target_link_libraries(${name}_ranks_tests PRIVATE ${ROOM_TEST_DEPENDS})
  endif()
endfunction()
