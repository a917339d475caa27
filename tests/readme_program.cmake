# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DPAGE=<README.md> -DFOLDER=<folder> -P readme_program.cmake
# Writes the README's program and its CMakeLists.txt into the folder.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/fenced_block.cmake)
fenced_block(${PAGE} cpp program)
fenced_block(${PAGE} cmake project)
file(WRITE ${FOLDER}/plaquette.cpp "${program}")
file(WRITE ${FOLDER}/CMakeLists.txt "${project}")
