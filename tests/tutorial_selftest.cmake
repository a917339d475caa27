# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DWORK=<scratch folder> -P tutorial_selftest.cmake
# Gives tutorial_test.cmake a page that is correct, which must pass, and pages that are not, which must fail. The program
# is a shell script: nothing is compiled.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})
file(WRITE ${WORK}/say "#!/bin/sh\necho \"(a) $WHAT; [b]\"\necho last >&2\nexit $CODE\n")
file(CHMOD ${WORK}/say PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(source "# Page\n\n```cpp\n// say.cpp\nint main() { return a[0]; }\n```\n\n")

# page(<passes> <what is said when it does not> <text after the source>)
function(page passes message text)
  file(WRITE ${WORK}/page.md "${source}${text}")
  execute_process(COMMAND ${CMAKE_COMMAND} -DPAGE=${WORK}/page.md -DNAME=say -DPROGRAMS=${WORK}/ -DWORK=${WORK}/run
    -P ${CMAKE_CURRENT_LIST_DIR}/tutorial_test.cmake OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")  # CMake wraps its output
  if(passes AND NOT code EQUAL 0 OR NOT passes AND (code EQUAL 0 OR NOT output MATCHES "${message}"))
    message(SEND_ERROR "exit code ${code}:\n${output}\nof the page\n${text}")
  endif()
endfunction()

page(TRUE "" "```console\n$ CODE=0 ./say\n(a) ; [b]\nlast\n```\n")
page(TRUE "" "```console\n$ CODE=0 WHAT=3 ./say\n(a) 3; [b]\nlast\n$ WHAT=5 CODE=0 ./say\n(a) 5; [b]\nlast\n```\n")
page(TRUE "" "```console\n$ CODE=0 WHAT=3.71 ./say\n(a) 3...; [b]\nlast\n```\n")
page(TRUE "" "```console\n$ CODE=0 ./say\n...\n```\n")
page(TRUE "" "```console\n$ CODE=0 ./say\n...\nlast\n```\n")
page(TRUE "" "```console\n$ CODE=0 WHAT=3 ./say\n(a) 3; [b]\nlast\n```\nand\n```console\n$ CODE=0 WHAT=4 ./say\n(a) 4; [b]\nlast\n```\n")
page(TRUE "" "```console\n$ TRELLIS_PROFILE=1 CODE=0 WHAT=3.71 ./say\n(a)   4; [b]\nlast\n```\n")
page(FALSE "the page says" "```console\n$ TRELLIS_PROFILE=1 CODE=0 WHAT=x ./say\n(a) 4; [b]\nlast\n```\n")
page(FALSE "the page says" "```console\n$ CODE=0 WHAT=3 ./say\n(a) 4; [b]\nlast\n```\n")
page(FALSE "the page says" "```console\n$ CODE=0 WHAT=3 ./say\n(a) 3; [b]\nlast\n$ CODE=0 WHAT=5 ./say\n(a) 4; [b]\nlast\n```\n")
page(FALSE "the page says" "```console\n$ CODE=0 WHAT=3 ./say\n(a) 3; [b]\nlast\n```\nand\n```console\n$ CODE=0 WHAT=4 ./say\n(a) 3; [b]\nlast\n```\n")
page(FALSE "the page says" "```console\n$ CODE=0 ./say\n(a) ; [b]\n```\n")
page(FALSE "the page says" "```console\n$ CODE=0 ./say\n(a) ; [b]\nlast\nmore\n```\n")
page(FALSE "the page says" "```console\n$ CODE=0 ./say\n...\nmore\n```\n")
page(FALSE "exit code 3" "```console\n$ CODE=3 ./say\n(a) ; [b]\nlast\n```\n")
page(FALSE "is not run" "It prints things.\n")
page(FALSE "runs no program above it" "```console\n$ ./shout\n(a) ; [b]\nlast\n```\n")
page(FALSE "does not end" "```console\n$ CODE=0 ./say\n(a) ; [b]\nlast\n")
set(source "# Page\n\n```cpp\nint main() {}\n```\n\n")
page(FALSE "does not begin with its name" "```console\n$ CODE=0 ./say\n(a) ; [b]\nlast\n```\n")
