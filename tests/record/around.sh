# around.sh: part of run.sh: runs that are watched while only the newest part of their log is kept: the verdict is that of the whole run, what was not
# read is not written over, the disk holds no more than was asked for, and what is kept is a log.

root=$here/../..
for name in deposit sor lufact tsp raytracer elevator; do
  "$tool" cc -O1 "$root/samples/c/$name.c" -o $name -pthread -lm || exit 1
done
# `ends ROUNDS [split] [crash|leave]`: two threads write more than is kept; the last block of one may be split
cat >ends.c <<'END2'
#include <causal.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int shared, much[4096], rounds, split;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void add(int *at) { pthread_mutex_lock(&lock); ++*at; pthread_mutex_unlock(&lock); }
static void *work(void *first) {
  for (int i = 0; i < rounds; i++) {
    ATOMIC_BEGIN("round");
    add(&shared);
    ATOMIC_END();
    for (int k = 0; k < 8; k++) much[rand() % 4096]++;
  }
  pthread_barrier_wait(&both); /* neither has begun it long before the other */
  ATOMIC_BEGIN("last");
  if (split && first) add(&shared);
  pthread_barrier_wait(&both);
  if (!first) add(&shared);
  pthread_barrier_wait(&both);
  if (split && first) add(&shared);
  ATOMIC_END();
  return first;
}
int main(int argc, char **argv) {
  pthread_t t[2];
  rounds = atoi(argv[1]);
  split = argc > 2 && !strcmp(argv[2], "split");
  pthread_barrier_init(&both, NULL, 2);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, i ? argv : NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  if (!strcmp(argv[argc - 1], "crash")) abort();
  if (!strcmp(argv[argc - 1], "leave")) _exit(0);
  return 0;
}
END2
"$tool" cc -O1 ends.c -o ends -pthread && "$tool" cc -O1 "$here/live/short.c" -o short -pthread &&
  "$tool" cc -O1 "$here/live/random.c" -o random -pthread || exit 1

# the log's verdict is that of the monitor, or unknown if its begin is lost
log_agrees() { # VERDICT
  "$BIN/tracecheck" --allow-empty -q log >after 2>warned
  if grep -q 'begins in the middle' warned; then grep -qE "^verdict: (unknown|violated)" after; else grep -q "^verdict: $1" after; fi
}
kept() { # PROGRAM ARGUMENT...: with these `options`
  rm -f log log.raw.*
  within 100 "$tool" run --monitor --max-log=1M --keep-raw $options -o log "$@" >out 2>err
  code=$?
}
# KB: so much of the disk the raw log has taken; it never shrinks
disk_within() { [ "$(du -k log.raw.* | cut -f 1)" -le "$1" ] || { du -k log.raw.*; return 1; }; }
# VERDICT KB PROGRAM ARGUMENT...
goes_round() {
  verdict=$1 most=$2
  shift 2
  kept "$@"
  grep -q "^verdict: $verdict" err && log_agrees "$verdict" && disk_within "$most" && return
  echo "exit $code"
  cat err after warned
  return 1
}
# the same, of a run in which threads may happen to come one after the other: one of five does what is expected
one_goes_round() {
  for try in 1 2 3 4 5; do
    goes_round "$@" >"said.$try" && return
  done
  cat said.?
  return 1
}
options=''
check "deposit" one_goes_round violated 1900 ./deposit
check "sor" goes_round serializable 1900 ./sor 3 200 20
check "lufact" goes_round serializable 1900 ./lufact 3 120
check "tsp" goes_round serializable 1900 ./tsp 3 9
check "raytracer" one_goes_round violated 1900 ./raytracer 3 60
check "elevator" goes_round violated 1900 ./elevator 3 8 30
check "a long run" goes_round serializable 1900 ./ends 60000
check "its log has the end alone" grep -q 'begins in the middle' warned
check "with a violation at its end" goes_round violated 1900 ./ends 60000 split
check "which the log has, too" grep -q '^verdict: violated' after
check "that ends while it is read" goes_round violated 1900 ./ends 60000 split leave
check "that crashes" goes_round violated 1900 ./ends 60000 split crash
options=--stop
check "that is ended" goes_round violated 1900 ./ends 60000 split
check "which the log of its end has, too" grep -q '^verdict: violated' after
options=--order=sync
check "without the order of racy accesses" goes_round serializable 1900 ./ends 60000
options=''
check "threads one after another" goes_round serializable 8000 ./short 17000
check "and one in the middle of a block" goes_round violated 8000 ./short 1000 inside
check "more threads at a time than chunks are kept" goes_round serializable 6500 ./lufact 32 150

# nothing is lost where all of it fits
fits() {
  within 60 "$tool" run --monitor --max-log=100M -o log ./random "$1" >out 2>err
  "$BIN/tracecheck" --allow-empty -q log >after 2>warned
  [ ! -s warned ] && { grep -q '^verdict: unknown' err || [ "$(grep -h '^verdict: ' err)" = "$(cat after)" ]; } && return
  cat err after warned
  return 1
}
all_fit() { for seed in $(seq 1 "${RANDOM_RUNS:-20}"); do fits "$seed" || { echo "random $seed"; return 1; }; done; }
check "runs that fit" all_fit

piped() { # PATTERN COMMAND...
  pattern=$1
  shift
  within 60 "$tool" run --monitor --max-log=1M -o - "$@" 2>err | "$BIN/tracecheck" - >after 2>warned
  grep -q "$pattern" after
}
check "on a pipe" piped '^verdict: violated' ./ends 60000 split
check "it begins in the middle" grep -q 'begins in the middle' warned

# the reader is gone: the program goes on, its log goes round, and can still be made
left_alone() {
  rm -f pid log.raw.*
  "$tool" run --monitor --max-log=1M -o log sh -c 'echo $$ >pid; exec ./ends 200000' 2>/dev/null &
  parent=$!
  while [ ! -s pid ]; do sleep 0.01; done
  sleep 0.1
  kill -9 $parent
  wait $parent
  for _ in $(seq 3000); do kill -0 "$(cat pid)" 2>/dev/null || break; sleep 0.02; done
  disk_within 1900 && "$tool" salvage log.raw.* -o log && log_agrees serializable
}
check "the reader is killed" left_alone
check "its log has the end" grep -q 'begins in the middle' warned

refused() { # PATTERN OPTION...
  pattern=$1
  shift
  "$tool" run --monitor --max-log=1M "$@" ./ends 10 >out 2>err
  [ $? = 3 ] && grep -q -- "$pattern" err
}
check "no log that could be bounded" refused 'no log for --max-log, unless -o'
check "none at all" refused 'is about a log, and --no-log makes none' --no-log
