/* steps.h: the threads of values.c and copies.c, which define access(): reads ('r') or writes ('w') a variable, and
 * says which value. At the end what was read and written is printed: a line "THREAD r|w INDEX VALUE" per access, in
 * each thread's order. Every value is written once. What these names mean may be defined before: */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef SELDOM
#define SELDOM 2                              /* one access in so many is a write, */
#define VARIABLES 3                           /* to one of so many variables, */
#define WHICH(i, random) (random % VARIABLES) /* to this one in step i */
#endif

enum { THREADS = 4, STEPS = 20000 };

/* Inlined: at the border of a function nothing is held any more. */
static inline __attribute__((always_inline)) long access(char op, int variable, long value);

typedef struct {
  char op;
  int variable;
  long value;
} Step;

static Step *steps[THREADS];

static void *work(void *argument) {
  const long me = (long)argument;
  unsigned random = 1 + (unsigned)me;
  for (long i = 0; i < STEPS; i++) {
    random = random * 1103515245 + 12345;
    Step *step = &steps[me][i];
    step->variable = (int)(WHICH((unsigned)i, (random >> 16)));
    step->op = (random >> 20) % SELDOM ? 'r' : 'w';
    step->value = access(step->op, step->variable, me * STEPS + i + 1);
  }
  return NULL;
}

static void take_steps(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++) steps[i] = calloc(STEPS, sizeof **steps);
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++)
    for (int k = 0; k < STEPS; k++)
      printf("T%d:work %c %d %ld\n", i + 1, steps[i][k].op, steps[i][k].variable, steps[i][k].value);
}
