# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# The compiler plugin (spmd/plugin) that makes CPU loops of nd_range kernels with barriers. It is one of LLVM 19, so files
# with such kernels are compiled by clang 19, whatever compiler the rest of the project has.

set(TRELLIS_SPMD "AUTO" CACHE STRING "Compile nd_range kernels with the compiler plugin: AUTO (if clang 19 and LLVM 19 are found), ON or OFF")
set_property(CACHE TRELLIS_SPMD PROPERTY STRINGS AUTO ON OFF)
if(NOT TRELLIS_SPMD MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "TRELLIS_SPMD is '${TRELLIS_SPMD}'; it must be AUTO, ON or OFF")
endif()

set(TRELLIS_HAS_SPMD OFF)
if(NOT TRELLIS_SPMD STREQUAL "OFF")
  set(_missing "")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19
      AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 20)
    set(TRELLIS_SPMD_CLANG ${CMAKE_CXX_COMPILER})
  else()
    find_program(TRELLIS_SPMD_CLANG NAMES clang++-19 clang++ HINTS /usr/lib/llvm-19/bin DOC "clang++ of LLVM 19")
  endif()
  find_program(TRELLIS_LLVM_CONFIG NAMES llvm-config-19 llvm-config HINTS /usr/lib/llvm-19/bin DOC "llvm-config of LLVM 19")
  if(NOT TRELLIS_SPMD_CLANG)
    set(_missing "clang++ of LLVM 19 (Debian: clang-19) is not found")
  elseif(NOT TRELLIS_LLVM_CONFIG)
    set(_missing "llvm-config of LLVM 19 (Debian: llvm-19-dev) is not found")
  else()
    execute_process(COMMAND ${TRELLIS_LLVM_CONFIG} --version OUTPUT_VARIABLE _llvm OUTPUT_STRIP_TRAILING_WHITESPACE)
    execute_process(COMMAND ${TRELLIS_LLVM_CONFIG} --includedir OUTPUT_VARIABLE TRELLIS_LLVM_INCLUDES OUTPUT_STRIP_TRAILING_WHITESPACE)
    execute_process(COMMAND ${TRELLIS_LLVM_CONFIG} --bindir OUTPUT_VARIABLE TRELLIS_LLVM_TOOLS OUTPUT_STRIP_TRAILING_WHITESPACE)
    execute_process(COMMAND ${TRELLIS_SPMD_CLANG} --version OUTPUT_VARIABLE _clang)
    string(REGEX MATCH "clang version ([0-9.]+)" _ "${_clang}")
    set(_clang ${CMAKE_MATCH_1})
    # A plugin of another version makes clang end with a message about memory.
    if(NOT _llvm MATCHES "^19[.]" OR NOT _clang VERSION_EQUAL _llvm)
      set(_missing "the plugin wants one version 19 of clang and LLVM; ${TRELLIS_SPMD_CLANG} is ${_clang}, ${TRELLIS_LLVM_CONFIG} ${_llvm}")
    elseif(NOT EXISTS ${TRELLIS_LLVM_INCLUDES}/llvm/Passes/PassPlugin.h)
      set(_missing "the headers of LLVM 19 (Debian: llvm-19-dev) are not found")
    endif()
  endif()
  if(NOT _missing)
    set(TRELLIS_HAS_SPMD ON)
    message(STATUS "SPMD plugin: clang ${_clang}, ${TRELLIS_SPMD_CLANG}")
  elseif(TRELLIS_SPMD STREQUAL "ON")
    message(FATAL_ERROR "TRELLIS_SPMD is ON, but ${_missing}")
  else()
    message(STATUS "SPMD plugin: off, ${_missing}")
  endif()
endif()
set(TRELLIS_SPMD_AVAILABLE ${TRELLIS_HAS_SPMD})

# trellis_spmd_sources(<target> <file>...)
# Adds the files to the target, compiled by clang with the plugin: there WorkItems::fission and ::continuations exist, and
# `automatic` is continuations. They see the target's includes, definitions and options, but for OpenMP; those of a file
# (COMPILE_OPTIONS) where they are set before. Without the plugin they are sources like any other.
function(trellis_spmd_sources target)
  if(NOT TRELLIS_HAS_SPMD)
    target_sources(${target} PRIVATE ${ARGN})
    return()
  endif()
  # The remark that nobody makes has clang keep lines for the plugin's messages.
  set(plugin -fpass-plugin=$<TARGET_FILE:trellis_spmd_plugin> -DTRELLIS_SPMD_PLUGIN -Rpass-missed=trellis-spmd-lines)
  if(TRELLIS_SPMD_CLANG STREQUAL CMAKE_CXX_COMPILER)
    target_sources(${target} PRIVATE ${ARGN})
    foreach(source IN LISTS ARGN)
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS ${plugin})
      set_property(SOURCE ${source} APPEND PROPERTY OBJECT_DEPENDS $<TARGET_FILE:trellis_spmd_plugin>)
      set_property(SOURCE ${source} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
    endforeach()
    add_dependencies(${target} trellis_spmd_plugin)
    return()
  endif()

  get_property(calls TARGET ${target} PROPERTY TRELLIS_SPMD_CALLS)
  math(EXPR calls "0${calls} + 1")
  set_property(TARGET ${target} PROPERTY TRELLIS_SPMD_CALLS ${calls})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/spmd_objects/${target}.${calls})
  file(MAKE_DIRECTORY ${folder})
  # What depends on the language can be asked for in generated files alone: one a language is written, of which C++'s is read.
  set(includes $<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>>)
  set(ours $<FILTER:${includes},INCLUDE,^${PROJECT_SOURCE_DIR}|^${PROJECT_BINARY_DIR}>)
  set(theirs $<FILTER:${includes},EXCLUDE,^${PROJECT_SOURCE_DIR}|^${PROJECT_BINARY_DIR}|^/usr/include/?$>)
  set(definitions $<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>>)
  set(options $<FILTER:$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>,EXCLUDE,^-fopenmp$|^-fno-tree-slp-vectorize$>)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${config}}")
  list(JOIN flags "\n" flags)
  file(GENERATE OUTPUT ${folder}/options.$<COMPILE_LANGUAGE>.txt CONTENT
"${flags}
$<$<BOOL:${definitions}>:\"-D$<JOIN:${definitions},\"\n\"-D>\"
>$<$<BOOL:${ours}>:\"-I$<JOIN:${ours},\"\n\"-I>\"
>$<$<BOOL:${theirs}>:-isystem \"$<JOIN:${theirs},\"\n-isystem \">\"
>$<JOIN:${options},\n>
-std=c++20
-Wno-unknown-warning-option
-Wno-pass-failed
")
  foreach(source IN LISTS ARGN)
    get_filename_component(path ${source} ABSOLUTE)
    get_filename_component(name ${source} NAME)
    get_source_file_property(own ${source} COMPILE_OPTIONS)
    if(NOT own)
      set(own "")
    endif()
    set(object ${folder}/${name}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${TRELLIS_SPMD_CLANG} @${folder}/options.CXX.txt ${own} ${plugin} -MD -MT ${object} -MF ${object}.d -c ${path} -o ${object}
      DEPENDS ${path} trellis_spmd_plugin ${folder}/options.CXX.txt DEPFILE ${object}.d
      COMMENT "Building SPMD kernels ${name} of ${target}" VERBATIM COMMAND_EXPAND_LISTS)
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    target_sources(${target} PRIVATE ${object})
  endforeach()
endfunction()
