# part.sh: part of run.sh: runs of which only a part is recorded. The log says so, and nobody takes it for the whole.

mkdir -p src/inner
cat >src/main.c <<'END2'
#include <causal.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int inside(int);
int balance, other, early;
char text[2][40];
int ends[2];
jmp_buf out;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int look(void) { pthread_mutex_lock(&lock); int b = balance; pthread_mutex_unlock(&lock); return b; }
void put(int b) { pthread_mutex_lock(&lock); balance = b; pthread_mutex_unlock(&lock); }
void deposit(void) { ATOMIC_BEGIN("deposit"); put(look() + 10); ATOMIC_END(); }
void elsewhere(void) { ATOMIC_BEGIN("elsewhere"); other++; other++; memcpy(text[0], text[1], 40); ATOMIC_END(); }
void leap(int n) { if (n) leap(n - 1); else longjmp(out, 1); }
void *client(void *x) { deposit(); elsewhere(); inside(1); return write(ends[1], "", 1) == 1 ? x : NULL; }
void go(void) { early++; }
int main(void) {
  pthread_t t[2];
  balance = 5;
  if (!setjmp(out)) leap(3);
  early = inside(3);
  go();
  if (pipe(ends)) return 1;
  /* One client after the other, by a pipe that the log knows nothing of: each run is the same, and none is ordered. */
  for (int i = 0; i < 2; i++) {
    char done;
    pthread_create(&t[i], NULL, client, NULL);
    if (read(ends[0], &done, 1) != 1) return 1;
  }
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  printf("%d %d\n", balance, early);
}
END2
echo 'int count; int inside(int n) { return count += n; }' >src/inner/inside.c
"$tool" cc -O1 src/main.c src/inner/inside.c -o prog -pthread || exit 1

# OBJECT... : these alone are accessed; a lock is always there
accesses() {
  "$show" log >std || { cat std; return 1; }
  sed -n -e 's/^[^|]*|\(r\|w\|rmw\)(\([a-z][a-z]*\).*/\2/p' std | sort -u | tr '\n' ' ' >got
  grep -c 'acq(&lock)' std >locks
  [ "$(cat got)" = "${*:+$* }" ] && [ "$(cat locks)" = 4 ] && return
  cat got locks std
  return 1
}
recorded() { # OPTION... : the run is recorded so, and prints what it does
  within 20 "$tool" run --keep-local -o log "$@" ./prog >out 2>err && grep -q '^25 4$' out && [ ! -s err ] && return
  cat out err
  return 1
}
check "all of it" recorded
check "what is there" accesses balance count early ends other text
check "in calls" recorded --sample=deposit
check "what is in calls" accesses balance
check "in calls of several" recorded --sample=deposit,go --sample=inside
check "what is in calls of several" accesses balance count early
check "calls that are left by a jump" recorded --sample=leap
check "nothing after them" accesses
check "after a call" recorded --start-after=go
check "what is after a call" accesses balance count early ends other text
check "nothing before" sh -c '! grep -q "^T0|w(balance)" std'
check "of a folder" recorded --only-in=src/inner
check "what is of a folder" accesses count
check "of all folders" recorded --only-in=src
check "what is of all folders" accesses balance count early ends other text
check "all of these" recorded --sample=client --start-after=go --only-in=./src/../src/inner,src/nowhere/../inner
check "what is all of these" accesses count

says() { # EXIT LINE COMMAND...
  code=$1 line=$2
  shift 2
  within 20 "$@" >out 2>err
  got=$?
  [ $got = "$code" ] && cat out err | grep -qF -- "$line" && return
  echo "exit $got"
  cat out err
  return 1
}
"$tool" run -o log --sample=elsewhere ./prog >out
check "the log says so" says 2 'warning: only a part of the run was recorded: accesses in calls of elsewhere' "$BIN/tracecheck" log
check "which is unknown" says 2 'verdict: unknown' "$BIN/tracecheck" -q log
check "by functions, too" says 2 'unknown' "$BIN/tracecheck" --functions log
"$BIN/tracecheck" --convert=bin log >copy
check "a copy says so" says 2 'recorded: accesses in calls of elsewhere' "$BIN/tracecheck" copy
check "of a text it is said" says 0 'recorded: accesses in calls of elsewhere' "$BIN/tracecheck" --convert=std log
check "what is predicted counts" says 1 'verdict: predicted' "$BIN/tracepredict" log
"$tool" run -o log --sample=look --atomic=look ./prog >out
check "by blocks, too" says 2 'verdict: unknown' "$BIN/tracecheck" -q --analysis=blocks log
check "what is not predicted is unknown" says 2 'verdict: unknown' "$BIN/tracepredict" -q log
check "of a run with others, too" says 2 'verdict: unknown' "$BIN/tracepredict" --merge -q log log
check "watched" says 2 'only a part of the run was recorded' "$tool" run --monitor --sample=look --atomic=look ./prog
check "a function that is not there" says 3 "./prog has no function depsit; did you mean 'deposit'?" "$tool" run -o log --sample=depsit ./prog
check "a variable is none" says 3 'has no function balance' "$tool" run -o log --start-after=balance ./prog
check "a folder that has nothing" says 3 'no code of source files below /usr/games' "$tool" run -o log --only-in=/usr/games ./prog
check "a folder that is not there" says 3 'no code of source files below nowhere' "$tool" run -o log --only-in=nowhere ./prog
check "no program" says 3 './nowhere: there is no such program' "$tool" run -o log --sample=f ./nowhere
check "a script" says 3 'has no function deposit' "$tool" run -o log --sample=deposit "$here/run.sh"
check "with steps" says 3 'excludes --sample' "$tool" run --follow=steps --sample=deposit -o log ./prog
cp prog other
check "another program is recorded as a whole" says 0 '25 4' "$tool" run --keep-raw -o log --sample=deposit ./prog
check "salvaged" "$tool" salvage log.raw.* -o again
check "what was salvaged says so" says 2 'recorded: accesses in calls of deposit' "$BIN/tracecheck" again

# A handler that comes in the middle of an event is not recorded. It comes some hundred times, so that one does.
cat >handled.c <<'END2'
#include <causal.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
int balance;
volatile sig_atomic_t times;
static void look(int n) { (void)n; balance++; times++; }
static void *open(void *x) { balance = 5; return x; }
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, open, NULL);
  pthread_join(t, NULL);
  signal(SIGALRM, look);
  const struct itimerval often = {{0, 100}, {0, 100}};
  setitimer(ITIMER_REAL, &often, 0);
  while (times < 300) { ATOMIC_BEGIN("deposit"); balance++; ATOMIC_END(); }
  setitimer(ITIMER_REAL, &(struct itimerval){0}, 0);
}
END2
"$tool" cc -O1 handled.c -o handled -pthread || exit 1
check "handlers are missing" says 0 'events of signal handlers that interrupted another event are missing' "$tool" run -o log ./handled
check "the log says that, too" says 2 'events of signal handlers' "$BIN/tracecheck" log
check "which is unknown, too" says 2 'verdict: unknown' "$BIN/tracecheck" -q log
check "watched, too" says 2 'unknown: events of signal handlers that interrupted' "$tool" run --monitor ./handled
