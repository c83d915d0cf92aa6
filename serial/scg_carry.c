/* The graph, carried from one process into another one: the threads, and the open transactions with their members,
 * edges and paths. Rows and masks say the same from the other side, and are made of that. */
#include "serial/scg.h"

static void carry_threads(Scg *g, Carry *carry) {
  const uint32_t n = carry_count(carry, g->threads.n, 1);
  if (carry->in) vec_resize_zeroed(g->heap, &g->threads, n);
  for (uint32_t t = 0; t < n; t++) {
    ScgThread *thread = &g->threads.at[t];
    carry_value(carry, thread->bit);
    carry_value(carry, thread->slot);
    carry_value(carry, thread->home);
    carry_value(carry, thread->life);
    carry_value(carry, thread->started);
    carry_value(carry, thread->last);
  }
}

static void carry_slots(Scg *g, Carry *carry) {
  const uint32_t n = carry_count(carry, g->slots.n, 1);
  if (carry->in) vec_resize_zeroed(g->heap, &g->slots, n);
  for (uint32_t v = 0; v < n; v++) {
    Slot *slot = &g->slots.at[v];
    carry_value(carry, slot->it);
    carry_value(carry, slot->txn);
    key_set_carry(&slot->did, carry);
    key_set_carry(&slot->later, carry);
    key_set_carry(&slot->follow, carry);
    carry_vec(carry, &slot->in);
    hashes_carry(&slot->blamed, carry);
  }
}

/* ---- from the other side ---- */

static void add_masks(Scg *g, uint32_t v, const KeySet *members, bool later, Carry *carry) {
  for (uint32_t i = 0; i < members->list.n; i++) {
    const uint32_t key = members->list.at[i].key;
    if (key == KEY_SET_GONE) continue;
    if (key / 2 >= g->masks.n) carry->bad = true;
    else masks_add(&g->masks, key / 2, v, later ? scg_later(key & 1) : scg_did(key & 1));
  }
}

static void add_followers(Scg *g, uint32_t v, Carry *carry) {
  const KeySet *members = &g->slots.at[v].follow;
  for (uint32_t i = 0; i < members->list.n; i++) {
    const uint32_t key = members->list.at[i].key;
    if (key == KEY_SET_GONE) continue;
    if (key >= g->threads.n) carry->bad = true;
    else scg_add_after(g, key, v);
  }
}

static void add_edges(Scg *g, uint32_t v, Carry *carry) {
  const Slot *slot = &g->slots.at[v];
  for (uint32_t i = 0; i < slot->in.n; i++) {
    const uint32_t p = slot->in.at[i].from;
    if (p >= g->slots.n) {
      carry->bad = true;
    } else {
      bitset_add(scg_row(g, g->into, v), p);
      bitset_add(scg_row(g, g->outof, p), v);
    }
  }
}

static void find_busy(Scg *g, Carry *carry) {
  for (uint32_t t = 0; t < g->threads.n; t++) {
    const ScgThread *thread = &g->threads.at[t];
    if (thread->bit && thread->slot >= g->slots.n) carry->bad = true;
    else if (thread->bit) bitset_add(g->busy, thread->slot);
  }
}

static void look_from_the_other_side(Scg *g, Carry *carry) {
  find_busy(g, carry);
  for (uint32_t v = 0; v < g->slots.n && !carry->bad; v++) {
    add_masks(g, v, &g->slots.at[v].did, false, carry);
    add_masks(g, v, &g->slots.at[v].later, true, carry);
    add_followers(g, v, carry);
    add_edges(g, v, carry);
  }
}

void scg_carry(void *graph, Carry *carry) {
  Scg *g = graph;
  uint32_t width = g->width;
  carry_value(carry, width);
  carry_value(carry, g->size);
  carry_threads(g, carry);
  carry->bad = carry->bad || width > g->threads.n + 1;
  while (g->width < width && !carry->bad) scg_widen(g);
  carry_slots(g, carry);
  paths_carry(&g->paths, carry);
  carry->bad = carry->bad || g->slots.n > (uint64_t)64 * g->width;
  if (carry->in && !carry->bad) look_from_the_other_side(g, carry);
}
