/* KeySet of a transaction against a plain array: few of them, many at once, some taken away. */
#include "base/hash.h"
#include "serial/key_set.h"

#include <CUnit/CUnit.h>

enum { KEYS = 3000 };

typedef struct {
  Heap *heap;
  KeySet members;
  bool there[KEYS];
  uint64_t dice;
} Play;

static uint32_t roll(Play *play, uint32_t below) { return (uint32_t)(hash_word(++play->dice) >> 33) % below; }

static KeySetMember *find(Play *play, uint32_t key) { return key_set_find(play->heap, &play->members, key); }

static void add(Play *play, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t key = roll(play, KEYS);
    if (play->there[key]) continue;
    const KeySetMember member = {.event = 7 * key, .key = key, .path = PATH_NONE};
    key_set_add(play->heap, &play->members, member);
    play->there[key] = true;
  }
}

static void take_away(Play *play, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t key = roll(play, KEYS);
    if (!play->there[key]) continue;
    key_set_remove(play->heap, &play->members, find(play, key));
    play->there[key] = false;
  }
}

static void clear(Play *play) {
  key_set_clear(play->heap, &play->members);
  for (uint32_t key = 0; key < KEYS; key++) play->there[key] = false;
}

static void compare(Play *play) {
  uint32_t wrong = 0;
  for (uint32_t key = 0; key < KEYS; key++) {
    const KeySetMember *member = find(play, key);
    wrong += (member != NULL) != play->there[key] || (member && (member->key != key || member->event != 7 * key));
  }
  CU_ASSERT_EQUAL(wrong, 0);
}

static void members_are_found(void) {
  Play play = {.heap = heap_new(0)};
  for (uint32_t round = 0; round < 60; round++) {
    add(&play, roll(&play, 4) ? roll(&play, 12) : roll(&play, 2 * KEYS));
    compare(&play);
    take_away(&play, roll(&play, 4) ? roll(&play, 12) : roll(&play, 4 * KEYS));
    compare(&play);
    if (roll(&play, 3) == 0) clear(&play);
  }
  key_set_fini(play.heap, &play.members);
  CU_ASSERT_EQUAL(heap_used(play.heap), 0);
  heap_free(play.heap);
}

/* Nothing is looked for before all are there: the table is made at once. */
static void many_come_at_once(void) {
  Play play = {.heap = heap_new(0)};
  add(&play, 20);
  compare(&play);
  add(&play, 4 * KEYS);
  compare(&play);
  clear(&play);
  add(&play, 20);
  compare(&play);
  key_set_fini(play.heap, &play.members);
  heap_free(play.heap);
}

/* However many there are, what is not there is not found. */
static void they_come_one_by_one(void) {
  Play play = {.heap = heap_new(0)};
  uint32_t found = 0;
  for (uint32_t key = 0; key < 600; key++) {
    const KeySetMember member = {.key = key, .path = PATH_NONE};
    key_set_add(play.heap, &play.members, member);
    found += find(&play, key) != NULL && find(&play, key + 1) == NULL;
  }
  CU_ASSERT_EQUAL(found, 600);
  key_set_fini(play.heap, &play.members);
  heap_free(play.heap);
}

void suite_key_set(void) {
  CU_pSuite suite = CU_add_suite("key_set", NULL, NULL);
  CU_ADD_TEST(suite, members_are_found);
  CU_ADD_TEST(suite, many_come_at_once);
  CU_ADD_TEST(suite, they_come_one_by_one);
}
