/* Prediction for programs against what is true by definition: a machine that runs the AST, the graph of all that it can do, all
 * interleavings. */
#include "base/hash.h"
#include "frontend/control.h"
#include "predict/program.h"
#include "predict/relations.h"
#include "serial/monitor.h"
#include "tests/unit/random_threads.h"
#include "tests/unit/sml_case.h"
#include "tests/unit/sml_graph.h"

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
  Control control;
  Granularity granularity;
  bool good;
} Program;

static void program_open(Program *p, const char *text, Granularity granularity) {
  const SmlOptions options = {.recursion = true};
  *p = (Program){.heap = heap_new(0), .granularity = granularity};
  diag_init(&p->diag, p->heap, "t.sml", text, strlen(text));
  ast_init(&p->ast, p->heap);
  symbols_init(&p->symbols, p->heap);
  control_init(&p->control, p->heap);
  p->good = check_source(&p->ast, &options, &p->symbols, &p->diag) &&
            control_build(&p->control, &p->ast, &p->symbols, granularity, &p->diag);
}

static void program_close(Program *p) {
  control_fini(&p->control);
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
      if (2 * t->accesses[i].object + t->accesses[i].write == x && 2 * t->accesses[k].object + t->accesses[k].write == y)
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

/* A thread with k procs, in a transaction or outside, has a word for each profile with 6k calls at most under way: 2k to where the first
 * return leads, 2k to the first access, 2k from a call to its return; equal ones can be left out. Smaller bounds mostly suffice. The
 * graph may become too large for that. */
static Agreement check_thread(Program *p, Relations *relations, uint32_t thread, GraphProfiles *found) {
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
  uint32_t programs, undecided, relations, predicted, searched;
} Tally;

static void print_program(uint64_t seed, Granularity granularity, const char *text) {
  printf("\n  seed %llu, granularity %s:\n%s", (unsigned long long)seed, granularity == GRANULARITY_ACCESS ? "access" : "statement", text);
}

/* Of all written threads; `found` has one entry for each. */
static Agreement check_relations(Program *p, GraphProfiles *found) {
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
    Program program;
    GraphProfiles found[MAX_WRITTEN];
    program_open(&program, text, granularity);
    const Agreement agreement = program.good ? check_relations(&program, found) : WRONG;
    program_close(&program);
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

static void tell(Program *p, const Word *word, uint32_t i, Told *told) {
  static const MachineOp ops[] = {MACHINE_EVENT, MACHINE_BEGIN, MACHINE_END, MACHINE_CALL};
  const WordStep *step = &word->steps.at[i];
  const ControlNode *node = &p->control.nodes.at[step->node];
  const Stmt *s = ast_stmt(&p->ast, node->stmt);
  const Span span = step->op == WORD_END ? s->end : node->item == CONTROL_NONE ? s->span : p->ast.items.at[node->item].span;
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

static uint32_t access_in(const Program *p, const Word *word, uint32_t i) {
  const ControlNode *node = &p->control.nodes.at[word->accesses.at[i]];
  return 2 * node->object + node->write;
}

/* Does the word do what it should, as a word of the thread? */
static bool holds(Program *p, uint32_t thread, const Word *word, uint32_t x, uint32_t y, WordRelation relation) {
  const Machine machine = {&p->ast, &p->symbols, p->granularity, UINT32_MAX};
  const uint32_t first = step_with(word, word->first), second = step_with(word, word->second);
  bool good = access_in(p, word, word->first) == x && access_in(p, word, word->second) == y && second == word->steps.n - 1;
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

static bool word_is_shortest(Program *p, const SmlGraph *graph, uint32_t thread, uint32_t x, uint32_t y, WordRelation relation) {
  Word word = {0};
  const WordGoal goal = {relation, {x / 2, x % 2}, {y / 2, y % 2}};
  const uint32_t length = sml_graph_distance(graph, x, y, relation != WORD_ORDER, relation == WORD_SPLIT);
  const bool found = word_find(p->heap, &p->control, p->control.threads.at[thread], goal, 1000, &word);
  bool good = found ? word.steps.n == length && holds(p, thread, &word, x, y, relation) : length == UINT32_MAX;
  if (found && length > 1) good = good && !word_find(p->heap, &p->control, p->control.threads.at[thread], goal, length - 1, &word);
  word_fini(p->heap, &word);
  if (!good) printf("\n  thread %u, %u %u, relation %d: length %u, should be %u\n", thread, x, y, (int)relation, word.steps.n, length);
  return good;
}

/* One that the thread makes, if there is one. */
static uint32_t draw_access(const GraphProfiles *profiles, uint64_t seed) {
  uint32_t access = (uint32_t)(hash_word(seed) % GRAPH_ACCESSES);
  while (profiles->made && !(profiles->made >> access & 1)) access = (access + 1) % GRAPH_ACCESSES;
  return access;
}

/* One pair of each thread for each relation. */
static Agreement check_words(Program *p, uint64_t seed) {
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
    Program program;
    program_open(&program, text, seed % 3 ? GRANULARITY_STATEMENT : GRANULARITY_ACCESS);
    const Agreement agreement = check_words(&program, seed);
    tally.programs += agreement == ALIKE;
    tally.undecided += agreement == UNDECIDED;
    if (agreement == WRONG) print_program(seed, program.granularity, text);
    program_close(&program);
    free(text);
    if (agreement != WRONG) continue;
    CU_FAIL("the word is not a shortest one with the profile");
    return;
  }
  printf("(%u programs, %u more too large) ", tally.programs, tally.undecided);
}

static void words_of_regular_programs(void) { words_are_shortest(false, 200000, 5000); }
static void words_of_recursive_programs(void) { words_are_shortest(true, 300000, 5000); }

void suite_programs(void) {
  CU_pSuite suite = CU_add_suite("programs", NULL, NULL);
  CU_add_test(suite, "profiles of regular programs, by definition", relations_of_regular_programs);
  CU_add_test(suite, "profiles of recursive programs, by definition", relations_of_recursive_programs);
  CU_add_test(suite, "shortest words of regular programs", words_of_regular_programs);
  CU_add_test(suite, "shortest words of recursive programs", words_of_recursive_programs);
}
