/* Formulas about markings: the grammar, and random ones against a look at all reachable markings. */
#include "ask/rival.h"
#include "base/hash.h"
#include "tests/oracle/reach.h"
#include "tests/unit/safe_net.h"
#include "unfold/deadlock.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
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
}
