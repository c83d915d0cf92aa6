#include "predict/pushdown/play_program.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static void play_begin(Play *play, Heap *heap) {
  *play = (Play){.heap = heap, .own_names = trace_names_new(heap)};
  play->names = play->own_names;
}

/* "begin:Name" has a name. */
static uint32_t label_of(Play *play, const char *text) {
  const char *colon = strchr(text, ':');
  return colon ? trace_names_add(play->own_names, TRACE_LABEL_NAME, colon + 1) : TRACE_NONE;
}

static uint32_t add_place(Play *play, const char *file, uint32_t line, uint32_t column) {
  Arena arena;
  arena_init(&arena, play->heap);
  const uint32_t place =
      trace_names_add(play->own_names, TRACE_LOCATION_NAME, arena_format(&arena, "%s:%u:%u", file, line, column));
  arena_fini(&arena);
  return place;
}

static void name_threads(Play *play, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    char name[16];
    snprintf(name, sizeof name, "T%u", i + 1);
    trace_names_add(play->own_names, TRACE_THREAD_NAME, name);
  }
}

static void add_event(Play *play, TraceEvent event, uint32_t step) {
  vec_push(play->heap, &play->events, event);
  vec_push(play->heap, &play->origin, step);
}

/* ---- without locks ---- */

static void visit_program(const PushdownPrediction *prediction, const PushdownRun *run, Cycle *cycle) {
  cycle->n = prediction->visits.n;
  for (uint32_t i = 0; i < cycle->n; i++) {
    const PushdownVisit *visit = &prediction->visits.at[i];
    cycle->visits[i].thread = visit->thread;
    for (uint32_t e = 0; e < run->events.n; e++) {
      if (run->accesses.at[e] == visit->in) cycle->visits[i].in = e;
      if (run->accesses.at[e] == visit->out) cycle->visits[i].out = e;
    }
  }
}

void play_program(Play *play, Heap *heap, const PushdownPrediction *prediction, Cycle *cycle) {
  PushdownRun run;
  play_begin(play, heap);
  pushdown_run_init(&run, heap, prediction);
  for (uint32_t i = 0; i < prediction->n_objects; i++)
    trace_names_add(play->own_names, TRACE_OBJECT_NAME, prediction->objects[i]);
  name_threads(play, prediction->n_threads);
  for (uint32_t i = 0; i < run.events.n; i++) {
    const PushdownStep *step = &prediction->steps.at[run.steps.at[i]];
    const PushdownAccess *access =
        run.accesses.at[i] == TRACE_NONE ? NULL : &prediction->accesses.at[run.accesses.at[i]];
    TraceEvent event = run.events.at[i];
    event.location = access ? add_place(play, access->file, access->line, access->column)
                            : add_place(play, step->file, step->line, step->column);
    if (event.op == TRACE_BEGIN && step->op == WORD_BEGIN) event.object = label_of(play, step->text);
    add_event(play, event, run.steps.at[i]);
  }
  visit_program(prediction, &run, cycle);
  pushdown_run_fini(&run, heap);
}

/* ---- with locks: of the program's net ---- */

static TraceOp op_of(AccessMode mode) {
  static const TraceOp OPS[] = {[ACCESS_READ] = TRACE_READ,
                                [ACCESS_WRITE] = TRACE_WRITE,
                                [ACCESS_ACQUIRE] = TRACE_ACQUIRE,
                                [ACCESS_RELEASE] = TRACE_RELEASE};
  _Static_assert(sizeof OPS / sizeof *OPS == ACCESS_RELEASE + 1, "a row for each AccessMode");
  assert(mode < sizeof OPS / sizeof *OPS);
  return OPS[mode];
}

static void add_firing(Play *play, const Notes *notes, TransId t, uint32_t step) {
  const TransNote *note = &notes->transitions[t.v];
  const AccessList accesses = notes_accesses(notes, t.v);
  const uint32_t place = add_place(play, notes_file_of(notes, note->pos), note->pos.line, note->pos.column);
  const bool several = accesses.n > 1;
  if (note->thread == NOTE_NONE) return;
  TraceEvent event = {note->thread, TRACE_NONE, place, TRACE_BEGIN};
  if (note->begin != NOTE_NONE) {
    const char *name = notes->blocks[note->begin].name;
    if (name) event.object = trace_names_add(play->own_names, TRACE_LABEL_NAME, name);
  }
  if (note->begin != NOTE_NONE || several) add_event(play, event, step);
  for (uint32_t i = 0; i < accesses.n; i++)
    add_event(play, (TraceEvent){note->thread, accesses.at[i].object, place, (uint8_t)op_of(accesses.at[i].mode)},
              step);
  const TraceEvent end = {note->thread, TRACE_NONE, place, TRACE_END};
  if (several) add_event(play, end, step);
  if (note->end != NOTE_NONE) add_event(play, end, step);
}

void play_net(Play *play, Heap *heap, const Net *net, const TransId *run, uint32_t n_run) {
  const Notes *notes = net->notes;
  play_begin(play, heap);
  for (uint32_t i = 0; i < notes->n_objects; i++)
    trace_names_add(play->own_names, TRACE_OBJECT_NAME, notes->objects[i].name);
  for (uint32_t i = 0; i < notes->n_threads; i++)
    trace_names_add(play->own_names, TRACE_THREAD_NAME, notes->threads[i].name);
  for (uint32_t i = 0; i < n_run; i++) add_firing(play, notes, run[i], i);
}
