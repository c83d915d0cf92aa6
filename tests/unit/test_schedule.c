/* The judge of predicted runs: what it must accept, and what it must not. */
#include "check/schedule_judge.h"

#include <CUnit/CUnit.h>

void suite_schedule(void);

#define R JUDGE_READ
#define W JUDGE_WRITE
#define A JUDGE_ACQUIRE
#define L JUDGE_RELEASE
#define F JUDGE_FORK
#define J JUDGE_JOIN
enum { MOST = 16 };

/* A recorded run of two threads or three, 0 being the one that forks; and orders of its events. */
static const JudgeEvent FORKED[] = {{0, 5, W}, {0, 1, F}, {1, 5, R}, {1, 5, W}, {0, 5, R}, {0, 1, J}, {0, 5, W}};
static const JudgeEvent LOCKED[] = {{0, 9, A}, {0, 5, W}, {0, 9, L}, {1, 9, A}, {1, 5, W}, {1, 9, L}};
static const JudgeEvent REENTRANT[] = {{0, 9, A}, {0, 9, A}, {0, 9, L}, {0, 5, W}, {0, 9, L}, {1, 9, L}, {1, 9, A}};
static const JudgeEvent AGAIN[] = {{0, 1, F}, {1, 5, W}, {0, 1, J}, {0, 1, F}, {1, 5, R}, {0, 1, J}};
static const JudgeEvent LATE[] = {{1, 5, W}, {0, 1, F}, {1, 5, R}};
static const JudgeEvent FREED[] = {{0, 5, W}, {0, 5, JUDGE_FREE}, {0, 5, W}, {1, 5, R}};
#define BEGIN \
  { 1, UINT32_MAX, JUDGE_BEGIN }
#define END \
  { 1, UINT32_MAX, JUDGE_END }
static const JudgeEvent OPEN[] = {BEGIN, BEGIN, END, {0, 1, J}, {1, 5, W}};
static const JudgeEvent CLOSED[] = {BEGIN, BEGIN, END, END, {0, 1, J}, {1, 5, W}};
static const JudgeEvent LEFT[] = {BEGIN, BEGIN, {1, UINT32_MAX, JUDGE_EXIT}, {0, 1, J}, {1, 5, W}};
static const JudgeEvent TWO[] = {{0, 1, F}, {1, 5, W}, {1, 5, W}, {0, 1, J},
                                 {0, 1, F}, {1, 6, W}, {0, 1, J}}; /* the second run from 4 on */
#define S JUDGE_SIGNAL
#define Q JUDGE_WAIT
static const JudgeEvent HANDED[] = {{0, 7, S}, {1, 7, S}, {2, 7, Q}, {1, 7, Q}, {0, 7, S}, {2, 7, Q}};
static const JudgeEvent TWO_HANDED[] = {{0, 7, S}, {1, 7, Q}, {1, 5, W}, {2, 5, W},
                                        {0, 5, W}, {0, 7, S}, {1, 7, Q}, {1, 6, W}};
static const JudgeEvent SHARED[] = {{0, 9, JUDGE_SHARED_ACQUIRE},
                                    {0, 9, JUDGE_SHARED_RELEASE},
                                    {1, 9, JUDGE_SHARED_TRY},
                                    {1, 9, JUDGE_SHARED_RELEASE},
                                    {2, 9, JUDGE_TRY},
                                    {2, 9, L}};
/* Held alone, then shared as well; what is left is shared. */
static const JudgeEvent LOWERED[] = {
    {0, 9, A}, {0, 9, JUDGE_SHARED_ACQUIRE}, {0, 9, L}, {1, 9, JUDGE_SHARED_ACQUIRE}, {2, 9, A}};
static const JudgeEvent OPEN_BEFORE[] = {{0, 1, F}, BEGIN,     {1, 5, W}, {0, 5, W},
                                         {0, 1, F}, {1, 5, W}, {0, 1, J}, {1, 6, W}};
static const uint64_t SECOND[] = {4};

typedef struct {
  const char *what;
  const JudgeEvent *events;
  uint32_t n_events, n_runs;
  bool locks, good;
  uint32_t n;
  uint32_t order[MOST];
} Case;

#define RUN(events) events, sizeof events / sizeof *events, 1
#define RUNS(events) events, sizeof events / sizeof *events, 2
static const Case CASES[] = {
    {"as it was", RUN(FORKED), true, true, 7, {0, 1, 2, 3, 4, 5, 6}},
    {"nothing", RUN(FORKED), true, true, 0, {0}},
    {"another order", RUN(FORKED), true, true, 5, {0, 1, 2, 4, 3}},
    {"a first part", RUN(FORKED), true, true, 3, {0, 1, 4}},
    {"an event is left out", RUN(FORKED), true, false, 2, {0, 4}},
    {"an event twice", RUN(FORKED), true, false, 3, {0, 1, 1}},
    {"events of a thread change places", RUN(FORKED), true, false, 2, {1, 0}},
    {"before the fork", RUN(FORKED), true, false, 2, {0, 2}},
    {"the join before the end", RUN(FORKED), true, false, 5, {0, 1, 2, 4, 5}},
    {"the join before the beginning", RUN(FORKED), true, false, 4, {0, 1, 4, 5}},
    {"no event", RUN(FORKED), true, false, 1, {7}},
    {"critical sections the other way round", RUN(LOCKED), true, true, 6, {3, 4, 5, 0, 1, 2}},
    {"both in the critical section", RUN(LOCKED), true, false, 3, {0, 1, 3}},
    {"both in it, and locks do not count", RUN(LOCKED), false, true, 4, {0, 1, 3, 4}},
    {"the lock is held at the end", RUN(LOCKED), true, true, 5, {3, 4, 5, 0, 1}},
    {"still held after one of two releases", RUN(REENTRANT), true, false, 5, {0, 1, 2, 5, 6}},
    {"a release of what another one holds", RUN(REENTRANT), true, true, 3, {0, 5, 1}},
    {"free after both releases", RUN(REENTRANT), true, true, 7, {0, 1, 2, 3, 4, 5, 6}},
    {"the number again", RUN(AGAIN), true, true, 6, {0, 1, 2, 3, 4, 5}},
    {"the second thread before its fork", RUN(AGAIN), true, false, 4, {0, 1, 2, 4}},
    {"the first join before the first thread", RUN(AGAIN), true, false, 2, {0, 2}},
    {"a fork of what is running orders what comes after it", RUN(LATE), true, true, 3, {0, 1, 2}},
    {"what comes before that fork may come before", RUN(LATE), true, true, 2, {1, 0}},
    {"what comes after it may not", RUN(LATE), true, false, 2, {0, 2}},
    {"to free is no event", RUN(FREED), true, true, 3, {0, 3, 2}},
    {"joined in a transaction, it is the same thread", RUN(OPEN), true, false, 1, {4}},
    {"joined in a transaction, it goes on", RUN(OPEN), true, true, 5, {0, 1, 2, 4, 3}},
    {"joined after its transactions, the number is another thread", RUN(CLOSED), true, true, 1, {5}},
    {"joined after its exit, the number is another thread", RUN(LEFT), true, true, 1, {4}},
    {"a wait after its signals", RUN(HANDED), true, true, 3, {1, 0, 2}},
    {"a wait before one of its signals", RUN(HANDED), true, false, 2, {0, 2}},
    {"a wait before all of its signals", RUN(HANDED), true, false, 1, {2}},
    {"the next group before the wait", RUN(HANDED), true, true, 4, {0, 4, 1, 2}},
    {"a wait before the next group", RUN(HANDED), true, true, 4, {0, 1, 3, 4}},
    {"the second wait before its group", RUN(HANDED), true, false, 4, {0, 1, 2, 5}},
    {"all waits at the end", RUN(HANDED), true, true, 6, {1, 0, 4, 2, 5, 3}},
    {"hand-overs do not count, with what does not count", RUN(HANDED), false, true, 3, {2, 5, 3}},
    {"a wait of one run, the signal of it", RUNS(TWO_HANDED), true, true, 2, {0, 1}},
    {"a wait of one run, the signal of the other", RUNS(TWO_HANDED), true, false, 3, {4, 5, 1}},
    {"readers together", RUN(SHARED), true, true, 4, {0, 2, 1, 3}},
    {"a writer among readers", RUN(SHARED), true, false, 3, {0, 2, 4}},
    {"a reader beside a writer", RUN(SHARED), true, false, 2, {4, 0}},
    {"a writer after the readers", RUN(SHARED), true, true, 6, {0, 2, 1, 3, 4, 5}},
    {"a writer after one of the readers", RUN(SHARED), true, false, 4, {0, 2, 1, 4}},
    {"a reader beside one who was a writer", RUN(LOWERED), true, true, 4, {0, 1, 2, 3}},
    {"a reader beside one who is a writer still", RUN(LOWERED), true, false, 3, {0, 1, 3}},
    {"a writer beside one who was a writer", RUN(LOWERED), true, false, 4, {0, 1, 2, 4}},
    {"the first run", RUNS(TWO), true, true, 4, {0, 1, 2, 3}},
    {"the second run", RUNS(TWO), true, true, 3, {4, 5, 6}},
    {"both runs of a thread", RUNS(TWO), true, false, 2, {0, 4}},
    {"the fork of one run, the thread of the other", RUNS(TWO), true, true, 2, {0, 5}},
    {"the fork and the join of one run, the thread of the other", RUNS(TWO), true, true, 3, {0, 5, 3}},
    {"the join before the thread of the other is through", RUNS(TWO), true, false, 3, {4, 1, 6}},
    {"the thread of the other run before any fork", RUNS(TWO), true, false, 1, {5}},
    {"a transaction is open at the end of the run before", RUNS(OPEN_BEFORE), true, true, 1, {7}},
};

static JudgeEvent recorded(const void *source, uint64_t number) {
  const Case *c = source;
  CU_ASSERT_FATAL(number < c->n_events);
  return c->events[number];
}

static void test_cases(void) {
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const Case *c = &CASES[i];
    const RecordedRun run = {recorded, c, c->n_events, SECOND, c->n_runs, c->locks, c->locks};
    Heap *heap = heap_new(0);
    Err err = {.text = ""};
    ScheduleJudge *judge = schedule_judge_new(heap, &run);
    const bool good = schedule_judge(judge, c->order, c->n, &err);
    CU_ASSERT_EQUAL(schedule_judge(judge, c->order, c->n, &err), good); /* once more */
    schedule_judge_free(judge);
    if (good != c->good) printf("\n    %s: %s\n", c->what, good ? "accepted" : err.text);
    CU_ASSERT_EQUAL(good, c->good);
    CU_ASSERT(good || err.kind == ERR_CHECK);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
    heap_free(heap);
  }
}

/* What one order has done is nothing to the next. */
static void orders_are_apart(void) {
  static const uint32_t WHOLE[] = {0, 1, 2, 3, 4, 5, 6}, UNFORKED[] = {0, 2};
  const Case c = {"", RUN(FORKED), true, true, 0, {0}};
  const RecordedRun run = {recorded, &c, c.n_events, NULL, 1, true, true};
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  ScheduleJudge *judge = schedule_judge_new(heap, &run);
  CU_ASSERT_TRUE(schedule_judge(judge, WHOLE, 7, &err));
  CU_ASSERT_FALSE(schedule_judge(judge, UNFORKED, 2, &err));
  CU_ASSERT_STRING_EQUAL(err.text, "the predicted run is invalid: event 2 comes before the fork of its thread");
  heap_free(heap);
}

void suite_schedule(void) {
  CU_pSuite suite = CU_add_suite("schedule", NULL, NULL);
  CU_ADD_TEST(suite, test_cases);
  CU_ADD_TEST(suite, orders_are_apart);
}
