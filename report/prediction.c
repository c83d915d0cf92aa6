#include "report/prediction.h"

#include "base/arena.h"
#include "report/run_words.h"

#include <string.h>

enum { MOST_LEGS = 12 };

const char *prediction_verdict_name(Verdict verdict) {
  static const char *const NAMES[] = {"unknown", "none", "predicted"}; /* ORDER Verdict */
  _Static_assert(sizeof NAMES / sizeof *NAMES == VERDICT_KINDS, "ORDER Verdict");
  return NAMES[verdict];
}

/* ---- text ---- */

/* "T1 to bank.c:8, T2 to bank.c:10, T1 to bank.c:10": the last legs, if there are many. */
static void tell_legs(Arena *arena, const PredictedRun *run, FILE *out) {
  uint32_t i = run->n_legs > MOST_LEGS ? run->n_legs - MOST_LEGS : 0;
  fprintf(out, "note: in a run that goes so: %s", i ? "..., " : "");
  for (; i < run->n_legs; i++)
    fprintf(out, "%s to %s%s", run_thread(arena, run->names, run->legs[i].thread),
            run_place(arena, run->names, run->legs[i].location, run->legs[i].event), i + 1 < run->n_legs ? ", " : "\n");
}

/* "can be split by T2, T3 and T4": all threads of the cycle but the first. */
static const char *what_happens(Arena *arena, const PredictedRun *run) {
  const MonitorTransaction *transactions = run->finding.transactions;
  const char *text = "can be split by", *last = NULL;
  for (uint32_t i = 1, thread = transactions[0].thread; i < run->finding.n; i++) {
    if (transactions[i].thread == thread || transactions[i].thread == transactions[0].thread) continue;
    if (last) text = arena_format(arena, "%s %s,", text, last);
    thread = transactions[i].thread;
    last = run_thread(arena, run->names, thread);
  }
  const size_t length = strlen(text);
  const bool several = text[length - 1] == ',';
  return arena_format(arena, "%.*s%s %s", (int)(several ? length - 1 : length), text, several ? " and" : "", last ? last : "itself");
}

static void tell_run(Heap *heap, const PredictedRun *run, RunStyle style, FILE *out) {
  Arena arena;
  arena_init(&arena, heap);
  finding_text(heap, run->names, &run->finding, what_happens(&arena, run), style, out);
  tell_legs(&arena, run, out);
  arena_fini(&arena);
}

void prediction_text(Heap *heap, const PredictionReport *report, RunStyle style, FILE *out) {
  for (uint32_t i = 0; !style.quiet && i < report->n_runs; i++) tell_run(heap, &report->runs[i], style, out);
  if (!style.quiet && report->why) fprintf(out, "%s: %s\n", report->n_runs ? "note" : "unknown", report->why);
  if (!style.quiet && report->known) fprintf(out, "%s: %s\n", report->verdict == VERDICT_UNKNOWN ? "known" : "note", report->known);
  verdict_text(report->verdict, prediction_verdict_name(report->verdict), style, out);
}

/* ---- JSON ---- */

/* Of a program the steps are where they stand in the source; of a run the events are numbers. */
static void put_schedule(Arena *arena, const PredictionReport *report, Json *json) {
  json_member_open(json, "schedule", '[', report->program && report->n_first ? JSON_LINES : JSON_ROW);
  for (uint32_t i = 0; i < report->n_first; i++) {
    const TraceEvent *event = &report->events_of_first[i];
    if (!report->program) {
      json_count(json, report->origin_of_first[i]);
    } else if (!i || report->origin_of_first[i] != report->origin_of_first[i - 1]) {
      json_open(json, '{', JSON_ROW);
      json_member_string(json, "thread", run_thread(arena, report->runs[0].names, event->thread));
      json_member_string(json, "location", run_location(arena, report->runs[0].names, event->location));
      json_close(json);
    }
  }
  json_close(json);
}

static void put_legs(Arena *arena, const PredictedRun *run, Json *json) {
  json_member_open(json, "legs", '[', JSON_LINES);
  for (uint32_t i = 0; i < run->n_legs; i++) {
    json_open(json, '{', JSON_ROW);
    json_member_string(json, "thread", run_thread(arena, run->names, run->legs[i].thread));
    json_member_count(json, "to", run->legs[i].event);
    json_member_string(json, "location", run_location(arena, run->names, run->legs[i].location));
    json_close(json);
  }
  json_close(json);
}

void prediction_json(Heap *heap, const PredictionReport *report, FILE *out) {
  Json writer = json_start(out), *json = &writer;
  Arena arena;
  arena_init(&arena, heap);
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "schema", "tracepredict/1");
  json_member_string(json, "verdict", prediction_verdict_name(report->verdict));
  json_member_string(json, "why", report->why);
  json_member_string(json, "known", report->known);
  json_member_string(json, "sync", report->locks ? "locks" : "none");
  json_member_count(json, "events", report->events);
  json_member_count(json, "threads", report->threads);
  json_member_count(json, "entities", report->entities);
  put_schedule(&arena, report, json);
  json_member_open(json, "violations", '[', JSON_LINES);
  for (uint32_t i = 0; i < report->n_runs; i++) {
    json_open(json, '{', JSON_LINES);
    finding_json(heap, report->runs[i].names, &report->runs[i].finding, json);
    put_legs(&arena, &report->runs[i], json);
    json_close(json);
  }
  json_close(json);
  json_close(json);
  json_finish(json);
  arena_fini(&arena);
}
