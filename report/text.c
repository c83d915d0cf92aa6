/* As a compiler tells it: an error, then notes on the events that matter, each with its place and its source. */
#include "report/verdict.h"

#include "base/text.h"
#include "report/runners.h"
#include "report/words.h"

#include <string.h>

typedef struct {
  Arena arena;
  const Report *report;
  const Net *net;
  const Notes *notes;
  Runners runners;
  TextStyle style;
  FILE *out;
} Teller;

enum { LONGEST_EVENT = 60 }; /* characters of an event in the schedule */

static const char *const VERDICT_COLOURS[] = {"\33[1;32m", "\33[1;31m", "\33[1;35m"}; /* ORDER Verdict */

static void put_coloured(const Teller *teller, const char *colour, const char *text) {
  if (teller->style.colour)
    fprintf(teller->out, "%s%s\33[0m", colour, text);
  else
    fputs(text, teller->out);
}

/* "prog.sml:2:1: error: " */
static void put_head(Teller *teller, SrcPos pos, const char *colour, const char *level) {
  put_coloured(teller, "\33[1m", words_position(&teller->arena, teller->notes, pos));
  put_coloured(teller, colour, level);
  fputs(": ", teller->out);
}

static void put_error_head(Teller *teller, SrcPos pos) { put_head(teller, pos, "\33[1;31m", "error"); }
static void put_warning_head(Teller *teller, SrcPos pos) { put_head(teller, pos, "\33[1;35m", "warning"); }
static void put_note_head(Teller *teller, SrcPos pos) { put_head(teller, pos, "\33[1;36m", "note"); }

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
  put_note_head(teller, note->pos);
  const StepRole role = witness->steps[step].role;
  const char *here = role == STEP_BEGIN || role == STEP_OUT ? " here" : "";
  fprintf(teller->out, "%s %s%s\n", words_thread(&teller->arena, teller->notes, note->thread), words, here);
  if (note->pos.line && note->text[0])
    fprintf(teller->out, "%5u | %s\n", note->pos.line, words_event(&teller->arena, teller->net, t));
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
  put_note_head(teller, teller->notes->blocks[witness->block].begin);
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
  put_error_head(teller, teller->notes->blocks[verdict->block].begin);
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
  case VERDICT_ATOMIC:
    put_note_head(teller, pos);
    fprintf(teller->out, "%s is causally atomic\n", block);
    break;
  case VERDICT_UNKNOWN:
    put_warning_head(teller, pos);
    fprintf(teller->out, "cannot tell whether %s is causally atomic%s%s\n", block, why ? ": " : "", why ? why : "");
    break;
  }
}

void report_text(const Report *report, TextStyle style, FILE *out) {
  Teller teller = {.report = report, .net = report->net, .notes = report->net->notes, .style = style, .out = out};
  arena_init(&teller.arena, report->net->arena.heap);
  if (!style.quiet) {
    teller.runners = runners_of(&teller.arena, report->net);
    for (uint32_t i = 0; i < report->n_blocks; i++) tell_block(&teller, &report->blocks[i]);
  }
  fputs("verdict: ", out);
  put_coloured(&teller, VERDICT_COLOURS[report->verdict], verdict_name(report->verdict));
  fputc('\n', out);
  arena_fini(&teller.arena);
}
