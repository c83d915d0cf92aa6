#!/bin/sh
# setup_c.sh: installs what c2net needs and the machine lacks: LLVM's C interface, and clang. With apt as root or through sudo;
# where neither is to be had it prints the one line to run, and fails.
set -eu
for version in '' -14 -15 -16 -17 -18 -19; do
  command -v "llvm-config$version" >/dev/null 2>&1 && command -v "clang$version" >/dev/null 2>&1 || continue
  [ -f "$("llvm-config$version" --includedir)/llvm-c/Core.h" ] && exit 0
done
line="apt-get install -y --no-install-recommends llvm-dev clang"
if ! command -v apt-get >/dev/null 2>&1; then
  echo "setup-c: LLVM with its headers, and clang, versions 14 to 19, are needed" >&2
  exit 1
elif [ "$(id -u)" = 0 ]; then
  sudo=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  sudo=sudo
else
  echo "setup-c: please run this line, then try again:" >&2
  echo "    sudo $line" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
# shellcheck disable=SC2086 # several words
$sudo $line -qq >/dev/null
