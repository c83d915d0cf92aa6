/* Rounds that fail: locks are taken, one of them is not to be had, and they are given back, to be taken again.
 *
 *     for (;;) { lock(a); if (!trylock(b)) break; unlock(a); sched_yield(); }
 *
 * An attempt that fails is no event. Nor is a round of them that does nothing but take locks and give them back, where
 * the thread does nothing else before it has all of them again. Let a run of the thread have such a round. Without it,
 * it is a run: the locks are free where it held them, and no attempt of others has to fail for that. What the others
 * did before they gave a lock of the round back is before the thread has it again, and so before all that it does
 * later; what it did before the round is before those that have the lock next only if it is so by something else. So
 * all other events, and what they depend on by each other, are as before.
 *
 * Here a choice that only leads to the end of such a round is taken out, and where the round begins the thread may go
 * at once to where it led to. */
#include "frontend/c/emit_inside.h"

#include <string.h>

enum { MOST_LOCKS = 6, MOST_ORIGINS = 8 };

/* The locks that a thread has taken since it did something else; and where it has taken the first of them. */
typedef struct {
  bool is_reached;
  uint32_t n, n_origins; /* n_origins MOST_ORIGINS + 1: too many */
  uint32_t locks[MOST_LOCKS], origins[MOST_ORIGINS + 1];
} Held;

typedef struct {
  Emitter *e;
  uint32_t start, end; /* operations */
  VEC(Held) before;    /* per operation from `start` on */
  U32Vec todo;
} Rounds;

static ProgramOp *op_at(const Rounds *r, uint32_t op) { return emit_at(r->e, op); }

static bool is_maybe(const Rounds *r, uint32_t op) {
  const ProgramOp *o = op_at(r, op);
  return o->kind == OP_TEST && o->n_items == 1 && r->e->program->items.at[o->items].kind == ITEM_ANY;
}

static bool is_on(const Rounds *r, uint32_t op) {
  const ProgramOp *o = op_at(r, op);
  return o->kind == OP_JUMP || (o->kind == OP_SKIP && o->origin != EMIT_ELSEWHERE);
}

/* ---- sets of locks ---- */

static uint32_t find(const Held *held, uint32_t lock) {
  uint32_t k = 0;
  while (k < held->n && held->locks[k] != lock) k++;
  return k;
}

static bool is_same(const Held *a, const Held *b) {
  bool same = a->n == b->n;
  for (uint32_t k = 0; k < a->n && same; k++) same = find(b, a->locks[k]) < b->n;
  return same;
}

/* False: it has it already, or they are too many. */
static bool take(Held *held, uint32_t lock) {
  if (find(held, lock) < held->n || held->n == MOST_LOCKS) return false;
  held->locks[held->n++] = lock;
  return true;
}

/* False: it was not taken since. */
static bool give_back(Held *held, uint32_t lock) {
  const uint32_t k = find(held, lock);
  if (k == held->n) return false;
  held->locks[k] = held->locks[--held->n];
  return true;
}

static void clear(Held *held) { held->n = held->n_origins = 0; }

static void add_origin(Held *held, uint32_t op) {
  for (uint32_t k = 0; k < held->n_origins; k++)
    if (held->origins[k] == op) return;
  if (held->n_origins <= MOST_ORIGINS) held->origins[held->n_origins++] = op;
}

/* ---- what is held where ---- */

static void pass(const Rounds *r, uint32_t op, Held *held) {
  const ProgramOp *o = op_at(r, op);
  if (is_on(r, op) || is_maybe(r, op)) return;
  if (o->kind == OP_ACQUIRE && !held->n) {
    clear(held);
    add_origin(held, op);
    take(held, o->number);
  } else if ((o->kind != OP_ACQUIRE || !take(held, o->number)) &&
             (o->kind != OP_RELEASE || !give_back(held, o->number))) {
    clear(held);
  }
  if (!held->n) clear(held);
}

/* What comes by several ways is held if it is by all; else it counts as held before. */
static void join(Rounds *r, uint32_t op, const Held *held) {
  if (op >= r->end) return;
  Held *to = &r->before.at[op - r->start];
  const Held was = *to;
  if (!to->is_reached) *to = *held;
  else if (!is_same(to, held)) clear(to);
  else
    for (uint32_t k = 0; k < held->n_origins; k++) add_origin(to, held->origins[k]);
  to->is_reached = true;
  if (!was.is_reached || was.n != to->n || was.n_origins != to->n_origins) vec_push(r->e->heap, &r->todo, op);
}

static void find_held(Rounds *r) {
  vec_clear(&r->before);
  vec_resize_zeroed(r->e->heap, &r->before, r->end - r->start);
  join(r, r->start, &(Held){0});
  while (r->todo.n) {
    const uint32_t op = r->todo.at[--r->todo.n];
    const ProgramOp *o = op_at(r, op);
    Held held = r->before.at[op - r->start];
    pass(r, op, &held);
    if (o->kind == OP_RETURN || o->kind == OP_FAIL) continue;
    for (uint32_t n = 0; n < (o->kind == OP_SELECT ? o->number : 1); n++) join(r, o->next + n, &held);
    if (o->kind == OP_TEST) join(r, o->otherwise, &held);
  }
}

/* ---- does it come to nothing else? ---- */

enum { MOST_SEEN = 200 };

typedef struct {
  uint32_t op;
  Held held;
} Seen;

typedef struct {
  const Rounds *r;
  const Held *wanted;
  uint32_t n;
  Seen seen[MOST_SEEN];
} Search;

static bool is_stuck(const Rounds *r, uint32_t op) {
  return op_at(r, op)->kind == OP_AWAIT && op_at(r, op)->next == op;
}

/* Has the thread, from there on, all that is wanted before it does something else? */
static bool has_again(Search *s, uint32_t op, Held held) {
  const Rounds *r = s->r;
  while (is_on(r, op) && op < r->end) op = op_at(r, op)->next;
  bool all = true;
  for (uint32_t k = 0; k < s->wanted->n; k++) all &= find(&held, s->wanted->locks[k]) < held.n;
  if (all || is_stuck(r, op)) return true;
  for (uint32_t k = 0; k < s->n; k++)
    if (s->seen[k].op == op && is_same(&s->seen[k].held, &held)) return true;
  if (s->n == MOST_SEEN) return false;
  s->seen[s->n++] = (Seen){op, held};
  const ProgramOp *o = op_at(r, op);
  if (is_maybe(r, op)) return has_again(s, o->next, held) && has_again(s, o->otherwise, held);
  if (o->kind == OP_ACQUIRE) return take(&held, o->number) && has_again(s, o->next, held);
  return o->kind == OP_RELEASE && give_back(&held, o->number) && has_again(s, o->next, held);
}

/* ---- rounds ---- */

/* Where a round ends that goes on from that operation, or C_NONE if there is none. */
static uint32_t end_of_round(const Rounds *r, uint32_t op, const Held *held) {
  Held left = *held;
  uint32_t steps = 0;
  while (op < r->end && steps++ < MOST_SEEN) {
    if (!is_on(r, op) && (op_at(r, op)->kind != OP_RELEASE || !give_back(&left, op_at(r, op)->number))) break;
    op = op_at(r, op)->next;
  }
  return left.n || op >= r->end || steps > MOST_SEEN ? C_NONE : op;
}

static uint32_t after(const Rounds *r, uint32_t op) {
  do op = op_at(r, op)->next;
  while (op < r->end && is_on(r, op));
  return op;
}

static bool is_like(const Rounds *r, uint32_t a, uint32_t b) {
  const ProgramOp *x = op_at(r, a), *y = op_at(r, b);
  return a == b ||
         (x->kind == OP_ACQUIRE && y->kind == OP_ACQUIRE && x->number == y->number && after(r, a) == after(r, b));
}

/* At the operation, or to the other one. */
static void add_choice(Rounds *r, uint32_t op, uint32_t other) {
  const uint32_t copy = program_add_op(r->e->program, OP_JUMP);
  *op_at(r, copy) = *op_at(r, op);
  emit_make_maybe(r->e, op, copy, other);
}

/* Takes it out that an attempt fails, if a round ends there that has failed. */
static bool take_out(Rounds *r, uint32_t attempt) {
  const Held held = r->before.at[attempt - r->start];
  const bool good = held.n && held.n_origins <= MOST_ORIGINS;
  const uint32_t to = good ? end_of_round(r, op_at(r, attempt)->otherwise, &held) : C_NONE;
  if (to == C_NONE) return false;
  Search *s = heap_zeroed(r->e->heap, sizeof *s);
  s->r = r;
  s->wanted = &held;
  const bool again = has_again(s, to, (Held){0});
  heap_release(r->e->heap, s);
  if (!again) return false;
  emit_make_jump(r->e, attempt, op_at(r, attempt)->next);
  for (uint32_t k = 0; k < held.n_origins; k++)
    if (!is_like(r, held.origins[k], to)) add_choice(r, held.origins[k], to);
  return true;
}

static bool take_one_out(Rounds *r) {
  for (uint32_t op = r->start; op < r->end; op++)
    if (is_maybe(r, op) && op_at(r, op)->origin == EMIT_TRY && r->before.at[op - r->start].is_reached &&
        take_out(r, op))
      return true;
  return false;
}

void emit_leave_rounds_out(Emitter *e, uint32_t start) {
  Rounds r = {.e = e, .start = start};
  do {
    heap_poll(e->heap);
    r.end = emit_here(e);
    find_held(&r);
  } while (take_one_out(&r));
  vec_fini(e->heap, &r.before);
  vec_fini(e->heap, &r.todo);
}
