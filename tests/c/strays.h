/* strays.h: circles of links with a bucket's; what would be a node's value at the end is the count of the next bucket.
 */
#include "list_head.h"

enum { N = 64 };

typedef struct {
  Link link;
  int key, value;
} Node;
typedef struct {
  int n, count;
  pthread_mutex_t lock;
  Link head;
} Bucket;

#define NODE(link_) ENTRY(link_, Node, link)
#define TWICE(node) \
  (node)->value++;  \
  (node)->value++
#define TABLE(name)                                            \
  static Bucket name[N];                                       \
  __attribute__((constructor)) static void init_##name(void) { \
    for (int i = 0; i < N; i++) link_init(&name[i].head);      \
  }                                                            \
  static void push_##name(unsigned key) {                      \
    Bucket *b = &name[key % N];                                \
    Node *n = calloc(1, sizeof *n);                            \
    pthread_mutex_lock(&b->lock);                              \
    link_add(&n->link, &b->head);                              \
    b->count++;                                                \
    pthread_mutex_unlock(&b->lock);                            \
  }
#define BLOCK(name, ...)                \
  static void do_##name(unsigned key) { \
    Bucket *b = &name[key % N];         \
    ATOMIC_BEGIN(#name);                \
    pthread_mutex_lock(&b->lock);       \
    __VA_ARGS__;                        \
    pthread_mutex_unlock(&b->lock);     \
    ATOMIC_END();                       \
  }
#define BOTH(name)               \
  push_##name((unsigned)rand()); \
  do_##name((unsigned)rand())
