// Objects with their own locks, and a lock of all, used by one thread once all others have been joined, by a loop or
// alone: nobody is there any more.
// expect: count atomic
// expect: deposit atomic
// expect: look atomic
// expect: report atomic
// expect: total atomic
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ACCOUNTS = 4 };

typedef struct {
  pthread_mutex_t lock;
  long balance, deposits;
} Account;

static Account accounts[ACCOUNTS];
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
static long total, rounds;

static void deposit(Account *a, long amount) {
  ATOMIC_BEGIN("deposit");
  pthread_mutex_lock(&a->lock);
  a->balance += amount;
  a->deposits++;
  pthread_mutex_unlock(&a->lock);
  ATOMIC_END();
}

static void add(long amount) {
  ATOMIC_BEGIN("total");
  pthread_mutex_lock(&all);
  total += amount;
  rounds++;
  pthread_mutex_unlock(&all);
  ATOMIC_END();
}

static void *teller(void *arg) {
  unsigned seed = (unsigned)(size_t)arg;
  for (int i = 0; i < 10; i++) deposit(&accounts[rand_r(&seed) % ACCOUNTS], 1);
  add(10);
  return NULL;
}

static void *clerk(void *arg) {
  add(1);
  return arg;
}

static long balance(Account *a) {
  pthread_mutex_lock(&a->lock);
  const long balance = a->balance;
  pthread_mutex_unlock(&a->lock);
  return balance;
}

/* Each is looked at twice, by its lock; then without it. */
static void report(void) {
  long sum = 0;
  ATOMIC_BEGIN("report");
  for (int i = 0; i < 2 * ACCOUNTS; i++) sum += balance(&accounts[i % ACCOUNTS]);
  ATOMIC_END();
  ATOMIC_BEGIN("look");
  for (int i = 0; i < ACCOUNTS; i++) sum += accounts[i].balance;
  for (int i = 0; i < ACCOUNTS; i++) sum += accounts[i].deposits;
  ATOMIC_END();
  printf("%ld\n", sum);
}

static long count(void) {
  ATOMIC_BEGIN("count");
  pthread_mutex_lock(&all);
  long sum = total;
  pthread_mutex_unlock(&all);
  pthread_mutex_lock(&all);
  sum += rounds;
  pthread_mutex_unlock(&all);
  ATOMIC_END();
  pthread_mutex_destroy(&all);
  return sum;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 3;
  pthread_t t[16], last;
  if (n > 16) return 1;
  for (int i = 0; i < ACCOUNTS; i++) pthread_mutex_init(&accounts[i].lock, NULL);
  pthread_create(&last, NULL, clerk, NULL);
  for (int i = 0; i < n; i++) pthread_create(&t[i], NULL, teller, (void *)(size_t)(i + 1));
  for (int i = 0; i < n; i++) pthread_join(t[i], NULL);
  pthread_join(last, NULL);
  report();
  return count() == 0;
}
