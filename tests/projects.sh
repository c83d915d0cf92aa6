#!/bin/sh
# projects.sh [NAME...]: records real programs, all or these: their sources come from the package registry that this machine uses, the configuration for
# which is a private one. Each is built plain and with `tracerec cc`; recorded it must do what it does plain, and its log must be whole and have places.
# Needs $BIN. Sources are kept in build/projects. Ends with "projects: N passed, N failed, N skipped".
root=$(cd "$(dirname "$0")/.." && pwd)
BIN=$(cd "${BIN:-$root/bin}" && pwd)
tool=$BIN/tracerec
LC_ALL=C
export LC_ALL
unset MAKEFLAGS MFLAGS MAKELEVEL CC CXX CFLAGS
store=$root/build/projects
mkdir -p "$store"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
wanted=" $* "

fail() { failed=$((failed + 1)); echo "projects: FAILED: $name: $*"; tail -n 20 "$work/log.txt" 2>/dev/null; }
skip() { skipped=$((skipped + 1)); echo "projects: SKIP $name: $*"; }
pass() { passed=$((passed + 1)); echo "$name: $*"; }
quietly() { "$@" >"$work/log.txt" 2>&1; }

# --- sources ---

private() { # private COMMAND ARGUMENT...: of apt, without the system's state; sources instead of binaries
  command=$1
  shift
  "$command" -qq -o Dir::Etc::sourcelist="$store/apt/sources.list" -o Dir::Etc::sourceparts="$store/apt/parts" -o Dir::State::lists="$store/apt/lists" \
    -o Dir::Cache="$store/apt/cache" -o APT::Sandbox::User=root "$@"
}

# what the machine itself takes its packages from, for their sources
list_sources() {
  mkdir -p "$store/apt/parts" "$store/apt/lists/partial" "$store/apt/cache/archives/partial"
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | sed -n 's/^deb \(.*\)/deb \1\ndeb-src \1/p' >"$store/apt/sources.list"
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] && sed 's/^Types:.*/Types: deb deb-src/' "$file" >"$store/apt/parts/${file##*/}"
  done
  private apt-get update
}

# fetch PACKAGE: its source is in $store/PACKAGE/src
fetch() {
  [ -d "$store/$1/src" ] && return
  command -v apt-get >/dev/null && command -v dpkg-source >/dev/null || { skip "apt-get and dpkg-source are not there"; return 1; }
  [ -e "$store/apt/listed" ] || { quietly list_sources && : >"$store/apt/listed"; } || { skip "the package registry cannot be reached"; return 1; }
  mkdir -p "$store/$1"
  (cd "$store/$1" && quietly private apt-get source "$1" && mv -- */ src) || { skip "its source is not to be had: $(tail -n 1 "$work/log.txt")"; return 1; }
}

# unpack PACKAGE: a package's files are in $store/PACKAGE, without being installed
unpack() {
  [ -d "$store/$1/usr" ] && return
  mkdir -p "$store/$1"
  (cd "$store/$1" && quietly private apt-get download "$1" && dpkg -x ./*.deb .)
}

# --- checks ---

# in_both COMMAND...: in a copy of the source for each, with $CC and $CXX
in_both() {
  for kind in plain recorded; do
    [ -d "$work/$name/$kind" ] || { mkdir -p "$work/$name" && cp -a "$store/$source/src" "$work/$name/$kind"; }
    case $kind in plain) CC=gcc CXX=g++ ;; *) CC="$tool cc" CXX="$tool c++" ;; esac
    export CC CXX
    (cd "$work/$name/$kind" && quietly "$@") || { fail "$kind: $*"; return 1; }
  done
}

# the log is whole, and some place is in one of the files that match
good_log() {
  "$BIN/tracecheck" -q --allow-empty "$1" >"$work/log.txt" 2>&1
  [ $? -le 1 ] || { fail "the log is not one"; return 1; }
  "$BIN/../record-show" "$1" >"$work/shown" || { fail "the log is not whole"; return 1; }
  [ "$(wc -l <"$work/shown")" -gt "$3" ] || { fail "the log has $(wc -l <"$work/shown") events"; return 1; }
  grep -qE "\|([^|]*/)?$2:[0-9]+:[0-9]+:" "$work/shown" || { fail "no place is in $2"; return 1; }
}

# packs PROGRAM UNPACK PLACES ARGUMENT...: a compressor that works with threads makes the same of its input
packs() {
  program=$1 unpack=$2 places=$3
  shift 3
  "$work/$name/plain/$program" "$@" <"$work/input" >"$work/want" || { fail "plain it ends with $?"; return; }
  "$tool" run -o "$work/run" sh -c '"$@" <"$0" >"${0%/*}/got"' "$work/input" "$work/$name/recorded/$program" "$@" 2>"$work/log.txt" ||
    { fail "recorded it ends with $?"; return; }
  cmp "$work/want" "$work/got" >"$work/log.txt" 2>&1 || { fail "what it makes is not the same"; return; }
  $unpack <"$work/got" | cmp - "$work/input" >"$work/log.txt" 2>&1 || { fail "what it makes cannot be read"; return; }
  good_log "$work/run" "$places" 500 && pass "$* makes the same, $(wc -l <"$work/shown") events"
}

# watches FUNCTIONS PROGRAM ARGUMENT...: after packs; calls of these are transactions. What is told while it runs is what the log of the run says, or unknown
watches() {
  functions=$1 program=$2
  shift 2
  "$tool" run --monitor --atomic="$functions" -o "$work/run" sh -c '"$@" <"$0" >"${0%/*}/got"' "$work/input" "$work/$name/recorded/$program" "$@" \
    >"$work/log.txt" 2>&1
  cmp "$work/want" "$work/got" >>"$work/log.txt" 2>&1 || { fail "watched, what it makes is not the same"; return; }
  told=$(sed -n 's/^verdict: //p' "$work/log.txt")
  after=$("$BIN/tracecheck" -q "$work/run" 2>>"$work/log.txt" | sed -n 's/^verdict: //p')
  case $told in "$after" | unknown) pass "watched it is $told" ;; *) fail "watched it is '$told', and its log '$after'" ;; esac
}

# input BYTES
make_input() { cat "$root"/*/*.c | head -c "$1" >"$work/input"; }

try_pigz() {
  source=pigz
  fetch pigz || return
  in_both sh -c 'make CC="$CC" pigz' || return
  make_input 400000
  packs pigz "gzip -dc" 'pigz.c|yarn.c' -n -p 3 -b 64 -c
  watches get_space,drop_space,use_space,put_trailer,compress_thread pigz -n -p 3 -b 64 -c
}

try_pbzip2() {
  source=pbzip2
  [ -e /usr/include/bzlib.h ] || { skip "bzlib.h is not there (libbz2-dev)"; return; }
  fetch pbzip2 || return
  in_both sh -c 'make CXX="$CXX" pbzip2' || return
  make_input 400000
  packs pbzip2 "bzip2 -dc" '[a-zA-Z]*.cpp' -p3 -b1 -c
  watches outputBufferAdd,queue::add,queue::remove pbzip2 -p3 -b1 -c
}

try_xz() {
  source=xz-utils
  fetch xz-utils || return
  in_both sh -c './configure --disable-doc --disable-nls && make' || return
  make_input 200000
  packs src/xz/xz "xz -dc" stream_encoder_mt.c -T3 -0 --block-size=64KiB -c
  watches all-calls src/xz/xz -T3 -0 --block-size=64KiB -c
  in_both make -C tests check && pass "its own tests pass"
}

try_zstd() {
  source=libzstd
  fetch libzstd || return
  in_both sh -c 'make -C programs CC="$CC" CFLAGS=-O2 zstd' || return
  make_input 400000
  packs programs/zstd "zstd -dc" '.*zstd.*.c' -T3 -B128K -1 -c
  watches POOL_add,ZSTDMT_getBuffer,ZSTDMT_releaseBuffer programs/zstd -T3 -B128K -1 -c
}

# talk_to SOCKET: what the server says
talk_to() {
  perl -MIO::Socket::UNIX -e '
    my ($path, @socket) = @ARGV;
    for my $i (0 .. 3) { push @socket, IO::Socket::UNIX->new(Peer => $path) || die "no server" }
    for my $round (0 .. 40) {
      for my $i (0 .. 3) { my $s = $socket[$i]; my $v = "x" x ($round + $i); print $s "set k$i 0 0 " . length($v) . "\r\n$v\r\nincr n 1\r\nget k$i\r\nadd n 0 0 1\r\n0\r\n"; $s->flush;
        for (1 .. 6) { my $line = <$s>; $line =~ s/^\d+\r/N\r/; print $line } } }' "$1"
}

# serve OUTPUT COMMAND...: a server on a socket is asked, and ended
serve() {
  output=$1
  shift
  rm -f "$work/socket"
  "$@" -s "$work/socket" -u root -t 3 -m 16 >"$work/log.txt" 2>&1 &
  server=$!
  for _ in 1 2 3 4 5 6 7 8 9 10; do [ -S "$work/socket" ] && break; sleep 0.3; done
  sleep 0.3
  talk_to "$work/socket" >"$output" 2>>"$work/log.txt" || echo "no answer" >>"$output"
  kill -TERM $server
  wait $server
}

try_memcached() {
  source=memcached event=/usr
  fetch memcached || return
  command -v perl >/dev/null || { skip "perl is not there"; return; }
  if ! [ -e /usr/include/event.h ]; then
    unpack libevent-dev && unpack libevent-2.1-7 || { skip "libevent is not to be had"; return; }
    event=$work/event/usr
    mkdir -p "$work/event" && cp -a "$store/libevent-dev/usr" "$store/libevent-2.1-7/usr" "$work/event"
    mv "$event"/lib/*-linux-gnu/* "$event/lib"
    export LD_LIBRARY_PATH="$event/lib"
  fi
  in_both sh -c "./configure --with-libevent=$event --disable-extstore --disable-docs && make memcached CFLAGS='-O1 -g -pthread'" || return
  serve "$work/want" "$work/$name/plain/memcached"
  serve "$work/got" "$tool" run -o "$work/run" "$work/$name/recorded/memcached"
  cmp "$work/want" "$work/got" >"$work/log2.txt" 2>&1 && ! grep -q 'no answer' "$work/want" || { fail "recorded it answers something else"; return; }
  good_log "$work/run" '(memcached|items|thread|assoc|slabs|proto_text).c' 1000 && pass "it answers the same, $(wc -l <"$work/shown") events"
}

. "$root/tests/projects/own.sh"

for name in pigz pbzip2 xz zstd memcached cmake cpp20; do
  case $wanted in "  " | *" $name "*) "try_$name" ;; esac
done
echo "projects: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
