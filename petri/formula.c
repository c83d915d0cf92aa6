#include "petri/formula.h"

#include "petri/lookup.h"

#include <assert.h>
#include <string.h>

typedef struct {
  Heap *heap;
  const Net *net;
  const char *text, *at;
  Formula *formula;
  uint32_t depth;
  Err *err;
} Parser;

/* ---- words ---- */

static const char BLANKS[] = " \t\r\n", SPECIAL[] = " \t\r\n,()!+<>=\"";

static void skip_blanks(Parser *p) { p->at += strspn(p->at, BLANKS); }

static bool fail(const Parser *p, const char *expected) {
  if (!*p->at) return err_set(p->err, ERR_INPUT, "'%.200s': expected %s at the end", p->text, expected);
  return err_set(p->err, ERR_INPUT, "'%.200s': expected %s at '%.60s'", p->text, expected, p->at);
}

static bool take(Parser *p, const char *sign) {
  skip_blanks(p);
  const size_t length = strlen(sign);
  if (strncmp(p->at, sign, length) != 0) return false;
  p->at += length;
  return true;
}

static bool take_or(Parser *p) {
  skip_blanks(p);
  if (strcspn(p->at, SPECIAL) != 2 || strncmp(p->at, "or", 2) != 0) return false;
  p->at += 2;
  return true;
}

/* ---- parts ---- */

static bool add_part(Parser *p, FormulaPart part, uint32_t *number) {
  if (p->formula->parts.n == FORMULA_MOST) return err_set(p->err, ERR_INPUT, "the formula has too many parts");
  *number = p->formula->parts.n;
  vec_push(p->heap, &p->formula->parts, part);
  return true;
}

static bool add_not(Parser *p, uint32_t *number) {
  return add_part(p, (FormulaPart){.kind = FORMULA_NOT, .left = *number}, number);
}

/* ---- places ---- */

/* name | '"' any name '"' */
static bool parse_name(Parser *p, PlaceId *place) {
  const char *from = p->at;
  if (*from != '"') {
    const size_t length = strcspn(from, SPECIAL);
    if (!length) return fail(p, "a place");
    p->at += length;
    return net_find_place(p->net, from, length, place, p->err);
  }
  char *name = heap_alloc(p->heap, strlen(from) + 1), *to = name;
  bool closed = false;
  for (p->at++; *p->at && !closed; p->at++) {
    closed = *p->at == '"' && p->at[1] != '"';
    if (*p->at == '"' && !closed) p->at++;
    if (!closed) *to++ = *p->at;
  }
  *to = '\0';
  const bool good = closed ? net_find_place(p->net, name, (size_t)(to - name), place, p->err) : fail(p, "'\"'");
  heap_release(p->heap, name);
  return good;
}

static bool parse_summand(Parser *p, uint32_t first) {
  PlaceId place;
  skip_blanks(p);
  if (!parse_name(p, &place)) return false;
  for (uint32_t i = first; i < p->formula->places.n; i++)
    if (p->formula->places.at[i].v == place.v)
      return err_set(p->err, ERR_INPUT, "'%.200s': place '%.200s' appears twice in a sum", p->text,
                     p->net->place_name[place.v]);
  vec_push(p->heap, &p->formula->places, place);
  return true;
}

/* Larger numbers are as good as this one. */
static bool parse_number(Parser *p, uint32_t *number) {
  skip_blanks(p);
  if (*p->at < '0' || *p->at > '9') return fail(p, "a number");
  for (*number = 0; *p->at >= '0' && *p->at <= '9'; p->at++)
    if (*number < 1u << 30) *number = 10 * *number + (uint32_t)(*p->at - '0');
  return true;
}

/* ---- sums ---- */

typedef enum { BOUND_LEAST, BOUND_MOST, BOUND_MORE, BOUND_LESS, BOUND_EQUAL, BOUND_NONE } Bound;

static Bound take_bound(Parser *p) {
  static const char *const SIGNS[] = {">=", "<=", ">", "<", "="}; /* ORDER Bound */
  Bound bound = BOUND_LEAST;
  while (bound < BOUND_NONE && !take(p, SIGNS[bound])) bound++;
  return bound;
}

/* All are told by "at least": less than k is not at least k. */
static bool add_sum(Parser *p, uint32_t first, Bound bound, uint32_t k, uint32_t *number) {
  FormulaPart sum = {.kind = FORMULA_SUM, .first = first, .n_summands = p->formula->places.n - first};
  uint32_t left;
  sum.bound = bound == BOUND_MOST || bound == BOUND_MORE ? k + 1 : k;
  if (!add_part(p, sum, number)) return false;
  if (bound == BOUND_MOST || bound == BOUND_LESS) return add_not(p, number);
  if (bound != BOUND_EQUAL) return true;
  left = *number;
  sum.bound = k + 1;
  return add_part(p, sum, number) && add_not(p, number) &&
         add_part(p, (FormulaPart){.kind = FORMULA_AND, .left = left, .right = *number}, number);
}

/* sum = place | place { "+" place } bound */
static bool parse_sum(Parser *p, uint32_t *number) {
  const uint32_t first = p->formula->places.n;
  uint32_t k = 1;
  do
    if (!parse_summand(p, first)) return false;
  while (take(p, "+"));
  const Bound bound = take_bound(p);
  if (bound != BOUND_NONE && !parse_number(p, &k)) return false;
  if (bound == BOUND_NONE && p->formula->places.n - first > 1) return fail(p, "a bound such as '>= 2'");
  return add_sum(p, first, bound, k, number);
}

/* ---- formulas ---- */

static bool parse_formula(Parser *p, uint32_t *number);

/* unit = "!" unit | "(" formula ")" | sum */
static bool parse_unit(Parser *p, uint32_t *number) {
  bool good;
  if (p->depth == FORMULA_DEEPEST) return err_set(p->err, ERR_INPUT, "the formula is too deep");
  p->depth++;
  if (take(p, "!")) good = parse_unit(p, number) && add_not(p, number);
  else if (take(p, "(")) good = parse_formula(p, number) && (take(p, ")") || fail(p, "',', 'or' or ')'"));
  else good = parse_sum(p, number);
  p->depth--;
  return good;
}

static bool parse_right(Parser *p, FormulaKind kind, uint32_t *number) {
  FormulaPart part = {.kind = kind, .left = *number};
  return parse_unit(p, &part.right) && add_part(p, part, number);
}

/* formula = unit { "," unit } | unit { "or" unit } */
static bool parse_formula(Parser *p, uint32_t *number) {
  bool any_and = false, any_or = false;
  if (!parse_unit(p, number)) return false;
  for (;;) {
    const char *from = p->at;
    const bool is_and = take(p, ","), is_or = !is_and && take_or(p);
    if (!is_and && !is_or) return true;
    any_and |= is_and, any_or |= is_or;
    if (any_and && any_or)
      return err_set(p->err, ERR_INPUT, "'%.200s': ',' and 'or' need parentheses, at '%.60s'", p->text, from);
    if (!parse_right(p, is_and ? FORMULA_AND : FORMULA_OR, number)) return false;
  }
}

bool formula_parse(Heap *heap, const Net *net, const char *text, Formula *formula, Err *err) {
  uint32_t last;
  *formula = (Formula){.heap = heap};
  Parser p = {.heap = heap, .net = net, .text = text, .at = text, .formula = formula, .err = err};
  bool good = parse_formula(&p, &last);
  skip_blanks(&p);
  if (good && *p.at) good = fail(&p, "',' or 'or'");
  assert(!good || last + 1 == formula->parts.n);
  if (!good) formula_fini(formula);
  return good;
}

void formula_fini(Formula *formula) {
  vec_fini(formula->heap, &formula->parts);
  vec_fini(formula->heap, &formula->places);
}

/* ---- what it wants unmarked ---- */

enum { IS_WANTED = 1, IS_UNWANTED = 2 };

void formula_find_unmarked(const Formula *formula, bool *places) {
  uint8_t *wish = heap_zeroed(formula->heap, (size_t)formula->parts.n + 1);
  wish[formula->parts.n - 1] = IS_WANTED;
  for (uint32_t i = formula->parts.n; i-- > 0;) {
    const FormulaPart *part = &formula->parts.at[i];
    const uint8_t opposite =
        (uint8_t)((wish[i] & IS_WANTED ? IS_UNWANTED : 0) | (wish[i] & IS_UNWANTED ? IS_WANTED : 0));
    switch (part->kind) {
    case FORMULA_SUM:
      for (uint32_t k = 0; wish[i] & IS_UNWANTED && k < part->n_summands; k++)
        places[formula->places.at[part->first + k].v] = true;
      break;
    case FORMULA_NOT: wish[part->left] |= opposite; break;
    case FORMULA_AND:
    case FORMULA_OR:
      wish[part->left] |= wish[i];
      wish[part->right] |= wish[i];
      break;
    }
  }
  heap_release(formula->heap, wish);
}

/* ---- in words ---- */

static void print_sum(const Formula *formula, const FormulaPart *part, const Net *net, FILE *out) {
  const bool alone = part->n_summands == 1 && part->bound == 1;
  if (!alone) putc('(', out);
  for (uint32_t i = 0; i < part->n_summands; i++) {
    if (i) fputs(" + ", out);
    net_print_name(net, net->place_name[formula->places.at[part->first + i].v], out);
  }
  if (!alone) fprintf(out, " >= %u)", part->bound);
}

static void print_part(const Formula *formula, uint32_t number, const Net *net, FILE *out) {
  const FormulaPart *part = &formula->parts.at[number];
  if (part->kind == FORMULA_SUM) {
    print_sum(formula, part, net, out);
    return;
  }
  if (part->kind == FORMULA_NOT) {
    putc('!', out);
    print_part(formula, part->left, net, out);
    return;
  }
  putc('(', out);
  print_part(formula, part->left, net, out);
  fputs(part->kind == FORMULA_AND ? ", " : " or ", out);
  print_part(formula, part->right, net, out);
  putc(')', out);
}

void formula_print(const Formula *formula, const Net *net, FILE *out) {
  print_part(formula, formula->parts.n - 1, net, out);
}

/* ---- its value ---- */

bool formula_holds(const Formula *formula, bool (*is_marked)(const void *marking, PlaceId place), const void *marking,
                   bool *values) {
  for (uint32_t i = 0; i < formula->parts.n; i++) {
    const FormulaPart *part = &formula->parts.at[i];
    uint32_t n = 0;
    switch (part->kind) {
    case FORMULA_SUM:
      for (uint32_t k = 0; k < part->n_summands; k++) n += is_marked(marking, formula->places.at[part->first + k]);
      values[i] = n >= part->bound;
      break;
    case FORMULA_NOT: values[i] = !values[part->left]; break;
    case FORMULA_AND: values[i] = values[part->left] && values[part->right]; break;
    case FORMULA_OR: values[i] = values[part->left] || values[part->right]; break;
    }
  }
  return values[formula->parts.n - 1];
}
