/* copies.c: as values.c, but the variables are structs that are copied, from and to memory whose address is known elsewhere. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, STEPS = 20000, VARIABLES = 3 };

typedef struct {
  long value, more[15];
} __attribute__((aligned(128))) Big; /* so that none is copied in pieces */

Big shared[VARIABLES];

typedef struct {
  char op, variable;
  long value;
} Step;

static Step *steps[THREADS];

static void *work(void *argument) {
  const long me = (long)argument;
  unsigned random = 1 + (unsigned)me;
  Big big = {0};
  for (long i = 0; i < STEPS; i++) {
    random = random * 1103515245 + 12345;
    Step *step = &steps[me][i];
    step->variable = (char)((random >> 16) % VARIABLES);
    step->op = random >> 24 & 1 ? 'r' : 'w';
    big.value = me * STEPS + i + 1;
    __asm__ volatile("" : : "r"(&big) : "memory");
    if (step->op == 'r') memcpy(&big, &shared[(int)step->variable], sizeof big);
    else shared[(int)step->variable] = big;
    __asm__ volatile("" : : "r"(&big) : "memory");
    step->value = big.value;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++) steps[i] = calloc(STEPS, sizeof **steps);
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++)
    for (int k = 0; k < STEPS; k++)
      printf("T%d:work %c %d %ld\n", i + 1, steps[i][k].op, steps[i][k].variable * (int)(sizeof(Big) / sizeof(long)), steps[i][k].value);
  return 0;
}
