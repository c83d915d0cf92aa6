#include "report/of_prediction.h"

#include "report/of_left_out.h"
#include "report/of_run_cycle.h"
#include "report/place.h"
#include "report/run_words.h"
#include "report/story.h"
#include "report/vocabulary.h"

#include <string.h>

enum { MOST_LEGS = 12 };

/* ---- findings ---- */

/* "T1 to bank.c:8, T2 to bank.c:10, T1 to bank.c:10": the last legs, if there are many. */
static const char *legs_of(Arena *arena, const PredictedRun *run) {
  uint32_t i = run->n_legs > MOST_LEGS ? run->n_legs - MOST_LEGS : 0;
  const char *text = i ? "for example, in this run: ..., " : "for example, in this run: ";
  for (; i < run->n_legs; i++) {
    const Place place = run_place(arena, run->names, run->legs[i].location, run->legs[i].event);
    text = arena_format(arena, "%s%s to %s%s", text, run_thread(arena, run->names, run->legs[i].thread),
                        place_words(arena, &place), i + 1 < run->n_legs ? ", " : "");
  }
  return text;
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
  return arena_format(arena, "%.*s%s %s", (int)(several ? length - 1 : length), text, several ? " and" : "",
                      last ? last : "itself");
}

/* What the makers of findings and members need. */
typedef struct {
  const PredictionReport *result;
  bool brief;
} Making;

/* "and 31 more such"; how likely it is. */
static void add_notes(Arena *arena, const PredictedRun *run, Finding *finding) {
  FindingNote *notes = arena_zeroed(arena, finding->n_notes + 3, sizeof *notes);
  if (finding->n_notes) memcpy(notes, finding->notes, finding->n_notes * sizeof *notes);
  notes[finding->n_notes++] = (FindingNote){.level = LEVEL_NOTE, .message = legs_of(arena, run)};
  if (run->unwritten)
    notes[finding->n_notes++] = (FindingNote){
        .level = LEVEL_NOTE, .message = "in this run a thread reads what nobody has written yet, so it may not happen"};
  if (run->count > 1)
    notes[finding->n_notes++] =
        (FindingNote){.level = LEVEL_NOTE, .message = arena_format(arena, "and %u more such", run->count - 1)};
  finding->notes = notes;
}

/* "transaction 'deposit' can be split in 3 ways, by 17 violations": a line for all that split it. */
static void tell_transaction(Arena *arena, const PredictedRun *run, Finding *finding) {
  finding->message = arena_format(arena, "%s can be split in %u way%s: %u violation%s%s",
                                  run_transaction_alone(arena, run->names, &run->finding.transactions[0]), run->splits,
                                  run->splits == 1 ? "" : "s", run->count, run->count == 1 ? "" : "s",
                                  run->unwritten ? ", none of them likely" : "");
  finding->title = story_title(arena, finding->message);
  finding->n_notes = 0;
}

static Finding make_finding(Arena *arena, const void *argument, uint32_t i) {
  const Making *making = argument;
  const PredictedRun *run = &making->result->runs[i];
  const RunCycleWords words = {.brief = making->brief,
                               .rule = "can-be-split",
                               .what = what_happens(arena, run),
                               .legs = run->legs,
                               .n_legs = run->n_legs,
                               .stacks = making->result->stacks};
  Finding finding = of_run_cycle(arena, run->names, &run->finding, &words);
  finding.count = run->count;
  if (making->result->by == ALIKE_TRANSACTIONS && run->splits) tell_transaction(arena, run, &finding);
  else add_notes(arena, run, &finding);
  return finding;
}

/* ---- members ---- */

/* Of a run the numbers of the events that end its legs, since it may have millions. */
static void add_legs(Members *members, const PredictionReport *result) {
  const PredictedRun *run = result->n_runs ? &result->runs[0] : NULL;
  const uint32_t n = run ? run->n_legs : 0;
  uint32_t *ends = arena_zeroed(members->arena, n + 1, sizeof *ends);
  for (uint32_t i = 0; i < n; i++) ends[i] = (uint32_t)run->legs[i].event;
  members_counts(members, "schedule", ends, n);
}

/* Of a program the steps are where they stand in the source. */
static void add_schedule(Report *report, const PredictionReport *result) {
  Members *members = &report->members;
  if (!result->program) {
    add_legs(members, result);
    return;
  }
  const Play *play = result->first;
  const uint32_t n = play ? play->origin.n : 0;
  members_open(members, "schedule", '[', n ? JSON_LINES : JSON_ROW);
  for (uint32_t i = 0; i < n; i++) {
    const TraceEvent event = play_event(play, i);
    if (i && play->origin.at[i] == play->origin.at[i - 1]) continue;
    members_open(members, NULL, '{', JSON_ROW);
    members_string(members, "thread", run_thread(members->arena, result->runs[0].names, event.thread));
    place_member(members, "place", run_location(members->arena, result->runs[0].names, event.location));
    members_close(members);
  }
  members_close(members);
}

static void add_count(Members *members, const char *key, uint32_t count) {
  if (count) members_count(members, key, count);
  else members_null(members, key);
}

static void make_members(Members *members, const void *argument, uint32_t number) {
  const Making *making = argument;
  const PredictedRun *run = &making->result->runs[number];
  of_run_cycle_members(members, run->names, &run->finding, making->result->stacks);
  add_count(members, "count", run->count);
  add_count(members, "splits", run->splits);
  members_bool(members, "unwritten", run->unwritten);
  members_open(members, "legs", '[', JSON_LINES);
  for (uint32_t i = 0; i < run->n_legs; i++) {
    members_open(members, NULL, '{', JSON_ROW);
    members_string(members, "thread", run_thread(members->arena, run->names, run->legs[i].thread));
    members_count(members, "to", run->legs[i].event);
    place_member(members, "place", run_location(members->arena, run->names, run->legs[i].location));
    members_close(members);
  }
  members_close(members);
}

Finding of_prediction_finding(Arena *arena, const PredictionReport *result, bool brief) {
  return make_finding(arena, &(Making){result, brief}, 0);
}

void of_prediction_members(Members *members, const PredictionReport *result) {
  make_members(members, &(Making){result, false}, 0);
}

static const char *const SYNCS[] = {SYNC_NAMES};

static void add_members(Report *report, const Making *making) {
  const PredictionReport *result = making->result;
  Members *members = &report->members;
  members_string(members, "known", result->known);
  members_string(members, "sync", SYNCS[result->sync]);
  members_count(members, "left_out", result->left_out);
  of_left_out_members(members, &result->suppressed);
  members_count(members, "events", result->events);
  members_count(members, "threads", result->threads);
  members_count(members, "entities", result->entities);
  add_schedule(report, result);
  members_each(members, "violations", result->n_runs, make_members, making);
}

/* ---- steps ---- */

const char *of_prediction_steps(Arena *arena, const PredictionReport *result) {
  const char *text = result->steps.head;
  for (uint32_t i = 0; i < result->n_runs; i++) {
    const char *message = make_finding(arena, &(Making){result, true}, i).message;
    const Steps *of = &result->steps.of[i];
    text = of->plan ? arena_format(arena, "%s\nplan %s\n%s", text, message, of->plan)
                    : arena_format(arena, "%s\n# no plan for: %s: %s\n", text, message, of->why);
  }
  return text;
}

/* ---- all of it ---- */

void of_prediction(Report *report, const PredictionReport *result, uint64_t transactions, double seconds,
                   uint64_t bytes) {
  Arena *arena = &report->arena;
  report->schema = OF_PREDICTION_SCHEMA;
  report->question = result->program ? "runs of a program that are not serializable"
                                     : "other runs of the same threads that are not serializable";
  report->verdict = result->verdict;
  report->verdict_name = vocabulary_verdict(result->left_out ? ASKED_LIKELY : ASKED_PREDICTION, result->verdict);
  report->why = result->why;
  report->nothing = result->left_out                   ? "No likely violation was found"
                    : result->verdict == VERDICT_HOLDS ? "No violation is predicted"
                                                       : "No violation was found";
  report->shows_sources = !result->program;
  Making *making = arena_zeroed(arena, 1, sizeof *making);
  *making = (Making){result, report->brief};
  report_add_each(report, result->n_runs, make_finding, making);
  if (!report->brief) add_members(report, making);
  of_left_out_line(report, &result->suppressed);
  if (result->why)
    report_add_line(report, LINE_FULL, arena_format(arena, "%s: %s", result->n_runs ? "note" : "unknown", result->why));
  const char *ignored = vocabulary_ignored(result->sync, !result->program);
  if (ignored) report_add_line(report, LINE_FULL, ignored);
  if (result->left_out)
    report_add_line(report, LINE_FULL,
                    arena_format(arena,
                                 "note: %u violation%s left out: a thread would read what nobody has written yet",
                                 result->left_out, result->left_out == 1 ? " was" : "s were"));
  if (result->known)
    report_add_line(
        report, LINE_FULL,
        arena_format(arena, "%s: %s", result->verdict == VERDICT_UNKNOWN ? "known" : "note", result->known));
  report_add_statistic(report, STATISTIC("events", result->events));
  report_add_statistic(report, STATISTIC("threads", result->threads));
  report_add_statistic(report, STATISTIC("entities", result->entities));
  report_add_statistic(report, STATISTIC("distinct transactions", transactions));
  report_add_statistic(report, STATISTIC_SECONDS(seconds));
  report_add_statistic(report, STATISTIC_BYTES(bytes));
}
