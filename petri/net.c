#include "petri/net.h"

#include "base/vec.h"
#include "petri/notes_builder.h"

#include <assert.h>
#include <string.h>

typedef struct {
  uint32_t place, trans;
} Arc;
typedef VEC(Arc) ArcVec;

/* Everything that the net will own is already in its arena; the rest is the heap's. */
struct NetBuilder {
  Heap *heap;
  Net *net;
  VEC(const char *) place_name, trans_name, unit_name;
  U32Vec trans_line;
  VEC(bool) marked;
  U32Vec unit_of;
  ArcVec inputs, outputs;
  NotesBuilder notes;
};

NetBuilder *net_builder_new(Heap *heap) {
  NetBuilder *builder = heap_zeroed(heap, sizeof *builder);
  builder->heap = heap;
  builder->net = heap_zeroed(heap, sizeof *builder->net);
  arena_init(&builder->net->arena, heap);
  builder->net->name = "";
  notes_builder_init(&builder->notes, &builder->net->arena);
  return builder;
}

void net_builder_free(NetBuilder *builder) {
  if (!builder) return;
  Heap *heap = builder->heap;
  vec_fini(heap, &builder->place_name);
  vec_fini(heap, &builder->trans_name);
  vec_fini(heap, &builder->trans_line);
  vec_fini(heap, &builder->unit_name);
  vec_fini(heap, &builder->marked);
  vec_fini(heap, &builder->unit_of);
  vec_fini(heap, &builder->inputs);
  vec_fini(heap, &builder->outputs);
  notes_builder_fini(&builder->notes);
  net_free(builder->net);
  heap_release(heap, builder);
}

void net_free(Net *net) {
  if (!net) return;
  Heap *heap = net->arena.heap;
  arena_fini(&net->arena);
  heap_release(heap, net);
}

static const char *keep(NetBuilder *builder, const char *text) {
  return arena_copy(&builder->net->arena, text, strlen(text));
}

PlaceId net_add_place(NetBuilder *builder, const char *name, bool marked) {
  if (builder->place_name.n >= NET_MAX_NODES) heap_give_up(builder->heap);
  vec_push(builder->heap, &builder->place_name, keep(builder, name));
  vec_push(builder->heap, &builder->marked, marked);
  vec_push(builder->heap, &builder->unit_of, UNIT_NONE);
  return (PlaceId){builder->place_name.n - 1};
}

TransId net_add_trans(NetBuilder *builder, const char *name) {
  if (builder->trans_name.n >= NET_MAX_NODES) heap_give_up(builder->heap);
  vec_push(builder->heap, &builder->trans_name, keep(builder, name));
  vec_push(builder->heap, &builder->trans_line, 0);
  return (TransId){builder->trans_name.n - 1};
}

void net_add_input(NetBuilder *builder, PlaceId from, TransId to) {
  vec_push(builder->heap, &builder->inputs, ((Arc){from.v, to.v}));
}

void net_add_output(NetBuilder *builder, TransId from, PlaceId to) {
  vec_push(builder->heap, &builder->outputs, ((Arc){to.v, from.v}));
}

void net_set_line(NetBuilder *builder, TransId trans, uint32_t line) { builder->trans_line.at[trans.v] = line; }
void net_set_marked(NetBuilder *builder, PlaceId place, bool marked) { builder->marked.at[place.v] = marked; }
void net_set_name(NetBuilder *builder, const char *name) { builder->net->name = keep(builder, name); }
void net_set_phantoms(NetBuilder *builder, uint32_t n) { builder->net->n_phantoms = n; }

uint32_t net_add_unit(NetBuilder *builder, const char *name) {
  vec_push(builder->heap, &builder->unit_name, keep(builder, name));
  return builder->unit_name.n - 1;
}

void net_set_unit(NetBuilder *builder, PlaceId place, uint32_t unit) { builder->unit_of.at[place.v] = unit; }
void net_set_units_safe(NetBuilder *builder, bool safe) { builder->net->units_safe = safe; }
uint32_t net_builder_places(const NetBuilder *builder) { return builder->place_name.n; }
uint32_t net_builder_transitions(const NetBuilder *builder) { return builder->trans_name.n; }
NotesBuilder *net_builder_notes(NetBuilder *builder) { return &builder->notes; }

/* The row starts of n rows from the row numbers of all arcs. */
static uint32_t *row_starts(Arena *arena, uint32_t n, const ArcVec *arcs, bool by_place) {
  uint32_t *start = arena_zeroed(arena, (size_t)n + 1, sizeof *start);
  for (uint32_t i = 0; i < arcs->n; i++) start[by_place ? arcs->at[i].place : arcs->at[i].trans]++;
  for (uint32_t row = 0, sum = 0; row <= n; row++) {
    const uint32_t count = start[row];
    start[row] = sum;
    sum += count;
  }
  return start;
}

/* Two counting sorts give both directions, each row ascending: filling the rows of one side in the order of the other
 * side's ids keeps them sorted. */
static void freeze_arcs(NetBuilder *builder, const ArcVec *arcs, const uint32_t **trans_start, const PlaceId **places,
                        const uint32_t **place_start, const TransId **transitions) {
  Net *net = builder->net;
  Heap *heap = builder->heap;
  uint32_t *by_trans = row_starts(&net->arena, net->n_trans, arcs, false);
  uint32_t *by_place = row_starts(&net->arena, net->n_places, arcs, true);
  PlaceId *place_at = arena_alloc(&net->arena, arcs->n * sizeof *place_at);
  TransId *trans_at = arena_alloc(&net->arena, arcs->n * sizeof *trans_at);
  uint32_t *next =
      heap_alloc(heap, (size_t)(net->n_places > net->n_trans ? net->n_places : net->n_trans) * sizeof *next);

  /* unsorted rows by place, then sorted rows by transition, then sorted rows by place */
  if (net->n_places) memcpy(next, by_place, net->n_places * sizeof *next);
  for (uint32_t i = 0; i < arcs->n; i++) trans_at[next[arcs->at[i].place]++] = (TransId){arcs->at[i].trans};
  if (net->n_trans) memcpy(next, by_trans, net->n_trans * sizeof *next);
  for (uint32_t p = 0; p < net->n_places; p++)
    for (uint32_t k = by_place[p]; k < by_place[p + 1]; k++) place_at[next[trans_at[k].v]++] = (PlaceId){p};
  if (net->n_places) memcpy(next, by_place, net->n_places * sizeof *next);
  for (uint32_t t = 0; t < net->n_trans; t++)
    for (uint32_t k = by_trans[t]; k < by_trans[t + 1]; k++) trans_at[next[place_at[k].v]++] = (TransId){t};
  heap_release(heap, next);

  *trans_start = by_trans;
  *places = place_at;
  *place_start = by_place;
  *transitions = trans_at;
}

/* No row of a transition may name a place twice. */
static bool check_single_arcs(const Net *net, const uint32_t *start, const PlaceId *places, bool input, Err *err) {
  for (uint32_t t = 0; t < net->n_trans; t++)
    for (uint32_t k = start[t] + 1; k < start[t + 1]; k++)
      if (places[k].v == places[k - 1].v) {
        const char *place = net->place_name[places[k].v], *trans = net->trans_name[t];
        return err_set(err, ERR_INPUT,
                       "two arcs from '%.200s' to '%.200s': an arc of weight 2, but the net must be 1-safe",
                       input ? place : trans, input ? trans : place);
      }
  return true;
}

/* A copy of a vector's elements that the net owns. */
static const void *keep_array(NetBuilder *builder, const void *from, size_t count, size_t size) {
  void *copy = arena_alloc(&builder->net->arena, count * size);
  if (count) memcpy(copy, from, count * size);
  return copy;
}

/* Counting sort of the places by unit. */
static void freeze_units(NetBuilder *builder) {
  Net *net = builder->net;
  uint32_t *start = arena_zeroed(&net->arena, (size_t)net->n_units + 2, sizeof *start);
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->unit_of[p] != UNIT_NONE) {
      assert(net->unit_of[p] < net->n_units);
      start[net->unit_of[p] + 2]++;
    }
  for (uint32_t unit = 0; unit < net->n_units; unit++) start[unit + 2] += start[unit + 1];
  PlaceId *places = arena_alloc(&net->arena, start[net->n_units + 1] * sizeof *places);
  /* start[u + 1] is where unit u begins, and moves on to where it ends */
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->unit_of[p] != UNIT_NONE) places[start[net->unit_of[p] + 1]++] = (PlaceId){p};
  net->unit_start = start;
  net->unit_places = places;
}

static bool freeze(NetBuilder *builder, Err *err) {
  Net *net = builder->net;
  net->n_places = builder->place_name.n;
  net->n_trans = builder->trans_name.n;
  net->n_inputs = builder->inputs.n;
  net->n_outputs = builder->outputs.n;
  net->place_name = keep_array(builder, builder->place_name.at, net->n_places, sizeof(char *));
  net->trans_name = keep_array(builder, builder->trans_name.at, net->n_trans, sizeof(char *));
  net->trans_line = keep_array(builder, builder->trans_line.at, net->n_trans, sizeof(uint32_t));
  net->marked = keep_array(builder, builder->marked.at, net->n_places, sizeof(bool));
  net->n_units = builder->unit_name.n;
  if (net->n_units) {
    net->unit_of = keep_array(builder, builder->unit_of.at, net->n_places, sizeof(uint32_t));
    net->unit_name = keep_array(builder, builder->unit_name.at, net->n_units, sizeof(char *));
    freeze_units(builder);
  }
  freeze_arcs(builder, &builder->inputs, &net->pre_start, &net->pre, &net->consumer_start, &net->consumers);
  freeze_arcs(builder, &builder->outputs, &net->post_start, &net->post, &net->producer_start, &net->producers);
  return check_single_arcs(net, net->pre_start, net->pre, true, err) &&
         check_single_arcs(net, net->post_start, net->post, false, err) &&
         notes_freeze(&builder->notes, net->n_places, net->n_trans, net->marked, &net->notes, err);
}

Net *net_freeze(NetBuilder *builder, Err *err) {
  Net *net = NULL;
  if (freeze(builder, err)) {
    net = builder->net;
    builder->net = NULL;
  }
  net_builder_free(builder);
  return net;
}

bool net_check_presets(const Net *net, const char *file, Err *err) {
  for (uint32_t t = 0; t < net->n_trans; t++) {
    if (net_pre(net, (TransId){t}).n) continue;
    return err_set(err, ERR_INPUT, "%.300s:%u: transition '%.200s' has no input place, so it could fire forever", file,
                   net->trans_line[t], net->trans_name[t]);
  }
  return true;
}

bool net_place_list_has(PlaceList list, PlaceId p) {
  uint32_t from = 0, to = list.n;
  while (from < to) {
    const uint32_t middle = from + (to - from) / 2;
    if (list.at[middle].v < p.v) from = middle + 1;
    else to = middle;
  }
  return from < list.n && list.at[from].v == p.v;
}

static bool audit_rows(const Net *net, const uint32_t *start, const PlaceId *places, const uint32_t *back_start,
                       const TransId *back, uint32_t n_arcs, Err *err) {
  if (start[net->n_trans] != n_arcs || back_start[net->n_places] != n_arcs)
    return err_set(err, ERR_CHECK, "net: the rows do not hold all arcs");
  for (uint32_t t = 0; t < net->n_trans; t++)
    for (uint32_t k = start[t]; k < start[t + 1]; k++)
      if (places[k].v >= net->n_places || (k > start[t] && places[k - 1].v >= places[k].v))
        return err_set(err, ERR_CHECK, "net: the row of transition %u is out of range or not ascending", t);
  for (uint32_t p = 0; p < net->n_places; p++)
    for (uint32_t k = back_start[p]; k < back_start[p + 1]; k++) {
      if (back[k].v >= net->n_trans || (k > back_start[p] && back[k - 1].v >= back[k].v))
        return err_set(err, ERR_CHECK, "net: the row of place %u is out of range or not ascending", p);
      const uint32_t t = back[k].v;
      if (!net_place_list_has((PlaceList){places + start[t], start[t + 1] - start[t]}, (PlaceId){p}))
        return err_set(err, ERR_CHECK, "net: an arc of place %u stands in one direction only", p);
    }
  return true;
}

static bool audit_units(const Net *net, Err *err) {
  uint32_t in_units = 0;
  for (uint32_t p = 0; net->n_units && p < net->n_places; p++) {
    const uint32_t unit = net->unit_of[p];
    if (unit == UNIT_NONE) continue;
    in_units++;
    if (unit >= net->n_units) return err_set(err, ERR_CHECK, "net: place %u is in a unit that does not exist", p);
    if (!net_place_list_has(net_unit_places(net, unit), (PlaceId){p}))
      return err_set(err, ERR_CHECK, "net: place %u is missing in the list of its unit", p);
  }
  if (net->n_units && net->unit_start[net->n_units] != in_units)
    return err_set(err, ERR_CHECK, "net: the lists of the units hold places that are not theirs");
  return true;
}

bool net_audit(const Net *net, Err *err) {
  return audit_units(net, err) &&
         audit_rows(net, net->pre_start, net->pre, net->consumer_start, net->consumers, net->n_inputs, err) &&
         audit_rows(net, net->post_start, net->post, net->producer_start, net->producers, net->n_outputs, err) &&
         (!net->notes || notes_audit(net->notes, net->n_places, net->n_trans, err));
}
