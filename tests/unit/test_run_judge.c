/* The judge of runs: what it must refuse, and why, beside what is so much like it that it must be accepted. Each
 * condition of the judge has a row that nothing else refuses. */
#include "check/run_judge.h"
#include "tests/unit/random_run.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 16, MOST_EDGES = 4 };

typedef enum { PLAIN, LOCKS, CAUSAL } Rules;
static const JudgeOptions RULES[] = {{false, false}, {true, false}, {false, true}}; /* ORDER Rules */

/* Of the words of a claim: its transactions, then a kind, and from, and to, of each edge. */
typedef struct {
  const char *run, *transactions, *edges;
  const char *why; /* NULL: accepted; else what the refusal ends with */
  Rules rules;
} Row;

#define ONE "that is one transaction"
#define UNKNOWN_1 "the first is not known"
#define UNKNOWN_2 "the second is not known"
#define BACKWARDS "the second does not come after the first"
#define OTHER_1 "the first is of another transaction"
#define OTHER_2 "the second is of another transaction"
#define NO_ACCESS_1 "the first is not an access"
#define NO_ACCESS_2 "the second is not an access"
#define TWO_OBJECTS "they access different objects"
#define FREED "the object is freed between them"
#define READS "both read"
#define TWO_THREADS "they belong to different threads"
#define JOINED "the thread is joined between them"
#define NO_FORK "the first is not a fork"
#define NOT_FORKED "the second is not of the thread that is forked"
#define NO_JOIN "the second is not a join"
#define NOT_JOINED "the first is neither of the thread that is joined nor its fork"
#define NOT_COUNTED "hand-overs do not count"
#define NO_SIGNAL "the first is no signal"
#define NO_WAIT "the second is no wait"
#define TWO_HANDOVERS "they are of two hand-overs"
#define OTHER_GROUP "there is a wait for the signal, and another signal, between them"
#define NO_REASON "there is no such reason"
#define SHORT "a cycle of fewer than two transactions"

/* The block of T1 that most claims are of: in its middle something follows what it wrote, and is followed by what it
 * reads. */
#define BLOCK(middle) "T1 begin; T1 w x; " middle "; T1 r y"

static const Row ROWS[] = {
    /* the claim itself */
    {BLOCK("T2 r x; T2 w y"), "0 2 3", "conflict 1 2, order 2 3, conflict 3 4", NULL, PLAIN},
    {BLOCK("T2 r x; T2 w y"), "0", "order 1 4", SHORT, PLAIN},
    {BLOCK("T2 r x; T2 w y"), "", "", SHORT, PLAIN},
    {BLOCK("T2 r x; T2 w y"), "0 0", "order 0 1, order 1 4", ONE, PLAIN},
    {BLOCK("T2 r x; T2 w y"), "0 2 3 3", "conflict 1 2, order 2 3, order 3 3, conflict 3 4", ONE, PLAIN},
    {"T0 begin; T0 r x; T1 w x", "0 2", "conflict 1 2, conflict 2 9", UNKNOWN_2, PLAIN},
    {BLOCK("T2 r x; T2 w y"), "0 2 3", "conflict 9 2, order 2 3, conflict 3 4", UNKNOWN_1, PLAIN},

    /* the direction of an edge */
    {BLOCK("T2 r x; T2 w y"), "0 2 3", "conflict 1 2, order 2 3, conflict 4 3", BACKWARDS, PLAIN},
    {"T1 begin; T1 w x; T2 r x; T1 end", "0 2", "conflict 1 2, conflict 2 1", BACKWARDS, PLAIN},
    {"T1 begin; T1 w x; T2 r x; T1 end", "0 2", "conflict 1 2, conflict 2 2", BACKWARDS, PLAIN},
    {"T2 w y; T1 begin; T1 r y; T1 fork 2", "1 0", "fork 3 0, conflict 0 2", BACKWARDS, PLAIN},
    {"T1 begin; T1 w x; T1 join 2; T2 r x", "0 3", "conflict 1 3, join 3 2", BACKWARDS, PLAIN},
    {"T1 begin; T1 w x; T2 r x; T1 end; T1 w x", "0 2 4", "conflict 1 2, conflict 2 4, order 4 1", BACKWARDS, PLAIN},
    {"T1 begin; T1 w x; T2 r x; T1 end", "0 2", "conflict 1 2, gap 2 1", BACKWARDS, PLAIN},

    /* transactions: blocks in blocks, ends and exits */
    {BLOCK("T2 r x; T2 w y"), "1 2 3", "conflict 1 2, order 2 3, conflict 3 4", OTHER_1, PLAIN},
    {BLOCK("T2 r x; T2 w y"), "0 3 2", "conflict 1 2, order 2 3, conflict 3 4", OTHER_2, PLAIN},
    {BLOCK("T2 r x; T2 w y; T1 end"), "0 2 3", "conflict 1 2, order 2 3, conflict 3 5", OTHER_2, PLAIN},
    {BLOCK("T2 r x; T2 w y; T1 exit"), "0 2 3", "conflict 1 2, order 2 3, conflict 3 5", OTHER_2, PLAIN},
    {BLOCK("T2 r x; T2 w y; T2 end"), "0 2 3", "conflict 1 2, order 2 3, conflict 3 5", NULL, PLAIN},
    {BLOCK("T1 begin; T1 end; T2 r x; T2 w y"), "0 4 5", "conflict 1 4, order 4 5, conflict 5 6", NULL, PLAIN},
    {BLOCK("T1 begin; T1 end; T1 end; T2 r x; T2 w y"), "0 5 6", "conflict 1 5, order 5 6, conflict 6 7", OTHER_2,
     PLAIN},
    {BLOCK("T1 begin; T1 exit; T2 r x; T2 w y"), "0 4 5", "conflict 1 4, order 4 5, conflict 5 6", OTHER_2, PLAIN},
    {"T1 end; " BLOCK("T2 r x; T2 w y"), "1 3 4", "conflict 2 3, order 3 4, conflict 4 5", NULL, PLAIN},
    {"T1 begin; T1 begin; T1 w x; T2 r x; T2 w y; T1 r y", "0 3 4", "conflict 2 3, order 3 4, conflict 4 5", NULL,
     PLAIN},
    {"T1 begin; T1 begin; T1 w x; T2 r x; T2 w y; T1 r y", "1 3 4", "conflict 2 3, order 3 4, conflict 4 5", OTHER_1,
     PLAIN},
    {"T1 begin; T1 end; " BLOCK("T2 r x; T2 w y"), "2 4 5", "conflict 3 4, order 4 5, conflict 5 6", NULL, PLAIN},
    {BLOCK("T2 begin; T2 r x; T2 w y"), "0 2", "conflict 1 3, conflict 4 5", NULL, PLAIN},
    {BLOCK("T2 begin; T2 r x; T2 w y"), "0 3 4", "conflict 1 3, order 3 4, conflict 4 5", OTHER_2, PLAIN},

    /* only the block that is looked at is more than one event */
    {BLOCK("T2 begin; T2 r x; T2 w y"), "0 2", "conflict 1 3, conflict 4 5", OTHER_2, CAUSAL},
    {BLOCK("T2 begin; T2 r x; T2 w y"), "0 3 4", "conflict 1 3, order 3 4, conflict 4 5", NULL, CAUSAL},
    {BLOCK("T2 begin; T2 r x; T2 w y"), "2 0", "conflict 4 5, conflict 1 3", OTHER_2, CAUSAL},
    {"T2 begin; " BLOCK("T2 r x; T2 w y"), "1 0", "conflict 2 3, conflict 4 5", OTHER_2, CAUSAL},

    /* conflicts */
    {BLOCK("T2 w x; T2 w y"), "0 2 3", "conflict 1 2, order 2 3, conflict 3 4", NULL, PLAIN},
    {"T1 begin; T1 r x; T2 w x; T1 w x", "0 2", "conflict 1 2, conflict 2 3", NULL, PLAIN},
    {"T1 begin; T1 r x; T2 r x; T1 w x", "0 2", "conflict 1 2, conflict 2 3", READS, PLAIN},
    {"T1 begin; T1 w x; T2 r x; T1 r x", "0 2", "conflict 1 2, conflict 2 3", READS, PLAIN},
    {BLOCK("T2 r x; T2 w z"), "0 2 3", "conflict 1 2, order 2 3, conflict 3 4", TWO_OBJECTS, PLAIN},
    {"T1 begin; T1 acq x; T2 w x; T1 r x", "0 2", "conflict 1 2, conflict 2 3", NO_ACCESS_1, PLAIN},
    {"T1 begin; T1 w x; T2 w x; T1 rel x", "0 2", "conflict 1 2, conflict 2 3", NO_ACCESS_2, PLAIN},
    {"T1 begin; T1 rel x; T2 w x; T1 r x", "0 2", "conflict 1 2, conflict 2 3", NO_ACCESS_1, PLAIN},
    {"T1 begin; T1 w x; T2 acq x; T1 w x", "0 2", "conflict 1 2, conflict 2 3", NO_ACCESS_2, PLAIN},
    {"T1 begin; T1 acq l; T1 rel l; T2 acq l; T2 rel l; T1 acq l", "0 3 4", "conflict 2 3, order 3 4, conflict 4 5",
     NULL, LOCKS},
    {"T1 begin; T1 acq l; T1 rel l; T2 acq l; T2 rel l; T1 acq l", "0 3", "conflict 1 3, conflict 3 5", NULL, LOCKS},
    {"T1 begin; T1 acq l; T1 rel l; T2 acq l; T2 rel l; T1 acq l", "0 3", "conflict 1 3, conflict 3 5", NO_ACCESS_1,
     PLAIN},
    {"T1 begin; T1 w x; T2 free x; T1 r x", "0 2", "conflict 1 2, conflict 2 3", NO_ACCESS_2, LOCKS},
    {"T1 begin; T1 fork 0; T2 w x; T1 r x", "0 2", "conflict 1 2, conflict 2 3", NO_ACCESS_1, LOCKS},
    {"T1 begin; T1 w x; T2 start x; T1 r x", "0 2", "conflict 1 2, conflict 2 3", NO_ACCESS_2, LOCKS},

    /* lives of objects */
    {BLOCK("T3 free x; T2 r x; T2 w y"), "0 3 4", "conflict 1 3, order 3 4, conflict 4 5", FREED, PLAIN},
    {BLOCK("T2 r x; T2 w y; T1 free y"), "0 2 3", "conflict 1 2, order 2 3, conflict 3 5", FREED, PLAIN},
    {"T1 free x; T1 free x; " BLOCK("T2 r x; T2 w y; T1 free x"), "2 4 5", "conflict 3 4, order 4 5, conflict 5 7",
     NULL, PLAIN},
    {BLOCK("T3 free z; T2 r x; T2 w y"), "0 3 4", "conflict 1 3, order 3 4, conflict 4 5", NULL, PLAIN},
    {"T1 begin; T1 acq l; T1 rel l; T1 free l; T2 acq l; T1 acq l", "0 4", "conflict 2 4, conflict 4 5", FREED, LOCKS},

    /* the order of a thread, and its lives */
    {BLOCK("T2 r x; T3 w y"), "0 2 3", "conflict 1 2, order 2 3, conflict 3 4", TWO_THREADS, PLAIN},
    {BLOCK("T2 r x; T3 join 2; T2 w y"), "0 2 4", "conflict 1 2, order 2 4, conflict 4 5", JOINED, PLAIN},
    {BLOCK("T2 r x; T3 join 2; T3 fork 2; T2 w y"), "0 2 5", "conflict 1 2, order 2 5, conflict 5 6", JOINED, PLAIN},
    {BLOCK("T2 r x; T3 join 4; T2 w y"), "0 2 4", "conflict 1 2, order 2 4, conflict 4 5", NULL, PLAIN},
    {BLOCK("T2 r x; T2 join 2; T2 w y"), "0 2 4", "conflict 1 2, order 2 4, conflict 4 5", NULL, PLAIN},
    {BLOCK("T2 r x; T3 fork 2; T2 w y"), "0 2 4", "conflict 1 2, order 2 4, conflict 4 5", NULL, PLAIN},
    {BLOCK("T2 begin; T2 r x; T3 join 2; T2 end; T2 w y"), "0 2 6", "conflict 1 3, order 3 6, conflict 6 7", NULL,
     PLAIN},
    {BLOCK("T2 begin; T2 r x; T2 end; T3 join 2; T2 w y"), "0 2 6", "conflict 1 3, order 3 6, conflict 6 7", JOINED,
     PLAIN},

    /* forks */
    {"T1 begin; T1 fork 2; T2 w y; T1 r y", "0 2", "fork 1 2, conflict 2 3", NULL, PLAIN},
    {"T1 begin; T1 fork 2; T3 w y; T1 r y", "0 2", "fork 1 2, conflict 2 3", NOT_FORKED, PLAIN},
    {"T1 begin; T1 fork 2; T3 join 2; T2 w y; T1 r y", "0 3", "fork 1 3, conflict 3 4", NOT_FORKED, PLAIN},
    {"T2 r x; T3 join 2; T1 begin; T1 fork 2; T2 w y; T1 r y", "2 4", "fork 3 4, conflict 4 5", NULL, PLAIN},
    {"T2 begin; T1 begin; T1 join 2; T2 w y; T1 r y", "1 0", "fork 2 3, conflict 3 4", NO_FORK, PLAIN},
    {BLOCK("T2 r x; T2 fork 2; T2 w y"), "0 2 3 4", "conflict 1 2, order 2 3, fork 3 4, conflict 4 5", NOT_FORKED,
     PLAIN},

    /* joins */
    {"T1 begin; T1 w x; T2 r x; T1 join 2", "0 2", "conflict 1 2, join 2 3", NULL, PLAIN},
    {"T1 begin; T1 w x; T2 r x; T1 join 3", "0 2", "conflict 1 2, join 2 3", NOT_JOINED, PLAIN},
    {"T1 begin; T1 w x; T2 r x; T1 fork 2", "0 2", "conflict 1 2, join 2 3", NO_JOIN, PLAIN},
    {"T1 begin; T1 w x; T2 r x; T3 join 2; T3 fork 2; T1 join 2", "0 2", "conflict 1 2, join 2 5", NOT_JOINED, PLAIN},
    {"T2 r x; T3 join 2; T1 begin; T1 w x; T2 r x; T1 join 2", "2 4", "conflict 3 4, join 4 5", NULL, PLAIN},
    {"T1 begin; T1 w x; T2 r x; T2 join 2; T1 join 2", "0 2", "conflict 1 2, join 2 4", NULL, PLAIN},
    {"T1 begin; T1 w x; T2 r x; T2 join 2; T1 join 2", "0 2 3", "conflict 1 2, join 2 3, join 3 4", NOT_JOINED, PLAIN},
    {"T1 begin; T1 w x; T3 r x; T3 fork 2; T1 join 2", "0 2 3", "conflict 1 2, order 2 3, join 3 4", NULL, PLAIN},
    {"T1 begin; T1 w x; T3 r x; T3 fork 4; T1 join 2", "0 2 3", "conflict 1 2, order 2 3, join 3 4", NOT_JOINED, PLAIN},
    {"T1 begin; T1 w x; T3 r x; T3 fork 2; T4 join 2; T4 fork 2; T1 join 2", "0 2 3",
     "conflict 1 2, order 2 3, join 3 6", NOT_JOINED, PLAIN},
    {"T2 begin; T1 begin; T1 w x; T3 r x; T3 join 2; T1 join 2", "1 3 4", "conflict 2 3, order 3 4, join 4 5",
     NOT_JOINED, PLAIN},

    /* later operations on variables and locks */
    {BLOCK("T2 rmw x; T2 w y"), "0 2 3", "conflict 1 2, order 2 3, conflict 3 4", NULL, PLAIN},
    {"T1 begin; T1 r x; T2 rmw x; T1 r x", "0 2", "conflict 1 2, conflict 2 3", NULL, PLAIN},
    {"T1 begin; T1 sacq l; T2 try l; T1 srel l", "0 2", "conflict 1 2, conflict 2 3", NULL, LOCKS},
    {"T1 begin; T1 sacq l; T2 stry l; T1 rel l", "0 2", "conflict 1 2, conflict 2 3", READS, LOCKS},
    {"T1 begin; T1 rel l; T2 srel l; T1 sacq l", "0 2", "conflict 1 2, conflict 2 3", READS, LOCKS},
    {"T1 begin; T1 sacq l; T2 w l; T1 r l", "0 2", "conflict 1 2, conflict 2 3", NO_ACCESS_1, PLAIN},
    {"T1 begin; T1 w l; T2 try l; T1 r l", "0 2", "conflict 1 2, conflict 2 3", NO_ACCESS_2, PLAIN},

    /* hand-overs */
    {"T1 begin; T1 sig x; T2 wait x; T2 w y; T1 r y", "0 2 3", "handover 1 2, order 2 3, conflict 3 4", NULL, LOCKS},
    {"T1 begin; T1 sig x; T2 wait x; T2 w y; T1 r y", "0 2 3", "handover 1 2, order 2 3, conflict 3 4", NOT_COUNTED,
     PLAIN},
    {"T1 begin; T1 sig x; T2 wait y; T2 w y; T1 r y", "0 2 3", "handover 1 2, order 2 3, conflict 3 4", TWO_HANDOVERS,
     LOCKS},
    {"T1 begin; T1 sig x; T2 sig x; T2 w y; T1 r y", "0 2 3", "handover 1 2, order 2 3, conflict 3 4", NO_WAIT, LOCKS},
    {"T1 begin; T1 wait x; T2 wait x; T2 w y; T1 r y", "0 2 3", "handover 1 2, order 2 3, conflict 3 4", NO_SIGNAL,
     LOCKS},
    {"T1 begin; T1 sig x; T2 wait x; T2 w y; T1 r y", "0 2 3", "conflict 1 2, order 2 3, conflict 3 4", NO_ACCESS_1,
     LOCKS},
    {"T1 begin; T1 sig x; T3 wait x; T2 wait x; T1 wait x", "0 3", "handover 1 3, handover 3 4", NO_SIGNAL, LOCKS},
    {"T1 begin; T1 sig x; T3 wait x; T2 wait x; T2 w y; T1 r y", "0 3 4", "handover 1 3, order 3 4, conflict 4 5", NULL,
     LOCKS},
    {"T1 begin; T1 sig x; T3 sig x; T2 wait x; T2 w y; T1 r y", "0 3 4", "handover 1 3, order 3 4, conflict 4 5", NULL,
     LOCKS},
    {"T1 begin; T1 sig x; T3 wait x; T3 sig x; T2 wait x; T2 w y; T1 r y", "0 4 5",
     "handover 1 4, order 4 5, conflict 5 6", OTHER_GROUP, LOCKS},
    {"T1 begin; T1 sig x; T3 wait y; T3 sig y; T2 wait x; T2 w y; T1 r y", "0 4 5",
     "handover 1 4, order 4 5, conflict 5 6", NULL, LOCKS},

    {BLOCK("T2 r x; T2 w y"), "0 2 3", "conflict 1 2, nothing 2 3, conflict 3 4", NO_REASON, PLAIN},

    /* what was left out is believed, but neither its direction nor its transactions */
    {BLOCK("T2 r x; T3 w z"), "0 2 3", "conflict 1 2, order 2 3, gap 3 4", TWO_THREADS, PLAIN},
    {BLOCK("T2 r x; T3 w z"), "0 2 3", "conflict 1 2, gap 2 3, gap 3 4", NULL, PLAIN},
    {BLOCK("T2 r x; T3 w z"), "0 2 3", "conflict 1 2, gap 2 4, gap 3 4", OTHER_2, PLAIN},
};
enum { N_ROWS = sizeof ROWS / sizeof *ROWS };

/* ---- reading a row ---- */

static uint32_t find_word(const char *const *words, uint32_t n, const char *word) {
  for (uint32_t i = 0; i < n; i++)
    if (strcmp(words[i], word) == 0) return i;
  printf("\n'%s'\n", word);
  CU_FAIL_FATAL("a word that a row must not have");
  return 0;
}

static const char *after(const char *text, char separator) {
  const char *at = strchr(text, separator);
  return at ? at + 1 : NULL;
}

static uint32_t read_run(const char *text, JudgeEvent *events) {
  uint32_t n = 0;
  for (; text; text = after(text, ';'), n++) {
    char op[10], object = 0;
    unsigned thread;
    const int fields = sscanf(text, " T%u %9[a-z] %c", &thread, op, &object);
    CU_ASSERT_FATAL(fields >= 2 && n < MOST_EVENTS);
    events[n] = (JudgeEvent){thread, UINT32_MAX, (JudgeOp)find_word(RUN_OPS, TRACE_OPS, op)};
    if (fields == 3) events[n].object = (uint32_t)(object >= 'l' ? (object - 'x') & 31 : object - '0');
  }
  return n;
}

static uint32_t read_transactions(const char *text, uint64_t *transactions) {
  char *end;
  uint32_t n = 0;
  for (; *text; text = end) {
    CU_ASSERT_FATAL(n < MOST_EDGES);
    transactions[n++] = strtoull(text, &end, 10);
  }
  return n;
}

static uint32_t read_edges(const char *text, JudgeEdge *edges) {
  static const char *const kinds[] = {"conflict", "order", "fork", "join", "handover", "gap", "nothing"};
  uint32_t n = 0;
  for (; text && *text; text = after(text, ','), n++) {
    char kind[10];
    unsigned long long from = 0, to = 0;
    CU_ASSERT_FATAL(n < MOST_EDGES && sscanf(text, " %9[a-z] %llu %llu", kind, &from, &to) == 3);
    edges[n] = (JudgeEdge){(JudgeReason)find_word(kinds, sizeof kinds / sizeof *kinds, kind), from, to};
  }
  return n;
}

typedef struct {
  uint64_t transactions[MOST_EDGES];
  JudgeEdge edges[MOST_EDGES];
  JudgeCycle cycle;
} Claim;

static void read_claim(const Row *row, Claim *claim) {
  const uint32_t n = read_transactions(row->transactions, claim->transactions);
  CU_ASSERT_EQUAL_FATAL(read_edges(row->edges, claim->edges), n);
  claim->cycle = (JudgeCycle){n, claim->transactions, claim->edges};
}

/* ---- the table ---- */

static bool judge(const JudgeCycle *cycles, uint32_t n_cycles, const char *run, const JudgeOptions *rules, Err *err) {
  Heap *heap = heap_new(0);
  JudgeEvent events[MOST_EVENTS];
  const uint32_t n = read_run(run, events);
  RunJudge *judge = run_judge_new(heap, cycles, n_cycles, rules);
  for (uint32_t i = 0; i < n && run_judge_see(judge, &events[i]);) i++;
  const bool good = run_judge_decide(judge, err);
  run_judge_free(judge);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
  return good;
}

static bool ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static void each_claim_is_refused_for_its_reason(void) {
  for (uint32_t i = 0; i < N_ROWS; i++) {
    const Row *row = &ROWS[i];
    Claim claim;
    Err err = {.text = "accepted"};
    read_claim(row, &claim);
    const bool good = judge(&claim.cycle, 1, row->run, &RULES[row->rules], &err);
    const bool right = row->why ? !good && err.kind == ERR_CHECK && ends_with(err.text, row->why) : good;
    if (!right)
      printf("\n%s\n%s: %s\n%s, not %s\n", row->run, row->transactions, row->edges, err.text,
             row->why ? row->why : "accepted");
    CU_ASSERT_TRUE(right);
  }
}

/* The refusal says of which events and transactions it is. */
static void the_refusal_names_the_edge(void) {
  const Row row = {BLOCK("T2 r x; T3 w y"), "0 2 3", "conflict 1 2, order 2 3, conflict 3 4", TWO_THREADS, PLAIN};
  Claim claim;
  Err err = {0};
  read_claim(&row, &claim);
  CU_ASSERT_FALSE(judge(&claim.cycle, 1, row.run, &RULES[row.rules], &err));
  CU_ASSERT_STRING_EQUAL(err.text,
                         "events 2 and 3 do not order the transactions that begin with events 2 and 3: " TWO_THREADS);
}

static void every_cycle_is_judged(void) {
  const Row rows[] = {{NULL, "0 2 3", "conflict 1 2, order 2 3, conflict 3 4", NULL, PLAIN},
                      {NULL, "0 2 3", "conflict 1 2, order 2 3, conflict 1 4", NULL, PLAIN}};
  Claim claims[2];
  for (uint32_t i = 0; i < 2; i++) read_claim(&rows[i], &claims[i]);
  const JudgeCycle good[] = {claims[0].cycle, claims[0].cycle}, bad[] = {claims[0].cycle, claims[1].cycle};
  Err err;
  CU_ASSERT_TRUE(judge(NULL, 0, ROWS[0].run, &RULES[PLAIN], &err));
  CU_ASSERT_TRUE(judge(good, 2, ROWS[0].run, &RULES[PLAIN], &err));
  CU_ASSERT_FALSE(judge(bad, 2, ROWS[0].run, &RULES[PLAIN], &err));
}

static void the_run_is_read_as_far_as_it_is_needed(void) {
  Heap *heap = heap_new(0);
  JudgeEvent events[MOST_EVENTS];
  Claim claim;
  read_claim(&ROWS[0], &claim);
  const uint32_t n = read_run(BLOCK("T2 r x; T2 w y") "; T1 w z; T1 end", events);
  RunJudge *judge = run_judge_new(heap, &claim.cycle, 1, &RULES[PLAIN]);
  for (uint32_t i = 0; i < n; i++) CU_ASSERT_EQUAL(run_judge_see(judge, &events[i]), i < 4);
  Err err;
  CU_ASSERT_TRUE(run_judge_decide(judge, &err));
  run_judge_free(judge);
  run_judge_free(NULL);
  heap_free(heap);
}

/* ---- where the run cannot be had again ---- */

typedef struct {
  uint64_t number, transaction;
  JudgeEvent event;
} Word;

static void expect_belief(const Word *words, uint32_t n, const char *why) {
  const Row row = {NULL, "0 2", "conflict 1 2, conflict 2 3", NULL, PLAIN};
  Heap *heap = heap_new(0);
  Claim claim;
  Err err = {.text = "accepted"};
  read_claim(&row, &claim);
  RunJudge *judge = run_judge_new(heap, &claim.cycle, 1, &RULES[row.rules]);
  for (uint32_t i = 0; i < n; i++) run_judge_believe(judge, words[i].number, &words[i].event, words[i].transaction);
  const bool good = run_judge_decide(judge, &err);
  CU_ASSERT_EQUAL(good, !why);
  if (why && !ends_with(err.text, why)) printf("\n%s, not %s\n", err.text, why);
  CU_ASSERT_TRUE(!why || ends_with(err.text, why));
  heap_free(heap);
}

#define BELIEVE(why, ...) \
  expect_belief((const Word[]){__VA_ARGS__}, sizeof(const Word[]){__VA_ARGS__} / sizeof(Word), why)

static void what_is_believed_must_agree(void) {
  const Word first = {1, 0, {1, 0, JUDGE_WRITE}}, second = {2, 2, {2, 0, JUDGE_WRITE}},
             third = {3, 0, {1, 0, JUDGE_READ}};
  const Word read = {2, 2, {2, 0, JUDGE_READ}}, elsewhere = {2, 2, {2, 7, JUDGE_WRITE}},
             other = {2, 1, {2, 0, JUDGE_WRITE}};
  const Word vague = {2, 2, {2, UINT32_MAX, JUDGE_WRITE}}, begin = {2, 2, {2, UINT32_MAX, JUDGE_BEGIN}};
  const Word number = {2, 2, {2, 7, JUDGE_BEGIN}}, fork = {2, 2, {2, 0, JUDGE_FORK}};
  BELIEVE(NULL, first, second, third);
  BELIEVE(UNKNOWN_1, second, third);
  BELIEVE(UNKNOWN_2, first, third);
  BELIEVE(UNKNOWN_2, first, second);
  BELIEVE(OTHER_2, first, other, third);
  BELIEVE(READS, first, read, third);
  BELIEVE(READS, first, read, second, third); /* what was said first stays */
  BELIEVE(TWO_OBJECTS, first, elsewhere, second, third);
  BELIEVE(NO_ACCESS_2, first, fork, second, third);
  BELIEVE(TWO_OBJECTS, first, vague, third);
  BELIEVE(NULL, first, vague, second, third); /* but for what did not tell the object */
  BELIEVE(NULL, first, begin, second, third);
  BELIEVE(NULL, first, number, second, third);
  BELIEVE(NULL, first, {9, 0, {0, 0, JUDGE_READ}}, second, third); /* what was not asked for */
}

void suite_run_judge(void) {
  CU_pSuite suite = CU_add_suite("run judge", NULL, NULL);
  CU_ADD_TEST(suite, each_claim_is_refused_for_its_reason);
  CU_ADD_TEST(suite, the_refusal_names_the_edge);
  CU_ADD_TEST(suite, every_cycle_is_judged);
  CU_ADD_TEST(suite, the_run_is_read_as_far_as_it_is_needed);
  CU_ADD_TEST(suite, what_is_believed_must_agree);
}
