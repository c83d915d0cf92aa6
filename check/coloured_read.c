#include "check/coloured_read.h"

#include <inttypes.h>
#include <stdio.h>

/* A block that is asked about, and its red place, from 1, or 0. */
typedef struct {
  uint32_t block, red;
} RedClaim;

typedef struct {
  Lines *lines;
  Heap *heap;
  const ThreadFacts *facts;
  ColouredClaims *claims;
  Err *why, *err;
  uint32_t n_places, n_trans;
  U32Vec numbers; /* of a list */
  VEC(RedClaim) red;
} ColouredReader;

/* ---- numbers ---- */

static bool read_number(ColouredReader *r, const char *what, uint32_t low, uint64_t high, uint32_t *number) {
  uint64_t value;
  if (!lines_number(r->lines, what, low, high, &value, r->err)) return false;
  *number = (uint32_t)value;
  return true;
}

static bool read_index(ColouredReader *r, const char *what, uint32_t n, uint32_t *index) {
  return lines_index(r->lines, what, n, index, r->err);
}

static bool end_line(ColouredReader *r) { return lines_end(r->lines, r->err); }

/* numbers* and the end of the line, from 0 in r->numbers */
static bool read_list(ColouredReader *r, uint32_t n) {
  return lines_list(r->lines, r->heap, "a place", n, &r->numbers, r->err);
}

static bool expect(ColouredReader *r, const char *word, const char *what) {
  return lines_word(r->lines, word) || lines_expected(r->lines, what, r->err);
}

/* ---- the net ---- */

/* How many places or transitions there can be: each is named in what is left of the file. */
static uint64_t most(const ColouredReader *r) {
  const uint64_t left = (uint64_t)(r->lines->end - r->lines->at);
  return left < NET_MAX_NODES ? left : NET_MAX_NODES;
}

/* P T 'i' P* */
static bool read_places(ColouredReader *r, NetBuilder *builder) {
  if (!read_number(r, "a number of places", 0, most(r), &r->n_places) ||
      !read_number(r, "a number of transitions", 0, most(r), &r->n_trans) || !end_line(r) ||
      !expect(r, "i", "'i' and the places that are marked initially") || !read_list(r, r->n_places))
    return false;
  for (uint32_t p = 0; p < r->n_places; p++) {
    char name[16];
    snprintf(name, sizeof name, "%" PRIu32, p + 1);
    net_add_place(builder, name, false);
  }
  for (uint32_t i = 0; i < r->numbers.n; i++) net_set_marked(builder, (PlaceId){r->numbers.at[i]}, true);
  return true;
}

/* 't' N P* */
static bool read_transition(ColouredReader *r, NetBuilder *builder, uint32_t number) {
  char name[16];
  uint32_t n;
  snprintf(name, sizeof name, "%" PRIu32, number + 1);
  if (!expect(r, "t", "'t' and the places of a transition") ||
      !read_number(r, "how many places it takes from", 1, r->n_places, &n) || !read_list(r, r->n_places))
    return false;
  if (r->numbers.n < n) {
    vec_clear(&r->numbers);
    return err_set(r->err, ERR_INPUT, "%.300s:%zu: the line before has fewer places than it says", r->lines->name,
                   r->lines->line);
  }
  const TransId t = net_add_trans(builder, name);
  for (uint32_t i = 0; i < n; i++) net_add_input(builder, (PlaceId){r->numbers.at[i]}, t);
  for (uint32_t i = n; i < r->numbers.n; i++) net_add_output(builder, t, (PlaceId){r->numbers.at[i]});
  return true;
}

static bool read_net(ColouredReader *r) {
  NetBuilder *builder = net_builder_new(r->heap);
  bool good = read_places(r, builder);
  for (uint32_t t = 0; good && t < r->n_trans; t++) good = read_transition(r, builder, t);
  if (!good) {
    net_builder_free(builder);
    return false;
  }
  Err bad;
  r->claims->net = net_freeze(builder, &bad);
  return r->claims->net ||
         err_set(r->err, ERR_INPUT, "%.300s:%zu: the coloured net: %.200s", r->lines->name, r->lines->line, bad.text);
}

/* ---- the colouring ---- */

/* ('block' B P)+ */
static bool read_blocks(ColouredReader *r) {
  do {
    RedClaim claim;
    if (!expect(r, "block", "'block', a block and its red place") ||
        !read_index(r, "a block", r->facts->net->notes->n_blocks, &claim.block) ||
        !read_number(r, "its red place, or 0,", 0, r->n_places, &claim.red) || !end_line(r))
      return false;
    if (r->claims->colouring.blocks[claim.block])
      return err_set(r->why, ERR_CHECK, "block %u is named twice", claim.block + 1);
    colouring_ask(&r->claims->colouring, claim.block);
    vec_push(r->heap, &r->red, claim);
  } while (!lines_word(r->lines, "u"));
  return true;
}

static void begin_simulation(ColouredReader *r) {
  simulation_init(&r->claims->simulation, &r->claims->colouring, r->claims->net);
  r->claims->simulates = true;
  for (uint32_t i = 0; i < r->red.n; i++)
    if (r->red.at[i].red) simulation_red(&r->claims->simulation, r->red.at[i].block, (PlaceId){r->red.at[i].red - 1});
}

/* ---- what the places stand for ---- */

/* P* that stand for thing number `what`. */
static bool read_claim(ColouredReader *r, bool (*stand_for)(Simulation *, uint32_t what, PlaceId, Err *),
                       uint32_t what) {
  if (!read_list(r, r->n_places)) return false;
  for (uint32_t i = 0; i < r->numbers.n; i++)
    if (!stand_for(&r->claims->simulation, what, (PlaceId){r->numbers.at[i]}, r->why)) return false;
  return true;
}

static bool stand_for_choice(Simulation *simulation, uint32_t what, PlaceId place, Err *err) {
  (void)what;
  return simulation_open(simulation, place, err);
}

/* What no thread comes to needs no place. */
static bool stand_for_state(Simulation *simulation, uint32_t what, PlaceId place, Err *err) {
  return what == FACT_NONE || simulation_state(simulation, what, place, err);
}

/* ('j' O V P*)* */
static bool read_values(ColouredReader *r) {
  const ThreadFacts *f = r->facts;
  while (lines_word(r->lines, "j")) {
    uint32_t object, value;
    if (!read_index(r, "an object", thread_facts_objects(f), &object) ||
        !read_index(r, "a value", f->object_start.at[object + 1] - f->object_start.at[object], &value) ||
        !read_claim(r, simulation_value, f->object_start.at[object] + value))
      return false;
  }
  return true;
}

/* ('z' K P*)* */
static bool read_chain(ColouredReader *r) {
  while (lines_word(r->lines, "z")) {
    uint32_t chain;
    if (!read_number(r, "where the chain is,", 0, colouring_chain_values(&r->claims->colouring) - 1, &chain) ||
        !read_claim(r, simulation_chain, chain))
      return false;
  }
  return true;
}

/* ('s' C M P*)* */
static bool read_states(ColouredReader *r) {
  const Colouring *colouring = &r->claims->colouring;
  const uint32_t n_modes = MODE_CHOSEN + 2 * r->facts->net->notes->n_blocks;
  while (lines_word(r->lines, "s")) {
    uint32_t control, mode;
    if (!read_index(r, "a control", thread_facts_controls(r->facts), &control) ||
        !read_number(r, "a mode", 0, n_modes - 1, &mode) ||
        !read_claim(r, stand_for_state, colouring_find_state(colouring, control, mode)))
      return false;
  }
  return true;
}

/* net group* block+ 'u' P* value* chain* state* */
static bool read_claims(ColouredReader *r) {
  if (!read_net(r) || !groups_read(r->lines, &r->claims->colouring.groups, r->why, r->err) || !read_blocks(r))
    return false;
  if (!colouring_make(&r->claims->colouring, r->why)) return false;
  begin_simulation(r);
  return read_claim(r, stand_for_choice, 0) && read_values(r) && read_chain(r) && read_states(r);
}

bool coloured_read(Lines *lines, const ThreadFacts *facts, ColouredClaims *claims, Err *why, Err *err) {
  ColouredReader r = {.lines = lines, .heap = facts->heap, .facts = facts, .claims = claims, .why = why, .err = err};
  *claims = (ColouredClaims){.simulates = false};
  colouring_init(&claims->colouring, facts);
  why->text[0] = '\0';
  err->kind = ERR_INPUT;
  const bool good = read_claims(&r);
  vec_fini(r.heap, &r.numbers);
  vec_fini(r.heap, &r.red);
  if (!good && why->text[0]) err->kind = ERR_CHECK;
  return good;
}

void coloured_claims_fini(ColouredClaims *claims) {
  if (claims->simulates) simulation_fini(&claims->simulation);
  colouring_fini(&claims->colouring);
  net_free(claims->net);
}
