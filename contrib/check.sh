#!/bin/sh
# check.sh: asks causalcheck about the models $FILES (patterns of the shell), with $ARGUMENTS, and writes the answers as
# SARIF into the folder $SARIF. Exit code 1 if a block is violated; 2 if a verdict is unknown, unless $UNKNOWN is "pass";
# 3 if a model cannot be read, or there is none. For GitHub's action, and for other build servers.
set -u
: "${FILES:?which models?}" "${ARGUMENTS=}" "${SARIF:=causal-sarif}" "${UNKNOWN:=fail}"

mkdir -p "$SARIF" || exit 3
n=0 worst=0
# shellcheck disable=SC2086 # patterns, and several words
for model in $FILES; do
  [ -e "$model" ] || { echo "check.sh: no file matches '$model'" >&2; worst=3; continue; }
  n=$((n + 1))
  result=$SARIF/$(printf '%s' "$model" | tr '/ ' '__').sarif
  printf '%s: ' "$model"
  causalcheck $ARGUMENTS --format=sarif -o "$result" "$model"
  code=$?
  case $code in
  0) echo atomic ;;
  1) echo violated ;;
  2) echo unknown; [ "$UNKNOWN" = fail ] || code=0 ;;
  *) echo error; code=3 ;;
  esac
  # an error outweighs a violation, and that an unknown verdict
  case $worst$code in 0? | 21 | ?3) worst=$code ;; esac
done
[ $n -gt 0 ] || { echo 'check.sh: no models' >&2; worst=3; }
exit $worst
