#include "predict/near_pairs.h"

#include <assert.h>

void near_pairs_fini(Heap *heap, NearPairs *pairs) {
  vec_fini(heap, &pairs->all);
  vec_fini(heap, &pairs->things);
  pairs_fini(heap, &pairs->far);
  vec_fini(heap, &pairs->far_numbers);
}

enum { NEAR = 4 }; /* pairs of a thing, the newest, that are looked through */

static bool find(const NearPairs *pairs, uint32_t thing, uint32_t user, uint32_t *number) {
  uint32_t far, i = pairs->things.at[thing].last;
  for (uint32_t n = 0; i && n < NEAR; n++, i = pairs->all.at[i - 1].next)
    if (pairs->all.at[i - 1].user == user) return *number = i - 1, true;
  if (!i || !pairs_find(&pairs->far, thing, user, &far)) return false;
  return *number = pairs->far_numbers.at[far], true;
}

bool near_pairs_find_slowly(NearPairs *pairs, uint32_t thing, uint32_t user, uint32_t *number) {
  assert(thing < pairs->things.n);
  if (!find(pairs, thing, user, number)) return false;
  pairs->things.at[thing].recent = *number + 1;
  return true;
}

/* The pair that will be no longer near goes into the table. */
static void make_room(Heap *heap, NearPairs *pairs, uint32_t thing) {
  uint32_t far = pairs->things.at[thing].last;
  for (uint32_t n = 1; far && n < NEAR; n++) far = pairs->all.at[far - 1].next;
  if (!far) return;
  pairs_add(heap, &pairs->far, thing, pairs->all.at[far - 1].user);
  vec_push(heap, &pairs->far_numbers, far - 1);
}

uint32_t near_pairs_add_slowly(Heap *heap, NearPairs *pairs, uint32_t thing, uint32_t user) {
  if (thing == UINT32_MAX) heap_give_up(heap);
  if (thing >= pairs->things.n) vec_resize_zeroed(heap, &pairs->things, thing + 1);
  make_room(heap, pairs, thing);
  NearThing *it = &pairs->things.at[thing];
  const NearPair pair = {thing, user, it->last};
  vec_push(heap, &pairs->all, pair);
  it->last = it->recent = pairs->all.n;
  return pairs->all.n - 1;
}
