/* Threads that have ended and variables that were freed are forgotten, and their numbers stand for others: what is
 * found is the same. And tables of names from which names are removed. */
#include "base/hash.h"
#include "serial/monitor.h"
#include "tests/oracle/serial_runs.h"
#include "trace/run_names.h"

#include <CUnit/CUnit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the monitor ---- */

enum { N_EVENTS = 1500, MOST = 2 * N_EVENTS };

/* Numbers of things of a sort, as a reader gives them: the least that is free. */
typedef struct {
  uint32_t number[MOST]; /* by thing, + 1, or 0 */
  uint32_t thing[MOST];  /* by number, the last one that had it */
  bool used[MOST];
  uint32_t n;
} Numbers;

static uint32_t number_of(Numbers *numbers, uint32_t thing) {
  if (!numbers->number[thing]) {
    uint32_t number = 0;
    while (numbers->used[number]) number++;
    if (number == numbers->n) numbers->n++;
    numbers->used[number] = true;
    numbers->thing[number] = thing;
    numbers->number[thing] = number + 1;
  }
  return numbers->number[thing] - 1;
}

static void forget(Numbers *numbers, const U32Vec *gone) {
  for (uint32_t i = 0; i < gone->n; i++) {
    CU_ASSERT_TRUE_FATAL(numbers->used[gone->at[i]]);
    numbers->used[gone->at[i]] = false;
    numbers->number[numbers->thing[gone->at[i]]] = 0;
  }
}

typedef struct {
  Numbers threads, objects;
  uint32_t n_forgotten;
} World;

static TraceEvent renumbered(World *world, const TraceEvent *event) {
  TraceEvent result = *event;
  result.thread = number_of(&world->threads, event->thread);
  if (event->object == TRACE_NONE) return result;
  const TraceSort sort = (TraceSort)TRACE_SORT[event->op];
  if (sort == TRACE_ON_THREAD) result.object = number_of(&world->threads, event->object);
  if (sort <= TRACE_ON_HANDOVER) result.object = number_of(&world->objects, event->object);
  return result;
}

static Monitor *forgetful(Heap *heap, const MonitorOptions *options, const TraceEvent *events, uint64_t seed,
                          World *world) {
  Monitor *monitor = monitor_new(heap, options);
  Err err;
  for (uint32_t i = 0; i < N_EVENTS;) {
    TraceEvent batch[8];
    uint32_t n = 0;
    seed = hash_word(seed);
    while (n < 1 + seed % 8 && i < N_EVENTS) batch[n++] = renumbered(world, &events[i++]);
    monitor_let_forget(monitor, 1 + (uint32_t)(seed >> 32) % 20);
    monitor_feed(monitor, batch, n);
    const MonitorForgotten *forgotten = monitor_forget(monitor);
    forget(&world->threads, &forgotten->threads);
    forget(&world->objects, &forgotten->objects);
    world->n_forgotten += forgotten->threads.n + forgotten->objects.n;
    CU_ASSERT_TRUE_FATAL(monitor_audit(monitor, &err));
  }
  monitor_finish(monitor);
  return monitor;
}

static bool same_access(const World *world, const MonitorAccess *a, const MonitorAccess *b) {
  if (a->event != b->event || a->op != b->op || a->location != b->location) return false;
  if (a->object == TRACE_NONE || b->object == TRACE_NONE) return a->object == b->object;
  const bool thread = TRACE_SORT[a->op] == TRACE_ON_THREAD;
  return a->object == (thread ? &world->threads : &world->objects)->thing[b->object];
}

/* With the names that the numbers stand for at the end. */
static bool same_finding(const World *world, const MonitorFinding *a, const MonitorFinding *b) {
  if (a->event != b->event || a->n != b->n) return false;
  for (uint32_t i = 0; i < a->n; i++) {
    const MonitorTransaction *s = &a->transactions[i], *t = &b->transactions[i];
    if (s->thread != world->threads.thing[t->thread] || s->ordinal != t->ordinal || s->label != t->label ||
        s->location != t->location || s->first != t->first || s->last != t->last || s->open != t->open ||
        a->edges[i].kind != b->edges[i].kind || !same_access(world, &a->edges[i].from, &b->edges[i].from) ||
        !same_access(world, &a->edges[i].to, &b->edges[i].to))
      return false;
  }
  return true;
}

static void compare(const SerialShape *shape, uint64_t seed, MonitorNotion notion, uint32_t *n_findings,
                    uint32_t *n_forgotten) {
  TraceEvent events[N_EVENTS];
  const MonitorOptions options = {MONITOR_SCG, notion, seed & 1, true};
  Heap *heap = heap_new(0);
  World *world = calloc(1, sizeof *world);
  uint32_t n = 0, m = 0;
  serial_random(seed, shape, events);
  Monitor *plain = monitor_new(heap, &options);
  monitor_feed(plain, events, N_EVENTS);
  monitor_finish(plain);
  Monitor *other = forgetful(heap, &options, events, seed, world);
  const MonitorFinding *a = monitor_findings(plain, &n), *b = monitor_findings(other, &m);
  CU_ASSERT_EQUAL(n, m);
  for (uint32_t i = 0; i < n && i < m; i++) CU_ASSERT_TRUE(same_finding(world, &a[i], &b[i]));
  *n_findings += n;
  *n_forgotten += world->n_forgotten;
  free(world);
  heap_free(heap);
}

/*                                                   r   w acq rel fork join begin end start exit free */
static const SerialShape SHAPE = {14, 60, 4, N_EVENTS, {20, 5, 2, 2, 3, 5, 4, 7, 0, 2, 8, 1, 1, 1, 1, 1, 2, 2}, true};
static const SerialShape FORKING = {14, 4, 4, N_EVENTS, {4, 4, 0, 0, 8, 14, 4, 6, 0, 8, 1}, true};

static void same_is_found(SerialShape shape, uint64_t first) {
  uint32_t n_findings = 0, n_forgotten = 0;
  for (uint64_t seed = first; seed < first + 600; seed++) {
    shape.proper = seed % 3;
    compare(&shape, seed, seed & 2 ? MONITOR_CAUSAL : MONITOR_SERIALIZABLE, &n_findings, &n_forgotten);
  }
  printf("(%u findings, %u forgotten) ", n_findings, n_forgotten);
  CU_ASSERT(n_findings > 5000 && n_forgotten > 5000);
}

static void the_same_is_found(void) { same_is_found(SHAPE, 1); }
static void the_same_is_found_of_forks(void) { same_is_found(FORKING, 1001); }

/* Ever new threads, joined or not, and variables. */
static uint64_t bytes_after(uint32_t n, bool joins) {
  Heap *heap = heap_new(0);
  World *world = calloc(1, sizeof *world);
  Monitor *monitor = monitor_new(heap, &(MonitorOptions){MONITOR_SCG, MONITOR_SERIALIZABLE, true, true});
  monitor_let_forget(monitor, 50);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t other = 1 + i % (MOST - 1);
    const TraceEvent events[] = {{0, other, 1, TRACE_FORK},          {other, TRACE_NONE, 2, TRACE_BEGIN},
                                 {other, other, 3, TRACE_WRITE},     {other, 0, 4, TRACE_READ},
                                 {other, TRACE_NONE, 5, TRACE_END},  {other, other, 6, TRACE_FREE},
                                 {other, TRACE_NONE, 7, TRACE_EXIT}, {0, other, 8, TRACE_JOIN}};
    for (uint32_t k = 0; k < (joins ? 8 : 7); k++) {
      const TraceEvent event = renumbered(world, &events[k]);
      CU_ASSERT_FALSE(monitor_feed(monitor, &event, 1));
    }
    const MonitorForgotten *forgotten = monitor_forget(monitor);
    forget(&world->threads, &forgotten->threads);
    forget(&world->objects, &forgotten->objects);
  }
  const uint64_t bytes = heap_peak(heap);
  CU_ASSERT(world->threads.n < 400 && world->objects.n < 400);
  free(world);
  heap_free(heap);
  return bytes;
}

static void memory_does_not_grow(void) {
  for (int joins = 0; joins < 2; joins++) CU_ASSERT_EQUAL(bytes_after(5000, joins), bytes_after(50000, joins));
}

/* ---- names ---- */

enum { FRONT = 16, NAMES = 60000, FEW = 500 };

typedef struct {
  NameList list;
  NameTable tables[2];
  uint32_t numbers[2][NAMES]; /* + 1, or 0 */
  uint64_t dice;
} Play;

static uint32_t roll(Play *play, uint32_t below) { return (uint32_t)(hash_word(++play->dice) >> 33) % below; }

static size_t make_name(char *at, uint32_t i) {
  static const char *const SHAPES[] = {
      "V%u", "node[%u].next_of_it", "%x.",
      "a_name_of_more_than_64_bytes_that_is_long_so_that_it_is_in_a_room_of_its_own%u"};
  return (size_t)sprintf(at, SHAPES[i % 4], i);
}

static void step(Play *play, uint32_t n_names) {
  char room[FRONT + 128];
  const uint32_t i = roll(play, n_names), t = roll(play, 2);
  const size_t length = make_name(room + FRONT, i);
  NameTable *table = &play->tables[t];
  uint32_t *known = &play->numbers[t][i];
  if (*known && roll(play, 2)) {
    CU_ASSERT_FALSE(trace_name_table_remove(&play->tables[1 - t], *known - 1));
    CU_ASSERT_TRUE(trace_name_table_remove(table, *known - 1));
    trace_name_list_forget(&play->list, *known - 1);
    *known = 0;
  } else {
    const uint32_t number = trace_name_number(table, room + FRONT, length);
    CU_ASSERT(!*known || *known == number + 1);
    CU_ASSERT_STRING_EQUAL(play->list.at.at[number], room + FRONT);
    *known = number + 1;
  }
}

enum { BATCH = 8, FAMILIES = 700, MEMBERS = 60 };

/* Names are looked for some at a time: the same one may come twice, and one may make a place for the next. */
static void names_come_together(Play *play, uint32_t numbers[FAMILIES][MEMBERS]) {
  char rooms[BATCH][FRONT + 32];
  uint32_t *known[BATCH];
  size_t lengths[BATCH];
  NameSought sought[BATCH];
  for (uint32_t i = 0; i < BATCH; i++) {
    const uint32_t again = i && roll(play, 3) == 0, family = roll(play, FAMILIES), member = roll(play, MEMBERS);
    memset(rooms[i], 0, FRONT);
    if (again) memcpy(rooms[i], rooms[i - 1], sizeof rooms[i]);
    else lengths[i] = (size_t)sprintf(rooms[i] + FRONT, "family%u[%u]", family, member);
    if (again) lengths[i] = lengths[i - 1];
    known[i] = again ? known[i - 1] : &numbers[family][member];
  }
  for (uint32_t i = 0; i < BATCH; i++) sought[i] = trace_name_seek(&play->tables[0], rooms[i] + FRONT, lengths[i]);
  for (uint32_t i = 0; i < BATCH; i++) {
    const uint32_t number = trace_name_sought(&play->tables[0], &sought[i], rooms[i] + FRONT, lengths[i]);
    CU_ASSERT(!*known[i] || *known[i] == number + 1);
    CU_ASSERT_STRING_EQUAL(play->list.at.at[number], rooms[i] + FRONT);
    *known[i] = number + 1;
  }
}

/* First few names, then so many that they are far, then few again. */
static void names_come_and_go(void) {
  Heap *heap = heap_new(0);
  Play *play = calloc(1, sizeof *play);
  trace_name_list_init(&play->list, heap);
  for (int t = 0; t < 2; t++) trace_name_table_init(&play->tables[t], &play->list);
  for (uint32_t i = 0; i < 30000; i++) step(play, FEW);
  CU_ASSERT(play->list.at.n <= 2 * FEW);
  const uint64_t used = heap_used(heap);
  for (uint32_t i = 0; i < 30000; i++) step(play, FEW);
  CU_ASSERT(heap_used(heap) <= used + (1 << 16)); /* some more at once */
  for (uint32_t i = 0; i < 400000; i++) step(play, NAMES);
  CU_ASSERT(trace_name_is_far(&play->tables[0]) && trace_name_is_far(&play->tables[1]));
  uint32_t(*numbers)[MEMBERS] = calloc(FAMILIES, sizeof *numbers);
  for (uint32_t i = 0; i < 20000; i++) names_come_together(play, numbers);
  free(numbers);
  for (uint32_t i = 0; i < 100000; i++) step(play, FEW);
  for (int t = 0; t < 2; t++) trace_name_table_fini(&play->tables[t]);
  trace_name_list_fini(&play->list);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  free(play);
  heap_free(heap);
}

void suite_forgetting(void);
void suite_forgetting(void) {
  CU_pSuite suite = CU_add_suite("forgetting", NULL, NULL);
  CU_ADD_TEST(suite, the_same_is_found);
  CU_ADD_TEST(suite, the_same_is_found_of_forks);
  CU_ADD_TEST(suite, memory_does_not_grow);
  CU_ADD_TEST(suite, names_come_and_go);
}
