#include "frontend/c/cells_inside.h"

#include "frontend/c/fresh.h"
#include "frontend/c/kinds.h"

#include <stdlib.h>

/* ---- ranges ---- */

static bool is_anywhere(const Cells *cells, const CAccess *access) {
  return access->is_wide || cells->points->targets.at[access->target].offset == OFFSET_ANY;
}

/* Is it known from where to where it may be, if not where? */
static bool is_between(const Cells *cells, const CAccess *access) {
  return !access->is_wide && access->size && cells->points->targets.at[access->target].last != UINT32_MAX;
}

/* The bytes that an access may be to: all of the object, if it may be anywhere, or in equal steps. */
static CCell range_of(const Cells *cells, const CAccess *access) {
  const CTarget t = cells->points->targets.at[access->target];
  const bool any = is_anywhere(cells, access) && !is_between(cells, access);
  const uint64_t from = any ? 0 : t.first, to = any || !access->size ? UINT64_MAX : t.last + access->size;
  return (CCell){.object = t.object,
                 .sync = access->sync,
                 .from = from,
                 .to = to,
                 .thread = C_NONE,
                 .initial = -1,
                 .making = C_NONE};
}

static int compare(const void *left, const void *right) {
  const CCell *a = left, *b = right;
  if (a->object != b->object) return a->object < b->object ? -1 : 1;
  if (a->sync != b->sync) return a->sync ? 1 : -1;
  return a->from < b->from ? -1 : a->from > b->from;
}

static bool is_same_place(const CCell *a, const CCell *b) { return a->object == b->object && a->sync == b->sync; }

static bool is_rest(const CCell *cell) { return cell->from == UINT64_MAX; }

static bool meets(const CCell *cell, const CCell *next) { return is_same_place(cell, next) && next->from < cell->to; }

/* Those that overlap become one; the rests of an object become one, too. */
static void merge_ranges(Cells *cells) {
  uint32_t n = 0;
  if (cells->cells.n) qsort(cells->cells.at, cells->cells.n, sizeof *cells->cells.at, compare);
  for (uint32_t i = 0; i < cells->cells.n; i++) {
    const CCell next = cells->cells.at[i];
    CCell *before = n ? &cells->cells.at[n - 1] : NULL;
    const bool same = before && is_same_place(before, &next);
    if (!same || (!meets(before, &next) && !(is_rest(before) && is_rest(&next)))) cells->cells.at[n++] = next;
    else if (next.to > before->to) before->to = next.to;
  }
  cells->cells.n = n;
}

/* More cells of an object with a rest are all put together: into the rest. */
enum { MOST_CELLS = 64 };

static void limit_cells(Cells *cells) {
  uint32_t n = 0;
  for (uint32_t i = 0, end; i < cells->cells.n; i = end) {
    for (end = i + 1; end < cells->cells.n && is_same_place(&cells->cells.at[i], &cells->cells.at[end]);) end++;
    const bool many = end - i > MOST_CELLS && is_rest(&cells->cells.at[end - 1]);
    for (uint32_t k = many ? end - 1 : i; k < end; k++) cells->cells.at[n++] = cells->cells.at[k];
  }
  cells->cells.n = n;
}

/* The first cell of the object that is not before the range; they ascend. */
static uint32_t first_cell(const Cells *cells, const CCell *range) {
  const CCell start = {.object = range->object, .sync = range->sync, .from = 0};
  uint32_t low = 0, high = cells->cells.n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (compare(&cells->cells.at[middle], &start) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* May an access of that range be to a cell that is no rest? */
static bool may_be_to(const Cells *cells, const CAccess *access, const CCell *range, const CCell *cell) {
  const CTarget *t = &cells->points->targets.at[access->target];
  return range->from < cell->to && cell->from < range->to &&
         (access->is_wide || place_meets(t, access->size, cell->from, cell->to));
}

/* Adds the access as it is to each cell that it may be to: the rest, where it is in none, or may be. */
static void add_cells(Cells *cells, CAccess access, CAccessVec *accesses) {
  const CCell range = range_of(cells, &access);
  const bool any = is_anywhere(cells, &access);
  uint64_t covered = 0;
  for (uint32_t c = first_cell(cells, &range); c < cells->cells.n; c++) {
    const CCell *cell = &cells->cells.at[c];
    if (!is_same_place(cell, &range)) break;
    if (is_rest(cell) ? covered >= range.to - range.from : !may_be_to(cells, &access, &range, cell)) continue;
    if (!is_rest(cell))
      covered += (cell->to < range.to ? cell->to : range.to) - (cell->from > range.from ? cell->from : range.from);
    access.cell = c;
    access.is_exact = !any && !access.is_long && range.from == cell->from && range.to == cell->to;
    vec_push(cells->heap, accesses, access);
  }
}

/* Anywhere, something may lie across cells if these do not begin and end where it may. */
static CAccess across_cells(const Cells *cells, CAccess access) {
  const CCell range = range_of(cells, &access);
  if (!is_anywhere(cells, &access) || access.sync || access.is_long) return access;
  for (uint32_t c = first_cell(cells, &range); c < cells->cells.n; c++) {
    const CCell *cell = &cells->cells.at[c];
    if (!is_same_place(cell, &range)) break;
    if (!is_rest(cell) && may_be_to(cells, &access, &range, cell) &&
        (cell->from % access.size || cell->to % access.size))
      access.is_long = true;
  }
  return access;
}

static int compare_share(const void *left, const void *right) {
  const CShare *a = left, *b = right;
  if (a->context != b->context) return a->context < b->context ? -1 : 1;
  if (a->instruction != b->instruction) return a->instruction < b->instruction ? -1 : 1;
  return a->cell < b->cell ? -1 : a->cell > b->cell;
}

/* Which parts of the cells that are split the accesses are to. */
static void find_parts(const Cells *cells, uint32_t context, uint32_t number, CAccessVec *accesses) {
  for (uint32_t i = 0; i < accesses->n && cells->shares.n; i++) {
    const CShare key = {context, number, cells->cells.at[accesses->at[i].cell].first, 0, 0};
    const CShare *share = bsearch(&key, cells->shares.at, cells->shares.n, sizeof *cells->shares.at, compare_share);
    if (!share) continue;
    accesses->at[i].parts = share->first;
    accesses->at[i].n_parts = share->n;
    accesses->at[i].is_apart = !share->n;
  }
}

/* What is long stays so. */
static void leave_out_spare(const Cells *cells, CAccessVec *accesses) {
  uint32_t n = 0;
  bool is_long = false;
  for (uint32_t i = 0; i < accesses->n; i++) {
    const bool spare = cells->cells.at[accesses->at[i].cell].is_spare;
    is_long |= spare && accesses->at[i].is_long;
    if (!spare) accesses->at[n++] = accesses->at[i];
  }
  accesses->n = n;
  for (uint32_t i = 0; i < n; i++) accesses->at[i].is_long |= is_long;
}

void cells_accesses(Cells *cells, uint32_t context, uint32_t number, CAccessVec *accesses) {
  CAccessVec *all = &cells->scratch;
  if (!cells->are_found) {
    cells_find_accesses(cells, context, number, accesses);
    return;
  }
  cells_find_accesses(cells, context, number, all);
  vec_clear(accesses);
  for (uint32_t i = 0; i < all->n; i++) add_cells(cells, across_cells(cells, all->at[i]), accesses);
  for (uint32_t i = 0; i < accesses->n; i++)
    accesses->at[i].is_fresh = cells->is_fresh.at[number] == (char)(1 + accesses->at[i].operand);
  leave_out_spare(cells, accesses);
  find_parts(cells, context, number, accesses);
}

/* ---- every instruction of every context ---- */

typedef void Visit(Cells *cells, uint32_t context, uint32_t number, const CAccessVec *accesses);

static void each_instruction(Cells *cells, Visit *visit) {
  CAccessVec accesses = {0};
  for (PointsWalk at = {0}; points_next(cells->points, &at);) {
    cells_accesses(cells, at.context, at.number, &accesses);
    visit(cells, at.context, at.number, &accesses);
  }
  vec_fini(cells->heap, &accesses);
}

static void collect(Cells *cells, uint32_t context, uint32_t number, const CAccessVec *accesses) {
  (void)context, (void)number;
  for (uint32_t i = 0; i < accesses->n; i++) {
    CCell range = range_of(cells, &accesses->at[i]);
    const bool any = is_anywhere(cells, &accesses->at[i]) && !is_between(cells, &accesses->at[i]);
    if (any || accesses->at[i].is_long) range.from = range.to = UINT64_MAX;
    vec_push(cells->heap, &cells->cells, range);
  }
}

static CCell *cell_of(Cells *cells, const CAccess *access) { return &cells->cells.at[access->cell]; }

static void share(Cells *cells, uint32_t context, uint32_t number, const CAccessVec *accesses) {
  const uint32_t thread = cells->points->contexts.at[context].thread;
  (void)number;
  for (uint32_t i = 0; i < accesses->n; i++) {
    CCell *cell = cell_of(cells, &accesses->at[i]);
    if (accesses->at[i].is_fresh) continue;
    cell->is_written |= accesses->at[i].deed != DOES_READ;
    cell->is_shared |= cell->thread != C_NONE && cell->thread != thread;
    cell->thread = thread;
  }
}

/* ---- locks and their likes ---- */

/* What the object of that argument of the call is. */
static CallKind sync_kind(CallKind call, bool second) {
  switch ((int)call) {
  case CALL_LOCK:
  case CALL_TRY_LOCK:
  case CALL_UNLOCK: return CALL_LOCK;
  case CALL_READ_LOCK:
  case CALL_WRITE_LOCK:
  case CALL_TRY_READ_LOCK:
  case CALL_TRY_WRITE_LOCK:
  case CALL_READ_WRITE_UNLOCK: return CALL_READ_LOCK;
  case CALL_SEMAPHORE_WAIT:
  case CALL_TRY_SEMAPHORE:
  case CALL_SEMAPHORE_POST:
  case CALL_SEMAPHORE_VALUE: return CALL_SEMAPHORE_WAIT;
  case CALL_WAIT: return second ? CALL_LOCK : CALL_WAIT;
  case CALL_SIGNAL: return CALL_WAIT;
  default: return call;
  }
}

static const Effect *effect_at(Cells *cells, uint32_t context, uint32_t number) {
  const CInstruction *i = &cells->points->module->instructions.at[number];
  const Effect *effect = i->kind == C_CALL ? points_library(cells->points, context, i) : NULL;
  return effect ? effect : effect_unknown();
}

/* Is it known which one it is, or will it be? `n`: so many it may be. Of several semaphores one is chosen. */
static bool is_definite(const Cells *cells, const CAccess *access, CallKind call, CallKind kind, uint32_t n) {
  const bool chosen = kind == CALL_SEMAPHORE_WAIT && call != CALL_SEMAPHORE_VALUE;
  const CTarget t = cells->points->targets.at[access->target];
  const CCell *cell = &cells->cells.at[access->cell];
  const CObject *o = &cells->points->objects.at[t.object];
  const bool told = o->instances && (kind == CALL_LOCK || kind == CALL_READ_LOCK);
  return t.offset != OFFSET_ANY && (told || (o->is_single && (n == 1 || chosen))) && access->is_exact &&
         cell->to == cell->from + 1;
}

static void see_locks(Cells *cells, uint32_t context, uint32_t number, const CAccessVec *accesses) {
  const Effect *effect = effect_at(cells, context, number);
  for (uint32_t i = 0; i < accesses->n; i++) {
    const CAccess *access = &accesses->at[i];
    if (!access->sync) continue;
    const bool second = effect->kind == CALL_WAIT && access->deed == DOES_UPDATE;
    const CallKind kind = sync_kind(effect->kind, second);
    const uint32_t n =
        points_of(cells->points, context, &cells->points->module->instructions.at[number], second ? 2 : 1).n;
    CCell *cell = cell_of(cells, access);
    if (!is_definite(cells, access, effect->kind, kind, n)) cell->is_vague = true;
    if (cell->sync_kind != CALL_UNKNOWN && cell->sync_kind != kind) cell->is_vague = true;
    cell->sync_kind = kind;
  }
}

bool cells_may_be_at(const CCell *cell, CTarget t) {
  const bool here = t.offset == OFFSET_ANY || is_rest(cell) || (t.offset < cell->to && t.offset >= cell->from);
  return cell->object == t.object && cell->sync && here;
}

/* A call that makes a lock or its like, and the number that it gives it; -1: that is not known. */
typedef struct {
  uint32_t context, number;
  int64_t value;
} Making;

/* All cells that the argument of a call may be: for what is said where they are made. */
static void each_made(Cells *cells, const Making *making, void (*made)(CCell *cell, const Making *making, bool sure)) {
  const U32Vec set =
      points_of(cells->points, making->context, &cells->points->module->instructions.at[making->number], 1);
  for (uint32_t k = 0; k < set.n; k++) {
    const CTarget t = cells->points->targets.at[set.at[k]];
    for (uint32_t c = 0; c < cells->cells.n; c++) {
      CCell *cell = &cells->cells.at[c];
      if (cells_may_be_at(cell, t)) made(cell, making, set.n == 1 && t.offset != OFFSET_ANY);
    }
  }
}

static void make_vague(CCell *cell, const Making *making, bool sure) {
  (void)making, (void)sure;
  cell->is_vague = true;
}

/* The number is that of one call, which is made once. */
static void give_number(CCell *cell, const Making *making, bool sure) {
  if (!sure || cell->making != C_NONE) cell->is_vague = true;
  cell->initial = making->value;
  cell->maker = making->context;
  cell->making = making->number;
}

static void see_making(Cells *cells, uint32_t context, uint32_t number, const CAccessVec *accesses) {
  const CModule *module = cells->points->module;
  const CInstruction *i = &module->instructions.at[number];
  const CallKind kind = effect_at(cells, context, number)->kind;
  Making making = {context, number, -1};
  (void)accesses;
  if (kind != CALL_SEMAPHORE_INIT && kind != CALL_BARRIER_INIT) return;
  if (!points_once(cells->points, context, number)) each_made(cells, &making, make_vague);
  if (!cells_constant(module, cmodule_operand(module, i, 3), &making.value)) making.value = -1;
  each_made(cells, &making, give_number);
}

static bool has_once(const Cells *cells) {
  for (uint32_t c = 0; c < cells->cells.n; c++)
    if (cells->cells.at[c].sync_kind == CALL_ONCE) return true;
  return false;
}

/* What the program itself writes there may be that nothing has run yet: who is told so runs the function once more. */
static void see_resets(Cells *cells, uint32_t context, uint32_t number, const CAccessVec *accesses) {
  enum { SIZE = 4 }; /* of a pthread_once_t, whose cell has its first byte */
  (void)context, (void)number;
  for (uint32_t i = 0; i < accesses->n; i++) {
    const CAccess *access = &accesses->at[i];
    if (access->sync || access->is_fresh || access->deed == DOES_READ) continue;
    const CCell range = range_of(cells, access);
    for (uint32_t c = 0; c < cells->cells.n; c++) {
      CCell *cell = &cells->cells.at[c];
      if (cell->sync_kind != CALL_ONCE || cell->object != range.object) continue;
      if (is_rest(cell) || (range.from < cell->from + SIZE && cell->from < range.to)) cell->is_vague = true;
    }
  }
}

/* A semaphore or a barrier that begins with more is not followed. */
enum { MOST_COUNT = 12 };

/* A semaphore or barrier that nobody has made cannot be followed. If a barrier has another number, rounds are known. */
static void need_numbers(Cells *cells) {
  for (uint32_t c = 0; c < cells->cells.n; c++) {
    CCell *cell = &cells->cells.at[c];
    const bool counts = cell->sync_kind == CALL_SEMAPHORE_WAIT || cell->sync_kind == CALL_BARRIER_WAIT;
    if (!cell->sync || !counts || (cell->initial >= 0 && cell->initial <= MOST_COUNT)) continue;
    cell->is_round = !cell->is_vague && cell->making != C_NONE && cell->sync_kind == CALL_BARRIER_WAIT;
    cell->is_vague = true;
  }
}

/* Of several semaphores that a call may be of, all are followed, or none. */
static void give_up_others(Cells *cells, uint32_t context, uint32_t number, const CAccessVec *accesses) {
  const CInstruction *i = &cells->points->module->instructions.at[number];
  const CallKind kind = effect_at(cells, context, number)->kind;
  const uint32_t several = points_of(cells->points, context, i, 1).n;
  uint32_t of_call = 0, vague = 0;
  if (sync_kind(kind, false) != CALL_SEMAPHORE_WAIT || several < 2) return;
  for (uint32_t k = 0; k < accesses->n; k++) {
    of_call += accesses->at[k].sync;
    vague += accesses->at[k].sync && cell_of(cells, &accesses->at[k])->is_vague;
  }
  if (vague == of_call || (!vague && of_call == several)) return;
  for (uint32_t k = 0; k < accesses->n; k++)
    if (cell_of(cells, &accesses->at[k])->sync) cell_of(cells, &accesses->at[k])->is_vague = true;
  cells->changed = true;
}

/* The one cell of a lock, or its like, at that target; C_NONE: it may be several. */
static uint32_t cell_at(Cells *cells, uint32_t target) {
  const CObjectKind kind = cells->points->objects.at[cells->points->targets.at[target].object].kind;
  if (kind != OBJECT_GLOBAL && kind != OBJECT_STACK && kind != OBJECT_HEAP) return C_NONE;
  CAccessVec *one = &cells->scratch;
  vec_clear(one);
  add_cells(cells, (CAccess){.target = target, .size = 1, .deed = DOES_UPDATE, .sync = true}, one);
  return one->n == 1 ? one->at[0].cell : C_NONE;
}

/* The one cell of what a call's argument is; C_NONE: it may be several. */
static uint32_t only_cell(Cells *cells, uint32_t context, uint32_t number, uint32_t argument) {
  const CInstruction *i = &cells->points->module->instructions.at[number];
  const U32Vec set = points_of(cells->points, context, i, argument);
  return set.n == 1 ? cell_at(cells, set.at[0]) : C_NONE;
}

void cells_semaphores(Cells *cells, uint32_t context, uint32_t number, U32Vec *found) {
  const U32Vec set = points_of(cells->points, context, &cells->points->module->instructions.at[number], 1);
  vec_clear(found);
  for (uint32_t k = 0; k < set.n; k++) {
    const uint32_t cell = cell_at(cells, set.at[k]);
    if (cell == C_NONE || cells->cells.at[cell].is_vague) {
      vec_clear(found);
      return;
    }
    vec_push(cells->heap, found, cell);
  }
}

uint32_t cells_lock(Cells *cells, uint32_t context, uint32_t number, uint32_t argument) {
  const uint32_t cell = only_cell(cells, context, number, argument);
  return cell == C_NONE || cells->cells.at[cell].is_vague ? C_NONE : cell;
}

uint32_t cells_round(Cells *cells, uint32_t context, uint32_t number) {
  const uint32_t cell = only_cell(cells, context, number, 1);
  return cell == C_NONE || (cells->cells.at[cell].is_vague && !cells->cells.at[cell].is_round) ? C_NONE : cell;
}

void cells_users(Cells *cells, uint32_t cell, bool *uses) {
  Points *p = cells->points;
  CAccessVec accesses = {0};
  for (PointsWalk at = {0}; points_next(p, &at);) {
    if (p->module->instructions.at[at.number].kind != C_CALL) continue;
    cells_accesses(cells, at.context, at.number, &accesses);
    for (uint32_t k = 0; k < accesses.n; k++)
      if (accesses.at[k].sync && accesses.at[k].cell == cell) uses[p->contexts.at[at.context].thread] = true;
  }
  vec_fini(cells->heap, &accesses);
}

bool cells_barrier(Cells *cells, uint32_t cell) {
  const CCell *c = &cells->cells.at[cell];
  bool *uses = heap_zeroed(cells->heap, cells->points->threads.n + 1);
  int64_t n = 0;
  cells_users(cells, cell, uses);
  for (uint32_t t = 0; t < cells->points->threads.n; t++) n += uses[t];
  heap_release(cells->heap, uses);
  return n <= c->initial;
}

/* ---- the whole ---- */

void cells_find(Cells *cells, Points *points) {
  *cells = (Cells){.points = points, .heap = points->heap};
  vec_resize_zeroed(cells->heap, &cells->is_fresh, points->module->instructions.n);
  fresh_find(points->module, &cells->is_fresh);
  each_instruction(cells, collect);
  merge_ranges(cells);
  limit_cells(cells);
  cells->are_found = true;
  each_instruction(cells, share);
  for (uint32_t c = 0; c < cells->cells.n; c++) {
    cells->cells.at[c].is_shared &= cells->cells.at[c].is_written;
    cells->cells.at[c].first = c;
  }
  each_instruction(cells, see_locks);
  if (has_once(cells)) each_instruction(cells, see_resets);
  each_instruction(cells, see_making);
  kinds_find(cells);
  need_numbers(cells);
  do {
    cells->changed = false;
    each_instruction(cells, give_up_others);
  } while (cells->changed);
  cells_find_values(cells);
}

void cells_sort_shares(Cells *cells) {
  if (cells->shares.n) qsort(cells->shares.at, cells->shares.n, sizeof *cells->shares.at, compare_share);
}

void cells_fini(Cells *cells) {
  vec_fini(cells->heap, &cells->cells);
  vec_fini(cells->heap, &cells->parts);
  vec_fini(cells->heap, &cells->shares);
  vec_fini(cells->heap, &cells->in_parts);
  vec_fini(cells->heap, &cells->scratch);
  vec_fini(cells->heap, &cells->is_fresh);
}
