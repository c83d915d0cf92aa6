/* Prediction for programs against what is true by definition: a machine that runs the AST, the graph of all that it can
 * do, all interleavings. */
#include "base/hash.h"
#include "frontend/sml/sml.h"
#include "frontend/sml/translate.h"
#include "predict/pushdown/pushdown.h"
#include "predict/pushdown/relations.h"
#include "program/control.h"
#include "serial/model_check.h"
#include "serial/monitor.h"
#include "tests/unit/random_threads.h"
#include "tests/unit/sml_case.h"
#include "tests/unit/sml_graph.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a program, checked ---- */

static const PredictOptions NO_LIMITS;

typedef struct {
  Heap *heap;
  Diag diag;
  Ast ast;
  Symbols symbols;
  Program program;
  Control control;
  Granularity granularity;
  bool good;
} Checked;

static void checked_open(Checked *p, const char *text, Granularity granularity) {
  const SmlOptions options = {.recursion = true};
  Err err;
  *p = (Checked){.heap = heap_new(0), .granularity = granularity};
  diag_init(&p->diag, p->heap, "t.sml", text, strlen(text));
  ast_init(&p->ast, p->heap);
  symbols_init(&p->symbols, p->heap);
  program_init(&p->program, p->heap);
  control_init(&p->control, p->heap);
  p->good = check_source(&p->ast, &options, &p->symbols, &p->diag);
  if (!p->good) return;
  translate_program(&p->ast, &p->symbols, &p->diag, &p->program);
  p->good = program_audit(&p->program, &err);
  control_build(&p->control, &p->program, granularity);
}

static void checked_close(Checked *p) {
  control_fini(&p->control);
  program_fini(&p->program);
  symbols_fini(&p->symbols);
  ast_fini(&p->ast);
  diag_fini(&p->diag);
  CU_ASSERT_EQUAL(heap_used(p->heap), 0);
  heap_free(p->heap);
}

/* The prediction for a text; false after an error, in *diag or *err. */
static bool predict_text(Heap *heap, Diag *diag, Granularity granularity, PushdownPrediction *prediction, Err *err) {
  const SmlOptions options = {.granularity = granularity, .recursion = true};
  Program program;
  if (!sml_program(heap, &options, diag, &program)) return false;
  const bool good = pushdown_predict(heap, &program, granularity, &NO_LIMITS, prediction, err);
  program_fini(&program);
  return good;
}

/* ---- relations ---- */

enum { MAX_STATES = 3000, MAX_WRITTEN = 8 };

static bool find_bit(const ThreadProfiles *t, uint64_t *const *rows, uint32_t x, uint32_t y) {
  for (uint32_t i = 0; i < t->n; i++)
    for (uint32_t k = 0; k < t->n; k++)
      if (2 * t->accesses[i].object + t->accesses[i].write == x &&
          2 * t->accesses[k].object + t->accesses[k].write == y)
        return bitset_has(rows[i], k);
  return false;
}

/* 0: they are alike; 1: those of the graph are fewer; -1: there are profiles in the graph that were not found. */
static int compare(const ThreadProfiles *t, const GraphProfiles *g) {
  int result = 0;
  for (uint32_t x = 0; x < GRAPH_ACCESSES; x++)
    for (uint32_t y = 0; y < GRAPH_ACCESSES; y++) {
      const bool before = find_bit(t, t->before, x, y), split = find_bit(t, t->split, x, y);
      if ((!before && (g->before[x] >> y & 1)) || (!split && (g->split[x] >> y & 1))) return -1;
      if ((before && !(g->before[x] >> y & 1)) || (split && !(g->split[x] >> y & 1))) result = 1;
    }
  return result;
}

typedef enum { ALIKE, WRONG, UNDECIDED } Agreement;

/* A thread with k procs, in a transaction or outside, has a word for each profile with 6k calls at most under way:
 * 2k to where the first return leads, 2k to the first access, 2k from a call to its return; equal ones can be left
 * out. Smaller bounds mostly suffice. The graph may become too large for that. */
static Agreement check_thread(Checked *p, Relations *relations, uint32_t thread, GraphProfiles *found) {
  const bool objects[GRAPH_ACCESSES / 2] = {true, true, true, true, true, true};
  ThreadProfiles profiles = relations_find(relations, p->control.threads.at[thread], objects, p->ast.globals.n);
  int result = 1;
  bool full = false;
  for (uint32_t calls = 3; calls <= 12 && result == 1 && !full; calls += 3) {
    SmlGraph graph;
    const Machine machine = {&p->ast, &p->symbols, p->granularity, calls};
    sml_graph_build(&graph, p->heap, &machine, thread, MAX_STATES);
    sml_graph_profiles(&graph, found);
    result = compare(&profiles, found);
    full = graph.full;
    sml_graph_fini(&graph);
  }
  relations_release(p->heap, &profiles);
  return result == 0 ? ALIKE : result == 1 && full ? UNDECIDED : WRONG;
}

typedef struct {
  uint32_t programs, undecided, predicted, searched;
} Tally;

static void print_program(uint64_t seed, Granularity granularity, const char *text) {
  printf("\n  seed %llu, granularity %s:\n%s", (unsigned long long)seed,
         granularity == GRANULARITY_ACCESS ? "access" : "statement", text);
}

/* Of all written threads; `found` has one entry for each. */
static Agreement check_relations(Checked *p, GraphProfiles *found) {
  Relations relations;
  Agreement result = ALIKE;
  relations_init(&relations, p->heap, &p->control);
  for (uint32_t t = 0; t < p->ast.threads.n && result == ALIKE; t++) result = check_thread(p, &relations, t, &found[t]);
  relations_fini(&relations);
  return result;
}

static void relations_by_definition(bool recursive, uint64_t first, uint32_t n) {
  Tally tally = {0};
  for (uint64_t seed = first; tally.programs < n; seed++) {
    char *text = random_threads(seed, recursive);
    const Granularity granularity = seed % 3 ? GRANULARITY_STATEMENT : GRANULARITY_ACCESS;
    Checked checked;
    GraphProfiles found[MAX_WRITTEN];
    checked_open(&checked, text, granularity);
    const Agreement agreement = checked.good ? check_relations(&checked, found) : WRONG;
    checked_close(&checked);
    tally.programs += agreement == ALIKE;
    tally.undecided += agreement == UNDECIDED;
    if (agreement == WRONG) print_program(seed, granularity, text);
    free(text);
    if (agreement != WRONG) continue;
    CU_FAIL("the profiles are not those of the definition");
    return;
  }
  printf("(%u programs, %u more too large) ", tally.programs, tally.undecided);
  CU_ASSERT_TRUE(tally.undecided < n / 10);
}

static void relations_of_regular_programs(void) { relations_by_definition(false, 1, 6000); }
static void relations_of_recursive_programs(void) { relations_by_definition(true, 100000, 6000); }

/* ---- runs of one thread ---- */

/* A step as it is told. */
typedef struct {
  MachineOp op;
  uint32_t line, column, n;
  uint8_t accesses[MACHINE_ACCESSES];
} Told;

/* All that a thread can be in after what was told so far. */
typedef struct {
  Heap *heap;
  VEC(MachineState) states;
} Follower;

static void follow_start(Follower *f, Heap *heap, const Machine *machine, uint32_t thread) {
  MachineState start;
  *f = (Follower){.heap = heap};
  machine_start(machine, thread, &start);
  vec_push(heap, &f->states, start);
}

static void add_state(Follower *f, const MachineState *state) {
  for (uint32_t i = 0; i < f->states.n; i++)
    if (!memcmp(&f->states.at[i], state, sizeof *state)) return;
  vec_push(f->heap, &f->states, *state);
}

static bool is_told(Diag *diag, const MachineStep *step, const Told *told) {
  uint32_t line, column;
  diag_locate(diag, step->at, &line, &column);
  return step->op == told->op && line == told->line && column == told->column && step->n == told->n &&
         (!told->n || !memcmp(step->accesses, told->accesses, told->n));
}

/* False if the thread cannot do that. */
static bool follow(Follower *f, const Machine *machine, Diag *diag, const Told *told) {
  Follower next = {.heap = f->heap};
  MachineSteps *steps = heap_alloc(f->heap, sizeof *steps);
  for (uint32_t i = 0; i < f->states.n; i++) {
    machine_steps(machine, &f->states.at[i], steps);
    for (uint32_t k = 0; k < steps->n; k++)
      if (is_told(diag, &steps->steps[k], told)) add_state(&next, &steps->steps[k].then);
  }
  heap_release(f->heap, steps);
  vec_fini(f->heap, &f->states);
  *f = next;
  return f->states.n > 0;
}

/* ---- words ---- */

static void tell(Checked *p, const Word *word, uint32_t i, Told *told) {
  static const MachineOp ops[] = {MACHINE_EVENT, MACHINE_BEGIN, MACHINE_END, MACHINE_CALL};
  const WordStep *step = &word->steps.at[i];
  const ControlNode *node = &p->control.nodes.at[step->node];
  const Stmt *s = &p->ast.stmts.at[p->program.ops.at[node->op].origin];
  Span span = step->op == WORD_END ? s->end : s->span;
  if (node->item != CONTROL_NONE) span = p->ast.items.at[p->program.items.at[node->item].origin].span;
  *told = (Told){.op = ops[step->op], .n = step->n_accesses};
  diag_locate(&p->diag, span.at, &told->line, &told->column);
  for (uint32_t k = 0; k < step->n_accesses; k++) {
    const ControlNode *access = &p->control.nodes.at[word->accesses.at[step->accesses + k]];
    told->accesses[k] = (uint8_t)(2 * access->object + access->write);
  }
}

static uint32_t step_with(const Word *word, uint32_t access) {
  for (uint32_t i = 0; i < word->steps.n; i++)
    if (access - word->steps.at[i].accesses < word->steps.at[i].n_accesses) return i;
  return UINT32_MAX;
}

static uint32_t access_in(const Checked *p, const Word *word, uint32_t i) {
  const ControlNode *node = &p->control.nodes.at[word->accesses.at[i]];
  return 2 * node->object + node->write;
}

/* Does the word do what it should, as a word of the thread? */
static bool holds(Checked *p, uint32_t thread, const Word *word, uint32_t x, uint32_t y, WordRelation relation) {
  const Machine machine = {&p->ast, &p->symbols, p->granularity, UINT32_MAX};
  const uint32_t first = step_with(word, word->first), second = step_with(word, word->second);
  bool good =
      access_in(p, word, word->first) == x && access_in(p, word, word->second) == y && second == word->steps.n - 1;
  good = good && (relation == WORD_ORDER ? word->first <= word->second : word->first < word->second);
  good = good && (relation != WORD_SPLIT || first < second);
  Follower f;
  follow_start(&f, p->heap, &machine, thread);
  for (uint32_t i = 0; i < word->steps.n && good; i++) {
    const bool parts = relation != WORD_ORDER && first != second && i >= first && !machine_blocks(&f.states.at[0]);
    Told told;
    tell(p, word, i, &told);
    good = !parts && follow(&f, &machine, &p->diag, &told);
  }
  vec_fini(p->heap, &f.states);
  return good;
}

static bool word_is_shortest(Checked *p, const SmlGraph *graph, uint32_t thread, uint32_t x, uint32_t y,
                             WordRelation relation) {
  Word word = {0};
  const WordGoal goal = {relation, {x / 2, x % 2}, {y / 2, y % 2}};
  const uint32_t length = sml_graph_distance(graph, x, y, relation != WORD_ORDER, relation == WORD_SPLIT);
  const bool found = word_find(p->heap, &p->control, p->control.threads.at[thread], goal, 1000, &word);
  bool good = found ? word.steps.n == length && holds(p, thread, &word, x, y, relation) : length == UINT32_MAX;
  if (!good)
    printf("\n  thread %u, %u %u, relation %d: %u steps, not %u\n", thread, x, y, (int)relation, word.steps.n, length);
  good = good && !word_find(p->heap, &p->control, p->control.threads.at[thread], goal, length - 1, &word);
  word_fini(p->heap, &word);
  return good;
}

/* One that the thread makes, if there is one. */
static uint32_t draw_access(const GraphProfiles *profiles, uint64_t seed) {
  uint32_t access = (uint32_t)(hash_word(seed) % GRAPH_ACCESSES);
  while (profiles->made && !(profiles->made >> access & 1)) access = (access + 1) % GRAPH_ACCESSES;
  return access;
}

/* One pair of each thread for each relation. */
static Agreement check_words(Checked *p, uint64_t seed) {
  Agreement result = ALIKE;
  for (uint32_t t = 0; t < p->ast.threads.n && result == ALIKE; t++) {
    SmlGraph graph;
    const Machine machine = {&p->ast, &p->symbols, p->granularity, 9};
    GraphProfiles profiles;
    sml_graph_build(&graph, p->heap, &machine, t, MAX_STATES);
    sml_graph_profiles(&graph, &profiles);
    const uint32_t x = draw_access(&profiles, seed + t), y = draw_access(&profiles, ~seed + t);
    for (WordRelation r = WORD_ORDER; r <= WORD_SPLIT && !graph.full && result == ALIKE; r++)
      if (!word_is_shortest(p, &graph, t, x, y, r)) result = WRONG;
    if (graph.full) result = UNDECIDED;
    sml_graph_fini(&graph);
  }
  return result;
}

static void words_are_shortest(bool recursive, uint64_t first, uint32_t n) {
  Tally tally = {0};
  for (uint64_t seed = first; tally.programs < n; seed++) {
    char *text = random_threads(seed, recursive);
    Checked checked;
    checked_open(&checked, text, seed % 3 ? GRANULARITY_STATEMENT : GRANULARITY_ACCESS);
    const Agreement agreement = check_words(&checked, seed);
    tally.programs += agreement == ALIKE;
    tally.undecided += agreement == UNDECIDED;
    if (agreement == WRONG) print_program(seed, checked.granularity, text);
    checked_close(&checked);
    free(text);
    if (agreement != WRONG) continue;
    CU_FAIL("the word is not a shortest one with the profile");
    return;
  }
  printf("(%u programs, %u more too large) ", tally.programs, tally.undecided);
}

static void words_of_regular_programs(void) { words_are_shortest(false, 200000, 5000); }
static void words_of_recursive_programs(void) { words_are_shortest(true, 300000, 5000); }

/* ---- predictions ---- */

enum { MAX_THREADS = 8 };

static uint32_t thread_written(const Ast *ast, uint32_t thread) {
  uint32_t t = 0;
  while (thread >= ast->threads.at[t].count) thread -= (uint32_t)ast->threads.at[t++].count;
  return t;
}

typedef VEC(TraceEvent) TraceEvents;

static void add_told(Heap *heap, uint32_t thread, const Told *told, bool outside, TraceEvents *events) {
  const bool alone = outside && told->op == MACHINE_EVENT;
  if (told->op == MACHINE_BEGIN || alone)
    vec_push(heap, events, ((TraceEvent){thread, TRACE_NONE, TRACE_NONE, TRACE_BEGIN}));
  for (uint32_t k = 0; k < told->n; k++)
    vec_push(heap, events,
             ((TraceEvent){.thread = thread,
                           .object = told->accesses[k] / 2,
                           .location = TRACE_NONE,
                           .op = told->accesses[k] % 2 ? TRACE_WRITE : TRACE_READ}));
  if (told->op == MACHINE_END || alone)
    vec_push(heap, events, ((TraceEvent){thread, TRACE_NONE, TRACE_NONE, TRACE_END}));
}

/* Can the threads run so? The run as events, too. */
static bool replay(Checked *p, const PushdownPrediction *prediction, TraceEvents *events) {
  static const MachineOp ops[] = {MACHINE_EVENT, MACHINE_BEGIN, MACHINE_END, MACHINE_CALL};
  const Machine machine = {&p->ast, &p->symbols, p->granularity, UINT32_MAX};
  Follower threads[MAX_THREADS];
  bool good = true;
  for (uint32_t t = 0; t < prediction->n_threads; t++)
    follow_start(&threads[t], p->heap, &machine, thread_written(&p->ast, t));
  for (uint32_t i = 0; i < prediction->steps.n && good; i++) {
    const PushdownStep *step = &prediction->steps.at[i];
    Told told = {.op = ops[step->op], .line = step->line, .column = step->column, .n = step->n_accesses};
    for (uint32_t k = 0; k < told.n; k++) {
      const PushdownAccess *access = &prediction->accesses.at[step->accesses + k];
      told.accesses[k] = (uint8_t)(2 * access->object + access->write);
    }
    add_told(p->heap, step->thread, &told, !machine_blocks(&threads[step->thread].states.at[0]), events);
    good = follow(&threads[step->thread], &machine, &p->diag, &told);
  }
  for (uint32_t t = 0; t < prediction->n_threads; t++) vec_fini(p->heap, &threads[t].states);
  return good;
}

static bool is_violated(Heap *heap, const TraceEvent *events, uint32_t n) {
  Monitor *monitor = monitor_new(heap, &(MonitorOptions){.engine = MONITOR_CG});
  bool violated = monitor_feed(monitor, events, n);
  violated |= monitor_finish(monitor);
  monitor_free(monitor);
  return violated;
}

static bool is_visited(const PushdownPrediction *prediction, const PushdownVisit *visit, uint32_t step,
                       uint32_t access) {
  const PushdownStep *s = &prediction->steps.at[step];
  return s->thread == visit->thread && access - s->accesses < s->n_accesses;
}

/* The thread of visit 0 goes up to the step in which the cycle leaves it; then the others, each in one piece; then the
 * rest. */
static bool legs_hold(const PushdownPrediction *prediction) {
  const uint32_t n = prediction->steps.n;
  uint32_t legs = 0;
  for (uint32_t i = 0; i < n; legs++) {
    const uint32_t thread = prediction->steps.at[i].thread;
    if (thread != prediction->visits.at[legs % prediction->visits.n].thread) return false;
    while (i < n && prediction->steps.at[i].thread == thread) i++;
    if (legs == 0 && i != prediction->visits.at[0].out_step + 1) return false;
  }
  return legs == prediction->visits.n + 1;
}

static bool visits_hold(const PushdownPrediction *prediction) {
  const uint32_t n = prediction->visits.n;
  for (uint32_t i = 0; i < n; i++) {
    const PushdownVisit *from = &prediction->visits.at[i], *to = &prediction->visits.at[(i + 1) % n];
    const PushdownAccess *out = &prediction->accesses.at[from->out], *in = &prediction->accesses.at[to->in];
    if (!is_visited(prediction, from, from->in_step, from->in)) return false;
    if (!is_visited(prediction, from, from->out_step, from->out)) return false;
    if (out->object != in->object || !(out->write || in->write) || from->out_step >= to->in_step) return false;
  }
  return n >= 2;
}

/* What was predicted is a run of the threads, and not serializable. */
static bool stands(Checked *p, const PushdownPrediction *prediction) {
  TraceEvents replayed = {0};
  PushdownRun told;
  bool good = visits_hold(prediction) && legs_hold(prediction) && replay(p, prediction, &replayed) &&
              is_violated(p->heap, replayed.at, replayed.n);
  pushdown_run_init(&told, p->heap, prediction);
  good = good && is_violated(p->heap, told.events.at, told.events.n) && told.steps.n == told.events.n &&
         told.accesses.n == told.events.n;
  vec_fini(p->heap, &replayed);
  pushdown_run_fini(&told, p->heap);
  return good;
}

/* Is the program violated: by its profiles, by search? -1: too large. */
static int by_definition(Checked *p, bool *searched) {
  SmlGraph graphs[MAX_WRITTEN];
  GraphProfiles profiles[MAX_WRITTEN];
  const SmlGraph *threads[MAX_THREADS];
  const GraphProfiles *players[MAX_THREADS];
  const Machine machine = {&p->ast, &p->symbols, p->granularity, 8};
  uint32_t n = 0;
  bool full = false;
  for (uint32_t t = 0; t < p->ast.threads.n; t++) {
    sml_graph_build(&graphs[t], p->heap, &machine, t, MAX_STATES);
    sml_graph_profiles(&graphs[t], &profiles[t]);
    full |= graphs[t].full;
    for (uint64_t i = 0; i < p->ast.threads.at[t].count; i++, n++) {
      threads[n] = &graphs[t];
      players[n] = &profiles[t];
    }
  }
  const int result = full ? -1 : sml_graph_cycle(players, n);
  *searched = !full && sml_graph_search(threads, n, 3000);
  for (uint32_t t = 0; t < p->ast.threads.n; t++) sml_graph_fini(&graphs[t]);
  return result;
}

static Agreement check_prediction(Checked *p, const char *text, Tally *tally) {
  Diag diag;
  PushdownPrediction prediction;
  Err err;
  bool searched;
  const int violated = by_definition(p, &searched);
  diag_init(&diag, p->heap, "t.sml", text, strlen(text));
  bool good = predict_text(p->heap, &diag, p->granularity, &prediction, &err);
  diag_fini(&diag);
  if (!good) return WRONG;
  const bool found = prediction.verdict == VERDICT_VIOLATED;
  good = prediction.verdict != VERDICT_UNKNOWN && (violated < 0 || violated == found) && (found || !searched);
  good = good && (!found || stands(p, &prediction));
  if (!good) printf("\n  violated %d, by search %d, predicted %d\n", violated, searched, found);
  tally->predicted += found;
  tally->searched += searched;
  pushdown_prediction_fini(p->heap, &prediction);
  return !good ? WRONG : violated < 0 ? UNDECIDED : ALIKE;
}

/* The interleavings that are tried are those with the fewest accesses; so a violation that is found must be
 * predicted, but one that is predicted need not be found. It is one for all that: it is replayed. */
static void predictions_by_definition(bool recursive, uint64_t first, uint32_t n) {
  Tally tally = {0};
  for (uint64_t seed = first; tally.programs < n; seed++) {
    char *text = random_threads(seed, recursive);
    Checked checked;
    checked_open(&checked, text, seed % 3 ? GRANULARITY_STATEMENT : GRANULARITY_ACCESS);
    const Agreement agreement = check_prediction(&checked, text, &tally);
    tally.programs += agreement == ALIKE;
    tally.undecided += agreement == UNDECIDED;
    if (agreement == WRONG) print_program(seed, checked.granularity, text);
    checked_close(&checked);
    free(text);
    if (agreement != WRONG) continue;
    CU_FAIL("the prediction is wrong");
    return;
  }
  printf("(%u programs, %u more too large; %u violated, %u of them by search) ", tally.programs, tally.undecided,
         tally.predicted, tally.searched);
  CU_ASSERT_TRUE(tally.searched > n / 8 && tally.predicted < n / 8 * 7);
}

static void predictions_of_regular_programs(void) { predictions_by_definition(false, 400000, 6000); }
static void predictions_of_recursive_programs(void) { predictions_by_definition(true, 500000, 6000); }

/* ---- the net of a program with its data abstracted ---- */

/* Locks are skipped, as prediction does. */
static void drop_locks(char *text) {
  for (char *at = text; (at = strstr(at, "acquire(m)")); at += 10) memcpy(at, "skip      ", 10);
}

/* 1: some run of the net is not serializable; 0: all are; -1: too large. */
static int model_says(const char *text, Granularity granularity) {
  Heap *heap = heap_new(0);
  const SmlOptions options = {.granularity = granularity, .abstract_data = true};
  const ModelOptions limits = {.max_states = 20000};
  Diag diag;
  ModelResult result;
  Err err;
  int says = -2;
  diag_init(&diag, heap, "t.sml", text, strlen(text));
  Net *net = sml_compile(heap, &options, &diag);
  if (net && model_check(heap, net, &limits, &result, &err))
    says = result.status == MODEL_VIOLATED ? 1 : result.status == MODEL_SERIALIZABLE ? 0 : -1;
  heap_free(heap);
  return says;
}

static int prediction_says(const char *text, Granularity granularity) {
  Heap *heap = heap_new(0);
  Diag diag;
  PushdownPrediction prediction;
  Err err;
  diag_init(&diag, heap, "t.sml", text, strlen(text));
  const int says =
      predict_text(heap, &diag, granularity, &prediction, &err) ? prediction.verdict == VERDICT_VIOLATED : -2;
  heap_free(heap);
  return says;
}

static void agrees_with_the_model_checker(void) {
  uint32_t violated = 0, decided = 0;
  for (uint64_t seed = 600000; decided < 2000; seed++) {
    char *text = random_threads(seed, false);
    const Granularity granularity = seed % 3 ? GRANULARITY_STATEMENT : GRANULARITY_ACCESS;
    drop_locks(text);
    const int model = model_says(text, granularity), prediction = prediction_says(text, granularity);
    const bool good = prediction >= 0 && model != -2 && (model < 0 || model == prediction);
    if (!good) print_program(seed, granularity, text);
    free(text);
    decided += model >= 0;
    violated += model == 1;
    CU_ASSERT_TRUE(good);
    if (!good) return;
  }
  printf("(%u programs, %u violated) ", decided, violated);
  CU_ASSERT_TRUE(violated > decided / 8 && violated < decided / 8 * 7);
}

/* ---- by hand ---- */

typedef struct {
  Heap *heap;
  Diag diag;
  PushdownPrediction prediction;
  Err err;
  bool good;
} Hand;

static void hand_open(Hand *h, const char *text, Granularity granularity) {
  *h = (Hand){.heap = heap_new(0)};
  diag_init(&h->diag, h->heap, "t.sml", text, strlen(text));
  h->good = predict_text(h->heap, &h->diag, granularity, &h->prediction, &h->err);
}

static void hand_close(Hand *h) {
  if (h->good) pushdown_prediction_fini(h->heap, &h->prediction);
  diag_fini(&h->diag);
  CU_ASSERT_EQUAL(heap_used(h->heap), 0);
  heap_free(h->heap);
}

static bool is_of_cycle(const PushdownPrediction *prediction, uint32_t access) {
  for (uint32_t i = 0; i < prediction->visits.n; i++)
    if (prediction->visits.at[i].in == access || prediction->visits.at[i].out == access) return true;
  return false;
}

/* A line "T1 2:3 TEXT | r(X) w(Y)" per step; malloc'd. The accesses of the cycle have a star. */
static char *schedule_text(const PushdownPrediction *prediction) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) abort();
  for (uint32_t i = 0; i < prediction->steps.n; i++) {
    const PushdownStep *step = &prediction->steps.at[i];
    fprintf(out, "T%u %u:%u %s", step->thread + 1, step->line, step->column, step->text);
    for (uint32_t k = step->accesses; k < step->accesses + step->n_accesses; k++) {
      const PushdownAccess *access = &prediction->accesses.at[k];
      fprintf(out, "%s %s(%s)%s", k == step->accesses ? " |" : "", access->write ? "w" : "r",
              prediction->objects[access->object], is_of_cycle(prediction, k) ? "*" : "");
    }
    fputc('\n', out);
  }
  fclose(out);
  return text;
}

/* "" as the schedule: there is none. */
static void check_schedule(const char *program, Granularity granularity, const char *expected) {
  Hand h;
  hand_open(&h, program, granularity);
  CU_ASSERT_TRUE_FATAL(h.good);
  CU_ASSERT_EQUAL(h.prediction.verdict, expected[0] ? VERDICT_VIOLATED : VERDICT_HOLDS);
  char *text = schedule_text(&h.prediction);
  check_text(text, expected);
  free(text);
  hand_close(&h);
}

static void schedules(void) {
  check_schedule(
      "int B; begin:deposit b := B; B := b + 100 end || B := 0", GRANULARITY_STATEMENT,
      "T1 1:8 begin:deposit\nT1 1:22 b := B | r(B)*\nT2 1:50 B := 0 | w(B)*\nT1 1:30 B := b + 100 | w(B)*\n");
  check_schedule("int B; begin B := B + 100 end || B := 0", GRANULARITY_STATEMENT, "");
  check_schedule("int B;\nbegin B := B + 1 end ||\nB := B + 1", GRANULARITY_ACCESS,
                 "T1 2:1 begin\nT1 2:12 read B | r(B)*\nT2 3:6 read B | r(B)\nT2 3:1 B := B + 1 | w(B)*\n"
                 "T1 2:7 B := B + 1 | w(B)*\n");
  check_schedule("int X; begin atomic { x := X; X := x + 1 } end || X := 1", GRANULARITY_STATEMENT, "");
  check_schedule("int X; begin if (false) { x := X } X := 1 end || X := 1", GRANULARITY_STATEMENT, "");
}

static void schedules_with_tests(void) {
  check_schedule(
      "int X, Y;\nbegin X := 1; Y := 1 end ||\nbegin if (Y = 1 && nondet) { x := X } end", GRANULARITY_STATEMENT,
      "T1 2:1 begin\nT1 2:7 X := 1 | w(X)*\nT2 3:1 begin\nT2 3:7 [Y = 1 && nondet] | r(Y)*\nT2 3:30 x := X | r(X)*\n"
      "T1 2:15 Y := 1 | w(Y)*\n");
  check_schedule(
      "int X;\nbegin await (X = 0); while (false && X = 1) { } x := X end ||\nX := 1", GRANULARITY_STATEMENT,
      "T1 2:1 begin\nT1 2:7 await (X = 0) | r(X)*\nT2 3:1 X := 1 | w(X)*\nT1 2:22 [not (false && X = 1)] | r(X)*\n");
  check_schedule("int X;\nbegin x := X; await (1 = 2); x := X end ||\nX := 1", GRANULARITY_STATEMENT, "");
  check_schedule("int X, Y;\nbegin atomic { x := X; await (false) } x := X; x := X end ||\nX := 1",
                 GRANULARITY_STATEMENT, "");
}

static void schedules_with_calls(void) {
  check_schedule("int X; lock l;\nproc p { if (nondet) { begin call p end } else { X := 1 } }\n"
                 "call p; x := X ||\nx := X; acquire(l); release(l); begin x := X; x := X; release(l) end",
                 GRANULARITY_STATEMENT,
                 "T2 4:1 x := X | r(X)\nT2 4:9 acquire(l)\nT2 4:21 release(l)\nT2 4:33 begin\nT2 4:39 x := X | r(X)*\n"
                 "T1 3:1 call p\nT1 2:10 [not nondet]\nT1 2:50 X := 1 | w(X)*\nT2 4:47 x := X | r(X)*\n");
  /* the block that the recursion leaves open is the outermost one's: both reads are in it, at whatever depth */
  check_schedule(
      "int X;\nproc p { begin x := X; call p end }\ncall p ||\nX := 1", GRANULARITY_STATEMENT,
      "T1 3:1 call p\nT1 2:10 begin\nT1 2:16 x := X | r(X)*\nT2 4:1 X := 1 | w(X)*\nT1 2:24 call p\nT1 2:10 begin\n"
      "T1 2:16 x := X | r(X)*\n");
  check_schedule("int X;\nproc p { begin x := X end call p }\ncall p ||\nX := 1", GRANULARITY_STATEMENT, "");
  check_schedule("int X;\nproc p { call p }\nbegin x := X; call p; x := X end ||\nX := 1", GRANULARITY_STATEMENT, "");
}

/* ---- what is hostile ---- */

static char *chain(const char *first, uint32_t n, const char *body, const char *last, const char *threads) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) abort();
  fputs(first, out);
  for (uint32_t i = 0; i < n; i++) {
    fprintf(out, "proc p%u { ", i);
    if (i + 1 < n) fprintf(out, body, i + 1, i + 1);
    else fputs(last, out);
    fputs(" }\n", out);
  }
  fputs(threads, out);
  fclose(out);
  return text;
}

static void check_chain(char *text, Verdict verdict, uint32_t n_steps, const char *why) {
  Hand h;
  hand_open(&h, text, GRANULARITY_STATEMENT);
  CU_ASSERT_TRUE_FATAL(h.good);
  CU_ASSERT_EQUAL(h.prediction.verdict, verdict);
  CU_ASSERT_EQUAL(h.prediction.steps.n, n_steps);
  CU_ASSERT_STRING_EQUAL(h.prediction.why ? h.prediction.why : "", why);
  hand_close(&h);
  free(text);
}

static void deep_calls(void) {
  enum { N = 10000 };
  /* x := X at the end of the chain, and once more after all returns */
  check_chain(chain("int X;\n", N, "call p%u;", "x := X", "begin call p0; x := X end || X := 1"), VERDICT_VIOLATED,
              N + 4, "");
  check_chain(chain("int X;\n", N, "begin call p%u; x := X end", "x := X", "call p0 || X := 1"), VERDICT_VIOLATED,
              2 * N + 2, "");
  check_chain(chain("int X;\n", N, "call p%u;", "call p0", "begin x := X; call p0; x := X end || X := 1"),
              VERDICT_HOLDS, 0, "");
}

/* Words that double with each proc: what is found cannot be written down. */
static void long_words(void) {
  const char *threads = "begin x := X; call p0; x := X end || X := 1";
  const char *event = "begin x := X; atomic { call p0 } x := X end || X := 1";
  const char *why = "there is a cycle, but a thread takes more than 1000000 steps to do its part";
  check_chain(chain("int X;\n", 8, "call p%u; call p%u;", "skip", threads), VERDICT_VIOLATED, 255 + 128 + 4, "");
  check_chain(chain("int X;\n", 100, "call p%u; call p%u;", "skip", threads), VERDICT_UNKNOWN, 0, why);
  check_chain(chain("int X;\n", 100, "call p%u; call p%u;", "", threads), VERDICT_UNKNOWN, 0, why);
  check_chain(chain("int X;\n", 100, "call p%u; call p%u;", "", event), VERDICT_UNKNOWN, 0, why);
}

static void many_copies(void) {
  Hand h;
  hand_open(&h, "int X, Y; 1000 * { begin X := 1; Y := 1 end }", GRANULARITY_STATEMENT);
  CU_ASSERT_TRUE_FATAL(h.good && h.prediction.verdict == VERDICT_VIOLATED);
  CU_ASSERT_EQUAL(h.prediction.n_threads, 1000);
  CU_ASSERT_EQUAL(h.prediction.visits.n, 2);
  hand_close(&h);
  hand_open(&h, "int X, Y; 1000 * { begin X := 1 end; x := Y }", GRANULARITY_STATEMENT);
  CU_ASSERT_TRUE_FATAL(h.good && h.prediction.verdict == VERDICT_HOLDS);
  hand_close(&h);
  hand_open(&h, "int X; 0 * { begin X := 1; X := 2 end } || X := 1", GRANULARITY_STATEMENT);
  CU_ASSERT_TRUE_FATAL(h.good && h.prediction.verdict == VERDICT_HOLDS);
  hand_close(&h);
  hand_open(&h, "", GRANULARITY_STATEMENT);
  CU_ASSERT_TRUE_FATAL(h.good && h.prediction.verdict == VERDICT_HOLDS);
  hand_close(&h);
}

/* ---- errors ---- */

static void check_error(const char *program, const char *expected) {
  Hand h;
  hand_open(&h, program, GRANULARITY_STATEMENT);
  char *text = diag_text(&h.diag, false);
  CU_ASSERT_FALSE(h.good);
  CU_ASSERT_EQUAL(h.err.kind, ERR_INPUT);
  check_text(text, expected);
  free(text);
  hand_close(&h);
}

static void errors(void) {
  check_error("int X; proc p { if (nondet) { call q } } proc q { call p }\nbegin atomic { call p } end",
              "t.sml:2:16: error: this call is inside 'atomic { }', but the proc 'p' calls itself\n"
              "  begin atomic { call p } end\n                 ^~~~~~\n");
  check_error(
      "proc p { call q } proc q { while (nondet) { } }\nbegin atomic { call p } end",
      "t.sml:2:16: error: this call is inside 'atomic { }', but the proc contains a loop, a lock operation or a "
      "block\n"
      "  begin atomic { call p } end\n                 ^~~~~~\n"
      "t.sml:1:28: note: it is here\n  proc p { call q } proc q { while (nondet) { } }\n"
      "                             ^~~~~~~~~~~~~~\n");
  check_error("begin call p end", "t.sml:1:12: error: unknown proc 'p'; write 'proc p { }' before the first thread\n"
                                  "  begin call p end\n             ^\n");
}

/* Recursive programs have no net: with locks prediction cannot be decided for them. */
static void recursion_with_locks(void) {
  const char *program = "proc p { call p }\nbegin call p end";
  const SmlOptions options = {.abstract_data = true};
  Heap *heap = heap_new(0);
  Diag diag;
  diag_init(&diag, heap, "t.sml", program, strlen(program));
  CU_ASSERT_PTR_NULL(sml_compile(heap, &options, &diag));
  char *text = diag_text(&diag, false);
  check_text(text,
             "t.sml:1:10: error: 'p' calls itself; with recursion and locks prediction is undecidable (Farzan and "
             "Madhusudan, TACAS 2009, Theorem 5): use --sync=none, which ignores the locks, or unroll the calls to a "
             "fixed depth\n"
             "  proc p { call p }\n           ^~~~~~\n");
  free(text);
  heap_free(heap);
}

/* ---- memory ---- */

typedef struct {
  Heap *heap;
  Verdict verdict;
} Attempt;

static void predict(void *argument) {
  static const char program[] =
      "int X, Y; bool F; lock m; proc a { if (X = 1) { Y := 1 } }\n"
      "proc p { begin x := X; if (nondet) { call p } end; atomic { call a; await (X = Y) } }\n"
      "2 * { call p; acquire(m); while (Y = 1) { X := Y + X } } ||\n"
      "begin Y := 1; F := true; X := 1 end || x := F";
  Attempt *a = argument;
  Diag diag;
  PushdownPrediction prediction;
  Err err;
  diag_init(&diag, a->heap, "t.sml", program, strlen(program));
  a->verdict =
      predict_text(a->heap, &diag, GRANULARITY_ACCESS, &prediction, &err) ? prediction.verdict : VERDICT_UNKNOWN;
}

static void memory_runs_out(void) {
  bool done = false;
  uint64_t failures = 0;
  while (!done) {
    Attempt a = {.heap = heap_new(0), .verdict = VERDICT_HOLDS};
    heap_fail_at(a.heap, ++failures);
    done = heap_try(a.heap, predict, &a);
    CU_ASSERT_TRUE(!done || a.verdict == VERDICT_VIOLATED);
    heap_free(a.heap);
  }
  printf("(%llu allocations) ", (unsigned long long)failures - 1);
  CU_ASSERT_TRUE(failures > 50);
}

void suite_programs(void) {
  CU_pSuite suite = CU_add_suite("programs", NULL, NULL);
  CU_add_test(suite, "profiles of regular programs, by definition", relations_of_regular_programs);
  CU_add_test(suite, "profiles of recursive programs, by definition", relations_of_recursive_programs);
  CU_add_test(suite, "shortest words of regular programs", words_of_regular_programs);
  CU_add_test(suite, "shortest words of recursive programs", words_of_recursive_programs);
  CU_add_test(suite, "schedules by hand", schedules);
  CU_add_test(suite, "schedules by hand: tests", schedules_with_tests);
  CU_add_test(suite, "schedules by hand: calls", schedules_with_calls);
  CU_add_test(suite, "regular programs: as the model checker", agrees_with_the_model_checker);
  CU_add_test(suite, "predictions for regular programs, by definition", predictions_of_regular_programs);
  CU_add_test(suite, "predictions for recursive programs, by definition", predictions_of_recursive_programs);
  CU_add_test(suite, "deep calls", deep_calls);
  CU_add_test(suite, "words that are too long", long_words);
  CU_add_test(suite, "many copies", many_copies);
  CU_add_test(suite, "errors", errors);
  CU_add_test(suite, "recursion with locks", recursion_with_locks);
  CU_add_test(suite, "memory runs out", memory_runs_out);
}
