#include "petri/subnet.h"

#include "base/vec.h"

#include <assert.h>

/* A part while it is taken over. */
typedef struct {
  Heap *heap;
  const Net *whole;
  const Notes *notes;
  bool *keeps_thread, *keeps_trans, *keeps_place, *keeps_object;
  uint32_t *place_number; /* per place of the whole that is kept */
  uint32_t n_trans;       /* that are kept */
  NetBuilder *builder;
  NotesBuilder *made;
} Taking;

/* ---- what is kept ---- */

static void keep_places(Taking *k, PlaceList places) {
  for (uint32_t i = 0; i < places.n; i++) {
    const uint32_t object = k->notes->places[places.at[i].v].object;
    k->keeps_place[places.at[i].v] = true;
    if (object != NOTE_NONE) k->keeps_object[object] = true;
  }
}

static bool *list_threads(Heap *heap, const Net *net, const uint32_t *threads, uint32_t n) {
  bool *keeps = heap_zeroed(heap, (size_t)net->notes->n_threads + 1);
  for (uint32_t i = 0; i < n; i++) {
    assert(threads[i] < net->notes->n_threads);
    keeps[threads[i]] = true;
  }
  return keeps;
}

/* Marks the place as one that may get a token. */
static void reach_place(Taking *k, U32Vec *queue, uint32_t place) {
  if (k->keeps_place[place]) return;
  k->keeps_place[place] = true;
  vec_push(k->heap, queue, place);
}

/* Keeps the transitions of the threads whose input places may all get a token, as far as each place by itself goes; and
 * these places. The others can never fire: tests of values that only the threads that are left out would make. */
static void choose_transitions(Taking *k) {
  const Net *net = k->whole;
  U32Vec queue = {0};
  uint32_t *missing = heap_alloc(k->heap, heap_product(k->heap, (uint64_t)net->n_trans + 1, sizeof *missing));
  for (uint32_t t = 0; t < net->n_trans; t++) missing[t] = net_pre(net, (TransId){t}).n;
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->marked[p]) reach_place(k, &queue, p);
  for (uint32_t i = 0; i < queue.n; i++) {
    const TransList consumers = net_consumers(net, (PlaceId){queue.at[i]});
    for (uint32_t c = 0; c < consumers.n; c++) {
      const TransId t = consumers.at[c];
      const uint32_t thread = k->notes->transitions[t.v].thread;
      if (--missing[t.v] || (thread != NOTE_NONE && !k->keeps_thread[thread])) continue;
      k->keeps_trans[t.v] = true;
      k->n_trans++;
      for (uint32_t o = 0; o < net_post(net, t).n; o++) reach_place(k, &queue, net_post(net, t).at[o].v);
    }
  }
  heap_release(k->heap, missing);
  vec_fini(k->heap, &queue);
}

static void choose_all(Taking *k) {
  for (uint32_t t = 0; t < k->whole->n_trans; t++) k->keeps_trans[t] = true;
  k->n_trans = k->whole->n_trans;
}

static void choose(Taking *k, bool all) {
  if (all) choose_all(k);
  else choose_transitions(k);
  for (uint32_t p = 0; p < k->whole->n_places; p++) k->keeps_place[p] = false;
  for (uint32_t t = 0; t < k->whole->n_trans; t++) {
    if (!k->keeps_trans[t]) continue;
    keep_places(k, net_pre(k->whole, (TransId){t}));
    keep_places(k, net_post(k->whole, (TransId){t}));
  }
  for (uint32_t p = 0; p < k->whole->n_places; p++) {
    const PlaceNote *note = &k->notes->places[p];
    if ((note->role == ROLE_LOCK || note->role == ROLE_COPY) && k->keeps_object[note->object]) k->keeps_place[p] = true;
  }
}

/* ---- taking it over ---- */

static void take_names(Taking *k) {
  const Notes *notes = k->notes;
  net_set_name(k->builder, k->whole->name);
  notes_declare_as(k->made, notes);
  for (uint32_t i = 0; i < notes->n_threads; i++)
    notes_add_thread(k->made, notes->threads[i].name, notes->threads[i].group, notes->threads[i].pos);
}

static void take_places(Taking *k) {
  for (uint32_t p = 0; p < k->whole->n_places; p++) {
    if (!k->keeps_place[p]) continue;
    k->place_number[p] = net_add_place(k->builder, k->whole->place_name[p], k->whole->marked[p]).v;
    PlaceNote note = k->notes->places[p];
    note.state = NOTE_NONE; /* which only people want to know */
    notes_set_place(k->made, k->place_number[p], note);
  }
}

static void take_transition(Taking *k, TransId t) {
  const TransId new = net_add_trans(k->builder, k->whole->trans_name[t.v]);
  const PlaceList pre = net_pre(k->whole, t), post = net_post(k->whole, t);
  for (uint32_t i = 0; i < pre.n; i++) net_add_input(k->builder, (PlaceId){k->place_number[pre.at[i].v]}, new);
  for (uint32_t i = 0; i < post.n; i++) net_add_output(k->builder, new, (PlaceId){k->place_number[post.at[i].v]});
  net_set_line(k->builder, new, k->whole->trans_line[t.v]);
  notes_set_trans(k->made, new.v, k->notes->transitions[t.v]);
  const AccessList accesses = notes_accesses(k->notes, t.v);
  for (uint32_t i = 0; i < accesses.n; i++) notes_add_access(k->made, new.v, accesses.at[i]);
}

static void take_transitions(Taking *k, TransId *original) {
  uint32_t n = 0;
  for (uint32_t t = 0; t < k->whole->n_trans; t++) {
    if (!k->keeps_trans[t]) continue;
    take_transition(k, (TransId){t});
    original[n++] = (TransId){t};
  }
  assert(n == k->n_trans);
}

/* ---- ends ---- */

/* Is it a control place of one of the threads that nothing leads away from? */
static bool is_end(const Net *net, const bool *keeps_thread, uint32_t place) {
  const PlaceNote *note = &net->notes->places[place];
  const PlaceId p = {place};
  return note->role == ROLE_CONTROL && note->thread != NOTE_NONE && keeps_thread[note->thread] &&
         !net_consumers(net, p).n && net_producers(net, p).n;
}

bool subnet_has_ends(Heap *heap, const Net *net, const uint32_t *threads, uint32_t n) {
  bool *keeps = list_threads(heap, net, threads, n);
  bool any = false;
  for (uint32_t p = 0; p < net->n_places && !any; p++) any = is_end(net, keeps, p);
  heap_release(heap, keeps);
  return any;
}

/* Per thread: its one control place that is marked, or NOTE_NONE. */
static uint32_t *find_starts(const Taking *k) {
  uint32_t *start = heap_alloc(k->heap, ((size_t)k->notes->n_threads + 1) * sizeof *start);
  for (uint32_t i = 0; i < k->notes->n_threads; i++) start[i] = NOTE_NONE;
  for (uint32_t p = k->whole->n_places; p-- > 0;) {
    const PlaceNote *note = &k->notes->places[p];
    if (k->whole->marked[p] && note->role == ROLE_CONTROL && note->thread != NOTE_NONE) start[note->thread] = p;
  }
  return start;
}

static uint32_t close_ends(Taking *k) {
  uint32_t n = 0, *start = find_starts(k);
  for (uint32_t p = 0; p < k->whole->n_places; p++) {
    if (!k->keeps_place[p] || !is_end(k->whole, k->keeps_thread, p)) continue;
    const uint32_t thread = k->notes->places[p].thread;
    if (start[thread] == NOTE_NONE || !k->keeps_place[start[thread]]) continue;
    const TransId again = net_add_trans(k->builder, "again");
    net_add_input(k->builder, (PlaceId){k->place_number[p]}, again);
    net_add_output(k->builder, again, (PlaceId){k->place_number[start[thread]]});
    notes_set_trans(k->made, again.v, (TransNote){thread, {0}, "", NOTE_NONE, NOTE_NONE, false});
    n++;
  }
  heap_release(k->heap, start);
  return n;
}

/* ---- the whole way ---- */

static Net *take(Taking *k, Subnet *subnet, bool closed) {
  take_names(k);
  take_places(k);
  take_transitions(k, subnet->original);
  subnet->n_added = closed ? close_ends(k) : 0;
  for (uint32_t i = 0; i < subnet->n_added; i++) subnet->original[k->n_trans + i] = TRANS_NONE;
  Err err;
  Net *net = net_freeze(k->builder, &err);
  assert(net); /* no arc is there twice, and the notes fit, as in the whole */
  return net;
}

static void init(Subnet *subnet, Heap *heap, const Net *net, const uint32_t *threads, uint32_t n, bool closed) {
  assert(net->notes);
  Taking k = {.heap = heap, .whole = net, .notes = net->notes, .builder = net_builder_new(heap)};
  k.made = net_builder_notes(k.builder);
  k.keeps_thread = list_threads(heap, net, threads, n);
  k.keeps_trans = heap_zeroed(heap, (size_t)net->n_trans + 1);
  k.keeps_place = heap_zeroed(heap, (size_t)net->n_places + 1);
  k.keeps_object = heap_zeroed(heap, (size_t)net->notes->n_objects + 1);
  k.place_number = heap_alloc(heap, heap_product(heap, (uint64_t)net->n_places + 1, sizeof *k.place_number));
  choose(&k, n == net->notes->n_threads);
  *subnet = (Subnet){.heap = heap};
  subnet->original =
      heap_alloc(heap, heap_product(heap, (uint64_t)k.n_trans + net->n_places + 1, sizeof *subnet->original));
  subnet->net = take(&k, subnet, closed);
  subnet->place = heap_alloc(heap, heap_product(heap, (uint64_t)subnet->net->n_places + 1, sizeof *subnet->place));
  for (uint32_t p = 0; p < net->n_places; p++)
    if (k.keeps_place[p]) subnet->place[k.place_number[p]] = (PlaceId){p};
  heap_release(heap, k.keeps_thread);
  heap_release(heap, k.keeps_trans);
  heap_release(heap, k.keeps_place);
  heap_release(heap, k.keeps_object);
  heap_release(heap, k.place_number);
}

void subnet_init(Subnet *subnet, Heap *heap, const Net *net, const uint32_t *threads, uint32_t n) {
  init(subnet, heap, net, threads, n, false);
}

void subnet_init_closed(Subnet *subnet, Heap *heap, const Net *net, const uint32_t *threads, uint32_t n) {
  init(subnet, heap, net, threads, n, true);
}

void subnet_fini(Subnet *subnet) {
  net_free(subnet->net);
  if (subnet->heap) heap_release(subnet->heap, subnet->original);
  if (subnet->heap) heap_release(subnet->heap, subnet->place);
  *subnet = (Subnet){0};
}

bool subnet_run_to_whole(const Subnet *subnet, TransId *run, uint32_t n_run) {
  const uint32_t first_added = subnet->net->n_trans - subnet->n_added;
  for (uint32_t i = 0; i < n_run; i++) {
    assert(run[i].v < subnet->net->n_trans);
    if (run[i].v >= first_added) return false;
  }
  for (uint32_t i = 0; i < n_run; i++) run[i] = subnet->original[run[i].v];
  return true;
}
