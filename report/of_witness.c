#include "report/of_witness.h"

#include "base/text.h"
#include "report/net_steps.h"
#include "report/story.h"
#include "report/vocabulary.h"
#include "report/words.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  Arena *arena;
  const Net *net;
  const Notes *notes;
  const Witness *witness;
  Values values;
  const char **words; /* per step: what it does on the chain, or NULL */
  uint32_t *threads;  /* of the notes, in the order of the finding */
  uint32_t n_threads;
} Making;

static Place place_at(const Making *making, SrcPos pos) { return words_place(making->arena, making->notes, pos); }

static const TransNote *note_of(const Making *making, uint32_t step) {
  assert(step < making->witness->n_steps);
  return &making->notes->transitions[making->witness->steps[step].transition.v];
}

/* ---- threads ---- */

static uint32_t find_thread(const Making *making, uint32_t thread) {
  uint32_t at = 0;
  while (at < making->n_threads && making->threads[at] != thread) at++;
  return at;
}

static void add_thread(Making *making, uint32_t thread) {
  if (find_thread(making, thread) == making->n_threads) making->threads[making->n_threads++] = thread;
}

static int compare_threads(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void order_threads(Making *making) {
  const Witness *witness = making->witness;
  making->threads = arena_zeroed(making->arena, (size_t)witness->n_steps + 1, sizeof *making->threads);
  add_thread(making, witness->thread);
  for (uint32_t i = 0; i < witness->n_steps; i++)
    if (witness->steps[i].role == STEP_IN || witness->steps[i].role == STEP_CHAIN)
      add_thread(making, witness->steps[i].thread);
  const uint32_t n_chain = making->n_threads;
  for (uint32_t i = 0; i < witness->n_steps; i++) add_thread(making, witness->steps[i].thread);
  qsort(making->threads + n_chain, making->n_threads - n_chain, sizeof *making->threads, compare_threads);
}

/* The values along the run, with the finding's numbers for threads. */
static const FindingVariable *make_variables(Making *making) {
  const Witness *witness = making->witness;
  TransId *run = arena_alloc(making->arena, ((size_t)witness->n_steps + 1) * sizeof *run);
  for (uint32_t i = 0; i < witness->n_steps; i++) run[i] = witness->steps[i].transition;
  making->values = values_of_run(making->arena, making->net, run, witness->n_steps);
  FindingVariable *variables = arena_zeroed(making->arena, making->values.n, sizeof *variables);
  for (uint32_t i = 0; i < making->values.n; i++) {
    const uint32_t thread = making->values.threads[i];
    variables[i] = making->values.variables[i];
    if (thread != NOTE_NONE) variables[i].thread = find_thread(making, thread);
  }
  return variables;
}

static const FindingThread *make_threads(const Making *making) {
  FindingThread *threads = arena_zeroed(making->arena, making->n_threads, sizeof *threads);
  for (uint32_t i = 0; i < making->n_threads; i++) {
    const uint32_t thread = making->threads[i];
    threads[i] = (FindingThread){words_thread(making->arena, making->notes, thread),
                                 net_steps_thread(making->arena, making->notes, thread), thread == NOTE_NONE};
  }
  return threads;
}

/* ---- steps ---- */

static const FindingStep *make_steps(const Making *making) {
  static const char *const PARTS[] = {NULL, "begin", "out", "in", "chain", "back"}; /* ORDER StepRole */
  _Static_assert(sizeof PARTS / sizeof *PARTS == STEP_BACK + 1, "ORDER StepRole");
  static const FindingRole ROLES[] = {FINDING_BEFORE, FINDING_INSIDE, FINDING_OTHER, FINDING_BACK}; /* ORDER Taint */
  _Static_assert(sizeof ROLES / sizeof *ROLES == TAINT_RED + 1, "ORDER Taint");
  const Witness *witness = making->witness;
  FindingStep *steps = arena_zeroed(making->arena, witness->n_steps, sizeof *steps);
  Intern events;
  intern_init(&events, making->arena->heap);
  for (uint32_t i = 0; i < witness->n_steps; i++) {
    const WitnessStep *step = &witness->steps[i];
    const char *words = making->words[i] || step->role != STEP_BEGIN ? making->words[i] : "the block begins";
    steps[i] = (FindingStep){.thread = find_thread(making, step->thread),
                             .words = words,
                             .part = PARTS[step->role],
                             .role = ROLES[step->taint],
                             .matters = step->role != STEP_NONE,
                             .frame = step->in_block,
                             .number = (uint64_t)i + 1};
    net_steps_fill(making->arena, making->net, step->transition, &making->values, i, &events, &steps[i]);
  }
  intern_fini(&events);
  return steps;
}

/* What is known of a step of the chain, as a message with its source. */
static const FindingNote *make_notes(const Making *making, uint32_t *n) {
  const Witness *witness = making->witness;
  FindingNote *notes = arena_zeroed(making->arena, witness->n_steps, sizeof *notes);
  *n = 0;
  for (uint32_t i = 0; i < witness->n_steps; i++) {
    const WitnessStep *step = &witness->steps[i];
    if (!making->words[i]) continue;
    const char *thread = words_thread(making->arena, making->notes, note_of(making, i)->thread);
    const char *here = step->role == STEP_BEGIN || step->role == STEP_OUT ? " here" : "";
    const TransNote *note = note_of(making, i);
    notes[(*n)++] = (FindingNote){
        LEVEL_NOTE, place_at(making, note->pos), arena_format(making->arena, "%s %s%s", thread, making->words[i], here),
        note->pos.line && note->text[0] ? net_steps_text(making->arena, making->net, witness->steps[i].transition)
                                        : NULL};
  }
  return notes;
}

/* ---- edges ---- */

static FindingEdgeKind edge_kind(const Witness *witness, const CausalEdge *edge) {
  const uint32_t from = witness->steps[edge->from].thread, to = witness->steps[edge->to].thread;
  if (edge->on_chain) return EDGE_CHAIN;
  return from == to && from != NOTE_NONE ? EDGE_ORDER : EDGE_OTHER;
}

static const FindingEdge *make_edges(const Making *making) {
  const Witness *witness = making->witness;
  FindingEdge *edges = arena_zeroed(making->arena, witness->n_edges, sizeof *edges);
  for (uint32_t i = 0; i < witness->n_edges; i++) {
    const CausalEdge *edge = &witness->edges[i];
    const bool known = edge->object != NOTE_NONE;
    edges[i] = (FindingEdge){.from = edge->from, .to = edge->to, .kind = edge_kind(witness, edge)};
    const bool same_thread = witness->steps[edge->from].thread == witness->steps[edge->to].thread;
    if (!known && !same_thread) edges[i].object = text_clean(making->arena, making->net->place_name[edge->place.v]);
    if (!known) continue;
    edges[i].object = words_object(making->arena, making->notes, edge->object);
    edges[i].modes[0] = vocabulary_verb(edge->from_mode)->name;
    edges[i].modes[1] = vocabulary_verb(edge->to_mode)->name;
    edges[i].label = arena_format(making->arena, "%s → %s", edges[i].modes[0], edges[i].modes[1]);
  }
  return edges;
}

/* ---- what it comes to ---- */

/* Whom the chain visits: "T2", or "the other threads". */
static const char *others(const Making *making) {
  const Witness *witness = making->witness;
  uint32_t thread = NOTE_NONE;
  for (uint32_t i = 0; i < witness->n_steps; i++) {
    const WitnessStep *step = &witness->steps[i];
    if (step->role == STEP_IN) thread = step->thread;
    if (step->role == STEP_CHAIN && step->thread != thread) return "the other threads";
  }
  return words_thread(making->arena, making->notes, thread);
}

/* "T1 writes Y; T2 reads Y in between; T1 writes Y again: no reordering takes T2 out of the block." Of a long chain the
 * middle is left out. */
static const char *explain(const Making *making) {
  Arena *arena = making->arena;
  const Witness *witness = making->witness;
  enum { FIRST = 4, LAST = 2 };
  uint32_t said = 0, n = 0;
  for (uint32_t i = 0; i < witness->n_steps; i++) n += making->words[i] != NULL;
  const char *sentence = "";
  for (uint32_t i = 0; i < witness->n_steps; i++) {
    if (!making->words[i]) continue;
    said++;
    const bool gap = n > FIRST + LAST + 1 && said > FIRST && said <= n - LAST;
    const char *thread = words_thread(arena, making->notes, witness->steps[i].thread);
    if (!gap) sentence = arena_format(arena, "%s%s%s %s", sentence, said > 1 ? "; " : "", thread, making->words[i]);
    if (gap && said == FIRST + 1) sentence = arena_format(arena, "%s; …", sentence);
  }
  return arena_format(arena, "%s: no reordering moves %s out of the block.", sentence, others(making));
}

static void find_words(Making *making) {
  const Witness *witness = making->witness;
  making->words = arena_zeroed(making->arena, witness->n_steps, sizeof *making->words);
  for (uint32_t i = 0; i < witness->n_steps; i++) making->words[i] = words_step(making->arena, making->net, witness, i);
}

static void put_sentences(const Making *making, const Runners *runners, Finding *finding) {
  Arena *arena = making->arena;
  const uint32_t block = making->witness->block;
  const ThreadList all = runners_list(runners, block),
                   copies = runners_copies(arena, making->notes, all, making->witness->thread);
  const char *name = words_block(arena, making->notes, block);
  story_frame(arena, name, finding);
  const char *subject = arena_format(arena, "%s of %s", name, runners_phrase(arena, making->notes, copies));
  finding->message = arena_format(arena, "%s is not causally atomic", subject);
  finding->title = arena_format(arena, "B%s", finding->message + 1);
  finding->why = explain(making);
}

Finding of_witness(Arena *arena, const Net *net, const Runners *runners, const Witness *witness) {
  const Notes *notes = net->notes;
  Making making = {.arena = arena, .net = net, .notes = notes, .witness = witness};
  order_threads(&making);
  find_words(&making);
  Finding finding = {.rule = "not-causally-atomic",
                     .level = LEVEL_ERROR,
                     .place = place_at(&making, notes->blocks[witness->block].begin),
                     .unit = "block"};
  put_sentences(&making, runners, &finding);
  finding.threads = make_threads(&making);
  finding.n_threads = making.n_threads;
  finding.variables = make_variables(&making);
  finding.n_variables = making.values.n;
  finding.notes = make_notes(&making, &finding.n_notes);
  finding.steps = make_steps(&making);
  finding.n_steps = witness->n_steps;
  finding.edges = make_edges(&making);
  finding.n_edges = witness->n_edges;
  return finding;
}
