/* Properties of the Model Checking Contest: random ones, as trees and as XML, against a look at all reachable markings;
 * what is refused, and what is of another kind. */
#include "petri/properties.h"
#include "ask/questions.h"
#include "base/hash.h"
#include "petri/token.h"
#include "tests/oracle/reach.h"
#include "tests/unit/safe_net.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- random formulas, as trees and as XML ---- */

typedef enum { TREE_LE, TREE_NOT, TREE_AND, TREE_OR, TREE_FIREABLE, TREE_DEADLOCK, TREE_TRUE, TREE_FALSE } TreeKind;

enum { MOST_NODES = 64, MOST_SIDE = 5, N_RANDOM = 6000 };

/* A side of a comparison: a constant, if it has no places and `is_constant`. */
typedef struct {
  bool is_constant;
  uint32_t constant, n;
  uint32_t places[MOST_SIDE];
} Side;

typedef struct {
  TreeKind kind;
  uint32_t children[3], n; /* FIREABLE: transitions */
  Side sides[2];
} Node;

typedef struct {
  uint64_t random;
  const Net *net;
  FILE *xml;
  Node nodes[MOST_NODES];
  uint32_t n;
} Tree;

static uint32_t pick(Tree *tree, uint32_t below) { return (uint32_t)(hash_word(++tree->random) >> 33) % below; }

static void grow_side(Tree *tree, Side *side) {
  side->is_constant = pick(tree, 3) == 0;
  if (side->is_constant) {
    side->constant = pick(tree, 4);
    fprintf(tree->xml, "<integer-constant> %u\n</integer-constant>", side->constant);
    return;
  }
  fputs("<tokens-count>", tree->xml);
  for (uint32_t wanted = pick(tree, MOST_SIDE + 1), i = 0; i < wanted; i++) {
    const uint32_t place = pick(tree, tree->net->n_places);
    bool known = false;
    for (uint32_t k = 0; k < side->n; k++) known |= side->places[k] == place;
    if (known) continue;
    fprintf(tree->xml, "<place>p%u</place>", place);
    side->places[side->n++] = place;
  }
  fputs("</tokens-count>", tree->xml);
}

static uint32_t grow(Tree *tree, uint32_t depth);

static void grow_children(Tree *tree, uint32_t number, uint32_t n, uint32_t depth) {
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t child = grow(tree, depth - 1);
    tree->nodes[number].children[i] = child;
  }
  tree->nodes[number].n = n;
}

static void grow_fireable(Tree *tree, Node *node) {
  for (node->n = 0; node->n < 1 + tree->random % 2; node->n++) {
    node->children[node->n] = pick(tree, tree->net->n_trans);
    fprintf(tree->xml, "<transition>t%u</transition>", node->children[node->n]);
  }
}

static uint32_t grow(Tree *tree, uint32_t depth) {
  static const char *const NAMES[] = {"integer-le",  "negation", "conjunction", "disjunction",
                                      "is-fireable", "deadlock", "true",        "false"};
  const uint32_t number = tree->n++;
  Node *node = &tree->nodes[number];
  *node = (Node){.kind = depth ? (TreeKind)pick(tree, 4) : TREE_LE};
  if (pick(tree, 6) == 0) node->kind = (TreeKind)(TREE_FIREABLE + pick(tree, 4));
  if (node->kind == TREE_FIREABLE && !tree->net->n_trans) node->kind = TREE_TRUE;
  fprintf(tree->xml, "<%s>", NAMES[node->kind]);
  if (node->kind == TREE_LE) grow_side(tree, &node->sides[0]), grow_side(tree, &node->sides[1]);
  if (node->kind == TREE_NOT) grow_children(tree, number, 1, depth);
  if (node->kind == TREE_AND || node->kind == TREE_OR) grow_children(tree, number, 1 + pick(tree, 3), depth);
  if (node->kind == TREE_FIREABLE) grow_fireable(tree, node);
  fprintf(tree->xml, "</%s>\n", NAMES[node->kind]);
  return number;
}

/* ---- their values ---- */

static uint32_t value(const Side *side, const uint64_t *marking) {
  uint32_t sum = side->is_constant ? side->constant : 0;
  for (uint32_t i = 0; i < side->n; i++) sum += marking_has(marking, (PlaceId){side->places[i]});
  return sum;
}

static bool is_dead(const Net *net, const uint64_t *marking) {
  for (uint32_t t = 0; t < net->n_trans; t++)
    if (token_enabled(net, marking, (TransId){t})) return false;
  return true;
}

static bool tree_holds(const Tree *tree, uint32_t number, const uint64_t *marking) {
  const Node *node = &tree->nodes[number];
  bool any = false, all = true;
  switch (node->kind) {
  case TREE_LE: return value(&node->sides[0], marking) <= value(&node->sides[1], marking);
  case TREE_NOT: return !tree_holds(tree, node->children[0], marking);
  case TREE_DEADLOCK: return is_dead(tree->net, marking);
  case TREE_TRUE: return true;
  case TREE_FALSE: return false;
  case TREE_AND:
  case TREE_OR:
  case TREE_FIREABLE: break;
  }
  for (uint32_t i = 0; i < node->n; i++) {
    const bool one = node->kind == TREE_FIREABLE ? token_enabled(tree->net, marking, (TransId){node->children[i]})
                                                 : tree_holds(tree, node->children[i], marking);
    any |= one, all &= one;
  }
  return node->kind == TREE_AND ? all : any;
}

/* The first marking in which the formula is `wanted`; REACH_NONE if there is none. */
static uint32_t first_marking(const Tree *tree, const Reach *reach, bool wanted) {
  for (uint32_t m = 0; m < reach->n_markings; m++)
    if (tree_holds(tree, 0, reach_marking(reach, m)) == wanted) return m;
  return REACH_NONE;
}

/* ---- random properties ---- */

static bool leads_there(const Reach *reach, const Tree *tree, const Answer *answer) {
  uint64_t *marking = heap_alloc(reach->heap, (marking_words(reach->net) + 1) * sizeof *marking);
  token_initial(reach->net, marking);
  for (uint32_t i = 0; i < answer->n_run; i++)
    if (!token_enabled(reach->net, marking, answer->run[i]) ||
        token_fire(reach->net, marking, answer->run[i]).v != PLACE_NONE.v)
      return false;
  return tree_holds(tree, 0, marking) != answer->always;
}

static const char *judge(const Reach *reach, const Tree *tree, const Answer *answer) {
  const uint32_t m = first_marking(tree, reach, !answer->always);
  if (answer->answer == VERDICT_UNKNOWN) return "unknown without a limit";
  if ((answer->answer == VERDICT_VIOLATED) != (m != REACH_NONE)) return "the answer";
  if (m == REACH_NONE) return NULL;
  if (!leads_there(reach, tree, answer)) return "the run";
  return answer->shortest && answer->n_run != reach_run(reach, m, NULL) ? "the length of the run" : NULL;
}

static const char *answer_all(const Reach *reach, const Tree *tree, const Properties *properties) {
  static const QuestionKind KINDS[] = {QUESTION_FORMULA, QUESTION_DEADLOCK, QUESTION_OTHER};
  const char *wrong = properties->at.n == 2 ? NULL : "the number of properties";
  for (uint32_t i = 0; i < properties->at.n && !wrong; i++) {
    const Property *p = &properties->at.at[i];
    Answer answer = {.kind = KINDS[p->kind], .formula = &p->formula, .property = p->name, .always = p->always};
    QuestionResult result;
    Err err;
    if (p->kind == PROPERTY_OTHER) return "it is of another kind";
    if (strcmp(p->name, i ? "ag" : "ef") != 0 || p->always != (i == 1)) return "its name or sense";
    if (!questions_answer(reach->heap, reach->net, &(QuestionOptions){0}, &(AskLimits){0}, &answer, 1, &result, &err))
      return "the replay";
    wrong = judge(reach, tree, &answer);
    questions_fini(&result);
  }
  return wrong;
}

/* The formula twice: is it possible, is it always so? */
static const char *compare(const Reach *reach, uint64_t seed) {
  Tree tree = {.random = seed << 20, .net = reach->net};
  InFile file = {.name = "properties"}, formula = {.text = NULL};
  Properties properties;
  Err err;
  tree.xml = open_memstream(&formula.text, &formula.length);
  grow(&tree, pick(&tree, 4));
  fclose(tree.xml);
  FILE *out = open_memstream(&file.text, &file.length);
  fprintf(out,
          "<property-set><property><id>ef</id><description>a <b>text</b></description><formula><exists-path>"
          "<finally>%s</finally></exists-path></formula></property>",
          formula.text);
  fprintf(out,
          "<property><id>\n ag </id><formula><all-paths><globally>%s</globally></all-paths></formula></property>"
          "</property-set>",
          formula.text);
  fclose(out);
  const bool good = properties_read(reach->heap, &file, reach->net, &properties, &err);
  const char *wrong = good ? answer_all(reach, &tree, &properties) : "it is refused";
  if (wrong) printf("\n%s: %s\n", formula.text, wrong);
  if (good) properties_fini(&properties);
  free(formula.text);
  free(file.text);
  return wrong;
}

static void properties_agree_with_reachability(void) {
  uint32_t n = 0;
  for (uint64_t seed = 1; seed <= N_RANDOM; seed++) {
    Heap *heap = heap_new((size_t)1 << 28);
    Reach *reach = reach_explore(heap, safe_net(heap, seed), 1000);
    const char *wrong = reach->complete ? compare(reach, seed) : NULL;
    n += reach->complete;
    if (wrong) printf("\nseed %u: %s\n", (unsigned)seed, wrong);
    CU_ASSERT_PTR_NULL(wrong);
    heap_free(heap);
  }
  CU_ASSERT(n > N_RANDOM / 2);
}

/* ---- what is refused, and what is of another kind ---- */

static Net *small_net(Heap *heap) {
  NetBuilder *builder = net_builder_new(heap);
  Err err;
  const PlaceId p = net_add_place(builder, "p", true), q = net_add_place(builder, "q", false);
  net_add_place(builder, "twice", false);
  net_add_place(builder, "twice", false);
  const TransId t = net_add_trans(builder, "t");
  net_add_input(builder, p, t);
  net_add_output(builder, t, q);
  return net_freeze(builder, &err);
}

/* Reads <property-set> with the text in it; what comes of it. */
static void read_text(const char *text, Properties *properties, Heap *heap, bool *good, Err *err) {
  char whole[2000];
  const int n = snprintf(whole, sizeof whole, "<property-set>\n%s\n</property-set>", text);
  const InFile file = {whole, (size_t)n, "f"};
  *good = properties_read(heap, &file, small_net(heap), properties, err);
}

#define PROPERTY(formula) "<property><id>i</id><formula>" formula "</formula></property>"
#define EF(formula) PROPERTY("<exists-path><finally>" formula "</finally></exists-path>")
#define COUNT(places) "<tokens-count>" places "</tokens-count>"
#define ONE "<integer-constant>1</integer-constant>"
#define TEMPORAL "a formula of temporal logic that is none of reachability"

static const struct {
  const char *text, *message; /* the error; or why it is of another kind */
  bool is_other;
} TEXTS[] = {
    {EF("<integer-le>" COUNT("<place>r</place>") ONE "</integer-le>"), "f:2: the net has no place 'r'", false},
    {EF("<integer-le>" COUNT("<place>twice</place>") ONE "</integer-le>"), "f:2: several places are named 'twice'",
     false},
    {EF("<is-fireable><transition>p</transition></is-fireable>"), "f:2: the net has no transition 'p'", false},
    {EF("<integer-le>" ONE "</integer-le>"), "f:2: integer-le: it has 1 operands", false},
    {EF("<integer-le><true/>" ONE "</integer-le>"), "f:2: integer-le: an operand of the wrong kind", false},
    {EF("<negation>" ONE "</negation>"), "f:2: negation: an operand of the wrong kind", false},
    {EF("<negation><true/><true/></negation>"), "f:2: negation: it has 2 operands", false},
    {EF("<conjunction/>"), "f:2: conjunction: it has 0 operands", false},
    {EF("<is-fireable/>"), "f:2: is-fireable: it has 0 operands", false},
    {EF("<true/><true/>"), "f:2: finally: it has 2 operands", false},
    {EF("<integer-le><integer-constant>-1</integer-constant>" ONE "</integer-le>"),
     "f:2: integer-constant: expected a number", false},
    {PROPERTY(""), "f:2: formula: it has 0 operands", false},
    {"<property><id>i</id></property>", "f:2: property: it has no formula", false},
    {"<property><id> </id></property>", "f:2: id: expected a name without blanks", false},
    {"<property><id>a\nFORMULA b TRUE</id></property>", "f:2: id: expected a name without blanks", false},
    {"<property><formula><true/></formula></property>", "f:2: property: it has no id", false},
    {"<property><id>i</id><id>i</id></property>", "f:2: property: it has two ids", false},
    {"<property><id>i</id><formula><exists-path><finally><true/></finally></exists-path></formula><formula>"
     "<exists-path><finally><true/></finally></exists-path></formula></property>",
     "f:2: property: it has two formulas", false},
    {PROPERTY("<true/>"), TEMPORAL, true},
    {PROPERTY("<all-paths><finally><true/></finally></all-paths>"), TEMPORAL, true},
    {PROPERTY("<exists-path><globally><true/></globally></exists-path>"), TEMPORAL, true},
    {PROPERTY("<exists-path><finally><all-paths><globally><true/></globally></all-paths></finally></exists-path>"),
     TEMPORAL, true},
    {PROPERTY("<all-paths><next><true/></next></all-paths>"), "'next' is not read", true},
    {EF("<negation><implication><true/>" ONE "</implication></negation>"), "'implication' is not read", true},
    {EF("<integer-le>" COUNT("<place>p</place><place>p</place>") ONE "</integer-le>"),
     "a sum that counts a place twice", true},
    {EF("<integer-le>" COUNT("<x/>") ONE "</integer-le>"), "'x' is not read", true},
    {EF("<deadlock><true/></deadlock>"), "'true' is not read", true},
};

static void what_is_no_property(void) {
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    Heap *heap = heap_new(0);
    Properties properties;
    Err err = {.text = ""};
    bool good;
    read_text(TEXTS[i].text, &properties, heap, &good, &err);
    const char *said = good && properties.at.n ? properties.at.at[0].why : err.text;
    if (!said || strcmp(said, TEXTS[i].message) != 0) printf("\n%s: %s\n", TEXTS[i].text, said ? said : "nothing");
    CU_ASSERT_EQUAL(good, TEXTS[i].is_other);
    CU_ASSERT_STRING_EQUAL(said ? said : "", TEXTS[i].message);
    CU_ASSERT(!good || properties.at.at[0].kind == PROPERTY_OTHER);
    heap_free(heap);
  }
}

/* Of two that follow it, one is what it is. */
static void others_are_read_on(void) {
  Heap *heap = heap_new(0);
  Properties properties;
  Err err = {.text = ""};
  bool good;
  read_text(PROPERTY("<true/>") "<tool/>" EF("<deadlock/>") EF("<negation><deadlock/></negation>"), &properties, heap,
            &good, &err);
  CU_ASSERT_TRUE_FATAL(good && properties.at.n == 3);
  CU_ASSERT_EQUAL(properties.at.at[1].kind, PROPERTY_DEADLOCK);
  CU_ASSERT(properties.at.at[2].kind == PROPERTY_FORMULA && !properties.at.at[2].always);
  heap_free(heap);
}

void suite_properties(void);
void suite_properties(void) {
  CU_pSuite s = CU_add_suite("properties", NULL, NULL);
  CU_ADD_TEST(s, properties_agree_with_reachability);
  CU_ADD_TEST(s, what_is_no_property);
  CU_ADD_TEST(s, others_are_read_on);
}
