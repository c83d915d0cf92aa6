/* Which memory may be kept: its address is nowhere in memory but in keepers and in other such memory, and the library
 * does not put it elsewhere. */
#include "frontend/c/kept.h"

static const CInstruction *instruction(const Points *p, uint32_t i) { return &p->module->instructions.at[i]; }

static CObject *object_at(const Points *p, uint32_t target) { return &p->objects.at[p->targets.at[target].object]; }

bool kept_has(const Points *p, U32Vec set) {
  for (uint32_t n = 0; n < set.n; n++)
    if (object_at(p, set.at[n])->is_kept) return true;
  return false;
}

bool kept_has_all(const Points *p, U32Vec set) {
  for (uint32_t n = 0; n < set.n; n++)
    if (!object_at(p, set.at[n])->is_kept) return false;
  return true;
}

static void drop(Kept *k, CObject *o) {
  k->has_dropped |= o->is_kept;
  o->is_kept = false;
}

void kept_drop(Kept *k, U32Vec set) {
  for (uint32_t n = 0; n < set.n; n++) drop(k, object_at(k->points, set.at[n]));
}

/* ---- calls that make memory ---- */

static bool is_site(Points *p, const CObject *o) {
  if (o->kind != OBJECT_HEAP || o->instances || o->stride) return false;
  const Effect *effect = points_library(p, o->context, instruction(p, o->n));
  return effect && effect->kind == CALL_MEMORY && (effect->result == RESULT_FRESH || effect->result == RESULT_AGAIN);
}

/* ---- what is stored where ---- */

bool kept_is_keeper(const Points *p, uint32_t object) {
  const CObject *o = &p->objects.at[object];
  for (uint32_t t = 0; t < o->targets.n && o->instances; t++)
    if (kept_has(p, p->contents.at[o->targets.at[t]])) return true;
  return false;
}

static void drop_contents(Kept *k, const CObject *o) {
  for (uint32_t t = 0; t < o->targets.n; t++) kept_drop(k, k->points->contents.at[o->targets.at[t]]);
}

static void drop_backs_in(Kept *k, const CObject *o) {
  for (uint32_t t = 0; t < o->targets.n; t++) kept_drop_backs(k, k->points->contents.at[o->targets.at[t]]);
}

/* Those that hang in a keeper, by whatever way. */
static void find_hanging(const Kept *k, U32Vec *objects, bool *hangs) {
  const Points *p = k->points;
  for (uint32_t i = 0; i < p->objects.n; i++)
    if (p->objects.at[i].instances) vec_push(k->heap, objects, i);
  for (uint32_t i = 0; i < objects->n; i++) {
    const CObject *o = &p->objects.at[objects->at[i]];
    for (uint32_t t = 0; t < o->targets.n; t++) {
      const U32Vec *contents = &p->contents.at[o->targets.at[t]];
      for (uint32_t c = 0; c < contents->n; c++) {
        const uint32_t next = p->targets.at[contents->at[c]].object;
        if (!p->objects.at[next].is_kept || hangs[next]) continue;
        hangs[next] = true;
        vec_push(k->heap, objects, next);
      }
    }
  }
}

static void drop_loose(Kept *k) {
  U32Vec objects = {0};
  bool *hangs = heap_zeroed(k->heap, (size_t)k->points->objects.n + 1);
  find_hanging(k, &objects, hangs);
  for (uint32_t i = 0; i < k->points->objects.n; i++)
    if (!hangs[i]) drop(k, &k->points->objects.at[i]);
  heap_release(k->heap, hangs);
  vec_fini(k->heap, &objects);
}

void kept_drop_elsewhere(Kept *k) {
  const Points *p = k->points;
  do {
    k->has_dropped = false;
    for (uint32_t i = 0; i < p->objects.n; i++)
      if (!p->objects.at[i].instances && !p->objects.at[i].is_kept) drop_contents(k, &p->objects.at[i]);
    drop_loose(k);
  } while (k->has_dropped);
}

/* ---- the library ---- */

void kept_drop_contents(Kept *k, U32Vec set) {
  for (uint32_t s = 0; s < set.n; s++) {
    drop_contents(k, object_at(k->points, set.at[s]));
    drop_backs_in(k, object_at(k->points, set.at[s]));
  }
}

bool kept_has_contents(const Kept *k, U32Vec set) {
  const Points *p = k->points;
  for (uint32_t s = 0; s < set.n; s++) {
    const CObject *o = object_at(p, set.at[s]);
    for (uint32_t t = 0; t < o->targets.n; t++)
      if (kept_has(p, p->contents.at[o->targets.at[t]]) || kept_leads_back(k, p->contents.at[o->targets.at[t]]))
        return true;
  }
  return false;
}

/* All that addresses lead to, from an argument on. */
static void drop_reached(Kept *k, uint32_t context, const CInstruction *i, uint32_t n) {
  const Points *p = k->points;
  const U32Vec set = points_of(k->points, context, i, n);
  U32Vec objects = {0};
  bool *seen = heap_zeroed(k->heap, (size_t)p->objects.n + 1);
  for (uint32_t s = 0; s < set.n; s++) points_push_parts(p, p->targets.at[set.at[s]].object, &objects);
  for (uint32_t at = 0; at < objects.n; at++) {
    CObject *o = &p->objects.at[objects.at[at]];
    if (seen[objects.at[at]]) continue;
    seen[objects.at[at]] = true;
    drop(k, o);
    kept_drop_back(k, objects.at[at]);
    for (uint32_t t = 0; t < o->targets.n; t++) {
      const U32Vec *contents = &p->contents.at[o->targets.at[t]];
      for (uint32_t c = 0; c < contents->n; c++) {
        const uint32_t next = p->targets.at[contents->at[c]].object;
        if (!seen[next]) points_push_parts(p, next, &objects);
      }
    }
  }
  heap_release(k->heap, seen);
  vec_fini(k->heap, &objects);
}

/* Does a call do no more to what an argument leads to than to read it, write text there, or free it? */
static bool leaves_addresses(const Effect *effect, uint32_t argument) {
  const char letter = effect_on(effect, argument);
  return letter == '-' || letter == 'r' || letter == 'w' || letter == 'b';
}

/* What is moved stays where it hangs. */
static bool moves_addresses(Kept *k, uint32_t context, const CInstruction *i, uint32_t n, const Effect *effect) {
  return effect->result == RESULT_AGAIN && (n > 1 || !kept_has_all(k->points, points_of(k->points, context, i, n)));
}

static void see_memory(Kept *k, uint32_t context, const CInstruction *i, const Effect *effect) {
  for (uint32_t n = 1; n < i->n_operands; n++)
    if (!leaves_addresses(effect, n - 1) || moves_addresses(k, context, i, n, effect)) drop_reached(k, context, i, n);
  if (effect->kind == CALL_COPY && points_library(k->points, context, i) != effect)
    kept_drop_contents(k, points_of(k->points, context, i, 2)); /* it is one of several functions */
}

/* Addresses that a call may have put there. */
static void drop_found(Kept *k, uint32_t context, const CInstruction *i, uint32_t n) {
  const U32Vec set = points_of(k->points, context, i, n);
  for (uint32_t s = 0; s < set.n; s++) drop_backs_in(k, object_at(k->points, set.at[s]));
}

/* A call that may be of the library. What is made as a lock, or is its like, is told apart itself, or not at all. */
static void see_call(Kept *k, uint32_t context, const CInstruction *i, const Effect *effect) {
  switch (effect->kind) {
  case CALL_MEMORY:
  case CALL_COPY: see_memory(k, context, i, effect); break;
  case CALL_LOCK:
  case CALL_TRY_LOCK:
  case CALL_UNLOCK:
  case CALL_LOCK_INIT:
  case CALL_WAIT:
  case CALL_SIGNAL:
  case CALL_READ_LOCK:
  case CALL_WRITE_LOCK:
  case CALL_TRY_READ_LOCK:
  case CALL_TRY_WRITE_LOCK:
  case CALL_READ_WRITE_UNLOCK:
  case CALL_SEMAPHORE_INIT:
  case CALL_SEMAPHORE_WAIT:
  case CALL_TRY_SEMAPHORE:
  case CALL_SEMAPHORE_POST:
  case CALL_SEMAPHORE_VALUE:
  case CALL_BARRIER_INIT:
  case CALL_BARRIER_WAIT:
    for (uint32_t n = 1; n < i->n_operands; n++) kept_drop(k, points_of(k->points, context, i, n));
    break;
  case CALL_CREATE: /* what is passed is a value of the thread, its own */
  case CALL_BEGIN:
  case CALL_END:
  case CALL_STOP: break;
  case CALL_JOIN: /* what it has ended with is in memory */
    if (i->n_operands > 2) drop_found(k, context, i, 2);
    break;
  case CALL_UNKNOWN:
  case CALL_BACK:
  case CALL_ARGUMENTS:
  case CALL_HANDLER:
  case CALL_ONCE:
  case CALL_LAST_STEP:
    for (uint32_t n = 1; n < i->n_operands; n++) drop_reached(k, context, i, n);
    break;
  }
}

/* Each function that the program does not define and that it may run. */
static void see_calls(Kept *k, uint32_t context, const CInstruction *i) {
  const Points *p = k->points;
  U32Vec callees = {0};
  const U32Vec set = points_of(k->points, context, i, 0);
  for (uint32_t n = 0; n < set.n; n++) vec_push(k->heap, &callees, set.at[n]);
  for (uint32_t n = 0; n < callees.n; n++) {
    const CObject *o = object_at(p, callees.at[n]);
    if (o->kind != OBJECT_CODE) see_call(k, context, i, effect_unknown());
    else if (!p->module->functions.at[o->n].is_defined) see_call(k, context, i, p->module->functions.at[o->n].effect);
  }
  vec_fini(k->heap, &callees);
}

static void see_instruction(Kept *k, uint32_t context, const CInstruction *i) {
  const uint32_t number = (uint32_t)(i - k->points->module->instructions.at);
  if (i->kind == C_UPDATE && i->number != C_UPDATE_EXCHANGE) /* it goes on from what is found there */
    kept_drop_backs(k, k->points->nodes.at[points_node(k->points, context, number)]);
  if (i->kind == C_CALL) see_calls(k, context, i);
  if (i->kind == C_STRANGE)
    for (uint32_t n = 0; n < i->n_operands; n++) drop_reached(k, context, i, n);
}

static bool has_sites(const Points *p) {
  for (uint32_t i = 0; i < p->objects.n; i++)
    if (p->objects.at[i].is_kept) return true;
  return false;
}

void kept_find_sites(Kept *k) {
  Points *p = k->points;
  for (uint32_t i = 0; i < p->objects.n; i++) p->objects.at[i].is_kept = is_site(p, &p->objects.at[i]);
  kept_drop_elsewhere(k);
  if (!has_sites(p)) return;
  for (PointsWalk at = {0}; points_next(p, &at);) see_instruction(k, at.context, instruction(p, at.number));
}
