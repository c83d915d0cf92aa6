/* The survey reads a run as the reader does, but keeps of each life its stops alone. */
#include "predict/locks/lock_runs_inside.h"

#include "predict/locks/lock_rivals.h"

#include <assert.h>

#define NEVER_RELEASED (UINT32_MAX - 1) /* the stage after the last */

struct LockSurvey {
  LockReader *reader;
  Strands order; /* by the edges that order transactions */
  LockRivals objects, locks;
  LockCuts cuts;
  Pairs across; /* (part of a lock, life): a section begins in one stage, and ends in another, or never */
};

LockSurvey *lock_survey_new(Heap *heap, bool handovers) {
  LockSurvey *survey = heap_zeroed(heap, sizeof *survey);
  survey->reader = lock_reader_new(heap, NULL);
  survey->reader->noting = survey;
  survey->reader->handovers = handovers;
  survey->order.heap = survey->objects.heap = survey->locks.heap = survey->cuts.heap = heap;
  return survey;
}

void lock_survey_free(LockSurvey *survey) {
  if (!survey) return;
  Heap *heap = survey->reader->heap;
  lock_reader_free(survey->reader);
  strands_fini(&survey->order);
  lock_rivals_fini(&survey->objects);
  lock_rivals_fini(&survey->locks);
  lock_cuts_fini(&survey->cuts);
  pairs_fini(heap, &survey->across);
  heap_release(heap, survey);
}

void lock_survey_feed(LockSurvey *survey, const TraceEvent *events, uint32_t n) {
  lock_reader_feed(survey->reader, events, n);
}

/* ---- what is touched: who shares a lock reads it, who excludes all others writes it ---- */

void lock_survey_note_access(LockSurvey *survey, uint32_t object, uint32_t life, bool write) {
  const uint32_t stage = 2 * survey->reader->lives.at[life].steps.n;
  lock_rivals_note(&survey->objects, object, life, (RivalSpan){stage, stage}, write);
}

void lock_survey_note_section(LockSurvey *survey, uint32_t lock, uint32_t life, uint32_t first, uint32_t last) {
  lock_rivals_note(&survey->locks, lock / 2, life, (RivalSpan){first, last}, !lock_is_shared(lock));
  if (first != last) pairs_add(survey->reader->heap, &survey->across, lock, life);
}

/* ---- the end ---- */

LockCuts *lock_survey_cuts(LockSurvey *survey) { return &survey->cuts; }

bool lock_survey_has_handovers(const LockSurvey *survey) { return survey->reader->handovers; }

const LockStep *lock_survey_stops(const LockSurvey *survey, uint32_t life, uint32_t *n) {
  const bool known = life < survey->reader->lives.n;
  *n = known ? survey->reader->lives.at[life].steps.n : 0;
  return known ? survey->reader->lives.at[life].steps.at : NULL;
}

/* The stage of an end of an edge. */
static uint32_t stage_of(const LockSurvey *survey, LifeEvent end) {
  uint32_t low = 0, high;
  const LockStep *stops = lock_survey_stops(survey, end.life, &high);
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (stops[middle].event < end.event) low = middle + 1;
    else high = middle;
  }
  assert(stops && stops[low].event == end.event);
  return 2 * low + 1;
}

/* Where there are too many, nothing is known between different threads. */
static void find_order(LockSurvey *survey) {
  const LockReader *reader = survey->reader;
  for (uint32_t t = 0; t < reader->lives.n; t++) strands_add(&survey->order);
  for (uint32_t e = 0; e < reader->edges.n; e++) {
    const LifeEdge *edge = &reader->edges.at[e];
    if (!edge->conflict) continue;
    const StrandEdge strand = {stage_of(survey, edge->to), 0, {edge->from.life, stage_of(survey, edge->from), 0}};
    strands_add_edge(&survey->order, edge->to.life, &strand);
  }
  strands_limit(&survey->order, LOCK_ORDER_ROOM);
}

/* Of a variable that was divided by what turned out to be no cut one object is left, the first. They get new numbers,
 * in their order, as the reader counts them. */
static void unite_objects(LockSurvey *survey) {
  U32Vec *numbers = &survey->reader->earlier;
  uint32_t passed = 0, first = 0, n = 0;
  for (uint32_t i = 0; i < numbers->n; i++) {
    const uint32_t earlier = numbers->at[i];
    while (passed < survey->cuts.cuts.n && survey->cuts.cuts.at[passed].object <= i)
      first = survey->cuts.cuts.at[passed++].object;
    numbers->at[i] = earlier > first ? numbers->at[earlier - 1] : n++;
  }
  if (n < numbers->n) lock_rivals_renumber(&survey->objects, numbers->at);
  vec_fini(survey->reader->heap, numbers);
}

void lock_survey_close(LockSurvey *survey) {
  const LockReader *reader = survey->reader;
  for (uint32_t i = 0; i < reader->holds.n; i++)
    if (reader->holds.at[i].count > 0)
      lock_survey_note_section(survey, reader->pairs.all.at[i].thing, reader->pairs.all.at[i].user,
                               reader->holds.at[i].stage, NEVER_RELEASED);
  unite_objects(survey);
  find_order(survey);
}

bool lock_survey_is_of(const LockSurvey *survey, const LockReader *reader) {
  return survey->reader->n_events == reader->n_events && survey->reader->hash == reader->hash;
}

/* ---- what matters ---- */

bool lock_survey_keeps_access(LockSurvey *survey, uint32_t object, uint32_t life, uint32_t stage, bool write) {
  return life >= survey->order.list.n || lock_rivals_has(&survey->objects, &survey->order, object, life, stage, write);
}

/* What begins and ends in different stages stays: others may be between these. */
bool lock_survey_keeps_lock(LockSurvey *survey, uint32_t lock, uint32_t life, uint32_t stage) {
  return life >= survey->order.list.n || pairs_have(&survey->across, lock, life) ||
         lock_rivals_has(&survey->locks, &survey->order, lock / 2, life, stage, !lock_is_shared(lock));
}
