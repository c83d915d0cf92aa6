/* lines.c: `lines CASE`: what a block does to bytes of one line comes to the log as one event, which grows; here each
 * byte has to be told apart. Between the two reads of block `outer` the other thread does its part:
 * - lost: it writes what was read with the whole line, and is read once more: violated;
 * - kept: it reads and writes other bytes of the line by the code by which it reads these: serializable;
 * - mixed: it reads a part of the line, and writes the last one of that: serializable. */
#include <causal.h>

#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static long v[8] __attribute__((aligned(64)));
static volatile long seen;
static sem_t go, done;
static const char *what;

static void visit(int from, int to, int write) {
  for (int i = from; i < to; i++) {
    const long x = v[i];
    if (i < write) v[i] = x + 1;
    seen = x;
  }
}

static void *other(void *unused) {
  sem_wait(&go);
  ATOMIC_BEGIN("inner");
  if (strcmp(what, "lost") == 0) v[1] = 7;
  else if (strcmp(what, "kept") == 0) visit(0, 4, 1);
  else visit(0, 4, 0), v[3] = 7;
  ATOMIC_END();
  sem_post(&done);
  return unused;
}

int main(int argc, char **argv) {
  pthread_t t;
  long sum = 0;
  what = argc > 1 ? argv[1] : "";
  sem_init(&go, 0, 0);
  sem_init(&done, 0, 0);
  pthread_create(&t, NULL, other, NULL);
  ATOMIC_BEGIN("outer");
  if (strcmp(what, "lost") == 0)
    for (int i = 0; i < 8; i++) sum += v[i];
  else sum += v[1];
  sem_post(&go);
  sem_wait(&done);
  sum += v[1];
  ATOMIC_END();
  pthread_join(t, NULL);
  return sum < 0;
}
