// How many elements there are is loaded each time.
// expect: add atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE size
#endif
#ifndef CHANGE
#define CHANGE (void)0
#endif
#ifndef LATER
#define LATER (void)0
#endif

enum { THREADS = 3 };

typedef struct {
  size_t size, other;
  pthread_mutex_t *locks;
  int *counts;
} Table;

static Table *table;

static void add(Table *t, unsigned key) {
  pthread_mutex_t *const lock = &t->locks[key % t->size];
  pthread_mutex_lock(lock);
  int *const count = &t->counts[key % t->SIZE];
  ATOMIC_BEGIN("add");
  ++*count;
  ++*count;
  ATOMIC_END();
  pthread_mutex_unlock(lock);
  CHANGE;
}

static void *run(void *argument) {
  add(table, (unsigned)(long)argument);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  if (argc != THREADS + 1) return 3;
  table = malloc(sizeof *table);
  table->size = table->other = strtoul(argv[1], NULL, 10);
  table->locks = malloc(table->size * sizeof *table->locks);
  table->counts = calloc(table->size, sizeof *table->counts);
  for (size_t i = 0; i < table->size; i++) pthread_mutex_init(&table->locks[i], NULL);
  for (int t = 0; t < THREADS; t++)
    if (pthread_create(&threads[t], NULL, run, (void *)(long)atoi(argv[t + 1]))) return 3;
  LATER;
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  return 0;
}
