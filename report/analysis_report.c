#include "report/analysis_report.h"

#include "base/arena.h"
#include "report/run_words.h"

static const char *const PATTERNS[] = {"none", "UP1", "UP2", "UP3", "UP4", "2-blocks", "two transactions", "cycle"}; /* ORDER Pattern */
_Static_assert(sizeof PATTERNS / sizeof *PATTERNS == PATTERN_CYCLE + 1, "ORDER Pattern");
static const char *const KINDS[] = {"reduction", "blocks", "combined"};                                              /* ORDER AnalysisKind */
_Static_assert(sizeof KINDS / sizeof *KINDS == ANALYSIS_COMBINED + 1, "ORDER AnalysisKind");

Verdict analysis_report_verdict(const AnalysisReport *report) {
  return report->analysis ? analysis_verdict(report->analysis) : VERDICT_UNKNOWN;
}

const char *analysis_verdict_name(Verdict verdict) {
  static const char *const NAMES[] = {"unknown", "atomic", "possibly not atomic"}; /* ORDER Verdict */
  _Static_assert(sizeof NAMES / sizeof *NAMES == VERDICT_KINDS, "ORDER Verdict");
  return NAMES[verdict];
}

/* ---- text ---- */

typedef struct {
  Arena arena;
  const TraceNames *names;
  RunStyle style;
  FILE *out;
} Teller;

static const char *thread_of(Teller *t, const AnalysisEvent *event) {
  const char *name = run_thread(&t->arena, t->names, event->thread);
  return event->life ? arena_format(&t->arena, "%s#%u", name, event->life + 1) : name;
}

static const char *place_of(Teller *t, const AnalysisEvent *event) {
  return run_place(&t->arena, t->names, event->location, event->event);
}

/* "reads balance", "joins T2". */
static const char *deed_of(Teller *t, const AnalysisEvent *event) {
  static const char *const VERBS[] = {"reads", "writes", "acquires", "releases", "forks", "joins", "begins", "ends", "starts", "exits", "frees"};
  const bool on_thread = event->op == TRACE_FORK || event->op == TRACE_JOIN;
  const char *what = on_thread ? run_thread(&t->arena, t->names, event->object) : run_object(&t->arena, t->names, event->object);
  return arena_format(&t->arena, "%s %s", VERBS[event->op], what);
}

/* ", holding l and m": nothing, if none is held. */
static const char *locks_of(Teller *t, const AnalysisEvent *event) {
  const char *text = event->n_locks ? ", holding" : ", holding no lock";
  for (uint32_t i = 0; i < event->n_locks; i++)
    text = arena_format(&t->arena, "%s%s %s", text, i ? " and" : "", run_object(&t->arena, t->names, event->locks[i]));
  return text;
}

static void note(Teller *t, const AnalysisEvent *event, const char *text) {
  finding_note(t->style, place_of(t, event), RUN_NOTE, text, t->out);
}

static const char *row_name(Teller *t, const AnalysisRow *row) {
  const char *label = run_label(&t->arena, t->names, row->label), *place = run_location(&t->arena, t->names, row->location);
  if (label) return arena_format(&t->arena, "transaction '%s'", label);
  return place ? "transaction" : "a transaction";
}

static const char *row_place(Teller *t, const AnalysisRow *row) {
  const char *place = run_location(&t->arena, t->names, row->location), *label = run_label(&t->arena, t->names, row->label);
  return place ? place : label ? label : "run";
}

static void tell_deadlock(Teller *t, const AnalysisDeadlock *deadlock) {
  for (uint32_t i = 0; i < deadlock->n; i++) {
    const AnalysisLocking *it = &deadlock->lockings[i];
    const char *text = arena_format(&t->arena, "%s%s acquires %s here while it holds %s, which it acquires at %s",
                                    i ? "" : "potential deadlock: ", thread_of(t, &it->at_inner), run_object(&t->arena, t->names, it->inner),
                                    run_object(&t->arena, t->names, it->outer), place_of(t, &it->at_outer));
    finding_note(t->style, place_of(t, &it->at_inner), i ? RUN_NOTE : RUN_WARNING, text, t->out);
  }
}

static void tell_stop(Teller *t, const AnalysisStop *stop, bool second) {
  const AnalysisEvent *event = &stop->event;
  const char *race = stop->has_rival ? arena_format(&t->arena, "; %s %s at %s%s", thread_of(t, &stop->rival), deed_of(t, &stop->rival),
                                                    place_of(t, &stop->rival), locks_of(t, &stop->rival))
                                     : "";
  note(t, event, arena_format(&t->arena, "%s %s here%s: %s%s", thread_of(t, event), deed_of(t, event), locks_of(t, event),
                              second ? "it cannot be moved to the left" : "after it only what can be moved to the left may come", race));
}

static void tell_pattern(Teller *t, const AnalysisRow *row) {
  for (uint32_t i = 0; i < row->n_events; i++) {
    const AnalysisPatternEvent *event = &row->events[i];
    const char *label = run_label(&t->arena, t->names, event->label), *thread = thread_of(t, &event->event);
    const char *who = label ? arena_format(&t->arena, "transaction '%s' of %s", label, thread) : thread;
    note(t, &event->event, arena_format(&t->arena, "%s%s %s here%s", i ? "then " : "", who, deed_of(t, &event->event), locks_of(t, &event->event)));
  }
  static const char *const NOTES[] = {
      [CERTAIN_NOT] = "note: whether this can happen is not certain: see what is said of deadlocks, nesting of locks, forks "
                      "and joins in the manual\n",
      [CERTAIN_ALONE] = "note: this is certain of these transactions alone; what others write may hide it, and then all "
                        "together are atomic\n",
      [CERTAIN_WHOLE] = "note: this is certain, of all transactions together\n"};
  fputs(NOTES[row->certainty], t->out);
}

static void tell_row(Teller *t, const AnalysisRow *row) {
  if (row->verdict == VERDICT_HOLDS) return;
  const bool unknown = row->verdict == VERDICT_UNKNOWN;
  const char *how = row->pattern != PATTERN_NONE ? arena_format(&t->arena, " (%s)", PATTERNS[row->pattern]) : "";
  const char *what = unknown ? "was not decided" : arena_format(&t->arena, "is possibly not atomic%s", how);
  finding_note(t->style, row_place(t, row), unknown ? RUN_WARNING : RUN_ERROR, arena_format(&t->arena, "%s %s", row_name(t, row), what), t->out);
  if (row->pattern != PATTERN_NONE) {
    tell_pattern(t, row);
  } else if (row->has_stops) {
    tell_stop(t, &row->stops[0], false);
    tell_stop(t, &row->stops[1], true);
  }
}

static void tell_all(Heap *heap, const AnalysisReport *report, RunStyle style, FILE *out) {
  Teller t = {.names = report->names, .style = style, .out = out};
  uint32_t n;
  arena_init(&t.arena, heap);
  const AnalysisDeadlock *deadlocks = analysis_deadlocks(report->analysis, &n);
  for (uint32_t i = 0; i < n; i++) tell_deadlock(&t, &deadlocks[i]);
  const AnalysisRow *rows = analysis_rows(report->analysis, &n);
  for (uint32_t i = 0; i < n; i++) tell_row(&t, &rows[i]);
  arena_fini(&t.arena);
}

void analysis_report_text(Heap *heap, const AnalysisReport *report, RunStyle style, FILE *out) {
  if (!style.quiet && report->analysis) tell_all(heap, report, style, out);
  if (!style.quiet && report->why) fprintf(out, "unknown: %s\n", report->why);
  const Verdict verdict = analysis_report_verdict(report);
  verdict_text(verdict, analysis_verdict_name(verdict), style, out);
}

/* ---- JSON ---- */

typedef struct {
  Arena arena;
  const TraceNames *names;
  Json *json;
} Writer;

static void put_event(Writer *w, const AnalysisEvent *event) {
  Json *json = w->json;
  const bool on_thread = event->op == TRACE_FORK || event->op == TRACE_JOIN;
  json_member_count(json, "event", event->event);
  json_member_string(json, "thread", run_thread(&w->arena, w->names, event->thread));
  json_member_string(json, "op", run_op(event->op));
  json_member_string(json, "object", event->object == TRACE_NONE ? NULL
                                     : on_thread                 ? run_thread(&w->arena, w->names, event->object)
                                                                 : run_object(&w->arena, w->names, event->object));
  json_member_string(json, "location", run_location(&w->arena, w->names, event->location));
  json_member_open(json, "locks", '[', JSON_ROW);
  for (uint32_t i = 0; i < event->n_locks; i++) json_string(json, run_object(&w->arena, w->names, event->locks[i]));
  json_close(json);
}

static void put_named_event(Writer *w, const char *key, const AnalysisEvent *event) {
  json_member_open(w->json, key, '{', JSON_ROW);
  put_event(w, event);
  json_close(w->json);
}

static void put_stops(Writer *w, const AnalysisRow *row) {
  Json *json = w->json;
  json_member_open(json, "stops", '[', JSON_LINES);
  for (uint32_t i = 0; row->has_stops && i < 2; i++) {
    json_open(json, '{', JSON_LINES);
    put_named_event(w, "at", &row->stops[i].event);
    if (row->stops[i].has_rival) put_named_event(w, "rival", &row->stops[i].rival);
    json_close(json);
  }
  json_close(json);
}

static void put_pattern(Writer *w, const AnalysisRow *row) {
  Json *json = w->json;
  json_member_string(json, "pattern", row->pattern == PATTERN_NONE ? NULL : PATTERNS[row->pattern]);
  json_member_bool(json, "certain", row->certainty == CERTAIN_WHOLE);
  json_member_bool(json, "certain_alone", row->certainty != CERTAIN_NOT);
  json_member_open(json, "interleaving", '[', JSON_LINES);
  for (uint32_t i = 0; i < row->n_events; i++) {
    json_open(json, '{', JSON_ROW);
    json_member_count(json, "transaction", row->events[i].transaction);
    json_member_string(json, "label", run_label(&w->arena, w->names, row->events[i].label));
    put_event(w, &row->events[i].event);
    json_close(json);
  }
  json_close(json);
}

static void put_row(Writer *w, const AnalysisRow *row) {
  Json *json = w->json;
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "label", run_label(&w->arena, w->names, row->label));
  json_member_string(json, "location", run_location(&w->arena, w->names, row->location));
  json_member_count(json, "count", row->transactions);
  json_member_string(json, "verdict", analysis_verdict_name(row->verdict));
  json_member_bool(json, "reducible", row->reducible);
  put_stops(w, row);
  put_pattern(w, row);
  json_close(json);
}

static void put_deadlock(Writer *w, const AnalysisDeadlock *deadlock) {
  Json *json = w->json;
  json_open(json, '[', JSON_LINES);
  for (uint32_t i = 0; i < deadlock->n; i++) {
    json_open(json, '{', JSON_LINES);
    put_named_event(w, "outer", &deadlock->lockings[i].at_outer);
    put_named_event(w, "inner", &deadlock->lockings[i].at_inner);
    json_close(json);
  }
  json_close(json);
}

static void put_all(Writer *w, const Analysis *analysis) {
  uint32_t n = 0;
  const AnalysisDeadlock *deadlocks = analysis ? analysis_deadlocks(analysis, &n) : NULL;
  json_member_open(w->json, "deadlocks", '[', JSON_LINES);
  for (uint32_t i = 0; i < n; i++) put_deadlock(w, &deadlocks[i]);
  json_close(w->json);
  n = 0;
  const AnalysisRow *rows = analysis ? analysis_rows(analysis, &n) : NULL;
  json_member_open(w->json, "transactions", '[', JSON_LINES);
  for (uint32_t i = 0; i < n; i++) put_row(w, &rows[i]);
  json_close(w->json);
}

void analysis_report_json(Heap *heap, const AnalysisReport *report, FILE *out) {
  Json writer = json_start(out), *json = &writer;
  Writer w = {.names = report->names, .json = json};
  arena_init(&w.arena, heap);
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "schema", "tracecheck/1");
  json_member_string(json, "analysis", KINDS[report->kind]);
  json_member_string(json, "verdict", analysis_verdict_name(analysis_report_verdict(report)));
  json_member_string(json, "why", report->why);
  json_member_count(json, "events", report->events);
  json_member_count(json, "threads", report->threads);
  json_member_count(json, "entities", report->entities);
  json_member_count(json, "skipped", report->skipped);
  put_all(&w, report->analysis);
  json_close(json);
  json_finish(json);
  arena_fini(&w.arena);
}
