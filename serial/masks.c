#include "serial/masks.h"

#include <assert.h>
#include <string.h>

/* An object that has had a longer list gets one again when it has so few members. */
enum { FIRST_OBJECTS = 64, FEW = 4 };

void masks_init(MaskTable *table, Heap *heap) { *table = (MaskTable){.heap = heap, .width = 1}; }

static void set_empty(Heap *heap, WideMasks *masks) {
  if (!masks->listed) heap_release(heap, masks->words);
  masks->n = 0;
  masks->listed = true;
}

void masks_fini(MaskTable *table) {
  for (uint32_t x = 0; table->wide && x < table->cap; x++) set_empty(table->heap, &table->wide[x]);
  heap_release(table->heap, table->wide);
  heap_release(table->heap, table->narrow);
}

static void clear_wide(WideMasks *wide, uint32_t from, uint32_t to) {
  for (uint32_t x = from; x < to; x++) wide[x] = (WideMasks){.listed = true};
}

void masks_room(MaskTable *table, uint32_t n_objects) {
  if (n_objects <= table->n) return;
  table->n = n_objects;
  if (n_objects <= table->cap) return;
  const uint32_t old = table->cap, twice = old > UINT32_MAX / 2 ? UINT32_MAX : 2 * old;
  const uint32_t least = n_objects > FIRST_OBJECTS ? n_objects : FIRST_OBJECTS, cap = least > twice ? least : twice;
  if (table->width == 1) {
    table->narrow = heap_resize(table->heap, table->narrow, heap_product(table->heap, cap, sizeof *table->narrow));
    memset(table->narrow + old, 0, (cap - old) * sizeof *table->narrow);
  } else {
    table->wide = heap_resize(table->heap, table->wide, heap_product(table->heap, cap, sizeof *table->wide));
    clear_wide(table->wide, old, cap);
  }
  table->cap = cap;
}

/* ---- lists and words ---- */

static uint32_t member(uint32_t slot, MaskKind kind) { return MASK_KINDS * slot + kind; }
static uint64_t bit_of(uint32_t number) { return (uint64_t)1 << number % 64; }

/* Where the member stands in the list; n if it does not. */
static uint32_t find(const WideMasks *masks, uint32_t number) {
  uint32_t i = 0;
  while (i < masks->n && masks->list[i] != number) i++;
  return i;
}

static void add_bit(WideMasks *masks, uint32_t slot, MaskKind kind) {
  masks->words[slot / 64].of[kind] |= bit_of(slot);
  masks->any.of[kind] |= bit_of(slot / 64);
}

/* Of a list that is full. */
static void make_words(MaskTable *table, WideMasks *masks) {
  WideMasks fresh = {.n = masks->n, .listed = false};
  fresh.words = heap_zeroed(table->heap, heap_product(table->heap, table->width, sizeof *fresh.words));
  for (uint32_t i = 0; i < masks->n; i++)
    add_bit(&fresh, masks->list[i] / MASK_KINDS, (MaskKind)(masks->list[i] % MASK_KINDS));
  *masks = fresh;
}

/* Of few members. */
static void make_list(MaskTable *table, WideMasks *masks) {
  WideMasks fresh = {.n = 0, .listed = true};
  for (uint32_t w = 0; w < table->width; w++)
    for (MaskKind kind = 0; kind < MASK_KINDS; kind++)
      for (uint64_t bits = masks->words[w].of[kind]; bits; bits &= bits - 1)
        fresh.list[fresh.n++] = member(64 * w + (uint32_t)__builtin_ctzll(bits), kind);
  assert(fresh.n == masks->n);
  heap_release(table->heap, masks->words);
  *masks = fresh;
}

static bool add_wide(MaskTable *table, WideMasks *masks, uint32_t slot, MaskKind kind) {
  if (masks->listed) {
    if (find(masks, member(slot, kind)) < masks->n) return false;
    if (masks->n < MASK_LIST) return masks->list[masks->n++] = member(slot, kind), true;
    make_words(table, masks);
  }
  if (masks->words[slot / 64].of[kind] & bit_of(slot)) return false;
  add_bit(masks, slot, kind);
  masks->n++;
  return true;
}

/* Has any word a bit for which `any` has that of this one? */
static bool has_any(const MaskTable *table, const WideMasks *masks, uint32_t word, MaskKind kind) {
  uint64_t all = 0;
  for (uint32_t w = word % 64; w < table->width; w += 64) all |= masks->words[w].of[kind];
  return all;
}

static void remove_wide(MaskTable *table, WideMasks *masks, uint32_t slot, MaskKind kind) {
  if (masks->listed) {
    const uint32_t i = find(masks, member(slot, kind));
    if (i < masks->n) masks->list[i] = masks->list[--masks->n];
  } else if (masks->words[slot / 64].of[kind] & bit_of(slot)) {
    masks->words[slot / 64].of[kind] &= ~bit_of(slot);
    if (!has_any(table, masks, slot / 64, kind)) masks->any.of[kind] &= ~bit_of(slot / 64);
    if (--masks->n <= FEW) make_list(table, masks);
  }
}

static Masks word_of_list(const WideMasks *masks, uint32_t word) {
  Masks result = {{0}};
  for (uint32_t i = 0; i < masks->n; i++) {
    const uint32_t slot = masks->list[i] / MASK_KINDS;
    if (slot / 64 == word) result.of[masks->list[i] % MASK_KINDS] |= bit_of(slot);
  }
  return result;
}

/* ---- sets ---- */

Masks masks_get(const MaskTable *table, uint32_t object, uint32_t word) {
  assert(object < table->n && word < table->width);
  if (table->width == 1) return table->narrow[object];
  const WideMasks *masks = &table->wide[object];
  return masks->listed ? word_of_list(masks, word) : masks->words[word];
}

bool masks_add(MaskTable *table, uint32_t object, uint32_t slot, MaskKind kind) {
  assert(object < table->n && slot / 64 < table->width);
  if (table->width > 1) return add_wide(table, &table->wide[object], slot, kind);
  const bool fresh = !(table->narrow[object].of[kind] & bit_of(slot));
  table->narrow[object].of[kind] |= bit_of(slot);
  return fresh;
}

void masks_remove(MaskTable *table, uint32_t object, uint32_t slot, MaskKind kind) {
  assert(object < table->n && slot / 64 < table->width);
  if (table->width > 1) remove_wide(table, &table->wide[object], slot, kind);
  else table->narrow[object].of[kind] &= ~bit_of(slot);
}

void masks_forget(MaskTable *table, uint32_t object) {
  assert(object < table->n);
  if (table->width > 1) set_empty(table->heap, &table->wide[object]);
  else table->narrow[object] = (Masks){{0}};
}

/* ---- wider sets ---- */

/* The width is set already. */
static void become_wide(MaskTable *table) {
  table->wide = heap_alloc(table->heap, heap_product(table->heap, table->cap, sizeof *table->wide));
  clear_wide(table->wide, 0, table->cap);
  for (uint32_t x = 0; x < table->n; x++)
    for (MaskKind kind = 0; kind < MASK_KINDS; kind++)
      for (uint64_t bits = table->narrow[x].of[kind]; bits; bits &= bits - 1)
        add_wide(table, &table->wide[x], (uint32_t)__builtin_ctzll(bits), kind);
  heap_release(table->heap, table->narrow);
  table->narrow = NULL;
}

static void stretch(MaskTable *table, WideMasks *masks, uint32_t width) {
  masks->words = heap_resize(table->heap, masks->words, heap_product(table->heap, width, sizeof *masks->words));
  memset(masks->words + table->width, 0, (width - table->width) * sizeof *masks->words);
}

void masks_widen(MaskTable *table) {
  const uint32_t width = 2 * table->width;
  for (uint32_t x = 0; table->wide && x < table->cap; x++)
    if (!table->wide[x].listed) stretch(table, &table->wide[x], width);
  table->width = width;
  if (!table->wide) become_wide(table);
}

/* ---- the audit ---- */

static uint32_t count_bits(const Masks *masks) {
  int n = 0;
  for (MaskKind kind = 0; kind < MASK_KINDS; kind++) n += __builtin_popcountll(masks->of[kind]);
  return (uint32_t)n;
}

static bool audit_words(const MaskTable *table, const WideMasks *masks) {
  uint32_t n = 0;
  for (uint32_t w = 0; w < table->width; w++) {
    n += count_bits(&masks->words[w]);
    for (MaskKind kind = 0; kind < MASK_KINDS; kind++)
      if (has_any(table, masks, w, kind) != !!(masks->any.of[kind] & bit_of(w))) return false;
  }
  return n == masks->n && n > FEW;
}

static bool audit_list(const MaskTable *table, const WideMasks *masks) {
  for (uint32_t i = 0; i < masks->n; i++)
    if (find(masks, masks->list[i]) < i || masks->list[i] / MASK_KINDS / 64 >= table->width) return false;
  return masks->n <= MASK_LIST;
}

bool masks_audit(const MaskTable *table) {
  for (uint32_t x = 0; table->wide && x < table->cap; x++)
    if (!(table->wide[x].listed ? audit_list : audit_words)(table, &table->wide[x])) return false;
  return true;
}
