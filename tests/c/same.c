// The number of an element is computed each time that it is used, in the same way.
// expect: change atomic
// expect: counted atomic
// expect: insert atomic
// expect: loop atomic
// expect: nested atomic
// expect: plain atomic
// expect: striped atomic
#include "two.h"

#include <stdlib.h>

enum { N = 64, LOCKS = 8 };

typedef struct Node {
  struct Node *next;
  unsigned key, value;
} Node;

typedef struct {
  pthread_mutex_t lock;
  int a, b;
} Pair;

static pthread_mutex_t locks[N], few[LOCKS];
static Node *heads[N];
static int counts[N], striped[N];
static Pair pairs[N];

static unsigned hash(unsigned key) { return (key * 2654435761u) ^ (key >> 7); }

/* One that goes round. */
static unsigned mix(unsigned key) {
  unsigned h = 5381;
  for (int i = 0; i < 4; i++) {
    h = (h << 5) + h + (key & 255);
    key >>= 8;
  }
  return h ? h : 1;
}

static size_t slot(unsigned key) { return mix(key) % N; }

static void insert(unsigned key) {
  ATOMIC_BEGIN("insert");
  pthread_mutex_lock(&locks[hash(key) % N]);
  Node *n = malloc(sizeof *n);
  n->key = key;
  n->next = heads[hash(key) % N];
  heads[hash(key) % N] = n;
  counts[hash(key) % N]++;
  pthread_mutex_unlock(&locks[hash(key) % N]);
  ATOMIC_END();
}

static void change(unsigned key) {
  ATOMIC_BEGIN("change");
  pthread_mutex_lock(&locks[hash(key) % N]);
  for (Node *n = heads[hash(key) % N]; n; n = n->next) n->value += n->key == key;
  pthread_mutex_unlock(&locks[hash(key) % N]);
  ATOMIC_END();
}

static void plain(int i) {
  ATOMIC_BEGIN("plain");
  pthread_mutex_lock(&pairs[i % N].lock);
  pairs[i % N].a++;
  pairs[i % N].b--;
  pthread_mutex_unlock(&pairs[i % N].lock);
  ATOMIC_END();
}

static void loop(unsigned key) {
  ATOMIC_BEGIN("loop");
  pthread_mutex_lock(&pairs[mix(key) % N].lock);
  pairs[mix(key) % N].a++;
  pairs[mix(key) % N].b--;
  pthread_mutex_unlock(&pairs[mix(key) % N].lock);
  ATOMIC_END();
}

static void nested(unsigned key) {
  ATOMIC_BEGIN("nested");
  pthread_mutex_lock(&pairs[slot(key)].lock);
  pairs[slot(key)].a++;
  pairs[slot(key)].b--;
  pthread_mutex_unlock(&pairs[slot(key)].lock);
  ATOMIC_END();
}

/* In each round of a loop. */
static void counted(void) {
  for (int i = 0; i < 3; i++) {
    const int k = rand();
    ATOMIC_BEGIN("counted");
    pthread_mutex_lock(&pairs[k % N].lock);
    pairs[k % N].a++;
    pairs[k % N].b--;
    pthread_mutex_unlock(&pairs[k % N].lock);
    ATOMIC_END();
  }
}

static void add_striped(unsigned key) {
  ATOMIC_BEGIN("striped");
  pthread_mutex_lock(&few[hash(key) % N % LOCKS]);
  striped[hash(key) % N]++;
  striped[hash(key) % N]++;
  pthread_mutex_unlock(&few[hash(key) % N % LOCKS]);
  ATOMIC_END();
}

static void work(void) {
  insert((unsigned)rand());
  change((unsigned)rand());
  plain(rand());
  loop((unsigned)rand());
  nested((unsigned)rand());
  counted();
  add_striped((unsigned)rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
