# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DTREE=<root> -DFILE=<commit.cpp> -P write_commit.cmake
# Writes the source file with the commit being built, unless it is already up to date.
set(commit "")
find_program(GIT git)
if(GIT AND EXISTS ${TREE}/.git)
  execute_process(COMMAND ${GIT} -C ${TREE} describe --always --dirty --tags --abbrev=12
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit MATCHES "^[-+.A-Za-z0-9_/]+$")
  set(commit "unknown: built without git")
endif()
set(date "")
if(GIT AND EXISTS ${TREE}/.git)
  execute_process(COMMAND ${GIT} -C ${TREE} log -1 --format=%cI
    OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT date MATCHES "^[-+:T0-9Z]+$")
  set(date "")
endif()
set(text "// Written by cmake/write_commit.cmake.
#include \"trellis/app/version.hpp\"
const char* trellis::app::commit() { return \"${commit}\"; }
const char* trellis::app::commit_date() { return \"${date}\"; }
")
if(EXISTS ${FILE})
  file(READ ${FILE} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${FILE} "${text}")
endif()
