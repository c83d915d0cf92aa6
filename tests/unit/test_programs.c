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
#include "tests/unit/sml_predict.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a program, checked ---- */

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
  bool good = sml_predict(p->heap, &diag, p->granularity, &prediction, &err);
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
      sml_predict(heap, &diag, granularity, &prediction, &err) ? prediction.verdict == VERDICT_VIOLATED : -2;
  heap_free(heap);
  return says;
}

static void agrees_with_the_model_checker(void) {
  uint32_t violated = 0, decided = 0;
  for (uint64_t seed = 600000; decided < 1000; seed++) {
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

void suite_programs(void) {
  CU_pSuite suite = CU_add_suite("programs", NULL, NULL);
  CU_add_test(suite, "profiles of regular programs, by definition", relations_of_regular_programs);
  CU_add_test(suite, "profiles of recursive programs, by definition", relations_of_recursive_programs);
  CU_add_test(suite, "shortest words of regular programs", words_of_regular_programs);
  CU_add_test(suite, "shortest words of recursive programs", words_of_recursive_programs);
  CU_add_test(suite, "regular programs: as the model checker", agrees_with_the_model_checker);
  CU_add_test(suite, "predictions for regular programs, by definition", predictions_of_regular_programs);
  CU_add_test(suite, "predictions for recursive programs, by definition", predictions_of_recursive_programs);
}
