/* Pairs. A block of player p is gone through by its marks. What was passed in it can be where p is left; then another
 * player is entered by an access that conflicts, and of all these the one from which it can be left by most is kept:
 * for a run, the earliest. At a mark where p may be entered again, each access of another player that conflicts is
 * asked whether that player can be left by it, having been entered by what was kept.
 *
 * Fork and join: p must be left at an event that can come before the one by which the other is entered, which is asked
 * when that is kept; and the other way round when p is entered. For two players no more is needed, because p is split.
 */
#include "predict/combine.h"

#include "base/hash.h"
#include "predict/combine_inside.h"

#include <assert.h>
#include <string.h>

/* ---- who uses an object ---- */

static uint32_t count_objects(const Combine *c) {
  uint32_t n = 0;
  for (uint32_t p = 0; p < c->n; p++)
    for (uint32_t x = 0; x < c->players[p].n; x++)
      if (c->players[p].accesses[x].object >= n) n = c->players[p].accesses[x].object + 1;
  return n;
}

static size_t user_key(const CombineAccess *access) { return 2 * (size_t)access->object + !access->write; }

static void index_users(Combine *c) {
  const size_t n_keys = 2 * (size_t)count_objects(c);
  uint32_t *from = c->users_from = arena_zeroed(&c->arena, n_keys + 2, sizeof *from), n = 0;
  for (uint32_t p = 0; p < c->n; p++)
    for (uint32_t x = 0; x < c->players[p].n; x++, n++) from[user_key(&c->players[p].accesses[x]) + 2]++;
  for (size_t i = 0; i < n_keys; i++) from[i + 2] += from[i + 1];
  c->users = arena_zeroed(&c->arena, n, sizeof *c->users);
  for (uint32_t p = 0; p < c->n; p++)
    for (uint32_t x = 0; x < c->players[p].n; x++)
      c->users[from[user_key(&c->players[p].accesses[x]) + 1]++] = (CombineUser){p, x};
}

static void index_kinds(Combine *c) {
  for (uint32_t p = 0; p < c->n; p++)
    for (uint32_t b = 0; b < c->players[p].n_blocks; b++)
      if (c->players[p].blocks[b].kind >= c->n_kinds) c->n_kinds = c->players[p].blocks[b].kind + 1;
  c->split = arena_zeroed(&c->arena, bitset_words(c->n_kinds), sizeof *c->split);
}

/* ---- cycles ---- */

static uint64_t visit_places(const Combine *c, const CombineVisit *visit) {
  const CombineAccess *in = combine_access(c, visit->player, visit->in),
                      *out = combine_access(c, visit->player, visit->out);
  return (uint64_t)in->place << 32 | out->place;
}

/* The places of two visits, whichever of them is first. */
typedef struct {
  uint64_t low, high;
} PairPlaces;

static PairPlaces pair_places(const Combine *c, const CombineVisit *visits) {
  const uint64_t a = visit_places(c, &visits[0]), b = visit_places(c, &visits[1]);
  return a < b ? (PairPlaces){a, b} : (PairPlaces){b, a};
}

/* Where the pair stands, or belongs. */
static HashSlot *find_pair(Combine *c, const CombineVisit *visits) {
  const PairPlaces places = pair_places(c, visits);
  const uint32_t hash = (uint32_t)hash_join(places.low, places.high);
  if (2 * c->cycles.n >= c->pairs.n) slots_grow(c->heap, &c->pairs);
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&c->pairs, i);
    if (!slot->number) return slot->hash = hash, slot;
    if (slot->hash != hash) continue;
    const PairPlaces other = pair_places(c, c->cycles.at[slot->number - 1].visits);
    if (other.low == places.low && other.high == places.high) return slot;
  }
}

static void mark_split(Combine *c, const CombineVisit *visits, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (visits[i].block != COMBINE_NONE)
      bitset_add(c->split, c->players[visits[i].player].blocks[visits[i].block].kind);
}

bool combine_report(Combine *c, const CombineVisit *visits, uint32_t n) {
  assert(n >= 2);
  HashSlot *slot = n == 2 ? find_pair(c, visits) : NULL;
  if (slot && slot->number) return mark_split(c, visits, n), true;
  CombineCycle cycle = {n, arena_alloc(&c->arena, n * sizeof *visits)};
  memcpy(cycle.visits, visits, n * sizeof *visits);
  if (c->order && c->order->is_possible && !c->order->is_possible(c->order->state, &cycle))
    return c->refused = true, false;
  mark_split(c, visits, n);
  vec_push(c->heap, &c->cycles, cycle);
  if (slot) slot->number = c->cycles.n;
  return true;
}

/* ---- pairs ---- */

/* Player p was left by `out`, and another one entered by `in`. */
typedef struct {
  uint32_t out, in;
} Passed;

typedef VEC(Passed) PassedVec;

typedef struct {
  Combine *c;
  uint32_t player, block;
  PassedVec *passed; /* per player */
  U32Vec touched;    /* those with any */
  bool done;
} Scan;

static bool same_places(const Combine *c, uint32_t p, uint32_t q, const Passed *a, const Passed *b) {
  return combine_access(c, p, a->out)->place == combine_access(c, p, b->out)->place &&
         combine_access(c, q, a->in)->place == combine_access(c, q, b->in)->place;
}

/* Keeps what allows most: in a run, of those with the same places the earliest. */
static void keep(Scan *scan, uint32_t q, const Passed *fresh) {
  PassedVec *passed = &scan->passed[q];
  const uint64_t *first = scan->c->players[q].first;
  for (uint32_t i = 0; i < passed->n; i++) {
    Passed *old = &passed->at[i];
    if (first ? !same_places(scan->c, scan->player, q, old, fresh) : old->out != fresh->out || old->in != fresh->in)
      continue;
    if (first && first[fresh->in] < first[old->in]) *old = *fresh;
    return;
  }
  if (passed->n == 0) vec_push(scan->c->heap, &scan->touched, q);
  vec_push(scan->c->heap, passed, *fresh);
}

static void pass(Scan *scan, uint32_t out) {
  const Combine *c = scan->c;
  const CombineUser *end, *user = combine_users(c, combine_access(c, scan->player, out), &end);
  for (; user < end; user++)
    if (combine_together(c, scan->player, user->player) &&
        combine_may_precede(c, scan->player, out, user->player, user->access))
      keep(scan, user->player, &(Passed){out, user->access});
}

static void enter(Scan *scan, uint32_t in, CombineUser from) {
  const PassedVec *passed = &scan->passed[from.player];
  for (uint32_t i = 0; i < passed->n && !scan->done; i++) {
    if (!combine_before(&scan->c->players[from.player], passed->at[i].in, from.access)) continue;
    const CombineVisit visits[] = {{scan->player, in, passed->at[i].out, scan->block},
                                   {from.player, passed->at[i].in, from.access, COMBINE_NONE}};
    if (combine_report(scan->c, visits, 2)) scan->done = !scan->c->options.all;
  }
}

static void ask(Scan *scan, uint32_t in) {
  const Combine *c = scan->c;
  const CombineUser *end, *user = combine_users(c, combine_access(c, scan->player, in), &end);
  for (; user < end && !scan->done; user++)
    if (scan->passed[user->player].n && combine_may_precede(c, user->player, user->access, scan->player, in))
      enter(scan, in, *user);
}

/* Asked to stop, it has what it has. */
static void look_up(Scan *scan) {
  if (heap_asked(scan->c->heap) != STOP_NOT) scan->c->partial = scan->done = true;
}

static void scan_block(Scan *scan) {
  const CombineBlock *block = &scan->c->players[scan->player].blocks[scan->block];
  for (uint32_t i = 0; i < block->n && !scan->done; i++) {
    look_up(scan);
    if (block->marks[i].last && scan->touched.n) ask(scan, block->marks[i].access);
    if (block->marks[i].first) pass(scan, block->marks[i].access);
  }
  for (uint32_t i = 0; i < scan->touched.n; i++) vec_clear(&scan->passed[scan->touched.at[i]]);
  vec_clear(&scan->touched);
}

static void find_pairs(Combine *c) {
  Scan scan = {.c = c, .passed = heap_zeroed(c->heap, heap_product(c->heap, c->n, sizeof *scan.passed))};
  for (scan.player = 0; scan.player < c->n && !scan.done; scan.player++)
    for (scan.block = 0; scan.block < c->players[scan.player].n_blocks && !scan.done; scan.block++) scan_block(&scan);
  for (uint32_t p = 0; p < c->n; p++) vec_fini(c->heap, &scan.passed[p]);
  heap_release(c->heap, scan.passed);
  vec_fini(c->heap, &scan.touched);
}

/* ---- the whole ---- */

Combine *combine_new(Heap *heap, const CombinePlayer *players, uint32_t n, const CombineOrder *order,
                     const PredictOptions *options) {
  Combine *c = heap_zeroed(heap, sizeof *c);
  c->heap = heap;
  c->players = players;
  c->n = n;
  c->order = order;
  c->options = *options;
  arena_init(&c->arena, heap);
  index_users(c);
  index_kinds(c);
  return c;
}

void combine_free(Combine *combine) {
  if (!combine) return;
  Heap *heap = combine->heap;
  vec_fini(heap, &combine->cycles);
  slots_fini(heap, &combine->pairs);
  arena_fini(&combine->arena);
  heap_release(heap, combine);
}

Verdict combine_run(Combine *combine) {
  find_pairs(combine);
  if (combine->options.all || combine->cycles.n == 0) combine_longer(combine);
  return combine->cycles.n ? VERDICT_VIOLATED : combine->partial || combine->refused ? VERDICT_UNKNOWN : VERDICT_HOLDS;
}

const CombineCycle *combine_cycles(const Combine *combine, uint32_t *n) {
  *n = combine->cycles.n;
  return combine->cycles.at;
}

bool combine_is_partial(const Combine *combine) { return combine->partial; }

bool combine_has_refused(const Combine *combine) { return combine->refused; }

/* ---- programs ---- */

static uint32_t count_bits(const uint64_t *set, uint32_t n) {
  uint32_t count = 0;
  for (size_t i = 0; i < bitset_words(n); i++) count += (uint32_t)__builtin_popcountll(set[i]);
  return count;
}

/* The access first, then all that it can come before. */
static CombineBlock row_block(Heap *heap, const ThreadProfiles *profiles, uint32_t y) {
  const uint32_t n = 1 + count_bits(profiles->split[y], profiles->n);
  CombineMark *marks = heap_alloc(heap, heap_product(heap, n, sizeof *marks));
  marks[0] = (CombineMark){y, true, false};
  for (uint32_t x = 0, i = 1; x < profiles->n; x++)
    if (bitset_has(profiles->split[y], x)) marks[i++] = (CombineMark){x, false, true};
  return (CombineBlock){n, marks, profiles->accesses[y].place};
}

CombinePlayer combine_player(Heap *heap, const ThreadProfiles *profiles) {
  const uint32_t n = profiles->n;
  CombineAccess *accesses = heap_alloc(heap, heap_product(heap, n, sizeof *accesses));
  CombineBlock *blocks = heap_alloc(heap, heap_product(heap, n, sizeof *blocks));
  for (uint32_t x = 0; x < n; x++) {
    const ProfileAccess *access = &profiles->accesses[x];
    accesses[x] = (CombineAccess){access->object, access->place, 0, access->write};
    blocks[x] = row_block(heap, profiles, x);
  }
  return (CombinePlayer){.name = profiles->thread,
                         .n = n,
                         .accesses = accesses,
                         .before = profiles->before,
                         .n_blocks = n,
                         .blocks = blocks};
}

void combine_player_release(Heap *heap, CombinePlayer *player) {
  for (uint32_t b = 0; b < player->n_blocks; b++) heap_release(heap, (CombineMark *)player->blocks[b].marks);
  heap_release(heap, (CombineBlock *)player->blocks);
  heap_release(heap, (CombineAccess *)player->accesses);
  *player = (CombinePlayer){0};
}
