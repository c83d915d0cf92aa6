/* hangs.c HOW: runs that do not end, in all ways in which a thread can wait for another one. */
#include <causal.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  pthread_mutex_t lock;
  int n;
} Node;

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t met, never_met;
static pthread_t main_thread, other_thread;
static sem_t empty;
static Node *node;
static const char *how;
static volatile int never;

static int is(const char *name) { return strcmp(how, name) == 0; }

/* Each has its own before the other one asks for it. */
static void cross(pthread_mutex_t *own, pthread_mutex_t *others) {
  pthread_mutex_lock(own);
  pthread_barrier_wait(&met);
  pthread_mutex_lock(others);
}

static void initialise(void) { pthread_mutex_lock(&second); }

static void *other(void *unused) {
  ATOMIC_BEGIN("other");
  if (is("circle")) cross(&second, &first);
  if (is("heap")) cross(&node->lock, &first);
  if (is("self") || is("ended")) pthread_mutex_lock(&second);
  if (is("self")) pthread_mutex_lock(&second);
  if (is("readers")) pthread_rwlock_rdlock(&table), pthread_barrier_wait(&met), pthread_mutex_lock(&first);
  if (is("condition")) pthread_mutex_lock(&first), pthread_cond_wait(&ready, &first);
  if (is("semaphore")) sem_wait(&empty);
  if (is("barrier")) pthread_barrier_wait(&never_met);
  if (is("joins")) pthread_join(main_thread, NULL);
  if (is("once")) pthread_barrier_wait(&met), pthread_once(&once, initialise);
  while (is("spin") && !never) {}
  ATOMIC_END();
  return unused;
}

int main(int argc, char **argv) {
  how = argc > 1 ? argv[1] : "";
  main_thread = pthread_self();
  pthread_barrier_init(&met, NULL, 2);
  pthread_barrier_init(&never_met, NULL, 3);
  sem_init(&empty, 0, 0);
  node = malloc(sizeof *node);
  pthread_mutex_init(&node->lock, NULL);
  if (is("once")) pthread_mutex_lock(&second);
  if (pthread_create(&other_thread, NULL, other, NULL)) return 1;
  if (is("circle")) cross(&first, &second);
  if (is("heap")) cross(&first, &node->lock);
  if (is("readers")) pthread_mutex_lock(&first), pthread_barrier_wait(&met), pthread_rwlock_wrlock(&table);
  if (is("once")) pthread_barrier_wait(&met), usleep(100000), pthread_once(&once, initialise);
  if (is("ended")) pthread_join(other_thread, NULL), pthread_mutex_lock(&second);
  pthread_join(other_thread, NULL);
  return 0;
}
