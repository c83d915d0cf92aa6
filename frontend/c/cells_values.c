/* Which cells have values that are followed, and how many (docs/c.md, "Values"). */
#include "frontend/c/cells.h"

/* The most values. */
enum { MOST_VALUES = 16 };

/* So far is looked behind a value: values that are merged of merged ones have very many ways. What comes behind that is
 * not known. */
enum { DEEPEST = 8, MOST_STEPS = 200 };

/* A counter has so many more than are stored in it; and one more than the numbers that it is compared with, which are
 * no greater than that. */
enum { MORE_VALUES = 3, MOST_COMPARED = 8 };

typedef struct {
  int depth;
  uint32_t *steps; /* that are left */
} Look;

/* The first look at an operand, with all of its steps; one at what it is made of. */
#define LOOK ((Look){0, &(uint32_t){MOST_STEPS}})

static Look deeper(Look look) { return (Look){look.depth + 1, look.steps}; }

/* Is it a value that can still be looked at? */
static bool is_seen(const COperand *operand, Look look) {
  if (operand->kind != C_VALUE || look.depth > DEEPEST || !*look.steps) return false;
  --*look.steps;
  return true;
}

/* Is it the same number whichever way it comes? */
static bool constant(const CModule *module, const COperand *operand, int64_t *number, Look look) {
  if (operand->kind == C_INTEGER) return *number = operand->number, true;
  if (!is_seen(operand, look)) return false;
  const CInstruction *i = &module->instructions.at[operand->n];
  bool known = false;
  if ((i->kind != C_SAME || i->number) && i->kind != C_MERGE) return false;
  for (uint32_t n = 0; n < i->n_operands; n++) {
    int64_t other = 0;
    const COperand *part = cmodule_operand(module, i, n);
    if (part->kind == C_VALUE && part->n == operand->n) continue;
    if (!constant(module, part, &other, deeper(look)) || (known && other != *number)) return false;
    *number = other;
    known = true;
  }
  return known;
}

bool cells_constant(const CModule *module, const COperand *operand, int64_t *number) {
  return constant(module, operand, number, LOOK);
}

/* The greatest value that a stored operand may have in a context, if all are small and known; else -1. */
static int64_t greatest(const Points *p, uint32_t context, const COperand *operand, Look look) {
  int64_t number;
  if (operand->kind == C_INTEGER) return operand->number < MOST_VALUES ? operand->number : -1;
  if (!is_seen(operand, look)) return -1;
  if (points_known(p, context, operand, &number)) return number < MOST_VALUES ? number : -1;
  const CInstruction *i = &p->module->instructions.at[operand->n];
  if (i->kind == C_COMPARE) return 1;
  if ((i->kind == C_SAME || i->kind == C_MIX) && i->size && i->size <= 3) return (1 << i->size) - 1;
  if ((i->kind != C_SAME || i->number) && i->kind != C_MERGE && i->kind != C_SELECT) return -1;
  int64_t most = i->n_operands ? 0 : -1;
  for (uint32_t n = i->kind == C_SELECT; n < i->n_operands && most >= 0; n++) {
    const int64_t part = greatest(p, context, cmodule_operand(p->module, i, n), deeper(look));
    most = part < 0 ? -1 : part > most ? part : most;
  }
  return most;
}

/* A negative number is one only where it stands there: a conversion may have made another one of it. */
bool cells_step(const CModule *module, const CInstruction *i, int64_t *step) {
  const COperand *operand = cmodule_operand(module, i, 1);
  if (i->kind != C_UPDATE || (i->number != C_UPDATE_ADD && i->number != C_UPDATE_SUBTRACT)) return false;
  if (!cells_constant(module, operand, step) || *step >= MOST_VALUES || *step <= -MOST_VALUES) return false;
  if (*step < 0 && operand->kind != C_INTEGER) return false;
  if (i->number == C_UPDATE_SUBTRACT) *step = -*step;
  return true;
}

static int64_t stored(const Points *p, uint32_t context, const CInstruction *i) {
  const CModule *module = p->module;
  int64_t step;
  switch ((int)i->kind) {
  case C_LOAD: return 0;
  case C_STORE: return greatest(p, context, cmodule_operand(module, i, 0), LOOK);
  case C_UPDATE:
    if (i->number == C_UPDATE_EXCHANGE) return greatest(p, context, cmodule_operand(module, i, 1), LOOK);
    return cells_step(module, i, &step) ? 0 : -1;
  case C_SWAP: return greatest(p, context, cmodule_operand(module, i, 2), LOOK);
  default: return -1;
  }
}

/* Is it what is read from that cell? */
static bool is_read_from(Cells *cells, uint32_t context, uint32_t number, uint32_t cell) {
  CAccessVec accesses = {0};
  const CModule *module = cells->points->module;
  const CInstruction *i = &module->instructions.at[number];
  if (i->kind == C_PICK && !i->number) number = cmodule_operand(module, i, 0)->n;
  i = &module->instructions.at[number];
  if (i->kind == C_LOAD || i->kind == C_SWAP) cells_accesses(cells, context, number, &accesses);
  const bool so = accesses.n == 1 && accesses.at[0].cell == cell;
  vec_fini(cells->heap, &accesses);
  return so;
}

/* Is it a small number, or not far from what is read from that cell? */
static bool is_near(Cells *cells, uint32_t context, const COperand *operand, uint32_t cell, Look look) {
  const CModule *module = cells->points->module;
  int64_t number;
  if (points_known(cells->points, context, operand, &number)) return number < MOST_VALUES;
  if (!is_seen(operand, look)) return false;
  const CInstruction *i = &module->instructions.at[operand->n];
  const bool is_sum = i->kind == C_OFFSET && i->number < MOST_VALUES && i->number > -MOST_VALUES;
  const bool is_one = i->n_operands == 1 && (is_sum || (i->kind == C_SAME && !i->number));
  if (!is_one && i->kind != C_MERGE && i->kind != C_SELECT) return is_read_from(cells, context, operand->n, cell);
  for (uint32_t n = i->kind == C_SELECT; n < i->n_operands; n++)
    if (!is_near(cells, context, cmodule_operand(module, i, n), cell, deeper(look))) return false;
  return true;
}

/* Does the instruction store a number that is near to what it, or another one, reads there? */
static bool counts(Cells *cells, uint32_t context, const CInstruction *i, uint32_t cell) {
  const CModule *module = cells->points->module;
  if (i->kind == C_STORE) return is_near(cells, context, cmodule_operand(module, i, 0), cell, LOOK);
  return i->kind == C_SWAP && is_near(cells, context, cmodule_operand(module, i, 2), cell, LOOK);
}

static void see_values(Cells *cells, uint32_t context, uint32_t number, const CAccessVec *accesses) {
  const CInstruction *i = &cells->points->module->instructions.at[number];
  for (uint32_t k = 0; k < accesses->n; k++) {
    CCell *cell = &cells->cells.at[accesses->at[k].cell];
    int64_t value = stored(cells->points, context, i);
    const bool exact = accesses->n == 1 && accesses->at[k].is_exact && !cell->sync &&
                       !cell_object(cells, accesses->at[k].cell)->stride;
    cell->is_counter |= i->kind == C_UPDATE && i->number != C_UPDATE_EXCHANGE;
    if (value < 0 && exact && counts(cells, context, i, accesses->at[k].cell)) {
      cell->is_counter = true;
      value = 0;
    }
    if (!exact || value < 0) cell->n_values = UINT32_MAX;
    else if (cell->n_values <= (uint64_t)value) cell->n_values = (uint32_t)value + 1;
  }
}

/* Is the operand computed from that instruction? */
static bool hangs_on(const CModule *module, const COperand *operand, uint32_t number, Look look) {
  if (!is_seen(operand, look)) return false;
  const CInstruction *i = &module->instructions.at[operand->n];
  if (operand->n == number) return true;
  if (i->kind != C_SAME && i->kind != C_OFFSET && i->kind != C_COMPARE && i->kind != C_MERGE) return false;
  for (uint32_t n = 0; n < i->n_operands; n++)
    if (hangs_on(module, cmodule_operand(module, i, n), number, deeper(look))) return true;
  return false;
}

/* The small number that an instruction compares a value with that is computed from another one, which is read from that
 * cell; 0 if it is another value of the cell; -1: it does not. */
static int64_t compared_with(Cells *cells, uint32_t context, const CInstruction *i, uint32_t number, uint32_t cell) {
  const CModule *module = cells->points->module;
  int64_t value;
  for (uint32_t n = 0; n < 2 && i->kind == C_COMPARE; n++) {
    const COperand *other = cmodule_operand(module, i, 1 - n);
    if (!hangs_on(module, cmodule_operand(module, i, n), number, LOOK)) continue;
    if (points_known(cells->points, context, other, &value)) return value <= MOST_COMPARED ? value : -1;
    if (is_near(cells, context, other, cell, LOOK)) return 0;
  }
  return -1;
}

/* A counter that is compared with no small number is not worth its values. */
static void see_questions(Cells *cells, uint32_t context, uint32_t number, const CAccessVec *accesses) {
  const CModule *module = cells->points->module;
  const CFunction *f = &module->functions.at[cells->points->contexts.at[context].function];
  CCell *cell = accesses->n == 1 ? &cells->cells.at[accesses->at[0].cell] : NULL;
  if (!cell || !cell->is_counter || cell->n_values == UINT32_MAX) return;
  for (uint32_t i = f->start; i < f->end; i++) {
    const int64_t other = compared_with(cells, context, &module->instructions.at[i], number, accesses->at[0].cell);
    if (other < 0) continue;
    if (cell->n_asked <= (uint64_t)other) cell->n_asked = (uint32_t)other + 1;
  }
}

int64_t cells_initial(const Cells *cells, uint32_t number) {
  const CCell *cell = &cells->cells.at[number];
  const CObject *o = &cells->points->objects.at[cell->object];
  int64_t value;
  if (o->kind != OBJECT_GLOBAL || o->context != C_NONE) return -1;
  return cmodule_initial(cells->points->module, o->n, cell->from, cell->to, &value) ? value : -1;
}

static uint32_t most(uint32_t a, uint32_t b) { return a > b ? a : b; }

static void choose_tracked(Cells *cells) {
  for (uint32_t c = 0; c < cells->cells.n; c++) {
    CCell *cell = &cells->cells.at[c];
    const int64_t value = cell->sync || cell->n_values == UINT32_MAX ? -1 : cells_initial(cells, c);
    const bool useless = cell->is_counter && !cell->n_asked;
    if (value < 0 || value >= MOST_VALUES || useless || !cell->is_shared || !cell->is_written) {
      cell->n_values = 0;
      continue;
    }
    if (cell->n_values <= (uint64_t)value) cell->n_values = (uint32_t)value + 1;
    if (cell->is_counter) cell->n_values = most(cell->n_values + MORE_VALUES, cell->n_asked + 1) + 1;
    cell->initial = value;
  }
}

/* ---- the whole ---- */

void cells_find_values(Cells *cells) {
  CAccessVec accesses = {0};
  for (PointsWalk at = {0}; points_next(cells->points, &at);) {
    cells_accesses(cells, at.context, at.number, &accesses);
    see_values(cells, at.context, at.number, &accesses);
  }
  for (PointsWalk at = {0}; points_next(cells->points, &at);) {
    cells_accesses(cells, at.context, at.number, &accesses);
    see_questions(cells, at.context, at.number, &accesses);
  }
  choose_tracked(cells);
  vec_fini(cells->heap, &accesses);
}
