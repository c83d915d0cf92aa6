// Arrays that are allocated: the same place in one, where the number is another one; an address that may be further on;
// and one of several arrays that are made in one place.
// expect: again violated
// expect: moved violated
// expect: shifted violated
// race: 28 28
// race: 29 29
// race: 37 37
// race: 38 38
// race: 46 46
// race: 47 47
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

typedef struct {
  pthread_mutex_t lock;
  int a, b;
} Account;

static Account *accounts, *later, *moving, *tables[2];
static int n;

static void do_shifted(int i) {
  ATOMIC_BEGIN("shifted");
  pthread_mutex_lock(&accounts[i + 1].lock);
  later[i].a++;
  later[i].b++;
  pthread_mutex_unlock(&accounts[i + 1].lock);
  ATOMIC_END();
}

static void do_moved(Account *p, Account *q, int i) {
  ATOMIC_BEGIN("moved");
  pthread_mutex_lock(&p[i].lock);
  q[i].a++;
  q[i].b++;
  pthread_mutex_unlock(&p[i].lock);
  ATOMIC_END();
}

static void do_again(Account *p, Account *q, int i) {
  ATOMIC_BEGIN("again");
  pthread_mutex_lock(&p[i].lock);
  q[i].a++;
  q[i].b++;
  pthread_mutex_unlock(&p[i].lock);
  ATOMIC_END();
}

static void *run(void *unused) {
  do_shifted(rand() % n);
  do_moved(moving, moving + rand() % n, rand() % n);
  do_again(tables[rand() % 2], tables[rand() % 2], rand() % n);
  return unused;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  if (argc != 2) return 3;
  n = atoi(argv[1]);
  accounts = calloc((size_t)n + 2, sizeof(Account));
  later = accounts + 2;
  moving = calloc((size_t)n * 2, sizeof(Account));
  for (int i = 0; i < argc; i++) tables[i] = calloc((size_t)n, sizeof(Account));
  if (pthread_create(&a, NULL, run, NULL) || pthread_create(&b, NULL, run, NULL)) return 1;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
