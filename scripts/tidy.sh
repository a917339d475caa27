#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# scripts/tidy.sh [FILE...]
# Runs clang-tidy 14 with .clang-tidy over these source files, else over every .cpp of trellis/ that is no test, and
# fails if it finds anything. Needs a configured build/release (./check makes it).
set -euo pipefail
cd "$(dirname "$0")/.."

tidy=$(command -v clang-tidy-14 || command -v clang-tidy || true)
[ -n "$tidy" ] || { echo "tidy: no clang-tidy here (Debian: apt-get install clang-tidy-14)" >&2; exit 1; }
[ -f build/release/compile_commands.json ] || cmake --preset release >/dev/null

files=("$@")
if [ ${#files[@]} = 0 ]; then
  mapfile -t files < <(find trellis -name '*.cpp' ! -name '*_test.cpp' ! -name '*_fuzz.cpp' | sort)
fi
# Debian has one libomp at a time: ours is clang 19's, whose omp.h clang-tidy 14 does not look for.
mkdir -p build/tidy
ln -sf "$(clang++-19 -print-resource-dir)/include/omp.h" build/tidy/omp.h

echo "clang-tidy over ${#files[@]} files"
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$(nproc)" "$tidy" --quiet -p build/release --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-Wno-unused-command-line-argument --extra-arg=-isystem"$PWD/build/tidy" 2> >(grep -v 'warnings generated\|Suppressed .* warnings' >&2 || true)
