/* random.c: `random SEED`: two to four threads do random things to a little shared memory, in transactions and outside:
 * accesses of all sizes, copies, atomic operations, blocks of the heap that come and go, locks, waits for a flag. */
#include <causal.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef union {
  uint8_t byte[16];
  uint16_t half[8];
  uint32_t word[4];
  uint64_t all[2];
} Cell;

enum { CELLS = 12, THREADS = 4 };

static Cell cells[CELLS];
static Cell own[THREADS][64]; /* mostly of one thread */
static Cell *_Atomic block;
static atomic_int counter, spin, flag;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned seed, steps, calm;

static uint32_t draw(uint32_t *state, uint32_t n) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % n;
}

static void touch(Cell *cell, uint32_t what, uint32_t i) {
  switch (what) {
  case 0: cell->byte[i]++; break;
  case 1: cell->half[i / 2] = 7; break;
  case 2: cell->word[i / 4]++; break;
  case 3: cell->all[i / 8] = i; break;
  case 4: (void)*(volatile uint8_t *)&cell->byte[i]; break;
  case 5: (void)*(volatile uint32_t *)&cell->word[i / 4]; break;
  case 6: (void)*(volatile uint64_t *)&cell->all[i / 8]; break;
  case 7: memset(cell, (int)i, sizeof *cell); break;
  case 8: memcpy(cell, &cells[i % CELLS], sizeof *cell); break;
  default: (void)*(volatile uint16_t *)&cell->half[i / 2]; break;
  }
}

static void take_spin(void) {
  int free = 0;
  while (!atomic_compare_exchange_strong(&spin, &free, 1)) free = 0, sched_yield();
}

static void step(uint32_t *state, uint32_t thread) {
  const uint32_t what = draw(state, 40 + calm), i = draw(state, 16);
  Cell *some;
  switch (what) {
  case 0: atomic_fetch_add(&counter, 1); break;
  case 1: (void)atomic_load(&counter); break;
  case 2:
    take_spin();
    cells[0].word[0]++;
    atomic_store(&spin, 0);
    break;
  case 3:
    pthread_mutex_lock(&mutex);
    some = block;
    if (some) touch(some, draw(state, 10), i);
    pthread_mutex_unlock(&mutex);
    break;
  case 4:
    pthread_mutex_lock(&mutex);
    some = malloc(sizeof *some);
    memset(some, 0, sizeof *some);
    free(block);
    block = some;
    pthread_mutex_unlock(&mutex);
    break;
  case 5: atomic_store(&flag, (int)i % 2); break;
  case 6:
    for (int k = 0; k < 3 && !atomic_load(&flag); k++) sched_yield();
    break;
  case 7: sched_yield(); break;
  case 8: touch(&own[draw(state, THREADS)][draw(state, 64)], draw(state, 10), i); break;
  default:
    if (what < 14) touch(&cells[draw(state, CELLS)], draw(state, 10), i);
    else touch(&own[thread][draw(state, 64)], draw(state, 10), i);
  }
}

static void *work(void *argument) {
  const uint32_t thread = (uint32_t)(uintptr_t)argument;
  uint32_t state = seed * 31 + thread * 77777;
  for (uint32_t i = 0; i < steps; i++) {
    const uint32_t n = draw(&state, 5);
    if (draw(&state, 3)) {
      ATOMIC_BEGIN("block");
      for (uint32_t k = 0; k < n; k++) step(&state, thread);
      ATOMIC_END();
    } else {
      for (uint32_t k = 0; k < n; k++) step(&state, thread);
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  uint32_t state = seed;
  const uint32_t n = 2 + draw(&state, THREADS - 1);
  steps = 3 << draw(&state, 9);
  calm = 20u << draw(&state, 6);
  for (uint32_t i = 0; i < n; i++) pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)i);
  for (uint32_t i = 0; i < n; i++) pthread_join(threads[i], NULL);
  printf("done\n");
  return 0;
}
