/* twin.h: for programs that are correct, and with -DTWIN broken. The second thread begins when the first one has ended,
 * or waits, so that all goes well in the run itself. */
#ifndef TWIN_H
#define TWIN_H

#include <causal.h>
#include <pthread.h>
#include <sched.h>
#ifndef __cplusplus
#include <stdatomic.h>
#endif
#include <stdio.h>
#include <unistd.h>

#ifdef TWIN
#define BROKEN(...) __VA_ARGS__
#define CORRECT(...)
#else
#define BROKEN(...)
#define CORRECT(...) __VA_ARGS__
#endif

static void *first(void *argument);
static void *second(void *argument);

static inline void run_both(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  usleep(30000);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

#endif
