/* turns.c: `turns SEED`: three threads do random things to a little shared memory, in an order that the seed says: who
 * has done one thing lets the next thread do one. So each run with the seed is the same, and so is its explanation. */
#include <causal.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 3, TURNS = 4000, CELLS = 6 };

static union {
  uint8_t byte[8];
  uint32_t word[2];
  uint64_t all;
} cells[CELLS][8] __attribute__((aligned(64))), own[THREADS][40] __attribute__((aligned(64)));
static uint64_t *heap[THREADS];
static uint8_t order[TURNS + 1];
static sem_t turn[THREADS];
static uint32_t calm, seldom; /* one access in so many is to what is shared; one of those in so many may be a write */

static uint32_t draw(uint32_t *state, uint32_t n) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % n;
}

typedef struct {
  uint32_t thread, state, at; /* at: its next turn */
} Player;

/* False: there are no more. */
static int wait_for_turn(Player *p) {
  while (p->at < TURNS && order[p->at] != p->thread) p->at++;
  if (p->at == TURNS) return 0;
  sem_wait(&turn[p->thread]);
  return 1;
}

static int another_turn(const Player *p) {
  uint32_t at = p->at + 1;
  while (at < TURNS && order[at] != p->thread) at++;
  return at < TURNS;
}

static void pass_on(Player *p) {
  p->at++;
  if (p->at < TURNS) sem_post(&turn[order[p->at]]);
}

/* A part of a line, or all of it, in steps. */
static void sweep(Player *p, uint64_t *line, uint32_t from, uint32_t to, uint32_t step, int only_reads) {
  volatile uint64_t *all = line;
  volatile uint32_t *halves = (void *)line;
  switch (only_reads ? 3 : draw(&p->state, 4)) {
  case 0:
    for (uint32_t i = from; i < to; i += step) all[i] = i;
    break;
  case 1:
    for (uint32_t i = from; i < to; i += step) all[i] += i;
    break;
  case 2:
    for (uint32_t i = 2 * from; i < 2 * to; i += step) halves[i]++;
    break;
  default:
    for (uint32_t i = from; i < to; i += step) (void)all[i];
  }
}

static void touch_line(Player *p) {
  const int common = draw(&p->state, calm) == 0, reads = common && draw(&p->state, seldom);
  uint64_t *line = common ? &cells[draw(&p->state, CELLS)][0].all : &own[p->thread][8 * draw(&p->state, 5)].all;
  if (draw(&p->state, 2)) sweep(p, line, 0, 8, 1, reads);
  else sweep(p, line, draw(&p->state, 4), 4 + draw(&p->state, 5), 1 + draw(&p->state, 3), reads);
}

static void touch(Player *p) {
  const uint32_t what = draw(&p->state, 9), i = draw(&p->state, 8), common = draw(&p->state, calm) == 0;
  uint64_t *all = common ? &cells[draw(&p->state, CELLS)][i].all : &own[p->thread][draw(&p->state, 40)].all;
  volatile uint64_t *read = all;
  switch (common && draw(&p->state, seldom) ? 3 : what) {
  case 0: *all = i; break;
  case 1: ((uint32_t *)(void *)all)[i % 2] = i; break;
  case 2: ((uint8_t *)all)[i]++; break;
  case 3: (void)*(volatile uint8_t *)(void *)((uint8_t *)all + i); break;
  case 4:
    free(heap[p->thread]);
    heap[p->thread] = malloc(sizeof **heap * 2);
    break;
  case 5:
    if (heap[p->thread]) *heap[p->thread] += i;
    break;
  default: (void)*read;
  }
}

/* A turn may be several things, and lines by turns. */
static void play_turn(Player *p) {
  const uint32_t n = draw(&p->state, 3) ? 1 : draw(&p->state, 4);
  for (uint32_t i = 0; i <= n; i++)
    if (n > 1 || draw(&p->state, 4) == 0) touch_line(p);
    else touch(p);
}

/* It begins and ends in a turn, so that there is one order of all that tells transactions apart. */
static void block(Player *p) {
  uint32_t n = 1 + draw(&p->state, 12);
  if (!wait_for_turn(p)) return;
  ATOMIC_BEGIN("block");
  for (;;) {
    play_turn(p);
    if (--n == 0 || !another_turn(p)) break;
    pass_on(p);
    wait_for_turn(p);
  }
  ATOMIC_END();
  pass_on(p);
}

static void *play(void *argument) {
  Player p = *(Player *)argument;
  while (p.at < TURNS)
    if (draw(&p.state, 4)) {
      block(&p);
    } else if (wait_for_turn(&p)) {
      touch(&p);
      pass_on(&p);
    }
  return NULL;
}

int main(int argc, char **argv) {
  static Player players[THREADS];
  pthread_t threads[THREADS];
  uint32_t state = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
  calm = 2u << draw(&state, 8);
  seldom = draw(&state, 2) ? 1 : 1u << draw(&state, 7);
  const uint32_t stay = 1 + draw(&state, 30);
  for (uint32_t i = 0, who = 0; i < TURNS; i++) {
    if (draw(&state, stay) == 0) who = draw(&state, THREADS);
    order[i] = (uint8_t)who;
  }
  for (uint32_t i = 0; i < THREADS; i++) sem_init(&turn[i], 0, i == order[0]);
  for (uint32_t i = 0; i < THREADS; i++) {
    players[i] = (Player){i, state + i * 7919, 0};
    pthread_create(&threads[i], NULL, play, &players[i]);
  }
  for (uint32_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
