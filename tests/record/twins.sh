# twins.sh: part of run.sh: the programs of twins/, which are correct, and with -DTWIN broken: what is in the log of the correct one.
# Their heads are as those of the programs beside this script.

twin_log() { # twin_log NAME COMPILER ORDER FLAG...
  program=$here/twins/$1.c name=twins/$1 compiler=$2 order=$3 level=-O1 bad=false
  shift 3
  "$tool" "$compiler" -O1 "$@" "$program" -o twin -pthread && "$tool" run --order="$order" -o log.bin ./twin && "$show" log.bin >"$work/log" &&
    awk -f "$here/sound.awk" "$work/log"
}
correct() {
  twin_log "$@" && (cd "$here" && check_log && ! $bad)
}

for twin in "$here"/twins/*.c; do
  twin=$(basename "$twin" .c)
  for cc in $compilers; do
    check "$twin, $cc" correct "$twin" "$cc" exact
    check "$twin, $cc, sync" correct "$twin" "$cc" sync
    check "$twin, $cc, broken" twin_log "$twin" "$cc" exact -DTWIN
  done
done
