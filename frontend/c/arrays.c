#include "frontend/c/arrays.h"

static const CInstruction *instruction(const Points *p, uint32_t i) { return &p->module->instructions.at[i]; }

/* ---- arrays that there are once ---- */

static bool is_once(const Points *p, const CObject *o) {
  if (o->kind == OBJECT_GLOBAL) return o->context == C_NONE;
  return (o->kind == OBJECT_STACK || o->kind == OBJECT_HEAP) && !o->is_copied && points_once(p, o->context, o->n);
}

uint32_t arrays_object(const Points *p, CArray array) {
  uint32_t found = C_NONE;
  for (uint32_t i = 0; i < p->objects.n; i++) {
    const CObject *o = &p->objects.at[i];
    if (!carray_is_same(array, carray_of(o))) continue;
    if (found != C_NONE || !is_once(p, o)) return C_NONE;
    found = i;
  }
  return found;
}

uint64_t arrays_length(const Points *p, CArray array, uint64_t stride) {
  const uint32_t object = arrays_object(p, array);
  return object == C_NONE || !stride ? 0 : cobject_length(&p->objects.at[object]) / stride;
}

/* ---- values that lead to one place ---- */

/* What each value leads to: 0 nothing yet, MANY several places, else 1 + a number of `places`. */
typedef struct {
  Points *p;
  VEC(CBase) places;
  uint32_t *of;
} Search;

enum { MANY = UINT32_MAX };

static bool leads_to_one(Search *s, U32Vec set, CBase *place) {
  if (set.n != 1) return false;
  const CTarget t = s->p->targets.at[set.at[0]];
  const CObject *o = &s->p->objects.at[t.object];
  place->array = carray_of(o);
  place->offset = t.offset;
  return t.offset != OFFSET_ANY && (o->kind == OBJECT_STACK || o->kind == OBJECT_HEAP) &&
         arrays_object(s->p, place->array) == t.object;
}

static void see_value(Search *s, uint32_t value, U32Vec set) {
  CBase place = {.value = value};
  if (!set.n || s->of[value] == MANY) return;
  if (!leads_to_one(s, set, &place)) {
    s->of[value] = MANY;
  } else if (!s->of[value]) {
    vec_push(s->p->heap, &s->places, place);
    s->of[value] = s->places.n;
  } else {
    const CBase *before = &s->places.at[s->of[value] - 1];
    if (!carray_is_same(before->array, place.array) || before->offset != place.offset) s->of[value] = MANY;
  }
}

/* Of values from which an index goes on, and of those that addresses come from. */
void arrays_find_bases(Points *p, CBonds *bonds) {
  const uint32_t n = p->module->instructions.n;
  Search s = {.p = p, .of = heap_zeroed(p->heap, ((size_t)n + 1) * sizeof *s.of)};
  for (PointsWalk at = {0}; points_next(p, &at);) {
    const CInstruction *i = instruction(p, at.number);
    const COperand *base = i->kind == C_OFFSET && i->n_operands >= 3 ? cmodule_operand(p->module, i, 0) : NULL;
    if (base && base->kind == C_VALUE) see_value(&s, base->n, points_of(p, at.context, i, 0));
    if (i->kind == C_LOAD || i->kind == C_CALL || i->kind == C_ALLOCATE)
      see_value(&s, at.number, p->nodes.at[points_node(p, at.context, at.number)]);
  }
  for (uint32_t value = 0; value < n; value++)
    if (s.of[value] && s.of[value] != MANY) vec_push(p->heap, &bonds->bases, s.places.at[s.of[value] - 1]);
  heap_release(p->heap, s.of);
  vec_fini(p->heap, &s.places);
}

static const CBase *base_of(const CBonds *bonds, uint32_t value) {
  uint32_t from = 0, to = bonds ? bonds->bases.n : 0;
  while (from < to) {
    const uint32_t middle = from + (to - from) / 2;
    if (bonds->bases.at[middle].value == value) return &bonds->bases.at[middle];
    if (bonds->bases.at[middle].value < value) from = middle + 1;
    else to = middle;
  }
  return NULL;
}

/* Of an address that is a global's, or known wherever it is computed. */
static bool place_of(const Foci *f, const COperand *operand, CArray *array, int64_t *offset) {
  if (operand->kind == C_GLOBAL) {
    if (f->points->module->globals.at[operand->n].is_local) return false;
    *array = (CArray){OBJECT_GLOBAL, operand->n, 0};
    *offset = operand->number;
    return true;
  }
  const CBase *base = operand->kind == C_VALUE ? base_of(f->bonds, operand->n) : NULL;
  if (!base) return false;
  *array = base->array;
  *offset = base->offset;
  return true;
}

/* Or so many bytes behind one that is passed, or returned. */
bool arrays_base(const Foci *f, uint32_t context, const COperand *operand, CArray *array, int64_t *offset) {
  enum { MOST_STEPS = 64 };
  int64_t behind = 0, bytes;
  for (int n = 0; n < MOST_STEPS; n++) {
    if (place_of(f, operand, array, offset)) {
      *offset += behind;
      array->part = points_part(f->points, array->kind, array->n, *offset);
      return true;
    }
    if (operand->kind != C_VALUE || foci_is_entered_again(f->points, context)) return false;
    const CInstruction *i = instruction(f->points, operand->n);
    if (i->kind == C_OFFSET && foci_distance(f, context, i, &bytes)) {
      behind += bytes;
      operand = cmodule_operand(f->points->module, i, 0);
    } else if (!foci_origin(f, &context, &operand, 64)) {
      return false;
    }
  }
  return false;
}

/* An address goes on from a place in an object: *array becomes the part that it goes on in. Where that begins. */
static int64_t enter_part(const Points *p, const CInstruction *i, int64_t offset, CArray *array) {
  const CSplit *s = array->part ? &p->splits->at[array->part - 1] : NULL;
  const bool is_inside = s && i->structure <= s->to - s->from;
  if (!is_inside) array->part = points_part(p, array->kind, array->n, offset + i->number);
  return array->part ? (int64_t)p->splits->at[array->part - 1].from : 0;
}

bool arrays_element(const Foci *f, uint32_t context, const CInstruction *i, CElement *e) {
  const CModule *m = f->points->module;
  CArray array;
  int64_t offset;
  if (i->kind != C_OFFSET || i->n_operands != 3 || !arrays_base(f, context, cmodule_operand(m, i, 0), &array, &offset))
    return false;
  const int64_t scale = cmodule_operand(m, i, 2)->number;
  if (scale <= 0) return false;
  const int64_t start = enter_part(f->points, i, offset, &array);
  *e = (CElement){.array = array,
                  .context = context,
                  .stride = (uint64_t)scale,
                  .shift = foci_quotient(offset - start + i->number, scale),
                  .index = cmodule_operand(m, i, 1)};
  return true;
}

/* ---- what functions of the library take them for ---- */

static bool is_odd(CallKind kind) {
  switch ((int)kind) {
  case CALL_SEMAPHORE_INIT:
  case CALL_SEMAPHORE_WAIT:
  case CALL_TRY_SEMAPHORE:
  case CALL_SEMAPHORE_POST:
  case CALL_SEMAPHORE_VALUE:
  case CALL_BARRIER_INIT:
  case CALL_BARRIER_WAIT:
  case CALL_ONCE: return true;
  default: return false;
  }
}

bool arrays_is_plain(Points *p, uint32_t object) {
  for (PointsWalk at = {0}; points_next(p, &at);) {
    const CInstruction *i = instruction(p, at.number);
    const Effect *effect = i->kind == C_CALL ? points_library(p, at.context, i) : NULL;
    for (uint32_t n = 1; effect && is_odd(effect->kind) && n < i->n_operands; n++) {
      const U32Vec set = points_of(p, at.context, i, n);
      for (uint32_t k = 0; k < set.n; k++)
        if (p->targets.at[set.at[k]].object == object) return false;
    }
  }
  return true;
}
