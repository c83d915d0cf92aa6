/* The analyses of Wang and Stoller: the paper's examples, and what is true of all traces of small random sets. */
#include "base/hash.h"
#include "predict/analysis/analysis.h"
#include "tests/oracle/all_traces.h"
#include "tests/unit/skip.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 256 };

/* ---- runs ---- */

typedef struct {
  TraceEvent events[MOST_EVENTS];
  uint32_t n;
} Run;

static void put(Run *run, uint32_t thread, TraceOp op, uint32_t object) {
  CU_ASSERT_FATAL(run->n < MOST_EVENTS);
  run->events[run->n] = (TraceEvent){thread, object, run->n, (uint8_t)op};
  run->n++;
}

/* "+l wx rx -l": acquire, write, read, release; "f2", "j2": fork, join; "(" and ")": begin and end. Objects are
 * letters. */
static void put_text(Run *run, uint32_t thread, const char *text) {
  static const char letters[] = "rw+-fj()";
  for (; *text; text += text[1] && text[0] != ' ' ? 2 : 1) {
    if (*text == ' ') continue;
    const char *at = strchr(letters, *text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    const TraceOp op = (TraceOp)(at - letters);
    const uint32_t object = op >= TRACE_BEGIN ? TRACE_NONE : (uint32_t)(text[1] - (text[1] >= 'a' ? 'a' : '0'));
    put(run, thread, op, object);
    if (op >= TRACE_BEGIN && text[1]) CU_ASSERT_EQUAL_FATAL(text[1], ' ');
  }
}

/* Each text is a transaction of a thread of its own; its label is that thread's number. */
static void put_transactions(Run *run, const char *const *texts) {
  for (uint32_t t = 0; texts[t]; t++) {
    put(run, t, TRACE_BEGIN, t);
    put_text(run, t, texts[t]);
    put(run, t, TRACE_END, TRACE_NONE);
  }
}

static void show(const Run *run) {
  static const char *const ops[] = {"r", "w", "acq", "rel", "fork", "join", "begin", "end", "start", "exit", "free"};
  for (uint32_t i = 0; i < run->n; i++)
    printf("%3u T%u|%s(%d)\n", i, run->events[i].thread, ops[run->events[i].op], (int)run->events[i].object);
}

static Analysis *analysed(Heap *heap, const Run *run, AnalysisKind kind, RaceTest test) {
  Analysis *analysis = analysis_new(heap, &(AnalysisOptions){kind, test, 0});
  const uint32_t half = run->n / 2;
  analysis_feed(analysis, run->events, half);
  analysis_feed(analysis, run->events + half, run->n - half);
  analysis_finish(analysis);
  return analysis;
}

typedef struct {
  Verdict verdict;
  uint32_t deadlocks;
  bool certain;   /* all findings of blocks are, at least of their transactions alone */
  uint32_t whole; /* findings that are certain of all transactions together */
} Answer;

static Answer answer_of(const Run *run, AnalysisKind kind, RaceTest test) {
  Heap *heap = heap_new(0);
  Analysis *analysis = analysed(heap, run, kind, test);
  Answer answer = {analysis_verdict(analysis), 0, true, 0};
  analysis_deadlocks(analysis, &answer.deadlocks);
  uint32_t n;
  const AnalysisRow *rows = analysis_rows(analysis, &n);
  for (uint32_t i = 0; i < n; i++)
    if (rows[i].pattern != PATTERN_NONE) {
      answer.certain = answer.certain && rows[i].certainty != CERTAIN_NOT;
      answer.whole += rows[i].certainty == CERTAIN_WHOLE;
    }
  analysis_free(analysis);
  heap_free(heap);
  return answer;
}

/* ---- the paper's examples ---- */

typedef struct {
  uint32_t number; /* in the paper; 0: ours */
  const char *transactions[5];
  bool by_pairs, by_common_locks; /* reduction proves it, with Theorem 4.3, with 4.4 */
  bool atomic;                    /* by blocks */
  bool deadlock;
} Example;

static const Example EXAMPLES[] = {
    {1, {"rx wx", "rx"}, true, false, true, false},
    {3, {"+l wx -l +l wy -l", "+l wx -l +l wy -l"}, false, false, false, false},
    {4, {"+l rx ry -l", "+l rx -l +l ry -l"}, false, false, true, false},
    {5, {"+l wx -l", "+l rx -l +l wx -l"}, false, false, false, false},
    {6, {"+l wx -l rx", "+l rx -l"}, true, false, true, false},
    {7, {"wx wx", "wx"}, false, false, true, false},
    {8, {"+l rx -l wy", "+l rx -l wy"}, false, false, true, false},
    {9, {"+l wx rx -l +l wx -l", "+l wx rx -l +l wx -l"}, false, false, true, false},
    {10, {"+a +b -b rx rx -a", "+b +a -a wx -b"}, false, false, false, true},
    {11, {"+a rx +b wx rx -b -a", "wx"}, false, false, false, false},
    {13, {"+l rx wx -l wx", "+l wx -l"}, false, false, false, false},
    {14, {"+a rx rx rx rx rx rx -a", "+a wx -a"}, true, true, true, false},
    {15, {"+l wx rx rx -l", "+l wx -l +l wx -l"}, false, false, true, false},
    {16, {"wx wy", "rx wz", "rz ry"}, false, false, false, false},
    /* R(x) W(x) W(y) R(y), but not W(x) R(x) R(y) W(y): blocks.h */
    {0, {"+l wx wy -l", "rx +l -l ry"}, false, false, false, false},
    /* one variable, three transactions (Theorem 5.3); reads that Theorem 4.4 does not allow; one non-mover */
    {0, {"+l rx wx -l", "+l rx wx -l", "+l wx -l"}, true, true, true, false},
    {0, {"rx rx", "rx"}, true, false, true, false},
    {0, {"+l wx -l", "+m wx -m"}, true, true, true, false},
};

static void paper_examples(void) {
  for (size_t i = 0; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++) {
    const Example *example = &EXAMPLES[i];
    Run run = {.n = 0};
    put_transactions(&run, example->transactions);
    const Answer pairs = answer_of(&run, ANALYSIS_REDUCTION, RACES_PAIRWISE);
    const Answer common = answer_of(&run, ANALYSIS_REDUCTION, RACES_COMMON_LOCKS);
    const Answer blocks = answer_of(&run, ANALYSIS_BLOCKS, RACES_PAIRWISE);
    const Answer both = answer_of(&run, ANALYSIS_COMBINED, RACES_PAIRWISE);
    const bool good = (pairs.verdict == VERDICT_HOLDS) == example->by_pairs &&
                      (common.verdict == VERDICT_HOLDS) == example->by_common_locks &&
                      blocks.verdict != VERDICT_UNKNOWN && (blocks.verdict == VERDICT_HOLDS) == example->atomic &&
                      both.verdict == blocks.verdict && (blocks.deadlocks > 0) == example->deadlock &&
                      blocks.certain == !example->deadlock &&
                      (all_traces_study(run.events, run.n).atomic == example->atomic || example->deadlock);
    CU_ASSERT_TRUE(good);
    if (!good)
      printf("example %u (%zu): reduction %d %d, blocks %d, combined %d, deadlocks %u\n", example->number, i,
             pairs.verdict, common.verdict, blocks.verdict, both.verdict, blocks.deadlocks);
  }
}

/* ---- random sets ---- */

static uint32_t draw(uint64_t *random, uint32_t n) {
  *random = hash_word(*random);
  return (uint32_t)((*random >> 32) * n >> 32);
}

typedef struct {
  uint32_t threads, transactions;   /* transactions: of each thread, at most */
  uint32_t variables, locks, steps; /* steps of a transaction, at most; without releases */
  uint32_t most_held;
  bool unnested,
      outside; /* locks may be released in any order; and held across transactions, and accesses stand outside */
  bool forks;  /* thread 0 forks and joins the others at any place */
} SetShape;

typedef struct {
  uint32_t held[4], n;
} Stack;

static void random_lock(Run *run, uint32_t t, const SetShape *shape, Stack *stack, uint64_t *random) {
  const uint32_t lock = shape->variables + draw(random, shape->locks);
  const bool full = stack->n == shape->most_held;
  if (stack->n && (full || draw(random, 2))) {
    const uint32_t i = shape->unnested ? draw(random, stack->n) : stack->n - 1;
    put(run, t, TRACE_RELEASE, stack->held[i]);
    for (uint32_t k = i + 1; k < stack->n; k++) stack->held[k - 1] = stack->held[k];
    stack->n--;
  } else if (!full) {
    put(run, t, TRACE_ACQUIRE, lock);
    stack->held[stack->n++] = lock;
  }
}

static void random_step(Run *run, uint32_t t, const SetShape *shape, Stack *stack, uint64_t *random) {
  if (shape->locks && draw(random, 5) < 2) random_lock(run, t, shape, stack, random);
  else put(run, t, draw(random, 2) ? TRACE_WRITE : TRACE_READ, draw(random, shape->variables));
}

static void release_all(Run *run, uint32_t t, Stack *stack) {
  while (stack->n) put(run, t, TRACE_RELEASE, stack->held[--stack->n]);
}

/* One thread after another: that is a trace, whatever they do. */
static void random_thread(Run *run, uint32_t t, const SetShape *shape, uint64_t *random) {
  Stack stack = {.n = 0};
  const uint32_t n = 1 + draw(random, shape->transactions);
  for (uint32_t i = 0; i < n; i++) {
    if (shape->outside && draw(random, 3) == 0) random_step(run, t, shape, &stack, random);
    put(run, t, TRACE_BEGIN, t);
    const uint32_t steps = 1 + draw(random, shape->steps);
    for (uint32_t k = 0; k < steps; k++) random_step(run, t, shape, &stack, random);
    if (!shape->outside || draw(random, 2)) release_all(run, t, &stack);
    put(run, t, TRACE_END, TRACE_NONE);
  }
  release_all(run, t, &stack);
}

static void random_forked(Run *run, const SetShape *shape, uint64_t *random) {
  uint32_t next = 1, open = 0;
  bool joined[ALL_TRACES_THREADS] = {false};
  put(run, 0, TRACE_BEGIN, 0);
  for (uint32_t k = 0; k < shape->steps + 2 * shape->threads; k++) {
    const uint32_t what = draw(random, 5);
    if (what == 0 && next < shape->threads) {
      put(run, 0, TRACE_FORK, next);
      random_thread(run, next++, shape, random);
    } else if (what == 1 && next > 1) {
      const uint32_t t = 1 + draw(random, next - 1);
      if (!joined[t]) put(run, 0, TRACE_JOIN, t), joined[t] = true;
    } else if (what == 2 && open == 0) {
      put(run, 0, TRACE_END, TRACE_NONE);
      put(run, 0, TRACE_BEGIN, 0);
    } else {
      put(run, 0, draw(random, 2) ? TRACE_WRITE : TRACE_READ, draw(random, shape->variables));
    }
  }
  put(run, 0, TRACE_END, TRACE_NONE);
}

static void random_set(Run *run, uint64_t seed, const SetShape *shape) {
  uint64_t random = hash_word(seed);
  run->n = 0;
  if (shape->forks) random_forked(run, shape, &random);
  else
    for (uint32_t t = 0; t < shape->threads; t++) random_thread(run, t, shape, &random);
}

/* What is asked of a set. */
typedef enum {
  EXACT,       /* without potential deadlock the blocks are right both ways, and certain; and there is no deadlock */
  NEVER_CLAIMS /* what is not atomic is not said to be */
} Demand;

typedef struct {
  uint32_t sets, compared, atomic, reduced, reduced_by_common, deadlocks, unknown, whole;
} Tally;

static bool agrees(const Run *run, Demand demand, Tally *tally) {
  CU_ASSERT_FATAL(run->n <= ALL_TRACES_MOST);
  const AllTraces truth = all_traces_study(run->events, run->n);
  const Answer blocks = answer_of(run, ANALYSIS_BLOCKS, RACES_PAIRWISE);
  const Answer both = answer_of(run, ANALYSIS_COMBINED, RACES_PAIRWISE);
  const Answer pairs = answer_of(run, ANALYSIS_REDUCTION, RACES_PAIRWISE);
  const Answer common = answer_of(run, ANALYSIS_REDUCTION, RACES_COMMON_LOCKS);
  const Answer both_common = answer_of(run, ANALYSIS_COMBINED, RACES_COMMON_LOCKS);
  const Verdict verdicts[] = {blocks.verdict, both.verdict, pairs.verdict, common.verdict, both_common.verdict};
  tally->sets++;
  tally->atomic += truth.atomic;
  tally->reduced += pairs.verdict == VERDICT_HOLDS;
  tally->reduced_by_common += common.verdict == VERDICT_HOLDS;
  tally->deadlocks += truth.deadlock;
  tally->unknown += blocks.verdict == VERDICT_UNKNOWN;
  for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
    if (verdicts[i] == VERDICT_HOLDS && !truth.atomic) return printf("claim %zu\n", i), false;
  tally->whole += blocks.whole > 0;
  if ((blocks.whole || both.whole) && truth.atomic) return puts("certain of the whole"), false;
  if (common.verdict == VERDICT_HOLDS && pairs.verdict != VERDICT_HOLDS) return puts("4.4 proves, 4.3 does not"), false;
  if (blocks.deadlocks == 0 && truth.deadlock) return puts("deadlock"), false;
  if (demand != EXACT) return true;
  if (blocks.deadlocks) return true;
  tally->compared++;
  if (blocks.verdict != (truth.atomic ? VERDICT_HOLDS : VERDICT_VIOLATED)) return puts("blocks"), false;
  if (both.verdict != blocks.verdict || both_common.verdict != blocks.verdict) return puts("combined"), false;
  return blocks.certain && both.certain ? true : (puts("not certain"), false);
}

static void random_sets(const SetShape *shape, uint64_t first, uint32_t n, Demand demand) {
  Tally tally = {0};
  for (uint64_t seed = first; seed < first + n; seed++) {
    Run run;
    random_set(&run, seed, shape);
    if (agrees(&run, demand, &tally)) continue;
    printf("seed %llu:\n", (unsigned long long)seed);
    show(&run);
    CU_FAIL("the analysis does not agree with all traces");
    return;
  }
  printf("(%u sets, %u compared, %u atomic, %u certainly not, %u and %u by reduction, %u with deadlock, %u unknown) ",
         tally.sets, tally.compared, tally.atomic, tally.whole, tally.reduced, tally.reduced_by_common, tally.deadlocks,
         tally.unknown);
  CU_ASSERT_TRUE(tally.atomic > tally.sets / 20 && tally.atomic < tally.sets && tally.whole > tally.sets / 100);
}

/*                                        threads, transactions, variables, locks, steps, held */
static const SetShape TWO_ONE = {2, 1, 1, 2, 7, 2, false, false, false};
static const SetShape TWO_TWO = {2, 1, 2, 2, 8, 2, false, false, false};
static const SetShape TWO_THREE = {2, 1, 3, 3, 9, 3, false, false, false};
static const SetShape TWO_BARE = {2, 1, 2, 0, 6, 0, false, false, false};
static const SetShape LOCKS = {2, 1, 1, 4, 10, 4, false, false, false};
static const SetShape THREE_LOCKS = {3, 1, 2, 3, 6, 3, false, false, false};
static const SetShape THREE = {3, 1, 3, 2, 6, 2, false, false, false};
static const SetShape THREE_BARE = {3, 1, 4, 0, 3, 0, false, false, false};
static const SetShape FOUR = {4, 1, 4, 0, 2, 0, false, false, false};
static const SetShape SEVERAL = {3, 2, 3, 2, 3, 2, false, false, false};
static const SetShape WILD = {3, 2, 2, 2, 3, 2, true, true, false};
static const SetShape ONE_VARIABLE = {2, 3, 1, 1, 2, 1, false, true, false};
static const SetShape FORKED = {3, 2, 2, 1, 3, 1, false, true, true};

static void two_transactions(void) {
  random_sets(&TWO_ONE, 1, 8000, EXACT);
  random_sets(&TWO_TWO, 100000, 8000, EXACT);
  random_sets(&TWO_THREE, 200000, 4000, EXACT);
  random_sets(&TWO_BARE, 300000, 4000, EXACT);
}

static void deadlocks(void) {
  random_sets(&LOCKS, 350000, 4000, EXACT);
  random_sets(&THREE_LOCKS, 360000, 1500, EXACT);
}

static void more_transactions(void) {
  random_sets(&THREE, 400000, 3000, EXACT);
  random_sets(&THREE_BARE, 500000, 3000, EXACT);
  random_sets(&FOUR, 600000, 2000, EXACT);
}

static void nothing_is_claimed_wrongly(void) {
  random_sets(&SEVERAL, 700000, 2000, NEVER_CLAIMS);
  random_sets(&WILD, 800000, 2000, NEVER_CLAIMS);
  random_sets(&FORKED, 900000, 2000, NEVER_CLAIMS);
  random_sets(&FORKED, 2935900, 100,
              NEVER_CLAIMS); /* what a cycle shows is overwritten by a thread that is forked later */
  random_sets(&ONE_VARIABLE, 1000000, 3000, NEVER_CLAIMS);
}

/* ---- what the blocks are ---- */

static AnalysisSize size_of(const char *const *transactions) {
  Run run = {.n = 0};
  put_transactions(&run, transactions);
  Heap *heap = heap_new(0);
  const AnalysisSize size = analysis_size(analysed(heap, &run, ANALYSIS_BLOCKS, RACES_PAIRWISE));
  heap_free(heap);
  return size;
}

/* (12): two blocks. (14): one; and a hundred transactions like it make no more. A long one is thinned out. */
static void equal_blocks_are_one(void) {
  CU_ASSERT_EQUAL(size_of((const char *const[]){"+a rx +b wx rx -b -a", "wx", NULL}).spans, 2);
  CU_ASSERT_EQUAL(size_of((const char *const[]){"+a rx rx rx rx rx rx -a", "wx", NULL}).spans, 1);
  Heap *heap = heap_new(0);
  Analysis *analysis = analysis_new(heap, &(AnalysisOptions){ANALYSIS_BLOCKS, RACES_PAIRWISE, 0});
  for (uint32_t i = 0; i < 400; i++) {
    const uint32_t t = i % 2;
    analysis_feed(analysis, &(TraceEvent){t, 0, t, TRACE_BEGIN}, 1);
    for (uint32_t k = 0; k <= i; k++)
      analysis_feed(analysis, (TraceEvent[]){{t, 5, 1, TRACE_READ}, {t, 5, 1, TRACE_WRITE}, {t, 5, 1, TRACE_READ}}, 3);
    analysis_feed(analysis, &(TraceEvent){t, TRACE_NONE, 0, TRACE_END}, 1);
  }
  analysis_finish(analysis);
  const AnalysisSize size = analysis_size(analysis);
  CU_ASSERT_TRUE(size.transactions == 400 && size.shapes <= 6 && size.spans <= 10);
  heap_free(heap);
}

/* One of each class under swapping the two and renaming the variables, as a text: who does what
 * in which order. */
static void normal_form(const ViewEvent *events, char *text) {
  char best[16] = "~";
  for (uint32_t change = 0; change < 4; change++) {
    char form[16];
    for (uint32_t i = 0; i < 4; i++) {
      form[3 * i] = (char)('0' + (events[i].transaction ^ (change & 1)));
      form[3 * i + 1] = (char)('x' + (events[i].variable ^ change >> 1));
      form[3 * i + 2] = events[i].write ? 'W' : 'R';
    }
    form[12] = '\0';
    if (strcmp(form, best) < 0) strcpy(best, form);
  }
  strcpy(text, best);
}

enum { FORMS = 200 };

static uint32_t add_form(char (*forms)[16], uint32_t n, const ViewEvent *events) {
  normal_form(events, forms[n]);
  for (uint32_t i = 0; i < n; i++)
    if (strcmp(forms[i], forms[n]) == 0) return n;
  return n + 1;
}

/* All interleavings of two 2-blocks that are unserializable. */
static uint32_t generate_forms(char (*forms)[16]) {
  static const uint8_t orders[6][4] = {{0, 1, 2, 3}, {2, 3, 0, 1}, {0, 2, 3, 1},
                                       {2, 0, 1, 3}, {0, 2, 1, 3}, {2, 0, 3, 1}};
  uint32_t n = 0;
  for (uint32_t choice = 0; choice < 6 * 16 * 4; choice++) {
    const uint32_t order = choice % 6, writes = choice / 6 % 16, turned = choice / 96;
    ViewEvent events[4];
    for (uint32_t i = 0; i < 4; i++) {
      const uint32_t e = orders[order][i];
      events[i] = (ViewEvent){e / 2, (e % 2) ^ (turned >> e / 2 & 1), writes >> e & 1};
    }
    if (blocks_view_unserializable(events, 4)) n = add_form(forms, n, events);
  }
  return n;
}

/* "  b : W(x)           W(y)" and "      b':      W(x) W(y)": the columns are the order. */
static uint32_t read_forms(FILE *file, char (*forms)[16]) {
  char lines[2][128] = {"", ""};
  uint32_t n = 0;
  for (uint32_t now = 1; n < FORMS - 1 && fgets(lines[now], sizeof lines[now], file); now ^= 1) {
    if (!strstr(lines[now], "b':") || !strstr(lines[now ^ 1], "b :")) continue;
    ViewEvent events[4];
    uint32_t k = 0;
    for (size_t column = 10; column + 3 < sizeof lines[0]; column++)
      for (uint32_t t = 0; t < 2; t++) {
        const char *line = lines[now ^ 1 ^ t];
        if (column + 2 < strlen(line) && strchr("RW", line[column]) && line[column + 1] == '(' && k < 4)
          events[k++] = (ViewEvent){t, (uint32_t)(line[column + 2] - 'x'), line[column] == 'W'};
      }
    if (k == 4) n = add_form(forms, n, events);
  }
  return n;
}

static int compare_forms(const void *a, const void *b) { return strcmp(a, b); }

static void two_block_patterns(void) {
  char ours[FORMS][16], theirs[FORMS][16];
  const uint32_t n = generate_forms(ours);
  qsort(ours, n, sizeof *ours, compare_forms);
  printf("(%u patterns) ", n);
  FILE *file = fopen("tests/unit/two_block_cases.txt", "r");
  if (!file) {
    skip("tests/unit/two_block_cases.txt is not there");
    return;
  }
  const uint32_t m = read_forms(file, theirs);
  fclose(file);
  qsort(theirs, m, sizeof *theirs, compare_forms);
  CU_ASSERT_EQUAL(m, 27);
  CU_ASSERT_EQUAL(n, m);
  for (uint32_t i = 0; i < n && i < m; i++) CU_ASSERT_STRING_EQUAL(ours[i], theirs[i]);
}

/* ---- events that are odd ---- */

/* Reentrant locks are counted; a release of a lock that is not held is nothing; nested begins are one; what is freed is
 * another variable; a number that comes again after a join is another thread, which the fork puts behind. */
static void odd_events(void) {
  static const struct {
    const char *threads[3];
    Verdict verdict;
  } cases[] = {
      {{"( +l +l rx -l wx -l )", "( +l wx -l )"}, VERDICT_HOLDS},
      {{"( +l rx -l wx -l )", "( +l wx -l )"}, VERDICT_VIOLATED},
      {{"( -l +l rx wx -l -l )", "( -l +l wx -l )"}, VERDICT_HOLDS},
      {{"( ( rx ) wx )", "wx"}, VERDICT_VIOLATED},
      {{"( rx ( wx ) )", "wx"}, VERDICT_VIOLATED},
      {{"( rx ) ( wx )", "wx"}, VERDICT_HOLDS},
      {{"( rx wx", "wx"}, VERDICT_VIOLATED},
      {{"+l ( rx wx ) -l", "+l wx -l"}, VERDICT_HOLDS},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Run run = {.n = 0};
    for (uint32_t t = 0; cases[i].threads[t]; t++) put_text(&run, t, cases[i].threads[t]);
    for (int kind = ANALYSIS_BLOCKS; kind <= ANALYSIS_COMBINED; kind++) {
      const Answer answer = answer_of(&run, (AnalysisKind)kind, RACES_PAIRWISE);
      CU_ASSERT_EQUAL(answer.verdict, cases[i].verdict);
      if (answer.verdict != cases[i].verdict) printf("case %zu\n", i);
    }
  }
  Run run = {.n = 0};
  put_text(&run, 0, "f1 j1 f1 ( rx wx )"); /* the thread that is forked the second time writes nothing */
  put(&run, 1, TRACE_READ, 'x' - 'a');
  CU_ASSERT_EQUAL(answer_of(&run, ANALYSIS_REDUCTION, RACES_PAIRWISE).verdict, VERDICT_HOLDS);
  run.n = 0;
  put_text(&run, 0, "f1");
  put_text(&run, 1, "wx");
  put_text(&run, 0, "j1 ( rx wx ) f1");
  put_text(&run, 1, "wx");
  CU_ASSERT_EQUAL(answer_of(&run, ANALYSIS_BLOCKS, RACES_PAIRWISE).verdict, VERDICT_HOLDS);
  CU_ASSERT_EQUAL(answer_of(&run, ANALYSIS_REDUCTION, RACES_COMMON_LOCKS).verdict, VERDICT_HOLDS);
  run.n = 0;
  put_text(&run, 1, "( rx wx )");
  put_text(&run, 0, "j1");
  put_text(&run, 1, "wx"); /* who knows who forked it, and when */
  CU_ASSERT_EQUAL(answer_of(&run, ANALYSIS_BLOCKS, RACES_PAIRWISE).verdict, VERDICT_VIOLATED);
  run.n = 0;
  put_text(&run, 2, "( rz ry ) f1");
  put_text(&run, 1, "( rx wz )");
  put_text(&run, 0, "( wx wy )");
  CU_ASSERT_TRUE(all_traces_study(run.events, run.n).atomic);
  CU_ASSERT_EQUAL(answer_of(&run, ANALYSIS_BLOCKS, RACES_PAIRWISE).verdict, VERDICT_HOLDS);
  run.n = 0;
  put_text(&run, 0, "( rx wx )");
  put(&run, 1, TRACE_FREE, 'x' - 'a');
  put_text(&run, 1, "wx");
  CU_ASSERT_EQUAL(answer_of(&run, ANALYSIS_BLOCKS, RACES_PAIRWISE).verdict, VERDICT_HOLDS);
}

/* ---- what is told ---- */

static void rows_tell_why(void) {
  Run run = {.n = 0};
  put_transactions(&run, (const char *const[]){"+l rx -l +l wx -l", "+l rx wx -l", NULL});
  Heap *heap = heap_new(0);
  const Analysis *analysis = analysed(heap, &run, ANALYSIS_COMBINED, RACES_PAIRWISE);
  uint32_t n;
  const AnalysisRow *rows = analysis_rows(analysis, &n);
  CU_ASSERT_EQUAL_FATAL(n, 2);
  const AnalysisRow *row = &rows[0];
  CU_ASSERT_TRUE(row->label == 0 && row->location == 0 && row->transactions == 1 && row->verdict == VERDICT_VIOLATED);
  CU_ASSERT_TRUE(!row->reducible && row->stops[0].event.event == 3 && row->stops[0].event.op == TRACE_RELEASE);
  CU_ASSERT_TRUE(row->stops[1].event.event == 4 && row->stops[1].event.op == TRACE_ACQUIRE && !row->stops[1].has_rival);
  CU_ASSERT_TRUE(row->pattern == PATTERN_UP4 && row->certainty == CERTAIN_WHOLE && row->n_events == 3);
  const uint64_t events[] = {2, 11, 5};
  for (uint32_t i = 0; i < 3; i++) {
    const AnalysisPatternEvent *at = &row->events[i];
    CU_ASSERT_TRUE(at->event.event == events[i] && at->event.location == events[i] && at->event.object == 'x' - 'a');
    CU_ASSERT_TRUE(at->transaction == i % 2 && at->label == i % 2 && at->begin == (i % 2 ? 8 : 0) &&
                   at->event.thread == i % 2);
    CU_ASSERT_TRUE(at->event.n_locks == 1 && at->event.locks[0] == 'l' - 'a');
  }
  CU_ASSERT_TRUE(rows[1].verdict == VERDICT_HOLDS && rows[1].reducible && rows[1].pattern == PATTERN_NONE);
  heap_free(heap);
}

/* Of the transactions of thread 0. */
static Certainty certainty_of_row(const char *const *steps, AnalysisKind kind) {
  Run run = {.n = 0};
  for (uint32_t i = 0; steps[i]; i += 2) {
    const uint32_t t = (uint32_t)(steps[i][0] - '0');
    const bool marked = steps[i][1] == 'b';
    if (marked) put(&run, t, TRACE_BEGIN, t);
    put_text(&run, t, steps[i + 1]);
    if (marked) put(&run, t, TRACE_END, TRACE_NONE);
  }
  Heap *heap = heap_new(0);
  const Analysis *analysis = analysed(heap, &run, kind, RACES_PAIRWISE);
  uint32_t n;
  const AnalysisRow *row = analysis_rows(analysis, &n);
  for (; n > 1 && row->label != 0; row++) n--;
  CU_ASSERT_TRUE_FATAL(row->label == 0 && row->verdict == VERDICT_VIOLATED && row->pattern != PATTERN_NONE);
  const Certainty certainty = row->certainty;
  CU_ASSERT_TRUE(certainty != CERTAIN_WHOLE || !all_traces_study(run.events, run.n).atomic);
  heap_free(heap);
  return certainty;
}

/* What is certain of a pair need not be of the whole: the first one is atomic. "0b": a transaction of thread 0. */
static void certain_of_what(void) {
  static const struct {
    const char *steps[9];
    Certainty certainty;
  } cases[] = {
      {{"0", "wx", "1", "wx", "0b", "rx wx"}, CERTAIN_ALONE},
      {{"0", "ry", "1", "wx", "0b", "rx wx"}, CERTAIN_WHOLE},     /* nobody else writes x */
      {{"0", "wx", "1b", "rx wx", "0b", "rx wx"}, CERTAIN_WHOLE}, /* the other one reads it, too */
      {{"0", "wx", "1b", "wx wx", "0b", "rx wx"}, CERTAIN_ALONE},
      {{"0", "wx", "1", "wx", "0b", "rx rx"}, CERTAIN_WHOLE}, /* UP2 */
      {{"0", "wx", "1", "wx", "0b", "wx rx"}, CERTAIN_WHOLE}, /* UP3 */
      {{"0", "wx", "1", "rx", "0b", "wx wx"}, CERTAIN_WHOLE}, /* UP1 */
      {{"0b", "rx ry", "1b", "wx wy"}, CERTAIN_WHOLE},
      {{"0b", "rx ry", "1b", "wx wy", "1", "wx"}, CERTAIN_ALONE},
      {{"0b", "rx ry", "1b", "wx wy", "2", "wy"}, CERTAIN_ALONE},
      {{"0b", "+a +b rx wx -b -a", "1b", "+b +a -a -b wx", "2", "rx"}, CERTAIN_NOT}, /* a potential deadlock */
      {{"0b", "rx wx", "1b", "rx wx", "2", "+a ry +b ry -b -a", "3", "+b ry +a ry -a -b"},
       CERTAIN_ALONE}, /* of others */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (AnalysisKind kind = ANALYSIS_BLOCKS; kind <= ANALYSIS_COMBINED; kind++) {
      const Certainty certainty = certainty_of_row(cases[i].steps, kind);
      if (certainty != cases[i].certainty) printf("case %zu: %d, not %d\n", i, certainty, cases[i].certainty);
      CU_ASSERT_EQUAL(certainty, cases[i].certainty);
    }
}

/* Who is split: "around" takes the locks that are acquired in between (blocks.h); the final write is the last one. */
static void the_split_one_is_told(void) {
  Run run = {.n = 0};
  uint32_t n;
  put_transactions(&run, (const char *const[]){"+l wx wy -l", "rx +l -l ry", NULL});
  Heap *heap = heap_new(0);
  const AnalysisRow *rows = analysis_rows(analysed(heap, &run, ANALYSIS_BLOCKS, RACES_PAIRWISE), &n);
  CU_ASSERT_TRUE(rows[0].verdict == VERDICT_HOLDS && rows[1].verdict == VERDICT_VIOLATED);
  CU_ASSERT_TRUE(rows[1].pattern == PATTERN_TWO_BLOCKS && rows[1].n_events == 4 && rows[1].events[0].event.event == 7);
  run.n = 0;
  put_transactions(&run, (const char *const[]){"rx wx wx wx", "wx wx wx", NULL});
  rows = analysis_rows(analysed(heap, &run, ANALYSIS_BLOCKS, RACES_PAIRWISE), &n);
  CU_ASSERT_TRUE(rows[0].pattern == PATTERN_UP4 && rows[0].events[2].event.event == 4 &&
                 rows[0].events[1].event.event == 9);
  heap_free(heap);
}

static void races_are_told(void) {
  Run run = {.n = 0};
  put_transactions(&run, (const char *const[]){"rx +l wy -l wx", "+m wx -m", NULL});
  Heap *heap = heap_new(0);
  uint32_t n;
  const AnalysisRow *row = analysis_rows(analysed(heap, &run, ANALYSIS_REDUCTION, RACES_PAIRWISE), &n);
  CU_ASSERT_TRUE(row->has_stops && row->stops[0].event.event == 1 && row->stops[0].has_rival);
  CU_ASSERT_TRUE(row->stops[0].rival.event == 9 && row->stops[0].rival.thread == 1 && row->stops[0].rival.n_locks == 1);
  CU_ASSERT_TRUE(row->stops[1].event.event == 5); /* the lock is of one thread alone: no reason to stop */
  heap_free(heap);
}

static void deadlocks_are_told(void) {
  static const struct {
    const char *transactions[4];
    uint32_t circles, of;
  } cases[] = {
      {{"+a +b -b -a", "+b +a -a -b"}, 1, 2},
      {{"+g +a +b -b -a -g", "+g +b +a -a -b -g"}, 0, 0},
      {{"+a +b -b -a", "+b +c -c -b", "+c +a -a -c"}, 1, 3},
      {{"+a +b -b -a", "+b +c -c -b", "+g +c +a -a -c -g"}, 1, 3},
      {{"+a +b -b -a +b +a -a -b"}, 0, 0},
      {{"+a +b -a -b", "+b +a -a -b"}, 1, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Run run = {.n = 0};
    uint32_t n;
    put_transactions(&run, cases[i].transactions);
    Heap *heap = heap_new(0);
    const AnalysisDeadlock *deadlocks =
        analysis_deadlocks(analysed(heap, &run, ANALYSIS_REDUCTION, RACES_PAIRWISE), &n);
    CU_ASSERT_EQUAL(n, cases[i].circles);
    for (uint32_t k = 0; n == 1 && k < cases[i].of; k++) {
      const AnalysisLocking *locking = &deadlocks->lockings[k];
      CU_ASSERT_TRUE(deadlocks->n == cases[i].of &&
                     locking->inner == deadlocks->lockings[(k + 1) % deadlocks->n].outer);
      CU_ASSERT_TRUE(run.events[locking->at_inner.event].object == locking->inner && locking->at_inner.n_locks >= 1);
      CU_ASSERT_TRUE(run.events[locking->at_outer.event].object == locking->outer &&
                     locking->at_outer.op == TRACE_ACQUIRE);
    }
    heap_free(heap);
  }
}

/* ---- memory, and size ---- */

typedef struct {
  Heap *heap;
  const Run *run;
  AnalysisKind kind;
} Feeding;

static void feed_all(void *argument) {
  const Feeding *feeding = argument;
  analysis_free(analysed(feeding->heap, feeding->run, feeding->kind, RACES_PAIRWISE));
}

static void memory_runs_out(void) {
  static const char *const texts[][5] = {{"wx wy", "rx wz", "rz ry"},
                                         {"+a +b -b rx ry rx -a", "+b +a -a wx wy -b", "f2 rx"}};
  for (uint32_t i = 0; i < 6; i++) {
    Run run = {.n = 0};
    bool done = false;
    put_transactions(&run, texts[i % 2]);
    for (uint64_t nth = 1; !done; nth++) {
      Heap *heap = heap_new(0);
      const uint64_t before = heap_used(heap);
      heap_fail_at(heap, nth);
      done = heap_try(heap, feed_all, &(Feeding){heap, &run, (AnalysisKind)(i / 2)});
      if (done) CU_ASSERT_EQUAL(heap_used(heap), before);
      heap_free(heap);
    }
  }
}

/* With little of a budget nothing is claimed; with more, the verdict is this one. */
static void with_budgets(const Run *run, AnalysisKind kind, Verdict truth) {
  uint32_t counts[3] = {0};
  for (uint64_t budget = 1; budget <= 1000; budget++) {
    Heap *heap = heap_new(0);
    Analysis *analysis = analysis_new(heap, &(AnalysisOptions){kind, RACES_PAIRWISE, budget});
    analysis_feed(analysis, run->events, run->n);
    analysis_finish(analysis);
    counts[analysis_verdict(analysis)]++;
    heap_free(heap);
  }
  CU_ASSERT_TRUE(counts[truth] > 0 && counts[VERDICT_UNKNOWN] > 0 && counts[truth] + counts[VERDICT_UNKNOWN] == 1000);
}

static void budgets(void) {
  static const struct {
    const char *transactions[5];
    Verdict truth;
  } cases[] = {
      {{"+l wx -l wy", "+l rx -l wz", "rz", "wy"}, VERDICT_HOLDS},
      {{"wa wb wx wy", "wx wy"}, VERDICT_VIOLATED},
      {{"wx wy", "rx wz", "rz ry"}, VERDICT_VIOLATED},
  };
  Run run;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    run.n = 0;
    put_transactions(&run, cases[i].transactions);
    with_budgets(&run, ANALYSIS_BLOCKS, cases[i].truth);
  }
  run.n = 0; /* the budget is used up among what cannot be split, before what splits comes */
  put_text(&run, 0, "( wx +l wa wb wc wy -l )");
  for (uint32_t label = 1; label < 33; label++) {
    put(&run, 1, TRACE_BEGIN, label);
    put_text(&run, 1, "+l wa wb wc -l )");
  }
  put_text(&run, 1, "( +l wa wb wc wy rx -l )");
  with_budgets(&run, ANALYSIS_COMBINED, VERDICT_VIOLATED);
}

/* A million events of some thousand different blocks: most transactions are like earlier ones, and are not kept. */
static void many_events(void) {
  enum { THREADS = 8, LABELS = 20, VARIABLES = 500, MILLION = 1000 * 1000 };
  Heap *heap = heap_new(0);
  Analysis *analysis = analysis_new(heap, &(AnalysisOptions){ANALYSIS_COMBINED, RACES_PAIRWISE, 0});
  uint32_t n_events = 0;
  for (uint32_t i = 0; n_events < MILLION; i++) {
    const uint32_t t = i % THREADS, kind = (uint32_t)(hash_word(i) % (THREADS * LABELS)), x = kind * 3 % VARIABLES;
    TraceEvent events[14] = {{t, kind % LABELS, kind % LABELS, TRACE_BEGIN}};
    uint32_t n = 1;
    for (uint32_t k = 0; k < 3; k++) {
      events[n++] = (TraceEvent){t, VARIABLES + (x + k) % 7, 100, TRACE_ACQUIRE};
      events[n++] = (TraceEvent){t, (x + k) % VARIABLES, 101, TRACE_READ};
      events[n++] = (TraceEvent){t, (x + k) % VARIABLES, 102, TRACE_WRITE};
      events[n++] = (TraceEvent){t, VARIABLES + (x + k) % 7, 103, TRACE_RELEASE};
    }
    events[n++] = (TraceEvent){t, TRACE_NONE, 104, TRACE_END};
    analysis_feed(analysis, events, n);
    n_events += n;
  }
  analysis_finish(analysis);
  const AnalysisSize size = analysis_size(analysis);
  CU_ASSERT_TRUE(size.shapes <= THREADS * THREADS * LABELS && size.two_blocks > 1000 && size.events == n_events);
  CU_ASSERT_TRUE(heap_peak(heap) < 20 * MILLION);
  printf("(%u shapes, %u blocks, %u 2-blocks, %.1f MB) ", (unsigned)size.shapes, (unsigned)size.spans,
         (unsigned)size.two_blocks, (double)heap_peak(heap) / MILLION);
  heap_free(heap);
}

void suite_analysis(void) {
  CU_pSuite suite = CU_add_suite("analysis", NULL, NULL);
  CU_ADD_TEST(suite, paper_examples);
  CU_ADD_TEST(suite, two_transactions);
  CU_ADD_TEST(suite, deadlocks);
  CU_ADD_TEST(suite, more_transactions);
  CU_ADD_TEST(suite, nothing_is_claimed_wrongly);
  CU_ADD_TEST(suite, equal_blocks_are_one);
  CU_ADD_TEST(suite, two_block_patterns);
  CU_ADD_TEST(suite, odd_events);
  CU_ADD_TEST(suite, rows_tell_why);
  CU_ADD_TEST(suite, certain_of_what);
  CU_ADD_TEST(suite, the_split_one_is_told);
  CU_ADD_TEST(suite, races_are_told);
  CU_ADD_TEST(suite, deadlocks_are_told);
  CU_ADD_TEST(suite, memory_runs_out);
  CU_ADD_TEST(suite, budgets);
  CU_ADD_TEST(suite, many_events);
}
