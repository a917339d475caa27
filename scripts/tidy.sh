#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# scripts/tidy.sh [FILE...] | --changed COMMIT [MOST]
# Runs clang-tidy 14 with .clang-tidy on these source files, or on those that differ from COMMIT (at most MOST), or else on every
# .cpp of trellis/ that is not a test and what CMake instantiates; and compiles each with clang 19 separately, without precompiled
# headers, so that every file must include what it needs. Fails if either finds anything.
set -euo pipefail
cd "$(dirname "$0")/.."

tidy=$(command -v clang-tidy-14 || command -v clang-tidy || true)
[ -n "$tidy" ] || { echo "tidy: no clang-tidy here (Debian: apt-get install clang-tidy-14)" >&2; exit 1; }

if [ "${1-}" = --changed ]; then
  [ $# -ge 2 ] || { sed -n '5,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
  if ! git rev-parse --quiet --verify "$2^{commit}" >/dev/null; then
    echo "tidy: this clone has no commit $2: skipped"
    exit 0
  fi
  mapfile -t files < <(git diff --name-only --diff-filter=d "$2" -- 'trellis/*.cpp' 'python/*.cpp' | grep -v '_fuzz\.cpp$' | head -n "${3:-1000}" || true)
else
  files=("$@")
fi
# Files compiled only for CUDA are in no compilation database.
cmake --preset tidy >/dev/null
if [ $# = 0 ]; then
  mapfile -t files < <(find trellis python/src build/tidy/trellis/*/instantiated -name '*.cpp' ! -name '*_test.cpp' ! -name '*_fuzz.cpp' | sort)
fi
mkdir -p build/tidy
# Debian installs one libomp at a time: ours is clang 19's, whose omp.h clang-tidy 14 does not find.
ln -sf "$(clang++-19 -print-resource-dir)/include/omp.h" build/tidy/omp.h

one() {  # one FILE
  local command
  command=$(awk -v file="$PWD/$1" '/"command":/ { line = $0 } /"file":/ && index($0, "\"" file "\"") { print line; exit }' \
    build/tidy/compile_commands.json | sed 's/^ *"command": "//; s/",$//; s/\\"/"/g; s/\\\\/\\/g; s/ -o [^ ]*//')
  [ -n "$command" ] || { echo "$1: no target here compiles it"; return 0; }
  (cd build/tidy && eval "$command -fsyntax-only") || return 1
  case "$1" in *_test.cpp) return 0 ;; esac
  "$tidy" --quiet -p build/tidy --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unused-command-line-argument \
    --extra-arg=-isystem"$PWD/build/tidy" "$1" 2> >(grep -v 'warnings generated\|Suppressed .* warnings' >&2 || true)
}
export -f one
export tidy

echo "clang-tidy over ${#files[@]} files"
[ ${#files[@]} -gt 0 ] || exit 0
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'one "$0"'
