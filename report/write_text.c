/* As a compiler tells it: an error, then notes on the places that matter, each with its source; the verdict comes last.
 */
#include "report/writers.h"

#include "base/excerpt.h"
#include "base/text.h"
#include "report/place.h"
#include "report/sources.h"

#include <string.h>

typedef struct {
  const Report *report;
  Arena arena;
  Sources *sources;
  TextStyle style;
  FILE *out;
  bool has_told_why;
} Teller;

enum {
  LONGEST_EVENT = 60,
  LONGEST_SOURCE = 240
}; /* characters: of an event in the table of a run, of one below a note */

/* "prog.sml:2:1: error: block 'deposit' is not causally atomic", as a line. */
static void tell_message(Teller *teller, Level level, const Place *place, const char *message) {
  const char *head = place_head(&teller->arena, place);
  if (*head) {
    style_put(STYLE_PLACE, arena_format(&teller->arena, "%s: ", head), teller->style.colour, teller->out);
    style_put(style_of_level(level), style_level_name(level), teller->style.colour, teller->out);
  } else {
    fputs(style_level_name(level), teller->out);
  }
  fprintf(teller->out, ": %s\n", message);
}

/* The line of the source; or, where that is not to be had, the event. */
static void tell_source(Teller *teller, const Place *place, const char *source) {
  SourceLine line = {0};
  if (teller->report->shows_sources && place->file && place->column)
    line = sources_line(teller->sources, place->file, place->line, place->column);
  if (line.text) excerpt_print(line.text, line.length, place->column, 1, teller->style.colour, teller->out);
  else if (source && place->line)
    fprintf(teller->out, "%5u | %s\n", place->line, text_shorten(&teller->arena, source, LONGEST_SOURCE));
}

static void put_padded(FILE *out, const char *text, uint32_t width) {
  const uint32_t length = text_length(text);
  fprintf(out, "%s%*s", text, (int)(width > length ? width - length : 0), "");
}

typedef struct {
  const char *thread, *place, *event, *words, *values;
} RunRow;

static RunRow run_row(Arena *arena, const Finding *finding, const FindingStep *step) {
  const char *place = step->place.line ? arena_format(arena, "line %u", step->place.line) : "";
  return (RunRow){finding->threads[step->thread].name, place, text_shorten(arena, step->text, LONGEST_EVENT),
                  step->words, step->values};
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* The example run as a table. */
static void tell_run(Teller *teller, const Finding *finding) {
  RunRow *rows = arena_zeroed(&teller->arena, finding->n_steps, sizeof *rows);
  uint32_t thread = 0, place = 0, event = 0;
  for (uint32_t i = 0; i < finding->n_steps; i++) {
    rows[i] = run_row(&teller->arena, finding, &finding->steps[i]);
    thread = larger(thread, text_length(rows[i].thread));
    place = larger(place, text_length(rows[i].place));
    event = larger(event, text_length(rows[i].event));
  }
  tell_message(teller, LEVEL_NOTE, &finding->place,
               arena_format(&teller->arena, "a run that shows it, in %u steps:", finding->n_steps));
  for (uint32_t i = 0; i < finding->n_steps; i++) {
    const bool more = rows[i].words || rows[i].values;
    fprintf(teller->out, "%5u. ", i + 1);
    put_padded(teller->out, rows[i].thread, thread + 2);
    put_padded(teller->out, rows[i].place, place ? place + 2 : 0);
    put_padded(teller->out, rows[i].event, more ? event + 2 : 0);
    if (rows[i].values) fprintf(teller->out, "{%s}%s", rows[i].values, rows[i].words ? "  " : "");
    if (rows[i].words) fprintf(teller->out, "<- %s", rows[i].words);
    fputc('\n', teller->out);
  }
}

/* The reason why all that is unknown is so is told once. */
static const char *message_of(Teller *teller, const Finding *finding) {
  const char *why = teller->report->why;
  const size_t length = strlen(finding->message), tail = why ? strlen(why) : 0;
  if (finding->kind != FINDING_OPEN || !tail || length < tail + 2 || strcmp(finding->message + length - tail, why) != 0)
    return finding->message;
  if (!teller->has_told_why) return teller->has_told_why = true, finding->message;
  return arena_format(&teller->arena, "%.*s, for the same reason", (int)(length - tail - 2), finding->message);
}

static void tell_finding(Teller *teller, const Finding *finding) {
  tell_message(teller, finding->level, &finding->place, message_of(teller, finding));
  tell_source(teller, &finding->place, NULL);
  if (teller->style.verbose && finding->grounds) tell_message(teller, LEVEL_NOTE, &finding->place, finding->grounds);
  for (uint32_t i = 0; i < finding->n_notes; i++) {
    const FindingNote *note = &finding->notes[i];
    tell_message(teller, note->level, &note->place, note->message);
    tell_source(teller, &note->place, note->source);
  }
  if (teller->style.verbose && finding->n_steps && !finding->no_run) tell_run(teller, finding);
}

static void tell_findings(const Report *report, TextStyle style, FILE *out) {
  Teller teller = {.report = report, .style = style, .out = out};
  arena_init(&teller.arena, report->arena.heap);
  teller.sources = sources_new(report->arena.heap);
  for (uint32_t i = 0; i < report_findings(report); i++) {
    const Finding finding = report_finding(report, &teller.arena, i);
    tell_finding(&teller, &finding);
    arena_fini(&teller.arena);
  }
  sources_free(teller.sources);
  arena_fini(&teller.arena);
}

bool text_write(const Report *report, TextStyle style, FILE *out, Err *err) {
  (void)err;
  if (!style.quiet && !report->lines_alone) tell_findings(report, style, out);
  for (uint32_t i = 0; i < report->lines.n; i++)
    if (report->lines.at[i].when != (style.quiet ? LINE_FULL : LINE_QUIET))
      fprintf(out, "%s\n", report->lines.at[i].text);
  if (report->lines_alone) return true;
  fputs("verdict: ", out);
  style_put(style_of_verdict(report->verdict), report->verdict_name, style.colour, out);
  if (report->scope) fprintf(out, " %s", report->scope);
  fputc('\n', out);
  return true;
}
