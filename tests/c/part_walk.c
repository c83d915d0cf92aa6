/* A pointer that walks through an array of structures stays at one of their members. */
// expect: other atomic
// expect: same violated
// race: 25 33
// race: 26 33
#include <causal.h>
#include <pthread.h>

typedef struct {
  int key, value, count;
} Entry;

enum { ENTRIES = 50 };

static Entry entries[ENTRIES];
static int n = ENTRIES;

static void *first(void *unused) {
  for (Entry *e = entries; e < entries + n; e++) {
    ATOMIC_BEGIN("other");
    e->key++;
    e->key++;
    ATOMIC_END();
    ATOMIC_BEGIN("same");
    e->count++;
    e->count++;
    ATOMIC_END();
  }
  return unused;
}

static void *second(void *unused) {
  for (Entry *e = &entries[n - 1]; e >= entries; e--) e->count = e->value++;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
