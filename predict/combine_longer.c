/* Cycles of more than two players. A root is a mark of a block where player 0 may be entered again; the way there
 * starts at a mark before it.
 *
 * A closed walk, which may visit a player twice and keeps the order of events from step to step only, is found by
 * breadth-first search over accesses, each of which is entered and left once: linear. Where there is none, there is no
 * cycle. So, first, roots that no walk reaches are dropped: for a player all blocks at once, then each block. For the
 * rest walks are tried: the shortest one, if its players are distinct and events can be ordered so, is the answer; else
 * each first step is taken in turn, and the rest of the walk is looked for without the players that were visited. Walks
 * are bounded, by 3 first, then by the shortest that did not fit (iterative deepening), so that a cycle that is found
 * is a shortest one of its root. */
#include "predict/combine_inside.h"

#include "base/hash.h"
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

typedef struct {
  uint32_t player, block, mark;
  bool done;
} Root;

/* What a walk can do from where it started. Accesses of all players are numbered in one sequence. */
typedef struct {
  uint32_t stamp;
  uint32_t *entered, *left; /* per access: the stamp, if it was */
  uint32_t *depth;          /* if entered: how many players were visited before */
  uint32_t *from_out;       /* if entered: by which access the player before was left */
  uint32_t *from_in;        /* if left: by which access it had been entered */
  uint32_t *fresh, *next;   /* per player: the stamp, if `next` is valid: the first of by_last that was not left yet */
  U32Vec queue;
} Reach;

typedef struct {
  Combine *c;
  uint32_t *offset;   /* per player: the number of its first access */
  uint32_t *owner;    /* per access: its player */
  uint32_t **by_last; /* per player of a run: its accesses, from that with the latest `last` on */
  Reach reach;
  VEC(Root) roots;
  /* of one root */
  const Root *root;
  uint32_t goal; /* the access by which player 0 is entered */
  uint32_t bound, next_bound;
  uint32_t *visited; /* per player: how many visits of the path exclude it */
  VEC(CombineVisit) path;
  U32Vec walk; /* accesses: out, in, out, ..., out */
} Search;

static uint32_t number_of(const Search *s, uint32_t player, uint32_t access) { return s->offset[player] + access; }
static uint32_t access_of(const Search *s, uint32_t number) { return number - s->offset[s->owner[number]]; }
static const CombineAccess *at(const Search *s, uint32_t number) {
  return combine_access(s->c, s->owner[number], access_of(s, number));
}

static bool is_over(Search *s) {
  const PredictOptions *options = &s->c->options;
  const bool over = (options->budget && s->c->steps >= options->budget) || heap_asked(s->c->heap) != STOP_NOT;
  if (over) s->c->partial = true;
  return over;
}

/* May the walk go on from one to the other? */
static bool is_step(const Search *s, uint32_t out, uint32_t in) {
  const uint32_t p = s->owner[out], q = s->owner[in];
  return combine_together(s->c, p, q) && combine_conflict(at(s, out), at(s, in)) &&
         combine_may_precede(s->c, p, access_of(s, out), q, access_of(s, in));
}

/* ---- can events be ordered so? ---- */

/* A block of the player that has y before x. */
static uint32_t find_split(const Combine *c, uint32_t p, uint32_t y, uint32_t x) {
  const CombinePlayer *player = &c->players[p];
  for (uint32_t b = 0; b < player->n_blocks; b++) {
    bool passed = false;
    for (uint32_t i = 0; i < player->blocks[b].n; i++) {
      const CombineMark *mark = &player->blocks[b].marks[i];
      if (mark->last && mark->access == x && passed) return b;
      passed |= mark->first && mark->access == y;
    }
  }
  return COMBINE_NONE;
}

/* Events 2i and 2i + 1 are `in` and `out` of visit i. */
static bool event_before(const Combine *c, const CombineVisit *visits, uint32_t i, uint32_t j) {
  assert(c->order && c->order->before);
  const CombineVisit *a = &visits[i / 2], *b = &visits[j / 2];
  const CombineAccess *x = combine_access(c, a->player, i % 2 ? a->out : a->in);
  const CombineAccess *y = combine_access(c, b->player, j % 2 ? b->out : b->in);
  if (a->player != b->player) return c->order->before(c->order->state, b->player, y->stage, a->player) > x->stage;
  if (x->stage != y->stage) return x->stage < y->stage;
  return i != j && (i % 2 == 0) == (a->block == COMBINE_NONE);
}

/* Visits without a block leave at a later event. The way is closed, or ends with the last `in`, whose `out` is the same
 * then. */
static bool is_acyclic(const Combine *c, const CombineVisit *visits, uint32_t n, bool closed) {
  const uint32_t size = 2 * n;
  bool *before = heap_zeroed(c->heap, heap_product(c->heap, size, size)), good = true;
  for (uint32_t i = 0; i < size; i++)
    for (uint32_t j = 0; j < size; j++)
      before[i * size + j] = (i % 2 && j == (i + 1) % size && (j || closed)) || event_before(c, visits, i, j);
  for (uint32_t k = 0; k < size; k++)
    for (uint32_t i = 0; i < size; i++)
      for (uint32_t j = 0; before[i * size + k] && j < size; j++) before[i * size + j] |= before[k * size + j];
  for (uint32_t i = 0; i < size; i++) good &= !before[i * size + i];
  heap_release(c->heap, before);
  return good;
}

/* A transaction that is split orders less. */
static void split_all(const Combine *c, CombineVisit *visits, uint32_t n) {
  for (uint32_t i = 1; i < n; i++) visits[i].block = find_split(c, visits[i].player, visits[i].out, visits[i].in);
}

static bool can_be_ordered(const Combine *c, CombineVisit *visits, uint32_t n, bool closed) {
  if (!c->order || !c->order->before || is_acyclic(c, visits, n, closed)) return true;
  split_all(c, visits, n);
  return is_acyclic(c, visits, n, closed);
}

/* ---- walks ---- */

static void enter(Search *s, uint32_t in, uint32_t from_out, uint32_t depth) {
  Reach *r = &s->reach;
  if (r->entered[in] == r->stamp) return;
  r->entered[in] = r->stamp;
  r->from_out[in] = from_out;
  r->depth[in] = depth;
  vec_push(s->c->heap, &r->queue, in);
}

static void enter_from(Search *s, uint32_t out, uint32_t depth) {
  const Combine *c = s->c;
  const CombineUser *end, *user = combine_users(c, at(s, out), &end);
  s->c->steps += (uint64_t)(end - user);
  for (; user < end; user++) {
    const uint32_t in = number_of(s, user->player, user->access);
    if (!s->visited[user->player] && combine_together(c, s->root->player, user->player) && is_step(s, out, in))
      enter(s, in, out, depth);
  }
}

static void leave(Search *s, uint32_t in, uint32_t out) {
  assert(s->owner[in] == s->owner[out] && s->reach.entered[in] == s->reach.stamp);
  Reach *r = &s->reach;
  if (r->left[out] == r->stamp) return;
  r->left[out] = r->stamp;
  r->from_in[out] = in;
  enter_from(s, out, r->depth[in] + 1);
}

/* All accesses by which the player can be left, and was not yet. */
static void leave_all(Search *s, uint32_t in) {
  Reach *r = &s->reach;
  const uint32_t p = s->owner[in], x = access_of(s, in);
  const CombinePlayer *player = &s->c->players[p];
  if (!player->first) {
    for (uint32_t y = 0; y < player->n; y++)
      if (bitset_has(player->before[x], y)) leave(s, in, number_of(s, p, y));
    s->c->steps += player->n;
    return;
  }
  if (r->fresh[p] != r->stamp) r->fresh[p] = r->stamp, r->next[p] = 0;
  for (uint32_t *i = &r->next[p]; *i < player->n && player->last[s->by_last[p][*i]] >= player->first[x]; ++*i)
    leave(s, in, number_of(s, p, s->by_last[p][*i]));
}

static void reach_clear(Search *s) {
  assert(s->reach.stamp < UINT32_MAX);
  s->reach.stamp++;
  vec_clear(&s->reach.queue);
}

/* Takes the walks up to their ends; the first part of the queue, up to `done`, is through. */
static uint32_t reach_run(Search *s, uint32_t done) {
  while (done < s->reach.queue.n) leave_all(s, s->reach.queue.at[done++]);
  return done;
}

/* An access that was left, and from which the goal can be entered: that with the shortest walk; or NONE. */
static uint32_t reached_from(const Search *s, uint32_t goal) {
  const Reach *r = &s->reach;
  const CombineUser *end, *user = combine_users(s->c, at(s, goal), &end);
  uint32_t best = NONE;
  for (; user < end; user++) {
    const uint32_t out = number_of(s, user->player, user->access);
    if (r->left[out] != r->stamp || !is_step(s, out, goal)) continue;
    if (best == NONE || r->depth[r->from_in[out]] < r->depth[r->from_in[best]]) best = out;
  }
  return best;
}

/* ---- roots ---- */

/* Adds the block's roots: marks that a walk reaches from those before them. */
static void add_block_roots(Search *s, Root root) {
  assert(!s->root && root.block < s->c->players[root.player].n_blocks);
  const CombineBlock *block = &s->c->players[root.player].blocks[root.block];
  uint32_t done = 0;
  s->root = &root;
  reach_clear(s);
  for (uint32_t i = 0; i < block->n && !is_over(s); i++) {
    const uint32_t access = number_of(s, root.player, block->marks[i].access);
    root.mark = i;
    if (block->marks[i].last && reached_from(s, access) != NONE) vec_push(s->c->heap, &s->roots, root);
    if (block->marks[i].first) enter_from(s, access, 1);
    done = reach_run(s, done);
  }
  s->root = NULL;
}

static bool is_wanted(const Search *s, const CombineBlock *block) { return !bitset_has(s->c->split, block->kind); }

/* Does a walk that starts anywhere in the player's blocks come back to this one? */
static bool is_reached(const Search *s, uint32_t p, const CombineBlock *block) {
  for (uint32_t i = 0; i < block->n; i++)
    if (block->marks[i].last && reached_from(s, number_of(s, p, block->marks[i].access)) != NONE) return true;
  return false;
}

static void add_player_roots(Search *s, uint32_t p) {
  const CombinePlayer *player = &s->c->players[p];
  const Root root = {p, 0, 0, false};
  U32Vec blocks = {0};
  s->root = &root;
  reach_clear(s);
  for (uint32_t b = 0; b < player->n_blocks; b++)
    for (uint32_t i = 0; i < player->blocks[b].n && is_wanted(s, &player->blocks[b]); i++)
      if (player->blocks[b].marks[i].first) enter_from(s, number_of(s, p, player->blocks[b].marks[i].access), 1);
  reach_run(s, 0);
  for (uint32_t b = 0; b < player->n_blocks; b++)
    if (is_wanted(s, &player->blocks[b]) && is_reached(s, p, &player->blocks[b])) vec_push(s->c->heap, &blocks, b);
  s->root = NULL;
  for (uint32_t i = 0; i < blocks.n && !is_over(s); i++) add_block_roots(s, (Root){p, blocks.at[i], 0, false});
  vec_fini(s->c->heap, &blocks);
}

/* ---- search ---- */

/* By what the last visit of the path can be left. */
static void collect_outs(Search *s, U32Vec *outs) {
  const CombineVisit *top = &vec_last(&s->path);
  const CombinePlayer *player = &s->c->players[top->player];
  vec_clear(outs);
  if (s->path.n > 1) {
    for (uint32_t y = 0; y < player->n; y++)
      if (combine_before(player, top->in, y)) vec_push(s->c->heap, outs, number_of(s, top->player, y));
    return;
  }
  const CombineMark *marks = player->blocks[s->root->block].marks;
  for (uint32_t i = 0; i < s->root->mark; i++)
    if (marks[i].first) vec_push(s->c->heap, outs, number_of(s, top->player, marks[i].access));
}

/* Puts the visits of the walk after the path, whose last visit it leaves first. */
static void append_walk(Search *s, uint32_t last_out) {
  assert(s->path.n > 0 && s->reach.left[last_out] == s->reach.stamp);
  const Reach *r = &s->reach;
  const uint32_t n = s->path.n;
  uint32_t out = last_out;
  while (r->from_in[out] != NONE) {
    const uint32_t in = r->from_in[out];
    vec_push(s->c->heap, &s->path, ((CombineVisit){s->owner[in], access_of(s, in), access_of(s, out), COMBINE_NONE}));
    out = r->from_out[in];
  }
  s->path.at[n - 1].out = access_of(s, out);
  for (uint32_t i = n, j = s->path.n; i + 1 < j; i++) {
    const CombineVisit visit = s->path.at[i];
    s->path.at[i] = s->path.at[--j];
    s->path.at[j] = visit;
  }
}

static bool are_distinct(const Search *s) {
  for (uint32_t i = 0; i < s->path.n; i++)
    for (uint32_t j = 0; j < i; j++)
      if (!combine_together(s->c, s->path.at[i].player, s->path.at[j].player)) return false;
  return true;
}

static bool accept(Search *s) {
  return are_distinct(s) && can_be_ordered(s->c, s->path.at, s->path.n, true) &&
         combine_report(s->c, s->path.at, s->path.n);
}

/* One of the steps that come next: leaving by `out`, which is of that stage. */
typedef struct {
  uint32_t in, stage, out;
  uint64_t first;
} Step;

typedef VEC(Step) StepVec;

static int by_effect(const void *a, const void *b) {
  const Step *x = a, *y = b;
  if (x->first != y->first) return x->first < y->first ? -1 : 1;
  if (x->in != y->in) return x->in < y->in ? -1 : 1;
  return (x->stage > y->stage) - (x->stage < y->stage);
}

/* All that differ in what they lead to: the access entered and, for the order of events, the stage that was left. */
static void collect_steps(Search *s, const U32Vec *outs, StepVec *steps) {
  const Combine *c = s->c;
  for (uint32_t o = 0; o < outs->n; o++) {
    const CombineAccess *out = at(s, outs->at[o]);
    const CombineUser *end, *user = combine_users(c, out, &end);
    for (; user < end; user++) {
      const uint32_t in = number_of(s, user->player, user->access);
      if (s->visited[user->player] || !is_step(s, outs->at[o], in)) continue;
      const uint64_t *first = c->players[user->player].first;
      vec_push(c->heap, steps, ((Step){in, out->stage, outs->at[o], first ? first[user->access] : 0}));
    }
  }
  if (steps->n) qsort(steps->at, steps->n, sizeof *steps->at, by_effect);
  uint32_t n = 0;
  for (uint32_t i = 0; i < steps->n; i++)
    if (n == 0 || steps->at[n - 1].in != steps->at[i].in || steps->at[n - 1].stage != steps->at[i].stage)
      steps->at[n++] = steps->at[i];
  steps->n = n;
}

/* The player of the last visit of the path, and alternatives of its thread, cannot be visited, or can again. */
static void block_players(Search *s, bool block) {
  const uint32_t p = vec_last(&s->path).player;
  for (uint32_t q = 0; q < s->c->n; q++)
    if (!combine_together(s->c, p, q)) s->visited[q] += block ? 1 : UINT32_MAX;
}

static bool search(Search *s);

/* Takes the step, and searches on. */
static bool take(Search *s, const Step *step) {
  const uint32_t x = access_of(s, step->in);
  const uint32_t n = s->path.n;
  vec_last(&s->path).out = access_of(s, step->out);
  vec_push(s->c->heap, &s->path, ((CombineVisit){s->owner[step->in], x, x, COMBINE_NONE}));
  bool found = false;
  if (can_be_ordered(s->c, s->path.at, s->path.n, false)) {
    for (uint32_t i = 1; i <= n; i++) s->path.at[i].block = COMBINE_NONE;
    block_players(s, true);
    found = search(s);
    s->path.n = n + 1;
    block_players(s, false);
  }
  for (uint32_t i = 1; i < n; i++) s->path.at[i].block = COMBINE_NONE;
  s->path.n = n;
  return found;
}

/* Enters player 0 at once. */
static bool close(Search *s, const U32Vec *outs) {
  if (s->path.n < 3) return false;
  for (uint32_t i = 0; i < outs->n; i++) {
    if (!is_step(s, outs->at[i], s->goal)) continue;
    vec_last(&s->path).out = access_of(s, outs->at[i]);
    for (uint32_t j = 1; j < s->path.n; j++) s->path.at[j].block = COMBINE_NONE;
    if (accept(s)) return true;
  }
  return false;
}

/* The shortest walk from here, which must fit. False if it is no cycle; *hopeless if there is none that fits. */
static bool try_walk(Search *s, const U32Vec *outs, bool *hopeless) {
  const uint32_t n = s->path.n;
  reach_clear(s);
  for (uint32_t i = 0; i < outs->n; i++) {
    s->reach.from_in[outs->at[i]] = NONE;
    enter_from(s, outs->at[i], n);
  }
  reach_run(s, 0);
  const uint32_t out = reached_from(s, s->goal);
  *hopeless = out == NONE || s->reach.depth[s->reach.from_in[out]] >= s->bound;
  if (out != NONE && *hopeless && s->reach.depth[s->reach.from_in[out]] < s->next_bound)
    s->next_bound = s->reach.depth[s->reach.from_in[out]] + 1;
  if (*hopeless) return false;
  append_walk(s, out);
  const bool found = s->path.n >= 3 && accept(s);
  s->path.n = n;
  return found;
}

static bool search_steps(Search *s, const U32Vec *outs) {
  StepVec steps = {0};
  bool found = false;
  collect_steps(s, outs, &steps);
  for (uint32_t i = 0; i < steps.n && !found && !is_over(s); i++) found = take(s, &steps.at[i]);
  vec_fini(s->c->heap, &steps);
  return found;
}

/* Completes the path to a cycle of at most `bound` players. */
static bool search(Search *s) {
  U32Vec outs = {0};
  bool hopeless = false;
  collect_outs(s, &outs);
  s->c->steps += outs.n;
  bool found = close(s, &outs);
  if (!found) found = try_walk(s, &outs, &hopeless);
  if (!found && !hopeless && s->path.n < s->bound && !is_over(s)) found = search_steps(s, &outs);
  vec_fini(s->c->heap, &outs);
  return found;
}

static bool search_root(Search *s, const Root *root) {
  const CombineBlock *block = &s->c->players[root->player].blocks[root->block];
  const uint32_t x = block->marks[root->mark].access;
  s->root = root;
  s->goal = number_of(s, root->player, x);
  memset(s->visited, 0, s->c->n * sizeof *s->visited);
  vec_clear(&s->path);
  vec_push(s->c->heap, &s->path, ((CombineVisit){root->player, x, x, root->block}));
  block_players(s, true);
  return search(s);
}

static void search_roots(Search *s) {
  const bool all = s->c->options.all;
  const uint32_t most = s->c->options.max_threads ? s->c->options.max_threads : NONE - 1;
  for (s->bound = 3; s->bound <= most && !is_over(s); s->bound = s->next_bound) {
    s->next_bound = NONE;
    for (uint32_t i = 0; i < s->roots.n && !is_over(s); i++) {
      Root *root = &s->roots.at[i];
      if (is_wanted(s, &s->c->players[root->player].blocks[root->block]) && search_root(s, root) && !all) return;
    }
  }
}

/* ---- setting up ---- */

static int by_key(uint32_t a, uint32_t b, const void *keys) {
  const uint64_t x = ((const uint64_t *)keys)[a], y = ((const uint64_t *)keys)[b];
  return (x < y) - (x > y);
}

static uint32_t *sorted_by_last(Arena *arena, const CombinePlayer *player) {
  uint32_t *order = arena_zeroed(arena, player->n, sizeof *order);
  for (uint32_t x = 0; x < player->n; x++) order[x] = x;
  sort_numbers(order, player->n, by_key, player->last);
  return order;
}

static void set_up(Search *s, Arena *arena) {
  const Combine *c = s->c;
  uint32_t n = 0;
  s->offset = arena_zeroed(arena, c->n, sizeof *s->offset);
  s->by_last = arena_zeroed(arena, c->n, sizeof *s->by_last);
  s->visited = arena_zeroed(arena, c->n, sizeof *s->visited);
  for (uint32_t p = 0; p < c->n; n += c->players[p++].n) {
    s->offset[p] = n;
    if (c->players[p].first) s->by_last[p] = sorted_by_last(arena, &c->players[p]);
  }
  s->owner = arena_zeroed(arena, n, sizeof *s->owner);
  for (uint32_t p = 0; p < c->n; p++)
    for (uint32_t x = 0; x < c->players[p].n; x++) s->owner[s->offset[p] + x] = p;
  uint32_t **const per_access[] = {&s->reach.entered, &s->reach.left, &s->reach.depth, &s->reach.from_out,
                                   &s->reach.from_in};
  for (size_t i = 0; i < sizeof per_access / sizeof *per_access; i++)
    *per_access[i] = arena_zeroed(arena, n, sizeof(uint32_t));
  s->reach.fresh = arena_zeroed(arena, c->n, sizeof(uint32_t));
  s->reach.next = arena_zeroed(arena, c->n, sizeof(uint32_t));
}

void combine_longer(Combine *c) {
  Search s = {.c = c};
  Arena arena;
  arena_init(&arena, c->heap);
  set_up(&s, &arena);
  for (uint32_t p = 0; p < c->n && !is_over(&s); p++) add_player_roots(&s, p);
  if (!is_over(&s)) search_roots(&s);
  vec_fini(c->heap, &s.reach.queue);
  vec_fini(c->heap, &s.roots);
  vec_fini(c->heap, &s.path);
  arena_fini(&arena);
}
