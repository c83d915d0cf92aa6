// Arrays of which all that has one number is used under the lock of that number.
// expect: change atomic
// expect: deposit atomic
// expect: next atomic
// expect: push atomic
// expect: total atomic
#include "two.h"

#include <stdlib.h>

enum { N = 48 };

typedef struct Node {
  struct Node *next;
  int key, value;
} Node;

static pthread_mutex_t locks[N], list_locks[N];
static int counts[N];
static double sums[N];
static Node *heads[N], *tails[N];

static void deposit(int i, double d) {
  ATOMIC_BEGIN("deposit");
  pthread_mutex_lock(&locks[i]);
  counts[i]++;
  sums[i] += d;
  pthread_mutex_unlock(&locks[i]);
  ATOMIC_END();
}

static void deposit_next(int i, double d) {
  ATOMIC_BEGIN("next");
  pthread_mutex_lock(&locks[i - 1]);
  counts[i - 1]++;
  sums[i - 1] += d;
  pthread_mutex_unlock(&locks[i - 1]);
  ATOMIC_END();
}

static double total(void) {
  double sum = 0;
  ATOMIC_BEGIN("total");
  for (int i = 0; i < N; i++) pthread_mutex_lock(&locks[i]);
  for (int i = 0; i < N; i++) sum += sums[i] / counts[i];
  for (int i = 0; i < N; i++) pthread_mutex_unlock(&locks[i]);
  ATOMIC_END();
  return sum;
}

static void push(int i, int key) {
  Node *n = calloc(1, sizeof *n);
  n->key = key;
  ATOMIC_BEGIN("push");
  pthread_mutex_lock(&list_locks[i]);
  if (tails[i]) tails[i]->next = n;
  else heads[i] = n;
  tails[i] = n;
  pthread_mutex_unlock(&list_locks[i]);
  ATOMIC_END();
}

static void change(int i) {
  ATOMIC_BEGIN("change");
  pthread_mutex_lock(&list_locks[i]);
  for (Node *n = heads[i]; n; n = n->next) n->value++;
  if (tails[i]) tails[i]->value--;
  pthread_mutex_unlock(&list_locks[i]);
  ATOMIC_END();
}

static void work(void) {
  deposit(rand() % N, 1);
  deposit_next(1 + rand() % N, 2);
  total();
  push(rand() % N, rand());
  change(rand() % N);
}

static void first(void) { work(); }
static void second(void) { work(); }
