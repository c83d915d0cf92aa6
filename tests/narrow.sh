#!/bin/sh
# narrow.sh: where size_t and long have 32 bits, nothing is narrowed unseen: limits and counts of 64 bits stay what they are. All
# sources but those of the recorder are compiled for 32-bit x86, without a warning; nothing is linked, so that no library of that
# machine is needed. tests/portable.sh runs such a build, on arm. Ends with "narrow: N passed, N failed, N skipped".
cd "$(dirname "$0")/.." || exit 1
part=narrow
. tests/count.sh
. tests/compile_all.sh
: "${CC:=gcc}"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# the C library's headers for x86 are those of this machine, but for a list of functions that are missing, which nobody asks for
mkdir -p "$work/include/gnu" && : >"$work/include/gnu/stubs-32.h"
m32() {
  $CC -m32 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -isystem "$work/include" -idirafter "/usr/include/$($CC -print-multiarch 2>/dev/null)" \
    "$@" >>"$work/log" 2>&1
}
accepts() { # LINES
  printf '%s\n' "$@" >"$work/one.c"
  m32 -std=c17 -Werror -Wconversion -fsyntax-only "$work/one.c"
}

testing "32 bits"
if ! accepts '#include <stdio.h>' '_Static_assert(sizeof(size_t) == 4, "");'; then
  skip "32 bits: $CC -m32 finds no headers (for x86-64, gcc-multilib has them)"
else
  if accepts '#include <stdint.h>' 'extern uint64_t limit; extern unsigned size; void set(void);' 'void set(void) { size = limit; }'; then
    fail "32 bits: a limit that is narrowed is not noticed"
  else
    pass
  fi
  : >"$work/log"
  if compile_all m32; then pass; else cat "$work/log" && fail "32 bits: see above"; fi
fi
count_end
