/* clocks.c: threads whose clocks are far apart read what is open to readers. The first thread is far behind the others,
 * for it knows by nothing that is recorded when it is its turn: it reads what another one has written and both have
 * read; and it writes what they have read last, when they have ended. Prints what steps.h prints. */
#include "unrecorded.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

enum { TURNS = 40, FIRST = 0, SECOND, OTHER, VARIABLES };

struct {
  volatile long value;
  long more[7];
} shared[VARIABLES] __attribute__((aligned(64)));

static char text[3][64 * TURNS * 8]; /* what each thread has done */
static int length[3];

/* These are accessed by no instruction that is recorded. */
static int turn;
UNRECORDED static int get(void) { return __atomic_load_n(&turn, __ATOMIC_SEQ_CST); }
UNRECORDED static void pass_on(void) { __atomic_fetch_add(&turn, 1, __ATOMIC_SEQ_CST); }
UNRECORDED static void note(int me, char op, int variable, long value) {
  static const char *const names[] = {"T0", "T1:work", "T2:work"};
  length[me] += sprintf(text[me] + length[me], "%s %c %d %ld\n", names[me], op, variable, value);
}

static void wait_for(int at) {
  while (get() < at) sched_yield();
}

static void read_it(int me, int variable) { note(me, 'r', variable, shared[variable].value); }

static void write_it(int me, int variable, long value) {
  shared[variable].value = value;
  note(me, 'w', variable, value);
}

/* Two threads read the first variable by turns, so that it is open; the first thread does, too. They write another one,
 * so that their clocks go up; the second variable is written, and read by turns, and read by the first thread. */
static void *work(void *argument) {
  const int me = (int)(long)argument;
  int at = me - 1;
  for (int i = 0; i < TURNS; i++, at += 2) wait_for(at), read_it(me, FIRST), pass_on();
  at++; /* the first thread */
  for (int i = 0; i < TURNS; i++, at += 2) wait_for(at), write_it(me, OTHER, at), pass_on();
  if (me == 1) wait_for(at), write_it(me, SECOND, at);
  for (int i = 0; i < TURNS; i++, at += 2) wait_for(at), read_it(me, SECOND), pass_on();
  at++;
  wait_for(at);
  read_it(me, FIRST);
  pass_on();
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
  for (int i = 0; i < 2; i++) {
    wait_for(i ? 6 * TURNS + 1 : 2 * TURNS);
    read_it(0, i ? SECOND : FIRST);
    pass_on();
  }
  wait_for(6 * TURNS + 4);
  usleep(50000); /* they have ended */
  write_it(0, FIRST, 1);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < 3; i++) fwrite(text[i], 1, (size_t)length[i], stdout);
  return 0;
}
