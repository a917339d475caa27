#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# scripts/arm64-root.sh FOLDER
# Puts the libraries of 64-bit ARM that Trellis is compiled with into FOLDER (Debian 12's packages, unpacked, not
# installed), together with a CMake toolchain file, so that any machine can compile for ARM and run the tests under
# QEMU: cmake --preset aarch64. Adds the architecture arm64 to apt; needs root or sudo once.
set -euo pipefail
[ $# = 1 ] || { sed -n '5,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
root=$(cd "$1" && pwd)
[ ! -f "$root/complete" ] || exit 0

as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
if ! dpkg --print-foreign-architectures | grep -qx arm64; then
  "${as_root[@]}" dpkg --add-architecture arm64
  "${as_root[@]}" apt-get -q update
fi
named=(libfmt-dev libspdlog-dev libtomlplusplus-dev libpugixml-dev zlib1g-dev libhdf5-103-1 libboost-context-dev libgtest-dev)
mapfile -t all < <(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
  --no-enhances "${named[@]/%/:arm64}" | grep -E '^[a-z0-9].*:arm64$' | sort -u)
mkdir -p "$root/packages"
# libhdf5-dev cannot be installed beside this machine's own version, so no package here depends on it.
(cd "$root/packages" && apt-get -q download "${all[@]}" libhdf5-dev:arm64)
for package in "$root"/packages/*.deb; do dpkg -x "$package" "$root"; done
rm -r "$root/packages"
# Headers that are the same on all machines.
for folder in boost CLI Random123 nlohmann toml++; do
  [ -e "$root/usr/include/$folder" ] || ln -s "/usr/include/$folder" "$root/usr/include/$folder"
done
# Absolute links would lead to this machine's libraries.
find "$root" -type l -lname '/lib/*' -print0 | while IFS= read -r -d '' link; do
  ln -sfn "$root$(readlink "$link")" "$link"
done
cat >"$root/toolchain.cmake" <<CMAKE
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_SYSROOT "$root")
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH "$root" /usr)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64;-L;$root)
list(PREPEND CMAKE_MODULE_PATH "$root")
CMAKE
# CMake's own module asks h5cc, which only knows about this machine.
cat >"$root/FindHDF5.cmake" <<CMAKE
set(HDF5_FOUND TRUE)
if(NOT TARGET hdf5::hdf5)
  add_library(hdf5::hdf5 SHARED IMPORTED)
  set_target_properties(hdf5::hdf5 PROPERTIES IMPORTED_LOCATION "$root/usr/lib/aarch64-linux-gnu/libhdf5_serial.so.103"
    IMPORTED_NO_SONAME TRUE INTERFACE_INCLUDE_DIRECTORIES "$root/usr/include/hdf5/serial")
endif()
CMAKE
touch "$root/complete"
