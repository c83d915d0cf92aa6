#include "report/cycle.h"
#include "report/heads.h"
#include "report/words.h"

typedef struct {
  Arena arena;
  const Net *net;
  const Notes *notes;
  const ConflictCycle *cycle;
  TextStyle style;
  FILE *out;
} Teller;

static const char *const NAMES[] = {"unknown", "serializable", "violated"}; /* ORDER Verdict */
_Static_assert(sizeof NAMES / sizeof *NAMES == VERDICT_KINDS, "ORDER Verdict");

static void put_level(Teller *teller, SrcPos pos, HeadLevel level) {
  put_head(&teller->arena, teller->notes, pos, level, teller->style.colour, teller->out);
}

/* A note on a step of the run, with its source below. */
static void tell_step(Teller *teller, uint32_t step, const char *what, const char *when) {
  const TransId t = teller->cycle->run[step];
  const TransNote *note = &teller->notes->transitions[t.v];
  put_level(teller, note->pos, HEAD_NOTE);
  fprintf(teller->out, "%s %s %s\n", words_thread(&teller->arena, teller->notes, note->thread), what, when);
  put_source(&teller->arena, teller->net, t, teller->out);
}

static const char *access_words(Teller *teller, uint32_t step, uint32_t object) {
  const TransId t = teller->cycle->run[step];
  const AccessList accesses = notes_accesses(teller->notes, t.v);
  AccessMode mode = ACCESS_READ;
  for (uint32_t i = 0; i < accesses.n; i++)
    if (accesses.at[i].object == object && access_changes(accesses.at[i].mode)) mode = accesses.at[i].mode;
  return words_access(&teller->arena, teller->notes, t, object, mode);
}

/* Why one transaction must come before the next one of the cycle. That a thread goes on is seen in what it does next. */
static void tell_edge(Teller *teller, uint32_t i) {
  const ConflictEdge *edge = &teller->cycle->edges[i];
  if (edge->object == NOTE_NONE) {
    const bool seen = i + 1 < teller->cycle->n && teller->cycle->edges[i + 1].from == edge->to;
    if (!seen) tell_step(teller, edge->to, "goes on", "with this");
    return;
  }
  tell_step(teller, edge->from, access_words(teller, edge->from, edge->object), "first");
  tell_step(teller, edge->to, access_words(teller, edge->to, edge->object), "after that");
}

static void tell_run(Teller *teller) {
  const ConflictCycle *cycle = teller->cycle;
  put_level(teller, teller->notes->blocks[cycle->transactions[0].block].begin, HEAD_NOTE);
  fprintf(teller->out, "a run that shows it, in %u steps:\n", cycle->n_run);
  for (uint32_t i = 0; i < cycle->n_run; i++) {
    const TransNote *note = &teller->notes->transitions[cycle->run[i].v];
    fprintf(teller->out, "%5u. %s  %s\n", i + 1, words_thread(&teller->arena, teller->notes, note->thread),
            words_event(&teller->arena, teller->net, cycle->run[i]));
  }
}

static void tell_violated(Teller *teller) {
  const ConflictCycle *cycle = teller->cycle;
  const ConflictTransaction *first = &cycle->transactions[0];
  put_level(teller, teller->notes->blocks[first->block].begin, HEAD_ERROR);
  fprintf(teller->out, "%s of %s is not serializable: what must come after it must come before it\n",
          words_block(&teller->arena, teller->notes, first->block), words_thread(&teller->arena, teller->notes, first->thread));
  for (uint32_t i = 0; i < cycle->n; i++) tell_edge(teller, i);
  if (teller->style.verbose) tell_run(teller);
}

static void tell_cycle(const CycleReport *report, TextStyle style, FILE *out) {
  Teller teller = {.net = report->net, .notes = report->net->notes, .cycle = report->cycle, .style = style, .out = out};
  arena_init(&teller.arena, report->net->arena.heap);
  tell_violated(&teller);
  arena_fini(&teller.arena);
}

static void tell_never(const CycleReport *report, TextStyle style, FILE *out) {
  Arena arena;
  arena_init(&arena, report->net->arena.heap);
  for (uint32_t i = 0; i < report->n_blocks; i++) {
    if (report->blocks[i].entered != ENTERED_NEVER) continue;
    put_head(&arena, report->net->notes, report->net->notes->blocks[report->blocks[i].block].begin, HEAD_WARNING, style.colour, out);
    fprintf(out, "%s is never entered: in no run does it begin\n", words_block(&arena, report->net->notes, report->blocks[i].block));
  }
  arena_fini(&arena);
}

void cycle_text(const CycleReport *report, TextStyle style, FILE *out) {
  if (!style.quiet && report->verdict == VERDICT_VIOLATED) tell_cycle(report, style, out);
  if (!style.quiet && report->n_blocks) tell_never(report, style, out);
  if (!style.quiet && report->why) fprintf(out, "unknown: %s\n", report->why);
  put_verdict(report->verdict, NAMES[report->verdict], style.colour, out);
}
