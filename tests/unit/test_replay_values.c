/* The values that a report gives after each step of a witness, against what the text of the steps says. */
#include "ask/atomicity.h"
#include "report/of_witness.h"
#include "tests/oracle/random_sml.h"
#include "tests/unit/sml_case.h"
#include "tests/unit/text_machine.h"

#include <CUnit/CUnit.h>

#include <stdlib.h>
#include <string.h>

static int64_t number_of(const char *value) {
  if (strcmp(value, "true") == 0) return 1;
  return strcmp(value, "false") == 0 ? 0 : strtoll(value, NULL, 10);
}

static int64_t n_values_of(const Notes *notes, const FindingVariable *variable) {
  for (uint32_t i = 0; variable->kind == FINDING_VARIABLE && i < notes->n_objects; i++)
    if (strcmp(notes->objects[i].name, variable->name) == 0) return notes->objects[i].n_values;
  for (uint32_t i = 0; variable->kind == FINDING_LOCAL && i < notes->n_slots; i++)
    if (notes->slots[i].object == NOTE_NONE && strcmp(notes->slots[i].name, variable->name) == 0)
      return notes->slots[i].n_values;
  return 0;
}

/* What the thread sees: its locals first. */
static TextState view(const Notes *notes, const Finding *finding, const char *const *values, uint32_t thread) {
  TextState state = {0};
  for (int shared = 0; shared <= 1; shared++)
    for (uint32_t i = 0; i < finding->n_variables && state.n < TEXT_VARIABLES; i++) {
      const FindingVariable *it = &finding->variables[i];
      if (it->kind == FINDING_LOCK || (it->kind == FINDING_VARIABLE) != shared) continue;
      if (it->kind == FINDING_LOCAL && it->thread != thread) continue;
      state.name[state.n] = it->name;
      state.n_values[state.n] = n_values_of(notes, it);
      state.value[state.n++] = (TextValue){true, number_of(values[i])};
    }
  return state;
}

/* Locks: taken by whom nobody holds, given back; "acquire(l)". */
static bool locks_are_good(const Finding *finding, const FindingStep *step, const char *const *before) {
  const bool acquires = strncmp(step->text, "acquire(", 8) == 0, releases = strncmp(step->text, "release(", 8) == 0;
  for (uint32_t i = 0; i < step->n_sets; i++) {
    const FindingSet *set = &step->sets[i];
    const FindingVariable *lock = &finding->variables[set->variable];
    if (lock->kind != FINDING_LOCK) continue;
    const char *thread = finding->threads[step->thread].name, *holder = acquires ? thread : NULL;
    if (!acquires && !releases) return false;
    if (strncmp(step->text + 8, lock->name, strlen(lock->name)) != 0) return false;
    if (acquires && before[set->variable]) return false;
    if (!holder != !set->value || (holder && strcmp(holder, set->value) != 0)) return false;
  }
  return true;
}

/* Is anything shared changed that the thread does not see? */
static bool others_are_left_alone(const Finding *finding, const FindingStep *step) {
  for (uint32_t i = 0; i < step->n_sets; i++) {
    const FindingVariable *it = &finding->variables[step->sets[i].variable];
    if (it->kind == FINDING_LOCAL && it->thread != step->thread) return false;
  }
  return true;
}

static bool step_is_good(const Notes *notes, const Finding *finding, const FindingStep *step, const char **values) {
  bool failed = false, good = locks_are_good(finding, step, values) && others_are_left_alone(finding, step);
  const TextState from = view(notes, finding, values, step->thread);
  for (uint32_t i = 0; i < step->n_sets; i++) values[step->sets[i].variable] = step->sets[i].value;
  const TextState to = view(notes, finding, values, step->thread);
  good = good && text_may_lead(step->text, &from, &to, &failed);
  CU_ASSERT_FALSE(failed);
  return good;
}

static bool finding_is_good(const Notes *notes, const Finding *finding) {
  const char *values[256];
  bool good = finding->n_variables <= 256;
  CU_ASSERT_TRUE_FATAL(good);
  for (uint32_t i = 0; i < finding->n_variables; i++) values[i] = finding->variables[i].initial;
  for (uint32_t i = 0; i < finding->n_steps && good; i++) {
    good = step_is_good(notes, finding, &finding->steps[i], values);
    if (!good) printf("\nstep %u: %s\n", i + 1, finding->steps[i].text);
  }
  return good;
}

/* Each edge of the judge, and no other one. */
static bool edges_are_good(const Net *net, const Finding *finding, const Witness *witness) {
  static const char *const MODES[] = {"read", "write", "acquire", "release"};
  bool good = finding->n_edges == witness->n_edges;
  for (uint32_t i = 0; i < witness->n_edges && good; i++) {
    const CausalEdge *edge = &witness->edges[i];
    const FindingEdge *it = &finding->edges[i];
    good = it->from == edge->from && it->to == edge->to && (it->kind == EDGE_CHAIN) == edge->on_chain;
    if (edge->object == NOTE_NONE) good = good && !it->modes[0];
    else
      good = good && strcmp(it->object, net->notes->objects[edge->object].name) == 0 &&
             strcmp(it->modes[0], MODES[edge->from_mode]) == 0 && strcmp(it->modes[1], MODES[edge->to_mode]) == 0;
  }
  return good;
}

/* How many witnesses of the program were looked at. */
static uint32_t replay(const char *text, size_t length, uint64_t seed) {
  uint32_t n = 0;
  SmlCase c = sml_case_with(text, length, GRANULARITY_STATEMENT, ENCODING_COMPACT);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  const AtomicityOptions options = {.tries = TRY_ALL, .colour = {COLOURING_CHAIN, true, NULL}};
  Atomicity result;
  Arena arena;
  Err err;
  CU_ASSERT_TRUE_FATAL(atomicity_check(c.heap, c.net, &options, &(AskLimits){.max_events = 20000}, &result, &err));
  arena_init(&arena, c.heap);
  const Runners runners = runners_of(&arena, c.net);
  for (uint32_t i = 0; i < result.n_blocks; i++) {
    if (result.blocks[i].verdict != VERDICT_VIOLATED) continue;
    const Finding finding = of_witness(&arena, c.net, &runners, result.blocks[i].witness);
    const bool good =
        finding_is_good(c.net->notes, &finding) && edges_are_good(c.net, &finding, result.blocks[i].witness);
    if (!good) printf("seed %llu:\n%.*s\n", (unsigned long long)seed, (int)length, text);
    CU_ASSERT_TRUE(good);
    n++;
  }
  arena_fini(&arena);
  atomicity_fini(&result);
  sml_case_end(&c);
  return n;
}

static void random_programs(void) {
  uint32_t n = 0;
  Heap *heap = heap_new(0);
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    CharVec text = {0};
    random_sml(heap, seed, seed % 2 ? RANDOM_SMALL : RANDOM_WIDE, &text);
    n += replay(text.at, text.n, seed);
    vec_fini(heap, &text);
  }
  printf("(%u witnesses) ", n);
  CU_ASSERT_TRUE(n > 500);
  heap_free(heap);
}

static void folded_and_constant(void) {
  static const char TEXT[] = "bool K := true; bool MINE; bool SH; int[3] C := 2;\n"
                             "local bool f; local int[4] i := 3;\n"
                             "begin:a f := SH; i := i - 1; MINE := !MINE; if (K) { SH := true }; C := C - 1 end\n"
                             "||\nlock_it := 1; begin:b SH := false; C := 0; x := SH end\n";
  CU_ASSERT_EQUAL(replay(TEXT, sizeof TEXT - 1, 0), 2);
}

void suite_replay_values(void);
void suite_replay_values(void) {
  CU_pSuite suite = CU_add_suite("replay_values", NULL, NULL);
  CU_ADD_TEST(suite, random_programs);
  CU_ADD_TEST(suite, folded_and_constant);
}
