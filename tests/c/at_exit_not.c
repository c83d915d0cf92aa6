/* What main registers runs at the end of the last thread, if main ends by pthread_exit(). */
// expect: add unknown
// gap: 12 runs behind main
#include <causal.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void seen(void) { printf("%d\n", n); }

static void *add(void *unused) {
  ATOMIC_BEGIN("add");
  pthread_mutex_lock(&lock);
  n++;
  n++;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
  return unused;
}

int main(void) {
  pthread_t thread;
  atexit(seen);
  for (int i = 0; i < 2; i++) pthread_create(&thread, NULL, add, NULL);
  pthread_exit(NULL);
}
