#include "ask/stages.h"

#include "ask/gaps.h"
#include "ask/units.h"
#include "base/vec.h"
#include "petri/starters.h"

#include <string.h>

/* ---- proofs ---- */

static bool is_open(const Question *q, uint32_t i) { return q->result->blocks[i].verdict == VERDICT_UNKNOWN; }

static const BlockProof *proof_of(const Question *q, uint32_t i) {
  return &q->proofs->blocks[q->result->blocks[i].block];
}

static void take_proof(Question *q, uint32_t i) {
  const BlockProof *proof = proof_of(q, i);
  if (proof->kind == PROVED_NOT) return;
  question_decide(q, i, VERDICT_HOLDS,
                  proof->is_dead ? "proved: no possible step begins it"
                                 : arena_format(&q->result->arena, "proved by %s", proof->words));
  q->result->blocks[i].is_proved = true;
  q->result->blocks[i].is_of_any_number = proof->is_of_any_number;
  if (proof->is_dead) q->result->blocks[i].entered = ENTERED_NEVER;
}

/* Of a net that is not the whole program no more can be said than that a block is violated, and that takes long where
 * the net is large: there it is tried with few events, by what short proofs have left open, and where it is huge not at
 * all, unless the user says how many. */
enum { LARGE_WITH_GAPS = 4000, HUGE_WITH_GAPS = 16000 /* transitions */ };

static bool is_for_few_events(const Question *q) {
  return gaps_any(q->net, GAPS_OF_EVENTS) && q->net->n_trans > LARGE_WITH_GAPS && !q->limits->max_events;
}

bool stages_any(const Question *q) { return !is_for_few_events(q) || q->net->n_trans <= HUGE_WITH_GAPS; }

bool stages_prove(Question *q) {
  const unsigned tries = is_for_few_events(q) ? q->options->tries & TRY_MOVERS : q->options->tries;
  const ProveOptions options = {.movers = tries & TRY_MOVERS,
                                .environment = tries & TRY_ENVIRONMENT,
                                .pairs = tries & TRY_PAIRS,
                                .slice = tries & TRY_SLICE,
                                .blocks = q->options->colour.blocks,
                                .every = q->options->every,
                                .certificate = q->options->certificate};
  question_begin_proof(q);
  q->proofs = prove_net(q->heap, q->net, &options);
  question_end_proof(q);
  for (uint32_t i = 0; i < q->result->n_blocks; i++) take_proof(q, i);
  return true;
}

/* ---- the threads of a chain ---- */

/* So many events may be spent on the threads of one chain, which need not show anything. */
enum { CHAIN_EVENTS = 1 << 14 };

/* "found with T1, T7 alone; " */
static const char *words_of_chain(Question *q, const uint32_t *threads, uint32_t n) {
  enum { MOST = 8 };
  Arena *arena = &q->result->arena;
  const char *names = "";
  for (uint32_t i = 0; i < n && i < MOST; i++)
    names = arena_format(arena, "%s%s%s", names, i ? ", " : "", q->net->notes->threads[threads[i]].name);
  return arena_format(arena, "found with thread%s %s%s alone; ", n == 1 ? "" : "s", names, n > MOST ? ", ..." : "");
}

static bool try_threads(Question *q, uint32_t block, const uint32_t *threads, uint32_t n) {
  const UnfoldingPlan plan = {.threads = threads,
                              .n_threads = n,
                              .max_events = CHAIN_EVENTS,
                              .stop_at_first = true,
                              .words = words_of_chain(q, threads, n)};
  q->chosen[block] = true;
  const bool good = unfolding_decide(q, &plan);
  q->chosen[block] = false;
  return good;
}

/* A unit of ask/units.h: block i. The threads of a chain may be such as others have to start. */
static bool try_chain(Question *q, void *argument, uint32_t i) {
  (void)argument;
  const BlockProof *proof = proof_of(q, i);
  const uint32_t block = q->result->blocks[i].block;
  if (!is_open(q, i) || !proof->n_chain) return true;
  if (!try_threads(q, block, proof->chain, proof->n_chain)) return false;
  if (!is_open(q, i)) return true;
  U32Vec more = starters_with(q->heap, q->net, proof->chain, proof->n_chain);
  const bool is_part = more.n > proof->n_chain && more.n < q->net->notes->n_threads;
  const bool good = !is_part || try_threads(q, block, more.at, more.n);
  vec_fini(q->heap, &more);
  return good;
}

bool stages_try_chains(Question *q) {
  U32Vec units = {0};
  for (uint32_t i = 0; i < q->result->n_blocks; i++)
    if (is_open(q, i) && proof_of(q, i)->n_chain) vec_push(q->heap, &units, i);
  const bool good = units_run(q, try_chain, NULL, units.at, units.n);
  vec_fini(q->heap, &units);
  return good;
}

/* ---- what is left ---- */

/* The blocks that need the same threads. */
typedef struct {
  const uint32_t *threads; /* NULL: not known, so the whole net */
  uint32_t n_threads;
  uint32_t first; /* its first block */
  bool has_ends;  /* some of these threads end */
  bool is_split;  /* one of its blocks is violated: the others go one by one */
} Group;

#define NO_GROUP UINT32_MAX

typedef struct {
  VEC(Group) groups;
  uint32_t *group_of;  /* per block of the result: NO_GROUP if it was decided before */
  uint64_t max_events; /* of each unfolding in this round */
  bool is_only;        /* there is no further round */
  bool is_last;        /* one unfolding alone is left to be made */
} Rest;

static uint32_t group_for(Question *q, Rest *rest, uint32_t i) {
  const BlockProof *proof = q->proofs ? proof_of(q, i) : &(BlockProof){0};
  const uint32_t n = proof->n_slice;
  for (uint32_t g = 0; g < rest->groups.n; g++) {
    const Group *group = &rest->groups.at[g];
    if (group->n_threads != n || !group->threads != !proof->slice) continue;
    if (!n || !memcmp(group->threads, proof->slice, n * sizeof *proof->slice)) return g;
  }
  const bool has_ends = n && subnet_has_ends(q->heap, q->net, proof->slice, n);
  vec_push(q->heap, &rest->groups, ((Group){proof->slice, n, i, has_ends, false}));
  return rest->groups.n - 1;
}

static bool is_whole(const Question *q, const Group *group) {
  return !group->threads || group->n_threads == q->net->notes->n_threads;
}

static void group_blocks(Question *q, Rest *rest) {
  rest->group_of = heap_alloc(q->heap, heap_product(q->heap, (uint64_t)q->result->n_blocks + 1, sizeof(uint32_t)));
  for (uint32_t i = 0; i < q->result->n_blocks; i++) {
    rest->group_of[i] = is_open(q, i) ? group_for(q, rest, i) : NO_GROUP;
    if (rest->group_of[i] == NO_GROUP) continue;
    q->given_up[i] = q->options->never_whole && is_whole(q, &rest->groups.at[rest->group_of[i]]);
  }
}

static bool is_left(const Question *q, uint32_t i) { return is_open(q, i) && !q->given_up[i]; }

/* "sliced to 2 of 200 threads; threads that end start over; " */
static const char *words_of_slice(Question *q, const Group *group, bool closed) {
  const char *ends = closed ? "threads that end start over; " : "";
  if (is_whole(q, group)) return ends;
  return arena_format(&q->result->arena, "sliced to %u of %u threads; %s", group->n_threads, q->net->notes->n_threads,
                      ends);
}

/* Chooses the open blocks among first .. last of the group. How many they are. */
static uint32_t choose(Question *q, const Rest *rest, uint32_t g, uint32_t first, uint32_t last) {
  uint32_t n = 0;
  for (uint32_t k = first; k <= last; k++) {
    if (!is_left(q, k) || rest->group_of[k] != g) continue;
    q->chosen[q->result->blocks[k].block] = true;
    n++;
  }
  return n;
}

/* Chooses none; gives up those that more events would not decide, and the closing of those that it has failed for. */
static void settle(Question *q, uint32_t first, uint32_t last) {
  for (uint32_t k = first; k <= last; k++) {
    bool *chosen = &q->chosen[q->result->blocks[k].block];
    if (*chosen && is_open(q, k) && q->outcome == UNFOLDING_ENDED) q->given_up[k] = true;
    if (*chosen && q->outcome == UNFOLDING_ADDED) q->is_loose[k] = true;
    *chosen = false;
  }
}

/* Unfolds for the open blocks among first .. last of the group. */
static bool unfold_blocks(Question *q, const Rest *rest, uint32_t first, uint32_t last, uint64_t max_events,
                          bool closed) {
  const uint32_t g = rest->group_of[first];
  const Group *group = &rest->groups.at[g];
  const UnfoldingPlan plan = {.threads = is_whole(q, group) && !closed ? NULL : group->threads,
                              .n_threads = group->n_threads,
                              .closed = closed,
                              .is_enough = true,
                              .max_events = max_events,
                              .stop_at_first = q->options->tries != 0,
                              .words = words_of_slice(q, group, closed)};
  if (!choose(q, rest, g, first, last)) return true;
  const bool good = unfolding_decide(q, &plan);
  settle(q, first, last);
  return good;
}

/* First with the threads that end closed: that may be much smaller, but not all that it shows is true. */
static bool unfold_both_ways(Question *q, const Rest *rest, uint32_t first, uint32_t last) {
  const bool closes = rest->groups.at[rest->group_of[first]].has_ends && !q->is_loose[first];
  if (closes && !unfold_blocks(q, rest, first, last, rest->max_events, true)) return false;
  if ((closes && q->outcome == UNFOLDING_STOPPED) || question_is_over(q)) return true;
  const bool is_free = rest->is_last && (!closes || q->is_loose[first]);
  return unfold_blocks(q, rest, first, last, is_free ? 0 : rest->max_events, false);
}

/* Units: a whole group, by its first block; and a block of a group that was split. */
static bool unfold_group(Question *q, void *argument, uint32_t i) {
  return unfold_both_ways(q, argument, i, q->result->n_blocks - 1);
}

static bool unfold_one(Question *q, void *argument, uint32_t i) {
  return !is_left(q, i) || unfold_both_ways(q, argument, i, i);
}

/* The blocks by which what is left goes: of each group that is not split the first one, or all of those that are. */
static void list_units(Question *q, Rest *rest, bool split, U32Vec *units) {
  vec_clear(units);
  for (uint32_t i = 0; i < q->result->n_blocks; i++) {
    if (!is_left(q, i)) continue;
    Group *group = &rest->groups.at[rest->group_of[i]];
    if (group->is_split != split) continue;
    if (!split && group->first < i && is_left(q, group->first)) continue; /* it goes with that one */
    if (!split) group->first = i;
    vec_push(q->heap, units, i);
  }
}

static void split_groups(const Question *q, Rest *rest) {
  for (uint32_t i = 0; i < q->result->n_blocks; i++)
    if (rest->group_of[i] != NO_GROUP && q->result->blocks[i].verdict == VERDICT_VIOLATED)
      rest->groups.at[rest->group_of[i]].is_split = q->options->tries != 0;
}

/* In all unfoldings together of a large net with gaps, each of which looks at all transitions first. */
enum { FEW_EVENTS = 1 << 17, MOST_LOOKS = 10000000 };

static bool run_units(Question *q, Unit *unit, Rest *rest, const U32Vec *units) {
  const uint64_t most = rest->max_events, share = units->n ? FEW_EVENTS / units->n + 1 : most;
  const bool few = is_for_few_events(q);
  if (few && (uint64_t)units->n * q->net->n_trans > MOST_LOOKS) return true;
  if (few && share < most) rest->max_events = share;
  const bool good = units_run(q, unit, rest, units->at, units->n);
  rest->max_events = most;
  return good;
}

/* All that is left of groups, then the blocks of those that are split. False if the run has failed. */
static bool unfold_round(Question *q, Rest *rest, U32Vec *units, bool *any) {
  list_units(q, rest, true, units);
  const uint32_t n_split = units->n;
  list_units(q, rest, false, units);
  const uint32_t n_whole = units->n;
  *any = n_split || n_whole;
  rest->is_last = n_split + n_whole == 1 && !rest->is_only;
  if (!run_units(q, unfold_group, rest, units)) return false;
  split_groups(q, rest);
  list_units(q, rest, true, units);
  rest->is_last = units->n == 1 && !n_whole && !rest->is_only;
  return run_units(q, unfold_one, rest, units);
}

/* The events of each unfolding in the first round; in each further one there are so many times more. A net that is not
 * the whole program has one round, a short one: no more can be said of a block than that it is violated. An event takes
 * the longer, the larger the net is. */
enum { FIRST_ROUND = 1 << 16, NEXT_ROUND = 4, ONLY_ROUND = 1 << 14 };

bool stages_unfold(Question *q) {
  const bool has_gaps = gaps_any(q->net, GAPS_OF_EVENTS);
  Rest rest = {.max_events = has_gaps ? ONLY_ROUND : FIRST_ROUND, .is_only = q->options->never_whole || has_gaps};
  if (is_for_few_events(q)) rest.max_events = (uint64_t)ONLY_ROUND * LARGE_WITH_GAPS / q->net->n_trans + 1;
  U32Vec units = {0};
  bool good = true, any = true;
  group_blocks(q, &rest);
  for (; good && any && !question_is_over(q); rest.max_events *= NEXT_ROUND) {
    good = unfold_round(q, &rest, &units, &any);
    if (rest.is_only) break;
  }
  vec_fini(q->heap, &units);
  vec_fini(q->heap, &rest.groups);
  heap_release(q->heap, rest.group_of);
  return good;
}
