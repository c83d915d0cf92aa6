// What is added to a byte of an address, by one event, leads elsewhere in its object, too.
// expect: added violated
// expect: there violated
// race: 17 25
#include <causal.h>

#include <pthread.h>
#include <stdatomic.h>

static int numbers[8] __attribute__((aligned(64)));
static int *at = numbers;

static void *add(void *unused) {
  ATOMIC_BEGIN("added");
  int *p = at; /* &numbers[1] */
  for (int i = 0; i < 2; i++)
    *p += 1;
  ATOMIC_END();
  return unused;
}

static void *count(void *unused) {
  ATOMIC_BEGIN("there");
  for (int i = 0; i < 2; i++)
    numbers[1]++;
  ATOMIC_END();
  return unused;
}

int main(void) {
  pthread_t one, other;
  atomic_fetch_add((_Atomic unsigned char *)&at, sizeof *at);
  if (pthread_create(&one, NULL, add, NULL) || pthread_create(&other, NULL, count, NULL)) return 3;
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
