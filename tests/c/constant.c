// What is read from memory is known if it is all that is ever stored there: before the thread was created, or where
// nothing else could be. Here it says which element of an array is the thread's own.
// expect: stack atomic
// expect: turn atomic
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
    arguments[i].me = i;
    arguments[i].times = rand();
    pthread_create(&t[i], NULL, in_turns, &arguments[i]);
    pthread_create(&t[2 + i], NULL, peterson, &numbers[i]);
  }
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  return 0;
}
