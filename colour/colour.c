#include "colour/colour.h"

#include "colour/certify.h"
#include "colour/encode.h"
#include "colour/expand.h"
#include "colour/generator.h"
#include "colour/reduce.h"

#include <assert.h>
#include <string.h>

enum { MAX_REDUCTIONS = 8 };

struct Coloured {
  Heap *heap;
  ThreadView program;
  Model whole;                   /* as generated */
  Model reduced[MAX_REDUCTIONS]; /* each made from the one before; the last is what was encoded */
  uint32_t n_reductions;
  uint32_t *class_of; /* per state of `whole`: its state in the last model */
  uint32_t *red;      /* per block: an object of the models */
  PlaceId *red_place; /* per block */
  Colouring colouring;
  Origins origins;   /* of `whole` */
  Encoding encoding; /* of the last model */
  Net *net;
};

static const Model *last_model(const Coloured *c) {
  return c->n_reductions ? &c->reduced[c->n_reductions - 1] : &c->whole;
}

/* What the states and objects of `whole` were made of. */
static void keep_origins(Coloured *c, const Generator *g) {
  Origins *origins = &c->origins;
  const uint32_t n_states = g->states.strings.n, n_objects = c->program.objects.n;
  *origins = (Origins){.undecided = g->undecided, .chain = g->own};
  origins->states = heap_alloc(c->heap, heap_product(c->heap, (uint64_t)n_states + 1, sizeof *origins->states));
  for (uint32_t s = 0; s < n_states; s++) memcpy(&origins->states[s], g->states.strings.at[s], sizeof *origins->states);
  origins->data = heap_alloc(c->heap, heap_product(c->heap, (uint64_t)n_objects + 1, sizeof *origins->data));
  memcpy(origins->data, g->data, n_objects * sizeof *origins->data);
}

static bool generate(Coloured *c, const ColourOptions *options, Err *err) {
  const uint32_t n_blocks = c->program.net->notes->n_blocks;
  ColourMoves moves;
  Generator g;
  moves_init(&moves, c->heap, &c->program, options->reduce && options->colouring != COLOURING_FULL);
  generator_init(&g, &moves, &c->whole, options->blocks, options->reduce);
  g.by_data = options->by_data;
  switch (options->colouring) {
  case COLOURING_CHAIN: chain_colouring(&g); break;
  case COLOURING_FULL: full_colouring(&g); break;
  case COLOURING_ENTRY: entry_colouring(&g); break;
  }
  const bool good = generator_run(&g, err);
  memcpy(c->red, g.red, n_blocks * sizeof *c->red);
  keep_origins(c, &g);
  generator_fini(&g);
  moves_fini(&moves);
  return good;
}

static void start_classes(Coloured *c) {
  const uint32_t n = c->whole.state_thread.n;
  c->class_of = heap_alloc(c->heap, ((size_t)n + 1) * sizeof *c->class_of);
  for (uint32_t s = 0; s < n; s++) c->class_of[s] = s;
}

static void join_classes(Coloured *c, const uint32_t *next) {
  for (uint32_t s = 0; s < c->whole.state_thread.n; s++)
    if (c->class_of[s] != STATE_NONE) c->class_of[s] = next[c->class_of[s]];
}

/* Reduces again as long as that helps: merged states let more tests be passed whatever the value, and fewer values
 * occur. */
static void reduce(Coloured *c) {
  bool smaller = true;
  while (smaller && c->n_reductions < MAX_REDUCTIONS) {
    const Model *in = last_model(c);
    uint32_t *next;
    Model *out = &c->reduced[c->n_reductions];
    model_reduce(in, c->origins.undecided, out, &next);
    c->n_reductions++;
    join_classes(c, next);
    heap_release(c->heap, next);
    smaller = model_prune(out) || out->state_thread.n < in->state_thread.n || out->steps.n < in->steps.n;
  }
}

static bool build(Coloured *c, const ColourOptions *options, Err *err) {
  const uint32_t n_blocks = c->program.net->notes->n_blocks;
  c->colouring = options->colouring;
  if (!generate(c, options, err)) return false;
  start_classes(c);
  if (options->reduce) reduce(c);
  c->net = model_encode(last_model(c), c->program.net, c->red, n_blocks, c->red_place, &c->encoding, err);
  return c->net != NULL;
}

Coloured *colour_net(Heap *heap, const Net *net, const ColourOptions *options, Err *err) {
  ThreadView program;
  if (!thread_view_init(&program, heap, net, err)) return NULL;
  Coloured *c = heap_zeroed(heap, sizeof *c);
  c->heap = heap;
  c->program = program;
  model_init(&c->whole, heap);
  c->red = heap_zeroed(heap, ((size_t)net->notes->n_blocks + 1) * sizeof *c->red);
  c->red_place = heap_zeroed(heap, ((size_t)net->notes->n_blocks + 1) * sizeof *c->red_place);
  if (build(c, options, err)) return c;
  colour_free(c);
  return NULL;
}

void colour_free(Coloured *c) {
  if (!c) return;
  net_free(c->net);
  while (c->n_reductions) model_fini(&c->reduced[--c->n_reductions]);
  model_fini(&c->whole);
  thread_view_fini(&c->program);
  heap_release(c->heap, c->class_of);
  heap_release(c->heap, c->origins.states);
  heap_release(c->heap, c->origins.data);
  heap_release(c->heap, c->encoding.value_start);
  heap_release(c->heap, c->encoding.first_place);
  heap_release(c->heap, c->red);
  heap_release(c->heap, c->red_place);
  heap_release(c->heap, c);
}

const Net *colour_result_net(const Coloured *c) { return c->net; }

PlaceId colour_result_red(const Coloured *c, uint32_t block) {
  assert(block < c->program.net->notes->n_blocks);
  return c->red_place[block];
}

bool colour_expand_run(const Coloured *c, const TransId *run, uint32_t n_run, TransId **steps, uint32_t *n_steps,
                       Err *err) {
  uint32_t *numbers = heap_alloc(c->heap, ((size_t)n_run + 1) * sizeof *numbers);
  for (uint32_t i = 0; i < n_run; i++) numbers[i] = run[i].v;
  const bool good = model_expand(&c->whole, c->class_of, last_model(c), numbers, n_run, steps, n_steps, err);
  heap_release(c->heap, numbers);
  if (!good || moves_settle(&c->program, *steps, *n_steps, err)) return good;
  heap_release(c->heap, *steps);
  return false;
}

bool colour_certify(const Coloured *c, const bool *blocks, const PlaceId *places, FILE *out, Err *err) {
  assert(c->colouring == COLOURING_CHAIN);
  const Certified certified = {&c->program, places, &c->whole,    &c->origins, last_model(c),
                               c->class_of, c->net, &c->encoding, blocks,      c->red_place};
  return certify_colouring(&certified, out, err);
}
