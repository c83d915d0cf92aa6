/* A thread has a script, the events of its next transaction or of a barrier; when it is through with it, its family
 * writes the next one. The threads take turns at random. */
#include "bench/trace_families.h"

#include "base/hash.h"
#include "base/vec.h"

#include <string.h>

enum { CELLS = 4, BURST = 8, FLOOR_FIELDS = 3, READS = 8, FILLERS = 8 };

typedef struct {
  VEC(TraceEvent) script;
  uint32_t next;  /* of the script's events */
  uint32_t place; /* where the thread is in its part of the phase */
  bool waits;     /* at the barrier */
} Thread;

typedef struct Maker Maker;
struct Maker {
  Heap *heap;
  const FamilyRun *run;
  FamilyTake *take;
  void *argument;
  uint64_t random, n_events;
  Thread *threads;
  uint32_t n_waiting, phase, width; /* of the barrier; of the grid or matrix */
  uint32_t *holder;                 /* of a lock: the thread + 1, or 0 */
  uint32_t n_out;
  TraceEvent out[TRACE_BATCH];
};

static uint32_t random_below(Maker *maker, uint32_t n) {
  maker->random = hash_word(maker->random);
  return (uint32_t)((maker->random >> 32) * n >> 32);
}

/* ---- events ---- */

static bool is_done(const Maker *maker) { return maker->n_events == maker->run->events; }

static void emit(Maker *maker, TraceEvent event) {
  if (is_done(maker)) return;
  maker->out[maker->n_out++] = event;
  maker->n_events++;
  if (maker->n_out < TRACE_BATCH && !is_done(maker)) return;
  maker->take(maker->argument, maker->out, maker->n_out);
  maker->n_out = 0;
}

static void add(Maker *maker, uint32_t t, TraceOp op, uint32_t object, uint32_t location) {
  vec_push(maker->heap, &maker->threads[t].script, ((TraceEvent){t, object, location, (uint8_t)op}));
}

/* Numbers of objects: the entities, then what belongs to the barrier. */
static uint32_t barrier_count(const Maker *maker) { return maker->run->entities; }
static uint32_t barrier_lock(const Maker *maker) { return maker->run->entities + 1; }

static void add_barrier(Maker *maker, uint32_t t) {
  add(maker, t, TRACE_ACQUIRE, barrier_lock(maker), 90);
  add(maker, t, TRACE_READ, barrier_count(maker), 91);
  add(maker, t, TRACE_WRITE, barrier_count(maker), 91);
  add(maker, t, TRACE_RELEASE, barrier_lock(maker), 92);
  maker->threads[t].waits = true;
  if (++maker->n_waiting < maker->run->threads) return;
  maker->n_waiting = 0;
  maker->phase++;
  for (uint32_t i = 0; i < maker->run->threads; i++) maker->threads[i].waits = false, maker->threads[i].place = 0;
}

/* ---- sor ---- */

/* Where the cells of the thread begin. */
static uint32_t first_cell(const Maker *maker, uint32_t t) {
  return (uint32_t)((uint64_t)maker->run->entities * t / maker->run->threads);
}

static bool is_active(const Maker *maker, uint32_t cell) {
  return (cell / maker->width + cell % maker->width + maker->phase) % 2 == 0;
}

static void add_cell(Maker *maker, uint32_t t, uint32_t cell) {
  const uint32_t n = maker->run->entities, width = maker->width;
  if (cell >= width) add(maker, t, TRACE_READ, cell - width, 12);
  if (cell + width < n) add(maker, t, TRACE_READ, cell + width, 13);
  if (cell % width) add(maker, t, TRACE_READ, cell - 1, 14);
  if (cell % width + 1 < width && cell + 1 < n) add(maker, t, TRACE_READ, cell + 1, 15);
  add(maker, t, TRACE_WRITE, cell, 16);
}

static void sor_script(Maker *maker, uint32_t t) {
  Thread *thread = &maker->threads[t];
  const uint32_t begin = first_cell(maker, t), end = first_cell(maker, t + 1);
  uint32_t n = 0;
  add(maker, t, TRACE_BEGIN, 0, 10);
  for (; n < CELLS && begin + thread->place < end; thread->place++)
    if (is_active(maker, begin + thread->place)) add_cell(maker, t, begin + thread->place), n++;
  add(maker, t, TRACE_END, TRACE_NONE, 19);
  if (!n) vec_clear(&thread->script), add_barrier(maker, t);
}

/* ---- lufact ---- */

/* An odd phase normalises a column, an even one subtracts it from those behind it; then the next column's turn comes.
 */
static void lufact_script(Maker *maker, uint32_t t) {
  Thread *thread = &maker->threads[t];
  const uint32_t k = maker->run->threads, width = maker->width, pivot = maker->phase / 2 % (width - 1);
  const bool normalises = maker->phase % 2 == 0;
  const uint32_t column = normalises ? pivot : pivot + 1 + t + thread->place * k;
  if (normalises ? thread->place || t != pivot % k : column >= width) {
    add_barrier(maker, t);
    return;
  }
  thread->place++;
  add(maker, t, TRACE_BEGIN, normalises ? 0 : 1, 20);
  for (uint32_t row = pivot; row < width; row++) {
    if (!normalises) add(maker, t, TRACE_READ, row * width + pivot, 23);
    add(maker, t, TRACE_READ, row * width + column, 24);
    add(maker, t, TRACE_WRITE, row * width + column, 24);
  }
  add(maker, t, TRACE_END, TRACE_NONE, 29);
}

/* ---- elevator ---- */

static void elevator_script(Maker *maker, uint32_t t) {
  const uint32_t floor = random_below(maker, maker->run->entities / (FLOOR_FIELDS + 1)),
                 lock = floor * (FLOOR_FIELDS + 1);
  const bool moves = random_below(maker, 4) == 0;
  add(maker, t, TRACE_BEGIN, moves, 30);
  add(maker, t, TRACE_ACQUIRE, lock, 31);
  for (uint32_t i = 1; i <= FLOOR_FIELDS; i++) {
    add(maker, t, TRACE_READ, lock + i, 31 + i);
    if (moves) add(maker, t, TRACE_WRITE, lock + i, 31 + i);
  }
  add(maker, t, TRACE_RELEASE, lock, 38);
  add(maker, t, TRACE_END, TRACE_NONE, 39);
}

/* ---- readers ---- */

/* Its objects in front are read by all; of the others each thread has its own. */
static void readers_script(Maker *maker, uint32_t t) {
  const uint32_t shared = maker->run->entities / maker->run->threads, own = shared * t;
  add(maker, t, TRACE_BEGIN, 0, 60);
  for (uint32_t i = 0; i < READS; i++) add(maker, t, TRACE_READ, random_below(maker, shared), 61 + i);
  if (t) add(maker, t, TRACE_WRITE, own + random_below(maker, shared), 70);
  add(maker, t, TRACE_END, TRACE_NONE, 71);
}

/* ---- chain ---- */

/* Its n-th transaction is open while the next ones begin, until its thread's turn comes again. */
static void chain_turn(Maker *maker, uint32_t n) {
  const uint32_t k = maker->run->threads, t = n % k, shared = maker->run->entities / 2, own = shared / k;
  if (n >= k) emit(maker, (TraceEvent){t, TRACE_NONE, 49, TRACE_END});
  emit(maker, (TraceEvent){t, 0, 40, TRACE_BEGIN});
  if (n) emit(maker, (TraceEvent){t, (n - 1) % shared, 41, TRACE_READ});
  emit(maker, (TraceEvent){t, n % shared, 42, TRACE_WRITE});
  for (uint32_t i = 0; i < FILLERS; i++) {
    const uint32_t other = random_below(maker, n < k ? n + 1 : k),
                   object = shared + other * own + random_below(maker, own);
    emit(maker, (TraceEvent){other, object, 43 + i % 4, i % 3 ? TRACE_READ : TRACE_WRITE});
  }
}

/* ---- threads ---- */

/* In its n-th turn one thread is forked, whose transaction is open until it is joined, `threads` turns later. It has a
 * variable of its own, which is freed then. */
static void threads_turn(Maker *maker, uint32_t n) {
  const uint32_t k = maker->run->threads, entities = maker->run->entities, t = n + 1, old = t - k;
  emit(maker, (TraceEvent){0, t, 1, TRACE_FORK});
  emit(maker, (TraceEvent){t, 0, 50, TRACE_BEGIN});
  emit(maker, (TraceEvent){t, entities + n, 51, TRACE_WRITE});
  if (n < k) return;
  emit(maker, (TraceEvent){old, random_below(maker, entities), 52, TRACE_READ});
  emit(maker, (TraceEvent){old, entities + old - 1, 53, TRACE_READ});
  emit(maker, (TraceEvent){old, TRACE_NONE, 54, TRACE_END});
  emit(maker, (TraceEvent){old, entities + old - 1, 55, TRACE_FREE});
  emit(maker, (TraceEvent){0, old, 2, TRACE_JOIN});
}

/* ---- taking turns ---- */

static bool must_wait(const Maker *maker, const TraceEvent *event) {
  return event->op == TRACE_ACQUIRE && maker->holder[event->object] &&
         maker->holder[event->object] != event->thread + 1;
}

/* Some of the thread's next events; none if it has to wait. */
static void run_thread(Maker *maker, uint32_t t, void (*write_script)(Maker *maker, uint32_t t)) {
  Thread *thread = &maker->threads[t];
  for (uint32_t n = 1 + random_below(maker, BURST); n; n--) {
    if (thread->next == thread->script.n) {
      if (thread->waits) return;
      vec_clear(&thread->script);
      thread->next = 0;
      write_script(maker, t);
    }
    const TraceEvent event = thread->script.at[thread->next];
    if (must_wait(maker, &event)) return;
    if (event.op == TRACE_ACQUIRE) maker->holder[event.object] = t + 1;
    if (event.op == TRACE_RELEASE) maker->holder[event.object] = 0;
    thread->next++;
    emit(maker, event);
  }
}

static void fork_all(Maker *maker) {
  for (uint32_t t = 1; t < maker->run->threads; t++) emit(maker, (TraceEvent){0, t, 1, TRACE_FORK});
}

static uint32_t root(uint32_t n) {
  uint32_t r = 1;
  while ((uint64_t)(r + 1) * (r + 1) <= n) r++;
  return r;
}

typedef struct {
  const char *name;
  void (*write_script)(Maker *maker, uint32_t t); /* NULL: it is written in turns */
  void (*take_turn)(Maker *maker, uint32_t n);
} Family;

static const Family FAMILIES[] = {{"sor", sor_script, NULL},           {"lufact", lufact_script, NULL},
                                  {"elevator", elevator_script, NULL}, {"readers", readers_script, NULL},
                                  {"chain", NULL, chain_turn},         {"threads", NULL, threads_turn}};

static const Family *find_family(const char *name) {
  for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES; i++)
    if (strcmp(FAMILIES[i].name, name) == 0) return &FAMILIES[i];
  return NULL;
}

bool family_make(Heap *heap, const FamilyRun *run, FamilyTake *take, void *argument) {
  const Family *family = find_family(run->family);
  if (!family || run->threads < 2 || run->entities / 4 < run->threads || run->entities > UINT32_MAX / 2) return false;
  Maker *maker = heap_zeroed(heap, sizeof *maker);
  maker->heap = heap;
  maker->run = run;
  maker->take = take;
  maker->argument = argument;
  maker->random = run->seed;
  maker->width = root(run->entities);
  maker->threads = heap_zeroed(heap, run->threads * sizeof *maker->threads);
  maker->holder = heap_zeroed(heap, ((size_t)run->entities + 2) * sizeof *maker->holder);
  if (family->take_turn != threads_turn) fork_all(maker);
  for (uint32_t n = 0; !is_done(maker); n++) {
    if (family->write_script) run_thread(maker, random_below(maker, run->threads), family->write_script);
    else family->take_turn(maker, n);
  }
  for (uint32_t t = 0; t < run->threads; t++) vec_fini(heap, &maker->threads[t].script);
  heap_release(heap, maker->threads);
  heap_release(heap, maker->holder);
  heap_release(heap, maker);
  return true;
}
