# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# Looks for what the compiler plugin (spmd/plugin) is built with: LLVM 19, and a clang of the same version.

set(TRELLIS_SPMD_LLVM "")
set(TRELLIS_SPMD_MISSING "")
# Looked for each time: a tree that was configured before LLVM 19 was installed would keep the wrong one.
if(NOT TRELLIS_LLVM_CONFIG MATCHES "19")
  unset(TRELLIS_LLVM_CONFIG CACHE)
endif()
find_program(TRELLIS_LLVM_CONFIG NAMES llvm-config-19 llvm-config HINTS /usr/lib/llvm-19/bin DOC "llvm-config of LLVM 19")
if(TRELLIS_LLVM_CONFIG)
  execute_process(COMMAND ${TRELLIS_LLVM_CONFIG} --version OUTPUT_VARIABLE _llvm OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${TRELLIS_LLVM_CONFIG} --includedir OUTPUT_VARIABLE TRELLIS_LLVM_INCLUDES OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${TRELLIS_LLVM_CONFIG} --bindir OUTPUT_VARIABLE TRELLIS_LLVM_TOOLS OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT _llvm MATCHES "^19[.]")
    set(TRELLIS_SPMD_MISSING "the plugin needs LLVM 19; ${TRELLIS_LLVM_CONFIG} belongs to ${_llvm}")
  elseif(NOT EXISTS ${TRELLIS_LLVM_INCLUDES}/llvm/Passes/PassPlugin.h)
    set(TRELLIS_SPMD_MISSING "the headers of LLVM 19 (Debian: llvm-19-dev) were not found")
  else()
    set(TRELLIS_SPMD_LLVM ${_llvm})
  endif()
else()
  set(TRELLIS_SPMD_MISSING "llvm-config of LLVM 19 (Debian: llvm-19-dev) was not found")
endif()

set(TRELLIS_SPMD_BUILT ON)  # here, by the target trellis_spmd_plugin
set(TRELLIS_SPMD_PLUGIN ${PROJECT_BINARY_DIR}/spmd/trellis_spmd_plugin.so)
include(TrellisSpmd)
if(TRELLIS_HAS_SPMD)
  message(STATUS "SPMD plugin: clang ${TRELLIS_SPMD_LLVM}, ${TRELLIS_SPMD_CLANG}")
elseif(TRELLIS_SPMD STREQUAL "ON")
  message(FATAL_ERROR "TRELLIS_SPMD is ON, but ${TRELLIS_SPMD_MISSING}")
else()
  message(STATUS "SPMD plugin: off, ${TRELLIS_SPMD_MISSING}")
  set_property(GLOBAL PROPERTY TRELLIS_SPMD_SAID ON)
endif()
