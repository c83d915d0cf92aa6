/* The classes of addresses, and whether each value of them still leads to what hangs in the keeper that their spot says
 * where it is used. */
#include "frontend/c/kept.h"

#include <assert.h>

static const CInstruction *instruction(const Points *p, uint32_t i) { return &p->module->instructions.at[i]; }

/* ---- classes ---- */

static uint32_t first_of(Kept *k, uint32_t node) {
  while (k->above.at[node] != node) node = k->above.at[node] = k->above.at[k->above.at[node]];
  return node;
}

static uint32_t class_of(Kept *k, uint32_t context, uint32_t value) {
  return first_of(k, points_node(k->points, context, value));
}

/* What an operand is. */
typedef enum {
  SIDE_NONE,  /* NULL, or no address */
  SIDE_VALUE, /* of a class */
  SIDE_SPOT,  /* the address of a keeper, of which it is known which one it is */
  SIDE_OTHER
} Side;

static Side side_of(Kept *k, uint32_t context, const COperand *operand) {
  const U32Vec set = points_operand(k->points, context, operand);
  if (!set.n) return SIDE_NONE;
  if (kept_has(k->points, set) || kept_is_member(k, context, operand))
    return operand->kind == C_VALUE && kept_is_pure(k->points, set) ? SIDE_VALUE : SIDE_OTHER;
  const CIdentity it = foci_operand(k->foci, context, operand);
  return it.kind == IDENTITY_TOKEN || (it.kind == IDENTITY_KNOWN && it.n) ? SIDE_SPOT : SIDE_OTHER;
}

static CIdentity identity_of(const Kept *k, uint32_t spot) {
  const KeptSpot *it = &k->spots.at[spot - 1];
  return foci_operand(k->foci, it->context, &it->operand);
}

static bool is_same_spot(const Kept *k, uint32_t a, uint32_t b) {
  const CIdentity x = identity_of(k, a), y = identity_of(k, b);
  return x.kind == y.kind && x.n == y.n;
}

/* False: it has another one. */
static bool add_spot(Kept *k, uint32_t class, uint32_t spot) {
  uint32_t *its = &k->spot_of.at[class];
  if (!*its) *its = spot;
  return !spot || is_same_spot(k, *its, spot);
}

static bool join(Kept *k, uint32_t a, uint32_t b) {
  const uint32_t spot = k->spot_of.at[b];
  if (a == b) return true;
  k->above.at[b] = a;
  return add_spot(k, a, spot);
}

static uint32_t new_spot(Kept *k, uint32_t context, const COperand *operand) {
  vec_push(k->heap, &k->spots, ((KeptSpot){context, *operand}));
  return k->spots.n;
}

/* The class of a flow: of what it becomes, or of what is stored. */
static uint32_t class_of_flow(Kept *k, const KeptFlow *flow) {
  if (flow->value.context != C_NONE) return class_of(k, flow->value.context, flow->value.value);
  return class_of(k, flow->context, flow->from->n);
}

/* What the value of a flow leads to, or what is stored. */
static U32Vec set_of_flow(const Kept *k, const KeptFlow *flow) {
  if (flow->value.context == C_NONE) return points_operand(k->points, flow->context, flow->from);
  return k->points->nodes.at[points_node(k->points, flow->value.context, flow->value.value)];
}

static void drop_flow(Kept *k, const KeptFlow *flow) {
  if (flow->is_copy) {
    kept_drop_contents(k, points_operand(k->points, flow->context, flow->from));
    return;
  }
  kept_drop(k, set_of_flow(k, flow));
  kept_drop_backs(k, set_of_flow(k, flow));
}

/* One side of a flow is in its class. */
static bool join_side(Kept *k, const KeptFlow *flow, const COperand *operand) {
  const uint32_t class = class_of_flow(k, flow);
  switch (side_of(k, flow->context, operand)) {
  case SIDE_NONE: return operand != flow->slot;
  case SIDE_VALUE: return join(k, class, class_of(k, flow->context, operand->n));
  case SIDE_SPOT: return add_spot(k, class, new_spot(k, flow->context, operand));
  case SIDE_OTHER: break;
  }
  return false;
}

/* A value that may lead elsewhere is of no class. */
static bool is_value_pure(const Kept *k, const KeptFlow *flow) {
  return flow->value.context == C_NONE ||
         kept_is_pure(k->points, k->points->nodes.at[points_node(k->points, flow->value.context, flow->value.value)]);
}

static void join_flow(Kept *k, const KeptFlow *flow) {
  if (!is_value_pure(k, flow) || (flow->from && !join_side(k, flow, flow->from)) ||
      (flow->slot && !join_side(k, flow, flow->slot)))
    drop_flow(k, flow);
}

static bool is_of_kept(const Kept *k, const KeptFlow *flow) {
  return !flow->is_copy && kept_has(k->points, set_of_flow(k, flow));
}

static void see_kept(Kept *k, const KeptFlow *flow) {
  if (is_of_kept(k, flow)) join_flow(k, flow);
}

static void see_member(Kept *k, const KeptFlow *flow) {
  if (!is_of_kept(k, flow) && !flow->slot) join_flow(k, flow);
}

/* ---- addresses of keepers that are stored, and copies ---- */

/* The element of an array whose address is constant. */
static bool is_same_element(const Kept *k, const COperand *a, const COperand *b) {
  const Points *p = k->points;
  if (a->kind != C_GLOBAL || b->kind != C_GLOBAL || a->n != b->n || a->number < 0 || b->number < 0) return false;
  const uint32_t part = points_part(p, OBJECT_GLOBAL, a->n, a->number);
  if (part != points_part(p, OBJECT_GLOBAL, b->n, b->number)) return false;
  for (uint32_t i = 0; i < p->objects.n; i++) {
    const CObject *o = &p->objects.at[i];
    const int64_t stride = (int64_t)o->stride, start = (int64_t)o->start;
    if (o->kind == OBJECT_GLOBAL && o->n == a->n && o->part == part && o->context == C_NONE)
      return !stride || (a->number - start) / stride == (b->number - start) / stride;
  }
  return false;
}

/* The class of one side is to have a spot. */
static bool gets_spot(Kept *k, uint32_t context, const COperand *value, const COperand *spot) {
  return add_spot(k, class_of(k, context, value->n), new_spot(k, context, spot));
}

static bool is_of_one_class(Kept *k, uint32_t context, const COperand *a, const COperand *b) {
  const uint32_t one = class_of(k, context, a->n), other = class_of(k, context, b->n);
  if (k->spot_of.at[one] && k->spot_of.at[other]) return is_same_spot(k, k->spot_of.at[one], k->spot_of.at[other]);
  return join(k, one, other);
}

/* Is what is stored the keeper of what it is stored in; or are both in one keeper, if that is a copy? */
static bool leads_back(Kept *k, const KeptFlow *flow) {
  const uint32_t c = flow->context;
  const Side from = side_of(k, c, flow->from), slot = side_of(k, c, flow->slot);
  if (is_same_element(k, flow->from, flow->slot)) return true;
  if (from == SIDE_VALUE && slot == SIDE_VALUE) return is_of_one_class(k, c, flow->from, flow->slot);
  if (from == SIDE_VALUE && slot == SIDE_SPOT) return gets_spot(k, c, flow->from, flow->slot);
  if (from == SIDE_SPOT && slot == SIDE_VALUE) return gets_spot(k, c, flow->slot, flow->from);
  return from == SIDE_SPOT && slot == SIDE_SPOT &&
         is_same_spot(k, new_spot(k, c, flow->from), new_spot(k, c, flow->slot));
}

static void see_back(Kept *k, const KeptFlow *flow) {
  if (!is_of_kept(k, flow) && flow->slot && !leads_back(k, flow)) drop_flow(k, flow);
}

bool kept_is_its_spot(Kept *k, uint32_t context, const COperand *value, const COperand *address) {
  const uint32_t spot = k->spot_of.at[class_of(k, context, value->n)];
  if (!spot || side_of(k, context, address) != SIDE_SPOT) return false;
  const CIdentity x = identity_of(k, spot), y = foci_operand(k->foci, context, address);
  return x.kind == y.kind && x.n == y.n;
}

/* ---- is a value still of the region where it is used? ---- */

/* One of the two values that say which keeper the spot of a class leads to. */
typedef struct {
  Kept *k;
  CSpot spot;
} Check;

static bool is_behind(const Check *c, CSpot place, bool is_result) {
  return order_is_behind(c->k->points, &c->k->dominators, c->spot, place, is_result);
}

static bool is_ahead(const Check *c, CSpot value) {
  return order_is_ahead(c->k->points, &c->k->dominators, value, c->spot);
}

static bool is_value_behind(const Check *c, CSpot value) {
  return is_behind(c, value, instruction(c->k->points, value.value)->kind == C_CALL);
}

/* Behind the spot, is an operand what hangs in the keeper that this leads to now? */
static bool is_fit_behind(const Check *c, uint32_t context, const COperand *operand) {
  const CSpot value = {context, operand->n};
  if (side_of(c->k, context, operand) != SIDE_VALUE) return true;
  return is_value_behind(c, value) || is_ahead(c, value);
}

/* Where it is used, does it hang in nothing yet? */
static bool is_fit_ahead(const Check *c, uint32_t context, const COperand *operand, uint32_t use) {
  const CSpot value = {context, operand->n};
  const Side side = side_of(c->k, context, operand);
  if (side != SIDE_VALUE) return side == SIDE_NONE;
  return is_ahead(c, value) && order_is_still_ahead(c->k->points, value, c->spot, use);
}

static bool is_store_fit(const Check *c, const KeptFlow *flow) {
  if (is_behind(c, (CSpot){flow->context, flow->use}, false))
    return is_fit_behind(c, flow->context, flow->from) && is_fit_behind(c, flow->context, flow->slot);
  return is_fit_ahead(c, flow->context, flow->from, flow->use) && is_fit_ahead(c, flow->context, flow->slot, flow->use);
}

static bool is_value_fit(const Check *c, const KeptFlow *flow) {
  if (is_value_behind(c, flow->value)) return !flow->from || is_fit_behind(c, flow->context, flow->from);
  return is_ahead(c, flow->value) && (!flow->from || is_fit_ahead(c, flow->context, flow->from, flow->use));
}

/* What the spot's token hangs on; it is nothing where the keeper is known. */
static uint32_t spots_of(const Kept *k, uint32_t spot, CSpot found[2]) {
  const CIdentity it = identity_of(k, spot);
  uint32_t n = 0;
  if (it.kind != IDENTITY_TOKEN) return 0;
  const CToken *t = &k->foci->tokens.at[it.n];
  if (t->base.context != C_NONE) found[n++] = t->base;
  if (t->index.context != C_NONE) found[n++] = t->index;
  return n;
}

/* The class of a flow; C_NONE: it is of keepers alone. */
static uint32_t class_to_check(Kept *k, const KeptFlow *flow) {
  if (!flow->slot || side_of(k, flow->context, flow->from) == SIDE_VALUE) return class_of_flow(k, flow);
  return side_of(k, flow->context, flow->slot) == SIDE_VALUE ? class_of(k, flow->context, flow->slot->n) : C_NONE;
}

static void check_flow(Kept *k, const KeptFlow *flow) {
  const uint32_t class = class_to_check(k, flow), spot = class == C_NONE ? 0 : k->spot_of.at[class];
  CSpot found[2];
  const uint32_t n = spot ? spots_of(k, spot, found) : 0;
  for (uint32_t i = 0; i < n; i++) {
    const Check c = {k, found[i]};
    if (flow->slot ? !is_store_fit(&c, flow) : !is_value_fit(&c, flow)) drop_flow(k, flow);
  }
}

/* ---- the whole ---- */

/* Larger programs, and those where it takes more rounds, keep nothing. */
enum { MOST_NODES = 200000, MOST_ROUNDS = 24 };

static void start_round(Kept *k) {
  vec_clear(&k->spots);
  for (uint32_t n = 0; n < k->above.n; n++) {
    k->above.at[n] = n;
    k->spot_of.at[n] = 0;
  }
}

static bool is_round_good(Kept *k) {
  start_round(k);
  kept_drop_elsewhere(k);
  kept_find_members(k);
  kept_each_flow(k, see_kept);
  if (!k->has_dropped) kept_each_flow(k, see_member);
  if (!k->has_dropped) kept_each_flow(k, see_back);
  if (!k->has_dropped) kept_each_flow(k, check_flow);
  if (!k->has_dropped) kept_check_strays(k);
  return !k->has_dropped;
}

static bool has_kept(const Points *p) {
  for (uint32_t i = 0; i < p->objects.n; i++)
    if (p->objects.at[i].is_kept) return true;
  return false;
}

static void drop_all(Kept *k) {
  for (uint32_t i = 0; i < k->points->objects.n; i++) k->points->objects.at[i].is_kept = false;
}

/* With addresses that lead back, or without. */
static void find(Kept *k, bool backs) {
  kept_find_backs(k, backs);
  kept_find_sites(k);
  for (uint32_t round = 0; has_kept(k->points) && round < MOST_ROUNDS; round++) {
    heap_poll(k->heap);
    if (is_round_good(k)) return;
  }
  drop_all(k);
}

static void mark(const Kept *k, char *is_kept) {
  for (uint32_t i = 0; i < k->points->objects.n; i++) is_kept[i] = k->points->objects.at[i].is_kept;
}

static bool has_all(const Kept *k, const char *is_kept) {
  for (uint32_t i = 0; i < k->points->objects.n; i++)
    if (is_kept[i] && !k->points->objects.at[i].is_kept) return false;
  return true;
}

/* What leads back is in classes that it might spoil: then it is not followed. */
static void find_most(Kept *k) {
  char *is_kept = heap_zeroed(k->heap, (size_t)k->points->objects.n + 1);
  dominators_init(&k->dominators, k->points->module);
  vec_resize_zeroed(k->heap, &k->above, k->points->nodes.n);
  vec_resize_zeroed(k->heap, &k->spot_of, k->points->nodes.n);
  find(k, false);
  mark(k, is_kept);
  find(k, true);
  if (!has_all(k, is_kept)) find(k, false);
  heap_release(k->heap, is_kept);
}

/* Of what is one of any number of threads there would have to be more instances. */
static bool may_keep(const Points *p) {
  for (uint32_t t = 0; t < p->threads.n; t++)
    if (p->threads.at[t].is_open) return false;
  return p->nodes.n <= MOST_NODES;
}

void kept_find(Foci *f) {
  Points *p = f->points;
  if (!f->n_instances || !may_keep(p)) return;
  Kept *k = f->kept = heap_zeroed(f->heap, sizeof *k);
  *k = (Kept){.foci = f, .points = p, .heap = f->heap};
  kept_find_backs(k, false);
  kept_find_sites(k);
  if (has_kept(p)) find_most(k);
  if (!has_kept(p)) kept_fini(f);
}

void kept_fini(Foci *f) {
  Kept *k = f->kept;
  if (!k) return;
  if (k->dominators.above) dominators_fini(&k->dominators);
  vec_fini(k->heap, &k->above);
  vec_fini(k->heap, &k->spot_of);
  vec_fini(k->heap, &k->spots);
  vec_fini(k->heap, &k->is_back);
  vec_fini(k->heap, &k->is_member);
  vec_fini(k->heap, &k->shifts);
  vec_fini(k->heap, &k->are_dirty);
  heap_release(f->heap, k);
  f->kept = NULL;
}

/* Where the spot has been computed it says which keeper it is. Where it has not been since the value was, that leads to
 * what hangs in nothing yet, and so does all of a class without a spot: nobody else knows of it. */
CIdentity kept_identity(Foci *f, uint32_t context, uint32_t number, const COperand *operand) {
  Kept *k = f->kept;
  const CIdentity fresh = {IDENTITY_FRESH, 0}, any = {IDENTITY_ANY, 0};
  CSpot found[2];
  assert(operand->kind == C_VALUE);
  const uint32_t spot = k->spot_of.at[class_of(k, context, operand->n)], n = spot ? spots_of(k, spot, found) : 0;
  bool is_known = true;
  for (uint32_t i = 0; i < n; i++) {
    const Check c = {k, found[i]};
    if (is_fit_ahead(&c, context, operand, number)) return fresh;
    is_known &= is_behind(&c, (CSpot){context, number}, false);
  }
  return !spot ? fresh : is_known ? identity_of(k, spot) : any;
}
