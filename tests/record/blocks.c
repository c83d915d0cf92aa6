/* Blocks of the heap are named after what has allocated them, and what is in them after its members, where its type is
 * clear; the same in every run.
 * has: \|acq\(&blocks\.c:[0-9]+:queue_new\(56\)->lock\)
 * has: \|acq\(&blocks\.c:[0-9]+:queue_new\(56\)#2->lock\)
 * has: ^T1:work\|w\(blocks\.c:[0-9]+:queue_new\(56\)->head\)
 * has: ^T1:work\|w\(blocks\.c:[0-9]+:put\(16\)#T1->value\)
 * has: \|w\(blocks\.c:[0-9]+:put\(16\)#T2\.3->value\)
 * has: ^T0\|r\(blocks\.c:[0-9]+:put\(16\)#T2\.3->value\)
 * not: put\(16\)#T[12]\.4
 * has: \|w\(blocks\.c:[0-9]+:main\(48\)\[2\]\.value\)
 * has: \|w\(blocks\.c:[0-9]+:main\(40\)\+8\)
 * has: \|w\(blocks\.c:[0-9]+:main\(9000\)\+8000\)
 * has: \|w\(blocks\.c:[0-9]+:main\(64\)\)
 * has: \|w\(blocks\.c:[0-9]+:main\(128\)\)
 * has: \|acq\(&blocks\.c:[0-9]+:main\(9000\)\+8192\)
 * has: \|sig\(&blocks\.c:[0-9]+:main\(33\)\)
 * not: 0x
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};
struct queue {
  pthread_mutex_t lock;
  struct node *head;
  int n;
};
static struct queue *queues[2];
int *counts;
char *large;
static pthread_barrier_t *meeting;
long *aligned, *another;

static struct queue *queue_new(void) {
  struct queue *q = calloc(1, sizeof *q);
  pthread_mutex_init(&q->lock, NULL);
  return q;
}

static void put(struct queue *q, int value) {
  struct node *n = malloc(sizeof *n);
  pthread_mutex_lock(&q->lock);
  n->value = value;
  n->next = q->head;
  q->head = n;
  q->n++;
  pthread_mutex_unlock(&q->lock);
}

static int get(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  struct node *n = q->head;
  q->head = n->next;
  q->n--;
  pthread_mutex_unlock(&q->lock);
  const int value = n->value;
  free(n);
  return value;
}

struct node *table; /* clang makes a variable of a block that only a static one has */

static void *work(void *argument) {
  struct queue *q = argument;
  pthread_mutex_t *late = (pthread_mutex_t *)(void *)(large + 8192);
  for (int i = 0; i < 3; i++) put(q, i);
  pthread_mutex_lock(late);
  table[2].value++;
  counts[2]++;
  large[8000]++;
  ++*aligned;
  ++*another;
  pthread_mutex_unlock(late);
  if (meeting) pthread_barrier_wait(meeting);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  counts = realloc(NULL, 512);
  counts[0] = 1;
  counts = realloc(counts, 40); /* it moves */
  struct node *nodes = calloc(3, sizeof *nodes);
  table = nodes;
  large = calloc(9000, 1);
  pthread_mutex_init((pthread_mutex_t *)(void *)(large + 8192), NULL);
  meeting = calloc(1, sizeof *meeting + 1);
  pthread_barrier_init(meeting, NULL, 2);
  if (posix_memalign((void **)&another, 64, 128)) return 1;
  aligned = aligned_alloc(64, 64);
  *aligned = *another = counts[2] = 0;
  for (int i = 0; i < 2; i++) {
    queues[i] = queue_new();
    pthread_create(&threads[i], NULL, work, queues[i]);
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  int sum = 0;
  for (int i = 0; i < 6; i++) sum += get(queues[i % 2]);
  printf("%d %d %d %d\n", sum, table[2].value, counts[2], large[8000]);
  return 0;
}
