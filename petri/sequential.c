#include "petri/sequential.h"

#include "base/vec.h"

#include <assert.h>

typedef struct {
  Heap *heap;
  const Net *net;
  const Notes *notes;
  uint32_t *taken, *put; /* per thread: control tokens; all zero between transitions */
  U32Vec met;            /* the threads counted */
} Checker;

/* Counts the control places in a list, thread by thread. */
static void count_control(Checker *c, PlaceList places, uint32_t *n) {
  for (uint32_t i = 0; i < places.n; i++) {
    const PlaceNote *note = &c->notes->places[places.at[i].v];
    if (note->role != ROLE_CONTROL) continue;
    assert(note->thread < c->notes->n_threads);
    vec_push(c->heap, &c->met, note->thread);
    n[note->thread]++;
  }
}

static bool not_sequential(const Checker *c, uint32_t thread, TransId t, Err *err) {
  return err_set(err, ERR_INPUT,
                 "thread '%.100s' is not sequential: transition '%.100s' takes %u of its control tokens and puts %u",
                 c->notes->threads[thread].name, c->net->trans_name[t.v], c->taken[thread], c->put[thread]);
}

/* Each transition of a thread takes its one control token; nobody puts a second one. */
static bool check_transition(Checker *c, TransId t, Err *err) {
  const uint32_t own = c->notes->transitions[t.v].thread;
  bool good = true;
  assert(own == NOTE_NONE || (c->taken[own] == 0 && c->put[own] == 0));
  vec_clear(&c->met);
  if (own != NOTE_NONE) vec_push(c->heap, &c->met, own);
  count_control(c, net_pre(c->net, t), c->taken);
  count_control(c, net_post(c->net, t), c->put);
  for (uint32_t i = 0; good && i < c->met.n; i++) {
    const uint32_t thread = c->met.at[i], n = c->taken[thread];
    if (n > 1 || c->put[thread] > n || (thread == own && n == 0)) good = not_sequential(c, thread, t, err);
  }
  for (uint32_t i = 0; i < c->met.n; i++) c->taken[c->met.at[i]] = c->put[c->met.at[i]] = 0;
  return good;
}

static bool check_start(Checker *c, Err *err) {
  bool good = true;
  for (uint32_t p = 0; good && p < c->net->n_places; p++) {
    const PlaceNote *note = &c->notes->places[p];
    if (note->role == ROLE_CONTROL && c->net->marked[p] && ++c->taken[note->thread] > 1)
      good = err_set(err, ERR_INPUT, "thread '%.100s' is not sequential: it has two control tokens initially",
                     c->notes->threads[note->thread].name);
  }
  for (uint32_t i = 0; i < c->notes->n_threads; i++) c->taken[i] = 0;
  return good;
}

static bool check_block(const Checker *c, TransId t, Err *err) {
  const TransNote *note = &c->notes->transitions[t.v];
  if (note->thread != NOTE_NONE || (note->begin == NOTE_NONE && note->end == NOTE_NONE)) return true;
  return err_set(err, ERR_INPUT, "transition '%.100s' %s a block, but belongs to no thread", c->net->trans_name[t.v],
                 note->begin == NOTE_NONE ? "ends" : "begins");
}

bool sequential_check(Heap *heap, const Net *net, Err *err) {
  Checker c = {.heap = heap, .net = net, .notes = net->notes};
  c.taken = heap_zeroed(heap, ((size_t)c.notes->n_threads + 1) * sizeof *c.taken);
  c.put = heap_zeroed(heap, ((size_t)c.notes->n_threads + 1) * sizeof *c.put);
  bool good = check_start(&c, err);
  for (uint32_t t = 0; good && t < net->n_trans; t++)
    good = check_transition(&c, (TransId){t}, err) && check_block(&c, (TransId){t}, err);
  heap_release(heap, c.taken);
  heap_release(heap, c.put);
  vec_fini(heap, &c.met);
  return good;
}
