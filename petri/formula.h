/* formula.h: conditions on markings: what is marked, in sums with bounds, joined by "and", "or" and "not".
 *
 *     formula = unit { "," unit } | unit { "or" unit }
 *     unit    = "!" unit | "(" formula ")" | sum
 *     sum     = place | place { "+" place } bound
 *     bound   = ( ">=" | "<=" | ">" | "<" | "=" ) number
 *     place   = name | '"' any name, its quotation marks doubled '"'
 *
 * A name without quotation marks has no blanks and none of ,()!+<>=" in it and is not "or"; "#N" is the N-th place. A
 * place alone holds where it is marked; a sum is the number of its places that are; a comma is "and". Commas and "or"
 * are mixed with parentheses only. */
#ifndef PETRI_FORMULA_H
#define PETRI_FORMULA_H

#include "base/vec.h"
#include "petri/net.h"

#include <stdio.h>

/* The most parts, and parentheses and negations within each other. */
enum { FORMULA_MOST = 1 << 20, FORMULA_DEEPEST = 1000 };

/* What a part says. */
typedef enum {
  FORMULA_SUM, /* at least `bound` of its places are marked */
  FORMULA_NOT, /* not `left` */
  FORMULA_AND, /* `left` and `right` */
  FORMULA_OR   /* `left` or `right` */
} FormulaKind;

/* A part. Parts that it is made of have smaller numbers. */
typedef struct {
  FormulaKind kind;
  uint32_t left, right;       /* parts */
  uint32_t first, n_summands; /* SUM: places[first ..], each once */
  uint32_t bound;             /* SUM */
} FormulaPart;

/* A formula about a net: what its last part says. */
typedef struct {
  Heap *heap;
  VEC(FormulaPart) parts;
  VEC(PlaceId) places;
} Formula;

/* False, with ERR_INPUT, and nothing in *formula, if the text is none, or names a place that the net has not. */
bool formula_parse(Heap *heap, const Net *net, const char *text, Formula *formula, Err *err);
void formula_fini(Formula *formula);

/* Sets places[p] to true for each place p that is to be unmarked in some way to make the formula hold. */
void formula_find_unmarked(const Formula *formula, bool *places);

/* Prints it, in other words than it was written in: with all parentheses, and "at least" as the only bound. */
void formula_print(const Formula *formula, const Net *net, FILE *out);

/* Does it hold where those places are marked of which `is_marked` says so? `values` has room for each part. */
bool formula_holds(const Formula *formula, bool (*is_marked)(const void *marking, PlaceId place), const void *marking,
                   bool *values);

#endif
