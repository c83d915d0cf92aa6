// Where it is not known of all threads what they begin with, a destructor is a gap.
// expect: own unknown
// gap: 27 gives the library an address that it keeps
#include <causal.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void done(void *kept) { free(kept); }

static void *work(void *unused) {
  int *number = calloc(1, sizeof *number);
  pthread_setspecific(key, number);
  ATOMIC_BEGIN("own");
  *number += 1;
  *number += 1;
  ATOMIC_END();
  return unused;
}

static void *(*begin)(void *) = work;

int main(int argc, char **argv) {
  pthread_t first;
  if (argc > 1) begin = NULL;
  pthread_key_create(&key, done);
  pthread_create(&first, NULL, begin, argv);
  pthread_create(&first, NULL, begin, argv);
}
