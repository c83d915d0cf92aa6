// The number of an element is computed each time, of a word that nobody changes, by a function that calls another one.
// expect: add atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef CHANGE
#define CHANGE (void)0
#endif
#ifndef FIRST
#define FIRST begin
#endif

enum { N = 64, THREADS = 3, WORDS = 4 };

static pthread_mutex_t locks[N];
static int counts[N];
static char words[WORDS][8] = {"a", "few", "words", "more"};
static unsigned begin, state;

static unsigned first(void) { return FIRST; }

static unsigned hash(const char *text) {
  unsigned h = first();
  while (*text) h = h * 33 + (unsigned char)*text++;
  return h;
}

static void add(char *key) {
  pthread_mutex_t *const lock = &locks[hash(key) % N];
  pthread_mutex_lock(lock);
  int *const count = &counts[hash(key) % N];
  ATOMIC_BEGIN("add");
  ++*count;
  ++*count;
  ATOMIC_END();
  pthread_mutex_unlock(lock);
  CHANGE;
}

static void *run(void *argument) {
  for (int i = 0; i < WORDS; i++) add(words[(i + (int)(long)argument) % WORDS]);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  begin = argc > 1 ? (unsigned)atoi(argv[1]) : 5381;
  for (int i = 0; i < N; i++) pthread_mutex_init(&locks[i], NULL);
  for (long t = 0; t < THREADS; t++)
    if (pthread_create(&threads[t], NULL, run, (void *)t)) return 3;
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  return (int)state;
}
