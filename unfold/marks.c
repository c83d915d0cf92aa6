#include "unfold/marks.h"

#include "base/hash.h"

#include <string.h>

/* ---- the nodes of a level ---- */

static uint32_t node_hash(const uint32_t *node, uint32_t width) {
  uint64_t hash = width;
  for (uint32_t i = 0; i < width; i++) hash = (hash ^ node[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 32;
  return (uint32_t)hash;
}

static bool node_equal(const uint32_t *a, const uint32_t *b, uint32_t width) {
  for (uint32_t i = 0; i < width; i++)
    if (a[i] != b[i]) return false;
  return true;
}

static void add_node(Heap *heap, MarkLevel *level, const uint32_t *content) {
  vec_reserve(heap, &level->nodes, level->width);
  memcpy(level->nodes.at + level->nodes.n, content, level->width * sizeof *content);
  level->nodes.n += level->width;
  level->n_nodes++;
}

static const uint32_t *node_at(const MarkLevel *level, uint32_t node) {
  return level->nodes.at + (size_t)node * level->width;
}

/* The number of the node with this content. At most half of the slots are in use. */
static uint32_t find_node(Heap *heap, MarkLevel *level, const uint32_t *content) {
  if (level->n_nodes >= level->slots.n / 2) slots_grow(heap, &level->slots);
  const uint32_t hash = node_hash(content, level->width);
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&level->slots, i);
    if (!slot->number) {
      add_node(heap, level, content);
      *slot = (HashSlot){hash, level->n_nodes};
    } else if (slot->hash != hash || !node_equal(node_at(level, slot->number - 1), content, level->width)) {
      continue;
    }
    return slot->number - 1;
  }
}

/* ---- the tree of the current marking ---- */

/* What node i of the level has in it: room for whole nodes is there. */
static const uint32_t *content(const Marks *marks, uint32_t level, uint32_t i) {
  return level == 0 ? marks->words + (size_t)i * marks->levels[0].width
                    : marks->levels[level - 1].at_hand + (size_t)i * MARKS_WIDTH;
}

static void note_change(Marks *marks, uint32_t level, uint32_t i) {
  MarkLevel *at = &marks->levels[level];
  if (at->changed[i]) return;
  at->changed[i] = true;
  vec_push(marks->heap, &at->changes, i);
}

/* A level whose nodes have `width` numbers, and of which a tree has n. Its zero node is the one that is at hand
 * everywhere. */
static void add_level(Marks *marks, uint32_t width, uint32_t n) {
  const uint32_t room = (n + MARKS_WIDTH - 1) / MARKS_WIDTH * MARKS_WIDTH;
  MarkLevel *level = &marks->levels[marks->n_levels++];
  level->width = width;
  level->at_hand = heap_zeroed(marks->heap, heap_product(marks->heap, room, sizeof *level->at_hand));
  level->changed = heap_zeroed(marks->heap, room);
  const uint32_t zero[MARKS_WIDTH] = {0};
  find_node(marks->heap, level, zero);
}

void marks_init(Marks *marks, Heap *heap, const Net *net, const Effects *effects) {
  uint32_t n = net->n_places / 32 + 1, width = n < MARKS_WIDTH ? n : MARKS_WIDTH;
  *marks = (Marks){.heap = heap, .effects = effects};
  const size_t room = (size_t)n + MARKS_WIDTH;
  marks->words = heap_zeroed(heap, heap_product(heap, room, sizeof *marks->words));
  marks->initial = heap_zeroed(heap, heap_product(heap, room, sizeof *marks->initial));
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->marked[p]) marks->initial[p / 32] |= (uint32_t)1 << p % 32;
  for (;; width = n < MARKS_WIDTH ? n : MARKS_WIDTH) {
    n = (n + MARKS_WIDTH - 1) / MARKS_WIDTH;
    add_level(marks, width, n);
    if (n == 1) return;
  }
}

void marks_fini(Marks *marks) {
  for (uint32_t k = 0; k < marks->n_levels; k++) {
    MarkLevel *level = &marks->levels[k];
    heap_release(marks->heap, level->at_hand);
    heap_release(marks->heap, level->changed);
    slots_fini(marks->heap, &level->slots);
    vec_fini(marks->heap, &level->changes);
    vec_fini(marks->heap, &level->nodes);
  }
  heap_release(marks->heap, marks->words);
  heap_release(marks->heap, marks->initial);
}

void marks_toggle(Marks *marks, uint32_t trans) {
  const Effects *effects = marks->effects;
  for (uint32_t i = effects->start[2 * trans]; i < effects->start[2 * trans + 2]; i++) {
    const uint32_t place = effects->places[i];
    marks->words[place / 32] ^= (uint32_t)1 << place % 32;
    note_change(marks, 0, place / (32 * MARKS_WIDTH));
  }
}

uint32_t marks_save(Marks *marks) {
  for (uint32_t k = 0; k < marks->n_levels; k++) {
    MarkLevel *level = &marks->levels[k];
    for (; level->changes.n; level->changes.n--) {
      const uint32_t i = vec_last(&level->changes), node = find_node(marks->heap, level, content(marks, k, i));
      level->changed[i] = false;
      if (level->at_hand[i] == node) continue;
      level->at_hand[i] = node;
      if (k + 1 < marks->n_levels) note_change(marks, k + 1, i / MARKS_WIDTH);
    }
  }
  return marks->levels[marks->n_levels - 1].at_hand[0];
}

/* The words of a leaf become what its node says. */
static void load_leaf(Marks *marks, uint32_t i) {
  const MarkLevel *level = &marks->levels[0];
  memcpy(marks->words + (size_t)i * level->width, node_at(level, level->at_hand[i]),
         level->width * sizeof *marks->words);
}

static void load_node(Marks *marks, uint32_t k, uint32_t i, uint32_t number) {
  MarkLevel *level = &marks->levels[k];
  if (level->at_hand[i] == number) return;
  level->at_hand[i] = number;
  if (k == 0) {
    load_leaf(marks, i);
    return;
  }
  for (uint32_t c = 0; c < level->width; c++) load_node(marks, k - 1, i * MARKS_WIDTH + c, node_at(level, number)[c]);
}

void marks_load(Marks *marks, uint32_t number) {
  MarkLevel *leaves = &marks->levels[0];
  for (; leaves->changes.n; leaves->changes.n--) {
    const uint32_t i = vec_last(&leaves->changes);
    leaves->changed[i] = false;
    load_leaf(marks, i);
  }
  load_node(marks, marks->n_levels - 1, 0, number);
}
