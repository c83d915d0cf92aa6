#include "report/of_run_cycle.h"

#include "base/text.h"
#include "report/place.h"
#include "report/run_words.h"
#include "report/story.h"
#include "report/vocabulary.h"

#include <assert.h>
#include <string.h>

enum { LONGEST_FUNCTION = 80 }; /* characters */

typedef struct {
  Arena *arena;
  const TraceNames *names;
  const MonitorFinding *cycle;
  const RunCycleWords *words;
  Story story;
  U32Vec of_access; /* two per edge: the steps of its ends */
} Making;

/* ---- when ---- */

/* In a prediction a thread's event belongs to the first of its legs that reaches it. */
static StoryTime time_of(const Making *m, uint32_t thread, uint64_t event, uint32_t order) {
  const RunCycleWords *words = m->words;
  uint32_t leg = 0;
  while (leg < words->n_legs && (words->legs[leg].thread != thread || words->legs[leg].event < event)) leg++;
  return (StoryTime){leg, event, order};
}

/* ---- call stacks ---- */

/* Where the function of an event was called, the innermost first; *n of them. */
static const Place *stack_of(Arena *arena, const CallStacks *stacks, uint64_t event, uint32_t *n) {
  const EventStack *stack = call_stacks_find(stacks, event);
  *n = stack ? stack->n : 0;
  Place *places = arena_zeroed(arena, *n, sizeof *places);
  for (uint32_t i = 0; i < *n; i++)
    if (stack->callers[i]) places[i] = place_parse(arena, text_clean(arena, stack->callers[i]));
  return places;
}

/* ---- steps ---- */

static const MonitorTransaction *next_of(const Making *m, uint32_t i) {
  return &m->cycle->transactions[(i + 1) % m->cycle->n];
}

/* What the step is to the first transaction. */
static FindingRole role_of(const Making *m, const MonitorTransaction *transaction) {
  const MonitorTransaction *first = &m->cycle->transactions[0];
  if (transaction == first) return FINDING_INSIDE;
  return transaction->thread == first->thread ? FINDING_BEFORE : FINDING_OTHER;
}

static FindingStep step_of(Making *m, const MonitorTransaction *transaction, uint64_t event, uint32_t location) {
  return (FindingStep){
      .thread = story_thread(&m->story, transaction->thread, run_thread(m->arena, m->names, transaction->thread)),
      .place = run_place(m->arena, m->names, location, event),
      .role = role_of(m, transaction),
      .frame = (uint32_t)(transaction - m->cycle->transactions) + 1,
      .number = event + 1};
}

/* The begin of a transaction; that of the first one matters in any case. */
static void add_begin(Making *m, const MonitorTransaction *transaction) {
  if (!transaction->ordinal) return;
  FindingStep step = step_of(m, transaction, transaction->first, transaction->location);
  const char *label = run_label(m->arena, m->names, transaction->label);
  step.text = label ? arena_format(m->arena, "begin %s", label) : "begin";
  step.matters = step.frame == 1;
  story_add(&m->story, &step, time_of(m, transaction->thread, transaction->first, 0));
}

/* Where it has ended by then, and there is nothing else in that event. */
static void add_end(Making *m, const MonitorTransaction *transaction) {
  if (!transaction->ordinal || transaction->open) return;
  for (uint32_t i = 0; i < m->story.steps.n; i++)
    if (m->story.steps.at[i].step.number >= transaction->last + 1 && m->story.steps.at[i].step.frame == 1) return;
  FindingStep step = step_of(m, transaction, transaction->last, TRACE_NONE);
  step.place = (Place){.other = arena_format(m->arena, "event %llu", (unsigned long long)transaction->last)};
  step.text = "end";
  story_add(&m->story, &step, time_of(m, transaction->thread, transaction->last, TRACE_OPS));
}

/* The operation is known: of two transactions of one thread some events are named, and not what they do. */
static bool is_known(const MonitorAccess *access) { return access->object != TRACE_NONE; }

/* A step that is there already: of the same event, by what is known of it. */
static uint32_t find_step(const Making *m, uint32_t thread, const MonitorAccess *access, const char *text) {
  for (uint32_t i = 0; i < m->story.steps.n; i++) {
    const FindingStep *step = &m->story.steps.at[i].step;
    if (m->story.numbers.at[step->thread] != thread || step->number != access->event + 1) continue;
    if (!is_known(access) || strcmp(step->text, text) == 0) return i;
  }
  return UINT32_MAX;
}

static uint32_t add_access(Making *m, const MonitorTransaction *transaction, const MonitorAccess *access) {
  const char *text = is_known(access) ? run_event(m->arena, m->names, access->op, access->object) : "continues";
  const uint32_t found = find_step(m, transaction->thread, access, text);
  if (found != UINT32_MAX) return found;
  FindingStep step = step_of(m, transaction, access->event, access->location);
  step.text = text;
  step.matters = true;
  step.stack = stack_of(m->arena, m->words->stacks, access->event, &step.n_stack);
  if (is_known(access)) step.words = run_deed(m->arena, m->names, access->op, access->object);
  return story_add(&m->story, &step, time_of(m, transaction->thread, access->event, 1u + access->op));
}

/* Those of which more is known come first: others may be the same events. */
static void add_accesses(Making *m) {
  const MonitorFinding *cycle = m->cycle;
  vec_resize_zeroed(m->arena->heap, &m->of_access, 2 * cycle->n);
  for (int known = 1; known >= 0; known--)
    for (uint32_t i = 0; i < cycle->n; i++) {
      const MonitorEdge *edge = &cycle->edges[i];
      if (is_known(&edge->from) == known) m->of_access.at[2 * i] = add_access(m, &cycle->transactions[i], &edge->from);
      if (is_known(&edge->to) == known) m->of_access.at[2 * i + 1] = add_access(m, next_of(m, i), &edge->to);
    }
}

/* ---- what depends on what ---- */

static const char *label_of(const Making *m, const MonitorEdge *edge) {
  switch (edge->kind) {
  case MONITOR_CONFLICT:
    return arena_format(m->arena, "%s → %s", vocabulary_verb(edge->from.op)->name, vocabulary_verb(edge->to.op)->name);
  case MONITOR_ORDER: return NULL;
  case MONITOR_FORK: return "fork";
  case MONITOR_JOIN: return "join";
  case MONITOR_HANDOVER: return "hand-over";
  case MONITOR_GAP: return "over others";
  }
  return NULL;
}

static void add_edges(Making *m) {
  for (uint32_t i = 0; i < m->cycle->n; i++) {
    const MonitorEdge *edge = &m->cycle->edges[i];
    const uint32_t from = m->of_access.at[2 * i], to = m->of_access.at[2 * i + 1],
                   on = m->of_access.at[(2 * i + 2) % m->of_access.n];
    const char *object = edge->kind == MONITOR_CONFLICT || edge->kind == MONITOR_HANDOVER
                             ? run_object(m->arena, m->names, edge->to.object)
                             : NULL;
    story_edge(&m->story, from, to, EDGE_CHAIN, object, label_of(m, edge));
    if (i + 1 < m->cycle->n) story_edge(&m->story, to, on, EDGE_CHAIN, NULL, NULL);
  }
}

/* ---- words ---- */

/* The event in which the cycle closes, and what the first step of others is to it. */
static void mark_back(Making *m) {
  const uint32_t numbers[] = {m->of_access.at[0], m->of_access.at[1], m->of_access.at[2 * m->cycle->n - 1]};
  const FindingStep *out = story_step(&m->story, numbers[0]);
  FindingStep *in = story_step(&m->story, numbers[1]), *back = story_step(&m->story, numbers[2]);
  back->role = FINDING_BACK;
  if (back == out || !back->words) return;
  const bool again = out->words && strcmp(back->words, out->words) == 0,
             between = story_before(&m->story, numbers[1], numbers[2]);
  if (story_before(&m->story, numbers[0], numbers[2]))
    back->words = arena_format(m->arena, "%s %s", back->words, again ? "again" : "afterwards");
  if (in->words && in->role == FINDING_OTHER && between) in->words = arena_format(m->arena, "%s in between", in->words);
}

static void tell_example(Making *m, Finding *finding) {
  const MonitorFinding *cycle = m->cycle;
  story_init(&m->story, m->arena);
  story_thread(&m->story, cycle->transactions[0].thread, run_thread(m->arena, m->names, cycle->transactions[0].thread));
  add_accesses(m);
  for (uint32_t i = 0; i < cycle->n; i++) add_begin(m, &cycle->transactions[i]);
  add_end(m, &cycle->transactions[0]);
  add_edges(m);
  mark_back(m);
  story_tell(&m->story, finding);
  finding->why = story_why(m->arena, finding);
  story_fini(&m->story);
  vec_fini(m->arena->heap, &m->of_access);
}

/* "T1 called step at bank.c:12:3 in sweep, called at bank.c:20:5 in main"; NULL: its stack is not known. */
static const char *told_stack(const Making *m, const MonitorTransaction *transaction, const MonitorAccess *access) {
  uint32_t n;
  const Place *callers = stack_of(m->arena, m->words->stacks, access->event, &n),
              place = run_place(m->arena, m->names, access->location, access->event);
  if (!n || !place.function) return NULL;
  const char *text = arena_format(m->arena, "%s called %s", run_short_thread(m->arena, m->names, transaction->thread),
                                  text_shorten(m->arena, place.function, LONGEST_FUNCTION));
  for (uint32_t i = 0; i < n; i++) {
    const char *words = place_words(m->arena, &callers[i]);
    text = arena_format(m->arena, "%s%sat %s", text, i ? ", called " : " ", *words ? words : "an unknown place");
  }
  return text;
}

/* Both accesses of an edge may be in one call. */
static void add_stack_note(const Making *m, const MonitorTransaction *transaction, const MonitorAccess *access,
                           Finding *finding, FindingNote *notes) {
  const char *text = told_stack(m, transaction, access);
  for (uint32_t i = m->cycle->n; text && i < finding->n_notes; i++)
    if (strcmp(notes[i].message, text) == 0) return;
  if (text) notes[finding->n_notes++] = (FindingNote){.level = LEVEL_NOTE, .message = text};
}

static void tell_notes(const Making *m, Finding *finding) {
  FindingNote *notes = arena_zeroed(m->arena, heap_product(m->arena->heap, m->cycle->n, 3), sizeof *notes);
  for (uint32_t i = 0; i < m->cycle->n; i++) {
    const MonitorEdge *edge = &m->cycle->edges[i];
    notes[i].level = LEVEL_NOTE;
    notes[i].place = run_place(m->arena, m->names, edge->to.location, edge->to.event);
    notes[i].message = arena_format(m->arena, "%s %s", run_transaction(m->arena, m->names, next_of(m, i)),
                                    run_edge(m->arena, m->names, &m->cycle->transactions[i], edge));
  }
  finding->notes = notes;
  finding->n_notes = m->cycle->n;
  for (uint32_t i = 0; i < m->cycle->n; i++) {
    add_stack_note(m, &m->cycle->transactions[i], &m->cycle->edges[i].from, finding, notes);
    add_stack_note(m, next_of(m, i), &m->cycle->edges[i].to, finding, notes);
  }
}

/* One for each transaction that is marked. */
static void add_frames(const Making *m, Finding *finding) {
  const char **frames = arena_zeroed(m->arena, m->cycle->n, sizeof *frames);
  for (uint32_t i = 0; i < m->cycle->n; i++)
    frames[i] = run_transaction_alone(m->arena, m->names, &m->cycle->transactions[i]);
  finding->frames = frames;
  finding->n_frames = m->cycle->n;
}

Finding of_run_cycle(Arena *arena, const TraceNames *names, const MonitorFinding *cycle, const RunCycleWords *words) {
  assert(cycle->n > 0 && (cycle->n > 1 || !cycle->edges));
  Making making = {.arena = arena, .names = names, .cycle = cycle, .words = words};
  const MonitorTransaction *first = &cycle->transactions[0];
  Finding finding = {.rule = words->rule, .level = LEVEL_ERROR, .unit = "transaction"};
  finding.place = run_place(arena, names, first->location, first->first);
  finding.message = arena_format(arena, "%s %s", run_transaction(arena, names, first), words->what);
  finding.title = story_title(arena, finding.message);
  add_frames(&making, &finding);
  if (!cycle->edges) return finding;
  tell_notes(&making, &finding);
  if (!words->brief) tell_example(&making, &finding);
  return finding;
}

/* ---- members ---- */

static const char *const KINDS[] = {"conflict", "order",     "fork",
                                    "join",     "hand-over", "gap"}; /* ORDER MonitorEdgeKind */
_Static_assert(sizeof KINDS / sizeof *KINDS == MONITOR_GAP + 1, "ORDER MonitorEdgeKind");

static void add_stack_member(Members *members, const EventStack *stack) {
  if (!stack) {
    members_null(members, "stack");
    return;
  }
  members_open(members, "stack", '[', JSON_ROW);
  for (uint32_t i = 0; i < stack->n; i++)
    place_member(members, NULL, stack->callers[i] ? text_clean(members->arena, stack->callers[i]) : NULL);
  members_close(members);
}

static void add_access_member(Members *members, const TraceNames *names, const CallStacks *stacks, const char *key,
                              const MonitorAccess *access) {
  members_open(members, key, '{', JSON_ROW);
  members_count(members, "event", access->event);
  members_string(members, "op", is_known(access) ? vocabulary_verb(access->op)->name : NULL);
  members_string(members, "object", run_target(members->arena, names, access->op, access->object));
  place_member(members, "place", run_location(members->arena, names, access->location));
  add_stack_member(members, call_stacks_find(stacks, access->event));
  members_close(members);
}

static void add_edge_member(Members *members, const TraceNames *names, const CallStacks *stacks,
                            const MonitorEdge *edge) {
  if (!edge) {
    members_null(members, "edge");
    return;
  }
  members_open(members, "edge", '{', JSON_LINES);
  members_string(members, "kind", KINDS[edge->kind]);
  add_access_member(members, names, stacks, "from", &edge->from);
  add_access_member(members, names, stacks, "to", &edge->to);
  members_close(members);
}

static void add_transaction_member(Members *members, const TraceNames *names, const CallStacks *stacks,
                                   const MonitorTransaction *transaction, const MonitorEdge *edge) {
  members_open(members, NULL, '{', JSON_LINES);
  members_string(members, "thread", run_thread(members->arena, names, transaction->thread));
  if (transaction->ordinal) members_count(members, "transaction", transaction->ordinal);
  else members_null(members, "transaction");
  members_string(members, "label", run_label(members->arena, names, transaction->label));
  members_count(members, "first", transaction->first);
  members_count(members, "last", transaction->last);
  place_member(members, "place", run_location(members->arena, names, transaction->location));
  add_edge_member(members, names, stacks, edge);
  members_close(members);
}

void of_run_cycle_members(Members *members, const TraceNames *names, const MonitorFinding *cycle,
                          const CallStacks *stacks) {
  members_count(members, "event", cycle->event);
  members_open(members, "cycle", '[', JSON_LINES);
  for (uint32_t i = 0; i < cycle->n; i++)
    add_transaction_member(members, names, stacks, &cycle->transactions[i], cycle->edges ? &cycle->edges[i] : NULL);
  members_close(members);
}
