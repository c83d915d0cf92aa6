#include "check/part.h"

#include "base/vec.h"

#include <assert.h>

/* ---- which transitions ---- */

static bool is_kept(const Net *whole, const bool *kept, uint32_t t) {
  const uint32_t thread = whole->notes->transitions[t].thread;
  return thread == NOTE_NONE || kept[thread];
}

static bool all_marked(const bool *marked, PlaceList places) {
  for (uint32_t i = 0; i < places.n; i++)
    if (!marked[places.at[i].v]) return false;
  return true;
}

static void mark(Heap *heap, bool *marked, U32Vec *queue, uint32_t place) {
  if (marked[place]) return;
  marked[place] = true;
  vec_push(heap, queue, place);
}

/* t may fire, if it is kept and each of its input places may be marked: then so may its output places. */
static void try_transition(Heap *heap, const Net *whole, const bool *kept, TransId t, bool *marked, bool *chosen,
                           U32Vec *queue) {
  const PlaceList post = net_post(whole, t);
  if (chosen[t.v] || !is_kept(whole, kept, t.v) || !all_marked(marked, net_pre(whole, t))) return;
  chosen[t.v] = true;
  for (uint32_t i = 0; i < post.n; i++) mark(heap, marked, queue, post.at[i].v);
}

static bool *choose_transitions(Heap *heap, const Net *whole, const bool *kept) {
  bool *chosen = heap_zeroed(heap, (size_t)whole->n_trans + 1),
       *marked = heap_zeroed(heap, (size_t)whole->n_places + 1);
  U32Vec queue = {0};
  for (uint32_t p = 0; p < whole->n_places; p++)
    if (whole->marked[p]) mark(heap, marked, &queue, p);
  for (uint32_t t = 0; t < whole->n_trans; t++)
    if (!net_pre(whole, (TransId){t}).n) try_transition(heap, whole, kept, (TransId){t}, marked, chosen, &queue);
  for (uint32_t i = 0; i < queue.n; i++) {
    const TransList next = net_consumers(whole, (PlaceId){queue.at[i]});
    for (uint32_t k = 0; k < next.n; k++) try_transition(heap, whole, kept, next.at[k], marked, chosen, &queue);
  }
  heap_release(heap, marked);
  vec_fini(heap, &queue);
  return chosen;
}

/* ---- the net ---- */

static void copy_names(NotesBuilder *made, const Notes *notes) {
  for (uint32_t i = 0; i < notes->n_threads; i++)
    notes_add_thread(made, notes->threads[i].name, notes->threads[i].group, (SrcPos){0});
  for (uint32_t i = 0; i < notes->n_objects; i++)
    notes_add_object(made, notes->objects[i].name, notes->objects[i].kind, notes->objects[i].n_values);
  for (uint32_t i = 0; i < notes->n_blocks; i++) notes_add_block(made, notes->blocks[i].name, (SrcPos){0}, (SrcPos){0});
}

static void copy_transition(NetBuilder *builder, const Net *whole, TransId t) {
  const TransNote *note = &whole->notes->transitions[t.v];
  const PlaceList pre = net_pre(whole, t), post = net_post(whole, t);
  const TransId copy = net_add_trans(builder, whole->trans_name[t.v]);
  for (uint32_t i = 0; i < pre.n; i++) net_add_input(builder, pre.at[i], copy);
  for (uint32_t i = 0; i < post.n; i++) net_add_output(builder, copy, post.at[i]);
  notes_set_trans(net_builder_notes(builder), copy.v,
                  (TransNote){note->thread, {0}, "", note->begin, note->end, false});
}

Net *part_of_net(Heap *heap, const Net *whole, const bool *kept) {
  bool *chosen = choose_transitions(heap, whole, kept);
  NetBuilder *builder = net_builder_new(heap);
  Err err;
  copy_names(net_builder_notes(builder), whole->notes);
  for (uint32_t p = 0; p < whole->n_places; p++) {
    net_add_place(builder, whole->place_name[p], whole->marked[p]);
    PlaceNote note = whole->notes->places[p];
    note.state = NOTE_NONE; /* states are not declared: they prove nothing */
    notes_set_place(net_builder_notes(builder), p, note);
  }
  for (uint32_t t = 0; t < whole->n_trans; t++)
    if (chosen[t]) copy_transition(builder, whole, (TransId){t});
  Net *part = net_freeze(builder, &err);
  assert(part); /* no arc is there twice, and the notes fit, as in the whole */
  heap_release(heap, chosen);
  return part;
}
