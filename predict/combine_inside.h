/* combine_inside.h: what combine.c and the search for longer cycles share. */
#ifndef PREDICT_COMBINE_INSIDE_H
#define PREDICT_COMBINE_INSIDE_H

#include "base/arena.h"
#include "base/slots.h"
#include "predict/combine.h"

/* An access, and whose it is. */
typedef struct {
  uint32_t player, access;
} CombineUser;

struct Combine {
  Heap *heap;
  const CombinePlayer *players;
  uint32_t n;
  const CombineOrder *order;
  PredictOptions options;
  CombineUser *users;   /* by object; those who write it first, then by player */
  uint32_t *users_from; /* per object two: where those who write begin, and those who read; and one more */
  uint32_t n_kinds;
  uint64_t *split; /* a set: kinds of blocks that a cycle has split */
  Arena arena;
  VEC(CombineCycle) cycles;
  HashSlots pairs; /* of the cycles of two */
  uint64_t steps;  /* of the search for longer cycles */
  bool partial;    /* the budget was used up, or the heap is asked to stop */
  bool refused;    /* a cycle was */
};

/* Access number `access` of player number `player`. */
static inline const CombineAccess *combine_access(const Combine *c, uint32_t player, uint32_t access) {
  return &c->players[player].accesses[access];
}

/* The same object, and one of the two writes? */
static inline bool combine_conflict(const CombineAccess *a, const CombineAccess *b) {
  return a->object == b->object && (a->write || b->write);
}

/* The accesses that conflict with this one: for (user = combine_users(c, access, &end); user < end; user++). */
static inline const CombineUser *combine_users(const Combine *c, const CombineAccess *access, const CombineUser **end) {
  const uint32_t *from = &c->users_from[2 * (size_t)access->object];
  *end = c->users + from[access->write ? 2 : 1];
  return c->users + from[0];
}

/* before(x, y) of predict/combine.h. */
static inline bool combine_before(const CombinePlayer *player, uint32_t x, uint32_t y) {
  return player->first ? player->first[x] <= player->last[y] : bitset_has(player->before[x], y);
}

/* Can both be in one cycle? */
static inline bool combine_together(const Combine *c, uint32_t p, uint32_t q) {
  return p != q && (c->players[p].name != c->players[q].name || c->players[p].run == c->players[q].run);
}

/* Can p's access come before q's? */
static inline bool combine_may_precede(const Combine *c, uint32_t p, uint32_t access, uint32_t q, uint32_t later) {
  if (!c->order || !c->order->before) return true;
  const uint32_t stage = combine_access(c, p, access)->stage;
  return combine_access(c, q, later)->stage >= c->order->before(c->order->state, p, stage, q);
}

/* Reports it, if it is possible, and new. The visits are copied. */
bool combine_report(Combine *c, const CombineVisit *visits, uint32_t n);

/* The cycles of more than two. */
void combine_longer(Combine *c);

#endif
