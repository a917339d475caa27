#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# scripts/compile-times.sh [BUILD] [--files N] [--budget FILE [--samples FILE]]
# scripts/compile-times.sh --sample FILE
# The cost of a build, from ninja's log in the folder BUILD (build/release): CPU-seconds of all commands, of those that the
# program needs, by room, and of the N (20) longest. Cores are assumed to be shared evenly between the commands that run at
# the same time, with nothing else running. Only commands of the current configuration count; measure a build from
# scratch, without a compiler cache.
# With a budget (scripts/compile-budget): compares with it, in seconds of the machine that the budget is for. The speed of
# this machine is the time to compile a file that only includes standard library headers. Shared machines change their
# speed within minutes, so it is best measured during the build: --sample does it every 15 seconds until it is
# killed, and --samples takes the median of what it wrote. Exits with 1 if a sum or a file is more than a quarter above
# its limit.
set -euo pipefail
cd "$(dirname "$0")/.."

build=build/release files=20 budget= samples= sample=
while [ $# -gt 0 ]; do
  case "$1" in
    --files) files=$2; shift 2 ;;
    --budget) budget=$2; shift 2 ;;
    --samples) samples=$2; shift 2 ;;
    --sample) sample=$2; shift 2 ;;
    -*) sed -n '5,17s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    *) build=$1; shift ;;
  esac
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap exit TERM

cat >"$work/machine.cpp" <<'CPP'
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>
std::map<std::string, std::function<int(int)>> f(const std::vector<std::string>& all) {
  std::map<std::string, std::function<int(int)>> m;
  for (const auto& s : all) m[s] = [n = s.size()](int k) { return k + static_cast<int>(n); };
  return m;
}
CPP
# CPU-seconds of one compilation of that file, as the N-th running at the same time.
compile_once() {  # compile_once COMPILER N
  local TIMEFORMAT='%U %S'
  { time "$1" -std=c++20 -O3 -c "$work/machine.cpp" -o "$work/machine$2.o"; } 2>&1 | awk '{ print $1 + $2 }'
}

if [ -n "$sample" ]; then
  : >"$sample"
  while true; do
    echo "$(date +%s) $(compile_once g++ 0)" >>"$sample"
    sleep 15
  done
fi

[ -f "$build/.ninja_log" ] || { echo "no ninja log in $build: build it first" >&2; exit 2; }

# OUTPUT of each command in the current configuration, and of those needed for the program.
ninja -C "$build" -t targets all 2>/dev/null | sed -n 's/: [A-Za-z_].*//p' | sort -u >"$work/all"
{ ninja -C "$build" -t inputs trellis 2>/dev/null; echo bin/trellis; } | sort -u >"$work/program"

# CPU-seconds, whether the program needs it, output: the last entry of each output; a command with several outputs counts
# once. While more commands ran than there are cores, each had its share of them.
awk -F '\t' -v all="$work/all" -v program="$work/program" '
  BEGIN {
    while ((getline line < all) > 0) known[line] = 1
    while ((getline line < program) > 0) needed[line] = 1
  }
  /^#/ { next }
  ($4 in known) { begin[$4] = $1; end[$4] = $2; command[$4] = $1 " " $2 " " $5 }
  END {
    for (output in command) {
      key = command[output]
      if (!(key in chosen) || output in needed) chosen[key] = output
    }
    for (key in chosen) {
      output = chosen[key]
      print begin[output] "\t1\t" output "\t" (output in needed)
      print end[output] "\t0\t" output "\t" (output in needed)
    }
  }' "$build/.ninja_log" | sort -n -k1,1 -k2,2 | awk -F '\t' -v cores="$(nproc)" '
  {
    share += ($1 - now) / 1000 * (running > cores ? cores / running : 1); now = $1
    if ($2) { ++running; before[$3] = share }
    else { --running; printf "%.3f\t%d\t%s\n", share - before[$3], $4, $3 }
  }' | sort -rn >"$work/times"

# The room: the folder of the target, trellis/core or spmd/plugin; tests are listed separately.
awk -F '\t' -v files="$files" '
  function room(output, parts, n) {
    sub(/^\/.*\/build\/[^\/]*\//, "", output)
    n = split(output, parts, "/")
    if (parts[1] == "bin" || parts[1] == "lib") return "programs and libraries"
    if (parts[1] == "CMakeFiles") return "all rooms"
    n = parts[1] == "trellis" || parts[1] == "examples" ? parts[1] "/" parts[2] : parts[1]
    return n (output ~ /_tests\.dir/ ? ", tests" : "")
  }
  {
    total += $1; if ($2) program += $1
    sum[room($3)] += $1; count[room($3)]++
    if (NR <= files) longest[NR] = sprintf("%8.1f  %s", $1, $3)
  }
  END {
    printf "%8.1f  all of it\n%8.1f  of that for the program (target trellis)\n\n", total, program
    for (name in sum) printf "%8.1f  %s (%d)\n", sum[name], name, count[name] | "sort -rn"
    close("sort -rn")
    print ""
    for (k = 1; k <= files && k in longest; ++k) { gsub(/CMakeFiles\/|\.dir/, "", longest[k]); print longest[k] }
  }' "$work/times"

[ -n "$budget" ] || exit 0

if [ -n "$samples" ]; then
  # The samples taken during the build.
  last=$(find "$build" -name '*.o' -printf '%Ts\n' | sort -n | tail -n 1)
  awk -v last="$last" '$1 <= last { print $2 }' "$samples"
else
  compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
  # On all cores at once, like the build: cores that share parts of a processor are slower then.
  for _ in 1 2 3 4 5 6 7 8 9; do
    for ((n = 0; n < $(nproc); ++n)); do compile_once "$compiler" "$n" & done
    wait
  done
fi | sort -n >"$work/machine"
[ -s "$work/machine" ] || { echo "no sample was taken during the build" >&2; exit 2; }

echo
awk -F '\t' -v machine="$(sed -n "$((($(wc -l <"$work/machine") + 1) / 2))p" "$work/machine")" '
  FNR == NR {
    sub(/#.*/, "")
    if (split($0, words, " ") >= 2) budget[words[1]] = words[2]
    next
  }
  # The plugin, the kernels that it compiles and Kokkos are outside the budget.
  $3 ~ /^(spmd|bench|examples\/kokkos)\/|\/spmd\/|kokkos/ { next }
  { total += $1; if ($2) program += $1; if ($1 > longest) { longest = $1; file = $3 } }
  function compare(name, what, seconds) {
    if (!(name in budget)) return
    seconds *= scale
    bad = seconds > 1.25 * budget[name]
    printf "%-28s %7.0f s, budget %5d s%s\n", what, seconds, budget[name], bad ? ": TOO MUCH" : ""
    failed = failed || bad
  }
  END {
    scale = budget["machine"] / machine
    printf "in seconds of the machine that the budget is for, which takes %.2f times as long as this one:\n", scale
    compare("program", "the program", program)
    compare("all", "all that was built", total)
    compare("file", "the longest file", longest)
    print "the longest file is " file
    exit failed
  }' "$budget" "$work/times"
