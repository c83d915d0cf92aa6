#include "frontend/c/facts.h"

#include "frontend/c/lone_locks.h"
#include "frontend/c/question.h"

/* What an instruction of a context does to a cell: some deeds. */
typedef struct {
  uint32_t context, instruction, first, end; /* of Facts.deeds */
  uint32_t thread;
  bool writes;
  uint32_t like; /* the node that stands for it: another one, if all that one call creates do the same */
} Node;

typedef VEC(Deed) DeedVec;

typedef struct {
  Cells *cells;
  Heap *heap;
  Deeds deeds;
  BarrierVec barriers;
  DeedVec of_cell; /* of the cell under way */
  VEC(Node) nodes;
  bool *meets;             /* per pair of nodes: of those that stand for others, as soon as any of these do */
  bool *is_covered;        /* likewise: they are in one part */
  uint32_t asked, in_vain; /* in_vain: of the cell under way */
} Facts;

/* ---- barriers ---- */

static bool is_wait(const Facts *f, const PointsWalk *at, uint32_t cell) {
  Points *p = f->cells->points;
  const CInstruction *i = &p->module->instructions.at[at->number];
  const Effect *effect = i->kind == C_CALL ? points_library(p, at->context, i) : NULL;
  return effect && effect->kind == CALL_BARRIER_WAIT && cells_round(f->cells, at->context, at->number) == cell;
}

/* What calls something that waits does so itself, and its thread. */
static void add_barrier(Facts *f, uint32_t cell) {
  const Points *p = f->cells->points;
  Barrier b = {.cell = cell};
  b.uses = heap_zeroed(f->heap, p->threads.n + 1);
  b.waits = heap_zeroed(f->heap, p->contexts.n + 1);
  for (PointsWalk at = {0}; points_next(p, &at);) b.waits[at.context] |= is_wait(f, &at, cell);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t e = 0; e < p->edges.n; e++) {
      const CEdge *edge = &p->edges.at[e];
      if (!b.waits[edge->callee] || b.waits[edge->context]) continue;
      b.waits[edge->context] = changed = true;
    }
  }
  for (uint32_t c = 0; c < p->contexts.n; c++) b.uses[p->contexts.at[c].thread] |= b.waits[c];
  vec_push(f->heap, &f->barriers, b);
}

/* Do no more threads use it than it waits for, where that is a number that is not known: those that one call creates,
 * and perhaps another one? */
static bool has_enough(Facts *f, uint32_t cell) {
  const CCell *c = &f->cells->cells.at[cell];
  const Points *p = f->cells->points;
  bool *uses = heap_zeroed(f->heap, p->threads.n + 1);
  uint32_t open = C_NONE, others = 0;
  bool good = true;
  cells_users(f->cells, cell, uses);
  for (uint32_t t = 0; t < p->threads.n; t++) {
    const CThread *thread = &p->threads.at[t];
    if (!uses[t] || points_first(p, t) != t) continue;
    good &= !thread->is_open ? thread->from == C_NONE || points_once(p, thread->from, thread->call) : open == C_NONE;
    if (thread->is_open) open = t;
    else others++;
  }
  heap_release(f->heap, uses);
  return good && open != C_NONE && question_is_enough(&f->deeds, open, others, c->maker, c->making);
}

static void find_barriers(Facts *f) {
  for (uint32_t c = 0; c < f->cells->cells.n; c++) {
    const CCell *cell = &f->cells->cells.at[c];
    if (!cell->sync || cell->sync_kind != CALL_BARRIER_WAIT || (cell->is_vague && !cell->is_round)) continue;
    if (cell->is_vague ? has_enough(f, c) : cells_barrier(f->cells, c)) add_barrier(f, c);
  }
}

/* ---- which meet ---- */

/* More is not asked of a cell, and of all. */
enum { MOST_NODES = 300, MOST_ASKED = 4000, MOST_PARTS = 60 };

/* A question goes through the blocks of the program: less is asked of a large one. */
enum { MOST_SEEN = 400000 };

static bool may_ask(Facts *f) {
  return ++f->asked <= MOST_ASKED && (uint64_t)f->asked * f->deeds.module->blocks.n <= MOST_SEEN;
}

static bool *meets(const Facts *f, uint32_t a, uint32_t b) { return &f->meets[(size_t)a * f->nodes.n + b]; }
static bool *covered(const Facts *f, uint32_t a, uint32_t b) { return &f->is_covered[(size_t)a * f->nodes.n + b]; }

static void collect_nodes(Facts *f, uint32_t cell) {
  const Points *p = f->cells->points;
  const uint32_t object = f->cells->cells.at[cell].object;
  vec_clear(&f->of_cell);
  f->in_vain = 0;
  vec_clear(&f->nodes);
  for (uint32_t i = f->deeds.first[object]; i < f->deeds.first[object + 1]; i++) {
    const Deed *d = &f->deeds.all.at[i];
    if (d->cell != cell) continue;
    Node *last = f->nodes.n ? &vec_last(&f->nodes) : NULL;
    if (!last || last->context != d->context || last->instruction != d->instruction)
      vec_push(f->heap, &f->nodes,
               ((Node){d->context, d->instruction, f->of_cell.n, f->of_cell.n, p->contexts.at[d->context].thread, false,
                       f->nodes.n}));
    vec_push(f->heap, &f->of_cell, *d);
    vec_last(&f->nodes).end++;
    vec_last(&f->nodes).writes |= d->deed != DOES_READ;
  }
}

static bool ask(Facts *f, const Node *a, const Node *b) {
  for (uint32_t i = a->first; i < a->end; i++)
    for (uint32_t k = b->first; k < b->end; k++) {
      const Deed *x = &f->of_cell.at[i], *y = &f->of_cell.at[k];
      if (x->deed == DOES_READ && y->deed == DOES_READ) continue;
      if (!may_ask(f) || !question_never_meet(&f->deeds, &f->barriers, x, y, &f->in_vain)) return true;
    }
  return false;
}

static const CThread *thread_of(const Facts *f, const Node *node) {
  return &f->cells->points->threads.at[node->thread];
}

/* Of open threads that are alike, any two are as any others: one that stands for all, and another one. If the memory is
 * that of one of these, so are it and another one, and two others. */
static bool is_asked(const Facts *f, const Node *a, const Node *b, uint32_t owner) {
  const Points *p = f->cells->points;
  const CThread *t = thread_of(f, a), *u = thread_of(f, b);
  if (a->thread == b->thread || (!a->writes && !b->writes)) return false;
  const bool own = owner != C_NONE && points_alike(p, t->root, p->threads.at[owner].root),
             other = owner != C_NONE && points_alike(p, u->root, p->threads.at[owner].root);
  if (t->is_open && points_alike(p, t->root, u->root)) return t->copy + u->copy == 1 || (own && t->copy && u->copy);
  return (!t->is_open || t->copy <= own) && (!u->is_open || u->copy <= other);
}

static void find_like(const Facts *f, uint32_t number) {
  Node *node = &f->nodes.at[number];
  node->like = number;
  if (!thread_of(f, node)->is_open || !thread_of(f, node)->copy) return;
  for (uint32_t i = 0; i < number; i++) {
    const Node *other = &f->nodes.at[i];
    if (other->instruction == node->instruction && points_alike(f->cells->points, other->context, node->context)) {
      node->like = i;
      return;
    }
  }
}

/* Sets which of them meet. Do they all, that are asked for? */
static bool ask_all(Facts *f, uint32_t owner) {
  bool all = true;
  for (uint32_t i = 0; i < f->nodes.n; i++) find_like(f, i);
  for (uint32_t a = 0; a < f->nodes.n; a++)
    for (uint32_t b = 0; b < a; b++) {
      const Node *x = &f->nodes.at[a], *y = &f->nodes.at[b];
      if (!is_asked(f, x, y, owner)) continue;
      const bool meet = ask(f, x, y);
      if (meet) *meets(f, x->like, y->like) = *meets(f, y->like, x->like) = true;
      all &= meet;
    }
  return all;
}

/* ---- parts ---- */

/* May the node be in a part with that one, without a dependence that is none? */
static bool goes_with(const Facts *f, uint32_t a, uint32_t b) {
  const Node *x = &f->nodes.at[a], *y = &f->nodes.at[b];
  const bool alone = x->thread == y->thread && !thread_of(f, x)->is_open;
  return alone || (!x->writes && !y->writes) || *meets(f, a, b);
}

static bool is_needed(const Facts *f, const U32Vec *part, uint32_t node) {
  bool needed = false;
  if (f->nodes.at[node].like != node || !goes_with(f, node, node)) return false;
  for (uint32_t i = 0; i < part->n; i++) {
    if (!goes_with(f, part->at[i], node)) return false;
    needed |= *meets(f, part->at[i], node) && !*covered(f, part->at[i], node);
  }
  return needed;
}

static void cover(Facts *f, const U32Vec *part) {
  for (uint32_t i = 0; i < part->n; i++)
    for (uint32_t k = 0; k < part->n; k++) *covered(f, part->at[i], part->at[k]) = true;
}

/* Makes a part of two that meet, or of one that meets its like, with all others that it takes in and that need it. */
static void find_part(Facts *f, uint32_t a, uint32_t b, U32Vec *part) {
  vec_clear(part);
  vec_push(f->heap, part, a);
  if (a != b) vec_push(f->heap, part, b);
  for (uint32_t i = 0; i < f->nodes.n; i++)
    if (i != a && i != b && is_needed(f, part, i)) vec_push(f->heap, part, i);
  cover(f, part);
}

/* As rows of numbers of nodes, each behind its length. False: they are too many. */
static bool find_parts(Facts *f, U32Vec *rows) {
  U32Vec part = {0};
  uint32_t n = 0;
  for (uint32_t a = 0; a < f->nodes.n && n <= MOST_PARTS; a++)
    for (uint32_t b = 0; b <= a && n <= MOST_PARTS; b++) {
      if (!*meets(f, a, b) || *covered(f, a, b)) continue;
      find_part(f, a, b, &part);
      vec_push(f->heap, rows, part.n);
      for (uint32_t i = 0; i < part.n; i++) vec_push(f->heap, rows, part.at[i]);
      n++;
    }
  vec_fini(f->heap, &part);
  return n <= MOST_PARTS;
}

static bool is_in(const U32Vec *rows, uint32_t row, uint32_t node) {
  for (uint32_t i = 1; i <= rows->at[row]; i++)
    if (rows->at[row + i] == node) return true;
  return false;
}

/* The parts of the cell, and which of them each node is to. */
static void split(Facts *f, uint32_t cell, const U32Vec *rows) {
  Cells *cells = f->cells;
  const uint32_t first = cells->parts.n;
  cells->cells.at[cell].is_split = true;
  for (uint32_t row = 0; row < rows->n; row += rows->at[row] + 1)
    vec_push(f->heap, &cells->parts, ((CPart){cell, C_NONE}));
  for (uint32_t i = 0; i < f->nodes.n; i++) {
    const Node *node = &f->nodes.at[i];
    CShare share = {node->context, node->instruction, cell, cells->in_parts.n, 0};
    for (uint32_t row = 0, part = first; row < rows->n; row += rows->at[row] + 1, part++) {
      if (!is_in(rows, row, i)) continue;
      vec_push(f->heap, &cells->in_parts, part);
      share.n++;
    }
    vec_push(f->heap, &cells->shares, share);
  }
}

static bool has_node(const Facts *f, const Deed *deed) {
  for (uint32_t i = 0; i < f->nodes.n; i++)
    if (f->nodes.at[i].instruction == deed->instruction &&
        points_alike(f->cells->points, f->nodes.at[i].context, deed->context))
      return true;
  return false;
}

/* Is all that is done to the cells that this one stands for among what is done to it? */
static bool has_all_nodes(const Facts *f, uint32_t cell) {
  for (uint32_t c = 0; c < f->cells->cells.n; c++) {
    const uint32_t object = f->cells->cells.at[c].object;
    if (c == cell || f->cells->cells.at[c].first != cell) continue;
    for (uint32_t i = f->deeds.first[object]; i < f->deeds.first[object + 1]; i++)
      if (f->deeds.all.at[i].cell == c && !has_node(f, &f->deeds.all.at[i])) return false;
  }
  return true;
}

static void find_of_cell(Facts *f, uint32_t cell) {
  const CObject *o = cell_object(f->cells, cell);
  U32Vec rows = {0};
  collect_nodes(f, cell);
  if (f->nodes.n > MOST_NODES || (o->is_copied && !has_all_nodes(f, cell))) return;
  f->meets = heap_zeroed(f->heap, (size_t)f->nodes.n * f->nodes.n + 1);
  f->is_covered = heap_zeroed(f->heap, (size_t)f->nodes.n * f->nodes.n + 1);
  const bool all = ask_all(f, o->is_copied ? points_owner(f->cells->points, o) : C_NONE);
  if (!all && find_parts(f, &rows)) split(f, cell, &rows);
  heap_release(f->heap, f->meets);
  heap_release(f->heap, f->is_covered);
  vec_fini(f->heap, &rows);
}

/* ---- data without parts: what is followed, or in objects that are told apart ---- */

/* Is it done before that thread is created, or behind the join of all that are created like it? */
static bool is_away(Facts *f, const Node *node, uint32_t thread) {
  const Deed *deed = &f->of_cell.at[node->first];
  return question_is_created_later(&f->deeds, thread, deed) || question_is_joined(&f->deeds, thread, deed);
}

/* Is it done where no other thread does what it depends on? */
static bool is_apart(Facts *f, const Node *node) {
  bool others = false;
  if (thread_of(f, node)->is_open) return false;
  for (uint32_t i = 0; i < f->nodes.n; i++) {
    const Node *other = &f->nodes.at[i];
    if (other->thread == node->thread || (!node->writes && !other->writes)) continue;
    others = true;
    if (!is_away(f, node, other->thread)) return false;
  }
  return others;
}

/* What is written to a followed cell stays, for its value. */
static void find_apart(Facts *f, uint32_t cell) {
  const bool tracked = cell_is_tracked(&f->cells->cells.at[cell]);
  collect_nodes(f, cell);
  if (f->nodes.n > MOST_NODES || cell_object(f->cells, cell)->is_copied) return;
  for (uint32_t i = 0; i < f->nodes.n; i++)
    if (!(tracked && f->nodes.at[i].writes) && is_apart(f, &f->nodes.at[i]))
      vec_push(f->heap, &f->cells->shares,
               ((CShare){f->nodes.at[i].context, f->nodes.at[i].instruction, cell, f->cells->in_parts.n, 0}));
}

/* ---- the whole ---- */

static void fini(Facts *f) {
  deeds_fini(&f->deeds);
  for (uint32_t b = 0; b < f->barriers.n; b++) {
    heap_release(f->heap, f->barriers.at[b].uses);
    heap_release(f->heap, f->barriers.at[b].waits);
  }
  vec_fini(f->heap, &f->barriers);
  vec_fini(f->heap, &f->of_cell);
  vec_fini(f->heap, &f->nodes);
}

void facts_find(Cells *cells) {
  Facts facts = {.cells = cells, .heap = cells->heap}, *f = &facts;
  deeds_init(&f->deeds, cells);
  find_barriers(f);
  for (uint32_t c = 0; c < cells->cells.n; c++) {
    const CCell *cell = &cells->cells.at[c];
    const CObject *o = cell_object(cells, c);
    const bool told_apart = o->instances || o->stride; /* other places are meant than its targets say (foci.h) */
    if (cell->first == c && cell->is_shared && !cell->sync)
      (told_apart || cell_is_tracked(cell) ? find_apart : find_of_cell)(f, c);
    cells->cells.at[c].is_split |= cells->cells.at[cell->first].is_split;
  }
  lone_locks_find(&f->deeds, cells);
  cells_sort_shares(cells);
  fini(f);
}
