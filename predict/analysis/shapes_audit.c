/* What is said of shapes in shapes.h, checked step by step. */
#include "predict/analysis/shapes.h"

#define NONE UINT32_MAX

static bool fault(Err *err, const char *what, uint32_t number) {
  return err_set(err, ERR_CHECK, "bad shapes: %s (number %u)", what, (unsigned)number);
}

/* ---- accesses ---- */

static bool is_seen_in(const Shapes *shapes, const Sight *sight, uint32_t access) {
  if (sight->shape.v == SHAPE_NONE.v) return true;
  const Shape *shape = &shapes->shapes.at[sight->shape.v];
  for (uint32_t i = 0; i < shape->n; i++)
    if (shape->steps[i].kind == STEP_ACCESS && shape->steps[i].id == access && shape->steps[i].event == sight->event)
      return true;
  return false;
}

static bool audit_sights(const Shapes *shapes, uint32_t a, Err *err) {
  const ShapeAccess *access = &shapes->accesses.at[a];
  if (access->sights[USE_ANY].event == NO_EVENT) return fault(err, "an access that nobody saw", a);
  if (access->write && access->sights[USE_FIRST].event != NO_EVENT)
    return fault(err, "a write that is a first read", a);
  if (!access->write && access->sights[USE_FINAL].event != NO_EVENT)
    return fault(err, "a read that is a final write", a);
  for (uint32_t use = 0; use < USES; use++) {
    const Sight *sight = &access->sights[use];
    if (sight->event == NO_EVENT) continue;
    if (sight->shape.v != SHAPE_NONE.v && sight->shape.v >= shapes->shapes.n) return fault(err, "no such shape", a);
    if (!is_seen_in(shapes, sight, a)) return fault(err, "an access that is not where it was seen", a);
  }
  if (access->first_in && access->first_in <= access->last_in) return true;
  return fault(err, "the transactions of an access", a);
}

static bool same_access(const ShapeAccess *a, const ShapeAccess *b) {
  return a->write == b->write && a->held.v == b->held.v && a->stage.v == b->stage.v;
}

static bool audit_variables(const Shapes *shapes, Err *err) {
  uint32_t n = 0;
  for (uint32_t v = 0; v < shapes->variables.n; v++)
    for (uint32_t a = shapes->variables.at[v].accesses; a != NONE; a = shapes->accesses.at[a].next, n++) {
      if (shapes->accesses.at[a].variable != v) return fault(err, "an access of another variable", a);
      for (uint32_t b = shapes->accesses.at[a].next; b != NONE; b = shapes->accesses.at[b].next)
        if (same_access(&shapes->accesses.at[a], &shapes->accesses.at[b]))
          return fault(err, "an access that is there twice", a);
    }
  return n == shapes->accesses.n || fault(err, "an access of no variable", n);
}

/* ---- shapes ---- */

/* A transaction as far as it was followed. */
typedef struct {
  U32Vec held;
  uint32_t stage, segment; /* segment: the first step after the last one that is no access */
} Walk;

static uint32_t find_held(const Walk *walk, uint32_t lock) {
  uint32_t i = 0;
  while (i < walk->held.n && walk->held.at[i] != lock) i++;
  return i;
}

static bool holds_just(const Shapes *shapes, const Walk *walk, LockSetId held) {
  uint32_t n;
  const uint32_t *locks = locksets_locks(&shapes->locksets, held, &n);
  for (uint32_t i = 0; i < n; i++)
    if (find_held(walk, locks[i]) == walk->held.n) return false;
  return n == walk->held.n;
}

/* How often the variable is accessed so since the last step that is no access. */
static uint32_t count_before(const Shapes *shapes, const Shape *shape, const Walk *walk, uint32_t end,
                             uint32_t variable, bool write) {
  uint32_t n = 0;
  for (uint32_t i = walk->segment; i < end; i++) {
    const ShapeAccess *access = &shapes->accesses.at[shape->steps[i].id];
    n += access->variable == variable && access->write == write;
  }
  return n;
}

/* Two reads before the first write, the first and the last write, one read after the first write. */
static bool audit_thinned(const Shapes *shapes, const Shape *shape, const Walk *walk, uint32_t i, Err *err) {
  const ShapeAccess *access = &shapes->accesses.at[shape->steps[i].id];
  const uint32_t reads = count_before(shapes, shape, walk, i, access->variable, false);
  const uint32_t writes = count_before(shapes, shape, walk, i, access->variable, true);
  if (access->write ? writes < 2 : reads < (writes ? 3 : 2)) return true;
  return fault(err, "an access that should have been left out", i);
}

static bool audit_access(const Shapes *shapes, const Shape *shape, const Walk *walk, uint32_t i, Err *err) {
  if (shape->steps[i].id >= shapes->accesses.n) return fault(err, "a step with no access", i);
  const ShapeAccess *access = &shapes->accesses.at[shape->steps[i].id];
  if (access->stage.v != walk->stage) return fault(err, "an access in another stage", i);
  if (!holds_just(shapes, walk, access->held)) return fault(err, "an access with other locks", i);
  return audit_thinned(shapes, shape, walk, i, err);
}

static bool audit_step(const Shapes *shapes, const Shape *shape, Walk *walk, uint32_t i, Err *err) {
  const Step *step = &shape->steps[i];
  const uint32_t at = find_held(walk, step->id);
  if (i && shape->steps[i - 1].event > step->event) return fault(err, "steps out of order", i);
  if (step->kind != STEP_ACCESS) walk->segment = i + 1;
  switch (step->kind) {
  case STEP_ACCESS: return audit_access(shapes, shape, walk, i, err);
  case STEP_ACQUIRE:
    if (at < walk->held.n) return fault(err, "an acquire of a held lock", i);
    vec_push(shapes->heap, &walk->held, step->id);
    return true;
  case STEP_RELEASE:
    if (at == walk->held.n) return fault(err, "a release of a lock that is not held", i);
    walk->held.at[at] = vec_last(&walk->held);
    walk->held.n--;
    return true;
  case STEP_STAGE:
    if (step->id == walk->stage) return fault(err, "a stage that is no new one", i);
    walk->stage = step->id;
    return true;
  }
  return fault(err, "a step of no kind", i);
}

static bool audit_shape(const Shapes *shapes, uint32_t s, Err *err) {
  const Shape *shape = &shapes->shapes.at[s];
  Walk walk = {.stage = shape->stage.v};
  bool good = shape->row < shapes->rows.n || fault(err, "no such row", s);
  for (uint32_t i = 0; i < shape->n_held && good; i++) {
    good = find_held(&walk, shape->held[i]) == walk.held.n || fault(err, "a lock held twice", s);
    vec_push(shapes->heap, &walk.held, shape->held[i]);
  }
  for (uint32_t i = 0; i < shape->n && good; i++) good = audit_step(shapes, shape, &walk, i, err);
  vec_fini(shapes->heap, &walk.held);
  return good;
}

static bool audit_programs(const Shapes *shapes, Err *err) {
  for (uint32_t l = 0; l < shapes->programs.n; l++)
    for (uint32_t i = 0; i < shapes->programs.at[l].n; i++) {
      const uint32_t element = shapes->programs.at[l].at[i];
      const uint32_t id = element / ELEMENTS, kind = element % ELEMENTS;
      if (id >= (kind == ELEMENT_SHAPE ? shapes->shapes.n : shapes->accesses.n))
        return fault(err, "an element of a program", l);
      if (kind == ELEMENT_UPDATE && (i == 0 || shapes->programs.at[l].at[i - 1] % ELEMENTS != ELEMENT_ACCESS))
        return fault(err, "an update whose read is missing", l);
    }
  return true;
}

bool shapes_audit(const Shapes *shapes, Err *err) {
  if (!audit_variables(shapes, err) || !audit_programs(shapes, err)) return false;
  for (uint32_t a = 0; a < shapes->accesses.n; a++)
    if (!audit_sights(shapes, a, err)) return false;
  for (uint32_t s = 0; s < shapes->shapes.n; s++)
    if (!audit_shape(shapes, s, err)) return false;
  return true;
}
