#include "petri/subnet.h"

#include <assert.h>

/* A part while it is taken over. */
typedef struct {
  Heap *heap;
  const Net *whole;
  const Notes *notes;
  bool *keeps_trans, *keeps_place, *keeps_object;
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

static void choose(Taking *k, const uint32_t *threads, uint32_t n) {
  bool *keeps_thread = heap_zeroed(k->heap, (size_t)k->notes->n_threads + 1);
  for (uint32_t i = 0; i < n; i++) {
    assert(threads[i] < k->notes->n_threads);
    keeps_thread[threads[i]] = true;
  }
  for (uint32_t t = 0; t < k->whole->n_trans; t++) {
    const uint32_t thread = k->notes->transitions[t].thread;
    if (thread != NOTE_NONE && !keeps_thread[thread]) continue;
    k->keeps_trans[t] = true;
    k->n_trans++;
    keep_places(k, net_pre(k->whole, (TransId){t}));
    keep_places(k, net_post(k->whole, (TransId){t}));
  }
  for (uint32_t p = 0; p < k->whole->n_places; p++) {
    const PlaceNote *note = &k->notes->places[p];
    if ((note->role == ROLE_LOCK || note->role == ROLE_COPY) && k->keeps_object[note->object])
      k->keeps_place[p] = true;
  }
  heap_release(k->heap, keeps_thread);
}

/* ---- taking it over ---- */

static void take_names(Taking *k) {
  const Notes *notes = k->notes;
  net_set_name(k->builder, k->whole->name);
  notes_set_file(k->made, notes->file);
  for (uint32_t i = 1; i < notes->n_files; i++) notes_add_file(k->made, notes->files[i]);
  for (uint32_t i = 1; i < notes->n_functions; i++) notes_add_function(k->made, notes->functions[i]);
  for (uint32_t i = 0; i < notes->n_threads; i++)
    notes_add_thread(k->made, notes->threads[i].name, notes->threads[i].group, notes->threads[i].pos);
  for (uint32_t i = 0; i < notes->n_objects; i++)
    notes_add_object(k->made, notes->objects[i].name, notes->objects[i].kind, notes->objects[i].n_values);
  for (uint32_t i = 0; i < notes->n_blocks; i++)
    notes_add_block(k->made, notes->blocks[i].name, notes->blocks[i].begin, notes->blocks[i].end);
}

static void take_places(Taking *k) {
  for (uint32_t p = 0; p < k->whole->n_places; p++) {
    if (!k->keeps_place[p]) continue;
    k->place_number[p] = net_add_place(k->builder, k->whole->place_name[p], k->whole->marked[p]).v;
    notes_set_place(k->made, k->place_number[p], k->notes->places[p]);
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

void subnet_init(Subnet *subnet, Heap *heap, const Net *net, const uint32_t *threads, uint32_t n) {
  assert(net->notes);
  Taking k = {.heap = heap, .whole = net, .notes = net->notes, .builder = net_builder_new(heap)};
  k.made = net_builder_notes(k.builder);
  k.keeps_trans = heap_zeroed(heap, (size_t)net->n_trans + 1);
  k.keeps_place = heap_zeroed(heap, (size_t)net->n_places + 1);
  k.keeps_object = heap_zeroed(heap, (size_t)net->notes->n_objects + 1);
  k.place_number = heap_alloc(heap, heap_product(heap, (uint64_t)net->n_places + 1, sizeof *k.place_number));
  choose(&k, threads, n);
  *subnet = (Subnet){heap, NULL, heap_alloc(heap, heap_product(heap, (uint64_t)k.n_trans + 1, sizeof(TransId)))};
  take_names(&k);
  take_places(&k);
  take_transitions(&k, subnet->original);
  heap_release(heap, k.keeps_trans);
  heap_release(heap, k.keeps_place);
  heap_release(heap, k.keeps_object);
  heap_release(heap, k.place_number);
  Err err;
  subnet->net = net_freeze(k.builder, &err);
  assert(subnet->net); /* no arc is there twice, and the notes fit, as in the whole */
}

void subnet_fini(Subnet *subnet) {
  net_free(subnet->net);
  if (subnet->heap) heap_release(subnet->heap, subnet->original);
  *subnet = (Subnet){0};
}

void subnet_run_to_whole(const Subnet *subnet, TransId *run, uint32_t n_run) {
  for (uint32_t i = 0; i < n_run; i++) {
    assert(run[i].v < subnet->net->n_trans);
    run[i] = subnet->original[run[i].v];
  }
}
