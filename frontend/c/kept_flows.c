/* Where addresses go that may lead to something kept. What is not understood is not kept. */
#include "frontend/c/kept.h"

static const CInstruction *instruction(const Points *p, uint32_t i) { return &p->module->instructions.at[i]; }

static U32Vec *set_of(const Points *p, uint32_t context, uint32_t value) {
  return &p->nodes.at[points_node(p, context, value)];
}

typedef struct {
  Kept *k;
  uint32_t context, number;
  const CInstruction *i;
  EachFlow *each;
} Seer;

static void flow(const Seer *s, uint32_t n) {
  const KeptFlow it = {.value = {s->context, s->number},
                       .context = s->context,
                       .use = s->number,
                       .from = cmodule_operand(s->k->points->module, s->i, n)};
  s->each(s->k, &it);
}

static void store(const Seer *s, uint32_t n, uint32_t address) {
  const KeptFlow it = {.value = {C_NONE, C_NONE},
                       .context = s->context,
                       .use = s->number,
                       .from = cmodule_operand(s->k->points->module, s->i, n),
                       .slot = cmodule_operand(s->k->points->module, s->i, address)};
  s->each(s->k, &it);
}

/* What is not understood. */
static void refuse(const Seer *s) {
  const U32Vec set = *set_of(s->k->points, s->context, s->number);
  if (s->k->asks) return;
  kept_drop(s->k, set);
  kept_drop_backs(s->k, set);
}

/* ---- memory ---- */

/* Is the word, or the several ones, that are accessed at an address, which may be in an array, all in one of its
 * elements? */
static bool is_in_element(const Seer *s, uint32_t address) {
  enum { WORD = 8 };
  const Points *p = s->k->points;
  const uint64_t size = s->i->size > WORD ? s->i->size : WORD;
  const U32Vec set = points_of(s->k->points, s->context, s->i, address);
  for (uint32_t n = 0; n < set.n; n++) {
    const CTarget t = p->targets.at[set.at[n]];
    const uint64_t stride = p->objects.at[t.object].stride, end = p->objects.at[t.object].start + stride;
    if (stride && (t.offset == OFFSET_ANY ? size > WORD || stride % WORD : t.offset + size > end)) return false;
  }
  return true;
}

/* Which of several keepers is found in memory is known only of one that the address leads back to. */
static bool is_found(const Seer *s, U32Vec set, uint32_t address) {
  const Points *p = s->k->points;
  for (uint32_t n = 0; n < set.n; n++) {
    const uint32_t object = p->targets.at[set.at[n]].object;
    if (p->objects.at[object].instances && !s->k->is_back.at[object]) return false;
  }
  return !kept_leads_back(s->k, set) || kept_is_pure(p, points_of(s->k->points, s->context, s->i, address));
}

static void load(const Seer *s, uint32_t address) {
  if (!is_in_element(s, address) || !is_found(s, *set_of(s->k->points, s->context, s->number), address)) refuse(s);
  flow(s, address);
}

static void store_in_element(const Seer *s, uint32_t n, uint32_t address) {
  Kept *k = s->k;
  const bool is_kept = kept_has(k->points, points_of(k->points, s->context, s->i, n)),
             is_back = kept_leads_back(k, points_of(k->points, s->context, s->i, n)) &&
                       kept_has_some(k->points, points_of(k->points, s->context, s->i, address));
  if (k->asks || (!is_kept && !is_back)) return;
  const bool is_pure = kept_is_pure(k->points, points_of(k->points, s->context, s->i, address));
  const bool is_good = is_in_element(s, address);
  if (!is_good) kept_drop(k, points_of(k->points, s->context, s->i, n));
  if (is_back && (!is_good || !is_pure)) kept_drop_backs(k, points_of(k->points, s->context, s->i, n));
  store(s, n, address);
}

/* ---- copies ---- */

/* Are so many bytes at an address, which may be in an array, all in one of its elements? 0: that many is not known. */
static bool are_in_element(const Seer *s, uint32_t address, uint64_t size) {
  const Points *p = s->k->points;
  const U32Vec set = points_of(s->k->points, s->context, s->i, address);
  for (uint32_t n = 0; n < set.n; n++) {
    const CTarget t = p->targets.at[set.at[n]];
    const uint64_t stride = p->objects.at[t.object].stride, end = p->objects.at[t.object].start + stride;
    if (stride && (t.offset == OFFSET_ANY || !size || size > stride || t.offset + size > end)) return false;
  }
  return true;
}

static bool is_pure(const Seer *s, uint32_t address) {
  return kept_is_pure(s->k->points, points_of(s->k->points, s->context, s->i, address));
}

/* What is copied stays in its keeper, or goes where nothing is kept. */
static void copy(const Seer *s, uint32_t to, uint32_t from, uint64_t size) {
  Kept *k = s->k;
  if (k->asks || !kept_has_contents(k, points_of(k->points, s->context, s->i, from)) ||
      !kept_has_some(k->points, points_of(k->points, s->context, s->i, to)))
    return;
  const KeptFlow it = {.value = {C_NONE, C_NONE},
                       .context = s->context,
                       .use = s->number,
                       .from = cmodule_operand(k->points->module, s->i, from),
                       .slot = cmodule_operand(k->points->module, s->i, to),
                       .is_copy = true};
  if (is_pure(s, to) && is_pure(s, from) && are_in_element(s, to, size) && are_in_element(s, from, size))
    s->each(k, &it);
  else kept_drop_contents(k, points_of(k->points, s->context, s->i, from));
}

static void copy_by_call(const Seer *s) {
  const Effect *effect = points_library(s->k->points, s->context, s->i);
  int64_t size = 0;
  if (!effect || effect->kind != CALL_COPY || s->i->n_operands < 3) return;
  if (!effect_counts_bytes(effect) || s->i->n_operands < 4 ||
      !points_number(s->k->points, s->context, s->i, 3, &size) || size < 0)
    size = 0;
  copy(s, 1, 2, (uint64_t)size);
}

/* ---- calls ---- */

static const CFunction *function_at(const Points *p, uint32_t target) {
  const CObject *o = &p->objects.at[p->targets.at[target].object];
  return o->kind == OBJECT_CODE ? &p->module->functions.at[o->n] : NULL;
}

/* Does a call run functions of the program alone, one of which is that? C_NONE: no matter which. */
static bool runs(Points *p, uint32_t context, uint32_t call, uint32_t function) {
  const U32Vec set = points_of(p, context, instruction(p, call), 0);
  bool is_one = function == C_NONE;
  for (uint32_t n = 0; n < set.n; n++) {
    const CFunction *it = function_at(p, set.at[n]);
    if (!it || !it->is_defined) return false;
    is_one |= it == &p->module->functions.at[function == C_NONE ? 0 : function];
  }
  return is_one && set.n;
}

bool kept_runs_program(Kept *k, uint32_t context, uint32_t call) { return runs(k->points, context, call, C_NONE); }

static void returned(const Seer *s, uint32_t callee) {
  const Points *p = s->k->points;
  const CFunction *f = &p->module->functions.at[p->contexts.at[callee].function];
  for (uint32_t i = f->start; i < f->end; i++) {
    const CInstruction *it = instruction(p, i);
    if (it->kind != C_RETURN || !it->n_operands || !points_reaches(p, callee, it->block)) continue;
    const KeptFlow flow = {
        .value = {s->context, s->number}, .context = callee, .use = i, .from = cmodule_operand(p->module, it, 0)};
    s->each(s->k, &flow);
  }
}

/* The argument that a function returns an address in, or 0. */
static uint32_t argument_of(const Effect *effect) {
  if (!effect || (effect->kind != CALL_MEMORY && effect->kind != CALL_COPY)) return 0;
  return effect->result == RESULT_FIRST    ? 1
         : effect->result == RESULT_SECOND ? 2
         : effect->result == RESULT_THIRD  ? 3
                                           : 0;
}

/* The value of a call: memory that it has made, perhaps of that where its argument leads to, an argument, or what
 * functions of the program return. */
static void call(const Seer *s) {
  Points *p = s->k->points;
  const Effect *effect = points_library(p, s->context, s->i);
  const KeptFlow made = {.value = {s->context, s->number}, .context = s->context, .use = s->number};
  if (effect && effect->result == RESULT_FRESH) {
    s->each(s->k, &made);
  } else if (effect && effect->result == RESULT_AGAIN) {
    s->each(s->k, &made);
    flow(s, 1);
  } else if (argument_of(effect) && argument_of(effect) < s->i->n_operands) {
    flow(s, argument_of(effect));
  } else if (runs(p, s->context, s->number, C_NONE)) {
    for (uint32_t e = points_edges(p, s->context, s->number); e != C_NONE; e = p->edges.at[e].next)
      returned(s, p->edges.at[e].callee);
  } else {
    refuse(s);
  }
}

/* A parameter, of whatever call; a thread's own is none. */
static void parameter(const Seer *s) {
  Points *p = s->k->points;
  const CContext *c = &p->contexts.at[s->context];
  const uint32_t n = 1 + s->number - p->module->functions.at[c->function].start;
  if (p->threads.at[c->thread].root == s->context) refuse(s);
  for (uint32_t e = c->callers; e != C_NONE; e = p->edges.at[e].next_caller) {
    const CEdge edge = p->edges.at[e];
    const CInstruction *i = instruction(p, edge.call);
    if (n >= i->n_operands || !runs(p, edge.context, edge.call, c->function)) {
      refuse(s);
      continue;
    }
    const KeptFlow flow = {.value = {s->context, s->number},
                           .context = edge.context,
                           .use = edge.call,
                           .from = cmodule_operand(p->module, i, n)};
    s->each(s->k, &flow);
  }
}

/* ---- values ---- */

static void merged(const Seer *s) {
  const Points *p = s->k->points;
  for (uint32_t n = 0; n < s->i->n_operands; n++) {
    const uint32_t from = p->module->sources.at[s->i->operands + n];
    const KeptFlow flow = {.value = {s->context, s->number},
                           .context = s->context,
                           .use = p->module->blocks.at[from].end - 1,
                           .from = cmodule_operand(p->module, s->i, n)};
    s->each(s->k, &flow);
  }
}

static void see_value(const Seer *s) {
  switch ((int)s->i->kind) {
  case C_PARAMETER: parameter(s); break;
  case C_LOAD:
  case C_UPDATE:
  case C_SWAP: load(s, 0); break;
  case C_OFFSET: flow(s, 0); break; /* perhaps to another element: kept_stray.c */
  case C_SAME:
    for (uint32_t n = 0; n < s->i->n_operands; n++) flow(s, n);
    break;
  case C_PICK: flow(s, 0); break;
  case C_SELECT:
    flow(s, 1);
    flow(s, 2);
    break;
  case C_MERGE: merged(s); break;
  case C_CALL: call(s); break;
  default: refuse(s); break;
  }
}

/* What is computed of what was there may lead to another element. */
static void update(const Seer *s) {
  if (s->i->number == C_UPDATE_EXCHANGE || !points_may_be_address(s->i->size)) {
    store_in_element(s, 1, 0);
    return;
  }
  refuse(s);
  kept_drop(s->k, points_of(s->k->points, s->context, s->i, 1));
}

static void see(Kept *k, uint32_t context, uint32_t number, EachFlow *each) {
  const Seer s = {k, context, number, instruction(k->points, number), each};
  const U32Vec set = *set_of(k->points, context, number);
  if (kept_has(k->points, set) || k->is_member.at[points_node(k->points, context, number)] ||
      (k->asks && kept_leads_back(k, set)))
    see_value(&s);
  if (s.i->kind == C_STORE) store_in_element(&s, 0, 1);
  if (s.i->kind == C_UPDATE) update(&s);
  if (s.i->kind == C_SWAP) store_in_element(&s, 2, 0);
  if (s.i->kind == C_COPY) copy(&s, 0, 1, s.i->size);
  if (s.i->kind == C_CALL) copy_by_call(&s);
}

void kept_each_flow(Kept *k, EachFlow *each) {
  const Points *p = k->points;
  for (uint32_t c = 0; c < p->contexts.n; c++) {
    const CFunction *f = &p->module->functions.at[p->contexts.at[c].function];
    for (uint32_t i = 0; i < f->n_parameters; i++) see(k, c, f->start + i, each);
  }
  for (PointsWalk at = {0}; points_next(p, &at);) see(k, at.context, at.number, each);
}
