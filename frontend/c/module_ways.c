/* From which block of a function control may come to which. It is asked for often, so it is found once for all: a set
 * of blocks for each, which is what the sets of its successors have, and these; again until nothing is new. For
 * functions of so many blocks that the sets would be large, and where a block is left out, it is searched for. */
#include "base/bitset.h"
#include "frontend/c/module.h"

enum { MANY_BLOCKS = 4096 };

/* ---- a search ---- */

typedef struct {
  const CModule *module;
  bool *seen; /* per block of the function */
  U32Vec todo;
} Search;

static void visit_successors(Search *s, uint32_t block) {
  const CBlock *b = &s->module->blocks.at[block];
  for (uint32_t i = 0; i < b->n_successors; i++) {
    const uint32_t to = s->module->successors.at[b->successors + i];
    if (s->seen[to - b->first]) continue;
    s->seen[to - b->first] = true;
    vec_push(s->module->heap, &s->todo, to);
  }
}

/* Are both in one function? */
static bool belongs(const CModule *module, uint32_t block, uint32_t other) {
  return other != C_NONE && module->blocks.at[block].first == module->blocks.at[other].first;
}

/* Is there a way from behind the first one? */
static bool search(const CModule *module, uint32_t from, uint32_t to, uint32_t without) {
  const uint32_t first = module->blocks.at[from].first;
  uint32_t end = from + 1;
  while (end < module->blocks.n && belongs(module, from, end)) end++;
  Search s = {.module = module, .seen = heap_zeroed(module->heap, end - first)};
  if (belongs(module, from, without)) s.seen[without - first] = true;
  visit_successors(&s, from);
  while (s.todo.n && !s.seen[to - first]) {
    heap_poll(module->heap);
    visit_successors(&s, s.todo.at[--s.todo.n]);
  }
  const bool found = to != without && s.seen[to - first];
  heap_release(module->heap, s.seen);
  vec_fini(module->heap, &s.todo);
  return found;
}

/* ---- the sets ---- */

/* Is anything new? */
static bool add_successors(CModule *module, uint32_t block, size_t n_words) {
  const CBlock *b = &module->blocks.at[block];
  uint64_t *set = module->ways.at + b->ways, is_new = 0;
  for (uint32_t i = 0; i < b->n_successors; i++) {
    const uint32_t next = module->successors.at[b->successors + i];
    const uint64_t *more = module->ways.at + module->blocks.at[next].ways;
    is_new |= !bitset_has(set, next - b->first);
    bitset_add(set, next - b->first);
    for (size_t w = 0; w < n_words; w++) {
      is_new |= more[w] & ~set[w];
      set[w] |= more[w];
    }
  }
  return is_new;
}

static void find_ways(CModule *module, uint32_t from, uint32_t to) {
  const size_t n_words = bitset_words(to - from);
  const bool is_small = to - from <= MANY_BLOCKS;
  bool more = is_small;
  for (uint32_t b = from; b < to; b++) {
    module->blocks.at[b].first = from;
    module->blocks.at[b].ways = is_small ? module->ways.n : SIZE_MAX;
    for (size_t w = 0; w < n_words && is_small; w++) vec_push(module->heap, &module->ways, (uint64_t)0);
  }
  while (more) {
    more = false;
    for (uint32_t b = to; b-- > from;) more |= add_successors(module, b, n_words);
    heap_poll(module->heap);
  }
}

/* ---- the whole ---- */

static bool comes(const CModule *module, uint32_t from, uint32_t to) {
  const CBlock *b = &module->blocks.at[from];
  if (b->ways == SIZE_MAX) return search(module, from, to, C_NONE);
  return bitset_has(module->ways.at + b->ways, to - b->first);
}

void cmodule_finish(CModule *module) {
  for (uint32_t f = 0; f < module->functions.n; f++)
    find_ways(module, module->functions.at[f].blocks, module->functions.at[f].blocks_end);
  for (uint32_t b = 0; b < module->blocks.n; b++) module->blocks.at[b].repeats = comes(module, b, b);
}

bool cmodule_reaches(const CModule *module, uint32_t from, uint32_t to, uint32_t without) {
  if (from == to) return true;
  if (!belongs(module, from, to)) return false;
  if (without == C_NONE) return comes(module, from, to);
  return from != without && search(module, from, to, without);
}

bool cmodule_comes(const CModule *module, uint32_t from, uint32_t to, uint32_t without) {
  if (without == C_NONE) return belongs(module, from, to) && comes(module, from, to);
  const CBlock *b = &module->blocks.at[from];
  for (uint32_t n = 0; n < b->n_successors; n++) {
    const uint32_t next = module->successors.at[b->successors + n];
    if (next != without && cmodule_reaches(module, next, to, without)) return true;
  }
  return false;
}
