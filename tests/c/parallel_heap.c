// Arrays that are allocated once, as long as the program is told, and are found where their addresses were put.
// expect: change atomic
// expect: deposit atomic
// expect: put atomic
// expect: shifted atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

typedef struct Node {
  struct Node *next;
  int key, value;
} Node;

typedef struct {
  int size;
  pthread_mutex_t *locks;
  Node **heads;
  int *counts;
} Table;

typedef struct {
  pthread_mutex_t lock;
  int balance, changes;
} Account;

static Table *table;
static Account *accounts, *later;

static Table *table_new(int size) {
  Table *t = malloc(sizeof *t);
  t->size = size;
  t->locks = malloc((size_t)size * sizeof *t->locks);
  t->heads = calloc((size_t)size, sizeof(Node *));
  t->counts = calloc((size_t)size, sizeof *t->counts);
  for (int i = 0; i < size; i++) pthread_mutex_init(&t->locks[i], NULL);
  return t;
}

static void put(Table *t, int key) {
  const int h = key % t->size;
  ATOMIC_BEGIN("put");
  pthread_mutex_lock(&t->locks[h]);
  Node *n = malloc(sizeof *n);
  n->key = key;
  n->value = 0;
  n->next = t->heads[h];
  t->heads[h] = n;
  t->counts[h]++;
  pthread_mutex_unlock(&t->locks[h]);
  ATOMIC_END();
}

static void change(Table *t, int key) {
  const int h = key % t->size;
  ATOMIC_BEGIN("change");
  pthread_mutex_lock(&t->locks[h]);
  for (Node *n = t->heads[h]; n; n = n->next) n->value += n->key == key;
  pthread_mutex_unlock(&t->locks[h]);
  ATOMIC_END();
}

static void deposit(int i, int d) {
  ATOMIC_BEGIN("deposit");
  pthread_mutex_lock(&accounts[i].lock);
  accounts[i].balance += d;
  accounts[i].changes++;
  pthread_mutex_unlock(&accounts[i].lock);
  ATOMIC_END();
}

/* From another place in the array. */
static void deposit_later(int i, int d) {
  ATOMIC_BEGIN("shifted");
  pthread_mutex_lock(&accounts[i + 2].lock);
  later[i].balance += d;
  later[i].changes++;
  pthread_mutex_unlock(&accounts[i + 2].lock);
  ATOMIC_END();
}

static void *run(void *unused) {
  put(table, rand());
  change(table, rand());
  deposit(rand() % table->size, 1);
  deposit_later(rand() % table->size, 1);
  return unused;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  if (argc != 2) return 3;
  const int n = atoi(argv[1]);
  table = table_new(n);
  accounts = calloc((size_t)n + 2, sizeof *accounts);
  later = accounts + 2;
  for (int i = 0; i < n + 2; i++) pthread_mutex_init(&accounts[i].lock, NULL);
  if (pthread_create(&a, NULL, run, NULL) || pthread_create(&b, NULL, run, NULL)) return 1;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
