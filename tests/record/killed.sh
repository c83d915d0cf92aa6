# killed.sh: part of run.sh: no run is lost: signals to the program and to tracerec, raw logs that were left behind, full disks.

cat >forever.c <<'END'
#include <causal.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
int both;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *work(void *slowly) {
  for (int i = 0;; i++) {
    if (slowly && i % 100 == 0) usleep(1000);
    ATOMIC_BEGIN("step");
    pthread_mutex_lock(&lock);
    both++;
    pthread_mutex_unlock(&lock);
    ATOMIC_END();
  }
}
int main(int argc, char **argv) {
  pthread_t thread;
  if (argc > 2) close(creat(argv[2], 0600));
  pthread_create(&thread, 0, work, argv[1]);
  work(argv[1]);
}
END
cat >few.c <<'END'
#include <pthread.h>
int both[64];
static void add(unsigned i) { both[i * i % 61]++; } /* no loop that is one word of the raw log */
void *work(void *argument) { for (unsigned i = 0; i < 20000; i++) add(i); return argument; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  work(0);
  return pthread_join(thread, 0);
}
END
printf '#include <unistd.h>\nint done;\nint main(void) { usleep(700000); done = 1; return 0; }\n' >late.c
"$tool" cc -O1 forever.c -o forever -pthread && "$tool" cc -O0 few.c -o few -pthread && "$tool" cc late.c -o late || exit 1
mkdir logs

is_log() { "$show" "$1" >shown && awk -f "$here/sound.awk" shown; }
nothing_else() { [ "$(ls logs)" = "${1:-}" ] || { ls -l logs; false; }; }

# timed_out SIGNAL ROUND: it is ended after some milliseconds, by two signals. Nothing is lost if the program has not begun by then
timed_out() {
  rm -f logs/* begun
  timeout -s "$1" "$(printf '0.%03d' $((at_least + $2 % 60)))" "$tool" run -o logs/run ./forever slowly begun 2>err
  [ $? = 124 ] || { cat err; return 1; }
  [ -e begun ] || [ -e logs/run ] || { nothing_else; return; }
  "$show" logs/run >shown && nothing_else run
}
# struck: SIGTERM again and again, until it has ended; some come while the log is written, which takes milliseconds, in one of three runs
struck() {
  for run in 1 2 3; do
    rm -f logs/*
    "$tool" run -o logs/run ./forever 2>err &
    child=$!
    sleep 0.3
    while kill -TERM $child 2>/dev/null; do sleep 0.001; done
    wait $child
    [ $? = 143 ] && is_log logs/run && nothing_else run || return 1
    if grep -q 'kill -9' err; then return; fi
    echo "run $run: no signal came then"
  done
  return 1
}
# leave_raw: tracerec is killed, then the program; `raw` is what is left
leave_raw() {
  rm -f logs/*
  "$tool" run "$@" -o logs/run ./forever slowly 2>err &
  child=$!
  sleep 0.2
  kill -9 $child
  wait $child 2>/dev/null
  raw=$(echo logs/run.raw.*)
}
end_program() {
  pid=$(sed -n 's,.*process \([0-9]*\) is still.*,\1,p' err)
  [ "$pid" ] && kill -9 "$pid" && while kill -0 "$pid" 2>/dev/null; do sleep 0.01; done
}
salvages() {
  leave_raw
  ! "$tool" salvage "$raw" -o logs/run 2>err || return 1
  grep -q 'still running' err && ! [ -e logs/run ] && end_program && "$tool" salvage "$raw" -o logs/run && is_log logs/run &&
    grep -q 'begin(step)' shown && grep -q '|w(both)|forever.c:12:' shown
}
# the log is what it would have been
salvages_the_same() {
  rm -f logs/*
  "$tool" run "$@" --keep-raw -o logs/run ./few 2>err && "$tool" salvage logs/run.raw.* >logs/salvaged 2>err2 && cmp logs/run logs/salvaged && cmp err err2
}
# kill -9 while the log is written
killed_while_writing() {
  rm -f logs/*
  (ulimit -v unlimited; exec "$tool" run -o logs/run ./forever) 2>err &
  child=$!
  sleep 0.5
  kill -TERM $child
  until ls logs/run.?????? >/dev/null 2>&1; do sleep 0.01; done
  kill -9 $child
  wait $child 2>/dev/null
  [ ! -e logs/run ] && "$tool" salvage logs/run.raw.* -o logs/run && is_log logs/run
}
refuses() { # refuses FILE REGEX: with exit 3, and leaves nothing
  rm -f logs/*
  "$tool" salvage "$1" -o logs/run 2>err
  [ $? = 3 ] && grep -qE "$2" err && [ "$(wc -l <err)" = 1 ] && nothing_else || { cat err; return 1; }
}
refuses_parts() {
  for chunks in 5 6 7; do
    head -c $((chunks * 65536)) raw >part
    refuses part 'damaged or truncated' || return 1
  done
}
# a full disk, in a file system of its own; 77: that is not to be had
on_full_disk() {
  mkdir -p disk
  unshare -rm sh -c 'mount -t tmpfs -o size='"$1"' none disk && shift && "$@"' sh "$@"
}
# what the thread has not logged may be its exit
# LOG: it does not say that it is whole, so nothing follows of what it does not have
is_open() {
  "$show" "$1" >shown
  [ $? = 2 ] || return 1
  "$BIN/tracecheck" --allow-empty -q "$1" >verdict 2>/dev/null
  [ $? = 2 ] && grep -qx 'verdict: unknown' verdict
}
cuts_short() {
  on_full_disk 500k sh -c 'TMPDIR=disk "$0" run --keep-local ./few 2>err >log && [ ! "$(ls disk)" ]' "$tool" && grep -q 'cut short.*No space left' err && is_open log
}
# keeps_raw SIZE: there is no log; what there is of the raw log can be made one
keeps_raw() {
  on_full_disk "$1" sh -c '"$0" run --keep-local -o disk/run ./few 2>err; [ $? = 3 ] && ls disk >kept && [ ! -e disk/run ] &&
    { [ ! -s kept ] || "$0" salvage disk/run.raw.* >log; }' "$tool" && grep -q 'No space left' err && { [ ! -s kept ] || is_log log; }
}

# no_memory KB: no events, or not all; that is said, once
no_memory() {
  (ulimit -v "$1"; "$tool" run -o logs/run ./few 2>err)
  grep -q '1 threads were cut short, because.*: Cannot allocate memory' err && [ "$(wc -l <err)" = 1 ] && is_open logs/run
}

case $MODE in asan) at_least=300 ;; *) at_least=30 ;; esac
round=0
while [ $round -lt 100 ]; do
  case $round in *[05]) by=INT ;; *3) by=HUP ;; *) by=TERM ;; esac
  check "SIG$by to the group, round $round" timed_out $by $round
  round=$((round + 1))
done
check "many signals" struck
case $MODE in
asan) echo "SKIP little memory: not for asan builds" ;;
*) for room in 20000 40000 60000; do check "with $room KB" no_memory $room; done ;;
esac
check "a raw log that is left behind" salvages
check "a log is salvaged as it was" salvages_the_same
check "with its functions" salvages_the_same --atomic=add,missing --atomic=none --except=work
check "with all objects" salvages_the_same --keep-local
check "kill -9 while the log is written" killed_while_writing
: >empty
printf 'CUACRAW2 it says\n' >text
head -c 300000 /dev/urandom >random
{ head -c 200000 /dev/zero; } >zeros
for file in empty text random zeros; do check "no raw log: $file" refuses $file 'not a raw log'; done
check "no raw log: a folder" refuses logs 'raw log|directory'
check "no raw log: nothing" refuses nowhere 'No such file'
"$tool" run --keep-raw --keep-local -o log ./few 2>err && mv log.raw.* raw
check "raw logs that are cut off" refuses_parts
{ head -c 262144 raw; head -c 65536 /dev/urandom; tail -c +327681 raw; } >part
check "a raw log with noise in it" refuses part 'damaged'
# one chunk is gone: the first, the last or the only one of a thread, which had ended or not
cat >rounds.c <<'END'
#include <pthread.h>
static volatile int n[2][61];
static void *work(void *argument) {
  for (unsigned i = 0; i < 10000; i++) n[argument != NULL][i * i % 61]++;
  return argument;
}
static void *rest(void *argument) { return argument; }
int main(void) {
  pthread_t t;
  work(NULL);
  for (int i = 0; i < 3; i++)
    if (pthread_create(&t, NULL, i ? work : rest, &t) || pthread_join(t, NULL)) return 3;
  work(NULL);
  return 0;
}
END
refuses_without() {
  missing=0
  for chunk in $(seq 4 $(($(stat -c %s rounds.raw) / 65536 - 1))); do
    [ "$(dd if=rounds.raw bs=65536 skip="$chunk" count=1 2>/dev/null | head -c 4 | od -An -tx4 | tr -d ' ')" = 00000000 ] && continue
    cp --sparse=always rounds.raw part
    dd if=/dev/zero of=part bs=65536 seek="$chunk" count=1 conv=notrunc 2>/dev/null
    refuses part 'damaged or truncated: chunks of it are missing' || { echo "chunk $chunk"; return 1; }
    missing=$((missing + 1))
  done
  echo "$missing chunks"
  [ $missing -gt 8 ]
}
"$tool" cc -O1 rounds.c -o rounds -pthread && "$tool" run --keep-raw --keep-local -o log ./rounds 2>err && mv log.raw.* rounds.raw
check "a raw log without one of its chunks" refuses_without
check "names of functions that were not recorded" sh -c "'$tool' salvage raw --atomic=add -o logs/run 2>err; [ \$? = 3 ] && grep -q 'without --atomic' err"
if on_full_disk 1m true 2>/dev/null; then
  check "a disk that is full while the program runs" cuts_short
  check "a disk that is full before" keeps_raw 64k
  check "a disk that is full while the log is written" keeps_raw 1100k
else
  echo "SKIP full disks: no file system may be mounted here"
fi
