// Each thread has every element that is as many threads behind the last one, in an array of any length.
// expect: scale atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE size_t
#endif
#ifndef COUNT
#define COUNT unsigned
#endif
#ifndef READ
#define READ(text) (COUNT) atoi(text)
#endif
#ifndef CHECK
#define CHECK 1
#endif
#ifndef NUMBER
#define NUMBER(t) (t)
#endif
#ifndef STEP
#define STEP threads
#endif
#ifndef LOOP
#define LOOP(i) SIZE i = me; i < n; i += STEP
#endif
#ifndef SCALE
#define SCALE(i) data[i] = 2 * data[i] + 1
#endif

static double *data;
static SIZE n;
static COUNT threads;

static void *run(void *argument) {
  const SIZE me = (SIZE)(long)argument;
  ATOMIC_BEGIN("scale");
  for (LOOP(i)) SCALE(i);
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3) return 3;
  n = (SIZE)strtoul(argv[1], NULL, 10), threads = READ(argv[2]);
  if (!(CHECK)) return 3;
  data = malloc(n * sizeof *data);
  pthread_t *ids = malloc(threads * sizeof *ids);
  for (COUNT t = 0; t < threads; t++)
    if (pthread_create(&ids[t], NULL, run, (void *)(long)NUMBER(t))) return 3;
  for (COUNT t = 0; t < threads; t++) pthread_join(ids[t], NULL);
  return 0;
}
