#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# scripts/same-bits.sh COMMAND...
# Runs six trajectories of examples/dynamical.toml on a 4^4 lattice, with the program that COMMAND starts (perhaps an
# emulator with its options and a program for another processor) and with build/release/bin/trellis; fails unless the
# configurations are identical byte for byte.
set -euo pipefail
[ $# -gt 0 ] || { sed -n '5,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/.."

folder=$PWD/build/same-bits
rm -rf "$folder"
mkdir -p "$folder"
sed -e 's/^size = .*/size = [4, 4, 4, 4]/; s/^trajectories = .*/trajectories = 6/; s/^thermalisation = .*/thermalisation = 3/' \
  -e 's/^save_every = .*/save_every = 6/; s/^checkpoint_every = .*/checkpoint_every = 6/; s/^every = .*/every = 3/' \
  -e 's/^directory = .*/directory = "results"/' examples/dynamical.toml >"$folder/chain.toml"

run() {  # run NAME COMMAND...: an emulator would start a program natively that starts itself again, so threads wait as asked
  local name=$1
  shift
  (cd "$folder" && OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 "$@" run chain.toml >"$name.log" 2>&1 && mv results "$name") ||
    { tail -n 5 "$folder/$name.log" >&2; exit 1; }
}
run native "$PWD/build/release/bin/trellis"
run other "$@"
cmp "$folder/native/chain.000006.ildg" "$folder/other/chain.000006.ildg"
echo "the same bytes: $(cksum <"$folder/other/chain.000006.ildg")"
