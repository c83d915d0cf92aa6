# own.sh: part of projects.sh: projects of our own.

# A CMake project in a deep folder, built in and beside it, by each way of naming the compiler.
try_cmake() {
  command -v cmake >/dev/null || { skip "cmake is not there"; return; }
  deep=$work/cmake/a/folder/far/below/the/root/with/a/name/that/is/long/enough/project
  mkdir -p "$deep" && cp -r "$root/tests/projects/cmake/." "$deep"
  printf '#!/bin/sh\nexec "%s" cc "$@"\n' "$tool" >"$work/cc" && chmod +x "$work/cc"
  for build in "$deep/build" "$work/beside"; do
    quietly cmake -S "$deep" -B "$build" -DCMAKE_C_COMPILER="$work/cc" && quietly cmake --build "$build" || { fail "it cannot be built"; return; }
    (cd "$build" && quietly "$tool" run --atomic=count -o run ./deep) || { fail "it cannot be recorded"; return; }
    good_log "$build/run" "lib/count.c" 10 || return
    "$BIN/tracecheck" --format=json "$build/run" >"$work/log.txt" 2>&1
    grep -q '"place": {"file": "[^"]*src/main.c", "line": [0-9]*, "column": [0-9]*, "function": "work"}' "$work/log.txt" || { fail "JSON has no place in src/main.c"; return; }
    grep -q '…' "$work/log.txt" && { fail "a place is cut"; return; }
  done
  pass "it is recorded, and has its places"
}

try_cpp20() {
  mkdir -p "$work/cpp20"
  for compiler in g++ clang++; do
    command -v $compiler >/dev/null || { skip "$compiler is not there"; continue; }
    quietly $compiler -std=c++20 -O1 "$root/tests/projects/cpp20.cc" -o "$work/cpp20/plain" -pthread || { skip "$compiler does not know C++20"; continue; }
    quietly "$tool" $compiler -std=c++20 -O1 "$root/tests/projects/cpp20.cc" -o "$work/cpp20/recorded" -pthread || { fail "$compiler: it cannot be built"; continue; }
    "$work/cpp20/plain" >"$work/want"
    "$tool" run --atomic=Account::deposit -o "$work/run" "$work/cpp20/recorded" >"$work/got" 2>"$work/log.txt" || { fail "$compiler: recorded it ends with $?"; continue; }
    cmp "$work/want" "$work/got" >"$work/log.txt" || { fail "$compiler: it prints something else"; continue; }
    good_log "$work/run" cpp20.cc 100 || continue
    grep -q 'begin(Account::deposit)' "$work/shown" || { fail "$compiler: no call of Account::deposit"; continue; }
    pass "$compiler: it prints the same, $(wc -l <"$work/shown") events"
  done
}
