#include "report/prediction.h"

#include "base/arena.h"
#include "report/run_words.h"

enum { MOST_LEGS = 12 };

const char *prediction_verdict_name(RunVerdict verdict) {
  static const char *const NAMES[] = {"none", "predicted", "unknown"}; /* ORDER RunVerdict */
  return NAMES[verdict];
}

/* ---- text ---- */

/* Where the stretch ends that one thread goes alone from event `from` on. */
static uint32_t leg_end(const PredictedRun *run, uint32_t from) {
  uint32_t end = from + 1;
  while (end < run->n && run->events[end].thread == run->events[from].thread) end++;
  return end;
}

static uint32_t count_legs(const PredictedRun *run) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < run->n; i = leg_end(run, i)) n++;
  return n;
}

/* "T1 to bank.c:8, T2 to bank.c:10, T1 to bank.c:10": its last legs, if there are many. */
static void tell_legs(Arena *arena, const PredictedRun *run, FILE *out) {
  uint32_t before = count_legs(run), i = 0;
  for (; before > MOST_LEGS; before--) i = leg_end(run, i);
  fputs("note: in a run that goes so: ", out);
  if (i) fputs("..., ", out);
  while (i < run->n) {
    const uint32_t end = leg_end(run, i);
    fprintf(out, "%s to %s%s", run_thread(arena, run->names, run->events[i].thread),
            run_place(arena, run->names, run->events[end - 1].location, run->origin[end - 1]), end < run->n ? ", " : "\n");
    i = end;
  }
}

/* "can be split by T2 and T3". */
static const char *what_happens(Arena *arena, const PredictedRun *run) {
  const MonitorFinding *finding = &run->finding;
  const char *text = "can be split by";
  uint32_t last = finding->transactions[0].thread, n = 0;
  for (uint32_t i = 1; i < finding->n; i++) {
    if (finding->transactions[i].thread == last || finding->transactions[i].thread == finding->transactions[0].thread) continue;
    last = finding->transactions[i].thread;
    text = arena_format(arena, "%s%s %s", text, n++ ? " and" : "", run_thread(arena, run->names, last));
  }
  return text;
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
  if (!style.quiet && report->known) fprintf(out, "known: %s\n", report->known);
  verdict_text(report->verdict, prediction_verdict_name(report->verdict), style, out);
}

/* ---- JSON ---- */

/* Of a program the steps are where they stand in the source; of a run the events are numbers. */
static void put_schedule(Heap *heap, const PredictedRun *run, bool program, Json *json) {
  Arena arena;
  arena_init(&arena, heap);
  json_member_open(json, "schedule", '[', program ? JSON_LINES : JSON_ROW);
  for (uint32_t i = 0; i < run->n; i++) {
    if (!program) {
      json_count(json, run->origin[i]);
      continue;
    }
    if (i && run->origin[i] == run->origin[i - 1]) continue;
    json_open(json, '{', JSON_ROW);
    json_member_string(json, "thread", run_thread(&arena, run->names, run->events[i].thread));
    json_member_string(json, "location", run_location(&arena, run->names, run->events[i].location));
    json_close(json);
  }
  json_close(json);
  arena_fini(&arena);
}

void prediction_json(Heap *heap, const PredictionReport *report, FILE *out) {
  Json writer = json_start(out), *json = &writer;
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "schema", "tracepredict/1");
  json_member_string(json, "verdict", prediction_verdict_name(report->verdict));
  json_member_string(json, "why", report->why);
  json_member_string(json, "known", report->known);
  json_member_string(json, "sync", report->locks ? "locks" : "none");
  json_member_count(json, "events", report->events);
  json_member_count(json, "threads", report->threads);
  json_member_count(json, "entities", report->entities);
  if (report->n_runs) put_schedule(heap, &report->runs[0], report->program, json);
  else json_member_open(json, "schedule", '[', JSON_ROW), json_close(json);
  json_member_open(json, "violations", '[', JSON_LINES);
  for (uint32_t i = 0; i < report->n_runs; i++) {
    json_open(json, '{', JSON_LINES);
    finding_json(heap, report->runs[i].names, &report->runs[i].finding, json);
    put_schedule(heap, &report->runs[i], report->program, json);
    json_close(json);
  }
  json_close(json);
  json_close(json);
  json_finish(json);
}
