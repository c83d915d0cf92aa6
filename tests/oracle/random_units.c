/* A unit has one token, which its transitions move, one from each of its places at least; so has a group of places in
 * no unit: a lock, a flag, a token that is handed on. A transition moves the token of its unit and now and then that of
 * another unit or of groups, leaves it where it is, takes it away or puts one where there is none. Most of the nets are
 * 1-safe by this; a few arcs are thrown in anywhere. */
#include "tests/oracle/random_units.h"

#include "base/hash.h"

#include <stdarg.h>
#include <stdio.h>

enum { MAX_UNITS = 4, MAX_GROUPS = 4, MAX_SIZE = 4, NONE = -1 };
enum { MAX_PLACES = (MAX_UNITS + MAX_GROUPS) * MAX_SIZE, MAX_TRANS = MAX_UNITS * MAX_SIZE + 2 };

/* Places first .. first + size - 1, which share a token. */
typedef struct {
  int first, size;
} Group;

typedef struct {
  uint64_t seed, draws;
  Group units[MAX_UNITS], groups[MAX_GROUPS];
  int n_units, n_groups, n_places, n_trans;
  int n_control;           /* the first of the places, which are in units */
  int unit_of[MAX_PLACES]; /* NONE: of a group */
  bool marked[MAX_PLACES];
  int order[MAX_PLACES]; /* in which the places are written */
  bool takes[MAX_TRANS][MAX_PLACES], puts[MAX_TRANS][MAX_PLACES];
  Heap *heap;
  CharVec *text;
} Gen;

static int draw(Gen *gen, int n) { return (int)(hash_word(hash_word(gen->seed) + gen->draws++) % (uint64_t)n); }
static bool chance(Gen *gen, int per_cent) { return draw(gen, 100) < per_cent; }

/* ---- places ---- */

static Group new_group(Gen *gen, int size, int unit, int marked_per_cent) {
  const Group group = {gen->n_places, size};
  for (int i = 0; i < size; i++) gen->unit_of[gen->n_places++] = unit;
  if (chance(gen, marked_per_cent)) gen->marked[group.first + (chance(gen, 80) ? 0 : draw(gen, size))] = true;
  return group;
}

static void shuffle(Gen *gen) {
  for (int i = gen->n_places - 1; i > 0; i--) {
    const int other = draw(gen, i + 1), place = gen->order[i];
    gen->order[i] = gen->order[other];
    gen->order[other] = place;
  }
}

static void draw_places(Gen *gen) {
  gen->n_units = 2 + draw(gen, MAX_UNITS - 1);
  gen->n_groups = chance(gen, 95) ? 1 + draw(gen, MAX_GROUPS) : 0;
  for (int u = 0; u < gen->n_units; u++)
    gen->units[u] = new_group(gen, 1 + draw(gen, gen->n_units < 3 ? MAX_SIZE : 3), u, 97);
  gen->n_control = gen->n_places;
  for (int g = 0; g < gen->n_groups; g++)
    gen->groups[g] = new_group(gen, chance(gen, 60) ? 1 : 1 + draw(gen, 3), NONE, 85);
  if (chance(gen, 3)) gen->marked[draw(gen, gen->n_places)] = true;
  for (int p = 0; p < gen->n_places; p++) gen->order[p] = p;
  if (chance(gen, 50)) shuffle(gen);
}

/* ---- transitions ---- */

/* The token goes from one place of the group to another one, or stays; or it is only taken, or only put. */
static void move_token(Gen *gen, int t, Group group, int from, int stays, int only_takes, int only_puts) {
  const int to = chance(gen, stays) ? from : chance(gen, 70) ? (from + 1) % group.size : draw(gen, group.size);
  const bool lost = chance(gen, only_takes), made = chance(gen, only_puts);
  if (!made) gen->takes[t][group.first + from] = true;
  if (!lost) gen->puts[t][group.first + to] = true;
}

static void draw_transition(Gen *gen, int t) {
  const int own = t < gen->n_control                  ? gen->unit_of[t]
                  : !gen->n_groups || chance(gen, 60) ? draw(gen, gen->n_units)
                                                      : NONE;
  if (own != NONE) {
    const Group unit = gen->units[own];
    move_token(gen, t, unit, t < gen->n_control ? t - unit.first : draw(gen, unit.size), 5, 3, 0);
    const Group other = gen->units[(own + 1) % gen->n_units];
    if (chance(gen, 15)) move_token(gen, t, other, draw(gen, other.size), 50, 10, 0);
  }
  const int per_cent = own == NONE ? 80 : gen->n_units < 3 ? 45 : 28; /* where less is shared, chains are longer */
  for (int g = 0; g < gen->n_groups; g++) {
    const Group group = gen->groups[g];
    if (chance(gen, per_cent)) move_token(gen, t, group, draw(gen, group.size), 45, 6, 4);
  }
}

static bool takes_something(const Gen *gen, int t) {
  for (int p = 0; p < gen->n_places; p++)
    if (gen->takes[t][p]) return true;
  return false;
}

static void draw_transitions(Gen *gen) {
  gen->n_trans = gen->n_control + draw(gen, 3);
  for (int t = 0; t < gen->n_trans; t++) do
      draw_transition(gen, t);
    while (!takes_something(gen, t));
  for (int odd = chance(gen, 5) ? 1 + draw(gen, 2) : 0; odd > 0; odd--) {
    const int t = draw(gen, gen->n_trans), p = draw(gen, gen->n_places);
    if (chance(gen, 50)) gen->takes[t][p] = true;
    else gen->puts[t][p] = true;
  }
}

/* ---- text ---- */

__attribute__((format(printf, 2, 3))) static void put(Gen *gen, const char *format, ...) {
  char line[64];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  for (int i = 0; i < length; i++) vec_push(gen->heap, gen->text, line[i]);
}

static void put_net(Gen *gen) {
  for (int i = 0; i < gen->n_places; i++) {
    const int p = gen->order[i];
    put(gen, gen->unit_of[p] == NONE ? "p%d -" : "p%d u%d", p, gen->unit_of[p]);
    put(gen, gen->marked[p] ? " *\n" : "\n");
  }
  for (int t = 0; t < gen->n_trans; t++) {
    for (int p = 0; p < gen->n_places; p++)
      if (gen->takes[t][p]) put(gen, "p%d -> t%d\n", p, t);
    for (int p = 0; p < gen->n_places; p++)
      if (gen->puts[t][p]) put(gen, "t%d -> p%d\n", t, p);
  }
}

/* The unit whose the transition is: that of its first input place that is in one. */
static int unit_of_transition(const Gen *gen, int t) {
  for (int i = 0; i < gen->n_places; i++)
    if (gen->takes[t][gen->order[i]] && gen->unit_of[gen->order[i]] != NONE) return gen->unit_of[gen->order[i]];
  return NONE;
}

/* One or two begins (transition 0 can be one); the ends, two at most, are in the unit of the only one. */
static void put_blocks(Gen *gen) {
  bool begins[MAX_TRANS] = {false};
  int n = 0, unit = NONE;
  while (n < 1 || (n < 2 && chance(gen, 30))) {
    const int t = draw(gen, gen->n_trans);
    if (begins[t] || unit_of_transition(gen, t) == NONE) continue;
    begins[t] = true;
    unit = unit_of_transition(gen, t);
    put(gen, "--begin=t%d\n", t);
    n++;
  }
  for (int t = 0; n == 1 && t < gen->n_trans; t++)
    if (unit_of_transition(gen, t) == unit && chance(gen, begins[t] ? 5 : 20)) put(gen, "--end=t%d\n", t);
}

void random_units(Heap *heap, uint64_t seed, CharVec *text) {
  Gen gen = {.seed = seed, .heap = heap, .text = text};
  draw_places(&gen);
  draw_transitions(&gen);
  put_net(&gen);
  put_blocks(&gen);
}
