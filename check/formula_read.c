#include "check/formula_read.h"

typedef struct {
  Lines *lines;
  Heap *heap;
  const Net *net;
  Formula *formula;
  U32Vec open; /* parts that are of no other one yet, the last one last */
  Err *err;
} FormulaReader;

static bool expected(const FormulaReader *r, const char *what) { return lines_expected(r->lines, what, r->err); }

static bool add_part(FormulaReader *r, FormulaPart part) {
  if (r->formula->parts.n + r->formula->places.n >= FORMULA_READ_MOST) return expected(r, "a smaller formula");
  vec_push(r->heap, &r->open, r->formula->parts.n);
  vec_push(r->heap, &r->formula->parts, part);
  return true;
}

static uint32_t pop(FormulaReader *r) { return r->open.at[--r->open.n]; }

/* B N P* */
static bool read_sum(FormulaReader *r) {
  FormulaPart part = {.kind = FORMULA_SUM, .first = r->formula->places.n};
  uint64_t bound = 0, n = 0;
  if (!lines_number(r->lines, "a bound", 0, INT32_MAX, &bound, r->err) ||
      !lines_number(r->lines, "a number of places", 0, FORMULA_READ_MOST, &n, r->err))
    return false;
  part.bound = (uint32_t)bound;
  part.n_summands = (uint32_t)n;
  for (uint32_t i = 0, p; i < n; i++) {
    if (!lines_index(r->lines, "a place", r->net->n_places, &p, r->err)) return false;
    for (uint32_t k = part.first; k < r->formula->places.n; k++)
      if (r->formula->places.at[k].v == p) return expected(r, "each place of a sum once");
    vec_push(r->heap, &r->formula->places, (PlaceId){p});
  }
  return add_part(r, part);
}

static bool read_not(FormulaReader *r) {
  return r->open.n ? add_part(r, (FormulaPart){.kind = FORMULA_NOT, .left = pop(r)})
                   : expected(r, "a formula before '!'");
}

static bool read_both(FormulaReader *r, FormulaKind kind) {
  if (r->open.n < 2) return expected(r, "two formulas before '&' or '|'");
  const uint32_t right = pop(r);
  return add_part(r, (FormulaPart){.kind = kind, .left = pop(r), .right = right});
}

/* (B N P* | '!' | '&' | '|')*, as each follows what it is made of */
static bool read_parts(FormulaReader *r) {
  while (lines_has_blank(r->lines)) {
    bool good;
    if (lines_word(r->lines, " !")) good = read_not(r);
    else if (lines_word(r->lines, " &")) good = read_both(r, FORMULA_AND);
    else if (lines_word(r->lines, " |")) good = read_both(r, FORMULA_OR);
    else good = read_sum(r);
    if (!good) return false;
  }
  return r->open.n == 1 ? lines_at_end(r->lines, r->err) : expected(r, "one formula");
}

bool formula_read(Lines *lines, Heap *heap, const Net *net, Formula *formula, Err *err) {
  FormulaReader r = {.lines = lines, .heap = heap, .net = net, .formula = formula, .err = err};
  *formula = (Formula){.heap = heap};
  const bool good = read_parts(&r);
  vec_fini(heap, &r.open);
  if (!good) formula_fini(formula);
  return good;
}
