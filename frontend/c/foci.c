#include "frontend/c/foci.h"

#include "frontend/c/arrays.h"
#include "frontend/c/kept.h"
#include "frontend/c/same.h"

#include <assert.h>

static const CInstruction *instruction(const Foci *f, uint32_t i) { return &f->points->module->instructions.at[i]; }

static CObject *object_at(const Foci *f, uint32_t target) {
  return &f->points->objects.at[f->points->targets.at[target].object];
}

static CIdentity known(uint32_t n) { return (CIdentity){IDENTITY_KNOWN, n}; }
static CIdentity any_one(void) { return (CIdentity){IDENTITY_ANY, 0}; }

/* ---- what a value may lead to ---- */

static void add_choice(Foci *f, U32Vec *choices, uint32_t choice) {
  for (uint32_t i = 0; i < choices->n; i++)
    if (choices->at[i] == choice) return;
  vec_push(f->heap, choices, choice);
}

static void add_choices(Foci *f, U32Vec set, U32Vec *choices) {
  for (uint32_t k = 0; k < set.n; k++) {
    const CObject *o = object_at(f, set.at[k]);
    if (!o->instances || o->has_rest) add_choice(f, choices, 0);
    for (uint32_t i = 0; i < o->instances; i++) add_choice(f, choices, o->first + i);
  }
}

void foci_choices(Foci *f, uint32_t context, const CInstruction *i, uint32_t n, U32Vec *choices) {
  vec_clear(choices);
  add_choices(f, points_of(f->points, context, i, n), choices);
}

static bool leads_to_some(const Foci *f, U32Vec set) {
  for (uint32_t k = 0; k < set.n; k++)
    if (object_at(f, set.at[k])->instances) return true;
  return false;
}

/* The only object that a set leads to, or NULL. */
static const CObject *only_object(const Foci *f, U32Vec set) {
  for (uint32_t k = 1; k < set.n; k++)
    if (object_at(f, set.at[k]) != object_at(f, set.at[0])) return NULL;
  return set.n ? object_at(f, set.at[0]) : NULL;
}

/* An element of the object. What is out of it is not used. */
static CIdentity element(const CObject *o, int64_t number) {
  if (o->has_rest) return any_one();
  return known(number >= 0 && number < (int64_t)o->instances ? o->first + (uint32_t)number : 0);
}

/* ---- tokens ---- */

static bool is_same_spot(CSpot a, CSpot b) { return a.context == b.context && a.value == b.value; }

static bool is_same(const CToken *a, const CToken *b) {
  return is_same_spot(a->base, b->base) && is_same_spot(a->index, b->index) && a->shift == b->shift &&
         a->is_truth == b->is_truth;
}

uint32_t foci_find_token(const Foci *f, const CToken *token) {
  uint32_t n = 0;
  while (n < f->tokens.n && !is_same(&f->tokens.at[n], token)) n++;
  return n;
}

static const CToken no_token = {.local = C_NONE, .done = C_NONE, .bond = C_NONE, .by = C_NONE};

static CIdentity token_of(Foci *f, CSpot base, CSpot index, int64_t shift, U32Vec set) {
  CToken token = no_token;
  token.base = base;
  token.index = index;
  token.shift = shift;
  const uint32_t n = foci_find_token(f, &token);
  if (n == f->tokens.n) {
    if (f->are_found) return any_one();
    vec_push(f->heap, &f->tokens, token);
  }
  if (!f->are_found) add_choices(f, set, &f->tokens.at[n].choices);
  return (CIdentity){IDENTITY_TOKEN, n};
}

static const CSpot NOWHERE = {C_NONE, C_NONE};

bool foci_is_entered_again(const Points *p, uint32_t context) {
  for (; context != C_NONE; context = p->contexts.at[context].parent)
    if (p->contexts.at[context].repeats) return true;
  return false;
}

/* The operand that a parameter is, in the context that calls; false if it is none of a call. */
static bool argument_of(const Foci *f, uint32_t *context, uint32_t parameter, const COperand **operand) {
  const CContext *c = &f->points->contexts.at[*context];
  if (c->parent == C_NONE) return false;
  const CInstruction *call = instruction(f, c->call);
  const uint32_t n = 1 + parameter - f->points->module->functions.at[c->function].start;
  if (points_library(f->points, c->parent, call) || n >= call->n_operands) return false;
  *operand = cmodule_operand(f->points->module, call, n);
  *context = c->parent;
  return true;
}

/* The operand that a call gives: that of the one return of the one function that it runs. */
static bool result_of(const Foci *f, uint32_t *context, uint32_t call, const COperand **operand) {
  const Points *p = f->points;
  if (points_of(f->points, *context, instruction(f, call), 0).n != 1) return false;
  const uint32_t callee = points_callee(p, *context, call);
  if (callee == C_NONE || foci_is_entered_again(p, callee)) return false;
  const CFunction *function = &p->module->functions.at[p->contexts.at[callee].function];
  const CInstruction *give = NULL;
  for (uint32_t i = function->start; i < function->end; i++) {
    if (instruction(f, i)->kind != C_RETURN) continue;
    if (give) return false;
    give = instruction(f, i);
  }
  if (!give || !give->n_operands) return false;
  *operand = cmodule_operand(p->module, give, 0);
  *context = callee;
  return true;
}

/* The operand that was stored where a load finds it. */
static bool stored_of(const Foci *f, uint32_t *context, uint32_t load, const COperand **operand) {
  const Points *p = f->points;
  const uint32_t node = f->origins ? f->origins->stores[points_node(p, *context, load)] : 0;
  if (!node) return false;
  *context = p->owners.at[node - 1];
  const CContext *c = &p->contexts.at[*context];
  const uint32_t store = p->module->functions.at[c->function].start + (node - 1 - c->base);
  assert(instruction(f, store)->kind == C_STORE);
  *operand = cmodule_operand(p->module, instruction(f, store), 0);
  return true;
}

bool foci_origin(const Foci *f, uint32_t *context, const COperand **operand, uint64_t bits) {
  const CInstruction *i = instruction(f, (*operand)->n);
  switch ((int)i->kind) {
  case C_SAME:
    if (i->n_operands != 1 || i->is_cut || i->size < bits) return false;
    *operand = cmodule_operand(f->points->module, i, 0);
    return true;
  case C_PARAMETER: return argument_of(f, context, (*operand)->n, operand);
  case C_CALL: return result_of(f, context, (*operand)->n, operand);
  case C_LOAD: return i->size * 8 >= bits && stored_of(f, context, (*operand)->n, operand);
  default: return false;
  }
}

/* ---- indices ---- */

bool foci_find_index(const Foci *f, bool constants, uint32_t *context, const COperand **index, int64_t *shift,
                     bool *exact) {
  bool keeps_sign = true, moves = false;
  for (;;) {
    *exact = keeps_sign || !moves;
    if ((*index)->kind != C_VALUE) return (*index)->kind == C_INTEGER;
    if (foci_is_entered_again(f->points, *context)) return false;
    const CInstruction *i = instruction(f, (*index)->n);
    const COperand *next = *index;
    uint32_t there = *context;
    const bool offset = i->kind == C_OFFSET && i->n_operands == 1 && i->size >= 32;
    if (offset) next = cmodule_operand(f->points->module, i, 0);
    else if (!foci_origin(f, &there, &next, 8)) return true;
    if (next->kind == C_INTEGER && !constants) return true;
    keeps_sign &= (i->kind != C_OFFSET && i->kind != C_SAME) || i->is_signed;
    moves |= offset;
    *shift += offset ? i->number : 0;
    *index = next;
    *context = there;
  }
}

/* An element of an array, `shift` from that index on. */
static CIdentity index_identity(Foci *f, const CObject *o, CSpot base, int64_t shift, uint32_t context,
                                const COperand *index, U32Vec set) {
  bool exact;
  if (!foci_find_index(f, !o->has_rest, &context, &index, &shift, &exact)) return any_one();
  if (index->kind == C_INTEGER) return base.context == C_NONE ? element(o, shift + index->number) : any_one();
  const CSpot spot = {context, index->n};
  return token_of(f, base, base.context == C_NONE ? same_first(f, base.value, spot) : spot, shift, set);
}

/* The index of an address that goes from one place in an array by a number of elements that is not known, or by some
 * value, which of a long array is not known either: its operand; or 0. Numbers that are known add to *bytes. */
static uint32_t unknown_index(const Foci *f, uint32_t context, const CInstruction *i, const CObject *o,
                              int64_t *bytes) {
  uint32_t found = 0;
  *bytes = i->number;
  for (uint32_t n = 1; n + 1 < i->n_operands; n += 2) {
    const int64_t step = cmodule_operand(f->points->module, i, n + 1)->number;
    const bool value = cmodule_operand(f->points->module, i, n)->kind == C_VALUE;
    int64_t number;
    if (points_number(f->points, context, i, n, &number) && !(o->has_rest && value && step == (int64_t)o->stride)) {
      *bytes += number * step;
    } else {
      if (found || step != (int64_t)o->stride) return 0;
      found = n;
    }
  }
  return found;
}

static bool has_unknown(const Foci *f, uint32_t context, const CInstruction *i, int64_t *bytes) {
  *bytes = i->number;
  for (uint32_t n = 1; n + 1 < i->n_operands; n += 2) {
    int64_t number;
    if (!points_number(f->points, context, i, n, &number)) return true;
    *bytes += number * cmodule_operand(f->points->module, i, n + 1)->number;
  }
  return false;
}

/* ---- addresses ---- */

static U32Vec targets_of(const Foci *f, uint32_t context, uint32_t value) {
  const CContext *c = &f->points->contexts.at[context];
  return f->points->nodes.at[c->base + (value - f->points->module->functions.at[c->function].start)];
}

/* Does what goes on by so many bytes stay in each element that it may be in? */
static bool stays(const Foci *f, U32Vec set, int64_t bytes) {
  for (uint32_t k = 0; k < set.n && bytes; k++) {
    const CTarget t = f->points->targets.at[set.at[k]];
    const CObject *o = &f->points->objects.at[t.object];
    const int64_t stride = (int64_t)o->stride, offset = (int64_t)t.offset - (int64_t)o->start;
    if (stride && (t.offset == OFFSET_ANY || offset + bytes < 0 || offset + bytes >= stride)) return false;
  }
  return true;
}

/* Does an index of an array that is a member of a structure lead to an element of it, which is in the same structure?
 */
static bool stays_by_index(const Foci *f, const CInstruction *i, U32Vec set) {
  for (uint32_t k = 0; k < set.n; k++) {
    const CTarget t = f->points->targets.at[set.at[k]];
    const CObject *o = &f->points->objects.at[t.object];
    const int64_t stride = (int64_t)o->stride, first = (int64_t)t.offset - (int64_t)o->start + i->number;
    const int64_t elements = points_elements(f->points, i, t.object);
    if (!stride) continue;
    if (!i->is_signed || t.offset == OFFSET_ANY || first < 0 || elements <= 0 || elements > stride) return false;
    const int64_t step = cmodule_operand(f->points->module, i, 2)->number;
    if (step <= 0 || step > stride || first + elements * step > stride) return false;
  }
  return true;
}

bool foci_distance(const Foci *f, uint32_t context, const CInstruction *i, int64_t *bytes) {
  return !has_unknown(f, context, i, bytes);
}

static CIdentity identity(Foci *f, uint32_t context, const COperand *operand, U32Vec set);

/* Of an array, or of the one whose instances it has. */
static CSpot base_of(const Foci *f, const CObject *o) {
  return (CSpot){C_NONE, (uint32_t)(foci_first(f, o) - f->points->objects.at)};
}

/* Is the operand a place in that array, which there is once: so many bytes from its beginning? */
static bool is_base(const Foci *f, uint32_t context, const COperand *operand, const CObject *o, int64_t *bytes) {
  CArray array;
  if (operand->kind == C_GLOBAL) return *bytes = operand->number - (int64_t)o->start, true;
  if (!arrays_base(f, context, operand, &array, bytes)) return false;
  *bytes -= (int64_t)o->start;
  const uint32_t object = arrays_object(f->points, array), it = (uint32_t)(o - f->points->objects.at);
  return object != C_NONE && points_is_same_object(f->points, object, it);
}

/* Of a C_OFFSET into an array by an index. IDENTITY_ANY: nothing is known of it. */
static CIdentity indexed(Foci *f, uint32_t context, uint32_t number, const CObject *o) {
  const CInstruction *i = instruction(f, number);
  const COperand *base = cmodule_operand(f->points->module, i, 0);
  const U32Vec set = targets_of(f, context, number);
  const int64_t stride = (int64_t)o->stride;
  int64_t bytes, from_start;
  const uint32_t n = unknown_index(f, context, i, o, &bytes);
  if (!n) return any_one();
  const COperand *index = cmodule_operand(f->points->module, i, n);
  if (is_base(f, context, base, o, &from_start))
    return index_identity(f, o, base_of(f, o), foci_quotient(from_start + bytes, stride), context, index, set);
  if (base->kind != C_VALUE) return any_one();
  const U32Vec from = targets_of(f, context, base->n);
  if (from.n != 1 || object_at(f, from.at[0]) != o || f->points->targets.at[from.at[0]].offset == OFFSET_ANY)
    return any_one();
  const CIdentity start = identity(f, context, base, from);
  if (start.kind != IDENTITY_TOKEN || f->tokens.at[start.n].index.context != C_NONE) return any_one();
  const int64_t offset = (int64_t)f->points->targets.at[from.at[0]].offset - (int64_t)o->start;
  const int64_t shift = foci_quotient(offset + bytes, stride);
  return index_identity(f, o, f->tokens.at[start.n].base, shift, context, index, set);
}

/* Does it go from one object that is split, or a part, to another one, or may it? */
static bool leaves_part(const Foci *f, U32Vec from, U32Vec to) {
  bool is_split = false;
  for (uint32_t k = 0; k < from.n; k++) is_split |= object_at(f, from.at[k])->is_split;
  return is_split && (!only_object(f, from) || only_object(f, from) != only_object(f, to));
}

/* Of a C_OFFSET; *operand becomes what it stays with, if it does, else it is left alone. */
static CIdentity moved(Foci *f, uint32_t context, const COperand **operand) {
  const uint32_t number = (*operand)->n;
  const CInstruction *i = instruction(f, number);
  const COperand *base = cmodule_operand(f->points->module, i, 0);
  const U32Vec set = targets_of(f, context, number);
  const CObject *only = only_object(f, set);
  int64_t bytes;
  const bool unknown = has_unknown(f, context, i, &bytes);
  const bool by_index = only && only->stride && (unknown || only->has_rest);
  const CIdentity it = by_index ? indexed(f, context, number, only) : any_one();
  if (it.kind != IDENTITY_ANY) return it;
  bool folded = false;
  for (uint32_t k = 0; k < set.n; k++) folded |= object_at(f, set.at[k])->stride != 0;
  if (base->kind == C_VALUE && !leaves_part(f, targets_of(f, context, base->n), set) &&
      (unknown ? !folded || stays_by_index(f, i, targets_of(f, context, base->n))
               : stays(f, targets_of(f, context, base->n), bytes))) {
    *operand = base;
    return any_one();
  }
  int64_t from_start;
  if (only && only->stride && !unknown && !only->has_rest && is_base(f, context, base, only, &from_start))
    return element(only, foci_quotient(from_start + bytes, (int64_t)only->stride));
  return token_of(f, (CSpot){context, number}, NOWHERE, 0, set);
}

/* Of the address of a global. */
static CIdentity global_identity(const Foci *f, const COperand *operand) {
  const uint32_t part = points_part(f->points, OBJECT_GLOBAL, operand->n, operand->number);
  for (uint32_t k = 0; k < f->points->objects.n; k++) {
    const CObject *o = &f->points->objects.at[k];
    if (!carray_is_same(carray_of(o), (CArray){OBJECT_GLOBAL, operand->n, part})) continue;
    if (o->context != C_NONE || !o->instances) continue;
    const int64_t offset = operand->number - (int64_t)o->start;
    return o->stride ? element(o, foci_quotient(offset, (int64_t)o->stride)) : known(o->first);
  }
  return any_one();
}

/* Of an address that may be NULL, too. */
static CIdentity identity(Foci *f, uint32_t context, const COperand *operand, U32Vec set) {
  if (!leads_to_some(f, set)) return known(0);
  while (operand->kind == C_VALUE && !foci_is_entered_again(f->points, context)) {
    const COperand *from = operand;
    if (instruction(f, operand->n)->kind == C_OFFSET) {
      const CIdentity it = moved(f, context, &operand);
      if (operand == from) return it;
    } else if (!foci_origin(f, &context, &operand, 64)) {
      return token_of(f, (CSpot){context, operand->n}, NOWHERE, 0, targets_of(f, context, operand->n));
    }
  }
  return operand->kind == C_GLOBAL ? global_identity(f, operand) : any_one();
}

static CIdentity operand_identity(Foci *f, uint32_t context, const COperand *operand) {
  const U32Vec shared = points_operand(f->points, context, operand);
  U32Vec set = {0};
  for (uint32_t k = 0; k < shared.n; k++) vec_push(f->heap, &set, shared.at[k]);
  const CIdentity it = identity(f, context, operand, set);
  vec_fini(f->heap, &set);
  return it;
}

/* Does what keeps others say where an operand leads? */
static bool is_kept(const Foci *f, uint32_t context, const COperand *operand) {
  return f->kept && (kept_has(f->points, points_operand(f->points, context, operand)) ||
                     kept_is_member(f->kept, context, operand));
}

static CIdentity identity_of(Foci *f, uint32_t context, const CInstruction *i, uint32_t n) {
  const COperand *operand = cmodule_operand(f->points->module, i, n);
  const uint32_t number = (uint32_t)(i - f->points->module->instructions.at);
  return is_kept(f, context, operand) ? kept_identity(f, context, number, operand)
                                      : operand_identity(f, context, operand);
}

CIdentity foci_operand(Foci *f, uint32_t context, const COperand *operand) {
  const CObject *only = only_object(f, points_operand(f->points, context, operand));
  return only && only->is_single && only->instances ? known(only->first) : operand_identity(f, context, operand);
}

CIdentity foci_identity(Foci *f, uint32_t context, const CInstruction *i, uint32_t n) {
  const COperand *operand = cmodule_operand(f->points->module, i, n);
  return is_kept(f, context, operand) ? identity_of(f, context, i, n) : foci_operand(f, context, operand);
}

void foci_need(Foci *f, uint32_t context, uint32_t number, uint32_t n) {
  assert(!f->are_found);
  foci_identity(f, context, instruction(f, number), n);
}

/* ---- comparisons ---- */

/* Where a value comes from that may lead to objects that are told apart. */
static bool find_origin(const Foci *f, uint32_t context, const COperand *operand, CSpot *spot) {
  if (operand->kind != C_VALUE || !leads_to_some(f, targets_of(f, context, operand->n))) return false;
  while (operand->kind == C_VALUE && !foci_is_entered_again(f->points, context)) {
    if (foci_origin(f, &context, &operand, 64)) continue;
    *spot = (CSpot){context, operand->n};
    return true;
  }
  return false;
}

/* The comparison that operand n of an instruction is. Two of the same two values come out alike. */
static bool find_comparison(const Foci *f, uint32_t context, const CInstruction *i, uint32_t n, CToken *token) {
  const COperand *operand = cmodule_operand(f->points->module, i, n);
  if (operand->kind != C_VALUE) return false;
  const CInstruction *compare = instruction(f, operand->n);
  *token = no_token;
  token->shift = compare->number;
  token->is_truth = true;
  return compare->kind == C_COMPARE && compare->number != C_OTHERWISE &&
         find_origin(f, context, cmodule_operand(f->points->module, compare, 0), &token->base) &&
         find_origin(f, context, cmodule_operand(f->points->module, compare, 1), &token->index);
}

/* The place in their objects that all targets have, or OFFSET_ANY. */
static uint32_t common_offset(const Foci *f, U32Vec set) {
  for (uint32_t k = 1; k < set.n; k++)
    if (f->points->targets.at[set.at[k]].offset != f->points->targets.at[set.at[0]].offset) return OFFSET_ANY;
  return set.n ? f->points->targets.at[set.at[0]].offset : OFFSET_ANY;
}

/* Of parallel arrays, elements of one instance are none the less several. */
static bool are_comparable(const Foci *f, uint32_t context, const CInstruction *compare) {
  const U32Vec left = targets_of(f, context, cmodule_operand(f->points->module, compare, 0)->n),
               right = targets_of(f, context, cmodule_operand(f->points->module, compare, 1)->n);
  for (uint32_t a = 0; a < left.n; a++)
    for (uint32_t b = 0; b < right.n; b++) {
      const CObject *one = object_at(f, left.at[a]), *other = object_at(f, right.at[b]);
      if (one != other && one->instances && other->instances && foci_first(f, one) == foci_first(f, other))
        return false;
    }
  return true;
}

bool foci_equal(Foci *f, uint32_t context, uint32_t number, uint32_t n, CIdentity *a, CIdentity *b, bool *negated) {
  const COperand *operand = cmodule_operand(f->points->module, instruction(f, number), n);
  if (operand->kind != C_VALUE || !f->n_instances) return false;
  const CInstruction *compare = instruction(f, operand->n);
  if (compare->kind != C_COMPARE || compare->number > C_UNEQUAL) return false;
  for (uint32_t k = 0; k < 2; k++) {
    const COperand *side = cmodule_operand(f->points->module, compare, k);
    if (side->kind != C_VALUE || !leads_to_some(f, targets_of(f, context, side->n))) return false;
    if (is_kept(f, context, side)) return false; /* one instance is of many, and it may be NULL */
  }
  if (!are_comparable(f, context, compare)) return false;
  const uint32_t offset = common_offset(f, points_of(f->points, context, compare, 0));
  if (offset == OFFSET_ANY || common_offset(f, points_of(f->points, context, compare, 1)) != offset) return false;
  *a = identity_of(f, context, compare, 0);
  *b = identity_of(f, context, compare, 1);
  *negated = compare->number == C_UNEQUAL;
  return a->kind != IDENTITY_ANY && b->kind != IDENTITY_ANY;
}

void foci_need_truth(Foci *f, uint32_t context, uint32_t number, uint32_t n) {
  CIdentity a, b;
  CToken token;
  bool negated;
  if (foci_equal(f, context, number, n, &a, &b, &negated)) {
    f->has_equal = true;
    return;
  }
  if (!find_comparison(f, context, instruction(f, number), n, &token)) return;
  if (foci_find_token(f, &token) < f->tokens.n) return;
  for (uint32_t i = 0; i < f->asked.n; i++) {
    if (!is_same(&f->asked.at[i], &token)) continue;
    add_choice(f, &token.choices, 0);
    add_choice(f, &token.choices, 1);
    vec_push(f->heap, &f->tokens, token);
    return;
  }
  vec_push(f->heap, &f->asked, token);
}

uint32_t foci_truth(Foci *f, uint32_t context, uint32_t number, uint32_t n) {
  CToken token;
  if (!f->n_instances || !find_comparison(f, context, instruction(f, number), n, &token)) return C_NONE;
  const uint32_t found = foci_find_token(f, &token);
  return found < f->tokens.n ? found : C_NONE;
}

/* ---- where tokens get their values ---- */

static bool is_spot(CSpot spot, uint32_t context, uint32_t number) {
  return spot.context == context && spot.value == number;
}

bool foci_defines(const CToken *t, uint32_t context, uint32_t number) {
  return is_spot(t->base, context, number) || is_spot(t->index, context, number);
}

/* The array of a token that has an index in one that there is once, or NULL. */
static const CObject *array_of(const Foci *f, const CToken *t) {
  return t->base.context == C_NONE ? &f->points->objects.at[t->base.value] : NULL;
}

CIdentity foci_merged(Foci *f, const CToken *token, uint32_t context, uint32_t merge, uint32_t n) {
  const CToken t = *token; /* there may be more, and elsewhere */
  const CInstruction *i = instruction(f, merge);
  const CObject *o = array_of(f, &t);
  if (t.is_truth) return any_one();
  if (t.index.context == C_NONE && is_spot(t.base, context, merge)) return identity_of(f, context, i, n);
  if (!o || !is_spot(t.index, context, merge)) return any_one();
  const COperand *index = cmodule_operand(f->points->module, i, n);
  int64_t shift = t.shift;
  bool exact;
  if (!foci_find_index(f, !o->has_rest, &context, &index, &shift, &exact)) return any_one();
  if (index->kind == C_INTEGER) return element(o, shift + index->number);
  return shift == t.shift
             ? token_of(f, t.base, same_first(f, t.base.value, (CSpot){context, index->n}), shift, o->targets)
             : any_one();
}

/* ---- loops that go over all elements ---- */

/* The element that a value of the sweep is; of a short array, or one that is out of it, too. */
static int64_t element_of(const Foci *f, const CToken *t, int64_t value) {
  const int64_t stride = (int64_t)f->points->objects.at[t->object].stride;
  return t->sweep.global == C_NONE ? value + t->shift : foci_quotient(value, stride);
}

static int64_t last_element(const Foci *f, const CToken *t) {
  return (int64_t)foci_elements(f->points, &f->points->objects.at[t->object]) - 1;
}

bool foci_has_been_all(const Foci *f, const CToken *t, uint32_t from, uint32_t to, bool *beyond) {
  int64_t last;
  if (!sweep_leaves(&t->sweep, f->points, from, to, &last)) return false;
  const int64_t element = element_of(f, t, last);
  *beyond = t->sweep.step > 0 ? element > last_element(f, t) : element < 0;
  return t->sweep.step > 0 ? element >= last_element(f, t) : element <= 0;
}

bool foci_begins(const Foci *f, const CToken *t, uint32_t n) { return sweep_begins(&t->sweep, f->points, n); }

bool foci_may_skip(const Foci *f, const CToken *t) {
  const int64_t first = element_of(f, t, t->sweep.first);
  return f->points->objects.at[t->object].has_rest || first < 0 || first > last_element(f, t);
}

/* Does it go from one end of the array to the other one, where control leaves the loop by some way? */
static bool goes_over_all(const Foci *f, const CToken *t) {
  const CModule *m = f->points->module;
  const CFunction *function = &m->functions.at[f->points->contexts.at[t->sweep.context].function];
  const int64_t first = element_of(f, t, t->sweep.first);
  bool beyond;
  if (t->sweep.step > 0 ? first > 0 : first < last_element(f, t)) return false;
  for (uint32_t b = function->blocks; b < function->blocks_end; b++)
    for (uint32_t k = 0; k < m->blocks.at[b].n_successors; k++)
      if (foci_has_been_all(f, t, b, m->successors.at[m->blocks.at[b].successors + k], &beyond)) return true;
  return false;
}

/* Elements and numbers beyond these are not told apart by their bits. */
enum { MOST_SWEPT = 1 << 30 };

/* An index of a global array, or an address in one. */
static void find_sweep(Foci *f, CToken *t) {
  const bool is_index = t->index.context != C_NONE;
  const CSpot spot = is_index ? t->index : t->base;
  if (t->is_truth || t->bond != C_NONE || spot.context == C_NONE) return;
  const CObject *o = is_index ? array_of(f, t) : only_object(f, targets_of(f, spot.context, spot.value));
  if (!o || o->kind != OBJECT_GLOBAL || !o->instances || !o->stride || !bonds_allow_sweep(f, o)) return;
  if (o->part && !is_index) return; /* the sweep's numbers are places in the whole */
  const uint64_t elements = foci_elements(f->points, o);
  const int64_t bytes = is_index ? 1 : (int64_t)o->stride;
  if (!elements || elements > MOST_SWEPT || t->shift > MOST_SWEPT || t->shift < -MOST_SWEPT) return;
  t->object = (uint32_t)(o - f->points->objects.at);
  t->is_swept = sweep_find(&t->sweep, f->points, spot.context, spot.value, is_index ? C_NONE : o->n, bytes) &&
                goes_over_all(f, t);
}

/* The operands of merges are values, too. What may be NULL is none of the instances. */
void foci_close(Foci *f) {
  for (uint32_t k = 0; k < f->tokens.n; k++) {
    const CSpot spots[] = {f->tokens.at[k].base, f->tokens.at[k].index};
    for (uint32_t s = 0; s < 2; s++) {
      if (spots[s].context == C_NONE) continue;
      const CInstruction *i = instruction(f, spots[s].value);
      if (i->kind != C_MERGE && i->kind != C_SELECT) continue;
      for (uint32_t n = i->kind == C_SELECT; n < i->n_operands; n++)
        foci_merged(f, &f->tokens.at[k], spots[s].context, spots[s].value, n);
    }
  }
  for (uint32_t k = 0; k < f->tokens.n && f->has_equal; k++) add_choice(f, &f->tokens.at[k].choices, 0);
  bonds_close(f);
  for (uint32_t k = 0; k < f->tokens.n; k++) find_sweep(f, &f->tokens.at[k]);
  f->are_found = true;
}
