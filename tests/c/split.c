// Arrays in one structure are objects of their own: what has the number of the lock in another one of them is kept by it,
// also in memory that is allocated, where the array comes first, and where it is gone through by an address.
// expect: add atomic
// expect: all atomic
// expect: begins atomic
// expect: few atomic
// expect: hangs atomic
// expect: made atomic
// expect: moves atomic
// expect: striped atomic
// expect: total atomic
#include "two.h"

#include <stdlib.h>
#include <string.h>

enum { N = 20, FEW = 2 };

typedef struct Node {
  struct Node *next;
  int value;
} Node;

typedef struct {
  pthread_mutex_t lock;
  int total;
  pthread_mutex_t locks[N];
  long counts[N];
  char used[N];
  short next;
} Pool;

typedef struct {
  Node *heads[N];
  long size[N];
  pthread_mutex_t locks[N];
} Table;

static Pool pool;
static Pool *made;
static Table table;
static struct {
  pthread_mutex_t locks[4];
  long counts[N];
} stripes;
static struct {
  int counts[FEW], most;
  pthread_mutex_t locks[FEW];
} few;

static void add(Pool *p, int i) {
  pthread_mutex_lock(&p->locks[i]);
  p->counts[i]++;
  p->used[i] = 1;
  p->counts[i]++;
  pthread_mutex_unlock(&p->locks[i]);
}

static void add_total(void) {
  ATOMIC_BEGIN("total");
  pthread_mutex_lock(&pool.lock);
  pool.total++;
  pthread_mutex_unlock(&pool.lock);
  ATOMIC_END();
}

static void move(int from, int to) {
  const int low = from < to ? from : to, high = from < to ? to : from;
  if (from == to) return;
  ATOMIC_BEGIN("moves");
  pthread_mutex_lock(&pool.locks[low]);
  pthread_mutex_lock(&pool.locks[high]);
  pool.counts[from]--;
  pool.counts[to]++;
  pthread_mutex_unlock(&pool.locks[high]);
  pthread_mutex_unlock(&pool.locks[low]);
  ATOMIC_END();
}

static void push(unsigned key) {
  const unsigned h = key * 31 % N;
  Node *n = malloc(sizeof *n);
  ATOMIC_BEGIN("hangs");
  pthread_mutex_lock(&table.locks[h]);
  for (Node *other = table.heads[h]; other; other = other->next) other->value++;
  n->value = 0;
  n->next = table.heads[h];
  table.heads[h] = n;
  table.size[h]++;
  pthread_mutex_unlock(&table.locks[h]);
  ATOMIC_END();
}

static void add_few(int i) {
  ATOMIC_BEGIN("few");
  pthread_mutex_lock(&few.locks[i]);
  few.counts[i]++;
  few.counts[i]++;
  pthread_mutex_unlock(&few.locks[i]);
  ATOMIC_END();
}

/* The first element by its number. */
static void add_first(void) {
  ATOMIC_BEGIN("begins");
  pthread_mutex_lock(&few.locks[0]);
  few.counts[0]++;
  few.counts[0]++;
  pthread_mutex_unlock(&few.locks[0]);
  ATOMIC_END();
}

static void add_striped(int i) {
  ATOMIC_BEGIN("striped");
  pthread_mutex_lock(&stripes.locks[i % 4]);
  stripes.counts[i]++;
  stripes.counts[i]++;
  pthread_mutex_unlock(&stripes.locks[i % 4]);
  ATOMIC_END();
}

/* All of them, by an address. */
static long sum(Pool *p) {
  long all = 0;
  ATOMIC_BEGIN("all");
  for (int i = 0; i < N; i++) pthread_mutex_lock(&p->locks[i]);
  for (long *count = p->counts; count < p->counts + N; count++) all += *count;
  for (int i = 0; i < N; i++) pthread_mutex_unlock(&p->locks[i]);
  ATOMIC_END();
  return all;
}

static void run(void) {
  ATOMIC_BEGIN("add");
  add(&pool, rand() % N);
  ATOMIC_END();
  ATOMIC_BEGIN("made");
  add(made, rand() % N);
  ATOMIC_END();
  add_total();
  move(rand() % N, rand() % N);
  push((unsigned)rand());
  add_few(rand() % FEW);
  add_striped(rand() % N);
}

__attribute__((constructor)) static void init(void) {
  made = malloc(sizeof *made);
  if (!made) exit(1);
  memset(made, 0, sizeof *made);
  for (int i = 0; i < N; i++) pthread_mutex_init(&made->locks[i], NULL);
}

static void first(void) {
  run();
  add_first();
}

static void second(void) {
  run();
  sum(&pool);
}
