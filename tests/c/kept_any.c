// Buckets in any number of threads: those of a short table are as many as there are.
// expect: long unknown
// expect: short unknown
// gap: 47 creates threads here again and again, of which 2 are there
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>
#ifndef SHORT
#define SHORT 3
#endif
enum { N = 64 };

typedef struct Node {
  struct Node *next;
  int key, value;
} Node;
typedef struct {
  pthread_mutex_t lock;
  Node *head;
} Bucket;
static Bucket table[N], few[SHORT];
static void change(Bucket *b) {
  pthread_mutex_lock(&b->lock);
  if (!b->head) b->head = calloc(1, sizeof(Node));
  for (Node *n = b->head; n; n = n->next) {
    n->value++;
    n->value++;
  }
  pthread_mutex_unlock(&b->lock);
}

static void *work(void *arg) {
#ifndef NOLONG
  ATOMIC_BEGIN("long");
  change(&table[(unsigned)rand() % N]);
  ATOMIC_END();
#endif
  ATOMIC_BEGIN("short");
  change(&few[(unsigned)rand() % SHORT]);
  ATOMIC_END();
  return arg;
}

int main(int argc, char **argv) {
  pthread_t *t = calloc((size_t)argc, sizeof *t);
  for (int i = 0; i < argc; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < argc; i++) pthread_join(t[i], NULL);
}
