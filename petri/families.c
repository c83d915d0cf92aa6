/* The copies of a variable are one object if each transition either takes and returns one copy, always the same
 * thread's, or takes all copies and returns all; and if no two places are the same value of the same copy. A family
 * that is not used so falls apart into single tokens. */
#include "petri/copies.h"
#include "petri/thread_view_inside.h"

#include <assert.h>
#include <stdlib.h>

static int compare_words(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Numbers the copies of each family from 0: sorts the pairs (family, copy), with the place as the last part. */
static void number_copies(Builder *b) {
  Heap *heap = b->program->heap;
  VEC(uint64_t) keys = {0};
  for (uint32_t p = 0; p < b->net->n_places; p++)
    if (b->notes->places[p].role == ROLE_COPY)
      vec_push(heap, &keys, (uint64_t)b->notes->places[p].object << 32 | b->notes->places[p].copy);
  if (keys.n) qsort(keys.at, keys.n, sizeof *keys.at, compare_words);
  uint32_t n = 0;
  for (uint32_t i = 0; i < keys.n; i++)
    if (!i || keys.at[i] != keys.at[n - 1]) keys.at[n++] = keys.at[i];
  b->reader_start = heap_zeroed(heap, ((size_t)b->notes->n_objects + 1) * sizeof *b->reader_start);
  b->reader = heap_alloc(heap, ((size_t)n + 1) * sizeof *b->reader);
  for (uint32_t i = 0; i < n; i++) {
    b->families[keys.at[i] >> 32].n_copies++;
    b->reader_start[(keys.at[i] >> 32) + 1] = i + 1;
    b->reader[i] = NOBODY;
  }
  for (uint32_t o = 0; o < b->notes->n_objects; o++)
    if (b->reader_start[o + 1] < b->reader_start[o]) b->reader_start[o + 1] = b->reader_start[o];
  for (uint32_t p = 0; p < b->net->n_places; p++) {
    const PlaceNote *note = &b->notes->places[p];
    if (note->role != ROLE_COPY) continue;
    const uint64_t key = (uint64_t)note->object << 32 | note->copy;
    const uint64_t *found = bsearch(&key, keys.at, n, sizeof key, compare_words);
    assert(found); /* each was put there */
    b->copy_index[p] = (uint32_t)(found - keys.at) - b->reader_start[note->object];
  }
  vec_fini(heap, &keys);
}

/* Each value of a copy has one place. */
static void refuse_twins(Builder *b) {
  bool *twins = heap_alloc(b->program->heap, (size_t)b->notes->n_objects + 1);
  copies_find_twins(b->program->heap, b->net, twins);
  for (uint32_t o = 0; o < b->notes->n_objects; o++)
    if (twins[o]) b->families[o].valid = false;
  heap_release(b->program->heap, twins);
}

/* Owner and initial value of each family; all copies must hold the same one value at first. */
static void start_families(Builder *b) {
  Heap *heap = b->program->heap;
  uint32_t *marked = heap_zeroed(heap, ((size_t)b->notes->n_objects + 1) * sizeof *marked);
  for (uint32_t p = 0; p < b->net->n_places; p++) {
    Family *family = family_of(b, p);
    if (!family) continue;
    const PlaceNote *note = &b->notes->places[p];
    const uint32_t n_values = b->notes->objects[note->object].n_values;
    if (!family->used) *family = (Family){true, true, NOBODY, family->n_copies, NOTE_NONE, VALUE_ABSENT};
    join_owner(&family->owner, b->owner[p]);
    if (note->value >= (n_values ? n_values : 1)) family->valid = false;
    if (!b->net->marked[p]) continue;
    marked[note->object]++;
    if (family->initial != VALUE_ABSENT && family->initial != note->value) family->valid = false;
    family->initial = note->value;
  }
  for (uint32_t o = 0; o < b->notes->n_objects; o++)
    if (marked[o] != b->families[o].n_copies) b->families[o].valid = false;
  heap_release(heap, marked);
  refuse_twins(b);
}

static int compare_items(const void *a, const void *b) {
  const Item *x = a, *y = b;
  if (x->family != y->family) return x->family < y->family ? -1 : 1;
  return (x->copy > y->copy) - (x->copy < y->copy);
}

static void collect_items(Builder *b, PlaceList places, ItemVec *items) {
  vec_clear(items);
  for (uint32_t i = 0; i < places.n; i++) {
    const PlaceNote *note = &b->notes->places[places.at[i].v];
    if (note->role == ROLE_COPY)
      vec_push(b->program->heap, items, ((Item){note->object, b->copy_index[places.at[i].v], note->value}));
  }
  if (items->n > 1) qsort(items->at, items->n, sizeof *items->at, compare_items);
}

/* The end of the run of items of one family that starts at `from`. */
static uint32_t run_end(const ItemVec *items, uint32_t from, uint32_t family) {
  while (from < items->n && items->at[from].family == family) from++;
  return from;
}

/* Are the items from..to one per copy, all with one value? */
static bool is_whole(const ItemVec *items, uint32_t from, uint32_t to, uint32_t n_copies) {
  if (to - from != n_copies) return false;
  for (uint32_t i = from; i < to; i++)
    if (items->at[i].copy != i - from || items->at[i].value != items->at[from].value) return false;
  return true;
}

/* A transition's items of one family: before[i..i2), after[j..j2). False if that is neither a read nor a write. */
static bool classify(Builder *b, uint32_t thread, uint32_t family, uint32_t i, uint32_t i2, uint32_t j, uint32_t j2,
                     ViewAccess *access) {
  const uint32_t n_copies = b->families[family].n_copies;
  assert(i <= i2 && i2 <= b->before.n && j <= j2 && j2 <= b->after.n);
  if (i == i2 || j == j2) return false;
  const Item *taken = &b->before.at[i], *put = &b->after.at[j];
  *access = (ViewAccess){family, true, taken->value, put->value};
  if (is_whole(&b->before, i, i2, n_copies) && is_whole(&b->after, j, j2, n_copies)) return true;
  if (i2 - i != 1 || j2 - j != 1 || taken->copy != put->copy || taken->value != put->value) return false;
  assert(taken->copy < n_copies);
  access->writes = false;
  uint32_t *reader = &b->reader[b->reader_start[family] + taken->copy];
  if (*reader == NOBODY) *reader = thread;
  return *reader == thread;
}

/* Calls classify for each family next to t; a family that it refuses becomes invalid. In the second pass (`keep`) the
 * accesses to shared, valid families are kept. */
static void visit_families(Builder *b, TransId t, bool keep) {
  ThreadView *program = b->program;
  collect_items(b, net_pre(b->net, t), &b->before);
  collect_items(b, net_post(b->net, t), &b->after);
  for (uint32_t i = 0, j = 0; i < b->before.n || j < b->after.n;) {
    uint32_t family = NOTE_NONE;
    if (i < b->before.n) family = b->before.at[i].family;
    if (j < b->after.n && b->after.at[j].family < family) family = b->after.at[j].family;
    const uint32_t i2 = run_end(&b->before, i, family), j2 = run_end(&b->after, j, family);
    assert(i < i2 || j < j2); /* so that the loop ends */
    ViewAccess access;
    Family *f = &b->families[family];
    if (f->valid && !classify(b, program->thread_of[t.v], family, i, i2, j, j2, &access)) f->valid = false;
    if (keep && f->valid && f->owner == SHARED) {
      assert(f->object < program->objects.n);
      access.object = f->object;
      vec_push(program->heap, &program->accesses, access);
    }
    i = i2;
    j = j2;
  }
}

void families_find(Builder *b) {
  number_copies(b);
  start_families(b);
  for (uint32_t t = 0; t < b->net->n_trans; t++) visit_families(b, (TransId){t}, false);
}

void families_add_accesses(Builder *b, TransId t) { visit_families(b, t, true); }
