#include "serial/summary.h"

#include "base/bitset.h"

#include <assert.h>

SummaryShape summary_shape(uint32_t n_threads, uint32_t n_objects) {
  SummaryShape shape = {.n_threads = n_threads, .n_objects = n_objects};
  shape.access_words = (uint32_t)bitset_words(2 * n_objects);
  shape.thread_words = (uint32_t)bitset_words(n_threads);
  shape.row_words = 1 + 2 * shape.access_words + 2 * shape.thread_words;
  return shape;
}

/* The parts of a thread's row. */
static uint64_t *row(const SummaryShape *shape, uint64_t *graph, uint32_t thread) {
  return graph + (size_t)thread * shape->row_words;
}
static uint64_t *own_accesses(const SummaryShape *shape, uint64_t *graph, uint32_t thread) {
  return row(shape, graph, thread) + 1;
}
static uint64_t *later_accesses(const SummaryShape *shape, uint64_t *graph, uint32_t thread) {
  return own_accesses(shape, graph, thread) + shape->access_words;
}
static uint64_t *later_threads(const SummaryShape *shape, uint64_t *graph, uint32_t thread) {
  return later_accesses(shape, graph, thread) + shape->access_words;
}
static uint64_t *successors(const SummaryShape *shape, uint64_t *graph, uint32_t thread) {
  return later_threads(shape, graph, thread) + shape->thread_words;
}

bool summary_is_open(const SummaryShape *shape, const uint64_t *graph, uint32_t thread) {
  return graph[(size_t)thread * shape->row_words] != 0;
}

static void join(uint64_t *set, const uint64_t *other, uint32_t n_words) {
  for (uint32_t w = 0; w < n_words; w++) set[w] |= other[w];
}

/* Thread v's transaction, and so all that must come before it, must come before thread i's, and what comes after that.
 */
static void add_edge(const SummaryShape *shape, uint64_t *graph, uint32_t v, uint32_t i) {
  for (uint32_t u = 0; u < shape->n_threads; u++) {
    if (u != v && !bitset_has(successors(shape, graph, u), v)) continue;
    bitset_add(successors(shape, graph, u), i);
    join(successors(shape, graph, u), successors(shape, graph, i), shape->thread_words);
    join(later_accesses(shape, graph, u), later_accesses(shape, graph, i), shape->access_words);
    join(later_threads(shape, graph, u), later_threads(shape, graph, i), shape->thread_words);
  }
}

void summary_begin(const SummaryShape *shape, uint64_t *graph, uint32_t thread) {
  assert(!summary_is_open(shape, graph, thread));
  *row(shape, graph, thread) = 1;
  for (uint32_t v = 0; v < shape->n_threads; v++)
    if (bitset_has(later_threads(shape, graph, v), thread)) add_edge(shape, graph, v, thread);
}

/* Does the access conflict with one of the set: a write with any, a read with a write? */
static bool conflicts(const uint64_t *accesses, uint32_t access) {
  const uint32_t read = access & ~(uint32_t)1, written = read + 1;
  return bitset_has(accesses, written) || (access == written && bitset_has(accesses, read));
}

static bool any_conflicts(const uint64_t *set, const uint32_t *accesses, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (conflicts(set, accesses[i])) return true;
  return false;
}

bool summary_access_all(const SummaryShape *shape, uint64_t *graph, uint32_t thread, const uint32_t *accesses,
                        uint32_t n) {
  assert(summary_is_open(shape, graph, thread));
  for (uint32_t v = 0; v < shape->n_threads; v++) {
    const bool after = any_conflicts(later_accesses(shape, graph, v), accesses, n);
    if (!after && (v == thread || !any_conflicts(own_accesses(shape, graph, v), accesses, n))) continue;
    if (v == thread || bitset_has(successors(shape, graph, thread), v)) return true;
    add_edge(shape, graph, v, thread);
  }
  for (uint32_t i = 0; i < n; i++) bitset_add(own_accesses(shape, graph, thread), accesses[i]);
  return false;
}

void summary_end(const SummaryShape *shape, uint64_t *graph, uint32_t thread) {
  assert(summary_is_open(shape, graph, thread));
  for (uint32_t v = 0; v < shape->n_threads; v++) {
    if (!bitset_has(successors(shape, graph, v), thread)) continue;
    bitset_remove(successors(shape, graph, v), thread);
    bitset_add(later_threads(shape, graph, v), thread);
    join(later_accesses(shape, graph, v), own_accesses(shape, graph, thread), shape->access_words);
  }
  for (uint32_t w = 0; w < shape->row_words; w++) row(shape, graph, thread)[w] = 0;
}

/* ---- the audit ---- */

static bool fault(Err *err, const char *what, uint32_t thread) {
  return err_set(err, ERR_CHECK, "bad summary: %s (thread %u)", what, (unsigned)thread);
}

static bool is_zero(const uint64_t *words, uint32_t n) {
  for (uint32_t w = 0; w < n; w++)
    if (words[w]) return false;
  return true;
}

static bool is_below(const uint64_t *set, uint32_t n_words, uint32_t n) {
  for (uint32_t i = n; i < 64 * n_words; i++)
    if (bitset_has(set, i)) return false;
  return true;
}

static bool is_part(const uint64_t *set, const uint64_t *other, uint32_t n_words) {
  for (uint32_t w = 0; w < n_words; w++)
    if (set[w] & ~other[w]) return false;
  return true;
}

static bool audit_row(const SummaryShape *shape, uint64_t *graph, uint32_t v, Err *err) {
  const uint32_t accesses = 2 * shape->n_objects;
  if (!is_below(own_accesses(shape, graph, v), shape->access_words, accesses) ||
      !is_below(later_accesses(shape, graph, v), shape->access_words, accesses))
    return fault(err, "no such access", v);
  if (!is_below(successors(shape, graph, v), shape->thread_words, shape->n_threads) ||
      !is_below(later_threads(shape, graph, v), shape->thread_words, shape->n_threads))
    return fault(err, "no such thread", v);
  if (bitset_has(successors(shape, graph, v), v) || bitset_has(later_threads(shape, graph, v), v))
    return fault(err, "it comes before itself", v);
  return true;
}

/* u must come before i, which is open, and so before what i comes before. */
static bool audit_edge(const SummaryShape *shape, uint64_t *graph, uint32_t u, uint32_t i, Err *err) {
  if (!summary_is_open(shape, graph, i)) return fault(err, "it comes before a transaction that is not open", u);
  if (is_part(successors(shape, graph, i), successors(shape, graph, u), shape->thread_words) &&
      is_part(later_accesses(shape, graph, i), later_accesses(shape, graph, u), shape->access_words) &&
      is_part(later_threads(shape, graph, i), later_threads(shape, graph, u), shape->thread_words))
    return true;
  return fault(err, "what follows from its edges is missing", u);
}

static bool audit_open(const SummaryShape *shape, uint64_t *graph, uint32_t u, Err *err) {
  if (*row(shape, graph, u) != 1) return fault(err, "it is neither open nor not", u);
  if (!audit_row(shape, graph, u, err)) return false;
  for (uint32_t i = 0; i < shape->n_threads; i++) {
    const bool edge = bitset_has(successors(shape, graph, u), i);
    if (edge && !audit_edge(shape, graph, u, i, err)) return false;
    if (!edge && summary_is_open(shape, graph, i) && bitset_has(later_threads(shape, graph, u), i))
      return fault(err, "the order of a thread is missing", u);
  }
  return true;
}

bool summary_audit(const SummaryShape *shape, const uint64_t *graph, Err *err) {
  uint64_t *same = (uint64_t *)graph; /* nothing is written */
  for (uint32_t v = 0; v < shape->n_threads; v++) {
    const bool open = summary_is_open(shape, graph, v);
    if (open && !audit_open(shape, same, v, err)) return false;
    if (!open && !is_zero(row(shape, same, v), shape->row_words)) return fault(err, "it is not open, and not zero", v);
  }
  return true;
}
