/* What is carried from one process into another one: a monitor that was carried at any time says, forgets and holds the
 * same from then on as one that was not, and so do tables of names. */
#include "base/carry.h"
#include "base/hash.h"
#include "serial/monitor.h"
#include "tests/oracle/serial_runs.h"
#include "trace/run_names.h"

#include <CUnit/CUnit.h>

#include <stdio.h>
#include <string.h>

/* The same bytes on the way in. */
static Carry way_in(const Carry *out, Heap *heap) { return (Carry){.heap = heap, .in = true, .bytes = out->bytes}; }

typedef struct {
  uint64_t number;
  U32Vec list;
  uint32_t *array, *nothing;
} Things;

static bool carry_things(Things *things, Carry *carry) {
  carry_value(carry, things->number);
  carry_vec(carry, &things->list);
  carry_array(carry, things->array, 3);
  carry_array(carry, things->nothing, 3);
  return carry_same(carry, "same", 4);
}

static void what_comes_in_is_what_went_out(void) {
  Heap *heap = heap_new(0);
  Things out = {.number = 17, .array = heap_zeroed(heap, 3 * sizeof *out.array)}, in = {0};
  Carry carry = {.heap = heap};
  out.array[2] = 5;
  for (uint32_t i = 0; i < 20; i++) vec_push(heap, &out.list, i * i);
  CU_ASSERT(carry_things(&out, &carry));
  Carry back = way_in(&carry, heap);
  CU_ASSERT_TRUE(carry_things(&in, &back));
  CU_ASSERT(!back.bad && back.at == back.bytes.n);
  CU_ASSERT(in.number == 17 && in.list.n == 20 && in.list.at[19] == 361 && in.array[2] == 5 && !in.nothing);
  for (uint32_t n = 0; n < carry.bytes.n; n++) {
    Things less = {0};
    back = way_in(&carry, heap);
    back.bytes.n = n;
    CU_ASSERT_FALSE(carry_things(&less, &back));
    CU_ASSERT(back.bad);
  }
  heap_free(heap);
}

/* ---- the monitor ---- */

enum { N_EVENTS = 1500 };

static bool same_bytes(const void *a, const void *b, size_t n) { return !n || memcmp(a, b, n) == 0; }

static bool same_list(const U32Vec *a, const U32Vec *b) {
  return a->n == b->n && same_bytes(a->at, b->at, a->n * sizeof *a->at);
}

static bool same_transaction(const MonitorTransaction *a, const MonitorTransaction *b) {
  return a->thread == b->thread && a->life == b->life && a->ordinal == b->ordinal && a->label == b->label &&
         a->location == b->location && a->first == b->first && a->last == b->last && a->open == b->open;
}

static bool same_access(const MonitorAccess *a, const MonitorAccess *b) {
  return a->event == b->event && a->object == b->object && a->location == b->location && a->op == b->op;
}

static bool same_findings(const Monitor *a, const Monitor *b) {
  uint32_t n, m;
  const MonitorFinding *x = monitor_findings(a, &n), *y = monitor_findings(b, &m);
  bool same = n == m;
  for (uint32_t i = 0; same && i < n; i++) {
    same = x[i].event == y[i].event && x[i].n == y[i].n;
    for (uint32_t k = 0; same && k < x[i].n; k++)
      same = same_transaction(&x[i].transactions[k], &y[i].transactions[k]) &&
             x[i].edges[k].kind == y[i].edges[k].kind && same_access(&x[i].edges[k].from, &y[i].edges[k].from) &&
             same_access(&x[i].edges[k].to, &y[i].edges[k].to);
  }
  return same;
}

static Monitor *carried(Heap *heap, const MonitorOptions *options, Monitor *monitor, uint32_t *bytes) {
  Carry out = {.heap = heap};
  Err err;
  monitor_carry(monitor, &out);
  Monitor *other = monitor_new(heap, options);
  Carry in = way_in(&out, heap);
  monitor_carry(other, &in);
  CU_ASSERT_FATAL(!in.bad && in.at == in.bytes.n && monitor_audit(other, &err));
  *bytes = out.bytes.n;
  monitor_free(monitor);
  carry_fini(&out);
  return other;
}

static void compare(const SerialShape *shape, uint64_t seed, uint32_t *n_findings, uint32_t *n_forgotten) {
  static TraceEvent events[N_EVENTS];
  const MonitorOptions options = {MONITOR_SCG, seed & 2 ? MONITOR_CAUSAL : MONITOR_SERIALIZABLE, seed & 1, seed & 4};
  Heap *heap = heap_new(0);
  Monitor *plain = monitor_new(heap, &options), *moved = monitor_new(heap, &options);
  uint64_t dice = seed;
  serial_random(seed, shape, events);
  for (uint32_t i = 0, n = 0, bytes; i < N_EVENTS; i += n) {
    dice = hash_word(dice);
    n = 1 + (uint32_t)(dice % 40);
    if (n > N_EVENTS - i) n = N_EVENTS - i;
    if (seed & 8) monitor_let_forget(plain, 20), monitor_let_forget(moved, 20);
    CU_ASSERT_EQUAL(monitor_feed(plain, events + i, n), monitor_feed(moved, events + i, n));
    const MonitorForgotten *a = monitor_forget(plain), *b = monitor_forget(moved);
    CU_ASSERT(same_list(&a->threads, &b->threads) && same_list(&a->objects, &b->objects));
    *n_forgotten += a->threads.n + a->objects.n;
    if (dice >> 32 & 1) moved = carried(heap, &options, moved, &bytes);
  }
  const MonitorSize a = monitor_size(plain), b = monitor_size(moved);
  CU_ASSERT(a.nodes == b.nodes && a.edges == b.edges && a.most_nodes == b.most_nodes && a.most_edges == b.most_edges);
  CU_ASSERT_EQUAL(monitor_events(plain), monitor_events(moved));
  CU_ASSERT(same_findings(plain, moved));
  monitor_findings(plain, n_findings);
  monitor_free(plain);
  monitor_free(moved);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

/*                                                   r   w acq rel fork join begin end start exit free */
static const SerialShape SHAPE = {14, 60, 4, N_EVENTS, {20, 5, 2, 2, 3, 5, 4, 7, 0, 2, 8, 1, 1, 1, 1, 1, 2, 2}, true};
static const SerialShape WIDE = {200, 9, 4, N_EVENTS, {20, 9, 1, 1, 1, 1, 20, 9, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2}, false};

static void same_is_found(const SerialShape *shape) {
  uint32_t n_findings = 0, n_forgotten = 0, n;
  for (uint64_t seed = 1; seed <= 200; seed++, n_findings += n) compare(shape, seed, &n, &n_forgotten);
  printf("(%u findings, %u forgotten) ", n_findings, n_forgotten);
  CU_ASSERT(n_findings > 100);
}

static void a_monitor_goes_on(void) { same_is_found(&SHAPE); }
static void a_monitor_of_many_threads_goes_on(void) { same_is_found(&WIDE); }

/* Whatever is missing at the end. */
static void a_part_of_a_monitor_is_none(void) {
  static TraceEvent events[N_EVENTS];
  const MonitorOptions options = {MONITOR_SCG, MONITOR_SERIALIZABLE, true, true};
  Heap *heap = heap_new(0);
  Monitor *monitor = monitor_new(heap, &options);
  Carry out = {.heap = heap};
  serial_random(7, &SHAPE, events);
  monitor_feed(monitor, events, N_EVENTS);
  monitor_carry(monitor, &out);
  for (uint32_t n = 0; n < out.bytes.n; n += 1 + n / 200) {
    Monitor *part = monitor_new(heap, &options);
    Carry in = way_in(&out, heap);
    in.bytes.n = n;
    monitor_carry(part, &in);
    CU_ASSERT_TRUE(in.bad);
    monitor_free(part);
  }
  heap_free(heap);
}

/* ---- names ---- */

typedef struct {
  NameList list;
  NameTable tables[2];
} Names;

static void names_init(Names *names, Heap *heap) {
  trace_name_list_init(&names->list, heap);
  for (int t = 0; t < 2; t++) trace_name_table_init(&names->tables[t], &names->list);
}

static void names_fini(Names *names) {
  for (int t = 0; t < 2; t++) trace_name_table_fini(&names->tables[t]);
  trace_name_list_fini(&names->list);
}

static void names_carry(Names *names, Carry *carry) {
  trace_name_list_carry(&names->list, carry);
  for (int t = 0; t < 2; t++) trace_name_table_carry(&names->tables[t], carry);
}

static uint32_t number_of(Names *names, uint32_t i) {
  enum { FRONT = 16 };
  char room[FRONT + 32] = {0};
  const int length = sprintf(room + FRONT, i % 3 ? "item[%u].next" : "the%xth", i / 2);
  return trace_name_number(&names->tables[i % 2], room + FRONT, (size_t)length);
}

/* So many that they are near or far, some of which are forgotten. */
static void names_of(uint32_t n) {
  Heap *heap = heap_new(0);
  Names names, moved;
  Carry out = {.heap = heap};
  names_init(&names, heap);
  names_init(&moved, heap);
  for (uint32_t i = 0; i < n; i++) number_of(&names, i);
  for (uint32_t i = 0; i < n; i += 7) {
    const uint32_t number = number_of(&names, i);
    CU_ASSERT_TRUE(trace_name_table_remove(&names.tables[i % 2], number));
    trace_name_list_forget(&names.list, number);
  }
  names_carry(&names, &out);
  Carry in = way_in(&out, heap);
  names_carry(&moved, &in);
  CU_ASSERT(!in.bad && in.at == in.bytes.n);
  CU_ASSERT_EQUAL(trace_name_is_far(&moved.tables[0]), trace_name_is_far(&names.tables[0]));
  CU_ASSERT_EQUAL(moved.tables[1].n_names, names.tables[1].n_names);
  for (uint32_t i = 0; i < n + n / 3; i++) {
    const uint32_t a = number_of(&names, i), b = number_of(&moved, i);
    CU_ASSERT(a == b && strcmp(names.list.at.at[a], moved.list.at.at[b]) == 0);
  }
  CU_ASSERT_EQUAL(names.list.n_forgotten, moved.list.n_forgotten);
  names_fini(&names);
  names_fini(&moved);
  carry_fini(&out);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void names_go_on(void) {
  names_of(0);
  names_of(100);
  names_of(3000);
  names_of(200000);
}

void suite_carry(void);
void suite_carry(void) {
  CU_pSuite suite = CU_add_suite("carry", NULL, NULL);
  CU_ADD_TEST(suite, what_comes_in_is_what_went_out);
  CU_ADD_TEST(suite, a_monitor_goes_on);
  CU_ADD_TEST(suite, a_monitor_of_many_threads_goes_on);
  CU_ADD_TEST(suite, a_part_of_a_monitor_is_none);
  CU_ADD_TEST(suite, names_go_on);
}
