/* Handles that pthread_self gives: who joins one of these need not have waited for the thread that it has created. */
// expect: chosen violated
// expect: copied violated
// expect: found violated
// expect: main_ends atomic
// expect: main_goes violated
// expect: own atomic
// race: 36 72
// race: 37 77
// race: 38 83
// race: 41 86
// race: 41 87
// race: 47 71
// race: 47 75
// race: 47 80
// race: 58 91
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static long chosen, copied, found, main_ends, main_goes, own;
static pthread_t main_, other, self;

#define TWICE(x)    \
  ATOMIC_BEGIN(#x); \
  x++;              \
  x++;              \
  ATOMIC_END()
#define THREAD(x)                      \
  static void *run_##x(void *unused) { \
    TWICE(x);                          \
    return unused;                     \
  }
THREAD(chosen)
THREAD(copied)
THREAD(found)

static void *run_own(void *unused) {
  self = pthread_self();
  TWICE(own);
  return unused;
}

static void *run_other(void *unused) {
  other = pthread_self();
  return unused;
}

static void *await_main(void *unused) {
  pthread_join(main_, NULL);
  main_ends++;
  return unused;
}

static void *do_not_await(void *unused) {
  main_goes++;
  return unused;
}

int main(int argc, char **argv) {
  pthread_t t, u, v;
  (void)argv;
  main_ = pthread_self();
  pthread_create(&t, NULL, run_other, NULL);
  pthread_create(&t, NULL, await_main, NULL);
  pthread_create(&t, NULL, do_not_await, NULL);

  pthread_create(&t, NULL, run_chosen, NULL);
  pthread_join(argc == 1 ? t : other, NULL);
  chosen++;

  pthread_create(&t, NULL, run_copied, NULL);
  if (argc == 2) memcpy(&t, &other, sizeof t);
  pthread_join(t, NULL);
  copied++;

  pthread_create(&t, NULL, run_found, NULL);
  if (argc == 3) t = other;
  u = t;
  pthread_join(u, NULL);
  found++;

  pthread_create(&v, NULL, run_own, NULL); /* whichever, it is that one */
  while (!self) {}
  pthread_join(argc == 4 ? self : v, NULL);
  own++;

  TWICE(main_ends);
  TWICE(main_goes);
  pthread_exit(NULL);
}
