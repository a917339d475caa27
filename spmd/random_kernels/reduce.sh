#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# reduce.sh BUILD SEED WAY LEVEL
# Leaves out statements of a failing random kernel, many at first and then fewer, as long as it fails in the same way
# (does not compile, or is wrong), and prints which file holds the rest. Takes a few seconds per statement. LEVEL, 0 to 3,
# is the optimisation level.
set -euo pipefail
build=$1 seed=$2 way=$3 level=$4
work=$build/spmd/random_kernels
program=$build/bin/random_kernel_$level
export OMP_WAIT_POLICY=passive

# outcome NUMBERS...: the outcome for the kernel without these statements.
outcome() {
  echo "$seed $*" >"$work/one.txt"
  if ! cmake --build "$build" --target random_kernel_$level >"$work/one.log" 2>&1; then
    echo "does not compile"
  elif ! timeout 100 "$program" "$seed" "$way" >"$work/one.log" 2>&1; then
    grep -q "interpreted\|crashes\|does not end" "$work/one.log" && echo wrong || echo other
  else
    echo right
  fi
}

first=$(outcome)
echo "seed $seed by $way: $first"
[ "$first" = right ] && exit 0
count=$("$build/bin/write_kernels" --count "$seed")
dropped=()
for ((size = count / 2; size >= 1; size /= 2)); do
  for ((from = 0; from < count; from += size)); do
    more=()
    for ((k = from; k < from + size && k < count; ++k)); do
      [[ " ${dropped[*]-} " == *" $k "* ]] || more+=("$k")
    done
    [ ${#more[@]} -gt 0 ] || continue
    if [ "$(outcome "${dropped[@]}" "${more[@]}")" = "$first" ]; then
      dropped+=("${more[@]}")
      echo "without ${#dropped[@]} of $count"
    fi
  done
done
outcome "${dropped[@]}" >/dev/null
echo "$work/random_kernel_${level}_0.cpp"
