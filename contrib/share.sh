#!/bin/sh
# share.sh FOLDER I N COMMAND...: checks share I of N: runs COMMAND, a tool with its options and inputs, and appends
# its results to FOLDER/I.jsonl. If the tool is killed, it is started again, twice at most, and goes on where it was.
# Makes FOLDER/I.done, and ends with 0, if each input of the share has a result, whatever that says; else ends with 1.
# Slurm and GNU parallel call this.
[ $# -ge 4 ] || { echo "usage: share.sh FOLDER I N COMMAND..." >&2; exit 1; }
folder=$1 share=$2 of=$3
shift 3

# what the scheduler tells the share alone, the tool must know, too
child=
trap 'if [ -n "$child" ]; then kill -TERM "$child"; wait "$child"; fi 2>/dev/null; exit 1' TERM INT

# "100 inputs: ...". A call that was stopped says "12 of 100 inputs", one that could not begin nothing
is_whole() { awk '/^[0-9]/ { whole = $2 ~ /^inputs?:?$/; exit } END { exit !whole }' "$folder/$share.txt"; }

rm -f "$folder/$share.done" "$folder/$share.txt"
for _ in 1 2 3; do
  "$@" --shard="$share/$of" --resume="$folder/$share.jsonl" --output="$folder/$share.txt" &
  child=$!
  wait "$child"
  code=$?
  child=
  if [ "$code" -le 4 ] && is_whole 2>/dev/null; then
    : >"$folder/$share.done"
    exit 0
  fi
  echo "share.sh: share $share of $of: exit code $code, and it is not complete" >&2
  [ "$code" -gt 128 ] || exit 1
done
exit 1
