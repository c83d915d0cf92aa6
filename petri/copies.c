#include "petri/copies.h"

#include "base/intern.h"

#include <string.h>

/* The places of one object in a list: how many, one of them, and whether they are of different copies and one value. */
typedef struct {
  uint32_t n;
  PlaceId last;
  bool alike;
} Part;

typedef struct {
  Heap *heap;
  const Net *net;
  bool *agree;          /* per object */
  uint32_t *copy_of;    /* per place: its copy, of all objects, or NOTE_NONE */
  uint32_t *n_copies;   /* per object */
  uint32_t *seen;       /* per copy: the last list in which it was seen */
  uint32_t n_lists;     /* so far */
  Part *before, *after; /* per object; all zero between lists */
  U32Vec met;           /* objects that have some */
} Copies;

static uint32_t number_copies(Copies *c) {
  Intern copies;
  intern_init(&copies, c->heap);
  for (uint32_t p = 0; p < c->net->n_places; p++) {
    const PlaceNote *note = &c->net->notes->places[p];
    const uint32_t key[] = {note->object, note->copy};
    bool is_new = false;
    c->copy_of[p] = note->role == ROLE_COPY ? intern_add(&copies, (const char *)key, sizeof key, &is_new) : NOTE_NONE;
    if (is_new) c->n_copies[note->object]++;
  }
  const uint32_t n = copies.strings.n;
  intern_fini(&copies);
  return n;
}

static void add_place(Copies *c, PlaceId p, Part *parts) {
  const PlaceNote *notes = c->net->notes->places;
  const uint32_t copy = c->copy_of[p.v], object = notes[p.v].object;
  if (copy == NOTE_NONE) return;
  if (!c->before[object].n && !c->after[object].n) vec_push(c->heap, &c->met, object);
  Part *part = &parts[object];
  const bool alike = c->seen[copy] != c->n_lists && (!part->n || notes[p.v].value == notes[part->last.v].value);
  *part = (Part){part->n + 1, p, alike && (part->alike || !part->n)};
  c->seen[copy] = c->n_lists;
}

static void add_list(Copies *c, PlaceList places, Part *parts) {
  c->n_lists++;
  for (uint32_t i = 0; i < places.n; i++) add_place(c, places.at[i], parts);
}

static bool is_whole(const Copies *c, uint32_t object, const Part *part) {
  return part->alike && part->n == c->n_copies[object];
}

/* The one place that is taken is put back, or all is taken and put. */
static bool is_used_well(const Copies *c, uint32_t object) {
  const Part *taken = &c->before[object], *put = &c->after[object];
  if (taken->n == 1 && put->n == 1 && taken->last.v == put->last.v) return true;
  return is_whole(c, object, taken) && is_whole(c, object, put);
}

static void look_at(Copies *c, TransId t) {
  add_list(c, net_pre(c->net, t), c->before);
  add_list(c, net_post(c->net, t), c->after);
  for (uint32_t i = 0; i < c->met.n; i++) {
    const uint32_t object = c->met.at[i];
    c->agree[object] = c->agree[object] && is_used_well(c, object);
    c->before[object] = c->after[object] = (Part){0};
  }
  vec_clear(&c->met);
}

static void look_at_start(Copies *c) {
  const Net *net = c->net;
  c->n_lists++;
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->marked[p]) add_place(c, (PlaceId){p}, c->before);
  for (uint32_t o = 0; o < net->notes->n_objects; o++) {
    c->agree[o] = !c->n_copies[o] || is_whole(c, o, &c->before[o]);
    c->before[o] = (Part){0};
  }
  vec_clear(&c->met);
}

void copies_find_twins(Heap *heap, const Net *net, bool *twins) {
  Intern seen;
  intern_init(&seen, heap);
  memset(twins, 0, net->notes->n_objects);
  for (uint32_t p = 0; p < net->n_places; p++) {
    const PlaceNote *note = &net->notes->places[p];
    const uint32_t key[] = {note->object, note->copy, note->value};
    bool is_new = true;
    if (note->role == ROLE_COPY) intern_add(&seen, (const char *)key, sizeof key, &is_new);
    if (!is_new) twins[note->object] = true;
  }
  intern_fini(&seen);
}

/* Each value of a copy has one place. */
static void refuse_twins(Copies *c) {
  bool *twins = heap_alloc(c->heap, (size_t)c->net->notes->n_objects + 1);
  copies_find_twins(c->heap, c->net, twins);
  for (uint32_t o = 0; o < c->net->notes->n_objects; o++) c->agree[o] &= !twins[o];
  heap_release(c->heap, twins);
}

void copies_find(Heap *heap, const Net *net, bool *agree) {
  const size_t n_objects = (size_t)net->notes->n_objects + 1;
  Copies c = {.heap = heap, .net = net, .agree = agree};
  c.copy_of = heap_alloc(heap, ((size_t)net->n_places + 1) * sizeof *c.copy_of);
  c.n_copies = heap_zeroed(heap, n_objects * sizeof *c.n_copies);
  c.before = heap_zeroed(heap, n_objects * sizeof *c.before);
  c.after = heap_zeroed(heap, n_objects * sizeof *c.after);
  c.seen = heap_zeroed(heap, ((size_t)number_copies(&c) + 1) * sizeof *c.seen);
  look_at_start(&c);
  refuse_twins(&c);
  for (uint32_t t = 0; t < net->n_trans; t++) look_at(&c, (TransId){t});
  heap_release(heap, c.copy_of);
  heap_release(heap, c.n_copies);
  heap_release(heap, c.before);
  heap_release(heap, c.after);
  heap_release(heap, c.seen);
  vec_fini(heap, &c.met);
}
