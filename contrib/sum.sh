#!/bin/sh
# sum.sh FOLDER: what the shares in FOLDER come to together: prints what causalsum says, and ends with its exit code.
# Shares that are not complete are named on stderr; then the exit code is not 0.
[ $# = 1 ] || { echo "usage: sum.sh FOLDER" >&2; exit 3; }
folder=$1
of=$(cat "$folder/shares") || exit 3
set --
undone=
share=0
while [ "$share" -lt "$of" ]; do
  share=$((share + 1))
  [ -e "$folder/$share.done" ] || undone="$undone $share"
  [ -e "$folder/$share.jsonl" ] && set -- "$@" "$folder/$share.jsonl"
done
[ -z "$undone" ] || echo "sum.sh: these of $of shares are not complete:$undone" >&2
if [ -e "$folder/inputs.txt" ]; then causalsum --list="$folder/inputs.txt" "$@" -; else causalsum "$@" -; fi </dev/null
code=$?
if [ "$code" = 0 ] && [ -n "$undone" ]; then
  echo "verdict: unknown, as these shares are not complete:$undone"
  code=2
fi
exit $code
