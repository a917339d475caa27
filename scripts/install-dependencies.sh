#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# scripts/install-dependencies.sh [check | ci | docs]
# Installs those of Trellis' Debian 12 packages that are missing, through apt; does nothing if none is.
# Without an argument: what building the program needs. "check" adds what ./check also tests: clang 19 and LLVM's headers
# for the compiler plugin (spmd), and what the Python package and its tests need. "ci" adds what only .ci/run needs:
# sanitizers and fuzzer, clang-format, clang-tidy, the Kokkos that trellis::kokkos is tested with, OpenCL with PoCL for
# comparison in bench spmd, a compiler for 64-bit ARM, and emulators of other processors. "docs" adds what
# scripts/docs.sh needs.
# Calls apt-get as root, or else through sudo. With TRELLIS_NO_INSTALL=1 it trusts you to have installed everything.
set -euo pipefail

packages=(
  g++ cmake ninja-build
  libfmt-dev libspdlog-dev libtomlplusplus-dev libcli11-dev libpugixml-dev nlohmann-json3-dev
  zlib1g-dev libhdf5-dev librandom123-dev libboost-dev libboost-context-dev libhwloc-dev libopenmpi-dev openmpi-bin
)
check_packages=(libgtest-dev clang-19 llvm-19 llvm-19-dev libomp-19-dev
  pybind11-dev python3-dev python3-numpy python3-pytest python3-matplotlib)
ci_packages=(libc++-19-dev libc++abi-19-dev libclang-rt-19-dev clang-format-19 clang-tidy-14 libtrilinos-kokkos-dev
  pocl-opencl-icd ocl-icd-opencl-dev opencl-c-headers g++-aarch64-linux-gnu qemu-user)

case "${1-}" in
  "") ;;
  check) packages+=("${check_packages[@]}") ;;
  docs) packages+=(doxygen python3) ;;
  ci) packages+=("${check_packages[@]}" "${ci_packages[@]}") ;;
  *) echo "usage: scripts/install-dependencies.sh [check | ci | docs]" >&2; exit 2 ;;
esac
[ -z "${TRELLIS_NO_INSTALL-}" ] || exit 0

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  {
    echo "Trellis installs what it needs through apt, and this machine has none (Trellis is tested on Debian 12)."
    echo "Install the equivalents of these Debian packages, then set TRELLIS_NO_INSTALL=1 and start again:"
    echo "  ${packages[*]}"
  } >&2
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

give_up() {  # give_up WHY
  echo "Packages are missing, and only root may install them ($1). As root, run:" >&2
  echo "  apt-get update && apt-get install ${missing[*]}" >&2
  exit 1
}

echo "Installing ${#missing[@]} Debian packages: ${missing[*]}"
if [ "$(id -u)" = 0 ]; then
  as_root=(env)
else
  command -v sudo >/dev/null || give_up "there is no sudo here"
  sudo -v || give_up "sudo refused"  # asks for the password while the terminal is still there to be read
  as_root=(sudo env)
fi

. "$(dirname "$0")/quietly.sh"
apt_get() {
  "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@"
}
quietly "Reading the package lists" build/apt.log apt_get update
quietly "Installing packages" build/apt.log apt_get install --no-install-recommends "${missing[@]}"
