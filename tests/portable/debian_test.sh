#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# debian_test.sh BUILD WORK
# Makes the Debian packages of a complete portable build, installs them in a bare Debian 12 (debootstrap, with this
# machine's package sources), and does what a user does there: first a run with the program alone, whose configuration
# after 40 trajectories must have the known checksum; then, with the development package, the README's own program. Needs
# root and a network; exits with 77 if the test is impossible.
set -euo pipefail
build=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
tests=$(realpath "$(dirname "$0")/..")
tree=$(dirname "$tests")

skip() { echo "skipped: $*"; exit 77; }
fail() { echo "failed: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || skip "only root can make a bare Debian"
for tool in debootstrap dpkg-shlibdeps; do
  command -v $tool >/dev/null || skip "no $tool here (Debian: apt-get install debootstrap dpkg-dev)"
done

echo "== packages"
rm -rf "$build/packages"
(cd "$build" && cpack) || fail "cpack"
program=$(echo "$build"/packages/trellis-qcd_*.deb)
development=$(echo "$build"/packages/libtrellis-qcd-dev_*.deb)
ls -l "$program" "$development"

# A root from an earlier test is reused, without what was installed on top of it.
base=$work/base.tar
if [ ! -f "$base" ]; then
  echo "== debootstrap"
  sources=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' |
    grep ' bookworm[a-z-]* main$' | sort -u || true)
  mirror=$(sed -n 's/ bookworm main$//p' <<<"$sources" | head -n 1)
  [ -n "$mirror" ] || skip "this machine's apt knows no Debian 12 (bookworm)"
  rm -rf --one-file-system "$work/base"
  debootstrap --variant=minbase bookworm "$work/base" "$mirror" >"$work/debootstrap.log" 2>&1 ||
    skip "debootstrap cannot fetch Debian from $mirror (see $work/debootstrap.log)"
  sed 's/^/deb /' <<<"$sources" >"$work/base/etc/apt/sources.list"
  apt-config dump | grep '^Acquire::.*::Proxy' >"$work/base/etc/apt/apt.conf.d/99proxy" || true
  tar -C "$work/base" -cf "$base.part" . && mv "$base.part" "$base"
  rm -rf --one-file-system "$work/base"
fi

# rm must never reach anything mounted in the root.
root=$work/root
unmount() { ! mountpoint -q "$root/proc" || umount "$root/proc"; }
clear_root() {
  unmount || fail "$root/proc cannot be unmounted"
  rm -rf --one-file-system "$root"
}
trap unmount EXIT
clear_root
mkdir -p "$root"
tar -C "$root" -xf "$base"
mount -t proc proc "$root/proc" || skip "nothing can be mounted here"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
inside() { chroot "$root" env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
install_packages() { inside apt-get -q -y install --no-install-recommends "$@" >>"$work/apt.log" 2>&1 || { tail -n 20 "$work/apt.log"; fail "apt-get install $*"; }; }

echo "== the program alone"
: >"$work/apt.log"
inside apt-get -q update >>"$work/apt.log" 2>&1 || skip "apt-get update fails in the bare Debian (see $work/apt.log)"
mkdir "$root/packages"
cp "$program" "$development" "$root/packages/"
install_packages "/packages/$(basename "$program")"
[ -z "$(inside dpkg-query -W -f='${Package}\n' | grep -E '^(g\+\+|lib.*-dev)$')" ] || fail "the program's package installs a compiler"
inside trellis --version
inside trellis info | grep -E '^(isa|threads|mpi)'
inside sh -c 'cd /root && sed "s/^trajectories = 120/trajectories = 50/" /usr/share/doc/trellis-qcd/examples/dynamical.toml >input.toml &&
  grep -q "^trajectories = 50" input.toml && trellis run input.toml >run.log 2>&1' || { tail "$root/root/run.log"; fail "trellis run"; }
inside sh -c 'cd /root && trellis inspect $(find quickstart-results -name "*.ildg")' >"$work/inspect.txt"
grep -q 'suma = bb25b1ab' "$work/inspect.txt" && grep -q 'sumb = 5e476010' "$work/inspect.txt" || { cat "$work/inspect.txt"; fail "a checksum other than bb25b1ab 5e476010"; }
echo "after 40 trajectories: bb25b1ab 5e476010"
for isa in v2 v3 v4; do
  inside env TRELLIS_ISA=$isa trellis --version || [ $? = 2 ] || fail "TRELLIS_ISA=$isa"
done
inside dpkg -L trellis-qcd >"$work/files.txt"
for file in man/man1/trellis.1.gz man/man1/trellis-run.1.gz bash-completion/completions/trellis zsh/vendor-completions/_trellis \
  fish/vendor_completions.d/trellis.fish doc/trellis-qcd/copyright; do
  grep -qx "/usr/share/$file\|/usr/share/${file%.gz}" "$work/files.txt" || fail "$file is not in the package"
done

echo "== a program of one's own"
install_packages "/packages/$(basename "$development")"
install_packages ninja-build
cmake -DPAGE="$tree/README.md" -DFOLDER="$root/root/plaquette" -P "$tests/readme_program.cmake"
cp "$tests/data/milc/lat.sample.l8888" "$root/root/"
inside sh -c 'cd /root/plaquette && cmake -G Ninja -S . -B build && cmake --build build' || fail "the README's program does not compile"
inside /root/plaquette/build/plaquette /root/lat.sample.l8888 | tee "$work/plaquette.txt"
grep -q 'plaquette 0\.593560240433' "$work/plaquette.txt" || fail "not the plaquette 0.593560240433"
inside apt-get -q -y purge trellis-qcd libtrellis-qcd-dev >>"$work/apt.log" 2>&1 || fail "apt-get purge"
[ ! -e "$root/usr/lib/trellis" ] && [ ! -e "$root/usr/bin/trellis" ] || fail "purge leaves files"
clear_root
echo "passed"
