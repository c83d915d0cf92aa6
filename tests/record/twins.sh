# twins.sh: part of run.sh: the programs of twins/, which are correct, and with -DTWIN broken. Each is recorded in either order; the log is sound, and
# that of the correct one is as the head of the program says, as with the programs beside this script; and the analysis knows the two apart.

twin_log() { # twin_log FILE COMPILER ORDER FLAG...
  program=$here/twins/$1 name=twins/$1 compiler=$2 order=$3 level=-O1 bad=false
  shift 3
  # shellcheck disable=SC2046 # flags are several words
  "$tool" "$compiler" -O1 $(head_of flags) "$@" "$program" -o twin -pthread && "$tool" run --order="$order" -o log.bin ./twin &&
    "$show" log.bin >"$work/log" && awk -f "$here/sound.awk" "$work/log"
}
says() { [ "$("$BIN/tracecheck" -q --analysis=combined log.bin)" = "verdict: $1" ]; }
correct() {
  twin_log "$@" && (cd "$here" && check_log && ! $bad) && says atomic
}
broken() {
  twin_log "$@" -DTWIN && says 'possibly not atomic'
}

for twin in "$here"/twins/*.c "$here"/twins/*.cc; do
  twin=$(basename "$twin")
  for cc in $compilers; do
    case $cc-$twin in
    gcc-*.cc) cc=g++ ;;
    *.cc) cc=$cc++ ;;
    esac
    check "$twin, $cc" correct "$twin" "$cc" exact
    check "$twin, $cc, sync" correct "$twin" "$cc" sync
    check "$twin, $cc, broken" broken "$twin" "$cc" exact
  done
done
