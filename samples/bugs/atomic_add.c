/* atomic_add.c: a counter of atomic type, whose load and store are atomic, but not the two together: an increment that
 * comes in between is lost. There is no data race.
 *
 * Fixed: atomic_fetch_add, one operation. Transaction: `take_ticket`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int next_ticket = 1;

static int take_ticket(void) {
  ATOMIC_BEGIN("take_ticket");
#ifdef FIXED
  const int ticket = atomic_fetch_add(&next_ticket, 1);
#else
  const int ticket = atomic_load(&next_ticket);
  atomic_store(&next_ticket, ticket + 1);
#endif
  ATOMIC_END();
  return ticket;
}

static void *customer(void *unused) {
  (void)unused;
  later();
  printf("ticket: %d\n", take_ticket());
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, customer, NULL)) return 1;
  const int ticket = take_ticket();
  pthread_join(other, NULL);
  printf("ticket: %d\n", ticket);
  return 0;
}
