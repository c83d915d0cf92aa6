#include "predict/analysis/certainty.h"

#include <assert.h>

#define NONE UINT32_MAX

static uint32_t life_of(const Shapes *shapes, const CertainPart *part) {
  return shapes_access_life(shapes, part->first);
}

/* Is it enough that no lock is held at both ends? */
static bool is_simple(const Shapes *shapes, const CertainPart *a, const CertainPart *b) {
  const uint32_t life = life_of(shapes, a), other = life_of(shapes, b);
  return shapes_are_nested(shapes, life) && shapes_are_nested(shapes, other) &&
         !goodlock_between(&shapes->goodlock, &shapes->locksets, &shapes->stages, life, other);
}

static bool are_concurrent(const Shapes *shapes, const CertainPart *a, const CertainPart *b) {
  return shapes->stages.is_closed && a->first->stage.v == a->last->stage.v && b->first->stage.v == b->last->stage.v &&
         fork_order_concurrent(&shapes->stages, a->first->stage, b->first->stage);
}

bool certainty_is_free(const Shapes *shapes) {
  return shapes->stages.is_closed && shapes->goodlock.circles.n == 0 && !shapes->goodlock.tried &&
         shapes->goodlock.complete && !shapes->waits_locked;
}

/* Does it begin with no lock held, and neither fork nor join? */
static bool is_plain(const Shapes *shapes, const CertainPart *part) {
  if (part->shape.v == SHAPE_NONE.v) return part->first->held.v == LOCKSET_EMPTY.v;
  const Shape *shape = &shapes->shapes.at[part->shape.v];
  for (uint32_t i = 0; i < shape->n; i++)
    if (shape->steps[i].kind == STEP_STAGE) return false;
  return shape->n_held == 0;
}

static bool reads_first(const Shapes *shapes, ShapeId id, uint32_t variable) {
  if (id.v == SHAPE_NONE.v) return false;
  const Shape *shape = &shapes->shapes.at[id.v];
  for (uint32_t i = 0; i < shape->n; i++) {
    if (shape->steps[i].kind != STEP_ACCESS) continue;
    const ShapeAccess *access = &shapes->accesses.at[shape->steps[i].id];
    if (access->variable == variable) return !access->write;
  }
  return false;
}

/* Of the writes of this class: are they the part's own? Its number in its thread is known if its accesses are its
 * alone. */
static bool is_own(const ShapeAccess *write, const CertainPart *part) {
  const uint32_t number = part->first->first_in;
  return part->first->last_in == number && part->last->first_in == number && part->last->last_in == number &&
         write->first_in == number && write->last_in == number;
}

static bool has_no_other_writer(const Shapes *shapes, uint32_t variable, const CertainPart *a, const CertainPart *b) {
  assert(variable < shapes->variables.n);
  for (uint32_t i = shapes->variables.at[variable].accesses; i != NONE; i = shapes->accesses.at[i].next) {
    const ShapeAccess *access = &shapes->accesses.at[i];
    const uint32_t life = shapes_access_life(shapes, access);
    if (!access->write) continue;
    if (!(life == life_of(shapes, a) && is_own(access, a)) && !(life == life_of(shapes, b) && is_own(access, b)))
      return false;
  }
  return true;
}

static bool persists(const Shapes *shapes, Pattern pattern, const CertainPart *split, const CertainPart *other) {
  const uint32_t x = split->first->variable, y = split->last->variable;
  if (pattern == PATTERN_UP1 || pattern == PATTERN_UP2 || pattern == PATTERN_UP3) return true;
  if (pattern == PATTERN_UP4 && reads_first(shapes, other->shape, x)) return true;
  return has_no_other_writer(shapes, x, split, other) && (x == y || has_no_other_writer(shapes, y, split, other));
}

static ProgressLine line_of(const Shapes *shapes, const CertainPart *part) {
  if (part->shape.v == SHAPE_NONE.v) return (ProgressLine){NULL, 0, 0};
  return (ProgressLine){&shapes->shapes.at[part->shape.v], part->steps[0], part->steps[1]};
}

Certainty certainty_of(Shapes *shapes, Pattern pattern, const CertainPart *split, const CertainPart *other,
                       bool crossing, uint64_t *budget) {
  const bool plain = is_plain(shapes, split) && is_plain(shapes, other);
  if (!are_concurrent(shapes, split, other)) return CERTAIN_NOT;
  if (is_simple(shapes, split, other))
    return plain && certainty_is_free(shapes) && persists(shapes, pattern, split, other) ? CERTAIN_WHOLE
                                                                                         : CERTAIN_ALONE;
  return plain && progress_allows(shapes, line_of(shapes, split), line_of(shapes, other), crossing, budget)
             ? CERTAIN_ALONE
             : CERTAIN_NOT;
}
