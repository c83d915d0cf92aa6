#include "serial/findings.h"

#include "base/hash.h"

#include <assert.h>
#include <string.h>

/* ---- shorter walks ---- */

static bool same_transaction(const MonitorTransaction *a, const MonitorTransaction *b) {
  return a->thread == b->thread && a->first == b->first;
}

static CycleStep order_step(const MonitorTransaction *from, const MonitorTransaction *to) {
  const MonitorAccess before = {from->last, TRACE_NONE, from->ordinal ? TRACE_NONE : from->location, TRACE_END};
  const MonitorAccess after = {to->first, TRACE_NONE, to->location, TRACE_BEGIN};
  return (CycleStep){{MONITOR_ORDER, before, after}, *to};
}

/* The last step, from j down to i, that leads to what step i leads to: that thread, in the same life. */
static uint32_t last_in_life(const CycleSteps *walk, uint32_t i, uint32_t j) {
  const MonitorTransaction *it = &walk->at[i].to;
  while (walk->at[j].to.thread != it->thread || walk->at[j].to.life != it->life) j--;
  return j;
}

void findings_shorten(Heap *heap, CycleSteps *walk) {
  assert(walk->n > 0);
  uint32_t n_threads = 0, n = 0;
  for (uint32_t i = 0; i < walk->n; i++)
    if (walk->at[i].to.thread >= n_threads) n_threads = walk->at[i].to.thread + 1;
  uint32_t *last =
      heap_alloc(heap, heap_product(heap, n_threads, sizeof *last)); /* of a thread: the last step that leads to it */
  for (uint32_t i = 0; i < walk->n; i++) last[walk->at[i].to.thread] = i;
  for (uint32_t i = 0; i < walk->n; i++) {
    const CycleStep step = walk->at[i];
    const uint32_t j = last_in_life(walk, i, last[step.to.thread]);
    walk->at[n++] = step;
    if (j == i) continue;
    const CycleStep far = walk->at[j];
    assert(j > i && far.to.thread == step.to.thread);
    if (!same_transaction(&step.to, &far.to)) {
      if (far.to.first < step.to.first) continue;
      walk->at[n++] = order_step(&step.to, &far.to);
    }
    i = j;
  }
  walk->n = n;
  heap_release(heap, last);
}

/* ---- findings ---- */

static uint64_t hash_access(const MonitorAccess *access) {
  const uint64_t place = access->location == TRACE_NONE ? (uint64_t)1 << 32 | access->object : access->location;
  return hash_join(access->op, place);
}

uint64_t findings_hash_edge(const MonitorEdge *edge) {
  return hash_join(hash_join(edge->kind, hash_access(&edge->from)), hash_access(&edge->to));
}

static uint64_t hash_step(const CycleStep *step) {
  const MonitorTransaction *t = &step->to;
  uint64_t hash = hash_join(t->label, t->ordinal != 0);
  hash = hash_join(hash, t->location == TRACE_NONE ? (uint64_t)1 << 32 | t->thread : t->location);
  return hash_join(hash, findings_hash_edge(&step->edge));
}

/* The same from wherever the cycle is entered: the least over all of its turns. */
static uint64_t hash_cycle(const CycleSteps *cycle) {
  uint64_t least = UINT64_MAX;
  for (uint32_t turn = 0; turn < cycle->n; turn++) {
    uint64_t hash = cycle->n;
    for (uint32_t i = 0; i < cycle->n; i++) hash = hash_join(hash, hash_step(&cycle->at[(turn + i) % cycle->n]));
    if (hash < least) least = hash;
  }
  return least;
}

static bool is_wanted(Findings *findings, uint64_t hash) {
  return (findings->all || findings->list.n == 0) && hashes_add(findings->heap, &findings->known, hash);
}

void findings_add(Findings *findings, uint64_t event, CycleSteps *cycle) {
  Heap *heap = findings->heap;
  findings_shorten(heap, cycle);
  assert(cycle->n >= 2); /* no transaction comes before itself at one step */
  const uint32_t n = cycle->n;
  if (!is_wanted(findings, hash_cycle(cycle))) return;
  MonitorFinding finding = {event, n, heap_alloc(heap, heap_product(heap, n, sizeof *finding.transactions)),
                            heap_alloc(heap, heap_product(heap, n, sizeof *finding.edges))};
  for (uint32_t i = 0; i < n; i++) {
    finding.transactions[(i + 1) % n] = cycle->at[i].to;
    finding.edges[i] = cycle->at[i].edge;
  }
  vec_push(heap, &findings->list, finding);
}

void findings_add_one(Findings *findings, uint64_t event, const MonitorTransaction *transaction) {
  const CycleStep step = {.to = *transaction};
  if (!is_wanted(findings, hash_step(&step))) return;
  MonitorFinding finding = {event, 1, heap_alloc(findings->heap, sizeof *transaction), NULL};
  *finding.transactions = *transaction;
  vec_push(findings->heap, &findings->list, finding);
}

void findings_fini(Findings *findings) {
  for (uint32_t i = 0; i < findings->list.n; i++) {
    heap_release(findings->heap, findings->list.at[i].transactions);
    heap_release(findings->heap, findings->list.at[i].edges);
  }
  vec_fini(findings->heap, &findings->list);
  hashes_fini(findings->heap, &findings->known);
}

void findings_carry(Findings *findings, Carry *carry) {
  const uint32_t n = carry_count(carry, findings->list.n, 1);
  if (carry->in) vec_resize_zeroed(findings->heap, &findings->list, n);
  for (uint32_t i = 0; i < n; i++) {
    MonitorFinding *finding = &findings->list.at[i];
    carry_value(carry, finding->event);
    finding->n = carry_count(carry, finding->n, sizeof *finding->transactions);
    carry_array(carry, finding->transactions, finding->n);
    carry_array(carry, finding->edges, finding->n);
  }
  hashes_carry(&findings->known, carry);
}
