# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# The `trellis` of a portable build, for any x86-64 and using only the C library. Builds for one processor make it only for
# its tests.
add_executable(trellis_launcher ${PROJECT_SOURCE_DIR}/trellis/app/portable/main.cpp)
target_compile_features(trellis_launcher PRIVATE cxx_std_20)
target_compile_options(trellis_launcher PRIVATE -march=x86-64 -Wall -Wextra -Wpedantic -Wshadow
  $<$<BOOL:${TRELLIS_WERROR}>:-Werror>)
target_include_directories(trellis_launcher PRIVATE ${PROJECT_SOURCE_DIR})
target_link_options(trellis_launcher PRIVATE -static-libgcc -static-libstdc++)
