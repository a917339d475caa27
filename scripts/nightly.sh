#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# scripts/nightly.sh [PART...]
# Tests that take too long for every change; the results go to docs/nightly.md. Runs all parts, or those named:
#   physics     the study's variants, thousands of random kernels, ensembles with known averages
#   sanitizers  all tests with all checks of the address and undefined-behaviour sanitizers, for this processor; the fuzz
#               targets for ten minutes; random inputs on random layouts for thirty
#   processor   x86-64-v3 on a processor of -v4: the rooms up to hmc, and a run of 2+1 flavours
#   threads     all tests with the thread sanitizer
#   cuda        all of CUDA, compiled for one architecture, if there is an nvcc
#   arm         64-bit ARM under an emulator: the rooms up to hmc, and a run of 2+1 flavours
#   tidy        clang-tidy and clang 19 over every file
#   packages    the portable build, its packages, and their use on a bare Debian
#   docs        the documentation site, and its links
#   campaign    an hour of kills, failing calls, damaged files, full disks; different events every day
# Continues after a failure; exits with 1 if there was one.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
. scripts/quietly.sh

page=docs/nightly.md results=build/nightly
mkdir -p "$results"
failures=0

tests() {  # tests PART CTEST_OPTIONS...
  local part=$1
  shift
  ctest -j "$(nproc)" --quiet --output-log "$results/$part.log" --output-junit "$PWD/$results/$part.xml" "$@"
}

build() (  # build PRESET TARGETS OPTIONS...
  preset=$1 targets=$2
  shift 2
  # shellcheck disable=SC2086
  quietly "Configuring $preset" "$results/$preset.build.log" cmake --preset "$preset" "$@" &&
    quietly "Building $preset" "$results/$preset.build.log" cmake --build "build/$preset" --target $targets
)

# All that .ci/run leaves out.
spmd="-DTRELLIS_SPMD_ABLATION=ON -DTRELLIS_SPMD_CONFORMANCE_LEVELS=0;1;3 -DTRELLIS_SPMD_RANDOM_KERNELS=12"
# shellcheck disable=SC2086
physics() { build release "all trellis_wilson_variants" -DTRELLIS_TESTS=ON $spmd && tests physics --preset release -L nightly &&
  tests variants --preset release -R "Variant|Dslash"; }
# Leaks of MPI are not ours.
# shellcheck disable=SC2086
sanitizers() { build asan-ubsan all -DTRELLIS_KOKKOS=OFF $spmd -DTRELLIS_ARCH=native -DTRELLIS_SANITIZE_EXCEPT= && tests sanitizers --preset asan-ubsan &&
  tests fuzz --test-dir build/asan-ubsan -L fuzz-nightly &&
  ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 scripts/campaign --program "$PWD/build/asan-ubsan/bin/trellis" --only layouts --minutes 30 --limit 600 --seed "$(date -u +%Y%m%d)" --keep "$results/layouts" >"$results/layouts.log" 2>&1; }
processor() {
  grep -q avx512bw /proc/cpuinfo || { echo "this processor has no 512-bit registers"; return; }
  build release trellis &&
    build other-isa "core_tests su3_tests lattice_tests gauge_tests dirac_tests hmc_tests trellis" -DTRELLIS_KOKKOS=OFF -DTRELLIS_ARCH=x86-64-v3 &&
    tests processor --preset other-isa -R "^(core|su3|lattice|gauge|dirac|hmc)[.]" &&
    scripts/same-bits.sh "$PWD/build/other-isa/bin/trellis"
}
threads() {
  build tsan all -DTRELLIS_KOKKOS=OFF && tests threads --preset tsan && build tsan-threads core_tests -DTRELLIS_KOKKOS=OFF &&
    tests tsan-threads --preset tsan-threads -R "^core[.]"
}
arm() {
  quietly "Fetching libraries of 64-bit ARM" "$results/aarch64.build.log" scripts/arm64-root.sh build/arm64-root &&
    build aarch64 "core_tests su3_tests lattice_tests solver_tests gauge_tests dirac_tests hmc_tests trellis" -DTRELLIS_LANES= &&
    tests arm --preset aarch64 -R "^(core|su3|lattice|solver|gauge|dirac|hmc)[.]" -E "Runtimes|WaitingThreads|compile|nightly" &&
    scripts/same-bits.sh qemu-aarch64 -L "$PWD/build/arm64-root" "$PWD/build/aarch64/bin/trellis"
}
cuda() (
  PATH=$PATH:/usr/local/cuda/bin
  if command -v nvcc >/dev/null; then build cuda trellis -DCMAKE_CUDA_ARCHITECTURES=90; else echo "no nvcc here"; fi
)
tidy() { scripts/tidy.sh >"$results/tidy.log" 2>&1; }
packages() { build portable all && cpack --preset portable >"$results/cpack.log" && tests packages --preset portable; }
docs() { scripts/install-dependencies.sh docs && scripts/docs.sh build/docs >"$results/docs.log" 2>&1; }
campaign() {
  build release trellis && scripts/campaign --minutes 60 --seed "$(date -u +%Y%m%d)" --keep "$results/campaign" >"$results/campaign.log" 2>&1
}

# How many of a part's tests ran, from ctest's XML: "1489 of 1490".
passed() {
  awk '/<testcase / { all += 1 } /<testcase .*status="run"/ { run += 1 } /<testcase .*status="notrun"/ { all -= 1 }
    END { if (all) printf "%d of %d tests", run, all; else printf "-" }' "$@" 2>/dev/null
}

export OMP_WAIT_POLICY=passive
export ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=ignore_noninstrumented_modules=1 TSAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-19

scripts/install-dependencies.sh ci || exit 1
parts=("$@")
[ $# -gt 0 ] || parts=(physics sanitizers processor threads cuda arm tidy packages docs campaign)
for part in "${parts[@]}"; do
  case "$part" in physics | sanitizers | processor | threads | cuda | arm | tidy | packages | docs | campaign) ;; *) sed -n '5,18s/^# \{0,1\}//p' "$0" >&2; exit 2 ;; esac
done
for part in "${parts[@]}"; do
  echo "=== $part"
  start=$SECONDS outcome=passed
  rm -f "$results/$part.xml"
  "$part" || { outcome="FAILED"; failures=$((failures + 1)); }
  echo "=== $part: $outcome, $((SECONDS - start)) s"
  printf '| %s | %s | %s | %d min | %s | %s | %s |\n' "$part" "$outcome" "$(passed "$results/$part.xml")" \
    $(((SECONDS - start + 59) / 60)) "$(date -u +%F)" "$(git rev-parse --short=10 HEAD)" \
    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores" >"$results/$part.row"
done

{
  cat <<'TEXT'
<!-- SPDX-FileCopyrightText: The Trellis authors -->
<!-- SPDX-License-Identifier: Apache-2.0 -->
# Nightly tests: the last results

`scripts/nightly.sh` runs them and writes this page; each part shows the last time it ran to completion.

| part | outcome | passed | time | day | commit | machine |
|---|---|---|---|---|---|---|
TEXT
  # Rows of parts that were not run this time stay as they are.
  for part in physics sanitizers processor threads cuda arm tidy packages docs campaign; do
    if [ -f "$results/$part.row" ]; then cat "$results/$part.row"; else grep "^| $part |" "$page" 2>/dev/null || true; fi
  done
} >"$results/page.md"
mv "$results/page.md" "$page"
exit $((failures > 0))
