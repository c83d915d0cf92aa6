// expect: push atomic
// expect: no lock violated
// expect: short violated
// race: 45 45
// race: 45 46
// race: 50 50
// race: 46 46
/* Where a member is, as it was said before there was offsetof: by the address of a member of what is at NULL. */
#include "causal.h"

#include <pthread.h>

#define OFFSET(type, member) ((unsigned long)(&((type *)0)->member))
#define ENTRY(pointer, type, member) ((type *)((char *)(pointer)-OFFSET(type, member)))

typedef struct Link {
  struct Link *next;
} Link;

typedef struct {
  int before;
  pthread_mutex_t lock;
  int value, other, last;
  Link link;
} Node;

typedef struct {
  char first[260], last;
} Long;

static int bytes[300];
static Node node = {.lock = PTHREAD_MUTEX_INITIALIZER};
static Link *head = &node.link;

static void *work(void *unused) {
  Node *n = ENTRY(head, Node, link);
  pthread_mutex_lock(&n->lock);
  ATOMIC_BEGIN("push");
  n->value++;
  n->value++;
  ATOMIC_END();
  pthread_mutex_unlock(&n->lock);
  int *other = (int *)((char *)&n->last - (OFFSET(Node, last) - OFFSET(Node, other)));
  ATOMIC_BEGIN("no lock");
  n->other++;
  *other += 1;
  ATOMIC_END();
  /* 260 as a number of one byte is 4 */
  ATOMIC_BEGIN("short");
  bytes[4] = bytes[(unsigned char)OFFSET(Long, last)];
  ATOMIC_END();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
