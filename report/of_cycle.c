#include "report/of_cycle.h"

#include "base/text.h"
#include "report/net_members.h"
#include "report/story.h"
#include "report/vocabulary.h"
#include "report/words.h"

#include <string.h>

typedef struct {
  Report *report;
  Arena *arena;
  const CycleReport *result;
  const Net *net;
  const Notes *notes;
  const ConflictCycle *cycle;
} Making;

static const TransNote *note_of(const Making *m, uint32_t step) {
  return &m->notes->transitions[m->cycle->run[step].v];
}

static AccessMode mode_of(const Making *m, uint32_t step, uint32_t object) {
  const AccessList accesses = notes_accesses(m->notes, m->cycle->run[step].v);
  AccessMode mode = ACCESS_READ;
  for (uint32_t i = 0; i < accesses.n; i++)
    if (accesses.at[i].object == object && access_changes(accesses.at[i].mode)) mode = accesses.at[i].mode;
  return mode;
}

static const char *access_words(const Making *m, uint32_t step, uint32_t object) {
  return words_access(m->arena, m->notes, m->cycle->run[step], object, mode_of(m, step, object));
}

static const char *event_text(const Making *m, uint32_t step) {
  return words_event(m->arena, m->net, m->cycle->run[step]);
}

/* ---- notes ---- */

static void add_note(const Making *m, uint32_t step, const char *what, const char *when, Finding *finding,
                     FindingNote *notes) {
  const TransNote *note = note_of(m, step);
  notes[finding->n_notes++] = (FindingNote){
      .level = LEVEL_NOTE,
      .place = words_place(m->arena, m->notes, note->pos),
      .message = arena_format(m->arena, "%s %s %s", words_thread(m->arena, m->notes, note->thread), what, when),
      .source = note->pos.line && note->text[0] ? event_text(m, step) : NULL};
}

/* Why one transaction must come before the next one of the cycle. That a thread goes on is seen in what it does next.
 */
static void note_edge(const Making *m, uint32_t i, Finding *finding, FindingNote *notes) {
  const ConflictEdge *edge = &m->cycle->edges[i];
  if (edge->object == NOTE_NONE) {
    const bool seen = i + 1 < m->cycle->n && m->cycle->edges[i + 1].from == edge->to;
    if (!seen) add_note(m, edge->to, "continues", "with this", finding, notes);
    return;
  }
  add_note(m, edge->from, access_words(m, edge->from, edge->object), "first", finding, notes);
  add_note(m, edge->to, access_words(m, edge->to, edge->object), "after that", finding, notes);
}

/* ---- the run ---- */

/* The transaction of the cycle that the step belongs to; NULL: none. */
static const ConflictTransaction *transaction_of(const Making *m, uint32_t step) {
  for (uint32_t i = 0; i < m->cycle->n; i++) {
    const ConflictTransaction *it = &m->cycle->transactions[i];
    if (step >= it->first && step <= it->last && note_of(m, step)->thread == it->thread) return it;
  }
  return NULL;
}

static FindingStep step_of(const Making *m, Story *story, uint32_t i) {
  const ConflictTransaction *transaction = transaction_of(m, i), *first = &m->cycle->transactions[0];
  const uint32_t thread = note_of(m, i)->thread;
  return (FindingStep){.thread = story_thread(story, thread, words_thread(m->arena, m->notes, thread)),
                       .place = words_place(m->arena, m->notes, note_of(m, i)->pos),
                       .text = event_text(m, i),
                       .role = transaction == first                                  ? FINDING_INSIDE
                               : transaction && transaction->thread != first->thread ? FINDING_OTHER
                                                                                     : FINDING_BEFORE,
                       .matters = i == first->first,
                       .frame = transaction ? (uint32_t)(transaction - m->cycle->transactions) + 1 : 0,
                       .number = (uint64_t)i + 1};
}

/* "in between", "afterwards", "again": what a step of the cycle is to those before it. */
static const char *when(const Making *m, uint32_t step, const char *words) {
  const ConflictEdge *first = &m->cycle->edges[0], *last = &m->cycle->edges[m->cycle->n - 1];
  const bool again = first->object == last->object && first->object != NOTE_NONE &&
                     strcmp(words, access_words(m, first->from, first->object)) == 0;
  if (step == last->to) return again ? " again" : " afterwards";
  return step == first->to && step < last->to ? " in between" : "";
}

static void mark_end(const Making *m, Story *story, uint32_t step, uint32_t object) {
  FindingStep *it = story_step(story, step);
  it->matters = true;
  if (it->words || object == NOTE_NONE) return;
  const char *words = access_words(m, step, object);
  it->words = arena_format(m->arena, "%s%s", words, when(m, step, words));
}

static void add_edge(const Making *m, Story *story, const ConflictEdge *edge) {
  const bool known = edge->object != NOTE_NONE;
  const char *label =
      known ? arena_format(m->arena, "%s → %s", vocabulary_verb(mode_of(m, edge->from, edge->object))->name,
                           vocabulary_verb(mode_of(m, edge->to, edge->object))->name)
            : NULL;
  story_edge(story, edge->from, edge->to, EDGE_CHAIN, known ? words_object(m->arena, m->notes, edge->object) : NULL,
             label);
  mark_end(m, story, edge->from, edge->object);
  mark_end(m, story, edge->to, edge->object);
}

/* Steps are added in their order, so their numbers are those of the run. */
static void tell_run(const Making *m, Finding *finding) {
  const ConflictCycle *cycle = m->cycle;
  Story story;
  story_init(&story, m->arena);
  story_thread(&story, cycle->transactions[0].thread, words_thread(m->arena, m->notes, cycle->transactions[0].thread));
  for (uint32_t i = 0; i < cycle->n_run; i++) {
    const FindingStep step = step_of(m, &story, i);
    story_add(&story, &step, (StoryTime){.part = i});
  }
  for (uint32_t i = 0; i < cycle->n; i++) {
    add_edge(m, &story, &cycle->edges[i]);
    if (i + 1 < cycle->n) story_edge(&story, cycle->edges[i].to, cycle->edges[i + 1].from, EDGE_CHAIN, NULL, NULL);
  }
  story_step(&story, cycle->edges[cycle->n - 1].to)->role = FINDING_BACK;
  story_tell(&story, finding);
  finding->why = story_why(m->arena, finding);
  story_fini(&story);
}

/* ---- findings ---- */

/* One for each transaction that is a block. */
static void add_frames(const Making *m, Finding *finding) {
  const char **frames = arena_zeroed(m->arena, m->cycle->n, sizeof *frames);
  for (uint32_t i = 0; i < m->cycle->n; i++) {
    const uint32_t block = m->cycle->transactions[i].block;
    frames[i] = block == NOTE_NONE ? NULL : words_block(m->arena, m->notes, block);
  }
  finding->frames = frames;
  finding->n_frames = m->cycle->n;
}

static void add_violation(const Making *m) {
  const ConflictTransaction *first = &m->cycle->transactions[0];
  Finding finding = {.rule = "not-serializable",
                     .level = LEVEL_ERROR,
                     .unit = "block",
                     .place = words_place(m->arena, m->notes, m->notes->blocks[first->block].begin)};
  FindingNote *notes = arena_zeroed(m->arena, 2 * (size_t)m->cycle->n, sizeof *notes);
  add_frames(m, &finding);
  const char *subject = arena_format(m->arena, "%s of %s is not serializable", finding.frames[0],
                                     words_thread(m->arena, m->notes, first->thread));
  finding.message = arena_format(m->arena, "%s: another transaction has to come both before and after it", subject);
  finding.title = story_title(m->arena, subject);
  for (uint32_t i = 0; i < m->cycle->n; i++) note_edge(m, i, &finding, notes);
  finding.notes = notes;
  tell_run(m, &finding);
  report_add(m->report, &finding);
}

static void add_never_entered(const Making *m, uint32_t block) {
  const Finding finding = {.rule = "never-entered",
                           .level = LEVEL_WARNING,
                           .unit = "block",
                           .place = words_place(m->arena, m->notes, m->notes->blocks[block].begin),
                           .message = arena_format(m->arena, "%s is never entered: no run reaches its begin",
                                                   words_block(m->arena, m->notes, block))};
  report_add(m->report, &finding);
}

/* ---- members ---- */

static void add_transaction_member(const Making *m, uint32_t i) {
  Members *members = &m->report->members;
  const ConflictTransaction *transaction = &m->cycle->transactions[i];
  const ConflictEdge *edge = &m->cycle->edges[i];
  const bool block = transaction->block != NOTE_NONE;
  members_open(members, NULL, '{', JSON_ROW);
  net_members_thread(members, transaction->thread);
  members_string(members, "block", block ? m->notes->blocks[transaction->block].name : NULL);
  net_members_position(members, m->notes,
                       block ? m->notes->blocks[transaction->block].begin : note_of(m, transaction->first)->pos);
  members_count(members, "first", transaction->first);
  members_count(members, "last", transaction->last);
  members_count(members, "from", edge->from);
  members_count(members, "to", edge->to);
  members_string(members, "object", edge->object == NOTE_NONE ? NULL : m->notes->objects[edge->object].name);
  members_close(members);
}

static bool is_entry_known(const CycleReport *result) {
  bool known = result->verdict == VERDICT_HOLDS;
  for (uint32_t i = 0; i < result->n_blocks; i++) known = known && result->blocks[i].entered != ENTERED_UNKNOWN;
  return known;
}

static void add_never_members(const Making *m) {
  Members *members = &m->report->members;
  if (!is_entry_known(m->result)) {
    members_null(members, "never_entered");
    return;
  }
  members_open(members, "never_entered", '[', JSON_LINES);
  for (uint32_t i = 0; i < m->result->n_blocks; i++) {
    if (m->result->blocks[i].entered != ENTERED_NEVER) continue;
    const NoteBlock *block = &m->notes->blocks[m->result->blocks[i].block];
    members_open(members, NULL, '{', JSON_ROW);
    members_string(members, "name", block->name);
    net_members_position(members, m->notes, block->begin);
    members_close(members);
  }
  members_close(members);
}

static void add_members(const Making *m) {
  Members *members = &m->report->members;
  members_open(members, "cycle", '[', JSON_LINES);
  for (uint32_t i = 0; m->cycle && i < m->cycle->n; i++) add_transaction_member(m, i);
  members_close(members);
  add_never_members(m);
  members_open(members, "run", '[', JSON_LINES);
  for (uint32_t i = 0; m->cycle && i < m->cycle->n_run; i++) {
    members_open(members, NULL, '{', JSON_ROW);
    net_members_event(members, m->net, note_of(m, i)->thread, m->cycle->run[i]);
    members_close(members);
  }
  members_close(members);
}

/* ---- all of it ---- */

void of_cycle(Report *report, const CycleReport *result) {
  const Making making = {.report = report,
                         .arena = &report->arena,
                         .result = result,
                         .net = result->net,
                         .notes = result->net ? result->net->notes : NULL,
                         .cycle = result->cycle};
  report->schema = OF_CYCLE_SCHEMA;
  report->question = "serializability";
  report->verdict = result->verdict;
  report->verdict_name = vocabulary_verdict(ASKED_SERIALIZABLE, result->verdict);
  report->why = result->why;
  report->nothing = result->verdict == VERDICT_HOLDS ? "Every run is serializable" : "No violation was found";
  report->shows_sources = words_have_files(result->net);
  if (result->cycle) add_violation(&making);
  for (uint32_t i = 0; i < result->n_blocks; i++)
    if (result->blocks[i].entered == ENTERED_NEVER) add_never_entered(&making, result->blocks[i].block);
  add_members(&making);
  if (result->why) report_add_line(report, LINE_FULL, arena_format(&report->arena, "unknown: %s", result->why));
  report_add_statistic(report, STATISTIC("states", result->states));
  report_add_statistic(report, STATISTIC_SECONDS(result->seconds));
  report_add_statistic(report, STATISTIC_BYTES(result->bytes));
  members_statistics(&report->members, report->statistics.at, report->statistics.n);
}
