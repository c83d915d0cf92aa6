/* deposit.c: the bank account of samples/deposit_bug.sml in C: two clients deposit 100 each. Every access is under the
 * lock, so there is no data race; but between the two critical sections of one deposit the other one fits in, and is
 * overwritten.
 *
 * Transaction: `deposit`. The clients take their time between the two: else a run hardly ever goes wrong. (Waiting for
 * each other there would be a mistake of its own: of two deposits that meet, none comes first.) */
// expect: violated
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int balance;
static pthread_mutex_t account = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *nothing) {
  ATOMIC_BEGIN("deposit");
  pthread_mutex_lock(&account);
  int b = balance;
  pthread_mutex_unlock(&account);
  usleep(50000);
  b += 100;
  pthread_mutex_lock(&account);
  balance = b;
  pthread_mutex_unlock(&account);
  ATOMIC_END();
  return nothing;
}

int main(void) {
  pthread_t clients[2];
  for (int i = 0; i < 2; i++) pthread_create(&clients[i], NULL, deposit, NULL);
  for (int i = 0; i < 2; i++) pthread_join(clients[i], NULL);
  printf("balance: %d\n", balance);
  return 0;
}
