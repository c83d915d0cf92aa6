// A node in a list, which a thread is given, too.
// expect: change violated
// expect: handed violated
// race: 32 32
// race: 32 33
// race: 32 42
// race: 32 43
// race: 33 33
// race: 33 42
// race: 33 43
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { N = 64 };

typedef struct Node {
  struct Node *next;
  int key, value;
} Node;
typedef struct {
  pthread_mutex_t lock;
  Node *head;
} Bucket;
static Bucket table[N];
static void change(unsigned key) {
  Bucket *b = &table[key % N];
  ATOMIC_BEGIN("change");
  pthread_mutex_lock(&b->lock);
  for (Node *n = b->head; n; n = n->next) {
    n->value++;
    n->value++;
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void *handed(void *arg) {
  Node *n = arg;
  ATOMIC_BEGIN("handed");
  n->value++;
  n->value++;
  ATOMIC_END();
  return NULL;
}

static void *work(void *arg) {
  change((unsigned)rand());
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  Bucket *k = &table[(unsigned)rand() % N];
  pthread_mutex_lock(&k->lock);
  Node *n = calloc(1, sizeof *n);
  k->head = n;
  pthread_mutex_unlock(&k->lock);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_create(&c, NULL, handed, n);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
}
