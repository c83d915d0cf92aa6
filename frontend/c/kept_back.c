/* Addresses of keepers in memory: in what hangs there, as `node->owner = bucket`, and in keepers themselves, as where a
 * list ends in its bucket. Such an address leads *back* if all that are stored there are of the keeper that the memory
 * hangs in: so what is found there leads to that keeper again. */
#include "frontend/c/kept.h"

#include <assert.h>

static const CInstruction *instruction(const Points *p, uint32_t i) { return &p->module->instructions.at[i]; }

static uint32_t object_in(const Points *p, U32Vec set, uint32_t n) { return p->targets.at[set.at[n]].object; }

bool kept_leads_back(const Kept *k, U32Vec set) {
  for (uint32_t n = 0; n < set.n; n++)
    if (k->is_back.at[object_in(k->points, set, n)]) return true;
  return false;
}

bool kept_is_pure(const Points *p, U32Vec set) {
  for (uint32_t n = 0; n < set.n; n++) {
    const CObject *o = &p->objects.at[object_in(p, set, n)];
    if (!o->is_kept && !o->instances) return false;
  }
  return true;
}

bool kept_has_some(const Points *p, U32Vec set) {
  for (uint32_t n = 0; n < set.n; n++) {
    const CObject *o = &p->objects.at[object_in(p, set, n)];
    if (o->is_kept || o->instances) return true;
  }
  return false;
}

void kept_drop_back(Kept *k, uint32_t object) {
  assert(object < k->is_back.n);
  k->has_dropped |= k->is_back.at[object] != 0;
  k->is_back.at[object] = 0;
}

void kept_drop_backs(Kept *k, U32Vec set) {
  for (uint32_t n = 0; n < set.n; n++) kept_drop_back(k, object_in(k->points, set, n));
}

/* ---- what globals have at the start ---- */

static int64_t element_of(const CObject *o, int64_t offset) {
  return o->stride ? (offset - (int64_t)o->start) / (int64_t)o->stride : 0;
}

/* Is it the address of the element that it lies in? */
static bool is_at_home(const Points *p, const CObject *o, const CInitial *initial) {
  if (points_part(p, OBJECT_GLOBAL, o->n, (int64_t)initial->offset) != o->part ||
      points_part(p, OBJECT_GLOBAL, o->n, initial->value.number) != o->part)
    return false;
  return initial->value.kind == C_GLOBAL && initial->value.n == o->n && initial->value.number >= 0 &&
         element_of(o, initial->value.number) == element_of(o, (int64_t)initial->offset);
}

static void see_initials(Kept *k, const CObject *o) {
  const CModule *m = k->points->module;
  const CGlobal *global = &m->globals.at[o->n];
  for (uint32_t i = 0; i < global->n_initials; i++) {
    const CInitial *initial = &m->initials.at[global->initials + i];
    if (global->is_local || !is_at_home(k->points, o, initial))
      kept_drop_backs(k, points_operand(k->points, 0, &initial->value));
  }
}

void kept_find_backs(Kept *k, bool any) {
  const Points *p = k->points;
  vec_clear(&k->is_back);
  vec_resize_zeroed(k->heap, &k->is_back, p->objects.n);
  for (uint32_t i = 0; i < p->objects.n; i++) k->is_back.at[i] = any && p->objects.at[i].instances;
  for (uint32_t i = 0; i < p->objects.n; i++)
    if (p->objects.at[i].kind == OBJECT_GLOBAL && p->objects.at[i].instances) see_initials(k, &p->objects.at[i]);
}

/* ---- values that come from there ---- */

bool kept_is_member(const Kept *k, uint32_t context, const COperand *operand) {
  return operand->kind == C_VALUE && k->is_member.at[points_node(k->points, context, operand->n)];
}

static bool is_load(CKind kind) { return kind == C_LOAD || kind == C_UPDATE || kind == C_SWAP; }

/* What is loaded from keepers, and from what they keep, and what is computed from that. */
static void see_member(Kept *k, const KeptFlow *flow) {
  if (flow->slot || !flow->from) return;
  char *is_member = &k->is_member.at[points_node(k->points, flow->value.context, flow->value.value)];
  const U32Vec from = points_operand(k->points, flow->context, flow->from);
  if (*is_member ||
      (is_load(instruction(k->points, flow->value.value)->kind) ? !from.n || !kept_is_pure(k->points, from)
                                                                : !kept_is_member(k, flow->context, flow->from)))
    return;
  *is_member = 1;
  k->has_found = true;
}

void kept_find_members(Kept *k) {
  vec_clear(&k->is_member);
  vec_resize_zeroed(k->heap, &k->is_member, k->points->nodes.n);
  k->asks = true;
  do {
    heap_poll(k->heap);
    k->has_found = false;
    kept_each_flow(k, see_member);
  } while (k->has_found);
  k->asks = false;
}
