#!/bin/sh
# run.sh [-t SECONDS] [-c KIND:QUESTION=COMMAND]... FOLDER: gives each input of the corpus in FOLDER (docs/corpus.md) to
# the tool for its kind and question, or to COMMAND: `sh` runs it, with the entry's options and its file behind it. Its
# answer is its exit code: 0 for atomic, serializable or no deadlock, 1 for the contrary; all else, and what takes
# longer than SECONDS (default 60), is unknown. With -c only these questions are asked. Prints a table, and what is wrong; ends
# with 1 if something is.
usage() {
  echo "usage: run.sh [-t SECONDS] [-c KIND:QUESTION=COMMAND]... FOLDER" >&2
  exit 3
}
root=$(cd "$(dirname "$0")/../.." && pwd)
PATH=${BIN:-$root/bin}:$PATH
LC_ALL=C
export PATH LC_ALL
limit=60
commands="sml:atomic=causalcheck -q -W no-all
c:atomic=check_c
net:atomic=causalcheck -q
net:deadlock=netunfold -q --deadlock
run:serializable=tracecheck -q
run:causal=tracecheck -q --notion=causal"
own=
while getopts t:c: option; do
  case $option in
  t) limit=$OPTARG ;;
  c) case $OPTARG in *:*=*) own="$own$OPTARG
" ;; *) usage ;; esac ;;
  *) usage ;;
  esac
done
shift $((OPTIND - 1))
if [ $# != 1 ] || ! [ -r "$1/manifest.json" ]; then usage; fi
[ -z "$own" ] || commands=$own
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
cd "$1" || exit 3
: >"$work/results"

# OPTION... FILE
cat >"$work/check_c" <<'END'
#!/bin/sh
for file; do :; done
case $1 in -*) define=$1 ;; *) define= ;; esac
c2net "$file" -- -I"$(dirname "$file")" $define 2>/dev/null | causalcheck -q
END
chmod +x "$work/check_c"
PATH=$work:$PATH

# LINE MEMBER: of an entry, which is a line; text, number, or a list of texts as lines
text_of() { printf '%s' "$1" | sed -n 's/.*"'"$2"'": "\([^"]*\)".*/\1/p'; }
list_of() { printf '%s' "$1" | sed -n 's/.*"'"$2"'": \[\([^]]*\)\].*/\1/p' | sed 's/", "/\n/g; s/^"//; s/"$//'; }
number_of() { printf '%s' "$1" | sed -n 's/.*"'"$2"'": \([0-9]*\),.*/\1/p'; }

now() { date +%s.%N; }

while read -r entry; do
  entry=${entry%%, \"blocks\": *} # behind that are verdicts of parts, and free text
  case $entry in '{"id": '*) ;; *) continue ;; esac
  kind=$(text_of "$entry" kind) question=$(text_of "$entry" question)
  command=$(printf '%s\n' "$commands" | sed -n "s/^$kind:$question=//p")
  [ -n "$command" ] || continue
  set --
  while read -r option; do [ -z "$option" ] || set -- "$@" "$option"; done <<END
$(list_of "$entry" options)
END
  begin=$(now)
  timeout -k 5 "$limit" sh -c "$command"' "$@"' - "$@" "$(text_of "$entry" file)" >"$work/out" 2>&1 </dev/null
  code=$?
  end=$(now)
  case $(text_of "$entry" verdict) in atomic | serializable | none) right=0 ;; *) right=1 ;; esac
  case $code in "$right") answer=right ;; 0 | 1) answer=WRONG ;; *) answer=unknown ;; esac
  [ $answer = right ] || echo "$answer: $(text_of "$entry" id): exit code $code, not $right: $(head -n 1 "$work/out")"
  echo "$kind $question $(number_of "$entry" events) $answer $begin $end" >>"$work/results"
done <manifest.json

sort -k 1,1 -k 2,2 -k 3,3n "$work/results" | awk '
  {
    size = 0
    for (n = $3; n >= 10; n /= 10) size++
    row = sprintf("%-4s %-12s 10^%d", $1, $2, size)
    if (!(row in total)) { rows[++n_rows] = row }
    total[row]++
    count[row, $4]++
    seconds[row] += $6 - $5
  }
  END {
    print "| kind | question | events | inputs | right | unknown | wrong | seconds |\n|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= n_rows; i++) {
      row = rows[i]
      split(row, part, " ")
      printf "| %-4s | %-12s | %s | %5d | %5d | %5d | %5d | %8.2f |\n", part[1], part[2], part[3], total[row],
        count[row, "right"], count[row, "unknown"], count[row, "WRONG"], seconds[row]
    }
  }'
! grep -q ' WRONG ' "$work/results"
