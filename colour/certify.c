#include "colour/certify.h"

#include "colour/simulate.h"
#include "petri/text_out.h"

#include <assert.h>

enum { PLACES_A_LINE = 20 };
enum { CHAIN_KINDS = 4 }; /* of a group: put there by the chosen thread or another one, that reads or writes */

typedef struct {
  const Certified *c;
  Heap *heap;
  TextOut text;
  uint32_t *value_at; /* per object of the program, + 1: where its values start below */
  U32Vec *places;     /* per value: its places */
  U32Vec number;      /* per object: its number in the certificate, or NOTE_NONE of one whose data does not matter */
} Writer;

static void put_word(Writer *w, const char *word) { text_out_string(&w->text, word); }

static void put_number(Writer *w, uint64_t number) {
  text_out_bytes(&w->text, " ", 1);
  text_out_number(&w->text, number);
}

static void put_places(Writer *w, PlaceList places) {
  for (uint32_t i = 0; i < places.n; i++) put_number(w, (uint64_t)places.at[i].v + 1);
}

/* A place of the program's net. */
static void put_own(Writer *w, uint32_t place) {
  put_number(w, (uint64_t)(w->c->places ? w->c->places[place].v : place) + 1);
}

static void end_line(Writer *w) { text_out_bytes(&w->text, "\n", 1); }

/* ---- facts: objects and controls, and nothing about them ---- */

/* Values of the program's objects, with one more for a token that is absent, which has no places. */
static void find_values(Writer *w) {
  const ThreadView *program = w->c->program;
  uint32_t n = 0, n_numbers = 0;
  w->value_at = heap_alloc(w->heap, heap_product(w->heap, (uint64_t)program->objects.n + 1, sizeof *w->value_at));
  for (uint32_t o = 0; o < program->objects.n; o++) {
    w->value_at[o] = n;
    n += program->objects.at[o].n_values + program->objects.at[o].is_token;
    vec_push(w->heap, &w->number, w->c->origins->data[o] == NOTE_NONE ? NOTE_NONE : n_numbers++);
  }
  w->value_at[program->objects.n] = n;
  w->places = heap_zeroed(w->heap, heap_product(w->heap, (uint64_t)n + 1, sizeof *w->places));
  for (uint32_t p = 0; p < program->net->n_places; p++) {
    const uint32_t object = program->place_object[p];
    if (object != NOTE_NONE) vec_push(w->heap, &w->places[w->value_at[object] + program->place_value[p]], p);
  }
}

static void free_values(Writer *w) {
  for (uint32_t i = 0; i < w->value_at[w->c->program->objects.n]; i++) vec_fini(w->heap, &w->places[i]);
  heap_release(w->heap, w->value_at);
  heap_release(w->heap, w->places);
  vec_fini(w->heap, &w->number);
}

/* Values that no place stands for are never taken; but a token may be absent. */
static bool is_named(const Writer *w, uint32_t object, uint32_t value) {
  return w->c->program->objects.at[object].is_token || w->places[w->value_at[object] + value].n;
}

static void put_value(Writer *w, uint32_t object, uint32_t value) {
  const U32Vec *places = &w->places[w->value_at[object] + value];
  for (uint32_t i = 0; i < places->n; i++) put_own(w, places->at[i]);
}

/* All places of objects; only some have neighbours in one thread alone. */
static void put_shared(Writer *w) {
  const ThreadView *program = w->c->program;
  for (uint32_t p = 0, n = 0; p < program->net->n_places; p++) {
    if (program->place_object[p] == NOTE_NONE) continue;
    put_word(w, n++ % PLACES_A_LINE ? "" : n == 1 ? "h" : "\nh");
    put_own(w, p);
  }
  if (program->objects.n) end_line(w);
}

static void put_object(Writer *w, uint32_t object) {
  uint32_t n = 0;
  const uint32_t n_values = w->value_at[object + 1] - w->value_at[object];
  for (uint32_t v = 0; v < n_values; v++) n += is_named(w, object, v);
  put_word(w, "o");
  put_number(w, n);
  end_line(w);
  for (uint32_t v = 0; v < n_values; v++) {
    if (!is_named(w, object, v)) continue;
    put_word(w, "v");
    put_value(w, object, v);
    end_line(w);
  }
}

static void put_controls(Writer *w) {
  const ThreadView *program = w->c->program;
  put_word(w, "k\n");
  for (uint32_t i = 0; i < program->n_threads; i++)
    for (uint32_t s = program->state_start[i]; s < program->state_start[i + 1]; s++) {
      const uint32_t from = program->place_start.at[s];
      put_word(w, "a 1");
      put_number(w, (uint64_t)i + 1);
      for (uint32_t k = from; k < program->place_start.at[s + 1]; k++) put_own(w, program->places.at[k].v);
      end_line(w);
    }
}

static void put_facts(Writer *w) {
  uint32_t n = 0;
  for (uint32_t o = 0; o < w->number.n; o++) n += w->number.at[o] != NOTE_NONE;
  put_word(w, "proof");
  put_number(w, n);
  put_word(w, " 0 1");
  put_number(w, w->c->program->state_name.n);
  end_line(w);
  put_shared(w);
  for (uint32_t o = 0; o < w->number.n; o++)
    if (w->number.at[o] != NOTE_NONE) put_object(w, o);
  put_controls(w);
}

/* ---- the coloured net ---- */

static void put_net(Writer *w) {
  const Net *net = w->c->net;
  put_word(w, "coloured");
  put_number(w, net->n_places);
  put_number(w, net->n_trans);
  put_word(w, "\ni");
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->marked[p]) put_number(w, (uint64_t)p + 1);
  end_line(w);
  for (uint32_t t = 0; t < net->n_trans; t++) {
    put_word(w, "t");
    put_number(w, net_pre(net, (TransId){t}).n);
    put_places(w, net_pre(net, (TransId){t}));
    put_places(w, net_post(net, (TransId){t}));
    end_line(w);
  }
}

/* A group for each object of the program, in their order. */
static void put_groups(Writer *w) {
  const ThreadView *program = w->c->program;
  for (uint32_t o = 0; o < program->objects.n; o++) {
    put_word(w, program->objects.at[o].has_readers ? "r" : "g");
    for (uint32_t v = 0; v < program->objects.at[o].n_values; v++) put_value(w, o, v);
    end_line(w);
  }
}

static void put_blocks(Writer *w) {
  for (uint32_t b = 0; b < w->c->program->net->notes->n_blocks; b++) {
    if (!w->c->blocks[b]) continue;
    put_word(w, "block");
    put_number(w, (uint64_t)b + 1);
    put_number(w, w->c->red_place[b].v == PLACE_NONE.v ? 0 : (uint64_t)w->c->red_place[b].v + 1);
    end_line(w);
  }
}

/* ---- what its places stand for ---- */

/* How many places stand for that value of that object of the reduced model, from *first on. */
static uint32_t value_places(const Writer *w, uint32_t object, uint32_t value, uint32_t *first) {
  const Encoding *e = w->c->encoding;
  const uint32_t at = e->value_start[object] + value;
  *first = e->first_place[at];
  return e->first_place[at + 1] - *first;
}

static void put_value_places(Writer *w, uint32_t object, uint32_t value) {
  uint32_t first;
  const uint32_t n = value_places(w, object, value, &first);
  for (uint32_t i = 0; i < n; i++) put_number(w, (uint64_t)first + i + 1);
  end_line(w);
}

static void put_object_values(Writer *w) {
  const ThreadView *program = w->c->program;
  for (uint32_t o = 0; o < program->objects.n; o++) {
    if (w->number.at[o] == NOTE_NONE) continue;
    for (uint32_t v = 0, n = 0, first; v < program->objects.at[o].n_values; v++) {
      if (!is_named(w, o, v)) continue;
      n++;
      if (!value_places(w, w->c->origins->data[o], v, &first)) continue;
      put_word(w, "j");
      put_number(w, (uint64_t)w->number.at[o] + 1);
      put_number(w, n);
      put_value_places(w, w->c->origins->data[o], v);
    }
  }
}

/* The values of the chain in the model have the numbers of the certificate. */
static void put_chain(Writer *w) {
  const uint32_t chain = w->c->origins->chain, n = w->c->whole->objects.at[chain].n_values;
  assert(n == 2 + CHAIN_KINDS * w->c->program->objects.n);
  for (uint32_t v = 0, first; v < n; v++) {
    if (!value_places(w, chain, v, &first)) continue;
    put_word(w, "z");
    put_number(w, v);
    put_value_places(w, chain, v);
  }
}

static void put_states(Writer *w, const StatePairs *pairs) {
  for (uint32_t i = 0; i < pairs->n; i++) {
    const StatePair *pair = &pairs->at[i];
    if (!i || pair->state != pairs->at[i - 1].state) {
      const StateOrigin *origin = &w->c->origins->states[pair->state];
      if (i) end_line(w);
      put_word(w, "s");
      put_number(w, (uint64_t)origin->local + 1);
      put_number(w, origin->mode);
    }
    put_number(w, (uint64_t)pair->reduced + 1); /* a state's place has its number */
  }
  if (pairs->n) end_line(w);
}

static void put_all(Writer *w, const StatePairs *pairs) {
  find_values(w);
  put_facts(w);
  put_net(w);
  put_groups(w);
  put_blocks(w);
  put_word(w, "u");
  put_value_places(w, w->c->origins->undecided, 0);
  put_object_values(w);
  put_chain(w);
  put_states(w, pairs);
  free_values(w);
  text_out_end(&w->text);
}

bool certify_colouring(const Certified *certified, FILE *out, Err *err) {
  Heap *heap = certified->whole->heap;
  StatePairs pairs = {0};
  const bool good =
      model_simulate(certified->whole, certified->reduced, certified->class_of, certified->origins->undecided, &pairs);
  if (good) {
    Writer *w = heap_alloc(heap, sizeof *w);
    *w = (Writer){.c = certified, .heap = heap, .text = {.stream = out, .heap = heap}};
    put_all(w, &pairs);
    heap_release(heap, w);
  }
  vec_fini(heap, &pairs);
  return good || err_set(err, ERR_CHECK, "the reduced net does less than the net that it was made of");
}
