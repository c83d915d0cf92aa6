/* The sets of open transactions of objects against plain arrays, while they become wider. */
#include "base/hash.h"
#include "serial/masks.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECTS = 40, WIDEST = 256, SLOTS = 64 * WIDEST };

typedef struct {
  Heap *heap;
  MaskTable table;
  uint64_t dice;
  uint32_t n_objects, n_wrong;
  bool there[OBJECTS][SLOTS][MASK_KINDS];
} Play;

static uint32_t roll(Play *play, uint32_t below) { return (uint32_t)(hash_word(++play->dice) >> 33) % below; }

/* Most objects have few slots, some of which come again and again. */
static uint32_t some_slot(Play *play, uint32_t object) {
  const uint32_t n = 64 * play->table.width;
  return object % 4 && roll(play, 4) ? (object * 77 + roll(play, 5) * 64) % n : roll(play, n);
}

static void change(Play *play) {
  const uint32_t object = roll(play, play->n_objects), slot = some_slot(play, object);
  const MaskKind kind = (MaskKind)roll(play, MASK_KINDS);
  bool *there = &play->there[object][slot][kind];
  if (!roll(play, 400)) {
    masks_forget(&play->table, object);
    memset(play->there[object], 0, sizeof play->there[object]);
  } else if (roll(play, 2)) {
    play->n_wrong += masks_add(&play->table, object, slot, kind) == *there;
    *there = true;
  } else {
    masks_remove(&play->table, object, slot, kind);
    *there = false;
  }
}

static void empty(Play *play, uint32_t object) {
  for (uint32_t slot = 0; slot < 64 * play->table.width; slot++)
    for (MaskKind kind = 0; kind < MASK_KINDS; kind++)
      if (play->there[object][slot][kind]) masks_remove(&play->table, object, slot, kind);
  memset(play->there[object], 0, sizeof play->there[object]);
}

static void compare(Play *play) {
  for (uint32_t object = 0; object < play->n_objects; object++)
    for (uint32_t word = 0; word < play->table.width; word++) {
      const Masks masks = masks_get(&play->table, object, word);
      for (uint32_t i = 0; i < 64; i++)
        for (MaskKind kind = 0; kind < MASK_KINDS; kind++)
          play->n_wrong += (masks.of[kind] >> i & 1) != play->there[object][64 * word + i][kind];
    }
  CU_ASSERT(masks_audit(&play->table));
  CU_ASSERT_EQUAL(play->n_wrong, 0);
}

static void test_sets(void) {
  Play *play = calloc(1, sizeof *play);
  play->heap = heap_new(0);
  masks_init(&play->table, play->heap);
  for (uint32_t width = 1; width <= WIDEST; width *= 2) {
    for (uint32_t round = 0; round < 12; round++) {
      if (play->n_objects < OBJECTS) masks_room(&play->table, ++play->n_objects);
      for (uint32_t i = 0; i < 300; i++) change(play);
      compare(play);
    }
    empty(play, roll(play, play->n_objects));
    compare(play);
    if (width < WIDEST) masks_widen(&play->table);
    compare(play);
  }
  for (uint32_t object = 0; object < play->n_objects; object++) empty(play, object);
  compare(play);
  masks_fini(&play->table);
  CU_ASSERT_EQUAL(heap_used(play->heap), 0);
  heap_free(play->heap);
  free(play);
}

/* New objects after it has become wide, too. */
static void test_room(void) {
  Heap *heap = heap_new(0);
  MaskTable table;
  masks_init(&table, heap);
  masks_room(&table, 3);
  masks_add(&table, 2, 63, MASK_WRITTEN);
  masks_widen(&table);
  masks_room(&table, 100000);
  CU_ASSERT(masks_add(&table, 99999, 127, MASK_LATER_READ));
  CU_ASSERT(!masks_add(&table, 2, 63, MASK_WRITTEN));
  CU_ASSERT_EQUAL(masks_get(&table, 99999, 1).of[MASK_LATER_READ], (uint64_t)1 << 63);
  CU_ASSERT(masks_audit(&table));
  masks_fini(&table);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

void suite_masks(void);
void suite_masks(void) {
  CU_pSuite suite = CU_add_suite("masks", NULL, NULL);
  CU_ADD_TEST(suite, test_sets);
  CU_ADD_TEST(suite, test_room);
}
