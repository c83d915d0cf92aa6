/* What an instruction does, to which bytes of which objects. */
#include "frontend/c/cells_inside.h"

#include <string.h>

typedef struct {
  Cells *cells;
  uint32_t context, number;
  const CInstruction *i;
  CAccessVec *accesses;
  bool by_bytes; /* what is done is done byte by byte */
} Asker;

/* A copy of more than a byte is done in parts; so is what is more than a word, or across words. */
static bool is_long(const Asker *a, uint64_t size, bool sync) {
  enum { WORD = 8 };
  if (sync) return false;
  if (a->i->kind == C_COPY || a->i->kind == C_FILL || a->by_bytes) return size != 1;
  const bool across = (a->i->kind == C_LOAD || a->i->kind == C_STORE) && a->i->number;
  return across || !size || size > WORD;
}

/* May it go beyond the element that stands for all? */
static bool is_wide(const Asker *a, uint32_t target, uint64_t size) {
  const CTarget t = a->cells->points->targets.at[target];
  const CObject *o = &a->cells->points->objects.at[t.object];
  const uint64_t stride = o->stride;
  if (!stride || (size && t.offset != OFFSET_ANY)) return stride && t.offset - o->start + size > stride;
  return !size || stride % size || is_long(a, size, false);
}

static void add_one(Asker *a, uint32_t operand, uint32_t target, uint64_t size, CDeed deed, bool sync) {
  Points *p = a->cells->points;
  const bool wide = is_wide(a, target, size);
  if (deed != DOES_READ && !sync && points_is_constant(p, p->targets.at[target].object)) return;
  switch (p->objects.at[p->targets.at[target].object].kind) {
  case OBJECT_GLOBAL:
  case OBJECT_STACK:
  case OBJECT_HEAP:
  case OBJECT_STATIC:
    vec_push(p->heap, a->accesses,
             ((CAccess){.target = target,
                        .size = size,
                        .deed = deed,
                        .sync = sync,
                        .is_long = wide || is_long(a, size, sync),
                        .is_wide = wide,
                        .operand = operand}));
    break;
  case OBJECT_UNKNOWN:
    points_gap_at(p, a->context, a->number, operand,
                  sync ? "uses a lock that is not known" : "accesses memory that is not known");
    break;
  case OBJECT_LIBRARY:
    if (deed != DOES_READ || sync) points_gap(p, a->context, a->number, "writes memory of the library");
    break;
  case OBJECT_EXTRA:
    if (p->contexts.at[p->objects.at[p->targets.at[target].object].context].thread != p->contexts.at[a->context].thread)
      points_gap(p, a->context, a->number, "uses variable arguments of another thread");
    break;
  case OBJECT_OWN:
    if (p->objects.at[p->targets.at[target].object].n != p->contexts.at[a->context].thread)
      points_gap(p, a->context, a->number, "uses errno of another thread");
    break;
  case OBJECT_CODE:
  case OBJECT_TEXT:
  case OBJECT_HANDLE: break;
  }
}

/* May what is done by many bytes go on to the other part of the object? */
static bool goes_on(const Asker *a, uint32_t target, uint64_t size, const CObject *other) {
  const Points *p = a->cells->points;
  const CTarget t = p->targets.at[target];
  const CObject *o = &p->objects.at[t.object];
  if (a->i->kind != C_CALL && a->i->kind != C_FILL) return false; /* splits.c has seen that it does not */
  if (o->part) return !size || size > cobject_length(o);
  return t.offset == OFFSET_ANY || !size || (t.offset < other->size && t.offset + size > other->start);
}

/* The same, with what lies behind it in other parts. */
static void add_all(Asker *a, uint32_t operand, uint32_t target, uint64_t size, CDeed deed, bool sync) {
  Points *p = a->cells->points;
  U32Vec parts = {0};
  add_one(a, operand, target, size, deed, sync);
  points_push_parts(p, p->targets.at[target].object, &parts);
  for (uint32_t k = 1; k < parts.n && !sync; k++)
    if (goes_on(a, target, size, &p->objects.at[parts.at[k]]))
      add_one(a, operand, points_anywhere(p, parts.at[k]), 0, deed, false);
  vec_fini(p->heap, &parts);
}

/* Operand n is an address. */
static void add(Asker *a, uint32_t n, uint64_t size, CDeed deed, bool sync) {
  const U32Vec set = points_of(a->cells->points, a->context, a->i, n);
  for (uint32_t k = 0; k < set.n; k++) add_all(a, n, set.at[k], size, deed, sync);
}

/* The same where it must be one: what leads nowhere is not understood, unless it is NULL. */
static void add_address(Asker *a, uint32_t n, uint64_t size, CDeed deed, bool sync) {
  int64_t number;
  if (n >= a->i->n_operands) return;
  const COperand *operand = cmodule_operand(a->cells->points->module, a->i, n);
  const bool null = cells_constant(a->cells->points->module, operand, &number) && !number;
  if (!null && !points_of(a->cells->points, a->context, a->i, n).n)
    points_gap_at(a->cells->points, a->context, a->number, n, "uses an address of which nothing is known");
  add(a, n, size, deed, sync);
}

/* All that addresses there lead to, and those there; each object once. */
static void add_reachable(Asker *a, uint32_t n, CDeed deed) {
  Points *p = a->cells->points;
  U32Vec objects = {0};
  bool *seen = heap_zeroed(p->heap, p->objects.n + 1);
  const U32Vec set = points_of(p, a->context, a->i, n);
  for (uint32_t k = 0; k < set.n; k++) points_push_parts(p, p->targets.at[set.at[k]].object, &objects);
  for (uint32_t i = 0; i < objects.n; i++) {
    const CObject *o = &p->objects.at[objects.at[i]];
    for (uint32_t t = 0; t < o->targets.n; t++)
      for (uint32_t c = 0; c < p->contents.at[o->targets.at[t]].n; c++) {
        const uint32_t next = p->contents.at[o->targets.at[t]].at[c], object = p->targets.at[next].object;
        if (seen[object]) continue;
        const uint32_t before = objects.n;
        points_push_parts(p, object, &objects);
        for (uint32_t k = before; k < objects.n; k++) {
          seen[objects.at[k]] = true;
          add_one(a, n, points_anywhere(p, objects.at[k]), 0, deed, false);
        }
      }
  }
  heap_release(p->heap, seen);
  vec_fini(p->heap, &objects);
}

static void add_behind(Asker *a, uint32_t n, CDeed deed) {
  add(a, n, 0, deed, false);
  add_reachable(a, n, deed);
}

/* What is found where the argument leads: the targets of all addresses there. */
static void add_found(Asker *a, uint32_t n) {
  Points *p = a->cells->points;
  const U32Vec set = points_of(p, a->context, a->i, n);
  for (uint32_t k = 0; k < set.n; k++) {
    const CObject *o = &p->objects.at[p->targets.at[set.at[k]].object];
    for (uint32_t t = 0; t < o->targets.n; t++)
      for (uint32_t c = 0; c < p->contents.at[o->targets.at[t]].n; c++)
        add_all(a, n, p->contents.at[o->targets.at[t]].at[c], 0, DOES_UPDATE, false);
  }
}

/* As many bytes, or all that follow. */
static void add_bytes(Asker *a, uint32_t n, uint64_t size, CDeed deed) {
  a->by_bytes = true;
  add(a, n, size, deed, false);
  a->by_bytes = false;
}

/* What the library keeps in a stream is no address of the program's. */
static bool is_of_stream(const Points *p, uint32_t target) {
  const CObjectKind kind = p->objects.at[p->targets.at[target].object].kind;
  return kind != OBJECT_LIBRARY && kind != OBJECT_CODE;
}

/* A stream, and all that addresses in it lead to; what leads to text that is read alone is its first one. */
static void add_stream(Asker *a, uint32_t n) {
  Points *p = a->cells->points;
  add_bytes(a, n, 0, DOES_UPDATE);
  const U32Vec set = points_of(p, a->context, a->i, n);
  for (uint32_t k = 0; k < set.n; k++) {
    const CTarget stream = p->targets.at[set.at[k]];
    const CObject *o = &p->objects.at[stream.object];
    for (uint32_t t = 0; t < o->targets.n; t++) {
      const uint32_t where = o->targets.at[t];
      const bool first = stream.offset != OFFSET_ANY && p->targets.at[where].offset == stream.offset && !o->stride;
      for (uint32_t c = 0; c < p->contents.at[where].n; c++)
        if (is_of_stream(p, p->contents.at[where].at[c]))
          add_one(a, n, p->contents.at[where].at[c], 0, first ? DOES_READ : DOES_UPDATE, false);
    }
  }
}

/* What getopt puts in order; main's arguments are the library's, until it is done. */
static void add_vector(Asker *a, uint32_t n) {
  Points *p = a->cells->points;
  const U32Vec set = points_of(p, a->context, a->i, n);
  const bool first = p->contexts.at[a->context].thread == 0;
  for (uint32_t k = 0; k < set.n; k++)
    if (!first || p->objects.at[p->targets.at[set.at[k]].object].kind != OBJECT_LIBRARY)
      add_one(a, n, set.at[k], 0, DOES_UPDATE, false);
}

/* What strtok was given. */
static void add_hidden(Asker *a, uint32_t n) {
  Points *p = a->cells->points;
  const uint32_t hidden = points_hidden(p, a->context, a->i);
  for (uint32_t c = 0; c < p->contents.at[hidden].n; c++)
    add_all(a, n, p->contents.at[hidden].at[c], 0, DOES_UPDATE, false);
}

static void add_argument(Asker *a, uint32_t n, const Effect *effect) {
  const char letter = effect_on(effect, n - 1);
  const uint64_t size = effect_size(effect, n - 1);
  switch (letter) {
  case 'r':
  case 'k': add_bytes(a, n, size, DOES_READ); break;
  case 'w':
  case 'K': add_bytes(a, n, size, DOES_WRITE); break;
  case 's':
  case 'b': add_bytes(a, n, size, DOES_UPDATE); break;
  case 'o':
  case 'O': add_bytes(a, n, points_bytes(a->cells->points, a->context, a->i, n, letter), DOES_READ); break;
  case 'i':
  case 'I': add_bytes(a, n, points_bytes(a->cells->points, a->context, a->i, n, letter), DOES_WRITE); break;
  case 'a': add_vector(a, n); break;
  case 'T': add_hidden(a, n); break;
  case 'e':
  case 'n':
  case 'l':
  case 'u': add(a, n, letter == 'u' ? 0 : 8, DOES_WRITE, false); break;
  case 'E':
  case 'M':
  case 'm':
    add(a, n, 8, DOES_UPDATE, false);
    add_found(a, n);
    break;
  case 'S': add_stream(a, n); break;
  case 'R': add_behind(a, n, DOES_READ); break;
  case 'W': add_behind(a, n, DOES_WRITE); break;
  case 'B': add_behind(a, n, DOES_UPDATE); break;
  default: break;
  }
}

/* What the functions of a family use that is hidden, or a variable of the library. */
static void add_family(Asker *a, const Effect *effect) {
  Points *p = a->cells->points;
  const CDeed deed = effect_reads_family(effect) ? DOES_READ : DOES_UPDATE;
  const char *family = effect_family(effect), *name;
  if (effect_hides(family)) add_one(a, 0, points_hidden(p, a->context, a->i), 0, deed, false);
  for (uint32_t n = 0; (name = effect_variable(family, n)); n++)
    for (uint32_t g = 0; g < p->module->globals.n; g++) {
      if (p->module->globals.at[g].is_defined || strcmp(p->module->globals.at[g].name, name) != 0) continue;
      const COperand operand = {C_GLOBAL, g, 0};
      add_one(a, 0, points_operand(p, a->context, &operand).at[0], 8, deed, false);
    }
}

/* Has it a state of its own? Then what the family hides is not used. */
static bool has_state(const Asker *a, const Effect *effect) {
  for (uint32_t n = 1; n < a->i->n_operands; n++)
    if (effect_on(effect, n - 1) == 's')
      return cmodule_is_object(a->cells->points->module, cmodule_operand(a->cells->points->module, a->i, n));
  return false;
}

static void add_arguments(Asker *a, const Effect *effect) {
  for (uint32_t n = 1; n < a->i->n_operands; n++) add_argument(a, n, effect);
  if (effect->family && !has_state(a, effect)) add_family(a, effect);
}

/* What one of several functions of the library does is not told apart. */
static void refuse_several(Asker *a) {
  Points *p = a->cells->points;
  const U32Vec set = points_of(p, a->context, a->i, 0);
  if (!set.n) points_gap(p, a->context, a->number, "calls a function of which nothing is known");
  for (uint32_t k = 0; k < set.n; k++) {
    const CObject *o = &p->objects.at[p->targets.at[set.at[k]].object];
    if (o->kind == OBJECT_CODE && !p->module->functions.at[o->n].is_defined)
      points_gap(p, a->context, a->number, "calls one of several functions of the library");
  }
}

static void add_call(Asker *a) {
  const Effect *effect = points_library(a->cells->points, a->context, a->i);
  if (!effect) {
    refuse_several(a);
    return;
  }
  switch (effect->kind) {
  case CALL_LOCK:
  case CALL_TRY_LOCK:
  case CALL_UNLOCK:
  case CALL_READ_LOCK:
  case CALL_WRITE_LOCK:
  case CALL_READ_WRITE_UNLOCK:
  case CALL_TRY_READ_LOCK:
  case CALL_TRY_WRITE_LOCK:
  case CALL_SEMAPHORE_WAIT:
  case CALL_TRY_SEMAPHORE:
  case CALL_SEMAPHORE_POST:
  case CALL_BARRIER_WAIT:
  case CALL_ONCE: add_address(a, 1, 1, DOES_UPDATE, true); break;
  case CALL_SEMAPHORE_VALUE:
  case CALL_SIGNAL: add_address(a, 1, 1, DOES_READ, true); break;
  case CALL_WAIT:
    add_address(a, 1, 1, DOES_WRITE, true);
    add_address(a, 2, 1, DOES_UPDATE, true);
    break;
  case CALL_CREATE: add_address(a, 1, 8, DOES_WRITE, false); break;
  case CALL_JOIN: add_address(a, 2, 8, DOES_WRITE, false); break;
  case CALL_UNKNOWN:
  case CALL_MEMORY:
  case CALL_BACK:
  case CALL_COPY:
  case CALL_ARGUMENTS:
  case CALL_HANDLER:
  case CALL_LOCK_INIT:
  case CALL_SEMAPHORE_INIT:
  case CALL_BARRIER_INIT:
  case CALL_BEGIN:
  case CALL_END:
  case CALL_STOP:
  case CALL_LAST_STEP: break;
  }
  add_arguments(a, effect);
}

void cells_find_accesses(Cells *cells, uint32_t context, uint32_t number, CAccessVec *accesses) {
  const CInstruction *i = &cells->points->module->instructions.at[number];
  Asker asker = {cells, context, number, i, accesses, false}, *a = &asker;
  vec_clear(accesses);
  switch ((int)i->kind) {
  case C_LOAD: add_address(a, 0, i->size, DOES_READ, false); break;
  case C_STORE: add_address(a, 1, i->size, DOES_WRITE, false); break;
  case C_UPDATE:
  case C_SWAP: add_address(a, 0, i->size, DOES_UPDATE, false); break;
  case C_COPY:
    add_address(a, 1, i->size, DOES_READ, false);
    add_address(a, 0, i->size, DOES_WRITE, false);
    break;
  case C_FILL: add_address(a, 0, i->size, DOES_WRITE, false); break;
  case C_CALL: add_call(a); break;
  default: break;
  }
}
