/* values.c: threads read and write a few variables without any order, and keep what they read and wrote; at the end they print it: a line
 * "THREAD r|w VARIABLE VALUE" per access, in each thread's order. Every value is written once. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, STEPS = 20000, VARIABLES = 3 };

volatile long shared[VARIABLES];

typedef struct {
  char op, variable;
  long value;
} Step;

static Step *steps[THREADS];

static void *work(void *argument) {
  const long me = (long)argument;
  unsigned random = 1 + (unsigned)me;
  for (long i = 0; i < STEPS; i++) {
    random = random * 1103515245 + 12345;
    Step *step = &steps[me][i];
    step->variable = (char)((random >> 16) % VARIABLES);
    step->op = random >> 24 & 1 ? 'r' : 'w';
    step->value = step->op == 'w' ? me * STEPS + i + 1 : 0;
    if (step->op == 'r') step->value = shared[(int)step->variable];
    else shared[(int)step->variable] = step->value;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++) steps[i] = calloc(STEPS, sizeof **steps);
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++)
    for (int k = 0; k < STEPS; k++) printf("T%d:work %c %d %ld\n", i + 1, steps[i][k].op, steps[i][k].variable, steps[i][k].value);
  return 0;
}
