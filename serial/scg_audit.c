/* What holds of the summarized conflict graph between any two events, looked at from both ends. */
#include "serial/scg.h"

typedef struct {
  Scg *g; /* nothing is written */
  Err *err;
} Audit;

static bool fault(const Audit *audit, const char *what, uint32_t number) {
  return err_set(audit->err, ERR_CHECK, "bad conflict graph: %s (number %u)", what, (unsigned)number);
}

static uint64_t count_bits(uint64_t word) { return (uint64_t)__builtin_popcountll(word); }

static uint64_t count_row(const Scg *g, const uint64_t *row) {
  uint64_t n = 0;
  for (uint32_t w = 0; w < g->width; w++) n += count_bits(row[w]);
  return n;
}

/* ---- who is in use ---- */

static bool audit_threads(const Audit *audit) {
  const Scg *g = audit->g;
  uint64_t n = 0;
  for (uint32_t t = 0; t < g->threads.n; t++) {
    const ScgThread *thread = &g->threads.at[t];
    if (thread->n_after != (thread->after ? count_row(g, thread->after) : 0))
      return fault(audit, "the count of those that a thread is after", t);
    if (!thread->bit) continue;
    n++;
    if (thread->bit != (uint64_t)1 << thread->slot % 64) return fault(audit, "the bit of a thread's slot", t);
    if (!bitset_has(g->busy, thread->slot)) return fault(audit, "a thread's slot is not in use", t);
    if (g->slots.at[thread->slot].it.thread != t) return fault(audit, "a thread's slot is another one's", t);
  }
  if (n != count_row(g, g->busy)) return fault(audit, "a slot in use is no thread's", (uint32_t)n);
  return n == g->size.nodes || fault(audit, "the count of nodes", (uint32_t)n);
}

static bool is_empty(const Scg *g, uint32_t v) {
  const Slot *slot = &g->slots.at[v];
  return !slot->did.list.n && !slot->later.list.n && !slot->follow.list.n && !slot->in.n &&
         !count_row(g, scg_row(g, g->into, v)) && !count_row(g, scg_row(g, g->outof, v));
}

/* ---- edges ---- */

static bool audit_edges_into(const Audit *audit, uint32_t v) {
  const Scg *g = audit->g;
  const Slot *slot = &g->slots.at[v];
  for (uint32_t i = 0; i < slot->in.n; i++) {
    const uint32_t p = slot->in.at[i].from;
    if (!bitset_has(g->busy, p)) return fault(audit, "an edge from a slot that is not in use", v);
    if (!bitset_has(scg_row(g, g->into, v), p)) return fault(audit, "an edge that its end does not know", v);
    if (!bitset_has(scg_row(g, g->outof, p), v)) return fault(audit, "an edge that its start does not know", p);
  }
  return slot->in.n == count_row(g, scg_row(g, g->into, v)) ||
         fault(audit, "an edge that stands there twice, or not", v);
}

static bool audit_edges(const Audit *audit) {
  const Scg *g = audit->g;
  uint64_t in = 0, out = 0;
  for_each_slot(v, g, g->busy) {
    if (!audit_edges_into(audit, v)) return false;
    in += g->slots.at[v].in.n;
    out += count_row(g, scg_row(g, g->outof, v));
  }
  if (in != out) return fault(audit, "an edge that only its start knows", (uint32_t)out);
  if (g->causal && in) return fault(audit, "an edge between blocks, for causal atomicity", (uint32_t)in);
  return in == g->size.edges || fault(audit, "the count of edges", (uint32_t)in);
}

/* Takes away slots into which no edge leads, as long as there is one: of a circle all stay. */
static bool audit_circles(const Audit *audit) {
  const Scg *g = audit->g;
  uint64_t *rest = heap_alloc(g->heap, heap_product(g->heap, g->width, sizeof *rest));
  memcpy(rest, g->busy, g->width * sizeof *rest);
  for (bool more = true; more;) {
    more = false;
    for_each_slot(v, g, rest) {
      bool led = false;
      for (uint32_t w = 0; w < g->width; w++) led |= (scg_row(g, g->into, v)[w] & rest[w]) != 0;
      if (led) continue;
      bitset_remove(rest, v);
      more = true;
    }
  }
  const uint64_t n = count_row(g, rest);
  heap_release(g->heap, rest);
  return !n || fault(audit, "edges in a circle", (uint32_t)n);
}

/* ---- members ---- */

typedef struct {
  uint64_t did, later, follow;
} Counts;

static bool audit_accesses(const Audit *audit, uint32_t v, const KeySet *members, bool later, uint64_t *n) {
  for (uint32_t i = 0; i < members->list.n; i++) {
    const uint32_t key = members->list.at[i].key;
    if (key == KEY_SET_GONE) continue;
    ++*n;
    if (key / 2 >= audit->g->masks.n) return fault(audit, "an access to no object", v);
    const Masks masks = masks_get(&audit->g->masks, key / 2, v / 64);
    if (!(masks.of[later ? scg_later(key & 1) : scg_did(key & 1)] >> v % 64 & 1))
      return fault(audit, "an access without its bit", v);
  }
  return true;
}

static bool audit_followers(const Audit *audit, uint32_t v, uint64_t *n) {
  const Scg *g = audit->g;
  const KeySet *members = &g->slots.at[v].follow;
  for (uint32_t i = 0; i < members->list.n; i++) {
    const uint32_t thread = members->list.at[i].key;
    if (thread == KEY_SET_GONE) continue;
    ++*n;
    if (thread >= g->threads.n) return fault(audit, "no such thread", v);
    if (!g->threads.at[thread].after || !bitset_has(g->threads.at[thread].after, v))
      return fault(audit, "a thread without its bit", v);
  }
  return true;
}

static void count_masks(const Masks *masks, Counts *counts) {
  counts->did += count_bits(masks->of[MASK_READ]) + count_bits(masks->of[MASK_WRITTEN]);
  counts->later += count_bits(masks->of[MASK_LATER_READ]) + count_bits(masks->of[MASK_LATER_WRITTEN]);
}

/* As many bits as members: then no bit is without one. */
static Counts count_all(const Scg *g) {
  Counts counts = {0};
  for (uint32_t x = 0; x < g->masks.n; x++)
    for (uint32_t w = 0; w < g->width; w++) {
      const Masks masks = masks_get(&g->masks, x, w);
      count_masks(&masks, &counts);
    }
  for (uint32_t t = 0; t < g->threads.n; t++)
    if (g->threads.at[t].after) counts.follow += count_row(g, g->threads.at[t].after);
  return counts;
}

static bool audit_members(const Audit *audit) {
  const Scg *g = audit->g;
  const Counts bits = count_all(g);
  Counts n = {0};
  for_each_slot(v, g, g->busy) {
    const Slot *slot = &g->slots.at[v];
    if (!audit_accesses(audit, v, &slot->did, false, &n.did) ||
        !audit_accesses(audit, v, &slot->later, true, &n.later) || !audit_followers(audit, v, &n.follow))
      return false;
  }
  if (!masks_audit(&g->masks)) return fault(audit, "the masks of an object", 0);
  if (n.did != bits.did || n.later != bits.later)
    return fault(audit, "a bit without its access", (uint32_t)(n.did + n.later));
  return n.follow == bits.follow || fault(audit, "a bit without its thread", (uint32_t)n.follow);
}

bool scg_audit(const void *graph, Err *err) {
  const Audit audit = {(Scg *)graph, err};
  for (uint32_t v = 0; v < audit.g->slots.n; v++)
    if (!bitset_has(audit.g->busy, v) && !is_empty(audit.g, v))
      return fault(&audit, "a slot that is not in use, nor empty", v);
  return audit_threads(&audit) && audit_edges(&audit) && audit_circles(&audit) && audit_members(&audit);
}
