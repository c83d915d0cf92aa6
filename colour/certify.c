#include "colour/certify.h"

#include "colour/simulate.h"
#include "petri/view_text.h"

#include <assert.h>

enum { CHAIN_KINDS = 4 }; /* of a group: put there by the chosen thread or another one, that reads or writes */

typedef struct {
  const Certified *c;
  TextOut text;
  ViewText view; /* an object whose data does not matter has no number */
} Writer;

static void put_word(Writer *w, const char *word) { text_out_string(&w->text, word); }

static void put_number(Writer *w, uint64_t number) { text_out_item(&w->text, number); }

static void put_places(Writer *w, PlaceList places) {
  for (uint32_t i = 0; i < places.n; i++) put_number(w, (uint64_t)places.at[i].v + 1);
}

static void end_line(Writer *w) { text_out_bytes(&w->text, "\n", 1); }

/* ---- facts: objects and controls, and nothing about them ---- */

static void number_objects(Writer *w, Heap *heap) {
  const ThreadView *program = w->c->program;
  bool *numbered = heap_alloc(heap, (size_t)program->objects.n + 1);
  for (uint32_t o = 0; o < program->objects.n; o++) numbered[o] = w->c->origins->data[o] != NOTE_NONE;
  view_text_init(&w->view, heap, program, numbered, w->c->places);
  heap_release(heap, numbered);
}

static void put_facts(Writer *w) {
  const ThreadView *program = w->c->program;
  put_word(w, "proof");
  put_number(w, w->view.n_objects);
  put_word(w, " 0 1");
  put_number(w, program->state_name.n);
  end_line(w);
  view_text_shared(&w->view, &w->text);
  view_text_objects(&w->view, &w->text);
  put_word(w, "k\n");
  for (uint32_t i = 0; i < program->n_threads; i++)
    for (uint32_t s = program->state_start[i]; s < program->state_start[i + 1]; s++)
      view_text_control(&w->view, &w->text, 1, i, s);
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
    if (w->view.number[o] == NOTE_NONE) continue;
    for (uint32_t v = 0, first; v < program->objects.at[o].n_values; v++) {
      if (!view_text_value(&w->view, o, v) || !value_places(w, w->c->origins->data[o], v, &first)) continue;
      put_word(w, "j");
      put_number(w, (uint64_t)w->view.number[o] + 1);
      put_number(w, view_text_value(&w->view, o, v));
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
  put_facts(w);
  put_net(w);
  view_text_groups(&w->view, &w->text);
  put_blocks(w);
  put_word(w, "u");
  put_value_places(w, w->c->origins->undecided, 0);
  put_object_values(w);
  put_chain(w);
  put_states(w, pairs);
  text_out_end(&w->text);
}

bool certify_colouring(const Certified *certified, FILE *out, Err *err) {
  Heap *heap = certified->whole->heap;
  StatePairs pairs = {0};
  const bool good =
      model_simulate(certified->whole, certified->reduced, certified->class_of, certified->origins->undecided, &pairs);
  if (good) {
    Writer *w = heap_alloc(heap, sizeof *w);
    *w = (Writer){.c = certified, .text = {.stream = out, .heap = heap}};
    number_objects(w, heap);
    put_all(w, &pairs);
    view_text_fini(&w->view);
    heap_release(heap, w);
  }
  vec_fini(heap, &pairs);
  return good || err_set(err, ERR_CHECK, "the reduced net does less than the net that it was made of");
}
