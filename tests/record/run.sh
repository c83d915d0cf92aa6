#!/bin/sh
# run.sh [NAME...]: records the programs beside it, all or these, and runs the scripts beside it, which check more (`build` is build.sh).
# Programs are recorded as each compiler builds them at -O0, -O1 and -O2. A recorded program must print and end as one that is built without the
# recorder; and its log must be sound (sound.awk) and say what the head of the program wants. Needs $BIN/tracerec and
# $BIN/../record-show. Ends with "record: N passed, N failed, N skipped".
#
# In the first comment of a program, about its log in the STD format:
#     has: REGEX          a line of it                   not: REGEX     no line
#     count N: REGEX      N lines                        alternate: REGEX   such lines come from two threads in turn
#     order: OP(X) OP...  T1's begins and ends           stderr: REGEX  a line on stderr
#     exit: N, status: N  of the program                 flags:, link:  for the compilers
#     atomic:, except:    for tracerec run               modes:         of order; both, if it is missing
cd "$(dirname "$0")" || exit 1
here=$PWD
BIN=$(cd "${BIN:-../../bin}" && pwd)
tool=$BIN/tracerec show=$BIN/../record-show
LC_ALL=C
export LC_ALL
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
part=record
. ../count.sh
ulimit -c 0 # some of the programs crash, as they should
wanted=" $* "

head_of() { sed -n -e '/\*\//q' -e "s,^ \* $1: ,,p" "$program"; }
fault() { bad=true; echo "record: FAILED: $name, $compiler $level, $order: $*"; }

# a shell of its own says "Aborted" of a program, and its words go where the program's go
quietly() { sh -c '"$@"; exit $?' sh "$@"; }

# what the lines of the log must be
check_log() {
  while IFS= read -r line; do
    key=${line%%: *} regex=${line#*: }
    case $key in
    has | not | count*)
      n=$(grep -cE "$regex" "$work/log")
      case $key in
      has) [ "$n" -gt 0 ] || fault "nothing matches $regex" ;;
      not) [ "$n" = 0 ] || fault "$n lines match $regex" ;;
      *) [ "$n" = "${key#count }" ] || fault "$n lines match $regex, not ${key#count }" ;;
      esac ;;
    alternate)
      grep -E "$regex" "$work/log" | cut -d '|' -f 1 | uniq -c | awk '$1 > 1 { bad = 1 } END { exit NR < 10 || bad }' ||
        fault "not in turn: $regex" ;;
    order)
      got=$(sed -n -e 's/^T1:[^|]*|\(begin([^)]*)\).*/\1/p' -e 's/^T1:[^|]*|end.*/end/p' "$work/log" | tr '\n' ' ')
      case $got in *"$regex"*) ;; *) fault "T1's begins and ends: $got" ;; esac ;;
    esac
  done <<END
$(sed -n -e '/\*\//q' -e 's,^ \* \([a-z]* *[0-9]*: .*\),\1,p' "$program")
END
  awk -f sound.awk "$work/log" || fault "the log is not sound"
}

run_plain() {
  # shellcheck disable=SC2046,SC2086 # flags are several words
  gcc -O1 $(head_of flags) -I../../record "$program" -o "$work/plain" -pthread $(head_of link) 2>"$work/err" || { cat "$work/err"; fault "gcc"; }
  (cd "$work" && quietly ./plain) >"$work/want" 2>/dev/null
  want=$?
}

record_it() {
  set -- -o "$work/log.bin" --order="$order"
  [ -z "$(head_of atomic)" ] || set -- "$@" --atomic="$(head_of atomic)"
  [ -z "$(head_of except)" ] || set -- "$@" --except="$(head_of except)"
  rm -f "$work/log.bin"
  quietly timeout 60 "$tool" run "$@" "$work/prog" >"$work/got" 2>"$work/err"
  status=$?
  [ $status = $want ] || fault "exit $status, not $want: $(cat "$work/err")"
  cmp -s "$work/want" "$work/got" || fault "it prints $(cat "$work/got")"
  "$show" "$work/log.bin" >"$work/log" || fault "the log cannot be read"
  head_of stderr | while IFS= read -r line; do grep -qE "$line" "$work/err" || echo "$line"; done >"$work/missing"
  [ ! -s "$work/missing" ] || fault "stderr lacks $(cat "$work/missing")"
  check_log
}

run_all() {
  order=exact compiler=gcc level=-O1 bad=false
  run_plain
  expected=$(head_of exit) crashed=$(head_of status)
  [ $want = "${crashed:-${expected:-0}}" ] || fault "unrecorded it ends with $want"
  for compiler in $compilers; do
    for level in -O0 -O1 -O2; do
      testing "$name, $compiler $level"
      bad=false
      modes=$(head_of modes)
      # shellcheck disable=SC2046,SC2086
      if "$tool" $compiler $level $(head_of flags) "$program" -o "$work/prog" -pthread $(head_of link) 2>"$work/err"; then
        for order in ${modes:-exact sync}; do
          [ $level = -O1 ] || [ "$order" = exact ] && record_it
        done
      else
        cat "$work/err"
        fault "not compiled"
      fi
      if $bad; then failed=$((failed + 1)); else pass; fi
    done
  done
}

check() { # check WHAT COMMAND...
  what=$1
  shift
  testing "$script: $what"
  if "$@" >"$work/out" 2>&1; then
    pass
  else
    fail "$script: $what"
    cat "$work/out"
  fi
}

# a script of checks, in a folder of its own
run_script() {
  mkdir "$work/$script"
  cd "$work/$script" || exit 1
  # shellcheck source=/dev/null
  . "$here/$script.sh"
  cd "$here" || exit 1
}

compilers=gcc
if command -v clang >/dev/null; then compilers="gcc clang"; else skip "with clang: it is not installed"; fi
for name in $wanted; do
  [ -f "$name.sh" ] || [ -f "$name.c" ] || fail "$name: there is no such program"
done
for program in *.c; do
  name=${program%.c}
  [ "$name" != show ] || continue
  case $wanted in "  " | *" $name "*) run_all ;; esac
done
for script in build names named twins killed live part bounded around; do
  case $wanted in "  " | *" $script "*) run_script ;; esac
done
count_end
