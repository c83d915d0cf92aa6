#!/bin/sh
# said.sh FILE COMMAND...: runs the command; what it says on stderr is kept in FILE, too.
said=$1
shift
"$@" 2>"$said"
status=$?
cat "$said" >&2
[ -s "$said" ] || rm -f "$said"
exit $status
