#!/bin/sh
# Installs what the build and the tests need and the machine lacks. With apt as root or through sudo; where neither is to be
# had it prints the one line to run, and fails.
set -eu

missing=
need() { # need PACKAGE COMMAND...: the package is missing if the command fails
  package=$1
  shift
  "$@" >/dev/null 2>&1 || missing="$missing $package"
}
need gcc gcc --version
need make make --version
need pkg-config pkg-config --version
need libxml2-dev pkg-config --exists libxml-2.0
need libgraphviz-dev pkg-config --exists libgvc libcgraph
need libdw-dev pkg-config --exists libdw
need zlib1g-dev pkg-config --exists zlib
need libzstd-dev pkg-config --exists libzstd
need libcunit1-dev pkg-config --exists cunit
need picosat sh -c "echo '#include <picosat/picosat.h>' | gcc -E -"
need libxml2-utils xmllint --version
need graphviz dot -V
# pkg-config itself may just be missing: then its questions fail too, and apt passes over what is there
[ -n "$missing" ] || exit 0

line="apt-get install -y --no-install-recommends$missing"
if ! command -v apt-get >/dev/null 2>&1; then
  echo "setup: these Debian packages, or what your system calls them, are needed:$missing" >&2
  exit 1
elif [ "$(id -u)" = 0 ]; then
  sudo=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  sudo=sudo
else
  echo "setup: some packages are missing. Please run this line, then try again:" >&2
  echo "    sudo $line" >&2
  exit 1
fi
echo "setup: installing$missing"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo $line -qq >/dev/null
