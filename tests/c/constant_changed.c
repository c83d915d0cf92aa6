// Nothing is known of what is read where another number is stored, too, before or behind; or where the thread may be
// created before it is.
// expect: stack violated
// expect: turn violated
// race: 30 30
// race: 39 54
// race: 41 41
// race: 43 54
#include <causal.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
  int me, times;
} Argument;

static Argument arguments[2];
static int threads = 2;
static atomic_int flag[2], victim, turn;
static int a, b;

static void *peterson(void *argument) {
  const int me = *(int *)argument, you = 1 - me;
  atomic_store(&flag[me], 1);
  atomic_store(&victim, me);
  while (atomic_load(&flag[you]) && atomic_load(&victim) == me) {}
  ATOMIC_BEGIN("stack");
  a++, a++;
  ATOMIC_END();
  atomic_store(&flag[me], 0);
  return NULL;
}

static void *in_turns(void *argument) {
  const Argument *mine = argument;
  for (int i = 0; i < mine->times; i++) {
    while (atomic_load(&turn) != mine->me) {}
    ATOMIC_BEGIN("turn");
    b++, b++;
    ATOMIC_END();
    atomic_store(&turn, (mine->me + 1) % threads);
  }
  return NULL;
}

int main(void) {
  pthread_t t[4];
  int numbers[2] = {0, 1};
  for (int i = 0; i < 2; i++) {
    arguments[i].times = rand();
    pthread_create(&t[i], NULL, in_turns, &arguments[i]);
    arguments[i].me = i;
    pthread_create(&t[2 + i], NULL, peterson, &numbers[i]);
    if (!i) numbers[1] = 0;
  }
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  return 0;
}
