/* Addresses that leave the element of an array of keepers, as where a list ends in its bucket:
 *
 *     for (n = container_of(b->head.next); &n->link != &b->head; n = container_of(n->link.next)) n->value++;
 *
 * At the end of the list n is no node, and may be an address in another bucket. It is known how many elements further
 * on a value is than the keeper whose it would be: its *shift*. One whose shift is not 0 is used only where it is
 * *clean*: it leads to no keeper, since it has been compared with the end of the list, or comes from such ones. */
#include "frontend/c/kept.h"

static const CInstruction *instruction(const Points *p, uint32_t i) { return &p->module->instructions.at[i]; }

static const CObject *object_in(const Points *p, U32Vec set, uint32_t n) {
  return &p->objects.at[p->targets.at[set.at[n]].object];
}

static bool leads_to_keepers(const Points *p, U32Vec set) {
  for (uint32_t n = 0; n < set.n; n++)
    if (object_in(p, set, n)->instances) return true;
  return false;
}

/* Is it in a class, or would be, and may lead to a keeper? */
static bool is_of_both(const Kept *k, uint32_t context, const COperand *operand) {
  const U32Vec set = points_operand(k->points, context, operand);
  return operand->kind == C_VALUE && leads_to_keepers(k->points, set) &&
         (kept_has(k->points, set) || kept_is_member(k, context, operand));
}

/* ---- shifts ---- */

/* The node has no shift yet; one that is not known. */
enum { SHIFT_NONE = INT32_MAX, SHIFT_ANY = INT32_MIN, MOST_SHIFT = 1 << 20 };

static int32_t quotient(int64_t a, int64_t b) {
  const int64_t it = foci_quotient(a, b);
  return it < MOST_SHIFT && it > -MOST_SHIFT ? (int32_t)it : SHIFT_ANY;
}

static int32_t sum(int32_t a, int32_t b) {
  if (a == SHIFT_ANY || b == SHIFT_ANY || a + b >= MOST_SHIFT || a + b <= -MOST_SHIFT) return SHIFT_ANY;
  return a + b;
}

/* How many elements further on it is what goes on from the targets of a set by so many bytes. */
static int32_t shift_by(const Points *p, U32Vec set, int64_t bytes) {
  int32_t shift = SHIFT_NONE;
  for (uint32_t n = 0; n < set.n; n++) {
    const CObject *o = object_in(p, set, n);
    const uint32_t offset = p->targets.at[set.at[n]].offset;
    if (!o->instances) continue;
    const int32_t its = !o->stride ? 0
                        : offset == OFFSET_ANY
                            ? SHIFT_ANY
                            : quotient((int64_t)offset - (int64_t)o->start + bytes, (int64_t)o->stride);
    shift = shift == SHIFT_NONE || shift == its ? its : SHIFT_ANY;
  }
  return shift;
}

static bool leads_to_arrays(const Points *p, U32Vec set) {
  for (uint32_t n = 0; n < set.n; n++)
    if (object_in(p, set, n)->stride) return true;
  return false;
}

static int32_t shift_of_offset(Kept *k, const KeptFlow *flow, const CInstruction *i, int32_t from) {
  const U32Vec set = points_operand(k->points, flow->context, flow->from);
  int64_t bytes;
  if (!leads_to_arrays(k->points, set)) return from;
  return foci_distance(k->foci, flow->context, i, &bytes) ? sum(from, shift_by(k->points, set, bytes)) : SHIFT_ANY;
}

static bool is_load(const CInstruction *i) { return i->kind == C_LOAD || i->kind == C_UPDATE || i->kind == C_SWAP; }

/* What the flow gives its value, which may lead to a keeper. */
static int32_t shift_of_flow(Kept *k, const KeptFlow *flow) {
  const CInstruction *i = instruction(k->points, flow->value.value);
  if (is_load(i)) return 0;
  if (!leads_to_keepers(k->points, points_operand(k->points, flow->context, flow->from))) return SHIFT_NONE;
  const bool is_classed = is_of_both(k, flow->context, flow->from);
  const int32_t from = is_classed ? k->shifts.at[points_node(k->points, flow->context, flow->from->n)] : 0;
  const bool is_library = i->kind == C_CALL && flow->use == flow->value.value;
  if (from == SHIFT_NONE) return SHIFT_NONE;
  if (i->kind == C_OFFSET) return shift_of_offset(k, flow, i, from);
  return is_library || (i->kind == C_SAME && i->size && i->size < 64) ? SHIFT_ANY : from;
}

static U32Vec set_of_value(const Kept *k, CSpot value) {
  return k->points->nodes.at[points_node(k->points, value.context, value.value)];
}

static void see_shift(Kept *k, const KeptFlow *flow) {
  if (flow->slot || !flow->from || !leads_to_keepers(k->points, set_of_value(k, flow->value))) return;
  int32_t *its = &k->shifts.at[points_node(k->points, flow->value.context, flow->value.value)];
  const int32_t shift = shift_of_flow(k, flow);
  if (shift == SHIFT_NONE || *its == shift || *its == SHIFT_ANY) return;
  *its = *its == SHIFT_NONE ? shift : SHIFT_ANY;
  k->has_found = true;
}

/* ---- comparisons with the end of a list ---- */

/* The value that an address is so many bytes behind, which are known. */
static uint32_t root_of(const Kept *k, uint32_t context, uint32_t value) {
  for (;;) {
    const CInstruction *i = instruction(k->points, value);
    const bool is_same = i->kind == C_SAME && i->n_operands == 1 && !i->is_cut && (!i->size || i->size >= 64);
    int64_t bytes;
    if (!is_same && (i->kind != C_OFFSET || !foci_distance(k->foci, context, i, &bytes))) return value;
    const COperand *base = cmodule_operand(k->points->module, i, 0);
    if (base->kind != C_VALUE) return value;
    value = base->n;
  }
}

/* The one place in a keeper that an operand may lead to, of which there is but one; or C_NONE. */
static uint32_t place_in_keeper(const Kept *k, uint32_t context, const COperand *operand) {
  const Points *p = k->points;
  const U32Vec set = points_operand(k->points, context, operand);
  uint32_t place = C_NONE;
  for (uint32_t n = 0; n < set.n; n++) {
    if (!object_in(p, set, n)->instances) continue;
    if (place != C_NONE || p->targets.at[set.at[n]].offset == OFFSET_ANY) return C_NONE;
    place = set.at[n];
  }
  return place;
}

/* Is `end` the only address in a keeper that a value may be? */
static bool is_end(Kept *k, uint32_t context, const COperand *value, const COperand *end) {
  if (!is_of_both(k, context, value) || k->shifts.at[points_node(k->points, context, value->n)] != 0) return false;
  const uint32_t place = place_in_keeper(k, context, value);
  return place != C_NONE && points_operand(k->points, context, end).n == 1 &&
         place_in_keeper(k, context, end) == place && kept_is_its_spot(k, context, value, end);
}

typedef struct {
  uint32_t context, root;
  uint32_t from, to; /* blocks: where control goes if it is not the end */
} Way;

/* Does a block end in a comparison of what has that root with the end? Sets where control goes if it is not that. */
static bool finds_end(Kept *k, Way *way) {
  const CModule *m = k->points->module;
  const CBlock *b = &m->blocks.at[way->from];
  const CInstruction *branch = instruction(k->points, b->end - 1);
  if (branch->kind != C_BRANCH || cmodule_operand(m, branch, 0)->kind != C_VALUE) return false;
  const CInstruction *compare = instruction(k->points, cmodule_operand(m, branch, 0)->n);
  const uint32_t *next = &m->successors.at[b->successors];
  if (compare->kind != C_COMPARE || compare->number > C_UNEQUAL || next[0] == next[1]) return false;
  way->to = next[compare->number == C_EQUAL];
  for (uint32_t n = 0; n < 2; n++) {
    const COperand *value = cmodule_operand(m, compare, n), *end = cmodule_operand(m, compare, 1 - n);
    if (value->kind == C_VALUE && root_of(k, way->context, value->n) == way->root &&
        is_end(k, way->context, value, end))
      return true;
  }
  return false;
}

/* Is that the way on which control comes to an instruction; or, if that is the last one of its block, and `merge` is
 * not C_NONE, from there to that block? */
static bool is_passed(const Kept *k, const Way *way, uint32_t number, uint32_t merge) {
  const Dominators *d = &k->dominators;
  const uint32_t block = instruction(k->points, number)->block;
  if (merge == way->to && block == way->from) return true;
  return d->comings[way->to + 1] - d->comings[way->to] == 1 && dominators_passes(d, way->to, block);
}

/* Is a value, which is used there, not the end of a list? */
static bool is_guarded(Kept *k, uint32_t context, uint32_t value, uint32_t number, uint32_t merge) {
  const CFunction *f = &k->points->module->functions.at[k->points->contexts.at[context].function];
  for (uint32_t b = f->blocks; b < f->blocks_end; b++) {
    Way way = {context, root_of(k, context, value), b, C_NONE};
    if (finds_end(k, &way) && is_passed(k, &way, number, merge)) return true;
  }
  return false;
}

/* ---- values that lead to keepers ---- */

/* May the operand of a flow lead to one, where it is used? */
static bool is_dirty_there(Kept *k, const KeptFlow *flow) {
  const CInstruction *i = instruction(k->points, flow->value.value);
  if (!leads_to_keepers(k->points, points_operand(k->points, flow->context, flow->from))) return false;
  if (!is_of_both(k, flow->context, flow->from)) return true;
  return k->are_dirty.at[points_node(k->points, flow->context, flow->from->n)] &&
         !is_guarded(k, flow->context, flow->from->n, flow->use, i->kind == C_MERGE ? i->block : C_NONE);
}

static void see_dirt(Kept *k, const KeptFlow *flow) {
  if (flow->slot || !flow->from || !leads_to_keepers(k->points, set_of_value(k, flow->value))) return;
  char *is_dirty = &k->are_dirty.at[points_node(k->points, flow->value.context, flow->value.value)];
  if (*is_dirty || (!is_load(instruction(k->points, flow->value.value)) && !is_dirty_there(k, flow))) return;
  *is_dirty = 1;
  k->has_found = true;
}

/* ---- the whole ---- */

/* Does it only pass the operand on, so that what it gives has a shift, too? */
static bool passes_on(Kept *k, uint32_t context, uint32_t number, uint32_t n) {
  const CInstruction *i = instruction(k->points, number);
  switch ((int)i->kind) {
  case C_OFFSET: return n == 0;
  case C_SAME:
  case C_PICK:
  case C_MERGE:
  case C_SELECT:
  case C_COMPARE:
  case C_RETURN: return true;
  case C_CALL: return kept_runs_program(k, context, number);
  default: return false;
  }
}

static void see_use(Kept *k, uint32_t context, uint32_t number, uint32_t n) {
  const COperand *operand = cmodule_operand(k->points->module, instruction(k->points, number), n);
  if (!is_of_both(k, context, operand) || passes_on(k, context, number, n)) return;
  const uint32_t node = points_node(k->points, context, operand->n);
  if (k->shifts.at[node] == 0 || !k->are_dirty.at[node]) return;
  if (is_guarded(k, context, operand->n, number, C_NONE)) return;
  kept_drop(k, k->points->nodes.at[node]);
  kept_drop_backs(k, k->points->nodes.at[node]);
}

static void find_all(Kept *k, EachFlow *each) {
  do {
    heap_poll(k->heap);
    k->has_found = false;
    kept_each_flow(k, each);
  } while (k->has_found);
}

static bool has_strays(const Kept *k) {
  for (uint32_t n = 0; n < k->shifts.n; n++)
    if (k->shifts.at[n] != 0 && k->shifts.at[n] != SHIFT_NONE) return true;
  return false;
}

void kept_check_strays(Kept *k) {
  const Points *p = k->points;
  vec_clear(&k->shifts);
  vec_clear(&k->are_dirty);
  vec_resize_zeroed(k->heap, &k->are_dirty, p->nodes.n);
  for (uint32_t n = 0; n < p->nodes.n; n++) vec_push(k->heap, &k->shifts, SHIFT_NONE);
  find_all(k, see_shift);
  if (!has_strays(k)) return;
  find_all(k, see_dirt);
  for (PointsWalk at = {0}; points_next(p, &at);)
    for (uint32_t n = 0; n < instruction(p, at.number)->n_operands; n++) see_use(k, at.context, at.number, n);
}
