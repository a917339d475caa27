# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# trellis_spmd_sources: compiles source files with nd_range kernels using the plugin (spmd/plugin), which makes CPU loops of
# kernels with barriers. The plugin is for LLVM 19, so clang 19 compiles these files, whatever the rest of the project
# uses. Part of the installed package. Set before reading this file: TRELLIS_SPMD_LLVM, the LLVM version of the plugin
# (empty: there is no plugin, and TRELLIS_SPMD_MISSING says why), and TRELLIS_SPMD_PLUGIN, its file.
cmake_policy(VERSION 3.25)

set(TRELLIS_SPMD "AUTO" CACHE STRING "Compile nd_range kernels with the compiler plugin: AUTO (if clang 19 and LLVM 19 are found), ON or OFF")
set_property(CACHE TRELLIS_SPMD PROPERTY STRINGS AUTO ON OFF)
if(NOT TRELLIS_SPMD MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "TRELLIS_SPMD is '${TRELLIS_SPMD}'; it must be AUTO, ON or OFF")
endif()

if(TRELLIS_SPMD STREQUAL "OFF")
  set(TRELLIS_SPMD_MISSING "TRELLIS_SPMD is OFF")
elseif(TRELLIS_SPMD_LLVM)
  set(TRELLIS_SPMD_MISSING "")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_EQUAL TRELLIS_SPMD_LLVM)
    set(TRELLIS_SPMD_CLANG ${CMAKE_CXX_COMPILER})
    set(_clang ${CMAKE_CXX_COMPILER_VERSION})
  else()
    find_program(TRELLIS_SPMD_CLANG NAMES clang++-19 clang++ HINTS /usr/lib/llvm-19/bin DOC "clang++ of LLVM 19")
    set(_clang "")
    if(TRELLIS_SPMD_CLANG)
      execute_process(COMMAND ${TRELLIS_SPMD_CLANG} --version OUTPUT_VARIABLE _clang ERROR_QUIET)
      string(REGEX MATCH "clang version ([0-9.]+)" _clang "${_clang}")
      set(_clang "${CMAKE_MATCH_1}")
    endif()
  endif()
  # clang would end with a message about memory.
  if(NOT TRELLIS_SPMD_CLANG)
    set(TRELLIS_SPMD_MISSING "clang++ of LLVM ${TRELLIS_SPMD_LLVM} (Debian: clang-19) is not found")
  elseif(NOT _clang VERSION_EQUAL TRELLIS_SPMD_LLVM)
    set(TRELLIS_SPMD_MISSING "the plugin is one of clang ${TRELLIS_SPMD_LLVM}, but ${TRELLIS_SPMD_CLANG} is version \
'${_clang}' (say which clang++ with -DTRELLIS_SPMD_CLANG=<file>)")
  elseif(CMAKE_CONFIGURATION_TYPES AND NOT TRELLIS_SPMD_CLANG STREQUAL CMAKE_CXX_COMPILER)
    set(TRELLIS_SPMD_MISSING "a multi-configuration project must be compiled entirely by clang ${TRELLIS_SPMD_LLVM}")
  endif()
endif()
if(TRELLIS_SPMD_MISSING)
  set(TRELLIS_HAS_SPMD OFF)
else()
  set(TRELLIS_HAS_SPMD ON)
endif()
set(TRELLIS_SPMD_AVAILABLE ${TRELLIS_HAS_SPMD})

# trellis_spmd_sources(<target> <file>...)
# Adds the files to the target of this folder, compiled by clang with the plugin: WorkItems::fission and ::continuations
# exist in them, and `automatic` is continuations. They see the target's includes, definitions and options, except for
# OpenMP and, if clang is not the project's compiler, sanitizers, whose libraries differ; options of a file
# (COMPILE_OPTIONS) must be set before. Without the plugin they are compiled like any other source.
function(trellis_spmd_sources target)
  if(NOT TRELLIS_HAS_SPMD)
    get_property(said GLOBAL PROPERTY TRELLIS_SPMD_SAID)
    if(NOT said)
      message(STATUS "SPMD plugin: off, ${TRELLIS_SPMD_MISSING}")
      set_property(GLOBAL PROPERTY TRELLIS_SPMD_SAID ON)
    endif()
    target_sources(${target} PRIVATE ${ARGN})
    return()
  endif()
  # Requesting a remark that nobody emits makes clang keep line numbers for the plugin's messages. Pointer checks are already in
  # the code before the plugin sees it, and keep values in memory; the address sanitizer's come after it.
  set(plugin -fpass-plugin=${TRELLIS_SPMD_PLUGIN} -DTRELLIS_SPMD_PLUGIN -Rpass-missed=trellis-spmd-lines
    -fno-sanitize=alignment,bounds,null,object-size,pointer-overflow)
  if(TRELLIS_SPMD_CLANG STREQUAL CMAKE_CXX_COMPILER)
    target_sources(${target} PRIVATE ${ARGN})
    foreach(source IN LISTS ARGN)
      get_property(own SOURCE ${source} PROPERTY COMPILE_OPTIONS)
      if(NOT own MATCHES "-fpass-plugin=")  # a source used by several targets has only one set of options
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS ${plugin})
        set_property(SOURCE ${source} APPEND PROPERTY OBJECT_DEPENDS ${TRELLIS_SPMD_PLUGIN})
        set_property(SOURCE ${source} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
      endif()
    endforeach()
    if(TRELLIS_SPMD_BUILT)
      add_dependencies(${target} trellis_spmd_plugin)
    endif()
    # ccache does not know that the plugin is part of the compiler: it could return objects made by an older one.
    get_property(launcher TARGET ${target} PROPERTY CXX_COMPILER_LAUNCHER)
    if(launcher MATCHES "ccache" AND NOT launcher MATCHES "CCACHE_EXTRAFILES")
      list(PREPEND launcher ${CMAKE_COMMAND} -E env CCACHE_EXTRAFILES=${TRELLIS_SPMD_PLUGIN})
      set_property(TARGET ${target} PROPERTY CXX_COMPILER_LAUNCHER ${launcher})
    endif()
    return()
  endif()

  get_property(calls TARGET ${target} PROPERTY TRELLIS_SPMD_CALLS)
  math(EXPR calls "0${calls} + 1")
  set_property(TARGET ${target} PROPERTY TRELLIS_SPMD_CALLS ${calls})
  set_property(TARGET ${target} PROPERTY LINKER_LANGUAGE CXX)  # in case it has no other sources
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/spmd_objects/${target}.${calls})
  file(MAKE_DIRECTORY ${folder})
  _trellis_spmd_options(${target} ${folder})
  set(objects "")
  foreach(source IN LISTS ARGN)
    get_filename_component(path ${source} ABSOLUTE)
    get_filename_component(name ${source} NAME)
    get_source_file_property(own ${source} COMPILE_OPTIONS)
    if(NOT own)
      set(own "")
    endif()
    set(object ${folder}/${name}.o)
    if(object IN_LIST objects)  # defined in another folder
      string(MAKE_C_IDENTIFIER ${path} name)
      set(object ${folder}/${name}.o)
    endif()
    list(APPEND objects ${object})
    add_custom_command(OUTPUT ${object}
      COMMAND ${TRELLIS_SPMD_CLANG} @${folder}/options.CXX.txt ${own} ${plugin} -MD -MT ${object} -MF ${object}.d -c ${path} -o ${object}
      DEPENDS ${path} ${TRELLIS_SPMD_PLUGIN} $<TARGET_NAME_IF_EXISTS:trellis_spmd_plugin> ${folder}/options.CXX.txt
      DEPFILE ${object}.d COMMENT "Building SPMD kernels ${name} of ${target}" VERBATIM COMMAND_EXPAND_LISTS)
  endforeach()
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  target_sources(${target} PRIVATE ${objects})
endfunction()

# Writes the options common to all files of the target to <folder>/options.CXX.txt.
function(_trellis_spmd_options target folder)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${config}}")
  list(FILTER flags EXCLUDE REGEX "^-f(no-)?sanitize")
  list(JOIN flags "\n" flags)
  # Headers of the project itself may raise warnings, others may not.
  string(REGEX REPLACE "([][+.*()^$?|\\])" "\\\\\\1" folders "${PROJECT_SOURCE_DIR};${PROJECT_BINARY_DIR}")
  list(JOIN folders "|^" folders)
  set(includes $<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>>)
  set(ours "$<FILTER:${includes},INCLUDE,^${folders}>")
  set(theirs "$<FILTER:${includes},EXCLUDE,^${folders}|^/usr/include/?$>")
  set(definitions $<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>>)
  set(options "$<FILTER:$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>,EXCLUDE,^-fopenmp(=.*)?$|^-fno-tree-slp-vectorize$|^--param|^-f(no-)?sanitize>")
  set(standard $<TARGET_PROPERTY:${target},CXX_STANDARD>)
  # Language-dependent options can only be queried in generated files: this writes one per language, and reads C++'s.
  file(GENERATE OUTPUT ${folder}/options.$<COMPILE_LANGUAGE>.txt CONTENT
"${flags}
$<$<BOOL:${definitions}>:'-D$<JOIN:${definitions},'\n'-D>'
>$<$<BOOL:${ours}>:\"-I$<JOIN:${ours},\"\n\"-I>\"
>$<$<BOOL:${theirs}>:-isystem \"$<JOIN:${theirs},\"\n-isystem \">\"
>$<JOIN:${options},\n>
-std=c++$<IF:$<IN_LIST:${standard},23;26>,${standard},20>
$<$<BOOL:$<TARGET_PROPERTY:${target},POSITION_INDEPENDENT_CODE>>:-fPIC>
-Wno-unknown-warning-option
-Wno-ignored-optimization-argument
-Wno-pass-failed
")
endfunction()
