#!/bin/sh
# setup.sh [--missing]: installs what the build and the tests need and the machine lacks. With apt as root or through sudo; where
# neither is to be had it prints the one line to run, and fails. With --missing it prints what the build alone lacks.
# $CC, $CFLAGS, $PKG_CONFIG and $RECORDER are the Makefile's.
set -eu
pkg_config=${PKG_CONFIG:-pkg-config} compiler=${CC:-gcc}

missing=
need() { # need PACKAGE COMMAND...: the package is missing if the command fails
  package=$1
  shift
  "$@" >/dev/null 2>&1 || missing="$missing $package"
}
name=${compiler%% *} # a compiler's package has its name
need "${name##*/}" "$name" --version
need make make --version
need pkg-config "$pkg_config" --version
need libxml2-dev "$pkg_config" --exists libxml-2.0
need libgraphviz-dev "$pkg_config" --exists libgvc libcgraph
[ -z "${RECORDER-yes}" ] || need libdw-dev "$pkg_config" --exists libdw
need zlib1g-dev "$pkg_config" --exists zlib
need libzstd-dev "$pkg_config" --exists libzstd
need libjansson-dev "$pkg_config" --exists jansson
need picosat sh -c "echo '#include <picosat/picosat.h>' | $compiler ${CFLAGS-} -E -"
if [ "${1-}" = --missing ]; then
  echo "${missing# }"
  exit 0
fi
need libcunit1-dev "$pkg_config" --exists cunit
need libxml2-utils xmllint --version
need graphviz dot -V
need cmark-gfm cmark-gfm --version
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
# shellcheck disable=SC2086 # several words
$sudo $line -qq >/dev/null
