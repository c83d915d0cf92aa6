// Threads are given structures that are assigned as a whole.
// expect: known atomic
// expect: made atomic
// expect: told atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef CHANGE
#define CHANGE
#endif
#ifndef LATER
#define LATER
#endif

typedef struct {
  int id, more;
  int *data;
} Args;

enum { N = 64, THREADS = 4 };

static int first[N], second[N], third[N];

static void twice(const Args *args) {
  args->data[args->id]++;
  args->data[args->id]++;
}

static void *told(void *args) {
  ATOMIC_BEGIN("told");
  twice(args);
  ATOMIC_END();
  return NULL;
}

static void *made(void *args) {
  ATOMIC_BEGIN("made");
  twice(args);
  ATOMIC_END();
  free(args);
  return NULL;
}

static void *known(void *args) {
  ATOMIC_BEGIN("known");
  twice(args);
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 2;
  static Args all[N];
  static pthread_t threads[N];
  Args few[THREADS];
  for (int i = 0; i < n; i++) {
    Args it = {.id = i, .data = first};
    CHANGE;
    all[i] = it;
    LATER;
    if (pthread_create(&threads[i], NULL, told, &all[i])) return 3;
  }
  for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < n; i++) {
    Args *args = malloc(sizeof *args);
    *args = (Args){.id = i, .data = second};
    if (pthread_create(&threads[i], NULL, made, args)) return 3;
  }
  for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++) {
    few[i] = (Args){i, argc, third};
    if (pthread_create(&threads[i], NULL, known, &few[i])) return 3;
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
