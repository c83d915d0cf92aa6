# live.sh: part of run.sh: runs that are monitored while they go on: the verdict is that of tracecheck on the log of the same run, and nothing that
# happens to the program, to the reader or to the disk makes it a wrong one.

root=$here/../..
"$tool" cc -O1 "$here/live/random.c" -o random -pthread && "$tool" cc -O1 "$here/live/same_line.c" -o same_line -pthread &&
  "$tool" cc -O1 "$root/samples/c/deposit.c" -o deposit -pthread || exit 1
for name in sor lufact tsp raytracer elevator hashtable; do
  "$tool" cc -O1 "$root/samples/c/$name.c" -o $name -pthread -lm || exit 1
done

verdict_of() { grep -h '^verdict: ' "$1"; }
# the places of messages, without the call stacks, which the monitor does not know
places_of() { sed -n -e '/^note: /d' -e 's/^\([^ ]*: [a-z]*\): .*/\1/p' "$1"; }

# PROGRAM ARGUMENT...: with these `options` the monitor says what tracecheck says of the log; if `may_give_up`, it may say nothing, or explain it in another way, where a
# thread is interrupted at a read that may be part of a wait
agrees() {
  within 60 "$tool" run --monitor $options -o log "$@" >/dev/null 2>live
  within 60 "$BIN/tracecheck" --allow-empty log >after
  if [ "$may_give_up" ] && grep -q '^verdict: unknown' live; then return 0; fi
  if [ "$(verdict_of live)" = "$(verdict_of after)" ]; then
    if [ "$(places_of live)" = "$(places_of after)" ]; then return 0; fi
    others=$((others + 1))
    if [ "$may_give_up" ]; then return 0; fi
  fi
  cat live after
  return 1
}

check "deposit" agrees ./deposit
check "sor" agrees ./sor 3 40 10
check "lufact" agrees ./lufact 3 60
check "tsp" agrees ./tsp 3 9
check "raytracer" agrees ./raytracer 3 20
check "elevator" agrees ./elevator 3 8 30
check "hashtable" agrees ./hashtable

# without a log what changes nothing is left out; each place that is told is the right one
tells_second() {
  within 60 "$tool" run --monitor ./same_line 2>live >/dev/null
  grep -q 'has written it at [^ ]*same_line.c:13:' live || { cat live; return 1; }
}
check "two variables of a line" tells_second

# of random programs some are violated, some are not, and few are given up
all_agree() {
  may_give_up=yes violated=0 fine=0 others=0 options=''
  for seed in $(seq 1 "${RANDOM_RUNS:-60}"); do
    agrees ./random "$seed" || { echo "random $seed"; return 1; }
    case $(verdict_of live) in *violated) violated=$((violated + 1)) ;; *serializable) fine=$((fine + 1)) ;; esac
  done
  may_give_up='' options=''
  echo "$violated violated, $fine serializable"
  [ $violated -gt 0 ] && [ $fine -gt $((${RANDOM_RUNS:-60} / 3)) ] && [ $others -lt $((${RANDOM_RUNS:-60} / 5)) ]
}
check "random programs" all_agree

# the same with functions as transactions
all_agree_on() { # OPTION...
  may_give_up=yes options=$* others=0
  for seed in $(seq 1 $((${RANDOM_RUNS:-60} / 3))); do
    agrees ./random "$seed" || { echo "random $seed"; return 1; }
  done
  may_give_up='' options=''
  [ $others -lt $((${RANDOM_RUNS:-60} / 5)) ]
}
check "all calls" all_agree_on --atomic=all-calls
check "functions that threads start with" all_agree_on --atomic=work
check "functions in them" all_agree_on --atomic=step,touch
check "without the order of racy accesses" all_agree_on --order=sync

# without a log the recorder leaves out what changes nothing: of runs that are the same the same transaction is told, and mostly in the same way,
# but that a write may be named for the read before it, and that accesses to a line come together
lines_of() { places_of "$1" | sed 's/:[0-9]*: /: /'; }
same_without_log() {
  "$tool" cc -O1 "$here/live/turns.c" -o turns -pthread || return 1
  violated=0 otherwise=0
  for seed in $(seq 1 "${RANDOM_RUNS:-60}"); do
    agrees ./turns "$seed" || { echo "turns $seed"; return 1; }
    mv live first
    within 60 "$tool" run --monitor ./turns "$seed" 2>live
    if [ "$(verdict_of live)" != "$(verdict_of first)" ] || [ "$(lines_of live | head -n 1)" != "$(lines_of first | head -n 1)" ]; then
      echo "turns $seed"
      cat first live
      return 1
    fi
    [ "$(lines_of live)" = "$(lines_of first)" ] || otherwise=$((otherwise + 1))
    case $(verdict_of live) in *violated) violated=$((violated + 1)) ;; esac
  done
  echo "$violated violated, $otherwise told otherwise"
  [ $violated -gt $((${RANDOM_RUNS:-60} / 20)) ] && [ $otherwise -lt $((${RANDOM_RUNS:-60} / 10)) ]
}
check "without a log" same_without_log

line_is() { # VERDICT CASE
  within 20 "$tool" run --monitor ./lines "$2" 2>err
  grep -q "^verdict: $1" err || { cat err; return 1; }
}
"$tool" cc -O1 "$here/live/lines.c" -o lines -pthread || exit 1
check "bytes of a line that another thread has written" line_is violated lost
check "bytes that are read by the code that writes others" line_is serializable kept
check "bytes that are read with some that are written" line_is serializable mixed

# a line that is open to readers: `reads` open it, `again` opens it anew
"$tool" cc -O1 "$here/live/open.c" -o open -pthread || exit 1
steps_are() { # VERDICT STEPS: with a log or without one, and the same is told
  within 20 "$tool" run --monitor -o log ./open "$2" 2>first
  within 20 "$tool" run --monitor ./open "$2" 2>live
  if grep -q "^verdict: $1" live && cmp -s first live; then return 0; fi
  cat first live
  return 1
}
reads="1r 2r 1r 2r 1r 2r" again="2r 1r 2r 1r 2r 1r 2r 1r 2r 1r 2r 1r"
check "bytes of a line that are read in two places" steps_are violated "0( 0r 0R 1W 0R 0)"
check "a line that is open" steps_are serializable "$reads 0( 0r 1r 2r 0r 0)"
check "a line that is open no more" steps_are violated "$reads 0( 0r 1w 0r 0)"
check "a line that is open again" steps_are violated "$reads 0( 0r 1w $again 0r 0)"
check "a line that is open again, its end" steps_are violated "$reads 0( 0R 1W $again 0R 0)"
check "a line that is open again, other bytes" steps_are serializable "$reads 0( 0r 1W $again 0r 0)"
check "a line that is read, and written by the same" steps_are serializable "$reads 0( 0r 2r 1r 0w 0) 1( 1r 2r 0r 1w 1)"
check "a line that is read, written, and open again" steps_are violated "$reads 0( 0r 0w $again 0w 0)"
random_steps() { # SEED
  awk -v seed="$1" 'BEGIN {
    srand(seed)
    seldom = 3 + int(rand() * 20)
    for (i = 30 + int(rand() * 40); i > 0; i--) {
      t = int(rand() * 3)
      x = rand()
      if (x < .1) { step = inside[t] ? ")" : "("; inside[t] = !inside[t] }
      else if (rand() * seldom < 1) step = rand() < .6 ? "w" : "W"
      else step = rand() < .7 ? "r" : "R"
      printf "%s%d%s", space, t, step
      space = " "
    }
    for (t in inside) if (inside[t]) printf " %d)", t
  }'
}
random_steps_agree() {
  for seed in $(seq 1 "${RANDOM_RUNS:-60}"); do
    steps=$(random_steps "$seed")
    within 20 "$tool" run --monitor ./open "$steps" 2>live
    within 20 "$tool" run -o log ./open "$steps" 2>/dev/null
    within 20 "$BIN/tracecheck" --allow-empty log >after
    if grep -q '^verdict: unknown' live && ! echo "$steps" | grep -q '('; then continue; fi
    [ "$(verdict_of live)" = "$(verdict_of after)" ] || { echo "$steps"; cat live after; return 1; }
  done
}
check "random steps at one line" random_steps_agree

# what the program does stays as it is
unchanged() { within 20 "$tool" run --monitor ./deposit 2>err | grep -q '^balance: '; }
check "what the program prints goes to stdout" unchanged
exits_with() { # CODE COMMAND...
  want=$1
  shift
  within 60 "$@" >out 2>err
  got=$?
  [ $got = "$want" ] || { echo "exit $got"; cat out err; return 1; }
}
check "exit code 1: violated" exits_with 1 "$tool" run --monitor ./deposit
check "exit code of the program" exits_with 0 "$tool" run --monitor ./sor 3 20 3
check "what is not recorded" exits_with 3 "$tool" run --monitor true
check "it says so" grep -q 'true was not recorded' err
check "a program that is not there" exits_with 127 "$tool" run --monitor ./nowhere
check "--stop needs --monitor" exits_with 3 "$tool" run --stop -o log ./deposit
check "--follow and --monitor" exits_with 3 "$tool" run --monitor --follow=steps ./deposit
check "all-functions" exits_with 3 "$tool" run --monitor --atomic=all-functions ./deposit

# the last thing that a thread has done before it rests may still be a read of which there comes a write, or a copy
cat >rests.c <<'END2'
#include <causal.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
struct { int x[20]; } all __attribute__((aligned(128)));
int one, seen;
void *(*volatile set)(void *, int, size_t) = memset;
void *other(void *unused) {
  usleep(100000);
  all.x[5] = 7;
  one = 7;
  return unused;
}
int main(int argc, char **argv) {
  pthread_t t;
  (void)argv;
  pthread_create(&t, NULL, other, NULL);
  ATOMIC_BEGIN("rest");
  if (argc > 1) set(&all, 0, sizeof all);
  else seen = one;
  usleep(300000);
  seen += argc > 1 ? all.x[5] : one;
  ATOMIC_END();
  pthread_join(t, NULL);
  return seen != 7;
}
END2
"$tool" cc -O1 rests.c -o rests -pthread || exit 1
check "a read, then a rest" exits_with 1 "$tool" run --monitor ./rests
check "a copy, then a rest" exits_with 1 "$tool" run --monitor ./rests set
check "the program sees it" ./rests set

# an atomic read is put aside while its thread rests, then a transaction begins
cat >early.c <<'END2'
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
atomic_int flag;
int n;
__attribute__((noinline)) void step(void) {
  const int old = n;
  usleep(150000);
  n = old + 1;
}
void *other(void *unused) {
  atomic_fetch_add(&flag, 2);
  n = 1;
  usleep(150000);
  n = 7;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  usleep(20000);
  n = 2;
  (void)atomic_load(&flag);
  usleep(50000);
  step();
  pthread_join(t, NULL);
  return 0;
}
END2
"$tool" cc -O1 early.c -o early -pthread || exit 1
check "an atomic read, a rest, a transaction" exits_with 1 "$tool" run --monitor --atomic=step ./early

# the violation is told while the program runs, which ends only once it was seen to be
cat >patient.c <<'END2'
#include <causal.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>
int account;
sem_t a, b;
void *other(void *argument) {
  sem_wait(&a);
  ATOMIC_BEGIN("other");
  account++;
  ATOMIC_END();
  sem_post(&b);
  return argument;
}
int main(int argc, char **argv) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  ATOMIC_BEGIN("patient");
  int before = account;
  sem_post(&a);
  sem_wait(&b);
  account = before + 1;
  ATOMIC_END();
  while (argc > 1 && access(argv[1], F_OK)) usleep(1000);
  puts("the end");
  return pthread_join(thread, 0);
}
END2
"$tool" cc patient.c -o patient -pthread || exit 1
told_at_once() {
  rm -f told
  within 60 "$tool" run --monitor ./patient told >out 2>err &
  for _ in $(seq 3000); do
    if grep -q '^verdict: violated' err 2>/dev/null; then break; fi
    sleep 0.02
  done
  grep -q '^verdict: violated' err && [ ! -s out ]
  early=$?
  touch told
  wait $!
  [ $? = 1 ] && [ $early = 0 ] && grep -q 'the end' out
}
check "told while the program runs" told_at_once
check "--stop ends it" exits_with 1 "$tool" run --monitor --stop ./patient never
check "which prints nothing more" [ ! -s out ]
cat >debugger <<'END'
#!/bin/sh
echo "debugged: $*"
grep -h State: /proc/"$3"/task/*/status
END
chmod +x debugger
TRACEREC_GDB=$PWD/debugger
export TRACEREC_GDB
check "--gdb" exits_with 1 "$tool" run --monitor --gdb --stop ./patient never
check "it is stopped for the debugger" sh -c "grep -q 'State:.T' out && ! grep -q 'State:.[^T]' out"
check "which knows the process" grep -q '^debugged: -q -p [0-9]' out
unset TRACEREC_GDB

# a block is freed and comes again in a transaction: what was done to the second one counts
cat >again.c <<'END2'
#include <causal.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>
static int seen, ends[2];
static sem_t done;
static void *other(void *argument) {
  volatile int *block;
  if (read(ends[0], &block, sizeof block) != sizeof block) return argument;
  ATOMIC_BEGIN("other");
  seen = *block;
  ATOMIC_END();
  sem_post(&done);
  return argument;
}
int main(void) {
  pthread_t thread;
  if (pipe(ends)) return 5;
  sem_init(&done, 0, 0);
  pthread_create(&thread, 0, other, 0);
  ATOMIC_BEGIN("main");
  volatile int *block = malloc(64);
  *block = 1;
  free((void *)block);
  block = malloc(64);
  *block = 2;
  usleep(50000); /* the reader has seen that by now, most likely */
  if (write(ends[1], &block, sizeof block) != sizeof block) return 5;
  sem_wait(&done);
  const int result = seen;
  ATOMIC_END();
  pthread_join(thread, 0);
  return result != 2;
}
END2
"$tool" cc -O1 again.c -o again -pthread || exit 1
check "a block that comes again" exits_with 1 "$tool" run --monitor ./again
check "and with a log" exits_with 1 "$tool" run --monitor -o log ./again

# children, other programs, ends of all kinds
"$tool" cc -O1 "$here/children.c" -o children -pthread && "$tool" cc -O1 "$here/crash.c" -o crash -pthread &&
  "$tool" cc -O1 "$here/many.c" -o many -pthread $(sed -n 's/^ \* link: //p' "$here/many.c") || exit 1
ends() { within 60 "$tool" run --monitor "$@" >out 2>err; [ $? != 124 ]; }
check "children, and another program" ends ./children
check "a crash" ends ./crash
check "many threads" ends ./many

# threads one after another, more than there can be at a time: what has ended is used again, and little of the disk is taken
"$tool" cc -O1 "$here/live/short.c" -o short -pthread || exit 1
one_after_another() { # VERDICT THREADS ARGUMENT...
  verdict=$1
  shift
  within 100 "$tool" run --stats --monitor $options ./short "$@" 2>err
  grep -q "^verdict: $verdict" err || { cat err; return 1; }
}
options=''
check "17,000 threads, one after another" one_after_another serializable 17000
check "and one in the middle of a block" one_after_another violated 17000 inside
options='-o log'
check "some of them, with a log" one_after_another violated 300 inside
check "the log has them all" sh -c '"$0" log | grep -q "^T301:work"' "$show"
options=''

# a thread that sleeps, or is killed, does not keep the others from being looked at
cat >sleeper.c <<'END2'
#include <causal.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>
int both, much[100000];
sem_t mine, others;
void *sleeper(void *argument) {
  both++;
  for (;;) pause();
  return argument;
}
void *work(void *argument) {
  for (int i = 0; i < 3000; i++) {
    sem_wait(&others);
    both++;
    for (int k = 0; k < 100; k++) much[k * 1000 + i % 1000]++;
    sem_post(&mine);
  }
  return argument;
}
/* A long run of small transactions, the last of which is split. */
int main(int argc, char **argv) {
  pthread_t a, b;
  sem_init(&mine, 0, 0);
  sem_init(&others, 0, 0);
  pthread_create(&a, 0, sleeper, 0);
  pthread_create(&b, 0, work, 0);
  for (int i = 0; i < 3000; i++) {
    ATOMIC_BEGIN("work");
    if (i == 2999) both++;
    sem_post(&others);
    sem_wait(&mine);
    both++;
    ATOMIC_END();
  }
  pthread_join(b, 0);
  (void)argv;
  if (argc > 1) raise(SIGKILL);
  return 0;
}
END2
"$tool" cc sleeper.c -o sleeper -pthread || exit 1
check "a thread that sleeps" exits_with 1 "$tool" run --monitor ./sleeper
check "kill -9 of the program" exits_with 1 "$tool" run --monitor ./sleeper now

# the program goes on where there is no room for what it does
no_room() {
  (ulimit -f 2000; trap '' XFSZ; within 60 "$tool" run --monitor ./lufact 3 120 >out 2>err)
  [ $? = 2 ] && grep -q 'greatest error' out && grep -q '^verdict: unknown' err && grep -q 'too large' err && return
  cat out err
  return 1
}
check "no room" no_room

# the program goes on where the reader is no more
orphan() {
  rm -f pid
  "$tool" run --monitor sh -c 'echo $$ >pid; exec ./lufact 3 120 >orphan.out' 2>/dev/null &
  parent=$!
  while [ ! -s pid ]; do sleep 0.01; done
  kill -9 $parent
  wait $parent
  for _ in $(seq 3000); do kill -0 "$(cat pid)" 2>/dev/null || break; sleep 0.02; done
  grep -q 'greatest error' orphan.out
}
check "the reader is killed" orphan
