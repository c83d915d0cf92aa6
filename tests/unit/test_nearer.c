/* The search for nearer events, against its definition. */
#include "base/hash.h"
#include "predict/profiles/nearer.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

enum { EVENTS = 60, MOST = 12, RUNS = 4000 };

typedef struct {
  uint64_t dice;
  TraceEvent events[EVENTS];
  Sought sought[MOST];
  uint32_t n;
} Play;

static uint32_t roll(Play *play, uint32_t below) { return (uint32_t)(hash_word(++play->dice) >> 33) % below; }

static void make_run(Play *play) {
  static const TraceOp ops[] = {TRACE_READ,  TRACE_READ,    TRACE_READ, TRACE_WRITE,
                                TRACE_WRITE, TRACE_ACQUIRE, TRACE_FREE};
  for (uint32_t i = 0; i < EVENTS; i++) {
    const TraceOp op = ops[roll(play, sizeof ops / sizeof *ops)];
    const uint32_t object = op == TRACE_FREE && roll(play, 2) ? 3 : roll(play, 3);
    play->events[i] = (TraceEvent){roll(play, 3), object, roll(play, 2), (uint8_t)op};
  }
}

static bool is_freed(const Play *play, uint32_t object) {
  for (uint32_t i = 0; i < EVENTS; i++)
    if (play->events[i].op == TRACE_FREE && play->events[i].object == object) return true;
  return false;
}

/* An access, and something before it. */
static void ask(Play *play) {
  const uint32_t out = roll(play, EVENTS), in = roll(play, out + 1);
  const TraceEvent *event = &play->events[out];
  if (event->op > TRACE_WRITE || play->n == MOST) return;
  play->sought[play->n++] = (Sought){.in = in,
                                     .out = out,
                                     .thread = event->thread,
                                     .object = event->object,
                                     .location = event->location,
                                     .write = event->op == TRACE_WRITE,
                                     .at_location = roll(play, 2),
                                     .final = !is_freed(play, event->object) && roll(play, 2)};
}

static bool is_like(const Sought *it, const TraceEvent *event) {
  const bool writes = event->op == TRACE_WRITE;
  return event->op <= TRACE_WRITE && event->thread == it->thread && event->object == it->object &&
         writes == it->write && (!it->at_location || event->location == it->location);
}

static uint64_t nearest(const Play *play, const Sought *it) {
  uint64_t found = it->out;
  for (uint64_t e = it->out; e > it->in; e--) {
    if (play->events[e].op == TRACE_FREE && play->events[e].object == it->object) break;
    if (is_like(it, &play->events[e])) found = e;
  }
  return found;
}

/* The event after which nothing can change any more. */
static uint64_t last_needed(const Play *play) {
  uint64_t last = 0;
  for (uint32_t i = 0; i < play->n; i++) {
    const Sought *it = &play->sought[i];
    const uint64_t until = it->final ? nearest(play, it) : it->out;
    if (until > last) last = until;
  }
  return last;
}

static bool is_right(const Play *play, Heap *heap) {
  Nearer nearer;
  nearer_init(&nearer, heap);
  for (uint32_t i = 0; i < play->n; i++) nearer_add(&nearer, &play->sought[i]);
  const uint64_t last = last_needed(play);
  bool good = true;
  for (uint32_t i = 0; i < EVENTS; i++) good = nearer_feed(&nearer, &play->events[i], 1) == (i < last) && good;
  for (uint32_t i = 0; i < play->n; i++) good = good && nearer.all.at[i].found == nearest(play, &play->sought[i]);
  nearer_fini(&nearer);
  return good;
}

static void events_are_nearest(void) {
  uint32_t wrong = 0, nearer = 0;
  for (uint64_t seed = 1; seed <= RUNS; seed++) {
    Heap *heap = heap_new(0);
    Play play = {.dice = hash_word(seed)};
    make_run(&play);
    for (uint32_t i = 0; i < MOST; i++) ask(&play);
    for (uint32_t i = 0; i < play.n; i++) nearer += nearest(&play, &play.sought[i]) < play.sought[i].out;
    if (play.n && !is_right(&play, heap) && !wrong++) printf("\nseed %llu\n", (unsigned long long)seed);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
    heap_free(heap);
  }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT_TRUE(nearer > 1000);
}

void suite_nearer(void) {
  CU_pSuite suite = CU_add_suite("nearer", NULL, NULL);
  CU_ADD_TEST(suite, events_are_nearest);
}
