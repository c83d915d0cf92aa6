/* As a compiler tells it: an error, then notes on the events that matter, each with its place and its source. */
#include "report/verdict.h"

#include "base/text.h"
#include "report/heads.h"
#include "report/runners.h"
#include "report/words.h"

#include <string.h>

typedef struct {
  Arena arena;
  const AtomicityReport *report;
  const Net *net;
  const Notes *notes;
  Runners runners;
  TextStyle style;
  FILE *out;
} Teller;

enum { LONGEST_EVENT = 60 }; /* characters of an event in the schedule */

static void put_level(Teller *teller, SrcPos pos, HeadLevel level) {
  put_head(&teller->arena, teller->notes, pos, level, teller->style.colour, teller->out);
}

static const char *subject(Teller *teller, uint32_t block, ThreadList threads) {
  const char *name = words_block(&teller->arena, teller->notes, block);
  if (threads.n == 0) return arena_format(&teller->arena, "%s, which no thread reaches,", name);
  return arena_format(&teller->arena, "%s of %s", name, runners_phrase(&teller->arena, teller->notes, threads));
}

/* The note of one step of the chain, and its source below. */
static void tell_step(Teller *teller, const Witness *witness, uint32_t step) {
  const char *words = words_step(&teller->arena, teller->net, witness, step);
  if (!words) return;
  const TransId t = witness->steps[step].transition;
  const TransNote *note = &teller->notes->transitions[t.v];
  put_level(teller, note->pos, HEAD_NOTE);
  const StepRole role = witness->steps[step].role;
  const char *here = role == STEP_BEGIN || role == STEP_OUT ? " here" : "";
  fprintf(teller->out, "%s %s%s\n", words_thread(&teller->arena, teller->notes, note->thread), words, here);
  put_source(&teller->arena, teller->net, t, teller->out);
}

static void put_padded(FILE *out, const char *text, uint32_t width) {
  const uint32_t length = text_length(text);
  fprintf(out, "%s%*s", text, (int)(width > length ? width - length : 0), "");
}

typedef struct {
  const char *thread, *place, *event, *words;
} ScheduleRow;

static ScheduleRow schedule_row(Teller *teller, const Witness *witness, uint32_t step) {
  Arena *arena = &teller->arena;
  const WitnessStep *at = &witness->steps[step];
  const uint32_t line = teller->notes->transitions[at->transition.v].pos.line;
  const char *words = words_step(arena, teller->net, witness, step);
  if (!words && at->role == STEP_BEGIN) words = "the block begins";
  return (ScheduleRow){words_thread(arena, teller->notes, at->thread), line ? arena_format(arena, "line %u", line) : "",
                       text_shorten(arena, words_event(arena, teller->net, at->transition), LONGEST_EVENT), words};
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

static void tell_schedule(Teller *teller, const Witness *witness) {
  ScheduleRow *rows = arena_zeroed(&teller->arena, witness->n_steps, sizeof *rows);
  uint32_t thread_width = 0, place_width = 0, event_width = 0;
  for (uint32_t i = 0; i < witness->n_steps; i++) {
    rows[i] = schedule_row(teller, witness, i);
    thread_width = larger(thread_width, text_length(rows[i].thread));
    place_width = larger(place_width, text_length(rows[i].place));
    event_width = larger(event_width, text_length(rows[i].event));
  }
  put_level(teller, teller->notes->blocks[witness->block].begin, HEAD_NOTE);
  fprintf(teller->out, "a run that shows it, in %u steps:\n", witness->n_steps);
  for (uint32_t i = 0; i < witness->n_steps; i++) {
    fprintf(teller->out, "%5u. ", i + 1);
    put_padded(teller->out, rows[i].thread, thread_width + 2);
    put_padded(teller->out, rows[i].place, place_width ? place_width + 2 : 0);
    put_padded(teller->out, rows[i].event, rows[i].words ? event_width + 2 : 0);
    if (rows[i].words) fprintf(teller->out, "<- %s", rows[i].words);
    fputc('\n', teller->out);
  }
}

static void tell_violated(Teller *teller, const BlockVerdict *verdict) {
  const Witness *witness = verdict->witness;
  const ThreadList all = runners_list(&teller->runners, verdict->block);
  const ThreadList copies = runners_copies(&teller->arena, teller->notes, all, witness->thread);
  put_level(teller, teller->notes->blocks[verdict->block].begin, HEAD_ERROR);
  fprintf(teller->out, "%s is not causally atomic\n", subject(teller, verdict->block, copies));
  for (uint32_t i = 0; i < witness->n_steps; i++)
    if (witness->steps[i].role != STEP_NONE) tell_step(teller, witness, i);
  if (teller->style.verbose) tell_schedule(teller, witness);
}

static void tell_block(Teller *teller, const BlockVerdict *verdict) {
  const SrcPos pos = teller->notes->blocks[verdict->block].begin;
  const char *block = subject(teller, verdict->block, runners_list(&teller->runners, verdict->block));
  const char *why = teller->report->why;
  switch (verdict->verdict) {
  case VERDICT_VIOLATED: tell_violated(teller, verdict); break;
  case VERDICT_HOLDS:
    if (verdict->entered == ENTERED_NEVER) {
      put_level(teller, pos, HEAD_WARNING);
      fprintf(teller->out, "%s is never entered: in no run does it begin, so it is atomic whatever stands in it\n", block);
      break;
    }
    put_level(teller, pos, HEAD_NOTE);
    fprintf(teller->out, "%s is causally atomic\n", block);
    break;
  case VERDICT_UNKNOWN:
    put_level(teller, pos, HEAD_WARNING);
    fprintf(teller->out, "cannot tell whether %s is causally atomic%s%s\n", block, why ? ": " : "", why ? why : "");
    break;
  }
}

static void tell_blocks(const AtomicityReport *report, TextStyle style, FILE *out) {
  Teller teller = {.report = report, .net = report->net, .notes = report->net->notes, .style = style, .out = out};
  arena_init(&teller.arena, report->net->arena.heap);
  teller.runners = runners_of(&teller.arena, report->net);
  for (uint32_t i = 0; i < report->n_blocks; i++) tell_block(&teller, &report->blocks[i]);
  arena_fini(&teller.arena);
}

void report_text(const AtomicityReport *report, TextStyle style, FILE *out) {
  if (!style.quiet && report->n_blocks) tell_blocks(report, style, out);
  put_verdict(report->verdict, verdict_name(report->verdict), style.colour, out);
}
