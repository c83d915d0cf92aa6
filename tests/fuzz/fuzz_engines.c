/* The bytes are a small net of another tool: sequential components that share transitions, some of them declared as
 * units, and transitions that begin and end blocks. It is 1-safe. No two ways to a verdict may contradict each
 * other. */
#include "petri/unit_notes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/oracle/definition.h"
#include "ask/atomicity.h"

enum { MOST_COMPONENTS = 4, MOST_PLACES = 4, MOST_TRANSITIONS = 8 };
enum { MAX_EVENTS = 2000, MAX_LENGTH = 12, MAX_TRACES = 2000 };

typedef struct {
  const uint8_t *at, *end;
} Bytes;

/* A number below n; 0 where no bytes are left. */
static uint32_t draw(Bytes *bytes, uint32_t n) { return bytes->at < bytes->end ? *bytes->at++ % n : 0; }

typedef struct {
  uint32_t n_components, n_trans;
  uint32_t first[MOST_COMPONENTS + 1]; /* place of each component */
  const char *begins[MOST_TRANSITIONS], *ends[MOST_TRANSITIONS];
  uint32_t n_begins, n_ends;
} Sketch;

static const char *const TRANSITIONS[MOST_TRANSITIONS] = {"t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"};
static const char *const PLACES[MOST_COMPONENTS * MOST_PLACES] = {"p0", "p1", "p2",  "p3",  "p4",  "p5",  "p6",  "p7",
                                                                  "p8", "p9", "p10", "p11", "p12", "p13", "p14", "p15"};

/* A component: its places, one of them marked; a unit, unless its tokens are to be objects. */
static void add_component(Sketch *sketch, NetBuilder *builder, Bytes *bytes, uint32_t c) {
  const uint32_t n = 1 + draw(bytes, MOST_PLACES), marked = draw(bytes, n);
  const bool is_unit = c == 0 || draw(bytes, 3) > 0;
  const uint32_t unit = is_unit ? net_add_unit(builder, TRANSITIONS[c]) : 0, first = sketch->first[c];
  for (uint32_t i = 0; i < n; i++) {
    const PlaceId place = net_add_place(builder, PLACES[first + i], i == marked);
    if (is_unit) net_set_unit(builder, place, unit);
  }
  sketch->first[c + 1] = first + n;
}

/* A transition moves the tokens of one component or of several. */
static void add_transition(Sketch *sketch, NetBuilder *builder, Bytes *bytes, uint32_t t) {
  const TransId trans = net_add_trans(builder, TRANSITIONS[t]);
  const uint32_t main = draw(bytes, sketch->n_components);
  for (uint32_t c = 0; c < sketch->n_components; c++) {
    const uint32_t first = sketch->first[c], n = sketch->first[c + 1] - first;
    if (c != main && draw(bytes, 3)) continue;
    net_add_input(builder, (PlaceId){first + draw(bytes, n)}, trans);
    net_add_output(builder, trans, (PlaceId){first + draw(bytes, n)});
  }
  const uint32_t mark = draw(bytes, 4);
  if (mark == 1 || !sketch->n_begins) sketch->begins[sketch->n_begins++] = TRANSITIONS[t];
  else if (mark == 2) sketch->ends[sketch->n_ends++] = TRANSITIONS[t];
}

static Net *make_net(Heap *heap, Bytes *bytes, Err *err) {
  Sketch sketch = {.n_components = 1 + draw(bytes, MOST_COMPONENTS)};
  sketch.n_trans = 1 + draw(bytes, MOST_TRANSITIONS);
  NetBuilder *builder = net_builder_new(heap);
  for (uint32_t c = 0; c < sketch.n_components; c++) add_component(&sketch, builder, bytes, c);
  for (uint32_t t = 0; t < sketch.n_trans; t++) add_transition(&sketch, builder, bytes, t);
  Net *net = net_freeze(builder, err);
  fuzz_claim(net, err->text);
  const BlockMarks marks = {sketch.begins, sketch.n_begins, sketch.ends, sketch.n_ends};
  if (net_add_unit_notes(net, &marks, err)) return net;
  net_free(net);
  return NULL;
}

/* ---- the ways to a verdict ---- */

static const struct {
  Colouring colouring;
  bool reduce;
  UnfoldOrder order;
} WAYS[] = {
    {COLOURING_FULL, true, UNFOLD_ERV},   {COLOURING_FULL, false, UNFOLD_ERV},     {COLOURING_CHAIN, true, UNFOLD_ERV},
    {COLOURING_CHAIN, false, UNFOLD_ERV}, {COLOURING_FULL, true, UNFOLD_MCMILLAN},
};
enum { N_WAYS = sizeof WAYS / sizeof *WAYS };

/* What any way has said of the blocks. */
typedef struct {
  bool atomic[MOST_TRANSITIONS], violated[MOST_TRANSITIONS];
} Known;

static void ask(Heap *heap, const Net *net, uint32_t way, Known *known) {
  const AtomicityOptions options = {.colour = {WAYS[way].colouring, WAYS[way].reduce, NULL}, .order = WAYS[way].order};
  Atomicity result;
  Err err;
  if (!atomicity_check(heap, net, &options, &(AskLimits){.max_events = MAX_EVENTS}, &result, &err)) {
    fuzz_claim(err.kind != ERR_CHECK, err.text);
    return;
  }
  for (uint32_t i = 0; i < result.n_blocks; i++) {
    const BlockVerdict *block = &result.blocks[i];
    known->atomic[block->block] |= block->verdict == VERDICT_HOLDS;
    known->violated[block->block] |= block->verdict == VERDICT_VIOLATED;
  }
  atomicity_fini(&result);
}

/* The definition itself, trace by trace. */
static void ask_definition(Heap *heap, const Net *net, Known *known) {
  Answer answers[MOST_TRANSITIONS] = {ANSWER_UNKNOWN};
  Err err;
  if (!definition_search(heap, net, (DefinitionLimits){MAX_LENGTH, MAX_TRACES}, answers, &err)) return;
  for (uint32_t b = 0; b < net->notes->n_blocks; b++) {
    known->atomic[b] |= answers[b] == ANSWER_ATOMIC;
    known->violated[b] |= answers[b] == ANSWER_VIOLATED;
  }
}

static void body(void *argument) {
  const FuzzInput *input = argument;
  Bytes bytes = {input->bytes, input->bytes + input->length};
  Known known = {0};
  Err err;
  Net *net = make_net(input->heap, &bytes, &err);
  for (uint32_t way = 0; net && way < N_WAYS; way++) ask(input->heap, net, way, &known);
  if (net) ask_definition(input->heap, net, &known);
  for (uint32_t b = 0; b < MOST_TRANSITIONS; b++)
    fuzz_claim(!known.atomic[b] || !known.violated[b], "no block is both atomic and violated");
  net_free(net);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) { return fuzz_run(bytes, length, body); }
