/* Formulas about markings: the grammar, and random ones against a look at all reachable markings. */
#include "ask/answer_proof.h"
#include "ask/rival.h"
#include "base/hash.h"
#include "check/certificate_judge.h"
#include "petri/complement.h"
#include "tests/oracle/reach.h"
#include "tests/unit/safe_net.h"
#include "unfold/certificate_write.h"
#include "unfold/deadlock.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- random formulas, as trees and as texts ---- */

typedef enum { TREE_SUM, TREE_NOT, TREE_AND, TREE_OR } TreeKind;

enum { MOST_NODES = 64, MOST_SUMMANDS = 4 };

typedef struct {
  TreeKind kind;
  uint32_t left, right;
  uint32_t n, bound;
  const char *sign; /* NULL: a place alone */
  PlaceId places[MOST_SUMMANDS];
} Node;

typedef struct {
  uint64_t random;
  const Net *net;
  Node nodes[MOST_NODES];
  uint32_t n;
  char text[4096];
} Tree;

static uint32_t pick(Tree *tree, uint32_t below) { return (uint32_t)(hash_word(++tree->random) >> 33) % below; }

static void write_text(Tree *tree, const char *text) {
  static const char *const BLANKS[] = {"", "", " ", "\t "};
  strcat(tree->text, text);
  strcat(tree->text, BLANKS[pick(tree, 4)]);
}

static void grow_sum(Tree *tree, Node *node) {
  static const char *const SIGNS[] = {">=", "<=", ">", "<", "="};
  char text[32];
  for (uint32_t wanted = 1 + pick(tree, MOST_SUMMANDS), i = 0; i < wanted; i++) {
    const PlaceId place = {pick(tree, tree->net->n_places)};
    bool known = false;
    for (uint32_t k = 0; k < node->n; k++) known |= node->places[k].v == place.v;
    if (known) continue;
    snprintf(text, sizeof text, pick(tree, 2) ? "#%u" : "\"#%u\"", place.v + 1);
    if (node->n) write_text(tree, "+");
    write_text(tree, text);
    node->places[node->n++] = place;
  }
  if (node->n == 1 && pick(tree, 3)) return;
  node->sign = SIGNS[pick(tree, 5)];
  node->bound = pick(tree, MOST_SUMMANDS + 1);
  snprintf(text, sizeof text, "%s %u", node->sign, node->bound);
  write_text(tree, text);
}

static uint32_t grow(Tree *tree, uint32_t depth) {
  const uint32_t number = tree->n++;
  Node *node = &tree->nodes[number];
  *node = (Node){.kind = depth ? (TreeKind)pick(tree, 4) : TREE_SUM};
  switch (node->kind) {
  case TREE_SUM: grow_sum(tree, node); break;
  case TREE_NOT:
    write_text(tree, "!");
    write_text(tree, "(");
    node->left = grow(tree, depth - 1);
    write_text(tree, ")");
    break;
  case TREE_AND:
  case TREE_OR:
    write_text(tree, "(");
    node->left = grow(tree, depth - 1);
    write_text(tree, node->kind == TREE_AND ? ")," : ") or");
    write_text(tree, "(");
    node->right = grow(tree, depth - 1);
    write_text(tree, ")");
    break;
  }
  return number;
}

static bool sum_holds(const Node *node, const uint64_t *marking) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < node->n; i++) n += marking_has(marking, node->places[i]);
  if (!node->sign) return n == 1;
  if (node->sign[0] == '=') return n == node->bound;
  if (node->sign[1]) return node->sign[0] == '>' ? n >= node->bound : n <= node->bound;
  return node->sign[0] == '>' ? n > node->bound : n < node->bound;
}

static bool tree_holds(const Tree *tree, uint32_t number, const uint64_t *marking) {
  const Node *node = &tree->nodes[number];
  switch (node->kind) {
  case TREE_SUM: return sum_holds(node, marking);
  case TREE_NOT: return !tree_holds(tree, node->left, marking);
  case TREE_AND: return tree_holds(tree, node->left, marking) && tree_holds(tree, node->right, marking);
  case TREE_OR: return tree_holds(tree, node->left, marking) || tree_holds(tree, node->right, marking);
  }
  return false;
}

/* ---- answers ---- */

/* What is wrong with a run of n steps, which is to be a nearest one; or with there being none (n UINT32_MAX). */
static const char *judge(const Reach *reach, const Tree *tree, const TransId *run, uint32_t n, bool shortest) {
  uint64_t marking[SKETCH_PLACES / 64 + 1];
  uint32_t m = 0;
  while (m < reach->n_markings && !tree_holds(tree, 0, reach_marking(reach, m))) m++;
  if ((n != UINT32_MAX) != (m < reach->n_markings)) return "the answer";
  if (n == UINT32_MAX) return NULL;
  token_initial(reach->net, marking);
  for (uint32_t i = 0; i < n; i++)
    if (!token_enabled(reach->net, marking, run[i]) || token_fire(reach->net, marking, run[i]).v != PLACE_NONE.v)
      return "a step that cannot be fired";
  if (!tree_holds(tree, 0, marking)) return "the run leads elsewhere";
  return shortest && n == reach_run(reach, m, NULL) ? NULL : "the length of the run";
}

static const char *judge_answer(const Reach *reach, const Tree *tree, const Answer *answer) {
  if (answer->answer == VERDICT_UNKNOWN) return "unknown without a limit";
  const bool found = answer->answer == VERDICT_VIOLATED;
  return judge(reach, tree, answer->run, found ? answer->n_run : UINT32_MAX, answer->shortest);
}

static const char *try_prefix(const Reach *reach, const Tree *tree, const Formula *formula) {
  Err err;
  const UnfoldOrder order = tree->random % 2 ? UNFOLD_ERV : UNFOLD_MCMILLAN;
  Prefix *prefix = unfold(reach->heap, reach->net, &(UnfoldOptions){.order = order}, &err);
  const char *wrong = NULL;
  for (uint32_t way = 0; way < 3 && !wrong; way++) {
    const DeadlockOptions options = {.formula = formula, .by_solver = way == 1, .portion = way == 2};
    const Deadlock found = deadlock_find(prefix, &options);
    wrong = found.answer == DEADLOCK_UNKNOWN ? "unknown" : NULL;
    const uint32_t n = found.answer == DEADLOCK_FOUND ? found.n_run : UINT32_MAX;
    if (!wrong) wrong = judge(reach, tree, found.run, n, found.shortest);
    heap_release(reach->heap, found.run);
  }
  prefix_free(prefix);
  return wrong;
}

static const char *try_rival(const Reach *reach, const Tree *tree, Answer *answer) {
  Rival rival;
  rival_init(&rival, reach->heap, reach->net, answer);
  for (rival.portion = 1; !rival_go_on(&rival);)
    if (rival.ended) return "the rival has no answer";
  rival_take(&rival, answer);
  rival_fini(&rival);
  return judge_answer(reach, tree, answer);
}

static const char *try_question(const Reach *reach, const Tree *tree, Answer *answer) {
  QuestionResult result;
  Err err;
  if (!questions_answer(reach->heap, reach->net, &(QuestionOptions){0}, &(AskLimits){0}, answer, 1, &result, &err))
    return "the replay";
  const char *wrong = judge_answer(reach, tree, answer);
  questions_fini(&result);
  return wrong;
}

typedef struct {
  uint32_t never, at_once, later;
} Tally;

static const char *compare(const Reach *reach, uint64_t seed, Tally *tally) {
  Tree tree = {.random = seed << 20, .net = reach->net};
  Formula formula;
  Err err;
  grow(&tree, 1 + pick(&tree, 3));
  if (!formula_parse(reach->heap, reach->net, tree.text, &formula, &err))
    return printf("\n%s\n", err.text), "it is refused";
  Answer first = {.kind = QUESTION_FORMULA, .formula = &formula}, second = first;
  const char *wrong = try_prefix(reach, &tree, &formula);
  if (!wrong) wrong = try_rival(reach, &tree, &first);
  if (!wrong) wrong = try_question(reach, &tree, &second);
  tally->never += first.answer == VERDICT_HOLDS;
  tally->at_once += first.answer == VERDICT_VIOLATED && !first.n_run;
  tally->later += first.answer == VERDICT_VIOLATED && first.n_run;
  if (wrong) printf("\n%s\n", tree.text);
  return wrong;
}

enum { N_RANDOM = 10000 };

static void formulas_agree_with_reachability(void) {
  Tally tally = {0};
  for (uint64_t seed = 1; seed <= N_RANDOM; seed++) {
    Heap *heap = heap_new((size_t)1 << 28);
    Reach *reach = reach_explore(heap, safe_net(heap, seed), 1000);
    const char *wrong = reach->complete ? compare(reach, seed, &tally) : NULL;
    if (wrong) printf("\nseed %u: %s\n", (unsigned)seed, wrong);
    CU_ASSERT_PTR_NULL(wrong);
    heap_free(heap);
  }
  CU_ASSERT_TRUE(tally.never > N_RANDOM / 10 && tally.at_once > N_RANDOM / 10 && tally.later > N_RANDOM / 50);
}

/* ---- certificates ---- */

typedef struct {
  uint32_t never, satisfies; /* true claims that were accepted */
  uint32_t falsely, changed; /* rejected */
  uint32_t wrong;
} ClaimTally;

static bool reaches(const void *marking, PlaceId place) { return marking_has(marking, place); }

static bool can_hold(const Reach *reach, const Formula *formula) {
  bool *values = heap_alloc(reach->heap, formula->parts.n * sizeof *values), any = false;
  for (uint32_t m = 0; m < reach->n_markings && !any; m++)
    any = formula_holds(formula, reaches, reach_marking(reach, m), values);
  heap_release(reach->heap, values);
  return any;
}

/* Counts claims about formulas. */
static Verdict judge_certificate(const Reach *reach, const char *text, ClaimTally *tally) {
  const InFile file = {(char *)(uintptr_t)text, strlen(text), "proof"};
  CertificateReport report;
  Err err;
  const Verdict verdict = certificate_judge(reach->heap, reach->net, &file, &report, &err);
  for (uint32_t i = 0; verdict == VERDICT_HOLDS && i < report.claims.n; i++) {
    const Claim *claim = &report.claims.at[i];
    if (claim->kind != CLAIM_NEVER && claim->kind != CLAIM_SATISFIES) continue;
    const bool holds = can_hold(reach, &report.formulas.at[report.numbers.at[claim->first]]);
    tally->never += claim->kind == CLAIM_NEVER;
    tally->satisfies += claim->kind == CLAIM_SATISFIES;
    tally->wrong += holds != (claim->kind == CLAIM_SATISFIES);
  }
  certificate_judge_report_fini(&report);
  return verdict;
}

/* As netunfold does; malloc'd. */
static void certify(const Reach *reach, Answer *answer, UnfoldOrder order, char **text) {
  const QuestionOptions options = {.order = order, .proof = true};
  QuestionResult r;
  Err err;
  size_t length;
  FILE *out = open_memstream(text, &length);
  if (!out || !questions_answer(reach->heap, reach->net, &options, &(AskLimits){0}, answer, 1, &r, &err)) abort();
  const AnswerReport report = {.net = reach->net,
                               .answers = answer,
                               .n_answers = 1,
                               .prefix = r.prefix,
                               .complete = r.complete,
                               .complements = r.complements,
                               .n_complements = r.n_complements,
                               .proof = r.proof};
  CU_ASSERT_TRUE(answer_proof_has(&report, answer));
  answer_proof_write(&report, order, out);
  fclose(out);
  questions_fini(&r);
}

/* The formula, as the certificate writes it, is claimed never to hold, though it can; or to hold, though it cannot. */
static char *claim_falsely(const Reach *reach, const char *text, bool never, UnfoldOrder order) {
  const char *from = strchr(strstr(text, never ? "\nsatisfies " : "\nnever ") + 1, ' ');
  char *claimed;
  size_t length;
  Err err;
  FILE *out = open_memstream(&claimed, &length);
  if (!out) abort();
  certificate_begin(out, reach->net);
  if (never) {
    PlaceId places[SKETCH_PLACES];
    fputs("complement", out);
    for (uint32_t p = 0; p < reach->net->n_places; p++) fprintf(out, " %u", p + 1), places[p] = (PlaceId){p};
    putc('\n', out);
    Net *net = net_with_complements(reach->heap, reach->net, places, reach->net->n_places);
    Prefix *plain = unfold(reach->heap, reach->net, &(UnfoldOptions){.order = order}, &err);
    Prefix *prefix = unfold(reach->heap, net, &(UnfoldOptions){.order = order}, &err);
    CU_ASSERT_EQUAL(plain->n_events, prefix->n_events); /* they do the same */
    certificate_prefix(out, prefix, order);
    prefix_free(plain);
    prefix_free(prefix);
    net_free(net);
  } else {
    fputs("run 0\n", out);
  }
  fprintf(out, "%s%.*s\nend\n", never ? "never" : "satisfies", (int)strcspn(from, "\n"), from);
  fclose(out);
  return claimed;
}

/* One number is another one, or a sign is, or it is left out; malloc'd. */
static char *change(const char *text, uint64_t seed) {
  static const char *const SIGNS[] = {"!", "&", "|", "1", "2", "3"};
  const char *from = strchr(text + strlen("causal-certificate 1\n"), '\n');
  const char *last = strstr(text, seed % 2 ? "\nnever " : "\nsatisfies ");
  const char *at = (last ? last : from) + hash_word(seed) % strlen(last ? last : from);
  char *changed = malloc(strlen(text) + 20);
  if (!changed) abort();
  while (at > from && *at != ' ') at--;
  const size_t length = *at == ' ' ? strcspn(at + 1, " \n") + 1 : 0;
  char word[12] = "";
  if (seed % 3) snprintf(word, sizeof word, " %s", SIGNS[hash_word(seed + 1) % 6]);
  sprintf(changed, "%.*s%s%s", (int)(at - text), text, length ? word : "", at + length);
  return changed;
}

static void check_certificate(const Reach *reach, uint64_t seed, ClaimTally *tally) {
  const UnfoldOrder order = seed % 2 ? UNFOLD_ERV : UNFOLD_MCMILLAN;
  Tree tree = {.random = seed << 20, .net = reach->net};
  Formula formula;
  Err err;
  grow(&tree, 1 + pick(&tree, 3));
  if (!formula_parse(reach->heap, reach->net, tree.text, &formula, &err)) abort();
  Answer answer = {.kind = QUESTION_FORMULA, .formula = &formula, .text = tree.text};
  char *text;
  certify(reach, &answer, order, &text);
  const uint32_t before = tally->never + tally->satisfies;
  CU_ASSERT_EQUAL(judge_certificate(reach, text, tally), VERDICT_HOLDS);
  CU_ASSERT_EQUAL(tally->never + tally->satisfies, before + 1);
  char *claimed = claim_falsely(reach, text, answer.answer == VERDICT_VIOLATED, order);
  const Verdict verdict = judge_certificate(reach, claimed, tally);
  tally->falsely += verdict == VERDICT_VIOLATED;
  if (verdict != VERDICT_VIOLATED) printf("\n%s: %s", tree.text, claimed);
  CU_ASSERT_EQUAL(verdict, VERDICT_VIOLATED);
  for (uint64_t i = 0; i < 10; i++) {
    char *changed = change(i % 2 ? text : claimed, 10 * seed + i);
    tally->changed += judge_certificate(reach, changed, &(ClaimTally){0}) == VERDICT_VIOLATED;
    judge_certificate(reach, changed, tally);
    free(changed);
  }
  free(claimed);
  free(text);
}

static void what_is_claimed_is_true(void) {
  ClaimTally tally = {0};
  for (uint64_t seed = 1; seed <= N_RANDOM / 8; seed++) {
    Heap *heap = heap_new((size_t)1 << 28);
    Net *net = safe_net(heap, seed);
    Reach *reach = reach_explore(heap, net, 1000);
    if (reach->complete) check_certificate(reach, seed, &tally);
    heap_free(heap);
  }
  CU_ASSERT_EQUAL(tally.wrong, 0);
  CU_ASSERT_TRUE(tally.never > 300 && tally.satisfies > 300 && tally.falsely > 500 && tally.changed > 1000);
  if (getenv("SHOW"))
    printf("\n%u never, %u satisfied; %u false refused, %u changed refused\n", tally.never, tally.satisfies,
           tally.falsely, tally.changed);
}

static void claim_is(const char *claims, const char *expected) {
  Heap *heap = heap_new(0);
  NetBuilder *builder = net_builder_new(heap);
  Err err = {.text = "holds"};
  for (uint32_t p = 0; p < 3; p++) net_add_place(builder, p ? p > 1 ? "c" : "b" : "a", !p);
  const TransId t = net_add_trans(builder, "t"), u = net_add_trans(builder, "u");
  net_add_input(builder, (PlaceId){0}, t);
  net_add_output(builder, t, (PlaceId){1});
  net_add_input(builder, (PlaceId){1}, u);
  net_add_output(builder, u, (PlaceId){2});
  Net *net = net_freeze(builder, &err);
  char text[400];
  CertificateReport report;
  snprintf(text, sizeof text, "causal-certificate 1\nnet 3 2 4\n%send\n", claims);
  const InFile file = {text, strlen(text), "proof"};
  certificate_judge(heap, net, &file, &report, &err);
  if (!strstr(err.text, expected)) printf("\n%s: %s\n", claims, err.text);
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, expected));
  certificate_judge_report_fini(&report);
  net_free(net);
  heap_free(heap);
}

#define COMPLEMENT_A "complement 1\nprefix erv 2\ne 1 1\ne 2 2\n"
#define PLAIN "complement\nprefix erv 2\ne 1 1\ne 2 2\n"

static void each_reason(void) {
  claim_is("run 1\ns 1\nsatisfies 1 1 2\n", "holds");
  claim_is("run 1\ns 1\nsatisfies 1 1 1\n", "proof:5: ");
  claim_is("run 1\ns 1\nsatisfies 1 1 1 ! 0 1 1 &\n", "holds");
  claim_is("run 0\nsatisfies\n", "expected one formula, found the end of the line");
  claim_is("run 0\nsatisfies 1 1 1 1 1 2\n", "expected one formula, found the end of the line");
  claim_is("run 0\nsatisfies !\n", "expected a formula before '!'");
  claim_is("run 0\nsatisfies 1 1 1 &\n", "expected two formulas before '&' or '|'");
  claim_is("run 0\nsatisfies 1 1 4\n", "expected a place from 1 to 3, found '4'");
  claim_is("run 0\nsatisfies 1 2 1 1\n", "expected each place of a sum once");
  claim_is("run 0\nsatisfies 1 0\n", "the formula does not hold after the run");
  claim_is("run 0\nsatisfies 1 0 !\n", "holds");
  claim_is("run 0\nsatisfies 1 1 1 x\n", "expected a bound from 0 to");
  claim_is("run 0\nnever 1 1 1\n", "expected a claim that fits here");
  claim_is(PLAIN "never 2 3 1 2 3\n", "holds");
  claim_is(PLAIN "never 1 3 1 2 3\n", "the formula can hold");
  claim_is(PLAIN "never 0 1 1\n", "the formula can hold");
  claim_is(PLAIN "never 4 3 1 2 3\n", "holds");
  claim_is(PLAIN "never 4 3 1 2 3 !\n", "the formula can hold");
  claim_is(PLAIN "never 1 1 1 1 1 2 &\n", "holds");
  claim_is(PLAIN "never 1 1 1 1 1 1 &\n", "the formula can hold");
  claim_is(PLAIN "never 2 2 1 2 2 2 2 3 |\n", "holds");
  claim_is(PLAIN "never 2 2 1 2 1 1 3 |\n", "the formula can hold");
  claim_is(PLAIN "never 1 1 3 2 2 1 2 |\n", "the formula can hold");
  claim_is(PLAIN "never 1 1 1 !\n", "a place has no complement, and is to be unmarked");
  claim_is(COMPLEMENT_A "never 1 1 1 1 1 1 ! &\n", "holds");
  claim_is(COMPLEMENT_A "never 1 1 2 !\n", "a place has no complement");
  claim_is(COMPLEMENT_A "never 1 1 1 1 1 2 ! | !\n", "the formula can hold");
  claim_is(COMPLEMENT_A "never 1 1 1 !\n", "the formula can hold");
  claim_is(COMPLEMENT_A "uncovered 1 2\n", "expected a claim that fits here");
  claim_is("complement 4\n", "expected a place from 1 to 3, found '4'");
  claim_is("complement 1\nrun 0\n", "expected 'prefix'");
  claim_is("complement 1 \n", "expected a place from 1 to 3");
}

/* Two places that t makes, and one that it makes again: there is no prefix that says that this is 1-safe. */
static void an_unsafe_net_has_no_complements(void) {
  Heap *heap = heap_new(0);
  NetBuilder *builder = net_builder_new(heap);
  CertificateReport report;
  Err err;
  net_add_place(builder, "a", true);
  net_add_place(builder, "b", true);
  const TransId t = net_add_trans(builder, "t");
  net_add_input(builder, (PlaceId){0}, t);
  net_add_output(builder, t, (PlaceId){1});
  Net *net = net_freeze(builder, &err);
  char text[] = "causal-certificate 1\nnet 2 1 2\ncomplement 2\nprefix erv 0\nnever 1 1 2 !\nend\n";
  CU_ASSERT_EQUAL(certificate_judge(heap, net, &(InFile){text, strlen(text), "proof"}, &report, &err),
                  VERDICT_VIOLATED);
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "the net is not known to be 1-safe"));
  certificate_judge_report_fini(&report);
  net_free(net);
  heap_free(heap);
}

/* ---- the grammar ---- */

static Net *named_net(Heap *heap) {
  static const char *const NAMES[] = {"a", "b", "or", "x or \"y\"", "twin", "twin"};
  NetBuilder *builder = net_builder_new(heap);
  Err err;
  for (uint32_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) net_add_place(builder, NAMES[i], i == 0 || i == 3);
  return net_freeze(builder, &err);
}

static bool is_marked(const void *net, PlaceId place) { return ((const Net *)net)->marked[place.v]; }

static void says(const char *text, bool expected) {
  Heap *heap = heap_new(0);
  const Net *net = named_net(heap);
  Formula formula;
  Err err;
  bool values[32];
  if (!formula_parse(heap, net, text, &formula, &err)) CU_FAIL_FATAL("a formula is refused");
  CU_ASSERT_FATAL(formula.parts.n <= 32);
  CU_ASSERT_EQUAL(formula_holds(&formula, is_marked, net, values), expected);
  formula_fini(&formula);
  heap_free(heap);
}

static void formulas_are_read(void) {
  says("a", true);
  says("b", false);
  says(" ! b ", true);
  says("!!a", true);
  says("a,b", false);
  says("a or b", true);
  says("a or b or b", true);
  says("b or(a,!b)", true);
  says("a, (b or !\"or\")", true);
  says("\"x or \"\"y\"\"\"", true);
  says("#3", false);
  says("a + b + #4 >= 2", true);
  says("a+b+#4>2", false);
  says("a+b+#4<=2", true);
  says("a+b+#4<2", false);
  says("a+b=1", true);
  says("a+b = 2", false);
  says("a+b = 0", false);
  says("b >= 0", true);
  says("a > 99999999999999999999999", false);
  says("a <= 99999999999999999999999", true);
  says("!a+b>=1", false);
}

static void fails(const char *text, const char *message) {
  Heap *heap = heap_new(0);
  Net *net = named_net(heap);
  const uint64_t used = heap_used(heap);
  Formula formula;
  Err err;
  CU_ASSERT_FALSE(formula_parse(heap, net, text, &formula, &err));
  if (strcmp(err.text, message) != 0) printf("\n%s\n", err.text);
  CU_ASSERT_STRING_EQUAL(err.text, message);
  CU_ASSERT_EQUAL(err.kind, ERR_INPUT);
  CU_ASSERT_EQUAL(heap_used(heap), used);
  heap_free(heap);
}

static void what_is_no_formula_is_refused(void) {
  fails("", "'': expected a place at the end");
  fails("a,", "'a,': expected a place at the end");
  fails("a or", "'a or': expected a place at the end");
  fails("a b", "'a b': expected ',' or 'or' at 'b'");
  fails("a or b, a", "'a or b, a': ',' and 'or' need parentheses, at ', a'");
  fails("(a or b", "'(a or b': expected ',', 'or' or ')' at the end");
  fails("a)", "'a)': expected ',' or 'or' at ')'");
  fails("a + b", "'a + b': expected a bound such as '>= 2' at the end");
  fails("a + a >= 1", "'a + a >= 1': place 'a' appears twice in a sum");
  fails("a >= b", "'a >= b': expected a number at 'b'");
  fails("\"a", "'\"a': expected '\"' at the end");
  fails("\"a\"\"", "'\"a\"\"': expected '\"' at the end");
  fails("\"", "'\"': expected '\"' at the end");
  fails("\"\"", "the net has no place ''");
  fails("twin or a", "several places are named 'twin'; '#N' is the N-th one of the file");
  fails("c or a", "the net has no place 'c'");
}

static void depth_has_a_limit(void) {
  char text[2 * FORMULA_DEEPEST + 2];
  for (uint32_t n = FORMULA_DEEPEST - 1; n <= FORMULA_DEEPEST; n++) {
    Heap *heap = heap_new(0);
    Formula formula;
    Err err;
    memset(text, '!', n);
    strcpy(text + n, "a");
    CU_ASSERT_EQUAL(formula_parse(heap, named_net(heap), text, &formula, &err), n < FORMULA_DEEPEST);
    heap_free(heap);
  }
}

void suite_formula(void);
void suite_formula(void) {
  CU_pSuite suite = CU_add_suite("formula", NULL, NULL);
  CU_ADD_TEST(suite, formulas_are_read);
  CU_ADD_TEST(suite, what_is_no_formula_is_refused);
  CU_ADD_TEST(suite, depth_has_a_limit);
  CU_ADD_TEST(suite, formulas_agree_with_reachability);
  CU_ADD_TEST(suite, what_is_claimed_is_true);
  CU_ADD_TEST(suite, each_reason);
  CU_ADD_TEST(suite, an_unsafe_net_has_no_complements);
}
