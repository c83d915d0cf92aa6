#!/bin/sh
# Static analysis of the files named on the command line, with what is installed. Left out are checks that are wrong about this code:
# cppcheck takes a view (EffectList) for an owner, clang-tidy 14 does not see va_start in a variadic function.
status=0
if command -v cppcheck >/dev/null 2>&1; then
  cppcheck -q -I. --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
    --suppress=missingIncludeSystem --suppress=returnDanglingLifetime -DVERSION='""' -DLIBGVC='""' -DLIBXML2='""' "$@" || status=1
else
  echo "SKIP cppcheck: not installed"
fi
if command -v clang-tidy >/dev/null 2>&1; then
  # shellcheck disable=SC2046
  clang-tidy --quiet --warnings-as-errors='*' \
    --checks='-*,bugprone-*,clang-analyzer-*,-bugprone-easily-swappable-parameters,-bugprone-reserved-identifier,-bugprone-narrowing-conversions,-bugprone-implicit-widening-of-multiplication-result,-bugprone-suspicious-include,-bugprone-branch-clone,-clang-analyzer-security.insecureAPI.*,-clang-analyzer-valist.Uninitialized,-clang-analyzer-optin.performance.Padding,-bugprone-assignment-in-if-condition' \
    "$@" -- -std=c17 -I. -D_GNU_SOURCE -DVERSION='""' -DLIBGVC='""' -DLIBXML2='""' $(pkg-config --cflags libxml-2.0 libgvc 2>/dev/null) 2>/dev/null || status=1
else
  echo "SKIP clang-tidy: not installed"
fi
exit $status
