#include "predict/locks/lock_rivals.h"

#include "base/sort.h"

#include <assert.h>

void lock_rivals_fini(LockRivals *rivals) {
  near_pairs_fini(rivals->heap, &rivals->pairs);
  vec_fini(rivals->heap, &rivals->records);
  vec_fini(rivals->heap, &rivals->things);
  vec_fini(rivals->heap, &rivals->ranks);
  vec_fini(rivals->heap, &rivals->loose);
  vec_fini(rivals->heap, &rivals->lanes);
  vec_fini(rivals->heap, &rivals->ranked);
}

/* ---- records ---- */

static const RivalSpan NEVER = {UINT32_MAX, 0};

static RivalRecord *record_of(LockRivals *rivals, uint32_t thing, uint32_t thread) {
  const RivalRecord fresh = {.any = NEVER, .writes = NEVER};
  const uint32_t number = near_pairs_add(rivals->heap, &rivals->pairs, thing, thread);
  if (thing >= rivals->things.n) vec_resize_zeroed(rivals->heap, &rivals->things, thing + 1);
  if (number == rivals->records.n) {
    vec_push(rivals->heap, &rivals->records, fresh);
    rivals->things.at[thing].count++;
  }
  return &rivals->records.at[number];
}

static uint32_t thread_of(const LockRivals *rivals, uint32_t record) { return rivals->pairs.all.at[record].user; }

/* The records of a thing, the newest first: their numbers + 1. */
static uint32_t first_of(const LockRivals *rivals, uint32_t thing) { return rivals->pairs.things.at[thing].last; }
static uint32_t next_of(const LockRivals *rivals, uint32_t i) { return rivals->pairs.all.at[i - 1].next; }

static void widen(RivalSpan *span, RivalSpan by) {
  if (by.first < span->first) span->first = by.first;
  if (by.last > span->last) span->last = by.last;
}

void lock_rivals_note(LockRivals *rivals, uint32_t thing, uint32_t thread, RivalSpan stages, bool write) {
  assert(stages.first <= stages.last);
  RivalRecord *record = record_of(rivals, thing, thread);
  widen(&record->any, stages);
  if (write) widen(&record->writes, stages);
}

void lock_rivals_renumber(LockRivals *rivals, const uint32_t *numbers) {
  LockRivals fresh = {.heap = rivals->heap};
  for (uint32_t thing = 0; thing < rivals->things.n; thing++)
    for (uint32_t i = first_of(rivals, thing); i; i = next_of(rivals, i)) {
      const RivalRecord *record = &rivals->records.at[i - 1];
      lock_rivals_note(&fresh, numbers[thing], thread_of(rivals, i - 1), record->any, false);
      if (record->writes.first <= record->writes.last)
        lock_rivals_note(&fresh, numbers[thing], thread_of(rivals, i - 1), record->writes, true);
    }
  lock_rivals_fini(rivals);
  *rivals = fresh;
}

/* ---- ranks ---- */

enum { MANY = 16 }; /* records that are looked through one by one */

typedef struct {
  const LockRivals *rivals;
  const Strands *order;
} Ranking;

static const StrandPlace *place_of(const Ranking *ranking, uint32_t record) {
  return &ranking->order->places[thread_of(ranking->rivals, record)];
}

static int by_place(uint32_t a, uint32_t b, const void *context) {
  const StrandPlace *x = place_of(context, a), *y = place_of(context, b);
  if (x->lane != y->lane) return x->lane < y->lane ? -1 : 1;
  return (x->from > y->from) - (x->from < y->from);
}

static bool is_loose(const RivalRecord *record, const StrandPlace *place) { return record->any.last >= place->count; }

/* The record comes behind those that are ranked already. */
static void rank(LockRivals *rivals, uint32_t record, const StrandPlace *place, uint32_t last, uint32_t first_lane) {
  if (rivals->lanes.n == first_lane || vec_last(&rivals->lanes).lane != place->lane)
    vec_push(rivals->heap, &rivals->lanes, ((RivalLane){place->lane, rivals->ranked.n, rivals->ranked.n}));
  vec_push(rivals->heap, &rivals->ranked, ((RivalRank){place->from + last, record}));
  vec_last(&rivals->lanes).to = rivals->ranked.n;
}

/* Those of the records, which are sorted, of which there are stages, or writes: ranks[writes]. */
static void rank_all(LockRivals *rivals, const Ranking *ranking, const U32Vec *records, RivalRanks *ranks,
                     bool writes) {
  ranks->loose[writes] = rivals->loose.n;
  ranks->lanes[writes] = rivals->lanes.n;
  for (uint32_t i = 0; i < records->n; i++) {
    const uint32_t number = records->at[i];
    const StrandPlace *place = place_of(ranking, number);
    const RivalRecord *record = &rivals->records.at[number];
    const RivalSpan span = writes ? record->writes : record->any;
    if (span.first > span.last) continue;
    if (is_loose(record, place)) vec_push(rivals->heap, &rivals->loose, number);
    else rank(rivals, number, place, span.last, ranks->lanes[writes]);
  }
  ranks->loose_end[writes] = rivals->loose.n;
  ranks->lanes_end[writes] = rivals->lanes.n;
}

static RivalRanks make_ranks(LockRivals *rivals, const Strands *order, uint32_t thing) {
  const Ranking ranking = {rivals, order};
  RivalRanks ranks;
  U32Vec records = {0};
  for (uint32_t i = first_of(rivals, thing); i; i = next_of(rivals, i)) vec_push(rivals->heap, &records, i - 1);
  sort_numbers(records.at, records.n, by_place, &ranking);
  rank_all(rivals, &ranking, &records, &ranks, false);
  rank_all(rivals, &ranking, &records, &ranks, true);
  vec_fini(rivals->heap, &records);
  return ranks;
}

static const RivalRanks *ranks_of(LockRivals *rivals, const Strands *order, uint32_t thing) {
  RivalThing *it = &rivals->things.at[thing];
  if (!it->ranks) {
    vec_push(rivals->heap, &rivals->ranks, make_ranks(rivals, order, thing));
    it->ranks = rivals->ranks.n;
  }
  return &rivals->ranks.at[it->ranks - 1];
}

/* ---- rivals ---- */

/* An access. */
typedef struct {
  Strands *order;
  uint32_t thing, thread, stage;
  bool write;
} RivalQuestion;

static RivalSpan span_of(const RivalQuestion *question, const RivalRecord *record) {
  return question->write ? record->any : record->writes;
}

/* Is there, of those stages of the record's thread, one that is neither before nor after this stage? The first that is
 * not before it has the least in its own past. */
static bool is_concurrent(const LockRivals *rivals, const RivalQuestion *question, uint32_t record) {
  const RivalSpan span = span_of(question, &rivals->records.at[record]);
  const uint32_t other = thread_of(rivals, record);
  if (other == question->thread || span.first > span.last) return false;
  const uint32_t before = strands_before(question->order, question->thread, question->stage, other);
  const uint32_t first = span.first > before ? span.first : before;
  return first <= span.last && strands_before(question->order, other, first, question->thread) <= question->stage;
}

/* How many points of the lane come before the access. */
static uint32_t reached(const Strands *order, const StrandPast *past, uint32_t lane) {
  const uint32_t count = past->row ? past->row[lane] : 0;
  const StrandPlace *more = &order->places[past->strand];
  if (!past->count) return count;
  return more->lane == lane && more->from + past->count > count ? more->from + past->count : count;
}

/* The first record of the lane that is not over before the access: if it comes after that, or is the access's own, all
 * the others come after it. */
static bool find_in_lane(const LockRivals *rivals, const RivalQuestion *question, const StrandPast *past,
                         const RivalLane *lane) {
  const uint32_t before = reached(question->order, past, lane->lane);
  uint32_t low = lane->from, high = lane->to;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (rivals->ranked.at[middle].last < before) low = middle + 1;
    else high = middle;
  }
  return low < lane->to && is_concurrent(rivals, question, rivals->ranked.at[low].record);
}

static bool find_ranked(LockRivals *rivals, const RivalQuestion *question) {
  assert(question->order->places);
  const RivalRanks *ranks = ranks_of(rivals, question->order, question->thing);
  const StrandPast past = strands_past(question->order, question->thread, question->stage);
  const bool writes = !question->write; /* those that a read conflicts with */
  for (uint32_t i = ranks->loose[writes]; i < ranks->loose_end[writes]; i++)
    if (is_concurrent(rivals, question, rivals->loose.at[i])) return true;
  for (uint32_t i = ranks->lanes[writes]; i < ranks->lanes_end[writes]; i++)
    if (find_in_lane(rivals, question, &past, &rivals->lanes.at[i])) return true;
  return false;
}

static bool find(LockRivals *rivals, const RivalQuestion *question) {
  const RivalThing *thing = &rivals->things.at[question->thing];
  if (thing->count >= MANY) return find_ranked(rivals, question);
  for (uint32_t i = first_of(rivals, question->thing); i; i = next_of(rivals, i))
    if (is_concurrent(rivals, question, i - 1)) return true;
  return false;
}

bool lock_rivals_has(LockRivals *rivals, Strands *order, uint32_t thing, uint32_t thread, uint32_t stage, bool write) {
  uint32_t number;
  if (!near_pairs_find(&rivals->pairs, thing, thread, &number)) return true;
  RivalRecord *record = &rivals->records.at[number];
  if (record->asked[write] == stage + 1) return record->answers[write];
  record->asked[write] = stage + 1;
  return record->answers[write] = find(rivals, &(RivalQuestion){order, thing, thread, stage, write});
}
