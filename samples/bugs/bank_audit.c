/* bank_audit.c: a transfer takes from one account, and gives to another one, each under its own lock. An audit locks
 * all accounts and adds them up: between both halves of a transfer some money is missing. Of all transfers, between
 * accounts chosen at random, only the one on its way then is seen.
 *
 * Fixed: a transfer holds both locks, the lower account's first. Transactions: `transfer`, `audit`. */
#include "later.h"
#include "shuffle.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>

enum { ACCOUNTS = 16, TRANSFERS = ACCOUNTS };

typedef struct {
  pthread_mutex_t lock;
  int balance;
} Account;

static Account accounts[ACCOUNTS];

static void transfer(Account *from, Account *to, int amount) {
  Account *first = from < to ? from : to, *second = from < to ? to : from;
  (void)first, (void)second;
  ATOMIC_BEGIN("transfer");
#ifdef FIXED
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
#else
  pthread_mutex_lock(&from->lock);
  from->balance -= amount;
  pthread_mutex_unlock(&from->lock); /* here the amount is on no account */
  pthread_mutex_lock(&to->lock);
  to->balance += amount;
  pthread_mutex_unlock(&to->lock);
#endif
  ATOMIC_END();
}

static int audit(void) {
  int sum = 0;
  ATOMIC_BEGIN("audit");
  for (int i = 0; i < ACCOUNTS; i++) pthread_mutex_lock(&accounts[i].lock);
  for (int i = 0; i < ACCOUNTS; i++) sum += accounts[i].balance;
  for (int i = 0; i < ACCOUNTS; i++) pthread_mutex_unlock(&accounts[i].lock);
  ATOMIC_END();
  return sum;
}

static void *auditor(void *unused) {
  (void)unused;
  later();
  printf("sum: %d\n", audit());
  return NULL;
}

int main(void) {
  pthread_t other;
  int order[ACCOUNTS];
  for (int i = 0; i < ACCOUNTS; i++) {
    pthread_mutex_init(&accounts[i].lock, NULL);
    accounts[i].balance = 100;
  }
  if (pthread_create(&other, NULL, auditor, NULL)) return 1;
  shuffle(order, ACCOUNTS);
  for (int i = 0; i < TRANSFERS; i++) transfer(&accounts[order[i]], &accounts[order[(i + 1) % ACCOUNTS]], 10);
  pthread_join(other, NULL);
  return 0;
}
