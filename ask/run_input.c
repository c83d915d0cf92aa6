#include "ask/run_input.h"

#include <string.h>

void run_input_init(RunInput *input, Heap *heap, const RunSource *source, const AskLimits *limits) {
  *input = (RunInput){.heap = heap, .source = *source, .limits = *limits};
  left_out_init(&input->left_out, heap, source->suppressions, source->left_out);
  input->chosen = (Chosen){.heap = heap, .names = source->chosen};
  if (source->n < 2) return;
  input->names = trace_names_new(heap);
  for (uint32_t kind = 0; kind < TRACE_NAME_KINDS; kind++) intern_init(&input->keys[kind], heap);
  intern_init(&input->seen, heap);
  input->batch = heap_alloc(heap, TRACE_BATCH * sizeof *input->batch);
}

void run_input_fini(RunInput *input) {
  trace_close(input->reader);
  left_out_fini(&input->left_out);
  chosen_fini(&input->chosen);
  if (!input->names) return;
  trace_names_free(input->names);
  for (uint32_t kind = 0; kind < TRACE_NAME_KINDS; kind++) {
    intern_fini(&input->keys[kind]);
    vec_fini(input->heap, &input->numbers[kind]);
  }
  intern_fini(&input->seen);
  vec_fini(input->heap, &input->times);
  heap_release(input->heap, input->batch);
}

const TraceNames *run_input_names(const RunInput *input) {
  return input->names ? input->names : trace_names(input->reader);
}

/* ---- several runs ---- */

/* The k-th time that the current run has the name; `sort` tells spaces of names apart. */
static uint32_t count_name(RunInput *input, char sort, const char *name) {
  Arena arena;
  bool is_new;
  arena_init(&arena, input->heap);
  const char *key = arena_format(&arena, "%c%s", sort, name);
  const uint32_t number = intern_add(&input->seen, key, strlen(key), &is_new);
  arena_fini(&arena);
  if (is_new) vec_push(input->heap, &input->times, 0);
  return ++input->times.at[number];
}

static uint32_t add_thing(RunInput *input, TraceNameKind kind, char sort, uint32_t number) {
  const char *name = trace_name(trace_names(input->reader), kind, number);
  Arena arena;
  bool is_new;
  arena_init(&arena, input->heap);
  const uint32_t time = *name ? count_name(input, sort, name) : number;
  const char *key = arena_format(&arena, "%c%u:%s", sort, time, name);
  const uint32_t unified = intern_add(&input->keys[kind], key, strlen(key), &is_new);
  if (is_new) trace_names_add(input->names, kind, name);
  arena_fini(&arena);
  return unified;
}

static uint32_t unify(RunInput *input, TraceNameKind kind, char sort, uint32_t number) {
  if (number == TRACE_NONE) return TRACE_NONE;
  U32Vec *numbers = &input->numbers[kind];
  if (number >= numbers->n) vec_resize_zeroed(input->heap, numbers, number + 1);
  if (!numbers->at[number]) numbers->at[number] = add_thing(input, kind, sort, number) + 1;
  return numbers->at[number] - 1;
}

static void unify_event(RunInput *input, TraceEvent *event) {
  event->thread = unify(input, TRACE_THREAD_NAME, 't', event->thread);
  event->location = unify(input, TRACE_LOCATION_NAME, 'p', event->location);
  switch ((TraceSort)TRACE_SORT[event->op]) {
  case TRACE_ON_VARIABLE: event->object = unify(input, TRACE_OBJECT_NAME, 'v', event->object); break;
  case TRACE_ON_LOCK: event->object = unify(input, TRACE_OBJECT_NAME, 'l', event->object); break;
  case TRACE_ON_HANDOVER: event->object = unify(input, TRACE_OBJECT_NAME, 'h', event->object); break;
  case TRACE_ON_THREAD: event->object = unify(input, TRACE_THREAD_NAME, 't', event->object); break;
  case TRACE_ON_LABEL: event->object = unify(input, TRACE_LABEL_NAME, 'b', event->object); break;
  case TRACE_ON_NOTHING:
  case TRACE_SORTS: break;
  }
}

static void begin_names(RunInput *input) {
  for (uint32_t kind = 0; kind < TRACE_NAME_KINDS; kind++) vec_clear(&input->numbers[kind]);
  intern_fini(&input->seen);
  intern_init(&input->seen, input->heap);
  vec_clear(&input->times);
}

static const TraceEvent *unified(RunInput *input, const TraceEvent *events, uint32_t n) {
  if (!input->names) return events;
  memcpy(input->batch, events, n * sizeof *events);
  for (uint32_t i = 0; i < n; i++) unify_event(input, &input->batch[i]);
  return input->batch;
}

/* ---- reading ---- */

static bool is_over(RunInput *input) {
  const StopReason asked = input->again ? STOP_NOT : heap_asked(input->heap);
  if (asked != STOP_NOT)
    heap_explain_after(input->heap, asked, input->n_events, "events", input->why, sizeof input->why);
  return input->why[0] != '\0';
}

/* As many of the next n events as the limit allows. A run of just so many is a whole one. */
static uint32_t allowed(RunInput *input, uint32_t n) {
  const uint64_t most = input->limits.max_events, left = most - input->n_events;
  if (!most || input->again || n <= left) return n;
  heap_explain_limit(most, "events", input->why, sizeof input->why);
  return (uint32_t)left;
}

/* Of more, that cannot be read: beyond the limit it does not matter, nor where the heap is asked to stop. */
static bool is_enough(RunInput *input) {
  allowed(input, 1);
  return is_over(input);
}

static bool open_run(RunInput *input, uint32_t run, Err *err) {
  trace_close(input->reader);
  input->reader = NULL;
  if (input->names) begin_names(input);
  left_out_restart(&input->left_out);
  chosen_restart(&input->chosen);
  input->reader = trace_open(input->heap, input->source.inputs[run].path, &input->source.trace, err);
  if (!input->reader) heap_poll_asked(input->heap);
  return input->reader != NULL;
}

/* Messages name a copy by its path, which says nothing. */
static void name_input(const Spool *spool, Err *err) {
  Err original = *err;
  const size_t n = spool->copy ? strlen(spool->copy) : 0;
  if (n && strncmp(original.text, spool->copy, n) == 0)
    err_set(err, original.kind, "%s%s", spool->name, original.text + n);
}

static bool has_begin(const TraceEvent *events, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (events[i].op == TRACE_BEGIN) return true;
  return false;
}

/* ---- calls that commute ---- */

static bool needs_look(const RunInput *input) {
  const bool told = input->source.left_out == LEFT_OUT_ALL || input->source.left_out == LEFT_OUT_COMMUTES;
  return told && input->left_out.commuting.phase == COMMUTING_UNKNOWN &&
         commuting_is_asked(&input->left_out.commuting) && input->source.n == 1 &&
         spool_is_lasting(input->source.inputs);
}

/* Looks at the run, up to a fault, which reading it will tell. False if it was asked to stop, or the run is not there.
 */
static bool look_once(RunInput *input) {
  const TraceEvent *events;
  uint32_t n = 1;
  Err fault;
  if (!open_run(input, 0, &fault)) return false;
  while (n > 0 && trace_next(input->reader, &events, &n, &fault)) {
    if (heap_asked(input->heap) != STOP_NOT) return false;
    left_out_events(&input->left_out, trace_names(input->reader), events, n);
  }
  return true;
}

/* Before the run is read: how are accesses in such calls to be told? */
static void look(RunInput *input) {
  Commuting *commuting = &input->left_out.commuting;
  if (!needs_look(input)) return;
  commuting->phase = COMMUTING_MEETING;
  do
    if (!look_once(input)) {
      commuting->phase = COMMUTING_UNKNOWN;
      return;
    }
  while (commuting_looked(commuting, trace_names(input->reader)));
}

/* Can that not be told? */
static bool refuse_calls(RunInput *input) {
  const Commuting *commuting = &input->left_out.commuting;
  const char *why = commuting->why;
  if (left_out_is_late(&input->left_out))
    why = input->source.n > 1 ? "calls that commute cannot be told apart in several runs"
                              : "there are calls that commute, so the run has to be read several times";
  else if (input->source.views && commuting->met && !commuting->plain && !*why && commuting->phase == COMMUTING_KNOWN)
    why = "calls commute that write what is also accessed outside of them, of which this analysis knows nothing";
  if (*why) snprintf(input->why, sizeof input->why, "%s", why);
  return *why;
}

/* False: its beginning is missing, and is needed. */
static bool note_part(RunInput *input) {
  const TracePart *part = trace_part(input->reader);
  TracePart *noted = &input->remarks.part;
  noted->late |= part->late;
  if (*part->what) memcpy(noted->what, part->what, sizeof noted->what);
  if (!part->late || !input->source.runs) return true;
  snprintf(input->why, sizeof input->why,
           "the log begins in the middle of the run, and does not say what was held then");
  return false;
}

/* One run; *more becomes false if no more are needed. */
static bool read_run(RunInput *input, uint32_t run, RunTaker *take, void *argument, bool *more, Err *err) {
  const uint64_t n_before = input->n_events;
  const TraceEvent *events;
  uint32_t n = 1;
  if (!open_run(input, run, err)) return false;
  if (input->opened && !input->again && !input->opened(input->opened_argument, input, err)) return false;
  refuse_calls(input);
  while (*more && n > 0 && !is_over(input)) {
    if (!trace_next(input->reader, &events, &n, err)) return is_enough(input);
    if (!note_part(input)) break;
    n = allowed(input, n);
    events = left_out_events(&input->left_out, trace_names(input->reader), events, n);
    if (refuse_calls(input)) break;
    events = chosen_events(&input->chosen, trace_names(input->reader), events, n);
    input->has_transactions = input->has_transactions || has_begin(events, n);
    *more = take(argument, run, unified(input, events, n), n);
    input->n_events += n;
    if (!input->again) ask_show(&input->limits, input->heap, input->n_events, NULL);
  }
  *more = *more && !input->why[0];
  input->remarks.skipped += trace_skipped(input->reader);
  input->remarks.left_out = input->left_out.count;
  input->remarks.whole = n == 0 && !input->why[0] && run + 1 == input->source.n;
  input->remarks.cut_short |= n == 0 && trace_cut_short(input->reader);
  if (n == 0 && !input->why[0] && chosen_is_some(&input->chosen) && !input->remarks.missing[0])
    chosen_missing(&input->chosen, trace_names(input->reader), input->remarks.missing);
  if (input->why[0] || !*more || input->again || input->limits.allow_empty) return true;
  return run_input_expect(input->source.inputs[run].name, input->n_events - n_before, trace_skipped(input->reader),
                          err);
}

/* Of runs that have been read to their ends. */
static bool expect_transactions(const RunInput *input, Err *err) {
  if (input->has_transactions || input->limits.allow_empty) return true;
  const char *missing = input->remarks.missing, *name = input->source.inputs[0].name;
  if (chosen_is_some(&input->chosen) || input->remarks.left_out.transactions)
    return err_set(err, ERR_INPUT, "%s: no transaction is chosen, so there is nothing to check%s%s%s", name,
                   remedy_words(input->limits.remedies, REMEDY_NONE_CHOSEN), *missing ? ": " : "", missing);
  return err_set(err, ERR_INPUT, "%s: there are no transactions, so there is nothing to check%s", name,
                 remedy_words(input->limits.remedies, REMEDY_NO_TRANSACTION));
}

static bool read_runs(RunInput *input, RunTaker *take, void *argument, Err *err) {
  bool more = true;
  look(input);
  input->why[0] = '\0';
  input->n_events = 0;
  input->remarks = (RunRemarks){0};
  input->left_out.count = (LeftOutCount){0};
  input->has_transactions = false;
  for (uint32_t run = 0; more && run < input->source.n; run++)
    if (!read_run(input, run, take, argument, &more, err)) return name_input(&input->source.inputs[run], err), false;
  return !more || input->why[0] || input->again || expect_transactions(input, err);
}

bool run_input_read(RunInput *input, RunTaker *take, void *argument, Err *err) {
  input->again = false;
  return read_runs(input, take, argument, err);
}

bool run_input_reread(RunInput *input, RunTaker *take, void *argument, Err *err) {
  input->again = true;
  return read_runs(input, take, argument, err);
}

const char *run_input_gap(const RunInput *input) {
  const RunRemarks *remarks = &input->remarks;
  if (input->why[0]) return input->why;
  if (remarks->cut_short) return "the log is truncated";
  if (remarks->part.late) return "the log begins in the middle of the run";
  return *remarks->part.what ? "only a part of the run was recorded" : NULL;
}

LeftOutReport run_input_left_out(const RunInput *input) {
  return (LeftOutReport){.asked = input->source.suppressions, .count = input->remarks.left_out};
}

bool run_input_expect(const char *name, uint64_t events, uint64_t skipped, Err *err) {
  if (events > 0) return true;
  if (skipped)
    return err_set(err, ERR_INPUT, "%s: there are no events: all %llu lines were skipped", name,
                   (unsigned long long)skipped);
  return err_set(err, ERR_INPUT, "%s: expected a run, but there are no events", name);
}
