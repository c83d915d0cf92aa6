// A lock is recursive, too, if it was assigned such a value, by whatever copies: its holder does not wait for itself.
// expect: inside atomic
// expect: outside violated
// race: 41 48
// race: 42 48
#define _GNU_SOURCE
#include "two.h"

#include <stdlib.h>

typedef struct {
  int other;
  pthread_mutex_t lock;
} Account;

static Account *account;
static int n;

static Account fresh(void) {
  Account it;
  it.other = 1;
  it.lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  return it;
}

__attribute__((constructor)) static void make(void) {
  account = malloc(sizeof *account);
  *account = fresh();
}

static void first(void) {
  pthread_mutex_lock(&account->lock);
  pthread_mutex_lock(&account->lock);
  ATOMIC_BEGIN("inside");
  n = 1;
  pthread_mutex_unlock(&account->lock);
  n = 2;
  ATOMIC_END();
  pthread_mutex_unlock(&account->lock);
  ATOMIC_BEGIN("outside");
  n = 1;
  n = 2;
  ATOMIC_END();
}

static void second(void) {
  pthread_mutex_lock(&account->lock);
  n = 3;
  pthread_mutex_unlock(&account->lock);
}
