/* Two threads with locks: what decides them, and the search, against Dijkstra's progress graph. */
#include "base/hash.h"
#include "predict/locks/lock_decide.h"
#include "predict/locks/lock_search.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t pick(uint64_t *random, uint32_t below) { return (uint32_t)(hash_word(++*random) >> 33) % below; }

enum { PAIR_STEPS = 24, PAIR_LOCKS = 4 };

/* What two threads do: each is a sequence of accesses (lock 0), of acquires (lock > 0) and of releases (lock < 0). */
typedef struct {
  int at[2][PAIR_STEPS];
  uint32_t n[2];
  bool held[2][PAIR_STEPS + 1][PAIR_LOCKS + 1];
} Two;

static void make_thread(Two *two, uint32_t t, uint64_t *random, bool nested, bool closed) {
  int stack[PAIR_STEPS];
  uint32_t n = 0, depth = 0;
  const uint32_t wanted = 3 + pick(random, PAIR_STEPS / 2 - 3);
  while (n < wanted || (closed && depth > 0)) {
    const uint32_t what = n < wanted ? pick(random, 3) : 2;
    const int lock = 1 + (int)pick(random, PAIR_LOCKS);
    bool has = false;
    for (uint32_t i = 0; i < depth; i++) has |= stack[i] == lock;
    if (what == 0) two->at[t][n++] = 0;
    if (what == 1 && !has) two->at[t][n++] = stack[depth++] = lock;
    if (what != 2 || depth == 0) continue;
    const uint32_t i = nested ? depth - 1 : pick(random, depth);
    two->at[t][n++] = -stack[i];
    stack[i] = stack[--depth];
  }
  two->n[t] = n;
  memset(two->held[t][0], 0, sizeof two->held[t][0]);
  for (uint32_t p = 0; p < n; p++) {
    memcpy(two->held[t][p + 1], two->held[t][p], sizeof two->held[t][p]);
    if (two->at[t][p]) two->held[t][p + 1][abs(two->at[t][p])] = two->at[t][p] > 0;
  }
}

typedef struct {
  uint32_t out0, in0, out1, in1; /* out0 before in1, out1 before in0 */
} Question;

static bool is_forbidden(const Two *two, const Question *question, uint32_t p, uint32_t q) {
  for (uint32_t lock = 1; lock <= PAIR_LOCKS; lock++)
    if (two->held[0][p][lock] && two->held[1][q][lock]) return true;
  return (q > question->in1 && p <= question->out0) || (p > question->in0 && q <= question->out1);
}

/* Is there a way through the grid of the positions to one where all four are done? */
static bool grid_allows(const Two *two, const Question *question) {
  bool reached[PAIR_STEPS + 1][PAIR_STEPS + 1] = {{false}};
  for (uint32_t p = 0; p <= two->n[0]; p++)
    for (uint32_t q = 0; q <= two->n[1]; q++) {
      reached[p][q] = (p + q == 0 || (p > 0 && reached[p - 1][q]) || (q > 0 && reached[p][q - 1])) &&
                      !is_forbidden(two, question, p, q);
      if (reached[p][q] && p > question->out0 && p > question->in0 && q > question->out1 && q > question->in1)
        return true;
    }
  return false;
}

/* The run: thread 0, then thread 1. All accesses are writes of one variable, in one transaction. */
static LockRun *run_of(Heap *heap, const Two *two) {
  TraceEvent events[2 * (PAIR_STEPS + 1)];
  uint32_t n = 0;
  for (uint32_t t = 0; t < 2; t++) {
    events[n++] = (TraceEvent){t, TRACE_NONE, TRACE_NONE, TRACE_BEGIN};
    for (uint32_t p = 0; p < two->n[t]; p++) {
      const int what = two->at[t][p];
      const TraceOp op = what > 0 ? TRACE_ACQUIRE : what < 0 ? TRACE_RELEASE : TRACE_WRITE;
      events[n++] = (TraceEvent){t, (uint32_t)abs(what), p, (uint8_t)op};
    }
  }
  LockSurvey *survey = lock_survey_new(heap, true);
  lock_survey_feed(survey, events, n);
  lock_survey_close(survey);
  LockReader *reader = lock_reader_new(heap, survey);
  lock_reader_feed(reader, events, n);
  LockRun *run = lock_run_new(reader);
  lock_reader_free(reader);
  lock_survey_free(survey);
  return run;
}

/* The step that is the access of that number. */
static uint32_t step_of(const LockRun *run, uint32_t t, uint32_t number) {
  for (uint32_t p = 0; p < run->threads[t].n; p++)
    if (run->threads[t].steps[p].location == number) return p;
  return TRACE_NONE;
}

static bool search_allows(const LockRun *run, const Question *question) {
  const LockVisit visits[] = {{0, step_of(run, 0, question->in0), step_of(run, 0, question->out0)},
                              {1, step_of(run, 1, question->in1), step_of(run, 1, question->out1)}};
  uint64_t budget = UINT64_MAX;
  Strands order = lock_run_order(run);
  LockStart start;
  LockDecider *decider = lock_decider_new(run, &order);
  const LockAnswer answer = lock_decide(decider, visits, 2, &budget, NULL);
  lock_decider_free(decider);
  strands_fini(&order);
  lock_start_init(&start, run);
  lock_start_find(&start, visits, 2);
  LockSearch *search = lock_search_new(run, &start);
  CU_ASSERT_EQUAL(lock_search(search, visits, 2, NULL, &budget), answer);
  lock_search_free(search);
  lock_start_fini(&start);
  return answer == LOCK_POSSIBLE;
}

/* Some access of the thread; false if there is none. */
static bool pick_access(const Two *two, uint32_t t, uint64_t *random, uint32_t *access) {
  uint32_t n = 0;
  for (uint32_t p = 0; p < two->n[t]; p++) n += two->at[t][p] == 0;
  if (n == 0) return false;
  uint32_t k = pick(random, n);
  for (uint32_t p = 0;; p++)
    if (two->at[t][p] == 0 && k-- == 0) return *access = p, true;
}

static void progress_graph(void) {
  enum { CASES = 150000 };
  uint64_t random = 99;
  uint32_t possible = 0, wrong = 0;
  for (uint32_t i = 0; i < CASES; i++) {
    Two two = {0};
    Question question;
    for (uint32_t t = 0; t < 2; t++) make_thread(&two, t, &random, i % 3 != 0, i % 5 != 0);
    if (!pick_access(&two, 0, &random, &question.out0) || !pick_access(&two, 0, &random, &question.in0) ||
        !pick_access(&two, 1, &random, &question.out1) || !pick_access(&two, 1, &random, &question.in1) ||
        question.out0 == question.in0) {
      i--;
      continue;
    }
    Heap *heap = heap_new(0);
    LockRun *run = run_of(heap, &two);
    const bool grid = grid_allows(&two, &question);
    possible += grid;
    wrong += grid != search_allows(run, &question);
    heap_free(heap);
  }
  printf("(%u pairs, %u possible) ", (unsigned)CASES, possible);
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT_TRUE(possible > CASES / 10 && possible < CASES / 10 * 9);
}

/* Nested locks, and yet: thread 1 must come to its access before thread 0 takes lock 3, then give 3 back, wait for
 * thread 0 to give back 2, and only then can it give back 4, which thread 0 needs. */
static void turns_are_taken(void) {
  const Two two = {{{1, 2, 0, 3, -3, -2, 4, 0, -4, -1}, {4, 3, 1, -1, 0, -3, 2, -2, -4}}, {10, 9}, {{{false}}}};
  Heap *heap = heap_new(0);
  LockRun *run = run_of(heap, &two);
  CU_ASSERT_TRUE(search_allows(run, &(Question){2, 7, 4, 4}));
  CU_ASSERT_FALSE(search_allows(run, &(Question){7, 2, 4, 4}));
  heap_free(heap);
}

void suite_lock_graph(void) {
  CU_pSuite suite = CU_add_suite("lock_graph", NULL, NULL);
  CU_ADD_TEST(suite, progress_graph);
  CU_ADD_TEST(suite, turns_are_taken);
}
