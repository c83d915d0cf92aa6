// Numbers that are followed, read behind the loop that joins all: nobody else is there any more. Threads of several
// calls, those that one call creates once too, are joined by one loop.
// expect: mode violated
// expect: report atomic
// expect: sum atomic
// expect: turn violated
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int made, taken, total, turns, mode;

static void *producer(void *arg) {
  pthread_mutex_lock(&lock);
  made++;
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *consumer(void *arg) {
  pthread_mutex_lock(&lock);
  if (made > 0) {
    made--;
    taken++;
  }
  pthread_mutex_unlock(&lock);
  return arg;
}

static void two_calls(int producers, int consumers) {
  pthread_t *t = malloc(sizeof *t * (size_t)(producers + consumers));
  for (int i = 0; i < producers; i++) pthread_create(&t[i], NULL, producer, NULL);
  for (int i = 0; i < consumers; i++) pthread_create(&t[producers + i], NULL, consumer, NULL);
  for (int i = 0; i < producers + consumers; i++) pthread_join(t[i], NULL);
  ATOMIC_BEGIN("report");
  printf("%d\n", made);
  printf("%d %d\n", made, taken);
  ATOMIC_END();
  free(t);
}

static void *add(void *arg) {
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  return arg;
}

/* The first one is created by a call of its own. */
static void one_and_many(int n) {
  static pthread_t t[100];
  if (n > 100) return;
  pthread_create(&t[0], NULL, add, NULL);
  for (int i = 1; i < n; i++) pthread_create(&t[i], NULL, add, NULL);
  for (int i = 0; i < n; i++) pthread_join(t[i], NULL);
  ATOMIC_BEGIN("sum");
  printf("%d\n", total);
  if (total != n) printf("%d\n", total);
  ATOMIC_END();
}

static void *turn(void *arg) {
  ATOMIC_BEGIN("turn");
  pthread_mutex_lock(&lock);
  const int was = turns;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  turns = was == 0 ? 1 : 0;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
  return arg;
}

static void by_turns(int n) {
  static pthread_t t[100];
  for (int i = 0; i < n; i++) pthread_create(&t[i], NULL, turn, NULL);
  for (int i = 0; i < n; i++) pthread_join(t[i], NULL);
  printf("%d\n", turns);
}

/* Whoever finds what was set before may find it. */
static void *change(void *arg) {
  if (mode == 1) {
    ATOMIC_BEGIN("mode");
    turn(arg);
    turn(arg);
    ATOMIC_END();
    mode = 2;
  }
  return arg;
}

static void with_mode(int n) {
  static pthread_t t[100];
  mode = 1;
  for (int i = 0; i < n; i++) pthread_create(&t[i], NULL, change, NULL);
  for (int i = 0; i < n; i++) pthread_join(t[i], NULL);
}

int main(int argc, char **argv) {
  (void)argv;
  two_calls(argc, argc + 1);
  one_and_many(argc + 1);
  by_turns(argc);
  with_mode(argc);
  return 0;
}
