// Values that are merged of merged ones have very many ways: what a counter is compared with is not looked for in all.
// expect: count atomic
#include <causal.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define FOUR(N) CASE((N)) CASE((N) + 1) CASE((N) + 2) CASE((N) + 3)
#define SIXTEEN(N) FOUR((N)) FOUR((N) + 4) FOUR((N) + 8) FOUR((N) + 12)
#define CASE(N) \
  case (N):     \
    g();        \
    break;
#define CHOICE(SHIFT) \
  switch ((x >> (SHIFT)) & 63) { SIXTEEN(0) SIXTEEN(16) default : v = x + (SHIFT); }

static atomic_int counter;

static void g(void) {}
static int many(int x) {
  int a = atomic_load(&counter), v = x;
  CHOICE(0)
  CHOICE(1)
  CHOICE(2) CHOICE(3) CHOICE(4) CHOICE(5) CHOICE(6) CHOICE(7) CHOICE(8)
      CHOICE(9) for (int i = 0; i < x; i++) if (v == i || v == 3 || v == 5 || v == a) v = i;
  return v;
}

static void *run(void *argument) {
  ATOMIC_BEGIN("count");
  atomic_fetch_add(&counter, 1);
  ATOMIC_END();
  many((int)(size_t)argument);
  atomic_fetch_sub(&counter, 1);
  return NULL;
}

int main(int argc, char **argv) {
  (void)argv;
  pthread_t a, b;
  pthread_create(&a, NULL, run, (void *)(size_t)argc);
  pthread_create(&b, NULL, run, (void *)(size_t)argc);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
