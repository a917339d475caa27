# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# Source this in bash, in the root of the tree. Ends the script with one line if there is not enough disk space for a build,
# and limits the number of parallel compilers to the available memory: up to 2 GB each.
room_to_build() {
  local free memory jobs
  mkdir -p build
  free=$(df -Pm build | awk 'NR == 2 { print $4 }')
  if [ "${free:-3000}" -lt 3000 ] && [ ! -e build/release/bin/trellis ]; then
    echo "${0##*/}: only $free MiB are free on the disk of $PWD, but building takes up to 3 GB: free some space first" >&2
    exit 1
  fi
  [ -z "${CMAKE_BUILD_PARALLEL_LEVEL-}" ] || return 0
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo 2>/dev/null) || memory=
  jobs=$((${memory:-1000000} / 2048))
  if [ "$jobs" -lt "$(nproc)" ]; then
    [ "$jobs" -ge 1 ] || jobs=1
    echo "$memory MiB of memory are free: compiling with $jobs job$([ "$jobs" = 1 ] || echo s) at a time (CMAKE_BUILD_PARALLEL_LEVEL overrides this)"
    export CMAKE_BUILD_PARALLEL_LEVEL=$jobs
  fi
}
room_to_build
