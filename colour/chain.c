/* The chain colouring: one token travels along one causal chain, instead of colours everywhere.
 *
 * The chosen thread T may, at one event in its block, put the chain down on an object that the event accesses. Another
 * thread that accesses the object in conflict with that access may pick it up, and put it down again on anything that
 * it accesses, in the same event or later. When T, still in the block, accesses in conflict an object on which another
 * thread put it down, the chain has closed: red. Variables need no colours, so those without tracked data are no
 * objects at all. */
#include "colour/generator.h"

#include <assert.h>

enum { MODE_CARRY = 1, MODE_BLUE = 2 }; /* then two modes per block: chain not yet put down, and put down */

/* Values of the chain: nothing put down yet, carried by a thread, or lying on an object. */
enum { CHAIN_NONE, CHAIN_CARRIED, CHAIN_ON };

static uint32_t chain_on(uint32_t object, bool writes, bool by_other) {
  return CHAIN_ON + 4 * object + 2 * (uint32_t)writes + (uint32_t)by_other;
}

typedef struct {
  Generator *g;
  const ViewAccess *accesses;
  uint32_t n;
} Event;

/* The event with the given change of the chain (none if before == after), going on in `mode`. */
static void emit(const Event *event, uint32_t before, uint32_t after, uint32_t mode) {
  Generator *g = event->g;
  const uint32_t n_values = g->model->objects.at[g->own].n_values;
  assert(before < n_values && after < n_values);
  generator_start_effects(g);
  if (before != after) vec_push(g->heap, &g->effects, ((Effect){g->own, before, after}));
  generator_step(g, mode, false, g->effects.at, g->effects.n);
}

/* The event of T that closes the chain lying in `chain`. */
static void emit_red(const Event *event, uint32_t chain, uint32_t block) {
  Generator *g = event->g;
  vec_clear(&g->effects);
  for (uint32_t i = 0; i < event->n; i++) {
    const ViewAccess *access = &event->accesses[i];
    if (g->data[access->object] == NOTE_NONE || access->pre == VALUE_ABSENT || access->pre == VALUE_ANY) continue;
    vec_push(g->heap, &g->effects, ((Effect){g->data[access->object], access->pre, access->pre}));
  }
  vec_push(g->heap, &g->effects, ((Effect){g->own, chain, chain}));
  vec_push(g->heap, &g->effects, ((Effect){g->red[block], OBJECT_ABSENT, 0}));
  generator_step(g, MODE_PLAIN, true, g->effects.at, g->effects.n);
}

/* May the chain lie on what the event accesses there? */
static bool is_carrier(const Event *event, uint32_t i) {
  return !event->g->by_data || !event->g->program->objects.at[event->accesses[i].object].is_lock;
}

/* Every way to put the chain, now `before`, down at this event. */
static void emit_put_down(const Event *event, uint32_t before, bool by_other, uint32_t mode) {
  for (uint32_t i = 0; i < event->n; i++)
    if (is_carrier(event, i))
      emit(event, before, chain_on(event->accesses[i].object, event->accesses[i].writes, by_other), mode);
}

static bool is_reached(const Event *event, uint32_t chain) {
  const ModelObject *own = &event->g->model->objects.at[event->g->own];
  assert(chain < own->n_values);
  return own->reached[chain];
}

/* Calls `meet` for each place where the chain may lie so that this event is in conflict with what put it there. */
static void for_each_conflict(const Event *event, bool by_other,
                              void (*meet)(const Event *, uint32_t chain, uint32_t block), uint32_t block) {
  for (uint32_t i = 0; i < event->n; i++)
    for (uint32_t writes = event->accesses[i].writes ? 0 : 1; writes < 2; writes++) {
      const uint32_t chain = chain_on(event->accesses[i].object, writes, by_other);
      if (is_reached(event, chain)) meet(event, chain, block);
    }
}

/* Another thread picks the chain up: it carries it on, or puts it down at once. */
static void pick_up(const Event *event, uint32_t chain, uint32_t block) {
  (void)block;
  emit(event, chain, CHAIN_CARRIED, MODE_CARRY);
  emit_put_down(event, chain, true, MODE_PLAIN);
}

static bool chain_steps(Generator *g, uint32_t thread, uint32_t mode, const ColourMove *move, Err *err) {
  (void)err;
  const ThreadView *program = g->program;
  const Event event = {g, move->accesses, move->n_accesses};
  uint32_t block;
  if (mode >= MODE_BLUE) {
    block = (mode - MODE_BLUE) / 2;
    assert(block < program->net->notes->n_blocks);
    if (program->net->notes->transitions[move->transition.v].end == block) return true; /* the run stops */
    emit(&event, 0, 0, mode);
    if ((mode - MODE_BLUE) % 2 == 0) emit_put_down(&event, CHAIN_NONE, false, mode + 1);
    else for_each_conflict(&event, true, emit_red, block);
    return true;
  }
  emit(&event, 0, 0, mode);
  if (mode == MODE_CARRY) {
    emit_put_down(&event, CHAIN_CARRIED, true, MODE_PLAIN);
    return true;
  }
  for_each_conflict(&event, false, pick_up, 0);
  for_each_conflict(&event, true, pick_up, 0);
  if (!generator_may_choose(g, thread, move, &block)) return true;
  /* the begin itself may put the chain down where it accesses something, as in a foreign net */
  for (uint32_t i = 0; i <= event.n; i++) {
    if (i < event.n && !is_carrier(&event, i)) continue;
    generator_start_effects(g);
    vec_push(g->heap, &g->effects, ((Effect){g->undecided, 0, OBJECT_ABSENT}));
    if (i < event.n)
      vec_push(g->heap, &g->effects,
               ((Effect){g->own, CHAIN_NONE, chain_on(event.accesses[i].object, event.accesses[i].writes, false)}));
    generator_step(g, MODE_BLUE + 2 * block + (i < event.n ? 1 : 0), false, g->effects.at, g->effects.n);
  }
  return true;
}

static const char *chain_mode_name(Generator *g, uint32_t mode) {
  assert(mode != MODE_PLAIN);
  if (mode == MODE_CARRY) return "carry";
  return arena_format(&g->model->arena, "%s%u", (mode - MODE_BLUE) % 2 ? "P" : "B", (mode - MODE_BLUE) / 2 + 1);
}

static void name_chain_values(Generator *g) {
  const char **names = g->model->objects.at[g->own].value_name;
  names[CHAIN_NONE] = "none";
  names[CHAIN_CARRIED] = "carried";
  for (uint32_t o = 0; o < g->program->objects.n; o++)
    for (uint32_t writes = 0; writes < 2; writes++)
      for (uint32_t by_other = 0; by_other < 2; by_other++)
        names[chain_on(o, writes, by_other)] =
            arena_format(&g->model->arena, "%s.%s.%s", g->program->objects.at[o].name, writes ? "w" : "r",
                         by_other ? "other" : "own");
}

void chain_colouring(Generator *g) {
  const ThreadView *program = g->program;
  g->steps = chain_steps;
  g->mode_name = chain_mode_name;
  generator_data_objects(g);
  g->own = generator_object(g, "chain", false, CHAIN_ON + 4 * program->objects.n, CHAIN_NONE);
  name_chain_values(g);
}
