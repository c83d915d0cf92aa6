/* What makes a branching process, checked event by event from the definition. For each event its local configuration is
 * walked once: no condition is consumed twice in it, so its preset is a co-set that can be reached, and the tokens that
 * it leaves are its marking. */
#include "unfold/unfold.h"

#include "base/hash.h"
#include "base/vec.h"

#include <string.h>

#define NO_EVENT UINT32_MAX

typedef struct {
  const Prefix *prefix;
  Err *err;
  U32Vec past;                    /* events of the configuration at hand, each once */
  uint32_t *seen;                 /* per event: the configuration, counted from 1, in which it was met last */
  uint32_t *consumer;             /* per condition: an event of `past` that consumes it */
  uint32_t *consumed;             /* per condition: the configuration in which that holds */
  uint32_t *size;                 /* per event: of its local configuration */
  uint8_t *tokens, *other_tokens; /* per place */
  uint32_t round;
} Audit;

static bool fault(const Audit *audit, const char *what, uint32_t number) {
  return err_set(audit->err, ERR_CHECK, "bad prefix: %s (number %u)", what, (unsigned)number);
}

/* ---- what one looks at without walking ---- */

static bool audit_conditions(const Audit *audit) {
  const Prefix *prefix = audit->prefix;
  uint32_t c = 0;
  for (uint32_t p = 0; p < prefix->net->n_places; p++) {
    if (!prefix->net->marked[p]) continue;
    if (c == prefix->n_conditions || prefix->condition_place[c].v != p) return fault(audit, "an initial condition", c);
    if (prefix->producer[c++].v != NO_EVENT) return fault(audit, "an initial condition has a producer", c - 1);
  }
  if (prefix->post_start[0] != c) return fault(audit, "the number of initial conditions", prefix->post_start[0]);
  if (prefix->post_start[prefix->n_events] != prefix->n_conditions) return fault(audit, "the number of conditions", c);
  return true;
}

static bool audit_postset(const Audit *audit, uint32_t e) {
  const Prefix *prefix = audit->prefix;
  const PlaceList post = net_post(prefix->net, prefix->event_trans[e]);
  const uint32_t from = prefix->post_start[e];
  if (prefix->post_start[e + 1] - from != post.n) return fault(audit, "the size of a postset", e);
  for (uint32_t i = 0; i < post.n; i++)
    if (prefix->condition_place[from + i].v != post.at[i].v || prefix->producer[from + i].v != e)
      return fault(audit, "a condition of a postset", from + i);
  return true;
}

/* The preset is ascending, of conditions that may be consumed; its places are marked in `tokens` and compared. */
static bool audit_preset(const Audit *audit, uint32_t e) {
  const Prefix *prefix = audit->prefix;
  const PlaceList pre = net_pre(prefix->net, prefix->event_trans[e]);
  const uint32_t from = prefix->pre_start[e];
  if (prefix->pre_start[e + 1] - from != pre.n) return fault(audit, "the size of a preset", e);
  memset(audit->tokens, 0, prefix->net->n_places);
  for (uint32_t i = 0; i < pre.n; i++) {
    const uint32_t c = prefix->pre[from + i].v;
    if (c >= prefix->post_start[e]) return fault(audit, "a preset with a later condition", e);
    if (i && prefix->pre[from + i - 1].v >= c) return fault(audit, "a preset out of order", e);
    const uint32_t producer = prefix->producer[c].v;
    if (producer != NO_EVENT && prefix->is_cutoff[producer]) return fault(audit, "an event after a cut-off", e);
    audit->tokens[prefix->condition_place[c].v]++;
  }
  for (uint32_t i = 0; i < pre.n; i++)
    if (audit->tokens[pre.at[i].v] != 1) return fault(audit, "the places of a preset", e);
  return true;
}

static bool audit_counts(const Audit *audit) {
  const Prefix *prefix = audit->prefix;
  uint32_t n = 0;
  for (uint32_t e = 0; e < prefix->n_events; e++) n += prefix->is_cutoff[e];
  if (prefix->counts.events != prefix->n_events) return fault(audit, "the count of events", prefix->n_events);
  if (prefix->counts.conditions != prefix->n_conditions)
    return fault(audit, "the count of conditions", prefix->n_conditions);
  if (prefix->counts.cutoffs != n) return fault(audit, "the count of cut-offs", n);
  return true;
}

/* ---- configurations ---- */

static bool consume(Audit *audit, uint32_t e) {
  const Prefix *prefix = audit->prefix;
  for (uint32_t i = prefix->pre_start[e]; i < prefix->pre_start[e + 1]; i++) {
    const uint32_t c = prefix->pre[i].v, producer = prefix->producer[c].v;
    if (audit->consumed[c] == audit->round && audit->consumer[c] != e)
      return fault(audit, "an event in conflict with itself", e);
    audit->consumed[c] = audit->round;
    audit->consumer[c] = e;
    if (producer == NO_EVENT || audit->seen[producer] == audit->round) continue;
    audit->seen[producer] = audit->round;
    vec_push(prefix->heap, &audit->past, producer);
  }
  return true;
}

static bool add_tokens(const Audit *audit, uint32_t from, uint32_t to, uint8_t *tokens) {
  for (uint32_t c = from; c < to; c++) {
    if (audit->consumed[c] == audit->round) continue;
    if (tokens[audit->prefix->condition_place[c].v]++) return fault(audit, "two tokens on a place: condition", c);
  }
  return true;
}

/* Walks [e]: fills `past`, and `tokens` with its marking. */
static bool walk(Audit *audit, uint32_t e, uint8_t *tokens) {
  const Prefix *prefix = audit->prefix;
  audit->round++;
  vec_clear(&audit->past);
  vec_push(prefix->heap, &audit->past, e);
  audit->seen[e] = audit->round;
  for (uint32_t i = 0; i < audit->past.n; i++)
    if (!consume(audit, audit->past.at[i])) return false;
  memset(tokens, 0, prefix->net->n_places);
  if (!add_tokens(audit, 0, prefix->post_start[0], tokens)) return false;
  for (uint32_t i = 0; i < audit->past.n; i++) {
    const uint32_t x = audit->past.at[i];
    if (!add_tokens(audit, prefix->post_start[x], prefix->post_start[x + 1], tokens)) return false;
  }
  return true;
}

/* Causes come first, small configurations come first, and of one size the cut-offs last. */
static bool audit_order(const Audit *audit, uint32_t e) {
  if (e == 0 || audit->size[e] > audit->size[e - 1]) return true;
  if (audit->size[e] < audit->size[e - 1]) return fault(audit, "events out of order", e);
  if (audit->prefix->is_cutoff[e - 1] && !audit->prefix->is_cutoff[e])
    return fault(audit, "a cut-off before its time", e);
  return true;
}

/* The marking of the cut-off is in `tokens`. */
static bool audit_cutoff(Audit *audit, uint32_t e) {
  const Prefix *prefix = audit->prefix;
  const uint32_t other = prefix->corresponding[e].v;
  if (other == NO_EVENT) {
    for (uint32_t p = 0; p < prefix->net->n_places; p++)
      if (audit->tokens[p] != prefix->net->marked[p]) return fault(audit, "a cut-off that is not back at the start", e);
    return true;
  }
  if (other >= e || prefix->is_cutoff[other]) return fault(audit, "a cut-off's corresponding event", e);
  if (!walk(audit, other, audit->other_tokens)) return false;
  if (memcmp(audit->tokens, audit->other_tokens, prefix->net->n_places) == 0) return true;
  return fault(audit, "a cut-off with another marking", e);
}

static bool audit_event(Audit *audit, uint32_t e) {
  const Prefix *prefix = audit->prefix;
  if (prefix->event_trans[e].v >= prefix->net->n_trans) return fault(audit, "a transition out of range", e);
  if (!audit_postset(audit, e) || !audit_preset(audit, e)) return false;
  if (prefix->status == UNFOLD_NOT_SAFE) return true; /* the last one may well put two tokens on a place */
  if (!walk(audit, e, audit->tokens)) return false;
  audit->size[e] = audit->past.n;
  if (!audit_order(audit, e)) return false;
  if (prefix->is_cutoff[e]) return audit_cutoff(audit, e);
  return prefix->corresponding[e].v == NO_EVENT || fault(audit, "a corresponding event without a cut-off", e);
}

/* ---- no event stands there twice ---- */

static bool same_event(const Prefix *prefix, uint32_t a, uint32_t b) {
  const size_t n = prefix->pre_start[a + 1] - prefix->pre_start[a];
  return prefix->event_trans[a].v == prefix->event_trans[b].v &&
         memcmp(prefix->pre + prefix->pre_start[a], prefix->pre + prefix->pre_start[b], n * sizeof *prefix->pre) == 0;
}

static uint64_t event_hash(const Prefix *prefix, uint32_t e) {
  const size_t n = prefix->pre_start[e + 1] - prefix->pre_start[e];
  return hash_join(hash_bytes(prefix->pre + prefix->pre_start[e], n * sizeof *prefix->pre), prefix->event_trans[e].v);
}

static bool audit_duplicates(const Audit *audit) {
  const Prefix *prefix = audit->prefix;
  size_t n = 16;
  while (n < 2 * (size_t)prefix->n_events) n *= 2;
  uint32_t *slots = heap_alloc(prefix->heap, heap_product(prefix->heap, n, sizeof *slots));
  bool good = true;
  for (size_t i = 0; i < n; i++) slots[i] = NO_EVENT;
  for (uint32_t e = 0; e < prefix->n_events && good; e++) {
    size_t i = (size_t)event_hash(prefix, e) & (n - 1);
    for (; slots[i] != NO_EVENT && good; i = (i + 1) & (n - 1)) good = !same_event(prefix, slots[i], e);
    slots[i] = e;
    if (!good) fault(audit, "an event that stands there twice", e);
  }
  heap_release(prefix->heap, slots);
  return good;
}

static bool run_audit(Audit *audit) {
  if (!audit_conditions(audit) || !audit_counts(audit)) return false;
  for (uint32_t e = 0; e < audit->prefix->n_events; e++)
    if (!audit_event(audit, e)) return false;
  return audit_duplicates(audit);
}

static uint32_t *zeroed_numbers(Heap *heap, size_t n) {
  return heap_zeroed(heap, heap_product(heap, n, sizeof(uint32_t)));
}

bool prefix_audit(const Prefix *prefix, Err *err) {
  Heap *heap = prefix->heap;
  Audit audit = {.prefix = prefix, .err = err};
  audit.seen = zeroed_numbers(heap, prefix->n_events);
  audit.size = zeroed_numbers(heap, prefix->n_events);
  audit.consumer = zeroed_numbers(heap, prefix->n_conditions);
  audit.consumed = zeroed_numbers(heap, prefix->n_conditions);
  audit.tokens = heap_zeroed(heap, prefix->net->n_places);
  audit.other_tokens = heap_zeroed(heap, prefix->net->n_places);
  const bool good = run_audit(&audit);
  heap_release(heap, audit.seen);
  heap_release(heap, audit.size);
  heap_release(heap, audit.consumer);
  heap_release(heap, audit.consumed);
  heap_release(heap, audit.tokens);
  heap_release(heap, audit.other_tokens);
  vec_fini(heap, &audit.past);
  return good;
}
