/* Of all steps that were read, those that can matter: accesses and locks with a rival (lock_rivals.h), and stops. */
#include "predict/locks/lock_runs_inside.h"

#include "base/sort.h"
#include "predict/locks/lock_rivals.h"

#include <assert.h>

#define NONE UINT32_MAX
enum { NEVER_RELEASED = UINT32_MAX - 1 }; /* the stage after the last */

typedef struct {
  LockReader *reader;
  Strands order;
  LockRivals objects, locks;
  U32Vec open;     /* per lock: the stage of its acquire, + 1, while the life holds it; likewise its step */
  U32Vec acquired; /* what is open */
  U32Vec steps;
} Keeping;

/* ---- stages ---- */

/* The step of the event of an end of an edge. */
static uint32_t stop_of(const Life *life, uint64_t event) {
  uint32_t low = 0, high = life->steps.n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (life->steps.at[middle].event < event) low = middle + 1;
    else high = middle;
  }
  assert(low < life->steps.n && life->steps.at[low].event == event);
  return low;
}

/* Of each life's steps: the stops before them, as they are counted. */
static U32Vec *list_stops(const LockReader *reader) {
  Heap *heap = reader->heap;
  U32Vec *stops = heap_zeroed(heap, heap_product(heap, reader->lives.n, sizeof *stops));
  for (uint32_t t = 0; t < reader->lives.n; t++)
    for (uint32_t i = 0; i < reader->lives.at[t].steps.n; i++)
      if (reader->lives.at[t].steps.at[i].stop) vec_push(heap, &stops[t], i);
  return stops;
}

static uint32_t stage_of(const LockReader *reader, const U32Vec *stops, LifeEvent end) {
  const uint32_t step = stop_of(&reader->lives.at[end.life], end.event);
  return 2 * sort_count_below(stops[end.life].at, stops[end.life].n, step) + 1;
}

/* By the edges that order transactions. Where there are too many, nothing is known between different threads. */
static void find_order(Keeping *k) {
  static const uint64_t MOST_ENTRIES = (uint64_t)1 << 26;
  const LockReader *reader = k->reader;
  k->order = (Strands){.heap = reader->heap};
  for (uint32_t t = 0; t < reader->lives.n; t++) strands_add(&k->order);
  if ((uint64_t)reader->edges.n * reader->lives.n > MOST_ENTRIES) return;
  U32Vec *stops = list_stops(reader);
  for (uint32_t e = 0; e < reader->edges.n; e++) {
    const LifeEdge *edge = &reader->edges.at[e];
    if (!edge->conflict) continue;
    const StrandPoint from = {edge->from.life, stage_of(reader, stops, edge->from), 0};
    const uint32_t at = stage_of(reader, stops, edge->to);
    strands_add_edge(&k->order, edge->to.life, &(StrandEdge){at, 0, from, NULL});
  }
  for (uint32_t t = 0; t < reader->lives.n; t++) vec_fini(reader->heap, &stops[t]);
  heap_release(reader->heap, stops);
}

/* ---- what was touched ---- */

static void open_section(Keeping *k, uint32_t lock, uint32_t stage, uint32_t step) {
  vec_push(k->reader->heap, &k->acquired, lock);
  k->open.at[lock] = stage + 1;
  k->steps.at[lock] = step;
}

/* The stage of the acquire. */
static uint32_t close_section(Keeping *k, uint32_t lock) {
  const uint32_t stage = k->open.at[lock];
  assert(stage);
  k->open.at[lock] = 0;
  return stage - 1;
}

/* Calls see() for each step with its stage. */
static void each_step(Keeping *k, uint32_t t, void (*see)(Keeping *k, uint32_t t, uint32_t step, uint32_t stage)) {
  const Life *life = &k->reader->lives.at[t];
  vec_clear(&k->acquired);
  for (uint32_t i = 0, stops = 0; i < life->steps.n; i++) {
    const bool stop = life->steps.at[i].stop;
    see(k, t, i, 2 * stops + stop);
    stops += stop;
  }
}

static void note(Keeping *k, uint32_t t, uint32_t i, uint32_t stage) {
  const LockStep *step = &k->reader->lives.at[t].steps.at[i];
  switch ((StepOp)step->op) {
  case STEP_READ:
  case STEP_WRITE:
    lock_rivals_note(&k->objects, step->object, t, (RivalSpan){stage, stage}, step->op == STEP_WRITE);
    break;
  case STEP_ACQUIRE: open_section(k, step->object, stage, i); break;
  case STEP_RELEASE:
    lock_rivals_note(&k->locks, step->object, t, (RivalSpan){close_section(k, step->object), stage}, true);
    break;
  case STEP_POINT: break;
  }
}

static void note_open(Keeping *k, uint32_t t) {
  for (uint32_t i = 0; i < k->acquired.n; i++) {
    const uint32_t lock = k->acquired.at[i];
    if (!k->open.at[lock]) continue;
    lock_rivals_note(&k->locks, lock, t, (RivalSpan){close_section(k, lock), NEVER_RELEASED}, true);
  }
}

/* ---- what is left ---- */

static void drop(LockStep *step) {
  step->op = STEP_POINT;
  step->object = NONE;
}

static void judge(Keeping *k, uint32_t t, uint32_t i, uint32_t stage) {
  LockStep *steps = k->reader->lives.at[t].steps.at, *step = &steps[i];
  switch ((StepOp)step->op) {
  case STEP_READ:
  case STEP_WRITE:
    if (!lock_rivals_has(&k->objects, &k->order, step->object, t, stage, step->op == STEP_WRITE)) drop(step);
    break;
  case STEP_ACQUIRE: open_section(k, step->object, stage, i); break;
  case STEP_RELEASE: {
    const uint32_t lock = step->object;
    if (close_section(k, lock) != stage || lock_rivals_has(&k->locks, &k->order, lock, t, stage, true)) break;
    drop(&steps[k->steps.at[lock]]);
    drop(step);
    break;
  }
  case STEP_POINT: break;
  }
}

static void judge_open(Keeping *k) {
  for (uint32_t i = 0; i < k->acquired.n; i++) k->open.at[k->acquired.at[i]] = 0;
}

static void compact(Heap *heap, Life *life) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < life->steps.n; i++)
    if (life->steps.at[i].op != STEP_POINT || life->steps.at[i].stop) life->steps.at[n++] = life->steps.at[i];
  life->steps.n = n;
  if (n >= life->steps.cap / 2) return;
  life->steps.at = heap_resize(heap, life->steps.at, heap_product(heap, n, sizeof *life->steps.at));
  life->steps.cap = n;
}

void lock_reader_keep(LockReader *reader) {
  Heap *heap = reader->heap;
  Keeping k = {.reader = reader, .objects = {.heap = heap}, .locks = {.heap = heap}};
  vec_resize_zeroed(heap, &k.open, reader->locks.n);
  vec_resize_zeroed(heap, &k.steps, reader->locks.n);
  find_order(&k);
  for (uint32_t t = 0; t < reader->lives.n; t++) {
    each_step(&k, t, note);
    note_open(&k, t);
  }
  for (uint32_t t = 0; t < reader->lives.n; t++) {
    each_step(&k, t, judge);
    judge_open(&k);
    compact(heap, &reader->lives.at[t]);
  }
  strands_fini(&k.order);
  lock_rivals_fini(&k.objects);
  lock_rivals_fini(&k.locks);
  vec_fini(heap, &k.open);
  vec_fini(heap, &k.acquired);
  vec_fini(heap, &k.steps);
}
