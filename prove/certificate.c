#include "prove/certificate.h"

#include "prove/together.h"

typedef struct {
  FILE *out;
  const Known *facts;
  const Classes *classes;
  const ThreadView *program;
  uint32_t *number;   /* per object: its number in the certificate, or NOTE_NONE for one with a single value */
  uint32_t *value_at; /* per object: where its values start below */
  U32Vec *places;     /* per value of an object */
  uint32_t *kind;     /* per control that is reached: as in the facts, but those of classes with pairs have their own */
  U32Vec kind_control; /* per kind: a control of it */
} Writer;

static bool has_numbers(const Writer *w, uint32_t object) { return w->number[object] != NOTE_NONE; }

/* Values of a variable that no place stands for are never taken; that of a token that is absent has none. */
static bool is_named(const Writer *w, uint32_t object, uint32_t value) {
  return w->classes->objects[object].is_token || w->places[w->value_at[object] + value].n;
}

static void number_objects(Writer *w, uint32_t *n_objects) {
  Heap *heap = w->facts->heap;
  const Classes *c = w->classes;
  uint32_t n_values = 0;
  *n_objects = 0;
  w->number = heap_alloc(heap, heap_product(heap, (uint64_t)c->n_objects + 1, sizeof *w->number));
  w->value_at = heap_alloc(heap, heap_product(heap, (uint64_t)c->n_objects + 1, sizeof *w->value_at));
  for (uint32_t o = 0; o < c->n_objects; o++) {
    w->number[o] = c->objects[o].n_values > 1 ? (*n_objects)++ : NOTE_NONE;
    w->value_at[o] = n_values;
    n_values += c->objects[o].n_values;
  }
  w->places = heap_zeroed(heap, heap_product(heap, (uint64_t)n_values + 1, sizeof *w->places));
  w->value_at[c->n_objects] = n_values;
}

static void find_places(Writer *w) {
  for (uint32_t p = 0; p < w->program->net->n_places; p++) {
    const uint32_t object = w->program->place_object[p];
    if (object != NOTE_NONE && has_numbers(w, object))
      vec_push(w->facts->heap, &w->places[w->value_at[object] + w->program->place_value[p]], p);
  }
}

/* Do all neighbours of the place belong to one thread? */
static bool is_alone(const ThreadView *program, uint32_t place) {
  const TransList lists[] = {net_producers(program->net, (PlaceId){place}),
                             net_consumers(program->net, (PlaceId){place})};
  uint32_t thread = NOTE_NONE;
  for (int l = 0; l < 2; l++)
    for (uint32_t i = 0; i < lists[l].n; i++) {
      const uint32_t other = program->thread_of[lists[l].at[i].v];
      if (thread != NOTE_NONE && other != thread) return false;
      thread = other;
    }
  return thread != NOTE_NONE;
}

static void write_shared(const Writer *w) {
  for (uint32_t p = 0; p < w->program->net->n_places; p++)
    if (w->program->place_object[p] != NOTE_NONE && is_alone(w->program, p)) fprintf(w->out, "h %u\n", p + 1);
}

static void write_object(const Writer *w, uint32_t object) {
  const uint32_t n_values = w->classes->objects[object].n_values;
  uint32_t n = 0;
  for (uint32_t v = 0; v < n_values; v++) n += is_named(w, object, v);
  fprintf(w->out, "o %u\n", n);
  for (uint32_t v = 0; v < n_values; v++) {
    if (!is_named(w, object, v)) continue;
    const U32Vec *places = &w->places[w->value_at[object] + v];
    fputc('v', w->out);
    for (uint32_t i = 0; i < places->n; i++) fprintf(w->out, " %u", places->at[i] + 1);
    fputc('\n', w->out);
  }
}

/* The values that the object may have at the control, unless it may have all. */
static void write_values(const Writer *w, uint32_t control, uint32_t object) {
  const Known *facts = w->facts;
  const uint64_t *row = facts->values + control * facts->value_words;
  const uint32_t n_values = w->classes->objects[object].n_values, at = facts->value_at[object];
  bool all = true;
  for (uint32_t v = 0; v < n_values; v++) all = all && (bitset_has(row, at + v) || !is_named(w, object, v));
  if (all) return;
  fprintf(w->out, "m %u", w->number[object] + 1);
  for (uint32_t v = 0, n = 0; v < n_values; v++) {
    if (!is_named(w, object, v)) continue;
    n++;
    if (bitset_has(row, at + v)) fprintf(w->out, " %u", n);
  }
  fputc('\n', w->out);
}

static void write_weights(const Writer *w, uint32_t control) {
  for (uint32_t i = 0; i < w->facts->counters.n; i++) {
    const Counter *counter = &w->facts->counters.at[i];
    if (counter->weight[control])
      fprintf(w->out, "w %u %u\n", w->number[counter->object] + 1, counter->weight[control]);
  }
}

static void write_kind(const Writer *w, uint32_t kind) {
  const Known *facts = w->facts;
  const uint32_t control = w->kind_control.at[kind];
  fputc('k', w->out);
  for (uint32_t bit = 0; bit < facts->n_bits; bit++)
    if (known_is_held(facts, control, facts->bit_object[bit])) fprintf(w->out, " %u", bit + 1);
  fputc('\n', w->out);
  for (uint32_t i = 0; i < facts->tracked.n; i++) write_values(w, control, facts->tracked.at[i]);
  write_weights(w, control);
}

static uint32_t count_controls(const Writer *w) {
  uint32_t n = 0;
  for (uint32_t c = 0; c < w->classes->n_controls; c++)
    if (known_is_reached(w->facts, c)) n += w->classes->classes.at[w->classes->class_of[c]].n;
  return n;
}

static void write_control(const Writer *w, uint32_t control, uint32_t thread, uint32_t state) {
  const ThreadView *program = w->program;
  fprintf(w->out, "a %u %u", w->kind[control] + 1, thread + 1);
  for (uint32_t i = program->place_start.at[state]; i < program->place_start.at[state + 1]; i++)
    fprintf(w->out, " %u", program->places.at[i].v + 1);
  fputc('\n', w->out);
}

/* A thread has the controls of its class, in the same order. */
static void write_controls(const Writer *w) {
  const ThreadView *program = w->program;
  for (uint32_t i = 0; i < program->n_threads; i++) {
    const uint32_t controls = w->classes->classes.at[classes_of_thread(w->classes, i)].controls;
    for (uint32_t s = program->state_start[i]; s < program->state_start[i + 1]; s++)
      if (known_is_reached(w->facts, controls + (s - program->state_start[i])))
        write_control(w, controls + (s - program->state_start[i]), i, s);
  }
}

/* ---- pairs ---- */

/* A set that some proof needs, or NULL. */
static const PairSet *used_set(const Writer *w, uint32_t i) {
  const PairSet *set = w->facts->together->sets.at[i];
  return set->used ? set : NULL;
}

static uint32_t count_sets(const Writer *w) { return w->facts->together ? w->facts->together->sets.n : 0; }

static uint32_t add_kind(Writer *w, uint32_t control) {
  vec_push(w->facts->heap, &w->kind_control, control);
  return w->kind_control.n - 1;
}

static void number_kinds(Writer *w) {
  const Known *facts = w->facts;
  Heap *heap = facts->heap;
  bool *paired = heap_zeroed(heap, (size_t)w->classes->n_classes + 1);
  uint32_t *number = heap_alloc(heap, heap_product(heap, (uint64_t)facts->n_kinds + 1, sizeof *number));
  for (uint32_t i = 0; i < count_sets(w); i++)
    if (used_set(w, i)) paired[used_set(w, i)->a] = paired[used_set(w, i)->b] = true;
  for (uint32_t k = 0; k < facts->n_kinds; k++) number[k] = NOTE_NONE;
  w->kind = heap_alloc(heap, heap_product(heap, (uint64_t)w->classes->n_controls + 1, sizeof *w->kind));
  for (uint32_t c = 0; c < w->classes->n_controls; c++) {
    if (!known_is_reached(facts, c)) continue;
    const bool own = paired[w->classes->class_of[c]];
    if (own || number[facts->kind[c]] == NOTE_NONE) w->kind[c] = add_kind(w, c);
    else w->kind[c] = number[facts->kind[c]];
    if (!own) number[facts->kind[c]] = w->kind[c];
  }
  heap_release(heap, number);
  heap_release(heap, paired);
}

static void write_side(const Writer *w, char word, uint32_t class) {
  fputc(word, w->out);
  for (uint32_t c = w->classes->classes.at[class].controls; c < w->classes->classes.at[class + 1].controls; c++)
    if (known_is_reached(w->facts, c)) fprintf(w->out, " %u", w->kind[c] + 1);
  fputc('\n', w->out);
}

/* A value of an object, as numbered among those that have places. */
static uint32_t number_of_value(const Writer *w, uint32_t object, uint32_t value) {
  uint32_t n = 0;
  for (uint32_t v = 0; v < value; v++) n += is_named(w, object, v);
  return n + 1;
}

static void write_pair(const Writer *w, const PairSet *set, uint32_t control, uint32_t other) {
  const Together *together = w->facts->together;
  for (uint32_t v = 0; v < set->n_valuations; v++) {
    if (!together_has(together, set, control, other, v)) continue;
    fprintf(w->out, "q %u %u", w->kind[control] + 1, w->kind[other] + 1);
    for (uint32_t i = 0; i < set->objects.n; i++)
      fprintf(w->out, " %u", number_of_value(w, set->objects.at[i], together_value(together, set, i, v)));
    fputc('\n', w->out);
  }
}

static void write_set(const Writer *w, const PairSet *set) {
  const ThreadClass *classes = w->classes->classes.at;
  fputc('p', w->out);
  for (uint32_t i = 0; i < set->objects.n; i++) fprintf(w->out, " %u", w->number[set->objects.at[i]] + 1);
  fputc('\n', w->out);
  write_side(w, 'l', set->a);
  write_side(w, 'r', set->b);
  for (uint32_t c = classes[set->a].controls; c < classes[set->a + 1].controls; c++)
    for (uint32_t d = classes[set->b].controls; d < classes[set->b + 1].controls; d++) write_pair(w, set, c, d);
}

/* ---- the whole ---- */

bool certificate_has_slice(const Proofs *proofs, const Net *net, uint32_t block) {
  const BlockProof *proof = &proofs->blocks[block];
  return proof->kind == PROVED_NOT && proof->slice && proof->n_slice < net->notes->n_threads;
}

static void write_slice(const Writer *w, const BlockProof *proof, uint32_t block) {
  fprintf(w->out, "slice %u", block + 1);
  for (uint32_t i = 0; i < proof->n_slice + proof->n_single; i++) fprintf(w->out, " %u", proof->slice[i] + 1);
  fputc('\n', w->out);
}

static void write_claims(const Writer *w, const Proofs *proofs, bool every) {
  static const char *const words[] = {
      [PROVED_BY_MOVERS] = "movers", [PROVED_BY_ENVIRONMENT] = "environment", [PROVED_BY_PAIRS] = "pairs"};
  for (uint32_t b = 0; b < proofs->n_blocks; b++)
    if (proofs->blocks[b].kind != PROVED_NOT)
      fprintf(w->out, "%s %u\n", every ? "every" : words[proofs->blocks[b].kind], b + 1);
    else if (certificate_has_slice(proofs, w->program->net, b)) write_slice(w, &proofs->blocks[b], b);
}

static void free_writer(Writer *w) {
  Heap *heap = w->facts->heap;
  for (uint32_t i = 0; i < w->value_at[w->classes->n_objects]; i++) vec_fini(heap, &w->places[i]);
  heap_release(heap, w->places);
  heap_release(heap, w->value_at);
  heap_release(heap, w->number);
  heap_release(heap, w->kind);
  vec_fini(heap, &w->kind_control);
}

void certificate_proof(FILE *out, const Known *facts, const Proofs *proofs, bool every) {
  Writer w = {.out = out, .facts = facts, .classes = facts->classes, .program = &facts->classes->program};
  uint32_t n_objects;
  number_objects(&w, &n_objects);
  find_places(&w);
  number_kinds(&w);
  fprintf(out, "proof %u %u %u %u\n", n_objects, facts->n_bits, w.kind_control.n, count_controls(&w));
  write_shared(&w);
  for (uint32_t o = 0; o < w.classes->n_objects; o++)
    if (has_numbers(&w, o)) write_object(&w, o);
  for (uint32_t bit = 0; bit < facts->n_bits; bit++) fprintf(out, "b %u\n", w.number[facts->bit_object[bit]] + 1);
  for (uint32_t i = 0; i < facts->counters.n; i++) fprintf(out, "n %u\n", w.number[facts->counters.at[i].object] + 1);
  for (uint32_t kind = 0; kind < w.kind_control.n; kind++) write_kind(&w, kind);
  write_controls(&w);
  for (uint32_t i = 0; i < count_sets(&w); i++)
    if (used_set(&w, i)) write_set(&w, used_set(&w, i));
  write_claims(&w, proofs, every);
  free_writer(&w);
}
