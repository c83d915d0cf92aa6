#include "frontend/c/asked.h"

#include <stdlib.h>
#include <string.h>

static const CInstruction *instruction(const Asked *a, uint32_t i) { return &a->module->instructions.at[i]; }

static uint32_t function_at(const Asked *a, uint32_t number) { return a->function_of.at[number]; }

/* ---- what may be known ---- */

static bool may(const Asked *a, const COperand *operand) {
  return operand->kind == C_INTEGER || (operand->kind == C_VALUE && a->may.at[operand->n]);
}

/* The function of the program that a call always runs, or C_NONE. */
static uint32_t callee_of(const Asked *a, const CInstruction *i) {
  const COperand *to = cmodule_operand(a->module, i, 0);
  return to->kind == C_FUNCTION && a->module->functions.at[to->n].is_defined ? to->n : C_NONE;
}

static void find_calls(Asked *a) {
  const CModule *m = a->module;
  vec_resize_zeroed(a->heap, &a->function_of, m->instructions.n);
  a->calls_of = heap_zeroed(a->heap, ((size_t)m->functions.n + 1) * sizeof *a->calls_of);
  for (uint32_t f = 0; f < m->functions.n; f++)
    for (uint32_t i = m->functions.at[f].start; i < m->functions.at[f].end; i++) a->function_of.at[i] = f;
  for (uint32_t i = 0; i < m->instructions.n; i++) {
    const uint32_t callee = instruction(a, i)->kind == C_CALL ? callee_of(a, instruction(a, i)) : C_NONE;
    if (callee != C_NONE) vec_push(a->heap, &a->calls_of[callee], i);
  }
}

/* What a merge hangs on: instructions, each once as it is and once as it is with something added. */
typedef struct {
  uint32_t n, seen[128];
} Sources;

static bool is_seen(Sources *sources, uint32_t key) {
  for (uint32_t k = 0; k < sources->n; k++)
    if (sources->seen[k] == key) return true;
  if (sources->n < sizeof sources->seen / sizeof *sources->seen) sources->seen[sources->n++] = key;
  return false;
}

/* Does what is merged count, so that it comes to many values? `sums`: it was added to on the way. */
static bool counts(const Asked *a, Sources *sources, uint32_t merge, uint32_t number, bool sums) {
  const CInstruction *i = instruction(a, number);
  if (i->kind != C_MERGE && i->kind != C_SAME && i->kind != C_OFFSET && i->kind != C_MIX && i->kind != C_SELECT)
    return false;
  sums |= i->kind == C_OFFSET || i->kind == C_MIX;
  if (is_seen(sources, 2 * number + sums)) return false;
  if (sources->n == sizeof sources->seen / sizeof *sources->seen) return true;
  for (uint32_t n = 0; n < i->n_operands; n++) {
    const COperand *o = cmodule_operand(a->module, i, n);
    if (o->kind != C_VALUE) continue;
    if ((o->n == merge && sums) || counts(a, sources, merge, o->n, sums)) return true;
  }
  return false;
}

static bool any_may(const Asked *a, const CInstruction *i, uint32_t from) {
  for (uint32_t n = from; n < i->n_operands; n++)
    if (may(a, cmodule_operand(a->module, i, n))) return true;
  return false;
}

static bool all_may(const Asked *a, const CInstruction *i) {
  for (uint32_t n = 0; n < i->n_operands; n++)
    if (!may(a, cmodule_operand(a->module, i, n))) return false;
  return true;
}

static bool may_be_known(const Asked *a, uint32_t number) {
  const CInstruction *i = instruction(a, number);
  Sources sources = {0};
  switch ((int)i->kind) {
  case C_SAME:
  case C_OFFSET:
  case C_PICK: return i->n_operands == 1 && may(a, cmodule_operand(a->module, i, 0));
  case C_COMPARE: return i->number != C_OTHERWISE && all_may(a, i);
  case C_MIX: return (i->number == C_MIX_AND || i->number == C_MIX_XOR) && all_may(a, i);
  case C_SELECT: return may(a, cmodule_operand(a->module, i, 0)) && any_may(a, i, 1);
  case C_MERGE: return i->size && any_may(a, i, 0) && !counts(a, &sources, number, number, false);
  default: return false;
  }
}

static bool learn(Asked *a, uint32_t number) {
  if (a->may.at[number]) return false;
  a->may.at[number] = true;
  return true;
}

/* What a call passes, and what it returns. */
static bool learn_call(Asked *a, const CInstruction *i, uint32_t number) {
  const uint32_t callee = callee_of(a, i);
  bool changed = false;
  if (callee == C_NONE) return false;
  const CFunction *f = &a->module->functions.at[callee];
  for (uint32_t n = 0; n < f->n_parameters && n + 1 < i->n_operands; n++)
    if (may(a, cmodule_operand(a->module, i, n + 1))) changed |= learn(a, f->start + n);
  for (uint32_t b = f->blocks; b < f->blocks_end && i->size; b++) {
    const CInstruction *last = instruction(a, a->module->blocks.at[b].end - 1);
    if (last->kind == C_RETURN && last->n_operands && may(a, cmodule_operand(a->module, last, 0)))
      changed |= learn(a, number);
  }
  return changed;
}

static void spread(Asked *a) {
  for (bool changed = true; changed;) {
    changed = false;
    heap_poll(a->heap);
    for (uint32_t i = 0; i < a->module->instructions.n; i++) {
      if (instruction(a, i)->kind == C_CALL) changed |= learn_call(a, instruction(a, i), i);
      else if (!a->may.at[i] && may_be_known(a, i)) changed |= learn(a, i);
    }
  }
}

/* ---- cells of local variables ---- */

/* One that exists once at a time in its context, and that its thread alone uses. */
static bool is_local(const Asked *a, uint32_t cell) {
  const CCell *c = &a->cells->cells.at[cell];
  const CObject *o = cell_object(a->cells, cell);
  if (o->kind != OBJECT_STACK || c->sync || c->is_shared || c->from == UINT64_MAX || o->stride) return false;
  const CFunction *f = &a->module->functions.at[a->points->contexts.at[o->context].function];
  return !a->again.at[o->context] && instruction(a, o->n)->block == f->blocks;
}

/* What it does to the cells of local variables, and whether it may be a source of what is known. */
static bool is_try(CallKind kind) {
  return kind == CALL_TRY_LOCK || kind == CALL_TRY_READ_LOCK || kind == CALL_TRY_WRITE_LOCK ||
         kind == CALL_TRY_SEMAPHORE;
}

/* A number that is the same one whenever control comes there: in that context, or in another one. */
static void see_number(Asked *a, uint32_t context, uint32_t number) {
  int64_t value;
  const COperand operand = {C_VALUE, number, 0};
  if (!a->may.at[number] && points_known(a->points, context, &operand, &value)) a->may.at[number] = true;
}

static void see(Asked *a, uint32_t context, uint32_t number, CAccessVec *accesses) {
  const CInstruction *i = instruction(a, number);
  see_number(a, context, number);
  if (i->kind != C_LOAD && i->kind != C_STORE && i->kind != C_UPDATE && i->kind != C_SWAP && i->kind != C_CALL &&
      i->kind != C_COPY && i->kind != C_FILL)
    return;
  const Effect *effect = i->kind == C_CALL ? points_library(a->points, context, i) : NULL;
  if (effect && is_try(effect->kind)) a->may.at[number] = true;
  cells_accesses(a->cells, context, number, accesses);
  for (uint32_t k = 0; k < accesses->n; k++) {
    const CAccess *access = &accesses->at[k];
    const bool sure = accesses->n == 1 && access->is_exact && !access->is_long;
    const bool local = is_local(a, access->cell);
    if (local && (i->kind != C_LOAD || sure))
      vec_push(a->heap, &a->deeds,
               ((CCellDeed){context, number, access->cell, i->kind == C_LOAD, sure && i->kind == C_STORE}));
    const bool source = !local && accesses->n == 1 && cell_is_tracked(&a->cells->cells.at[access->cell]);
    if (source && i->kind != C_CALL && i->kind != C_STORE) a->may.at[number] = true;
    if (source && i->kind != C_LOAD) a->stores.at[number] = true;
  }
}

/* Is something added in what is stored? */
static bool adds(const Asked *a, const COperand *operand, Sources *sources) {
  if (operand->kind != C_VALUE || is_seen(sources, operand->n)) return false;
  const CInstruction *i = instruction(a, operand->n);
  if (i->kind == C_OFFSET || i->kind == C_MIX) return true;
  if (i->kind != C_SAME && i->kind != C_MERGE && i->kind != C_SELECT) return false;
  for (uint32_t n = 0; n < i->n_operands; n++)
    if (adds(a, cmodule_operand(a->module, i, n), sources)) return true;
  return sources->n == sizeof sources->seen / sizeof *sources->seen;
}

/* Loads of cells that some number is stored in, and that do not count. */
static void find_local_sources(Asked *a) {
  CharVec is_given = {0}, counts = {0};
  vec_resize_zeroed(a->heap, &is_given, a->cells->cells.n);
  vec_resize_zeroed(a->heap, &counts, a->cells->cells.n);
  for (uint32_t k = 0; k < a->deeds.n; k++) {
    const CCellDeed *d = &a->deeds.at[k];
    Sources sources = {0};
    if (d->is_load || !d->is_sure) continue;
    const COperand *stored = cmodule_operand(a->module, instruction(a, d->instruction), 0);
    is_given.at[d->cell] |= may(a, stored);
    counts.at[d->cell] |= adds(a, stored, &sources);
  }
  for (uint32_t k = 0; k < a->deeds.n; k++) {
    const CCellDeed *d = &a->deeds.at[k];
    if (d->is_load && is_given.at[d->cell] && !counts.at[d->cell]) a->may.at[d->instruction] = true;
  }
  vec_fini(a->heap, &is_given);
  vec_fini(a->heap, &counts);
}

static int compare_deeds(const void *x, const void *y) {
  const CCellDeed *p = x, *q = y;
  if (p->context != q->context) return p->context < q->context ? -1 : 1;
  if (p->instruction != q->instruction) return p->instruction < q->instruction ? -1 : 1;
  return p->cell < q->cell ? -1 : p->cell > q->cell;
}

static void find_sources(Asked *a) {
  CAccessVec accesses = {0};
  for (uint32_t c = 0; c < a->points->contexts.n; c++) {
    const CFunction *f = &a->module->functions.at[a->points->contexts.at[c].function];
    for (uint32_t n = 0; n < f->n_parameters; n++) see_number(a, c, f->start + n);
  }
  for (PointsWalk at = {0}; points_next(a->points, &at);) see(a, at.context, at.number, &accesses);
  if (a->deeds.n) qsort(a->deeds.at, a->deeds.n, sizeof *a->deeds.at, compare_deeds);
  vec_fini(a->heap, &accesses);
}

uint32_t asked_deeds(const Asked *a, uint32_t context, uint32_t number, const CCellDeed **first) {
  const CCellDeed key = {.context = context, .instruction = number};
  uint32_t low = 0, high = a->deeds.n, n = 0;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (compare_deeds(&a->deeds.at[middle], &key) < 0) low = middle + 1;
    else high = middle;
  }
  *first = a->deeds.n ? a->deeds.at + low : NULL;
  while (low + n < a->deeds.n && a->deeds.at[low + n].context == context && a->deeds.at[low + n].instruction == number)
    n++;
  return n;
}

/* ---- contexts that are entered again before they are left ---- */

/* What is called through a shared context may lead back to it. */
static void find_below_shared(Asked *a) {
  const Points *p = a->points;
  for (uint32_t c = 0; c < p->contexts.n; c++)
    for (uint32_t d = c; d != C_NONE; d = p->contexts.at[d].parent)
      if (p->contexts.at[d].is_shared) a->again.at[c] = true;
}

static void find_again(Asked *a) {
  const Points *p = a->points;
  vec_resize_zeroed(a->heap, &a->again, p->contexts.n);
  find_below_shared(a);
  for (uint32_t k = 0; k < p->edges.n; k++) {
    uint32_t c = p->edges.at[k].context;
    while (c != C_NONE && c != p->edges.at[k].callee) c = p->contexts.at[c].parent;
    if (c == C_NONE) continue;
    for (uint32_t d = p->edges.at[k].context; d != c; d = p->contexts.at[d].parent) a->again.at[d] = true;
    a->again.at[c] = true;
  }
}

/* ---- values that are asked for ---- */

static bool has(const U32Vec *list, uint32_t n) {
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i] == n) return true;
  return false;
}

static uint32_t new_term(Asked *a, CTermKind kind, uint32_t function, uint32_t number) {
  vec_push(a->heap, &a->terms, ((CTerm){.kind = kind, .function = function, .number = number}));
  return a->terms.n - 1;
}

/* Where a value is asked: by an instruction, or, `edge`, where it is merged after that one. */
typedef struct {
  uint32_t at;
  bool edge;
} Place;

static void ask(Asked *a, const COperand *operand, Place place);

/* False: it was asked there before. */
static bool ask_value(Asked *a, uint32_t number, Place place) {
  if (!a->term_of.at[number]) {
    a->term_of.at[number] = 1 + new_term(a, TERM_VALUE, function_at(a, number), number);
    vec_push(a->heap, &vec_last(&a->terms).kills, number);
  }
  CTerm *term = &a->terms.at[asked_value(a, number)];
  U32Vec *list = place.edge ? &term->edges : &term->askers;
  if (has(list, place.at)) return false;
  vec_push(a->heap, list, place.at);
  return true;
}

/* What a function returns is asked for. */
static void ask_returned(Asked *a, uint32_t function) {
  const CFunction *f = &a->module->functions.at[function];
  for (uint32_t b = f->blocks; b < f->blocks_end; b++) {
    const uint32_t last = a->module->blocks.at[b].end - 1;
    if (instruction(a, last)->kind == C_RETURN && instruction(a, last)->n_operands)
      ask(a, cmodule_operand(a->module, instruction(a, last), 0), (Place){last, false});
  }
}

/* What is passed as a parameter is asked for, in the calls. */
static void ask_passed(Asked *a, uint32_t parameter) {
  const uint32_t function = function_at(a, parameter), n = parameter - a->module->functions.at[function].start;
  const U32Vec *calls = &a->calls_of[function];
  for (uint32_t k = 0; k < calls->n; k++) {
    const CInstruction *i = instruction(a, calls->at[k]);
    if (n + 1 < i->n_operands) ask(a, cmodule_operand(a->module, i, n + 1), (Place){calls->at[k], false});
  }
}

static void ask_merged(Asked *a, uint32_t number) {
  const CInstruction *i = instruction(a, number);
  for (uint32_t n = 0; n < i->n_operands; n++)
    ask(a, cmodule_operand(a->module, i, n),
        (Place){a->module->blocks.at[a->module->sources.at[i->operands + n]].end - 1, true});
}

static void ask(Asked *a, const COperand *operand, Place place) {
  if (operand->kind != C_VALUE || !a->may.at[operand->n]) return;
  const CInstruction *i = instruction(a, operand->n);
  switch ((int)i->kind) {
  case C_SAME:
  case C_OFFSET:
  case C_PICK:
  case C_COMPARE:
  case C_MIX:
  case C_SELECT:
    for (uint32_t n = 0; n < i->n_operands; n++) ask(a, cmodule_operand(a->module, i, n), place);
    break;
  case C_MERGE:
    if (ask_value(a, operand->n, place)) ask_merged(a, operand->n);
    break;
  case C_PARAMETER:
    if (ask_value(a, operand->n, place)) ask_passed(a, operand->n);
    break;
  case C_CALL:
    if (ask_value(a, operand->n, place) && callee_of(a, i) != C_NONE) ask_returned(a, callee_of(a, i));
    break;
  default: ask_value(a, operand->n, place); break;
  }
}

/* ---- conditions that are asked for again ---- */

/* A condition, with what is passed instead of parameters: as it is written by the calls. */
typedef struct {
  const Asked *a;
  CharVec text;
  U32Vec leaves;
  const uint32_t *calls; /* the last one first */
  uint32_t n_calls;
  bool is_good;
  bool has_values, has_passed; /* leaves that are parameters, and others */
} Writer;

static void put(Writer *w, const void *bytes, size_t n) {
  for (size_t k = 0; k < n; k++) vec_push(w->a->heap, &w->text, ((const char *)bytes)[k]);
}

static void put_number(Writer *w, char tag, int64_t number) {
  put(w, &tag, 1);
  put(w, &number, sizeof number);
}

static void write_operand(Writer *w, const COperand *operand, uint32_t depth, uint32_t up);

static bool is_inner(const CInstruction *i) {
  return (i->kind == C_SAME && i->n_operands == 1) || (i->kind == C_OFFSET && i->n_operands == 1) ||
         (i->kind == C_COMPARE && i->number != C_OTHERWISE) || (i->kind == C_MIX && i->number != C_MIX_SOMEHOW);
}

static void write_leaf(Writer *w, uint32_t number, uint32_t depth, uint32_t up) {
  const CInstruction *i = instruction(w->a, number);
  if (i->kind == C_PARAMETER && up < w->n_calls) {
    const CInstruction *call = instruction(w->a, w->calls[up]);
    const uint32_t n = 1 + number - w->a->module->functions.at[function_at(w->a, number)].start;
    if (n >= call->n_operands) w->is_good = false;
    else write_operand(w, cmodule_operand(w->a->module, call, n), depth + 1, up + 1);
    return;
  }
  if (up < w->n_calls) w->is_good = false; /* it is not one of the callers' */
  w->has_passed |= i->kind == C_PARAMETER;
  w->has_values |= i->kind != C_PARAMETER;
  put_number(w, 'v', number);
  if (!has(&w->leaves, number)) vec_push(w->a->heap, &w->leaves, number);
}

static void write_operand(Writer *w, const COperand *operand, uint32_t depth, uint32_t up) {
  enum { DEEPEST = 16 };
  if (operand->kind == C_ANYTHING || depth > DEEPEST) {
    w->is_good = false;
  } else if (operand->kind != C_VALUE) {
    put_number(w, (char)('0' + operand->kind), operand->number);
    put_number(w, 'n', operand->n);
  } else if (!is_inner(instruction(w->a, operand->n))) {
    write_leaf(w, operand->n, depth, up);
  } else {
    const CInstruction *i = instruction(w->a, operand->n);
    put_number(w, (char)('A' + i->kind), i->number);
    put_number(w, 's', (int64_t)i->size);
    for (uint32_t n = 0; n < i->n_operands; n++) write_operand(w, cmodule_operand(w->a->module, i, n), depth + 1, up);
  }
}

/* Where a truth value comes from that is converted, or passed: the comparison, in the function of the call *up; or
 * NULL. */
static const CInstruction *compared(const Writer *w, const COperand *operand, uint32_t *up) {
  while (operand->kind == C_VALUE) {
    const CInstruction *i = instruction(w->a, operand->n);
    if (i->kind == C_COMPARE) return i->number < C_BELOW ? i : NULL;
    if (i->kind == C_PARAMETER && *up < w->n_calls) {
      const CInstruction *call = instruction(w->a, w->calls[*up]);
      const uint32_t n = 1 + operand->n - w->a->module->functions.at[function_at(w->a, operand->n)].start;
      if (n >= call->n_operands) return NULL;
      operand = cmodule_operand(w->a->module, call, n);
      ++*up;
    } else if (i->kind == C_SAME && i->n_operands == 1) {
      operand = cmodule_operand(w->a->module, i, 0);
    } else {
      return NULL;
    }
  }
  return NULL;
}

/* Is it whether another comparison is true, or is false? That one; else NULL. */
static const CInstruction *compared_with_false(const Writer *w, const CInstruction *i, uint32_t *up) {
  const COperand *zero = cmodule_operand(w->a->module, i, 1);
  if (i->number > C_UNEQUAL || zero->kind != C_INTEGER || zero->number) return NULL;
  return compared(w, cmodule_operand(w->a->module, i, 0), up);
}

/* Writes a condition. Is it the opposite of what is written? */
static bool write_condition(Writer *w, const COperand *condition) {
  static const CRelation OPPOSITE[] = {C_EQUAL, C_EQUAL, C_LESS, C_GREATER, C_GREATER, C_LESS}; /* ORDER CRelation */
  uint32_t up = 0;
  bool negated = false;
  w->is_good = true;
  w->has_values = w->has_passed = false;
  vec_clear(&w->text);
  vec_clear(&w->leaves);
  const CInstruction *i = compared(w, condition, &up);
  if (!i) {
    write_operand(w, condition, 0, 0);
    return false;
  }
  for (const CInstruction *inner = i; inner;) {
    uint32_t above = up;
    inner = compared_with_false(w, i, &above);
    if (!inner) break;
    negated ^= i->number == C_EQUAL;
    i = inner;
    up = above;
  }
  put_number(w, 'C', OPPOSITE[i->number]);
  for (uint32_t n = 0; n < i->n_operands; n++) write_operand(w, cmodule_operand(w->a->module, i, n), 0, up);
  return negated != (i->number == C_UNEQUAL || i->number == C_LESS_EQUAL || i->number == C_GREATER_EQUAL);
}

static void fini_writer(Writer *w) {
  vec_fini(w->a->heap, &w->text);
  vec_fini(w->a->heap, &w->leaves);
}

/* The condition is asked by that instruction of a function, the branch or a call on the way to it. */
static void ask_written(Asked *a, const Writer *w, uint32_t at) {
  bool is_new;
  if (!w->is_good || !w->leaves.n) return;
  const uint32_t name = intern_add(&a->names, w->text.at, w->text.n, &is_new);
  if (is_new) {
    vec_push(a->heap, &a->truths, new_term(a, TERM_TRUTH, function_at(a, at), C_NONE));
    for (uint32_t k = 0; k < w->leaves.n; k++) vec_push(a->heap, &vec_last(&a->terms).kills, w->leaves.at[k]);
  }
  CTerm *term = &a->terms.at[a->truths.at[name]];
  term->branches++;
  if (!has(&term->askers, at)) vec_push(a->heap, &term->askers, at);
}

/* Once more in the terms of those that call the function, if all of it is passed. */
static void ask_truth(Asked *a, const COperand *condition, uint32_t at, uint32_t *calls, uint32_t n_calls) {
  Writer w = {.a = a, .calls = calls, .n_calls = n_calls};
  write_condition(&w, condition);
  ask_written(a, &w, at);
  const bool on = w.is_good && w.has_passed && !w.has_values && n_calls + 1 < ASKED_DEEPEST;
  fini_writer(&w);
  const U32Vec *of = &a->calls_of[function_at(a, at)];
  for (uint32_t k = 0; on && k < of->n; k++) {
    calls[n_calls] = of->at[k];
    ask_truth(a, condition, of->at[k], calls, n_calls + 1);
  }
}

uint32_t asked_truths(const Asked *a, uint32_t context, const COperand *condition, CTruth *truths) {
  uint32_t calls[ASKED_DEEPEST], n_calls = 0, n = 0;
  Writer w = {.a = a, .calls = calls};
  while (n_calls < ASKED_DEEPEST) {
    w.n_calls = n_calls;
    const bool negated = write_condition(&w, condition);
    const uint32_t name = w.is_good ? intern_find(&a->names, w.text.at, w.text.n) : INTERN_NONE;
    if (!a->again.at[context] && name != INTERN_NONE && a->terms.at[a->truths.at[name]].branches > 1)
      truths[n++] = (CTruth){context, a->truths.at[name], negated};
    const CContext *c = &a->points->contexts.at[context];
    if (!w.is_good || w.has_values || !w.has_passed || c->parent == C_NONE || a->again.at[context]) break;
    calls[n_calls++] = c->call;
    context = c->parent;
  }
  fini_writer(&w);
  return n;
}

static void ask_branches(Asked *a) {
  uint32_t calls[ASKED_DEEPEST];
  for (uint32_t b = 0; b < a->module->blocks.n; b++) {
    const uint32_t last = a->module->blocks.at[b].end - 1;
    const CInstruction *i = instruction(a, last);
    heap_poll(a->heap);
    if (i->kind != C_BRANCH && i->kind != C_SWITCH) continue;
    ask(a, cmodule_operand(a->module, i, 0), (Place){last, false});
    if (i->kind == C_BRANCH) ask_truth(a, cmodule_operand(a->module, i, 0), last, calls, 0);
  }
}

/* What is stored in a cell that is followed. */
static void ask_stores(Asked *a) {
  for (uint32_t n = 0; n < a->module->instructions.n; n++) {
    const CInstruction *i = instruction(a, n);
    if (!a->stores.at[n]) continue;
    for (uint32_t k = 0; k < i->n_operands; k++) ask(a, cmodule_operand(a->module, i, k), (Place){n, false});
  }
}

/* ---- cells that are asked for ---- */

/* Where in the function of the cell's context something is done in another one. */
static uint32_t seen_from(const Asked *a, uint32_t context, uint32_t number, uint32_t owner) {
  while (context != owner && context != C_NONE) {
    number = a->points->contexts.at[context].call;
    context = a->points->contexts.at[context].parent;
  }
  return context == owner ? number : C_NONE;
}

/* The loads of them that are asked for. */
static void ask_loads(Asked *a) {
  for (uint32_t k = 0; k < a->deeds.n; k++) {
    const CCellDeed *d = &a->deeds.at[k];
    const uint32_t owner = cell_object(a->cells, d->cell)->context;
    const uint32_t at = seen_from(a, d->context, d->instruction, owner);
    if (!d->is_load || at == C_NONE || !a->term_of.at[d->instruction]) continue;
    if (!a->cell_terms.at[d->cell])
      a->cell_terms.at[d->cell] = 1 + new_term(a, TERM_CELL, a->points->contexts.at[owner].function, d->cell);
    CTerm *term = &a->terms.at[asked_cell(a, d->cell)];
    if (!has(&term->askers, at)) vec_push(a->heap, &term->askers, at);
  }
}

/* What is stored in one that is asked for is asked for, too. */
static void ask_cells(Asked *a) {
  vec_resize_zeroed(a->heap, &a->cell_terms, a->cells->cells.n);
  ask_loads(a);
  for (uint32_t n = C_NONE; n != a->terms.n;) {
    n = a->terms.n;
    for (uint32_t k = 0; k < a->deeds.n; k++) {
      const CCellDeed *d = &a->deeds.at[k];
      if (d->is_sure && !d->is_load && a->cell_terms.at[d->cell])
        ask(a, cmodule_operand(a->module, instruction(a, d->instruction), 0), (Place){d->instruction, false});
    }
    ask_loads(a);
  }
  for (uint32_t k = 0; k < a->deeds.n; k++) {
    const CCellDeed *d = &a->deeds.at[k];
    if (!d->is_sure || d->is_load || !a->cell_terms.at[d->cell]) continue;
    if (d->context == cell_object(a->cells, d->cell)->context)
      vec_push(a->heap, &a->terms.at[asked_cell(a, d->cell)].kills, d->instruction);
  }
}

/* ---- where they are live ---- */

static uint32_t first_from(const U32Vec *list, uint32_t from, uint32_t end) {
  uint32_t first = C_NONE;
  for (uint32_t k = 0; k < list->n; k++)
    if (list->at[k] >= from && list->at[k] < end && list->at[k] < first) first = list->at[k];
  return first;
}

/* What is asked and computed anew by one instruction is asked first; what is merged, at the end of the block. */
static bool is_live(const Asked *a, const CTerm *term, uint32_t from) {
  const CBlock *b = &a->module->blocks.at[instruction(a, from)->block];
  const uint32_t asked = first_from(&term->askers, from, b->end), killed = first_from(&term->kills, from, b->end);
  if (asked != C_NONE && asked <= killed) return true;
  if (killed != C_NONE) return false;
  if (has(&term->edges, b->end - 1)) return true;
  const uint32_t base = a->module->functions.at[term->function].blocks;
  for (uint32_t n = 0; n < b->n_successors; n++)
    if (term->live.at[a->module->successors.at[b->successors + n] - base]) return true;
  return false;
}

static void find_live(Asked *a, CTerm *term) {
  const CFunction *f = &a->module->functions.at[term->function];
  vec_resize_zeroed(a->heap, &term->live, f->blocks_end - f->blocks);
  for (bool changed = true; changed;) {
    changed = false;
    heap_poll(a->heap);
    for (uint32_t b = f->blocks_end; b-- > f->blocks;) {
      char *live = &term->live.at[b - f->blocks];
      if (*live || !is_live(a, term, a->module->blocks.at[b].start)) continue;
      *live = changed = true;
    }
  }
}

bool asked_is_live(const Asked *a, uint32_t term, uint32_t number) {
  return a->terms.at[term].kind == TERM_TICKET || is_live(a, &a->terms.at[term], number);
}

bool asked_is_merged(const Asked *a, uint32_t term, uint32_t last) { return has(&a->terms.at[term].edges, last); }

bool asked_is_killed(const Asked *a, uint32_t term, uint32_t number) {
  return a->terms.at[term].kind != TERM_CELL && has(&a->terms.at[term].kills, number);
}

/* ---- the whole ---- */

void asked_find(Asked *a, Cells *cells, uint32_t n_tickets) {
  const CModule *module = cells->points->module;
  *a = (Asked){.cells = cells, .points = cells->points, .module = module, .heap = cells->heap};
  intern_init(&a->names, a->heap);
  vec_resize_zeroed(a->heap, &a->may, module->instructions.n);
  vec_resize_zeroed(a->heap, &a->stores, module->instructions.n);
  vec_resize_zeroed(a->heap, &a->term_of, module->instructions.n);
  find_calls(a);
  find_again(a);
  find_sources(a);
  find_local_sources(a);
  spread(a);
  ask_branches(a);
  ask_stores(a);
  ask_cells(a);
  a->tickets = a->terms.n;
  for (uint32_t t = 0; t < a->tickets; t++)
    if (a->terms.at[t].kind != TERM_TRUTH || a->terms.at[t].branches > 1) find_live(a, &a->terms.at[t]);
  for (uint32_t k = 0; k < n_tickets; k++) new_term(a, TERM_TICKET, 0, k);
}

void asked_fini(Asked *a) {
  for (uint32_t t = 0; t < a->terms.n; t++) {
    vec_fini(a->heap, &a->terms.at[t].kills);
    vec_fini(a->heap, &a->terms.at[t].askers);
    vec_fini(a->heap, &a->terms.at[t].edges);
    vec_fini(a->heap, &a->terms.at[t].live);
  }
  for (uint32_t f = 0; f < a->module->functions.n; f++) vec_fini(a->heap, &a->calls_of[f]);
  heap_release(a->heap, a->calls_of);
  vec_fini(a->heap, &a->function_of);
  vec_fini(a->heap, &a->terms);
  intern_fini(&a->names);
  vec_fini(a->heap, &a->truths);
  vec_fini(a->heap, &a->term_of);
  vec_fini(a->heap, &a->cell_terms);
  vec_fini(a->heap, &a->may);
  vec_fini(a->heap, &a->stores);
  vec_fini(a->heap, &a->deeds);
  vec_fini(a->heap, &a->again);
}
