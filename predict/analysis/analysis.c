#include "predict/analysis/analysis.h"

#include "predict/analysis/cycles.h"
#include "predict/analysis/interleave.h"

#include <string.h>

#define NONE UINT32_MAX

struct Analysis {
  Heap *heap;
  AnalysisOptions options;
  Arena arena; /* of results */
  Shapes shapes;
  Verdict verdict;
  VEC(AnalysisRow) rows;
  VEC(AnalysisDeadlock) deadlocks;
  AnalysisSize size;
};

Analysis *analysis_new(Heap *heap, const AnalysisOptions *options) {
  Analysis *analysis = heap_zeroed(heap, sizeof *analysis);
  analysis->heap = heap;
  analysis->options = *options;
  if (options->budget == 0) analysis->options.budget = ANALYSIS_BUDGET;
  arena_init(&analysis->arena, heap);
  shapes_init(&analysis->shapes, heap, options->sync);
  return analysis;
}

void analysis_free(Analysis *analysis) {
  if (!analysis) return;
  vec_fini(analysis->heap, &analysis->rows);
  vec_fini(analysis->heap, &analysis->deadlocks);
  shapes_fini(&analysis->shapes);
  arena_fini(&analysis->arena);
  heap_release(analysis->heap, analysis);
}

void analysis_feed(Analysis *analysis, const TraceEvent *events, uint32_t n) {
  shapes_see(&analysis->shapes, events, n);
}

/* ---- events ---- */

static AnalysisEvent event_in(const Shapes *shapes, StageId stage, LockSetId held, uint64_t event, uint32_t location) {
  const Life *life = &shapes->stages.lives.at[fork_order_life(&shapes->stages, stage)];
  AnalysisEvent result = {
      .event = event, .location = location, .object = TRACE_NONE, .thread = life->thread, .life = life->number};
  result.locks = locksets_locks(&shapes->locksets, held, &result.n_locks);
  return result;
}

static AnalysisEvent access_event(const Shapes *shapes, uint32_t number, uint64_t event, uint32_t location) {
  const ShapeAccess *access = &shapes->accesses.at[number];
  AnalysisEvent result = event_in(shapes, access->stage, access->held, event, location);
  result.op = access->write ? TRACE_WRITE : TRACE_READ;
  result.object = shapes->variables.at[access->variable].object;
  return result;
}

static AnalysisEvent lock_event(const Shapes *shapes, StageId stage, uint32_t lock, uint64_t event, uint32_t location,
                                LockSetId held) {
  AnalysisEvent result = event_in(shapes, stage, held, event, location);
  result.op = locksets_is_shared(lock) ? TRACE_SHARED_ACQUIRE : TRACE_ACQUIRE;
  result.object = locksets_lock(lock);
  return result;
}

/* The locks that are held at a step: before an acquire, after a release. */
static LockSetId held_at(Shapes *shapes, const Shape *shape, uint32_t step) {
  LockSetId held = LOCKSET_EMPTY;
  for (uint32_t i = 0; i < shape->n_held; i++) held = locksets_add(&shapes->locksets, held, shape->held[i]);
  for (uint32_t i = 0; i <= step; i++) {
    const Step *at = &shape->steps[i];
    if (at->kind == STEP_ACQUIRE && i < step) held = locksets_add(&shapes->locksets, held, at->id);
    else if (at->kind == STEP_RELEASE) held = locksets_remove(&shapes->locksets, held, at->id);
  }
  return held;
}

static AnalysisEvent step_event(Shapes *shapes, const Shape *shape, uint32_t number) {
  static const uint8_t ops[][2] = {
      [STEP_ACQUIRE] = {TRACE_ACQUIRE, TRACE_SHARED_ACQUIRE}, [STEP_RELEASE] = {TRACE_RELEASE, TRACE_SHARED_RELEASE}};
  static const uint8_t causes[] = {
      [STAGE_BY_START] = TRACE_JOIN, [STAGE_BY_FORK] = TRACE_FORK,     [STAGE_BY_JOIN] = TRACE_JOIN,
      [STAGE_BY_OTHER] = TRACE_JOIN, [STAGE_BY_SIGNAL] = TRACE_SIGNAL, [STAGE_BY_WAIT] = TRACE_WAIT};
  const Step *step = &shape->steps[number];
  if (step->kind == STEP_ACCESS) return access_event(shapes, step->id, step->event, step->location);
  AnalysisEvent result = event_in(shapes, shape->stage, held_at(shapes, shape, number), step->event, step->location);
  if (step->kind == STEP_STAGE) {
    result.op = causes[shapes->stages.stages.at[step->id].cause];
  } else {
    result.op = ops[step->kind][locksets_is_shared(step->id)];
    result.object = locksets_lock(step->id);
  }
  return result;
}

/* ---- deadlocks ---- */

static void find_deadlocks(Analysis *analysis) {
  Shapes *shapes = &analysis->shapes;
  const Goodlock *g = &shapes->goodlock;
  goodlock_find(&shapes->goodlock, &shapes->locksets, &shapes->stages, analysis->options.budget);
  for (uint32_t c = 0; c < g->circles.n; c++) {
    const LockCircle *circle = &g->circles.at[c];
    AnalysisLocking *lockings = arena_zeroed(&analysis->arena, circle->n, sizeof *lockings);
    for (uint32_t i = 0; i < circle->n; i++) {
      const LockEdge *edge = &g->edges.at[circle->links[i].edge];
      const LockUse *use = &edge->uses.at[circle->links[i].use];
      lockings[i] = (AnalysisLocking){
          locksets_lock(edge->outer), locksets_lock(edge->inner),
          lock_event(shapes, use->stage, edge->outer, use->outer, edge->outer_location, LOCKSET_EMPTY),
          lock_event(shapes, use->stage, edge->inner, use->inner, edge->inner_location, edge->held)};
    }
    const AnalysisDeadlock deadlock = {circle->n, lockings};
    vec_push(analysis->heap, &analysis->deadlocks, deadlock);
  }
}

/* ---- rows ---- */

static void make_rows(Analysis *analysis) {
  const Shapes *shapes = &analysis->shapes;
  for (uint32_t i = 0; i < shapes->rows.n; i++) {
    const ShapeRow *from = &shapes->rows.at[i];
    const AnalysisRow row = {.label = from->label,
                             .location = from->location,
                             .transactions = from->transactions,
                             .verdict = VERDICT_HOLDS,
                             .reducible = analysis->options.kind != ANALYSIS_BLOCKS};
    vec_push(analysis->heap, &analysis->rows, row);
    analysis->size.transactions += from->transactions;
  }
}

static AnalysisStop stop_at(Shapes *shapes, const Shape *shape, uint32_t step, const uint32_t *races) {
  AnalysisStop stop = {.event = step_event(shapes, shape, step)};
  if (shape->steps[step].kind != STEP_ACCESS) return stop;
  const uint32_t rival = races[shape->steps[step].id];
  const Sight *sight = &shapes->accesses.at[rival].sights[USE_ANY];
  stop.rival = access_event(shapes, rival, sight->event, sight->location);
  stop.has_rival = true;
  return stop;
}

/* Which shapes are movable; the others are reported in their rows. The array is the heap's. */
static bool *reduce(Analysis *analysis) {
  Shapes *shapes = &analysis->shapes;
  bool *movable = heap_zeroed(analysis->heap, shapes->shapes.n);
  uint32_t *races = reduction_find_races(shapes, analysis->options.race_test);
  for (uint32_t i = 0; i < shapes->shapes.n; i++) {
    const Shape *shape = &shapes->shapes.at[i];
    AnalysisRow *row = &analysis->rows.at[shape->row];
    ReductionBreak at;
    heap_poll(analysis->heap);
    movable[i] = reduction_holds(shapes, shape, races, &at);
    if (movable[i] || row->has_stops) continue;
    row->reducible = false;
    row->has_stops = true;
    row->stops[0] = stop_at(shapes, shape, at.first, races);
    row->stops[1] = stop_at(shapes, shape, at.second, races);
  }
  heap_release(analysis->heap, races);
  return movable;
}

static AnalysisPatternEvent pattern_event(const Shapes *shapes, const PatternEvent *from) {
  AnalysisPatternEvent event = {access_event(shapes, from->access, from->event, from->location), from->transaction,
                                TRACE_NONE, TRACE_NONE, from->event};
  if (from->shape.v == SHAPE_NONE.v) return event;
  const Shape *shape = &shapes->shapes.at[from->shape.v];
  event.label = shapes->rows.at[shape->row].label;
  event.location = shapes->rows.at[shape->row].location;
  event.begin = shape->event;
  return event;
}

/* A finding goes before one that is less certain. */
static void tell_row(Analysis *analysis, AnalysisRow *row, const BlockFinding *finding) {
  row->verdict = VERDICT_VIOLATED;
  if (row->pattern != PATTERN_NONE && row->certainty >= finding->certainty) return;
  AnalysisPatternEvent *events = arena_zeroed(&analysis->arena, finding->n, sizeof *events);
  for (uint32_t i = 0; i < finding->n; i++) events[i] = pattern_event(&analysis->shapes, &finding->events[i]);
  row->pattern = finding->pattern;
  row->certainty = finding->certainty;
  row->n_events = finding->n;
  row->events = events;
}

static void tell_rows(Analysis *analysis, const Blocks *blocks, const bool *open, const bool *movable) {
  for (uint32_t i = 0; i < analysis->shapes.shapes.n; i++) {
    AnalysisRow *row = &analysis->rows.at[analysis->shapes.shapes.at[i].row];
    const bool is_unknown = open[i] || (!blocks->complete && !(movable && movable[i]));
    if (blocks->findings[i].pattern != PATTERN_NONE) tell_row(analysis, row, &blocks->findings[i]);
    else if (is_unknown && row->verdict == VERDICT_HOLDS) row->verdict = VERDICT_UNKNOWN;
  }
}

/* Has reduction proved all there is? */
static bool all_movable(const Analysis *analysis, const bool *movable) {
  return movable && (!analysis->shapes.shapes.n || !memchr(movable, false, analysis->shapes.shapes.n));
}

/* `movable`: NULL if reduction was not asked. */
static void find_blocks(Analysis *analysis, const bool *movable) {
  Blocks blocks;
  Cycles cycles;
  bool *open = heap_zeroed(analysis->heap, analysis->shapes.shapes.n);
  blocks_init(&blocks, &analysis->shapes, movable, analysis->options.budget);
  blocks_find_spans(&blocks);
  blocks_find_two_blocks(&blocks);
  cycles_find(&cycles, &blocks);
  interleave_decide(&blocks, &cycles, open, &analysis->size.states);
  tell_rows(analysis, &blocks, open, movable);
  analysis->size.spans = blocks.n_spans;
  analysis->size.two_blocks = blocks.n_two_blocks;
  cycles_fini(&cycles, analysis->heap);
  blocks_fini(&blocks);
  heap_release(analysis->heap, open);
}

static void decide(Analysis *analysis) {
  const bool by_reduction = analysis->options.kind == ANALYSIS_REDUCTION;
  VerdictTally tally = {0};
  for (uint32_t i = 0; i < analysis->rows.n; i++) {
    AnalysisRow *row = &analysis->rows.at[i];
    if (by_reduction && !row->reducible) row->verdict = VERDICT_VIOLATED;
    verdict_count(&tally, row->verdict);
  }
  /* where no event is in a transaction, each trace is one of transactions of one event */
  analysis->verdict = analysis->rows.n ? verdict_join(&tally) : VERDICT_HOLDS;
}

void analysis_finish(Analysis *analysis) {
  shapes_finish(&analysis->shapes);
  find_deadlocks(analysis);
  make_rows(analysis);
  bool *movable = analysis->options.kind == ANALYSIS_BLOCKS ? NULL : reduce(analysis);
  if (analysis->options.kind != ANALYSIS_REDUCTION && !all_movable(analysis, movable)) find_blocks(analysis, movable);
  heap_release(analysis->heap, movable);
  decide(analysis);
}

Verdict analysis_verdict(const Analysis *analysis) { return analysis->verdict; }

const AnalysisDeadlock *analysis_deadlocks(const Analysis *analysis, uint32_t *n) {
  *n = analysis->deadlocks.n;
  return analysis->deadlocks.at;
}

bool analysis_found_all_deadlocks(const Analysis *analysis) { return analysis->shapes.goodlock.complete; }

bool analysis_kept_order(const Analysis *analysis) { return analysis->shapes.stages.is_closed; }

const AnalysisRow *analysis_rows(const Analysis *analysis, uint32_t *n) {
  *n = analysis->rows.n;
  return analysis->rows.at;
}

AnalysisSize analysis_size(const Analysis *analysis) {
  AnalysisSize size = analysis->size;
  size.events = analysis->shapes.n_events;
  size.singles = analysis->shapes.n_singles;
  size.shapes = analysis->shapes.shapes.n;
  size.accesses = analysis->shapes.accesses.n;
  return size;
}
