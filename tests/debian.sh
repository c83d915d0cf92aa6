#!/bin/sh
# debian.sh: the Debian packages: built from a clean clone, looked through by lintian, installed in a bare system of its own (debootstrap,
# kept in build/debian), in which debian/tests/ run. What is missing for that is a SKIP. Ends with "debian: N passed, N failed, N skipped".
cd "$(dirname "$0")/.." || exit 1
part=debian
. tests/count.sh
all=$PWD/build/debian
system=$all/system
mkdir -p "$all" || exit 1

has() { command -v "$1" >/dev/null || { skip "$2: $1 is missing"; return 1; }; }

# WHAT COMMAND...: what it prints is shown if it fails
try() {
  what=$1
  shift
  testing "$what"
  if "$@" >"$all/log" 2>&1; then pass; else
    tail -n 30 "$all/log"
    fail "$what"
    return 1
  fi
}

build() {
  rm -rf "$all/clone" "$all"/*.deb "$all"/*.changes && git clone -q . "$all/clone" && cd "$all/clone" &&
    within 1500 dpkg-buildpackage -us -uc -b && cd ../../..
}

# a bare system; where apt-get finds packages it finds them, too
bootstrap() {
  [ ! -e "$system/done" ] || return 0
  rm -rf "$system"
  . /etc/os-release
  mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb \([^[][^ ]*\).*/\1/p' | head -1)
  within 900 debootstrap --variant=minbase "$VERSION_CODENAME" "$system" "${mirror:-http://deb.debian.org/debian}" &&
    printf '#!/bin/sh\nexit 101\n' >"$system/usr/sbin/policy-rc.d" && chmod +x "$system/usr/sbin/policy-rc.d" && : >"$system/done"
}

inside() { DEBIAN_FRONTEND=noninteractive LC_ALL=C within 600 chroot "$system" "$@"; }

install_packages() {
  mkdir -p "$system/packages" && rm -rf "$system/packages"/* && cp "$all"/*.deb "$all/clone/debian/tests"/* "$system/packages" &&
    rm -f "$system/packages"/*-dbgsym_* && inside apt-get update -qq &&
    # man pages and docs would be left out in a bare system
    rm -f "$system"/etc/dpkg/dpkg.cfg.d/* &&
    inside sh -c 'apt-get install -y -qq --no-install-recommends man-db gcc libc6-dev pkg-config /packages/*.deb'
}

remove_packages() {
  inside sh -c 'apt-get purge -y -qq causal-tools causal-c2net libcausal0 libcausal-dev python3-libcausal &&
    ! find / -xdev -name "*causal*" -not -path "/packages*" -not -path "/proc/*" -not -path "/var/*" | grep .'
}

has dpkg-buildpackage "the packages" && has dh "the packages" && has dh_python3 "the packages" && has git "the packages" || { count_end; exit; }
try "dpkg-buildpackage" build || { count_end; exit; }
has lintian "lintian" && try "lintian" lintian --fail-on error "$all"/*.changes
if has debootstrap "a bare system"; then
  if [ "$(id -u)" != 0 ]; then
    skip "a bare system: needs root"
  elif ! bootstrap >"$all/log" 2>&1; then
    skip "a bare system: debootstrap ends with an error, see $all/log"
  elif try "the packages can be installed" install_packages; then
    mount -t proc proc "$system/proc" 2>/dev/null && trap 'umount "$system/proc"' EXIT
    for test in $(sed -n 's/^Tests: //p' debian/tests/control); do
      if [ "$test" = record ] && ! [ -e "$system/proc/self" ]; then
        skip "debian/tests/record: /proc cannot be mounted"
      else
        try "debian/tests/$test" inside sh "/packages/$test"
      fi
    done
    try "nothing is left when they are purged" remove_packages
  fi
fi
count_end
