#include "report/of_analysis.h"

#include "report/of_left_out.h"
#include "report/of_run.h"
#include "base/text.h"
#include "report/place.h"
#include "report/run_words.h"
#include "report/story.h"
#include "report/vocabulary.h"

static const char *const PATTERNS[] = {"none", "UP1", "UP2", "UP3", "UP4", "2-blocks", "two transactions",
                                       "cycle"}; /* ORDER Pattern */
_Static_assert(sizeof PATTERNS / sizeof *PATTERNS == PATTERN_CYCLE + 1, "ORDER Pattern");
static const char *const KINDS[] = {"reduction", "blocks", "combined"}; /* ORDER AnalysisKind */
_Static_assert(sizeof KINDS / sizeof *KINDS == ANALYSIS_COMBINED + 1, "ORDER AnalysisKind");

typedef struct {
  Report *report;
  Arena *arena;
  const TraceNames *names;
  const AnalysisReport *result;
  Story story;
  VEC(const AnalysisEvent *) events; /* per number of the story's threads: one of the thread's events */
} Making;

/* ---- words ---- */

static const char *thread_of(const Making *m, const AnalysisEvent *event) {
  const char *name = run_short_thread(m->arena, m->names, event->thread);
  return event->life ? arena_format(m->arena, "%s#%u", name, event->life + 1) : name;
}

static Place place_of(const Making *m, const AnalysisEvent *event) {
  return run_place(m->arena, m->names, event->location, event->event);
}

static const char *here(const Making *m, const AnalysisEvent *event) {
  const Place place = place_of(m, event);
  return place_here(m->arena, &place);
}

static const char *at(const Making *m, const AnalysisEvent *event) {
  const Place place = place_of(m, event);
  return place_words(m->arena, &place);
}

static const char *deed_of(const Making *m, const AnalysisEvent *event) {
  return run_deed(m->arena, m->names, event->op, event->object);
}

/* ", holding l and a share of m" */
static const char *locks_of(const Making *m, const AnalysisEvent *event) {
  const char *text = event->n_locks ? ", holding" : ", holding no lock";
  for (uint32_t i = 0; i < event->n_locks; i++) {
    const uint32_t held = event->locks[i];
    text = arena_format(m->arena, "%s%s %s%s", text, i ? " and" : "", locksets_is_shared(held) ? "a share of " : "",
                        run_object(m->arena, m->names, locksets_lock(held)));
  }
  return text;
}

/* ---- steps ---- */

/* After a join a thread's number stands for another one. */
static uint32_t thread_number(Making *m, const AnalysisEvent *event) {
  uint32_t i = 0;
  while (i < m->events.n && (m->events.at[i]->thread != event->thread || m->events.at[i]->life != event->life)) i++;
  if (i == m->events.n) vec_push(m->arena->heap, &m->events, event);
  return story_thread(&m->story, i, thread_of(m, event));
}

/* Steps come in the order of adding. */
static uint32_t add_step(Making *m, const AnalysisEvent *event, FindingRole role, uint32_t frame) {
  const FindingStep step = {.thread = thread_number(m, event),
                            .place = place_of(m, event),
                            .text = run_event(m->arena, m->names, event->op, event->object),
                            .words = deed_of(m, event),
                            .role = role,
                            .matters = true,
                            .frame = frame,
                            .number = event->event + 1};
  return story_add(&m->story, &step, (StoryTime){.part = m->story.steps.n});
}

static void begin_story(Making *m) {
  story_init(&m->story, m->arena);
  vec_clear(&m->events);
}

static void end_story(Making *m, Finding *finding) {
  story_tell(&m->story, finding);
  finding->why = story_why(m->arena, finding);
  story_fini(&m->story);
}

static const char *edge_label(const Making *m, const AnalysisEvent *from, const AnalysisEvent *to) {
  return arena_format(m->arena, "%s → %s", vocabulary_verb(from->op)->name, vocabulary_verb(to->op)->name);
}

/* ---- notes ---- */

typedef VEC(FindingNote) NoteVec;

static void add_note(const Making *m, NoteVec *notes, const AnalysisEvent *event, const char *message) {
  vec_push(m->arena->heap, notes,
           ((FindingNote){.level = LEVEL_NOTE, .place = event ? place_of(m, event) : (Place){0}, .message = message}));
}

static void keep_notes(const Making *m, NoteVec *notes, Finding *finding) {
  FindingNote *kept = arena_zeroed(m->arena, notes->n, sizeof *kept);
  for (uint32_t i = 0; i < notes->n; i++) kept[i] = notes->at[i];
  finding->notes = kept;
  finding->n_notes = notes->n;
  vec_fini(m->arena->heap, notes);
}

/* ---- deadlocks ---- */

static const char *locking_words(const Making *m, const AnalysisLocking *it) {
  return arena_format(m->arena, "%s acquires %s %s while it holds %s, which it acquires at %s",
                      thread_of(m, &it->at_inner), run_object(m->arena, m->names, it->inner), here(m, &it->at_inner),
                      run_object(m->arena, m->names, it->outer), at(m, &it->at_outer));
}

/* Each thread has its outer lock first, and then asks for that of the next one. */
static void tell_deadlock(Making *m, const AnalysisDeadlock *deadlock, Finding *finding) {
  begin_story(m);
  for (uint32_t i = 0; i < deadlock->n; i++) add_step(m, &deadlock->lockings[i].at_outer, FINDING_BEFORE, 0);
  for (uint32_t i = 0; i < deadlock->n; i++) {
    const uint32_t inner = add_step(m, &deadlock->lockings[i].at_inner, FINDING_OTHER, 0);
    story_edge(&m->story, (i + 1) % deadlock->n, inner, EDGE_CHAIN,
               run_object(m->arena, m->names, deadlock->lockings[i].inner), "held → wanted");
  }
  end_story(m, finding);
  finding->no_run = true;
}

static void add_deadlock(Making *m, const AnalysisDeadlock *deadlock) {
  NoteVec notes = {0};
  Finding finding = {
      .rule = "potential-deadlock", .level = LEVEL_WARNING, .place = place_of(m, &deadlock->lockings[0].at_inner)};
  finding.message = arena_format(m->arena, "potential deadlock: %s", locking_words(m, &deadlock->lockings[0]));
  finding.title = "Potential deadlock";
  for (uint32_t i = 1; i < deadlock->n; i++)
    add_note(m, &notes, &deadlock->lockings[i].at_inner, locking_words(m, &deadlock->lockings[i]));
  keep_notes(m, &notes, &finding);
  tell_deadlock(m, deadlock, &finding);
  report_add(m->report, &finding);
}

/* There may be more deadlocks than were found. */
static void add_cut_search(Making *m) {
  const Finding finding = {.rule = "potential-deadlock",
                           .level = LEVEL_WARNING,
                           .kind = FINDING_OPEN,
                           .message = "the search for potential deadlocks of three or more threads was cut short; "
                                      "there may be more of them"};
  report_add(m->report, &finding);
}

/* What is found may be ruled out by what was not looked at. */
static void add_lost_order(Making *m) {
  const Finding finding = {.rule = "order-ignored",
                           .level = LEVEL_WARNING,
                           .kind = FINDING_OPEN,
                           .message = "there are too many forks, joins and hand-overs for so many threads: the order "
                                      "between threads was ignored, so what is reported may be impossible"};
  report_add(m->report, &finding);
}

/* ---- where reduction breaks ---- */

static void note_stop(const Making *m, NoteVec *notes, const AnalysisStop *stop, bool second) {
  const AnalysisEvent *event = &stop->event;
  const char *race = stop->has_rival
                         ? arena_format(m->arena, "; %s %s at %s%s", thread_of(m, &stop->rival),
                                        deed_of(m, &stop->rival), at(m, &stop->rival), locks_of(m, &stop->rival))
                         : "";
  add_note(m, notes, event,
           arena_format(m->arena, "%s %s %s%s: %s%s", thread_of(m, event), deed_of(m, event), here(m, event),
                        locks_of(m, event), second ? "it is not a left-mover" : "only left-movers may come after it",
                        race));
}

/* The two events with their rivals between them: what has to be looked at, and no run. */
static void tell_stops(Making *m, const AnalysisRow *row, Finding *finding) {
  const AnalysisStop *first = &row->stops[0], *second = &row->stops[1];
  begin_story(m);
  const uint32_t out = add_step(m, &first->event, FINDING_INSIDE, 1);
  const uint32_t rival = first->has_rival ? add_step(m, &first->rival, FINDING_OTHER, 0) : out;
  const bool same = first->has_rival && second->has_rival && first->rival.event == second->rival.event;
  const uint32_t other = second->has_rival && !same ? add_step(m, &second->rival, FINDING_OTHER, 0) : rival;
  const uint32_t back = add_step(m, &second->event, FINDING_BACK, 1);
  if (first->has_rival)
    story_edge(&m->story, out, rival, EDGE_CHAIN, run_target(m->arena, m->names, first->event.op, first->event.object),
               edge_label(m, &first->event, &first->rival));
  if (second->has_rival)
    story_edge(&m->story, other, back, EDGE_CHAIN,
               run_target(m->arena, m->names, second->event.op, second->event.object),
               edge_label(m, &second->rival, &second->event));
  end_story(m, finding);
  finding->no_run = true;
}

/* ---- patterns ---- */

static bool is_conflict(const AnalysisPatternEvent *a, const AnalysisPatternEvent *b) {
  const bool writes = a->event.op == TRACE_WRITE || b->event.op == TRACE_WRITE;
  const bool accesses = a->event.op <= TRACE_WRITE && b->event.op <= TRACE_WRITE;
  return accesses && writes && a->event.object == b->event.object && a->transaction != b->transaction;
}

static void tell_pattern(Making *m, const AnalysisRow *row, Finding *finding) {
  uint32_t last = 0;
  for (uint32_t i = 0; i < row->n_events; i++)
    if (row->events[i].transaction == 0) last = i;
  begin_story(m);
  for (uint32_t i = 0; i < row->n_events; i++) {
    const bool inside = row->events[i].transaction == 0;
    add_step(m, &row->events[i].event,
             !inside          ? FINDING_OTHER
             : i == last && i ? FINDING_BACK
                              : FINDING_INSIDE,
             row->events[i].transaction + 1);
    for (uint32_t k = i; k-- > 0;) {
      if (!is_conflict(&row->events[k], &row->events[i])) continue;
      story_edge(&m->story, k, i, EDGE_CHAIN, run_object(m->arena, m->names, row->events[i].event.object),
                 edge_label(m, &row->events[k].event, &row->events[i].event));
      break;
    }
  }
  end_story(m, finding);
  finding->no_run = row->certainty == CERTAIN_NOT;
}

static void note_pattern(const Making *m, NoteVec *notes, const AnalysisRow *row) {
  static const char *const CERTAIN[] = {[CERTAIN_NOT] = "it is not certain that this can happen; see the manual on "
                                                        "deadlocks, nested locks, forks and joins",
                                        [CERTAIN_ALONE] = "this is certain for these transactions alone; writes of "
                                                          "others may hide it, and then all together are atomic",
                                        [CERTAIN_WHOLE] = "this is certain, for all transactions together"};
  for (uint32_t i = 0; i < row->n_events; i++) {
    const AnalysisPatternEvent *event = &row->events[i];
    const char *label = run_label(m->arena, m->names, event->label), *thread = thread_of(m, &event->event);
    const char *who = label ? arena_format(m->arena, "transaction '%s' of %s", label, thread) : thread;
    add_note(m, notes, &event->event,
             arena_format(m->arena, "%s%s %s %s%s", i ? "then " : "", who, deed_of(m, &event->event),
                          here(m, &event->event), locks_of(m, &event->event)));
  }
  add_note(m, notes, NULL, CERTAIN[row->certainty]);
}

/* ---- a kind of transaction ---- */

static Place row_place(const Making *m, const AnalysisRow *row) {
  const char *label = run_label(m->arena, m->names, row->label),
             *place = run_location(m->arena, m->names, row->location);
  return place ? place_parse(m->arena, place) : (Place){.other = label ? label : "run"};
}

static const char *row_name(const Making *m, const AnalysisRow *row) {
  const char *label = run_label(m->arena, m->names, row->label),
             *place = run_location(m->arena, m->names, row->location);
  if (label) return arena_format(m->arena, "transaction '%s'", label);
  return place ? "transaction" : "a transaction";
}

/* One for each transaction of the pattern; an access outside of transactions has none. */
static void add_frames(const Making *m, const AnalysisRow *row, Finding *finding) {
  uint32_t n = 1;
  for (uint32_t i = 0; i < row->n_events; i++)
    if (row->events[i].transaction >= n) n = row->events[i].transaction + 1;
  const char **frames = arena_zeroed(m->arena, n, sizeof *frames);
  for (uint32_t i = 0; i < row->n_events; i++) {
    const AnalysisPatternEvent *event = &row->events[i];
    const char *label = run_label(m->arena, m->names, event->label);
    if (label) frames[event->transaction] = arena_format(m->arena, "transaction '%s'", label);
    else if (event->begin != event->event.event) frames[event->transaction] = "transaction";
  }
  frames[0] = row_name(m, row);
  finding->frames = frames;
  finding->n_frames = n;
}

static const char *row_words(const Making *m, const AnalysisRow *row) {
  if (row->verdict == VERDICT_UNKNOWN) return arena_format(m->arena, "%s was not decided", row_name(m, row));
  const char *how = row->pattern != PATTERN_NONE ? arena_format(m->arena, " (%s)", PATTERNS[row->pattern]) : "";
  return arena_format(m->arena, "%s is possibly not atomic%s", row_name(m, row), how);
}

static void add_row(Making *m, const AnalysisRow *row) {
  const bool unknown = row->verdict == VERDICT_UNKNOWN;
  NoteVec notes = {0};
  if (row->verdict == VERDICT_HOLDS) return;
  Finding finding = {.rule = "possibly-not-atomic",
                     .level = unknown ? LEVEL_WARNING : LEVEL_ERROR,
                     .kind = unknown ? FINDING_OPEN : FINDING_FAIL,
                     .place = row_place(m, row),
                     .message = row_words(m, row),
                     .unit = "transaction"};
  finding.title = story_title(m->arena, finding.message);
  story_frame(m->arena, row_name(m, row), &finding);
  if (row->pattern != PATTERN_NONE) {
    add_frames(m, row, &finding);
    note_pattern(m, &notes, row);
    tell_pattern(m, row, &finding);
  } else if (row->has_stops) {
    note_stop(m, &notes, &row->stops[0], false);
    note_stop(m, &notes, &row->stops[1], true);
    tell_stops(m, row, &finding);
  }
  keep_notes(m, &notes, &finding);
  report_add(m->report, &finding);
}

/* ---- members ---- */

static bool holds_share(const AnalysisEvent *event) {
  bool shares = false;
  for (uint32_t i = 0; i < event->n_locks; i++) shares |= locksets_is_shared(event->locks[i]);
  return shares;
}

static void add_locks(Members *members, const TraceNames *names, const char *key, const AnalysisEvent *event,
                      bool shared) {
  members_open(members, key, '[', JSON_ROW);
  for (uint32_t i = 0; i < event->n_locks; i++)
    if (locksets_is_shared(event->locks[i]) == shared)
      members_string(members, NULL, run_object(members->arena, names, locksets_lock(event->locks[i])));
  members_close(members);
}

static void add_event_members(Members *members, const TraceNames *names, const AnalysisEvent *event) {
  members_count(members, "event", event->event);
  members_string(members, "thread", run_thread(members->arena, names, event->thread));
  members_string(members, "op", vocabulary_verb(event->op)->name);
  members_string(members, "object", run_target(members->arena, names, event->op, event->object));
  place_member(members, "place", run_location(members->arena, names, event->location));
  add_locks(members, names, "locks", event, false);
  if (holds_share(event)) add_locks(members, names, "shares", event, true);
}

static void add_named_event(Members *members, const TraceNames *names, const char *key, const AnalysisEvent *event) {
  members_open(members, key, '{', JSON_ROW);
  add_event_members(members, names, event);
  members_close(members);
}

static void add_stop_members(Members *members, const TraceNames *names, const AnalysisRow *row) {
  members_open(members, "stops", '[', JSON_LINES);
  for (uint32_t i = 0; row->has_stops && i < 2; i++) {
    members_open(members, NULL, '{', JSON_LINES);
    add_named_event(members, names, "at", &row->stops[i].event);
    if (row->stops[i].has_rival) add_named_event(members, names, "rival", &row->stops[i].rival);
    members_close(members);
  }
  members_close(members);
}

static void add_pattern_members(Members *members, const TraceNames *names, const AnalysisRow *row) {
  members_string(members, "pattern", row->pattern == PATTERN_NONE ? NULL : PATTERNS[row->pattern]);
  members_bool(members, "certain", row->certainty == CERTAIN_WHOLE);
  members_bool(members, "certain_alone", row->certainty != CERTAIN_NOT);
  members_open(members, "interleaving", '[', JSON_LINES);
  for (uint32_t i = 0; i < row->n_events; i++) {
    members_open(members, NULL, '{', JSON_ROW);
    members_count(members, "transaction", row->events[i].transaction);
    members_string(members, "label", run_label(members->arena, names, row->events[i].label));
    add_event_members(members, names, &row->events[i].event);
    members_close(members);
  }
  members_close(members);
}

static void add_row_members(Members *members, const TraceNames *names, const AnalysisRow *row) {
  members_open(members, NULL, '{', JSON_LINES);
  members_string(members, "label", run_label(members->arena, names, row->label));
  place_member(members, "place", run_location(members->arena, names, row->location));
  members_count(members, "count", row->transactions);
  members_string(members, "verdict", vocabulary_verdict(ASKED_PROOF, row->verdict));
  members_bool(members, "reducible", row->reducible);
  add_stop_members(members, names, row);
  add_pattern_members(members, names, row);
  members_close(members);
}

static void add_deadlock_members(Members *members, const TraceNames *names, const AnalysisDeadlock *deadlock) {
  members_open(members, NULL, '[', JSON_LINES);
  for (uint32_t i = 0; i < deadlock->n; i++) {
    members_open(members, NULL, '{', JSON_LINES);
    add_named_event(members, names, "outer", &deadlock->lockings[i].at_outer);
    add_named_event(members, names, "inner", &deadlock->lockings[i].at_inner);
    members_close(members);
  }
  members_close(members);
}

/* ---- all of it ---- */

static void add_deadlocks(Making *m) {
  Members *members = &m->report->members;
  uint32_t n = 0;
  const AnalysisDeadlock *deadlocks = m->result->analysis ? analysis_deadlocks(m->result->analysis, &n) : NULL;
  const bool all = m->result->analysis && analysis_found_all_deadlocks(m->result->analysis);
  for (uint32_t i = 0; i < n; i++) add_deadlock(m, &deadlocks[i]);
  if (m->result->analysis && !all) add_cut_search(m);
  members_open(members, "deadlocks", '[', JSON_LINES);
  for (uint32_t i = 0; i < n; i++) add_deadlock_members(members, m->names, &deadlocks[i]);
  members_close(members);
  members_bool(members, "all_deadlocks", all);
}

static void add_order(Making *m) {
  const bool kept = m->result->analysis && analysis_kept_order(m->result->analysis);
  if (m->result->analysis && !kept) add_lost_order(m);
  members_bool(&m->report->members, "order_kept", kept);
}

static void add_rows(Making *m) {
  Members *members = &m->report->members;
  uint32_t n = 0;
  const AnalysisRow *rows = m->result->analysis ? analysis_rows(m->result->analysis, &n) : NULL;
  for (uint32_t i = 0; i < n; i++) add_row(m, &rows[i]);
  members_open(members, "transactions", '[', JSON_LINES);
  for (uint32_t i = 0; i < n; i++) add_row_members(members, m->names, &rows[i]);
  members_close(members);
}

static const char *const SYNCS[] = {SYNC_NAMES};

static void add_counts(Report *report, const AnalysisReport *result) {
  Members *members = &report->members;
  members_string(members, "analysis", KINDS[result->kind]);
  members_string(members, "sync", SYNCS[result->sync]);
  members_count(members, "events", result->events);
  members_count(members, "threads", result->threads);
  members_count(members, "entities", result->entities);
  members_count(members, "skipped", result->skipped);
  of_left_out_members(members, &result->suppressed);
}

static void add_statistics(Report *report, const AnalysisReport *result, double seconds, uint64_t bytes) {
  if (!result->analysis) return;
  const AnalysisSize size = analysis_size(result->analysis);
  report_add_statistic(report, STATISTIC("events", size.events));
  report_add_statistic(report, STATISTIC("transactions", size.transactions));
  report_add_statistic(report, STATISTIC("shapes", size.shapes));
  report_add_statistic(report, STATISTIC("spans", size.spans));
  report_add_statistic(report, STATISTIC("2-blocks", size.two_blocks));
  report_add_statistic(report, STATISTIC("states", size.states));
  report_add_statistic(report, STATISTIC_SECONDS(seconds));
  report_add_statistic(report, STATISTIC_BYTES(bytes));
}

void of_analysis(Report *report, const AnalysisReport *result, double seconds, uint64_t bytes) {
  Making making = {.report = report, .arena = &report->arena, .names = result->names, .result = result};
  report->schema = OF_RUN_SCHEMA;
  report->question = "atomicity in all runs that locks, forks and joins allow";
  report->verdict = result->why ? VERDICT_UNKNOWN : analysis_verdict(result->analysis);
  report->verdict_name = vocabulary_verdict(ASKED_PROOF, report->verdict);
  report->why = result->why;
  report->nothing = report->verdict == VERDICT_HOLDS ? "Every transaction is atomic" : "No violation was found";
  report->shows_sources = true;
  add_counts(report, result);
  add_deadlocks(&making);
  add_order(&making);
  add_rows(&making);
  of_left_out_line(report, &result->suppressed);
  if (result->why) report_add_line(report, LINE_FULL, arena_format(&report->arena, "unknown: %s", result->why));
  const char *ignored = vocabulary_ignored(result->sync, true);
  if (ignored) report_add_line(report, LINE_FULL, ignored);
  add_statistics(report, result, seconds, bytes);
  vec_fini(report->arena.heap, &making.events);
}
