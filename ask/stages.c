#include "ask/stages.h"

#include "base/vec.h"

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
                  proof->is_dead ? "proved: no step that can be taken begins it"
                                 : arena_format(&q->result->arena, "proved by %s", proof->words));
  q->result->blocks[i].is_proved = true;
  if (proof->is_dead) q->result->blocks[i].entered = ENTERED_NEVER;
}

bool stages_prove(Question *q) {
  const unsigned tries = q->options->tries;
  const ProveOptions options = {.movers = tries & TRY_MOVERS,
                                .environment = tries & TRY_ENVIRONMENT,
                                .pairs = tries & TRY_PAIRS,
                                .slice = tries & TRY_SLICE,
                                .blocks = q->options->colour.blocks,
                                .certificate = q->options->certificate};
  q->proofs = prove_net(q->heap, q->net, &options);
  for (uint32_t i = 0; i < q->result->n_blocks; i++) take_proof(q, i);
  return true;
}

/* ---- the threads of a chain ---- */

/* So many events may be spent on the threads of one chain, which need not show anything. */
enum { CHAIN_EVENTS = 1 << 14 };

/* "found with T1, T7 alone; " */
static const char *words_of_chain(Question *q, const BlockProof *proof) {
  enum { MOST = 8 };
  Arena *arena = &q->result->arena;
  const char *names = "";
  for (uint32_t i = 0; i < proof->n_chain && i < MOST; i++)
    names = arena_format(arena, "%s%s%s", names, i ? ", " : "", q->net->notes->threads[proof->chain[i]].name);
  const char *more = proof->n_chain > MOST ? ", ..." : "";
  return arena_format(arena, "found with thread%s %s%s alone; ", proof->n_chain == 1 ? "" : "s", names, more);
}

static bool try_chain(Question *q, uint32_t i) {
  const BlockProof *proof = proof_of(q, i);
  const UnfoldingPlan plan = {.threads = proof->chain,
                              .n_threads = proof->n_chain,
                              .max_events = CHAIN_EVENTS,
                              .stop_at_first = true,
                              .words = words_of_chain(q, proof)};
  const uint32_t block = q->result->blocks[i].block;
  q->chosen[block] = true;
  const bool good = unfolding_decide(q, &plan);
  q->chosen[block] = false;
  return good;
}

bool stages_try_chains(Question *q) {
  for (uint32_t i = 0; i < q->result->n_blocks && !question_is_over(q); i++)
    if (is_open(q, i) && proof_of(q, i)->n_chain && !try_chain(q, i)) return false;
  return true;
}

/* ---- what is left ---- */

/* The blocks that need the same threads. */
typedef struct {
  const uint32_t *threads; /* NULL: not known, so the whole net */
  uint32_t n_threads;
  bool has_ends;   /* threads among them end, and closing them has not failed yet */
  bool one_by_one; /* one of its blocks is violated */
  uint32_t n_open; /* blocks that are still to be decided */
} Group;

#define NO_GROUP UINT32_MAX

typedef struct {
  Question *q;
  VEC(Group) groups;
  uint32_t *group_of; /* per block of the result: NO_GROUP if it is decided, or given up */
} Rest;

static uint32_t group_for(Rest *rest, const uint32_t *threads, uint32_t n_threads) {
  for (uint32_t g = 0; g < rest->groups.n; g++) {
    const Group *group = &rest->groups.at[g];
    if (group->n_threads == n_threads && (!n_threads || !memcmp(group->threads, threads, n_threads * sizeof *threads)))
      return g;
  }
  const bool has_ends = n_threads && subnet_has_ends(rest->q->heap, rest->q->net, threads, n_threads);
  vec_push(rest->q->heap, &rest->groups, ((Group){threads, n_threads, has_ends, false, 0}));
  return rest->groups.n - 1;
}

static void group_blocks(Rest *rest) {
  const Question *q = rest->q;
  rest->group_of = heap_alloc(q->heap, heap_product(q->heap, (uint64_t)q->result->n_blocks + 1, sizeof(uint32_t)));
  for (uint32_t i = 0; i < q->result->n_blocks; i++) {
    rest->group_of[i] = NO_GROUP;
    if (!is_open(q, i)) continue;
    const BlockProof *proof = q->proofs ? proof_of(q, i) : &(BlockProof){0};
    rest->group_of[i] = group_for(rest, proof->slice, proof->n_slice);
    rest->groups.at[rest->group_of[i]].n_open++;
  }
}

static bool is_whole(const Question *q, const Group *group) {
  return !group->threads || group->n_threads == q->net->notes->n_threads;
}

/* "sliced to 2 of 200 threads; threads that end begin anew; " */
static const char *words_of_slice(Question *q, const Group *group, bool closed) {
  const char *ends = closed ? "threads that end begin anew; " : "";
  if (is_whole(q, group)) return ends;
  return arena_format(&q->result->arena, "sliced to %u of %u threads; %s", group->n_threads, q->net->notes->n_threads,
                      ends);
}

/* Chooses block i and, unless its group goes one by one, the others of its group. */
static void choose(const Rest *rest, uint32_t i) {
  Question *q = rest->q;
  const uint32_t g = rest->group_of[i];
  const bool one = rest->groups.at[g].one_by_one;
  for (uint32_t k = one ? i : 0; k < (one ? i + 1 : q->result->n_blocks); k++)
    if (rest->group_of[k] == g) q->chosen[q->result->blocks[k].block] = true;
}

/* Takes those out that are decided, and those that more events would not decide; and chooses none. */
static void settle(Rest *rest, uint32_t g) {
  Question *q = rest->q;
  for (uint32_t k = 0; k < q->result->n_blocks; k++) {
    bool *chosen = &q->chosen[q->result->blocks[k].block];
    if (!*chosen) continue;
    *chosen = false;
    if (q->result->blocks[k].verdict == VERDICT_VIOLATED) rest->groups.at[g].one_by_one = true;
    if (is_open(q, k) && q->outcome != UNFOLDING_ENDED) continue; /* there is more to be known */
    rest->group_of[k] = NO_GROUP;
    rest->groups.at[g].n_open--;
  }
}

static bool unfold_group(Rest *rest, uint32_t i, uint64_t max_events, bool closed) {
  Question *q = rest->q;
  const uint32_t g = rest->group_of[i];
  const Group *group = &rest->groups.at[g];
  const UnfoldingPlan plan = {.threads = is_whole(q, group) && !closed ? NULL : group->threads,
                              .n_threads = group->n_threads,
                              .closed = closed,
                              .is_enough = true,
                              .max_events = max_events,
                              .stop_at_first = q->options->tries != 0,
                              .words = words_of_slice(q, group, closed)};
  choose(rest, i);
  const bool good = unfolding_decide(q, &plan);
  if (q->outcome == UNFOLDING_ADDED) rest->groups.at[g].has_ends = false;
  settle(rest, g);
  return good;
}

/* So many unfoldings are still to be made, as far as is known. */
static uint32_t count_left(const Rest *rest) {
  uint32_t n = 0;
  for (uint32_t g = 0; g < rest->groups.n; g++)
    n += rest->groups.at[g].one_by_one ? rest->groups.at[g].n_open : rest->groups.at[g].n_open > 0;
  return n;
}

/* Block i, until it is decided or cut: a group of several is stopped where one of them is violated. */
static bool unfold_block(Rest *rest, uint32_t i, uint64_t max_events, bool closed) {
  bool good;
  do good = unfold_group(rest, i, max_events, closed);
  while (good && rest->group_of[i] != NO_GROUP && rest->q->outcome == UNFOLDING_STOPPED);
  return good;
}

/* First with the threads that end closed: that may be much smaller, but not all that it shows is true. */
static bool unfold_both_ways(Rest *rest, uint32_t i, uint64_t max_events, bool is_last) {
  const bool has_ends = rest->groups.at[rest->group_of[i]].has_ends;
  if (has_ends && !unfold_block(rest, i, max_events, true)) return false;
  if (rest->group_of[i] == NO_GROUP || question_is_over(rest->q)) return true;
  const bool is_free = is_last && !rest->groups.at[rest->group_of[i]].has_ends;
  return unfold_block(rest, i, is_free ? 0 : max_events, false);
}

static bool is_first_of_group(const Rest *rest, uint32_t i) {
  uint32_t k = 0;
  while (rest->group_of[k] != rest->group_of[i]) k++;
  return k == i;
}

static bool unfold_all(Rest *rest, uint64_t max_events, bool is_last) {
  const Question *q = rest->q;
  for (uint32_t i = 0; i < q->result->n_blocks && !question_is_over(rest->q); i++) {
    if (rest->group_of[i] == NO_GROUP) continue;
    if (!rest->groups.at[rest->group_of[i]].one_by_one && !is_first_of_group(rest, i)) continue;
    if (!unfold_both_ways(rest, i, max_events, is_last)) return false;
  }
  return true;
}

/* The events of each unfolding in the first round; in each further one there are so many times more. */
enum { FIRST_ROUND = 1 << 16, NEXT_ROUND = 4 };

bool stages_unfold(Question *q) {
  Rest rest = {.q = q};
  bool good = true;
  group_blocks(&rest);
  for (uint64_t events = FIRST_ROUND; good && count_left(&rest) && !question_is_over(q); events *= NEXT_ROUND)
    good = unfold_all(&rest, events, count_left(&rest) == 1);
  vec_fini(q->heap, &rest.groups);
  heap_release(q->heap, rest.group_of);
  return good;
}

/* ---- the certificate ---- */

/* So many events may be spent on the whole net for what is known already. */
enum { CERTIFY_EVENTS = 1 << 16 };

/* Chooses the atomic blocks that are not in the certificate, or none. How many they are. */
static uint32_t choose_uncertified(Question *q, bool choose_them) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < q->result->n_blocks; i++) {
    const BlockVerdict *block = &q->result->blocks[i];
    const bool wanted = block->verdict == VERDICT_HOLDS && !block->is_proved;
    q->chosen[block->block] = wanted && choose_them;
    n += wanted;
  }
  return n;
}

static bool certify_whole(Question *q, const uint32_t *threads, uint32_t n_threads) {
  const UnfoldingPlan plan = {.threads = threads,
                              .n_threads = n_threads,
                              .closed = threads != NULL,
                              .is_enough = true,
                              .max_events = CERTIFY_EVENTS,
                              .to_certify = true,
                              .words = ""};
  if (!choose_uncertified(q, true) || question_is_over(q)) return true;
  const bool good = unfolding_decide(q, &plan);
  choose_uncertified(q, false);
  return good;
}

bool stages_certify(Question *q) {
  const uint32_t n_threads = q->net->notes->n_threads;
  if (!q->options->certificate || q->options->colour.colouring != COLOURING_CHAIN) return true;
  if (!choose_uncertified(q, false)) return true;
  uint32_t *threads = heap_alloc(q->heap, heap_product(q->heap, (uint64_t)n_threads + 1, sizeof *threads));
  for (uint32_t i = 0; i < n_threads; i++) threads[i] = i;
  const bool has_ends = subnet_has_ends(q->heap, q->net, threads, n_threads);
  const bool good = (!has_ends || certify_whole(q, threads, n_threads)) && certify_whole(q, NULL, 0);
  heap_release(q->heap, threads);
  return good;
}
