// Circles of links, one of which is in the bucket: at the end of a list the node is none, and its members would be
// outside of the bucket.
// expect: add atomic
// expect: change atomic
// expect: find atomic
// expect: passed atomic
// expect: remove atomic
// expect: sorted atomic
#include "list_head.h"

enum { N = 64 };

typedef struct {
  Link link;
  int key, value;
} Node;

static struct Bucket {
  pthread_mutex_t lock;
  Link head;
} table[N];

/* before and behind the element of the array */
typedef struct {
  int key, value;
  Link link;
} Item;

static struct Queue {
  Link head;
  pthread_mutex_t lock;
  int n;
} queues[N];

#define EACH(it, head_)                                                        \
  for (it = ENTRY((head_)->next, __typeof__(*it), link); &it->link != (head_); \
       it = ENTRY(it->link.next, __typeof__(*it), link))

static Node *find(struct Bucket *b, int key) {
  Node *n;
  EACH(n, &b->head) {
    if (n->key == key) return n;
  }
  return NULL;
}

static void add(int key) {
  struct Bucket *b = &table[(unsigned)key % N];
  ATOMIC_BEGIN("add");
  pthread_mutex_lock(&b->lock);
  Node *n = find(b, key);
  if (!n) {
    n = calloc(1, sizeof *n);
    n->key = key;
    link_add(&n->link, &b->head);
  }
  n->value++;
  n->value++;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

/* the node, or NULL, where the loop has been left */
static void look(int key) {
  struct Bucket *b = &table[(unsigned)key % N];
  Node *n;
  ATOMIC_BEGIN("find");
  pthread_mutex_lock(&b->lock);
  EACH(n, &b->head) {
    if (n->key == key) break;
  }
  if (&n->link == &b->head) n = NULL;
  if (n) {
    n->value++;
    n->value++;
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void drop(int key) {
  struct Bucket *b = &table[(unsigned)key % N];
  ATOMIC_BEGIN("remove");
  pthread_mutex_lock(&b->lock);
  for (Link *at = b->head.next, *next; at != &b->head; at = next) {
    Node *n = ENTRY(at, Node, link);
    next = at->next;
    if (n->key != key) continue;
    link_remove(&n->link);
    free(n);
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void change(int key) {
  struct Queue *q = &queues[(unsigned)key % N];
  Item *i;
  ATOMIC_BEGIN("change");
  pthread_mutex_lock(&q->lock);
  EACH(i, &q->head) {
    i->value++;
    q->n++;
  }
  pthread_mutex_unlock(&q->lock);
  ATOMIC_END();
}

/* before the first one that is greater, or at the end */
static void insert(int key) {
  struct Queue *q = &queues[(unsigned)key % N];
  Item *i, *it = calloc(1, sizeof *it);
  it->key = key;
  ATOMIC_BEGIN("sorted");
  pthread_mutex_lock(&q->lock);
  EACH(i, &q->head) {
    if (i->key > key) break;
  }
  link_between(&it->link, i->link.prev, &i->link);
  it->value++;
  pthread_mutex_unlock(&q->lock);
  ATOMIC_END();
}

static void each(Link *head, void (*use)(Item *)) {
  Item *i;
  EACH(i, head) use(i);
}

static void twice(Item *i) {
  i->value++;
  i->value++;
}

static void pass(int key) {
  struct Queue *q = &queues[(unsigned)key % N];
  ATOMIC_BEGIN("passed");
  pthread_mutex_lock(&q->lock);
  each(&q->head, twice);
  pthread_mutex_unlock(&q->lock);
  ATOMIC_END();
}

__attribute__((constructor)) static void init(void) {
  for (int i = 0; i < N; i++) {
    link_init(&table[i].head);
    link_init(&queues[i].head);
  }
}

static void work(void) {
  add(rand());
  look(rand());
  drop(rand());
  change(rand());
  insert(rand());
  pass(rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
