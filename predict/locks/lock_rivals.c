#include "predict/locks/lock_rivals.h"

#include "base/sort.h"

#include <assert.h>

void lock_rivals_fini(LockRivals *rivals) {
  pairs_fini(rivals->heap, &rivals->pairs);
  vec_fini(rivals->heap, &rivals->pair_records);
  vec_fini(rivals->heap, &rivals->records);
  vec_fini(rivals->heap, &rivals->things);
  vec_fini(rivals->heap, &rivals->ranks);
  vec_fini(rivals->heap, &rivals->ranked);
}

/* ---- records ---- */

static const RivalSpan NEVER = {UINT32_MAX, 0};

enum {
  NEAR = 4
}; /* records of a thing, the last ones, that are looked through; the others are in the table of pairs */

/* The record's number + 1, or 0. */
static uint32_t find_record(const LockRivals *rivals, uint32_t thing, uint32_t thread) {
  const RivalThing *it = &rivals->things.at[thing];
  uint32_t pair, i = it->last;
  if (it->recent && rivals->records.at[it->recent - 1].thread == thread) return it->recent;
  for (uint32_t n = 0; i && n < NEAR; n++, i = rivals->records.at[i - 1].next)
    if (rivals->records.at[i - 1].thread == thread) return i;
  return i && pairs_find(&rivals->pairs, thing, thread, &pair) ? rivals->pair_records.at[pair] + 1 : 0;
}

/* The record that will be no longer near becomes a pair. */
static void make_room(LockRivals *rivals, uint32_t thing) {
  uint32_t far = rivals->things.at[thing].last;
  for (uint32_t n = 1; far && n < NEAR; n++) far = rivals->records.at[far - 1].next;
  if (!far) return;
  pairs_add(rivals->heap, &rivals->pairs, thing, rivals->records.at[far - 1].thread);
  vec_push(rivals->heap, &rivals->pair_records, far - 1);
}

static uint32_t add_record(LockRivals *rivals, uint32_t thing, uint32_t thread) {
  RivalThing *it = &rivals->things.at[thing];
  const RivalRecord record = {.thread = thread, .next = it->last, .any = NEVER, .writes = NEVER};
  make_room(rivals, thing);
  vec_push(rivals->heap, &rivals->records, record);
  it->count++;
  return it->last = rivals->records.n;
}

static RivalRecord *record_of(LockRivals *rivals, uint32_t thing, uint32_t thread) {
  if (thing >= rivals->things.n) vec_resize_zeroed(rivals->heap, &rivals->things, thing + 1);
  const uint32_t known = find_record(rivals, thing, thread), number = known ? known : add_record(rivals, thing, thread);
  rivals->things.at[thing].recent = number;
  return &rivals->records.at[number - 1];
}

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
    for (uint32_t i = rivals->things.at[thing].last; i; i = rivals->records.at[i - 1].next) {
      const RivalRecord *record = &rivals->records.at[i - 1];
      lock_rivals_note(&fresh, numbers[thing], record->thread, record->any, false);
      if (record->writes.first <= record->writes.last)
        lock_rivals_note(&fresh, numbers[thing], record->thread, record->writes, true);
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
  return &ranking->order->places[ranking->rivals->records.at[record].thread];
}

static int by_place(uint32_t a, uint32_t b, const void *context) {
  const StrandPlace *x = place_of(context, a), *y = place_of(context, b);
  if (x->lane != y->lane) return x->lane < y->lane ? -1 : 1;
  return (x->from > y->from) - (x->from < y->from);
}

static bool is_loose(const RivalRecord *record, const StrandPlace *place) { return record->any.last >= place->count; }

static bool writes(const RivalRecord *record) { return record->writes.first <= record->writes.last; }

/* Of the thing's records the loose ones, or else the others, or of these the ones with writes. */
static uint32_t list_records(LockRivals *rivals, const Strands *order, uint32_t thing, bool loose, bool writing) {
  const uint32_t from = rivals->ranked.n;
  for (uint32_t i = rivals->things.at[thing].last; i; i = rivals->records.at[i - 1].next) {
    const RivalRecord *record = &rivals->records.at[i - 1];
    if (is_loose(record, &order->places[record->thread]) == loose && (!writing || writes(record)))
      vec_push(rivals->heap, &rivals->ranked, i - 1);
  }
  const uint32_t n = rivals->ranked.n - from;
  if (n) sort_numbers(rivals->ranked.at + from, n, by_place, &(Ranking){rivals, order});
  return rivals->ranked.n;
}

static const RivalRanks *ranks_of(LockRivals *rivals, const Strands *order, uint32_t thing) {
  RivalThing *it = &rivals->things.at[thing];
  if (!it->ranks) {
    RivalRanks ranks = {.loose = rivals->ranked.n};
    ranks.all = list_records(rivals, order, thing, true, false);
    ranks.writers = list_records(rivals, order, thing, false, false);
    ranks.end = list_records(rivals, order, thing, false, true);
    vec_push(rivals->heap, &rivals->ranks, ranks);
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

/* Is there, of those stages of the other thread, one that is neither before nor after this stage? The first that is not
 * before it has the least in its own past. */
static bool is_concurrent(const RivalQuestion *question, const RivalRecord *other) {
  const RivalSpan span = span_of(question, other);
  if (other->thread == question->thread || span.first > span.last) return false;
  const uint32_t before = strands_before(question->order, question->thread, question->stage, other->thread);
  const uint32_t first = span.first > before ? span.first : before;
  return first <= span.last &&
         strands_before(question->order, other->thread, first, question->thread) <= question->stage;
}

/* The first record of a lane, ranked[from..to), that is not over before the access: if it comes after that, or is the
 * access's own, all the others come after it. */
static bool find_in_lane(const LockRivals *rivals, const RivalQuestion *question, uint32_t from, uint32_t to) {
  uint32_t low = from, high = to;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const RivalRecord *record = &rivals->records.at[rivals->ranked.at[middle]];
    if (strands_before(question->order, question->thread, question->stage, record->thread) >
        span_of(question, record).last)
      low = middle + 1;
    else high = middle;
  }
  return low < to && is_concurrent(question, &rivals->records.at[rivals->ranked.at[low]]);
}

static uint32_t end_of_lane(const Ranking *ranking, uint32_t from, uint32_t to) {
  const uint32_t lane = place_of(ranking, ranking->rivals->ranked.at[from])->lane;
  uint32_t low = from, high = to;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (place_of(ranking, ranking->rivals->ranked.at[middle])->lane == lane) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool find_ranked(LockRivals *rivals, const RivalQuestion *question) {
  assert(question->order->places);
  const RivalRanks *ranks = ranks_of(rivals, question->order, question->thing);
  const Ranking ranking = {rivals, question->order};
  for (uint32_t i = ranks->loose; i < ranks->all; i++)
    if (is_concurrent(question, &rivals->records.at[rivals->ranked.at[i]])) return true;
  const uint32_t to = question->write ? ranks->writers : ranks->end;
  for (uint32_t i = question->write ? ranks->all : ranks->writers, end; i < to; i = end) {
    end = end_of_lane(&ranking, i, to);
    if (find_in_lane(rivals, question, i, end)) return true;
  }
  return false;
}

static bool find(LockRivals *rivals, const RivalQuestion *question) {
  const RivalThing *thing = &rivals->things.at[question->thing];
  if (thing->count >= MANY) return find_ranked(rivals, question);
  for (uint32_t i = thing->last; i; i = rivals->records.at[i - 1].next)
    if (is_concurrent(question, &rivals->records.at[i - 1])) return true;
  return false;
}

bool lock_rivals_has(LockRivals *rivals, Strands *order, uint32_t thing, uint32_t thread, uint32_t stage, bool write) {
  const uint32_t number = thing < rivals->things.n ? find_record(rivals, thing, thread) : 0;
  if (!number) return true;
  RivalRecord *record = &rivals->records.at[number - 1];
  rivals->things.at[thing].recent = number;
  if (record->asked == stage + 1) return record->answers[write];
  record->asked = stage + 1;
  record->answers[0] = find(rivals, &(RivalQuestion){order, thing, thread, stage, false});
  record->answers[1] = find(rivals, &(RivalQuestion){order, thing, thread, stage, true});
  return record->answers[write];
}
