/* Most elements that are offered are there already, which hashing tells; and most others have as many numbers as those
 * that are there, so that none of them is below the other. So there is a list for each key and number of numbers. */
#include "prove/upward.h"

#include "base/hash.h"

#include <string.h>

void upward_init(Upward *set, Heap *heap) {
  *set = (Upward){.heap = heap};
  intern_init(&set->lists, heap);
}

void upward_fini(Upward *set) {
  intern_fini(&set->lists);
  slots_fini(set->heap, &set->slots);
  vec_fini(set->heap, &set->first);
  vec_fini(set->heap, &set->elements);
  vec_fini(set->heap, &set->numbers);
}

static uint64_t sign_of(const uint32_t *numbers, uint32_t n) {
  uint64_t sign = 0;
  for (uint32_t i = 0; i < n; i++) sign |= (uint64_t)1 << (hash_word(numbers[i]) % 64);
  return sign;
}

static bool is_part(const uint32_t *part, uint32_t n_part, const uint32_t *whole, uint32_t n_whole) {
  uint32_t i = 0;
  for (uint32_t k = 0; i < n_part && k < n_whole && whole[k] <= part[i]; k++) i += whole[k] == part[i];
  return i == n_part;
}

/* ---- the same one ---- */

static HashSlot *slot_of(Upward *set, uint32_t list, const uint32_t *numbers, uint32_t n, uint32_t hash) {
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&set->slots, i);
    if (!slot->number) return slot;
    const UpwardElement *old = &set->elements.at[slot->number - 1];
    if (slot->hash == hash && old->list == list &&
        (!n || !memcmp(set->numbers.at + old->at, numbers, n * sizeof *numbers)))
      return slot;
  }
}

/* ---- those below and above ---- */

/* The list of the elements with this key and so many numbers, or INTERN_NONE. */
static uint32_t find_list(const Upward *set, UpwardKey key, uint32_t n) {
  key.n = n;
  return intern_find(&set->lists, (const char *)&key, sizeof key);
}

static bool list_has_below(const Upward *set, uint32_t list, uint64_t sign, const uint32_t *numbers, uint32_t n) {
  for (uint32_t i = set->first.at[list]; i != UPWARD_NONE; i = set->elements.at[i].next) {
    const UpwardElement *old = &set->elements.at[i];
    if (!(old->sign & ~sign) && is_part(set->numbers.at + old->at, old->n, numbers, n)) return true;
  }
  return false;
}

static bool has_below(const Upward *set, const UpwardKey *key, uint64_t sign, const uint32_t *numbers) {
  for (uint32_t n = 0; n < key->n; n++) {
    const uint32_t list = find_list(set, *key, n);
    if (list != INTERN_NONE && list_has_below(set, list, sign, numbers, key->n)) return true;
  }
  return false;
}

static void drop_from_list(Upward *set, uint32_t list, uint64_t sign, const uint32_t *numbers, uint32_t n) {
  uint32_t before = UPWARD_NONE;
  for (uint32_t i = set->first.at[list]; i != UPWARD_NONE; i = set->elements.at[i].next) {
    UpwardElement *old = &set->elements.at[i];
    old->is_dropped = !(sign & ~old->sign) && is_part(numbers, n, set->numbers.at + old->at, old->n);
    if (!old->is_dropped) before = i;
    else if (before == UPWARD_NONE) set->first.at[list] = old->next;
    else set->elements.at[before].next = old->next;
  }
}

static void drop_above(Upward *set, const UpwardKey *key, uint64_t sign, const uint32_t *numbers) {
  for (uint32_t n = key->n + 1; n <= set->most; n++) {
    const uint32_t list = find_list(set, *key, n);
    if (list != INTERN_NONE) drop_from_list(set, list, sign, numbers, key->n);
  }
}

/* ---- adding ---- */

static void append(Upward *set, uint32_t list, uint64_t sign, const uint32_t *numbers, uint32_t n) {
  const UpwardElement new = {.list = list, .at = set->numbers.n, .n = n, .next = set->first.at[list], .sign = sign};
  set->first.at[list] = set->elements.n;
  vec_push(set->heap, &set->elements, new);
  for (uint32_t i = 0; i < n; i++) vec_push(set->heap, &set->numbers, numbers[i]);
  if (n > set->most) set->most = n;
}

bool upward_add(Upward *set, const uint32_t *words, const uint32_t *numbers, uint32_t n) {
  const UpwardKey key = {{words[0], words[1], words[2]}, n};
  const uint64_t sign = sign_of(numbers, n);
  bool is_new;
  const uint32_t list = intern_add(&set->lists, (const char *)&key, sizeof key, &is_new);
  if (is_new) vec_push(set->heap, &set->first, UPWARD_NONE);
  if (set->slots.n / 2 <= set->elements.n) slots_grow(set->heap, &set->slots);
  const uint32_t hash = (uint32_t)hash_join(hash_bytes(numbers, n * sizeof *numbers), list);
  HashSlot *slot = slot_of(set, list, numbers, n, hash);
  if (slot->number || has_below(set, &key, sign, numbers)) return false;
  drop_above(set, &key, sign, numbers);
  append(set, list, sign, numbers, n);
  *slot = (HashSlot){hash, set->elements.n};
  return true;
}

void upward_key(const Upward *set, uint32_t element, uint32_t *words) {
  UpwardKey key;
  memcpy(&key, set->lists.strings.at[set->elements.at[element].list], sizeof key);
  memcpy(words, key.words, sizeof key.words);
}
