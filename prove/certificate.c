#include "prove/certificate.h"

#include "prove/together.h"

static void put_word(Certificate *c, const char *word) { text_out_string(&c->text, word); }
static void put_number(Certificate *c, uint64_t number) { text_out_item(&c->text, number); }
static void end_line(Certificate *c) { text_out_string(&c->text, "\n"); }

static bool is_named(const Certificate *c, uint32_t object, uint32_t value) {
  return view_text_value(&c->view, object, value) != 0;
}

static void number_objects(Certificate *c) {
  const Classes *classes = c->facts->classes;
  Heap *heap = c->facts->heap;
  bool *numbered = heap_alloc(heap, (size_t)classes->n_objects + 1);
  for (uint32_t o = 0; o < classes->n_objects; o++) numbered[o] = classes->objects[o].n_values > 1;
  view_text_init(&c->view, heap, &classes->program, numbered, NULL);
  heap_release(heap, numbered);
}

/* ---- kinds ---- */

/* The values that the object may have at the control, unless it may have all. */
static void put_values(Certificate *c, uint32_t control, uint32_t object) {
  const Known *facts = c->facts;
  const uint64_t *row = facts->values + control * facts->value_words;
  const uint32_t n_values = facts->classes->objects[object].n_values, at = facts->value_at[object];
  bool all = true;
  for (uint32_t v = 0; v < n_values; v++) all = all && (bitset_has(row, at + v) || !is_named(c, object, v));
  if (all) return;
  put_word(c, "m");
  put_number(c, (uint64_t)c->view.number[object] + 1);
  for (uint32_t v = 0; v < n_values; v++)
    if (is_named(c, object, v) && bitset_has(row, at + v)) put_number(c, view_text_value(&c->view, object, v));
  end_line(c);
}

static void put_weights(Certificate *c, uint32_t control) {
  for (uint32_t i = 0; i < c->facts->counters.n; i++) {
    const Counter *counter = &c->facts->counters.at[i];
    if (!counter->weight[control]) continue;
    put_word(c, "w");
    put_number(c, (uint64_t)c->view.number[counter->object] + 1);
    put_number(c, counter->weight[control]);
    end_line(c);
  }
}

static void put_kind(Certificate *c, uint32_t kind) {
  const Known *facts = c->facts;
  const uint32_t control = c->kind_control.at[kind];
  put_word(c, "k");
  for (uint32_t bit = 0; bit < facts->n_bits; bit++)
    if (known_is_held(facts, control, facts->bit_object[bit])) put_number(c, (uint64_t)bit + 1);
  end_line(c);
  for (uint32_t i = 0; i < facts->tracked.n; i++) put_values(c, control, facts->tracked.at[i]);
  put_weights(c, control);
}

/* ---- controls ---- */

static uint32_t count_controls(const Known *facts) {
  const Classes *classes = facts->classes;
  uint32_t n = 0;
  for (uint32_t c = 0; c < classes->n_controls; c++)
    if (known_is_reached(facts, c)) n += classes->classes.at[classes->class_of[c]].n;
  return n;
}

/* A thread has the controls of its class, in the same order. */
static void put_controls(Certificate *c) {
  const Classes *classes = c->facts->classes;
  const ThreadView *program = &classes->program;
  for (uint32_t i = 0; i < program->n_threads; i++) {
    const uint32_t first = classes->classes.at[classes_of_thread(classes, i)].controls;
    for (uint32_t s = program->state_start[i]; s < program->state_start[i + 1]; s++) {
      const uint32_t control = first + (s - program->state_start[i]);
      if (known_is_reached(c->facts, control)) view_text_control(&c->view, &c->text, c->kind[control] + 1, i, s);
    }
  }
}

/* ---- pairs ---- */

/* A set that some proof needs, or NULL. */
static const PairSet *used_set(const Certificate *c, uint32_t i) {
  const PairSet *set = c->facts->together->sets.at[i];
  return set->used ? set : NULL;
}

static uint32_t count_sets(const Certificate *c) { return c->facts->together ? c->facts->together->sets.n : 0; }

static uint32_t add_kind(Certificate *c, uint32_t control) {
  vec_push(c->facts->heap, &c->kind_control, control);
  return c->kind_control.n - 1;
}

static void number_kinds(Certificate *w) {
  const Known *facts = w->facts;
  const Classes *classes = facts->classes;
  Heap *heap = facts->heap;
  bool *paired = heap_zeroed(heap, (size_t)classes->n_classes + 1);
  uint32_t *number = heap_alloc(heap, heap_product(heap, (uint64_t)facts->n_kinds + 1, sizeof *number));
  for (uint32_t i = 0; i < count_sets(w); i++)
    if (used_set(w, i)) paired[used_set(w, i)->a] = paired[used_set(w, i)->b] = true;
  for (uint32_t k = 0; k < facts->n_kinds; k++) number[k] = NOTE_NONE;
  w->kind = heap_alloc(heap, heap_product(heap, (uint64_t)classes->n_controls + 1, sizeof *w->kind));
  for (uint32_t c = 0; c < classes->n_controls; c++) {
    if (!known_is_reached(facts, c)) continue;
    const bool own = paired[classes->class_of[c]];
    if (own || number[facts->kind[c]] == NOTE_NONE) w->kind[c] = add_kind(w, c);
    else w->kind[c] = number[facts->kind[c]];
    if (!own) number[facts->kind[c]] = w->kind[c];
  }
  heap_release(heap, number);
  heap_release(heap, paired);
}

static void put_side(Certificate *c, const char *word, uint32_t class) {
  const ThreadClass *classes = c->facts->classes->classes.at;
  put_word(c, word);
  for (uint32_t i = classes[class].controls; i < classes[class + 1].controls; i++)
    if (known_is_reached(c->facts, i)) put_number(c, (uint64_t)c->kind[i] + 1);
  end_line(c);
}

static void put_pair(Certificate *c, const PairSet *set, uint32_t control, uint32_t other) {
  const Together *together = c->facts->together;
  for (uint32_t v = 0; v < set->n_valuations; v++) {
    if (!together_has(together, set, control, other, v)) continue;
    put_word(c, "q");
    put_number(c, (uint64_t)c->kind[control] + 1);
    put_number(c, (uint64_t)c->kind[other] + 1);
    for (uint32_t i = 0; i < set->objects.n; i++)
      put_number(c, view_text_value(&c->view, set->objects.at[i], together_value(together, set, i, v)));
    end_line(c);
  }
}

static void put_set(Certificate *c, const PairSet *set) {
  const ThreadClass *classes = c->facts->classes->classes.at;
  put_word(c, "p");
  for (uint32_t i = 0; i < set->objects.n; i++) put_number(c, (uint64_t)c->view.number[set->objects.at[i]] + 1);
  end_line(c);
  put_side(c, "l", set->a);
  put_side(c, "r", set->b);
  for (uint32_t i = classes[set->a].controls; i < classes[set->a + 1].controls; i++)
    for (uint32_t k = classes[set->b].controls; k < classes[set->b + 1].controls; k++) put_pair(c, set, i, k);
}

/* ---- the facts ---- */

static void put_sizes(Certificate *c) {
  put_word(c, "proof");
  put_number(c, c->view.n_objects);
  put_number(c, c->facts->n_bits);
  put_number(c, c->kind_control.n);
  put_number(c, count_controls(c->facts));
  end_line(c);
}

/* A word, and the number of an object or block from 0. */
static void put_one(Certificate *c, const char *word, uint32_t number) {
  put_word(c, word);
  put_number(c, (uint64_t)number + 1);
  end_line(c);
}

Certificate *certificate_facts(FILE *out, const Known *facts) {
  Certificate *c = heap_zeroed(facts->heap, sizeof *c);
  c->text.stream = out;
  c->facts = facts;
  number_objects(c);
  number_kinds(c);
  put_sizes(c);
  view_text_shared(&c->view, &c->text);
  view_text_objects(&c->view, &c->text);
  for (uint32_t bit = 0; bit < facts->n_bits; bit++) put_one(c, "b", c->view.number[facts->bit_object[bit]]);
  for (uint32_t i = 0; i < facts->counters.n; i++) put_one(c, "n", c->view.number[facts->counters.at[i].object]);
  for (uint32_t kind = 0; kind < c->kind_control.n; kind++) put_kind(c, kind);
  put_controls(c);
  for (uint32_t i = 0; i < count_sets(c); i++)
    if (used_set(c, i)) put_set(c, used_set(c, i));
  return c;
}

void certificate_free(Certificate *certificate) {
  Heap *heap = certificate->facts->heap;
  text_out_end(&certificate->text);
  view_text_fini(&certificate->view);
  heap_release(heap, certificate->kind);
  vec_fini(heap, &certificate->kind_control);
  heap_release(heap, certificate);
}

/* ---- claims of proofs and slices ---- */

bool certificate_has_slice(const Proofs *proofs, const Net *net, uint32_t block) {
  const BlockProof *proof = &proofs->blocks[block];
  return proof->kind == PROVED_NOT && proof->slice && proof->n_slice < net->notes->n_threads;
}

static void put_slice(Certificate *c, const BlockProof *proof, uint32_t block) {
  put_word(c, "slice");
  put_number(c, (uint64_t)block + 1);
  for (uint32_t i = 0; i < proof->n_slice + proof->n_single; i++) put_number(c, (uint64_t)proof->slice[i] + 1);
  end_line(c);
}

static void put_claims(Certificate *c, const Proofs *proofs, bool every) {
  static const char *const words[] = {
      [PROVED_BY_MOVERS] = "movers", [PROVED_BY_ENVIRONMENT] = "environment", [PROVED_BY_PAIRS] = "pairs"};
  for (uint32_t b = 0; b < proofs->n_blocks; b++)
    if (proofs->blocks[b].kind != PROVED_NOT) put_one(c, every ? "every" : words[proofs->blocks[b].kind], b);
    else if (certificate_has_slice(proofs, c->view.program->net, b)) put_slice(c, &proofs->blocks[b], b);
}

void certificate_proof(FILE *out, const Known *facts, const Proofs *proofs, bool every) {
  Certificate *c = certificate_facts(out, facts);
  put_claims(c, proofs, every);
  certificate_free(c);
}
