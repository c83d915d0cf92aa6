#!/bin/sh
# portable.sh: everything but the recorder, for other platforms: built and tested for arm64 and 32-bit arm by cross compilers and
# qemu; compiled with musl's headers; compiled with POSIX's names alone. What is not installed is a SKIP. The libraries of the other
# platforms are Debian packages that are unpacked below build/portable/; nothing of this machine is changed.
# Ends with "portable: N passed, N failed, N skipped".
cd "$(dirname "$0")/.." || exit 1
part=portable
. tests/count.sh
. tests/compile_all.sh
all=$PWD/build/portable
mkdir -p "$all" || exit 1
packages='libc6-dev libgcc-12-dev libxml2-dev libgraphviz-dev libdw-dev libelf-dev zlib1g-dev libzstd-dev libjansson-dev picosat libcunit1-dev'
suites='base net pnml llnet lexer parser lower program value colour unfold marks mci deadlock reach sat certificate trace file report questions'

# WHAT COMMAND...
try() {
  what=$1
  shift
  testing "$what"
  echo "portable: $what"
  if "$@" >"$all/log" 2>&1; then pass; else fail "$what: see below" && tail -n 40 "$all/log"; fi
}

# ARCH: $root holds its libraries. apt-get finds the packages in a world of its own, in which nothing is installed.
unpack() {
  [ -e "$root/usr/include/zlib.h" ] && return
  mkdir -p "$root" "$all/$1/apt/lists/partial" "$all/$1/apt/archives/partial"
  set -- -qq -o "APT::Architecture=$1" -o "APT::Architectures=$1" -o "Dir::State=$all/$1/apt" -o Dir::State::status=/dev/null \
    -o "Dir::Cache=$all/$1/apt" -o Dir::Etc::parts=/dev/null -o APT::Install-Recommends=false -o APT::Sandbox::User=root
  apt-get "$@" update
  # shellcheck disable=SC2086 # several words
  apt-get "$@" install -y --download-only $packages || return 1
  for package in "$root"/../apt/archives/*.deb; do dpkg-deb -x "$package" "$root" || return 1; done
  # links from the root of that system lead there
  find "$root" -type l -lname '/*' | while read -r link; do ln -sf "$root$(readlink "$link")" "$link"; done
  # what installing graphviz would have made
  cp /usr/lib/*/graphviz/config6a "$root/usr/lib/$triple/graphviz" 2>/dev/null || true
}

# the tools as the tests call them, each by qemu
wrap() {
  mkdir -p "$build/emulated/bin"
  for tool in "$build"/bin/* "$build"/ask-programs/*; do
    name=${tool##*/}
    printf '#!/bin/sh\nexec %s -L "%s" -0 %s "%s" "$@"\n' "$(command -v "$emulator")" "$root" "$name" "$tool" >"$build/emulated/bin/$name"
    chmod +x "$build/emulated/bin/$name"
  done
}

# ARCH TRIPLE EMULATOR
cross() {
  triple=$2 emulator=$3 root=$all/$1/root build=$all/$1/build
  for tool in "$2-gcc" apt-get dpkg-deb pkg-config; do
    command -v "$tool" >/dev/null || { skip "$1: $tool is not installed"; return; }
  done
  testing "$1: its libraries"
  unpack "$1" >"$all/log" 2>&1 || { tail -n 5 "$all/log"; skip "$1: its libraries cannot be had"; return; }
  printf '#!/bin/sh\nPKG_CONFIG_SYSROOT_DIR="%s" PKG_CONFIG_LIBDIR="%s" exec pkg-config "$@"\n' "$root" "$root/usr/lib/$2/pkgconfig" \
    >"$all/$1/pkg-config"
  chmod +x "$all/$1/pkg-config"
  try "$1: it builds, without a warning" \
    make -s -j2 B="build/portable/$1/build" CC="$2-gcc --sysroot=$root" LLVM_CONFIG= PKG_CONFIG="$all/$1/pkg-config" test-programs
  [ -x "$build/unit" ] || return
  command -v "$3" >/dev/null || { skip "$1: $3 is not installed, so that it is built, but not run"; return; }
  wrap
  # shellcheck disable=SC2086 # several words
  try "$1: unit tests" env LIMIT=1200 "$3" -L "$root" "$build/unit" $suites
  try "$1: the engines agree" env LIMIT=1200 "$3" -L "$root" "$build/differential" 1-50
  try "$1: questions about programs" tests/ask/run.sh "$build/emulated/bin"
  try "$1: samples" env BIN="$build/emulated/bin" tests/samples.sh
  try "$1: command lines" env MODE=emulated BIN="$build/emulated/bin" tests/cli/run.sh
}

cross arm64 aarch64-linux-gnu qemu-aarch64
cross armhf arm-linux-gnueabihf qemu-arm
if command -v musl-gcc >/dev/null; then
  # the headers of the libraries are those of this machine, found behind musl's own
  try "musl: all compiles" compile_all musl-gcc -D_GNU_SOURCE -idirafter /usr/include -idirafter "/usr/include/$(gcc -print-multiarch)"
  skip "musl: its libraries are not to be had here, so that nothing is linked"
else
  skip "musl: musl-gcc is not installed"
fi
# of 2024; the headers here are of 2008
{
  printf '#include <stddef.h>\n#include <spawn.h>\n#include <sys/mman.h>\n'
  printf 'void *memmem(const void *, size_t, const void *, size_t);\nint pipe2(int *, int);\n'
  printf 'int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);\n'
  printf '#ifndef MAP_ANONYMOUS\n#define MAP_ANONYMOUS 32\n#endif\n'
} >"$all/names.h"
try "POSIX: all compiles with its names alone" compile_all gcc -D_XOPEN_SOURCE=700 -include "$all/names.h"
count_end
