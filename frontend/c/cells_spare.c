/* Cells that need not be in the net, as another one stands for them: wherever one of them may be accessed, so may that
 * other one, in the same way, instead. A dependence by them is one by the other one, too, of the same events: let each
 * access that is one of the first be one of the second. So nothing is lost, and where addresses may lead to many
 * objects, the net is much smaller. */
#include "base/intern.h"
#include "frontend/c/cells.h"

#include <string.h>

typedef struct {
  Cells *cells;
  Heap *heap;
  Intern classes;  /* of accesses: the cells that they may be to, with what is done, as bytes */
  U32Vec key;      /* of one of them */
  U32Vec *of_cell; /* per cell: its classes */
  U32Vec *members; /* per class: its cells */
} Spare;

/* Others have values, are locks, are told apart, or have parts. All that is kept has the same instances. */
static bool is_plain(const Cells *cells, uint32_t cell, bool is_kept) {
  const CCell *c = &cells->cells.at[cell];
  const CObject *o = cell_object(cells, cell);
  return c->is_shared && !c->sync && !cell_is_tracked(c) && !c->is_split && !o->stride &&
         (is_kept ? o->is_kept : !o->instances);
}

/* ---- classes ---- */

static void add_class(Spare *s) {
  bool is_new;
  if (s->key.n < 2) return;
  const uint32_t class = intern_add(&s->classes, (const char *)s->key.at, s->key.n * sizeof *s->key.at, &is_new);
  for (uint32_t i = 1; i < s->key.n && is_new; i++) {
    const uint32_t cell = s->key.at[i];
    if (!s->of_cell[cell].n || vec_last(&s->of_cell[cell]) != class) vec_push(s->heap, &s->of_cell[cell], class);
  }
}

/* Those of one operand, which follow each other, are done in the same way; and to the same instance. */
static void add_accesses(Spare *s, const CAccessVec *accesses, bool is_kept) {
  for (uint32_t i = 0, end; i < accesses->n; i = end) {
    const CAccess *first = &accesses->at[i];
    vec_clear(&s->key);
    vec_push(s->heap, &s->key, first->deed);
    for (end = i; end < accesses->n; end++) {
      const CAccess *access = &accesses->at[end];
      if (access->operand != first->operand || access->deed != first->deed) break;
      if (is_plain(s->cells, access->cell, is_kept)) vec_push(s->heap, &s->key, access->cell);
    }
    add_class(s);
  }
}

static void find_classes(Spare *s) {
  CAccessVec accesses = {0};
  for (PointsWalk at = {0}; points_next(s->cells->points, &at);) {
    cells_accesses(s->cells, at.context, at.number, &accesses);
    add_accesses(s, &accesses, false);
    add_accesses(s, &accesses, true);
  }
  vec_fini(s->heap, &accesses);
  s->members = heap_zeroed(s->heap, ((size_t)s->classes.strings.n + 1) * sizeof *s->members);
  for (uint32_t c = 0; c < s->cells->cells.n; c++)
    for (uint32_t i = 0; i < s->of_cell[c].n; i++) vec_push(s->heap, &s->members[s->of_cell[c].at[i]], c);
}

/* ---- which stands for which ---- */

/* The class of the cell that has the fewest members. */
static uint32_t rarest(const Spare *s, uint32_t cell) {
  uint32_t best = s->of_cell[cell].at[0];
  for (uint32_t i = 1; i < s->of_cell[cell].n; i++)
    if (s->members[s->of_cell[cell].at[i]].n < s->members[best].n) best = s->of_cell[cell].at[i];
  return best;
}

/* Is the other cell in all classes of the cell? */
static bool stands_for(const Spare *s, uint32_t other, uint32_t cell) {
  const U32Vec *mine = &s->of_cell[cell], *its = &s->of_cell[other];
  uint32_t at = 0;
  if (its->n < mine->n) return false;
  for (uint32_t i = 0; i < mine->n; i++) {
    while (at < its->n && its->at[at] < mine->at[i]) at++;
    if (at == its->n || its->at[at] != mine->at[i]) return false;
  }
  return its->n > mine->n || other < cell; /* one of those that are alike stays */
}

static bool is_spare(const Spare *s, uint32_t cell) {
  const U32Vec *members = &s->members[rarest(s, cell)];
  for (uint32_t i = 0; i < members->n; i++)
    if (members->at[i] != cell && stands_for(s, members->at[i], cell)) return true;
  return false;
}

void cells_find_spare(Cells *cells) {
  Spare spare = {.cells = cells, .heap = cells->heap}, *s = &spare;
  intern_init(&s->classes, s->heap);
  s->of_cell = heap_zeroed(s->heap, ((size_t)cells->cells.n + 1) * sizeof *s->of_cell);
  find_classes(s);
  for (uint32_t c = 0; c < cells->cells.n; c++) {
    heap_poll(s->heap);
    cells->cells.at[c].is_spare = s->of_cell[c].n && is_spare(s, c);
  }
  for (uint32_t c = 0; c < cells->cells.n; c++) vec_fini(s->heap, &s->of_cell[c]);
  for (uint32_t i = 0; i < s->classes.strings.n; i++) vec_fini(s->heap, &s->members[i]);
  heap_release(s->heap, s->of_cell);
  heap_release(s->heap, s->members);
  vec_fini(s->heap, &s->key);
  intern_fini(&s->classes);
}
