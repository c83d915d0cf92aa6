#!/bin/sh
# run.sh BUILD: the shared library of that build, a folder, as others use it: what it shows and needs, installed in a folder of its own and
# found by pkg-config; its answers are those of causalcheck. Ends with "libcausal: N passed, N failed, N skipped".
cd "$(dirname "$0")/../.." || exit 1
root=$PWD part=libcausal
. tests/count.sh
case $1 in /*) build=$1 ;; *) build=$PWD/$1 ;; esac
library=$(ls "$build"/lib/libcausal.so.*.*.*) mode=${build##*/}
: "${CC:=gcc}" "${PKG_CONFIG:=pkg-config}"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
ASAN_OPTIONS=exitcode=99:$ASAN_OPTIONS
export ASAN_OPTIONS
case $mode in
asan) sanitize=-fsanitize=address,undefined ;;
tsan) sanitize=-fsanitize=thread ;;
*) sanitize= ;;
esac

# WHAT: stdin has lines that should not be there
nothing() {
  found=$(cat)
  if [ -z "$found" ]; then pass; else fail "$1: $(echo "$found" | tr '\n' ' ')"; fi
}

# ---- what it shows, and what it needs ----
testing "its symbols"
if command -v readelf >/dev/null && command -v nm >/dev/null; then
  nm -D --defined-only "$library" | sed 's/.* //' | grep -v '^causal_[a-z_]*@@LIBCAUSAL_[0-9.]*$' |
    grep -v '^LIBCAUSAL_[0-9.]*$' | if [ -n "$sanitize" ]; then grep -v '^__'; else cat; fi | nothing "shows more than causal_*"
  sed -n 's/^CAUSAL_API .*\(causal_[a-z_]*\)(.*/\1/p' libcausal/libcausal.h | sort >"$work/declared"
  nm -D --defined-only "$library" | sed -n 's/.* \(causal_[a-z_]*\)@@.*/\1/p' | sort >"$work/shown"
  diff "$work/declared" "$work/shown" | nothing "libcausal.map and libcausal.h disagree"
  if [ "$mode" = release ]; then
    readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v '^lib\(c\|m\|pthread\|dl\)\.so\|^ld-' |
      nothing "needs more than the C library"
    nm -D --undefined-only "$library" | sed 's/.* //; s/@.*//' |
      grep -x 'exit\|_exit\|_Exit\|fork\|vfork\|stdin\|stdout\|stderr\|perror\|printf\|puts\|putchar\|signal\|sigaction\|setitimer\|alarm\|kill\|raise\|getenv\|setlocale\|environ\|chdir\|atexit\|rand\|strtok\|strerror' |
      nothing "calls what is not its own to call"
    # .data has eight bytes of the compiler's own; constants with addresses in them are in .data.rel.ro
    {
      nm "$library" | sed -n 's/.* [bB] //p' | grep -v '^completed\.[0-9]*$\|^__bss_start$\|^_end$\|^__TMC_END__$'
      readelf -SW "$library" | sed -n 's/.* \(\.data\|\.tdata\|\.tbss\) .* 0*\([0-9a-f]*\) 00 .*/\1 \2/p' | grep -v '^\.data 8$'
    } | nothing "has global state"
  fi
else
  skip "its symbols: readelf or nm is missing"
fi

# ---- the calls ----
testing "the calls"
compile() { # FILE TO: with the library of the build
  # shellcheck disable=SC2086 # words
  $CC -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -g $sanitize -Ilibcausal "$1" -o "$2" -L"$build/lib" -lcausal -pthread
}
if compile tests/libcausal/calls.c "$work/calls"; then
  LD_LIBRARY_PATH=$build/lib within 300 "$work/calls" samples >"$work/log" 2>&1
  status=$?
  grep -v '^libcausal: calls: ' "$work/log"
  if [ $status = 0 ] && ! grep -q 'WARNING: ThreadSanitizer' "$work/log"; then pass; else fail "calls: it ends with $status"; fi
  if [ "$mode" != release ]; then
    :
  elif command -v valgrind >/dev/null; then
    LD_LIBRARY_PATH=$build/lib within 600 valgrind -q --leak-check=full --error-exitcode=9 "$work/calls" samples >"$work/log" 2>&1
    status=$?
    if [ $status = 0 ]; then pass; else cat "$work/log"; fail "calls: under valgrind it ends with $status"; fi
  else
    skip "calls: valgrind is missing"
  fi
else
  fail "calls: does not compile"
fi

# ---- installed ----
testing "installed"
prefix=$work/prefix
if make -s install prefix="$prefix" MODE="$mode" >"$work/log" 2>&1; then pass; else cat "$work/log"; fail "make install"; fi
if command -v "$PKG_CONFIG" >/dev/null; then
  PKG_CONFIG_PATH=$prefix/lib/pkgconfig
  export PKG_CONFIG_PATH
  flags=$("$PKG_CONFIG" --cflags --libs libcausal)
  # shellcheck disable=SC2086 # words
  if $CC -std=c99 -Wall -Wextra -Wpedantic -Werror $sanitize samples/libcausal/ask.c $flags -o "$work/ask"; then
    for row in figure5a.sml:1 figure5b.sml:0 nets/account.pnml:3 libcausal/ask.c:3; do
      LD_LIBRARY_PATH=$prefix/lib within 60 "$work/ask" "samples/${row%:*}" >"$work/log" 2>&1
      status=$?
      if [ $status = "${row#*:}" ]; then pass; else cat "$work/log"; fail "ask ${row%:*}: exit $status, expected ${row#*:}"; fi
    done
  else
    fail "ask.c: does not compile against what was installed"
  fi
else
  skip "installed: pkg-config is missing"
fi
echo '#include <libcausal.h>
int main() { CausalOptions options = CAUSAL_OPTIONS; return causal_verdict(causal_ask(CAUSAL_NET, "", 0, &options)) != CAUSAL_REFUSED; }' >"$work/plus.cc"
if command -v g++ >/dev/null; then
  # shellcheck disable=SC2086 # words
  if g++ $sanitize -I"$prefix/include" "$work/plus.cc" -L"$prefix/lib" -lcausal -o "$work/plus" &&
    ASAN_OPTIONS=detect_leaks=0 LD_LIBRARY_PATH=$prefix/lib "$work/plus"; then pass; else fail "from C++"; fi
else
  skip "from C++: g++ is missing"
fi
# ---- from Python ----
testing "from Python"
python=
for candidate in python3 /usr/bin/python3; do
  if [ -z "$python" ] && "$candidate" -W ignore -c 'import setuptools, wheel, pip' 2>/dev/null; then python=$candidate; fi
done
if [ -n "$sanitize" ]; then
  skip "from Python: a sanitizer needs a Python of its own"
elif [ -z "$python" ]; then
  skip "from Python: python3 with pip, setuptools and wheel is missing"
else
  cp -R python "$work/python" # pip builds in the folder
  if "$python" -m pip install -q --no-build-isolation --no-index --no-deps --target "$work/site" "$work/python" >"$work/log" 2>&1; then
    pass
    from_python() { # in a folder of its own, where the sources are not found
      (cd "$work" && LIBCAUSAL=$prefix/lib/libcausal.so PYTHONPATH=$work/site SAMPLES=$root/samples within 120 "$python" "$@")
    }
    if from_python "$root/tests/libcausal/test_bindings.py" >"$work/log" 2>&1; then pass; else cat "$work/log"; fail "test_bindings.py"; fi
    from_python "$root/python/witness.py" "$root/samples/figure5a.sml" >"$work/witness.svg"
    status=$?
    if [ $status = 1 ] && grep -q 'is not causally atomic' "$work/witness.svg" && xmllint --noout "$work/witness.svg"; then
      pass
    else
      fail "witness.py: exit $status, expected a picture and 1"
    fi
    from_python "$root/python/witness.py" "$root/samples/figure5b.sml" >"$work/witness.svg" 2>/dev/null
    status=$?
    if [ $status = 0 ] && [ ! -s "$work/witness.svg" ]; then pass; else fail "witness.py: exit $status, expected no picture and 0"; fi
    if "$python" -W ignore -m mypy --version >/dev/null 2>&1; then
      if from_python -m mypy --strict "$work/site/libcausal" "$root/python/witness.py" >"$work/log" 2>&1; then pass; else cat "$work/log"; fail "the types"; fi
    else
      skip "the types of the Python module: mypy is missing"
    fi
  else
    cat "$work/log"
    fail "pip install"
  fi
fi

make -s uninstall prefix="$prefix" MODE="$mode" >/dev/null 2>&1
find "$prefix" -mindepth 1 2>/dev/null | nothing "make uninstall leaves"

# ---- the same as causalcheck ----
# FILE: without what depends on time and memory, and what can be done about an error, which is not the same
plain() { grep -v '"seconds"\|"bytes"' | sed 's/ (sml2net and causalcheck: .*)"/"/; s/ (or .*)"/"/; s/; with its NUPN units.*"/"/; s/ (netconv --threads.*)"/"/'; }

compare() { # NOTION QUESTION FILE DEFINE...
  notion=$1 question=$2 file=$3 defines=
  shift 3
  for define; do defines="$defines -D $define"; done
  testing "the same: $notion $file$defines"
  # shellcheck disable=SC2086 # words
  "$build/bin/causalcheck" --notion="$notion" --format=json --max-events=20000 $defines "$file" 2>/dev/null | plain >"$work/theirs"
  LD_LIBRARY_PATH=$build/lib within 60 "$work/json" "$question" "$file" "$@" | plain >"$work/ours"
  if [ -s "$work/ours" ] && cmp -s "$work/ours" "$work/theirs"; then
    pass
  else
    diff "$work/theirs" "$work/ours" | head -4
    fail "$file$defines: $notion: not what causalcheck says"
  fi
}
if compile tests/libcausal/json.c "$work/json"; then
  for file in samples/*.sml samples/nets/*; do
    counts=$(sed -n "/^.. run: /{s/^.. run: *//; s/-W [^ ]*//g; s/-D *//g; p; q;}" "$file")
    # shellcheck disable=SC2086 # words
    compare causal 0 "$file" $counts
    # shellcheck disable=SC2086
    compare serializable 1 "$file" $counts
  done
else
  fail "json.c: does not compile"
fi
count_end
