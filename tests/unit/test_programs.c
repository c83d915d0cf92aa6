/* Prediction for programs against what is true by definition: a machine that runs the AST, the graph of all that it can do, all
 * interleavings. */
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

void suite_programs(void) {
  CU_pSuite suite = CU_add_suite("programs", NULL, NULL);
  CU_add_test(suite, "profiles of regular programs, by definition", relations_of_regular_programs);
  CU_add_test(suite, "profiles of recursive programs, by definition", relations_of_recursive_programs);
}
