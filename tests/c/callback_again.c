// What the library calls back is done any number of times: threads and objects that it makes are several.
// expect: add violated
// expect: count violated
// gap: 34 creates threads here again and again, of which 2 are there
// race: 26 26
// race: 26 27
// race: 27 27
// race: 45 45
// race: 45 46
// race: 46 46
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

struct object {
  pthread_mutex_t lock;
};

static int values[8], n, total;
static struct object *last, *before;

/* One for each call of `compare`. */
static void *count(void *argument) {
  ATOMIC_BEGIN("count");
  n++;
  n++;
  ATOMIC_END();
  return argument;
}

static int compare(const void *left, const void *right) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, count, NULL)) exit(1);
  before = last;
  last = calloc(1, sizeof *last);
  pthread_mutex_init(&last->lock, NULL);
  return *(const int *)left - *(const int *)right;
}

static void *add(void *argument) {
  struct object *o = argument;
  ATOMIC_BEGIN("add");
  pthread_mutex_lock(&o->lock);
  total++;
  total++;
  pthread_mutex_unlock(&o->lock);
  ATOMIC_END();
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  qsort(values, 8, sizeof *values, compare);
  if (pthread_create(&threads[0], NULL, add, last) || pthread_create(&threads[1], NULL, add, before)) return 1;
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
