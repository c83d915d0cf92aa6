/* combine.h: a cycle of transactions out of what each thread can do: the combination of profiles (A. Farzan and P.
 * Madhusudan, "The complexity of predicting atomicity violations", TACAS 2009, section 3), for threads of a run and of
 * a program alike.
 *
 * A player is a thread, described by two relations on its accesses:
 *   before(x, y): it can have x in a transaction, and y in the same one, or in a later one;
 *   split(y, x):  it can have y before x in one transaction.
 * What is looked for is a cycle of distinct players: each is entered by an access `in` and left by an access `out`,
 * before(in, out); each out conflicts with the next in (the same object, one of them writes); player 0 is split:
 * split(out, in). Pairs of players are found in time linear in the blocks, for each player that shares an object.
 * Whether there is a longer cycle is NP-complete: what no closed walk goes through is dropped first, then walks are
 * tried, shortest first, up to a budget. */
#ifndef PREDICT_COMBINE_H
#define PREDICT_COMBINE_H

#include "base/heap.h"
#include "predict/cycle.h"
#include "predict/thread_profiles.h"

#define COMBINE_NONE UINT32_MAX

/* An access of a player. */
typedef struct {
  uint32_t object;
  uint32_t place; /* pairs that differ in their places are different violations */
  uint32_t stage; /* of the player, for CombineOrder: accesses of one stage have the same order to all other players;
                     else 0 */
  bool write;
} CombineAccess;

/* Accesses in the order in which a transaction can have them: split(y, x) iff some block has y at a mark with `first`,
 * and after it x at one with `last`. */
typedef struct {
  uint32_t access;
  bool first, last;
} CombineMark;

/* A kind of transaction of a player, with its accesses in order. */
typedef struct {
  uint32_t n;
  const CombineMark *marks;
  uint32_t kind; /* with `all`: what kind of transaction it is; longer cycles are looked for once for each kind */
} CombineBlock;

/* A player. The arrays are its maker's. */
typedef struct {
  uint32_t name; /* players with the same name in different runs are alternatives: at most one run's are in a cycle */
  uint32_t run;
  uint32_t n; /* accesses, distinct in all that they have */
  const CombineAccess *accesses;
  const uint64_t *first, *last; /* before(x, y) iff first[x] <= last[y]; or NULL, and */
  uint64_t *const *before;      /* n rows of n bits: y in before[x] */
  uint32_t n_blocks;
  const CombineBlock *blocks;
} CombinePlayer;

/* `in` is entered before or after `out` is left. */
typedef struct {
  uint32_t player;
  uint32_t in, out; /* accesses */
  uint32_t block;   /* out comes before in, in this block; COMBINE_NONE: before(in, out). In visit 0 it is a block */
} CombineVisit;

/* The way leads from `out` of a visit to `in` of the next one, from the last to the first. */
typedef struct {
  uint32_t n;
  CombineVisit *visits;
} CombineCycle;

/* The order of events that every run keeps (fork and join). Stages of a player are numbered from 0, each comes before
 * the next one. */
typedef struct {
  void *state;
  /* How many stages of `other`, from its first one, come before the stage of the player. NULL: always 0. */
  uint32_t (*before)(void *state, uint32_t player, uint32_t stage, uint32_t other);
  /* The last word on a cycle that is to be reported. One that is refused makes the verdict VERDICT_UNKNOWN, if no other
   * is found. May be NULL. */
  bool (*is_possible)(void *state, const CombineCycle *cycle);
} CombineOrder;

/* A search for cycles among some players. */
typedef struct Combine Combine;

/* With options->all: each pair of different places, then a longer cycle per kind of block not yet split; else a
 * shortest one. The budget is for longer cycles. The players and the order are the caller's, and stay as they are.
 * `order` may be NULL: there is none. */
Combine *combine_new(Heap *heap, const CombinePlayer *players, uint32_t n, const CombineOrder *order,
                     const PredictOptions *options);
void combine_free(Combine *combine); /* NULL is allowed */

/* Looks for cycles, once. */
Verdict combine_run(Combine *combine);

/* Those that were found, valid until combine_free. */
const CombineCycle *combine_cycles(const Combine *combine, uint32_t *n);

/* Was the budget used up; was a cycle refused? In both cases there may be more than was found. */
bool combine_is_partial(const Combine *combine);
bool combine_has_refused(const Combine *combine);

/* The player of a thread of a program, to be given back by combine_player_release; it refers to the profiles. Each
 * access is a kind of block: of those in which it comes first. */
CombinePlayer combine_player(Heap *heap, const ThreadProfiles *profiles);
void combine_player_release(Heap *heap, CombinePlayer *player);

#endif
