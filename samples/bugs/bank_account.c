/* bank_account.c: a deposit reads the balance in one critical section and writes it in another one. A withdrawal that
 * comes in between is overwritten. Every access is under the lock, so there is no data race.
 *
 * Fixed: one critical section from the read to the write. Transactions: `deposit`, `withdraw`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t account = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void deposit(int amount) {
  ATOMIC_BEGIN("deposit");
  pthread_mutex_lock(&account);
  int b = balance;
#ifndef FIXED
  pthread_mutex_unlock(&account); /* here the balance can change */
  pthread_mutex_lock(&account);
#endif
  balance = b + amount;
  pthread_mutex_unlock(&account);
  ATOMIC_END();
}

static void withdraw(int amount) {
  ATOMIC_BEGIN("withdraw");
  pthread_mutex_lock(&account);
  if (balance >= amount) balance -= amount;
  pthread_mutex_unlock(&account);
  ATOMIC_END();
}

static void *customer(void *unused) {
  (void)unused;
  later();
  withdraw(30);
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, customer, NULL)) return 1;
  deposit(50);
  pthread_join(other, NULL);
  printf("balance: %d\n", balance);
  return 0;
}
