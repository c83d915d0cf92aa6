// Places in arrays that are allocated once: one that goes on, and one that does not, where the number is another one.
// expect: moved violated
// expect: shifted violated
// race: 28 28
// race: 29 29
// race: 36 57
// race: 37 37
// race: 37 57
// race: 38 38
// race: 38 57
// race: 39 57
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

typedef struct {
  pthread_mutex_t lock;
  int a, b;
} Account;

static Account *accounts, *later, *moving;
static int n;

static void do_shifted(int i) {
  ATOMIC_BEGIN("shifted");
  pthread_mutex_lock(&accounts[i + 1].lock);
  later[i].a++;
  later[i].b++;
  pthread_mutex_unlock(&accounts[i + 1].lock);
  ATOMIC_END();
}

static void do_moved(int i) {
  ATOMIC_BEGIN("moved");
  pthread_mutex_lock(&moving[i].lock);
  moving[i].a++;
  moving[i].b++;
  pthread_mutex_unlock(&moving[i].lock);
  ATOMIC_END();
}

static void *run(void *unused) {
  do_shifted(rand() % n);
  do_moved(rand() % n);
  return unused;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  if (argc != 2) return 3;
  n = atoi(argv[1]);
  accounts = calloc((size_t)n + 2, sizeof(Account));
  later = accounts + 2;
  moving = calloc((size_t)n * 2, sizeof(Account));
  if (pthread_create(&a, NULL, run, NULL) || pthread_create(&b, NULL, run, NULL)) return 1;
  moving += n / 2;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
