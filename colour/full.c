/* The full colouring: each token is achromatic, blue or yellow.
 *
 * Blue is what the chosen occurrence of a block, of thread T, has painted since its begin; yellow is what other threads
 * painted after taking blue or yellow. If T, still in the block, takes yellow, an event of another thread stands
 * causally between two events of the block.
 *
 * Of a variable with a copy for each reading thread only two colours matter (A < B < Y): that of the last write, cw,
 * and the highest of any copy since then, m >= cw. A read takes cw, since of the reader's own copy only the reader
 * itself can have raised the colour, and its control has that colour anyway; a write takes m. After a read m becomes
 * max(m, new colour), after a write both become the new colour. A token, or a variable without readers' copies, has one
 * colour. So the colours, with the value if it is tracked, make up one value of an object of the model. */
#include "colour/generator.h"

#include <assert.h>

enum { A, B, Y, COLOURS };
enum { PAIRS = 6 };
enum { MODE_YELLOW = 1, MODE_BLUE = 2 }; /* blue in block b: MODE_BLUE + b; MODE_PLAIN is achromatic */

/* The pairs (cw, m) by their code. */
static const uint32_t PAIR_WRITE[PAIRS] = {A, A, A, B, B, Y};
static const uint32_t PAIR_MOST[PAIRS] = {A, B, Y, B, Y, Y};
static const uint32_t PAIR_CODE[COLOURS][COLOURS] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}}; /* [cw][m], m >= cw */
static const char *const PAIR_NAME[PAIRS] = {"AA", "AB", "AY", "BB", "BY", "YY"};
static const char *const COLOUR_NAME[COLOURS] = {"A", "B", "Y"};

static uint32_t max(uint32_t a, uint32_t b) { return a > b ? a : b; }

static uint32_t codes_of(const ViewObject *object) { return object->has_readers ? PAIRS : COLOURS; }

/* The colour that an access takes from an object in that code. */
static uint32_t taken_colour(const ViewObject *object, bool writes, uint32_t code) {
  assert(code < codes_of(object));
  if (!object->has_readers) return code;
  return writes ? PAIR_MOST[code] : PAIR_WRITE[code];
}

/* The code after an event of colour `colour`. */
static uint32_t painted_code(const ViewObject *object, bool writes, uint32_t code, uint32_t colour) {
  assert(code < codes_of(object) && colour < COLOURS);
  if (!object->has_readers) return colour;
  return writes ? PAIR_CODE[colour][colour] : PAIR_CODE[PAIR_WRITE[code]][max(PAIR_MOST[code], colour)];
}

/* One variant of a move: the code of each object that it takes, and the highest colour among what it takes. */
typedef struct {
  Generator *g;
  uint32_t colour; /* of the thread, if it is not blue: A or Y */
  const ViewAccess *accesses;
  uint32_t n;
  uint32_t block; /* of which the thread is blue, or NOTE_NONE */
  bool chooses;   /* the move begins the chosen occurrence */
  uint32_t variants;
} Variants;

static void push_effect(Variants *v, uint32_t object, uint32_t pre, uint32_t post) {
  vec_push(v->g->heap, &v->g->effects, ((Effect){object, pre, post}));
}

/* The violation: the objects are only looked at, and red appears. g->effects holds the pre of each object taken. */
static void emit_red(Variants *v) {
  assert(v->block != NOTE_NONE && !v->chooses);
  Generator *g = v->g;
  const uint32_t n = g->effects.n;
  for (uint32_t i = 0; i < n; i++) g->effects.at[i].post = g->effects.at[i].pre;
  push_effect(v, g->red[v->block], OBJECT_ABSENT, 0);
  generator_step(g, MODE_PLAIN, true, g->effects.at, g->effects.n);
  vec_clear(&g->effects);
}

/* The plain event: every object that it touches is painted. */
static void emit_painted(Variants *v, const uint32_t *codes, uint32_t colour, uint32_t mode) {
  Generator *g = v->g;
  vec_clear(&g->effects);
  for (uint32_t i = 0; i < v->n; i++) {
    const ViewAccess *access = &v->accesses[i];
    const ViewObject *object = &g->program->objects.at[access->object];
    const uint32_t n_codes = codes_of(object);
    const uint32_t pre = access->pre == VALUE_ABSENT ? OBJECT_ABSENT : access->pre * n_codes + codes[i];
    const uint32_t code = painted_code(object, access->writes, codes[i], colour);
    push_effect(v, g->data[access->object], pre,
                access->post == VALUE_ABSENT ? OBJECT_ABSENT : access->post * n_codes + code);
  }
  if (v->chooses) push_effect(v, g->undecided, 0, OBJECT_ABSENT);
  generator_step(g, mode, false, g->effects.at, g->effects.n);
  vec_clear(&g->effects);
}

static void emit_variant(Variants *v, const uint32_t *codes) {
  Generator *g = v->g;
  uint32_t taken = A;
  vec_clear(&g->effects);
  for (uint32_t i = 0; i < v->n; i++) {
    const ViewAccess *access = &v->accesses[i];
    if (access->pre == VALUE_ABSENT) continue;
    const ViewObject *object = &g->program->objects.at[access->object];
    taken = max(taken, taken_colour(object, access->writes, codes[i]));
    push_effect(v, g->data[access->object], access->pre * codes_of(object) + codes[i], 0);
  }
  if (v->block != NOTE_NONE && taken == Y && !v->chooses) emit_red(v);
  else if (v->block != NOTE_NONE) emit_painted(v, codes, B, MODE_BLUE + v->block);
  else if (max(taken, v->colour) > A) emit_painted(v, codes, Y, MODE_YELLOW);
  else emit_painted(v, codes, A, MODE_PLAIN);
}

/* Chooses a reached code for access number i and the ones after it. */
static bool choose_codes(Variants *v, uint32_t *codes, uint32_t i, Err *err) {
  if (i == v->n) {
    if (++v->variants > COLOUR_MAX_VARIANTS)
      return err_set(err, ERR_LIMIT, "the event '%.100s' has more than %u colour variants",
                     v->g->program->net->trans_name[v->g->move->transition.v], COLOUR_MAX_VARIANTS);
    emit_variant(v, codes);
    return true;
  }
  const ViewAccess *access = &v->accesses[i];
  codes[i] = A;
  if (access->pre == VALUE_ABSENT) return choose_codes(v, codes, i + 1, err);
  const uint32_t n_codes = codes_of(&v->g->program->objects.at[access->object]);
  for (uint32_t code = 0; code < (v->chooses ? 1 : n_codes); code++) {
    /* read anew each time: emitting a variant may add values, and move the objects */
    if (!v->g->model->objects.at[v->g->data[access->object]].reached[access->pre * n_codes + code]) continue;
    codes[i] = code;
    if (!choose_codes(v, codes, i + 1, err)) return false;
  }
  return true;
}

static bool generate(Variants *v, Err *err) {
  uint32_t *codes = heap_zeroed(v->g->heap, ((size_t)v->n + 1) * sizeof *codes);
  const bool good = choose_codes(v, codes, 0, err);
  heap_release(v->g->heap, codes);
  return good;
}

static bool full_steps(Generator *g, uint32_t thread, uint32_t mode, const ColourMove *move, Err *err) {
  const ThreadView *program = g->program;
  Variants v = {.g = g, .accesses = move->accesses, .n = move->n_accesses};
  v.block = mode >= MODE_BLUE ? mode - MODE_BLUE : NOTE_NONE;
  assert(v.block == NOTE_NONE || v.block < program->net->notes->n_blocks);
  v.colour = mode == MODE_YELLOW ? Y : A;
  if (v.block != NOTE_NONE && program->net->notes->transitions[move->transition.v].end == v.block)
    return true; /* the run stops */
  if (!generate(&v, err)) return false;
  if (mode != MODE_PLAIN || !generator_may_choose(g, thread, move, &v.block)) return true;
  v.chooses = true;
  return generate(&v, err);
}

static const char *full_mode_name(Generator *g, uint32_t mode) {
  return mode == MODE_YELLOW ? "Y" : arena_format(&g->model->arena, "B%u", mode - MODE_BLUE + 1);
}

void full_colouring(Generator *g) {
  g->steps = full_steps;
  g->mode_name = full_mode_name;
  for (uint32_t o = 0; o < g->program->objects.n; o++) {
    const ViewObject *object = &g->program->objects.at[o];
    const uint32_t n_codes = codes_of(object);
    if (object->n_values > UINT32_MAX / n_codes) heap_give_up(g->heap); /* no index can count them */
    const uint32_t initial = object->initial == VALUE_ABSENT ? OBJECT_ABSENT : object->initial * n_codes;
    g->data[o] = generator_object(g, object->name, object->is_token, object->n_values * n_codes, initial);
    const char **names = g->model->objects.at[g->data[o]].value_name;
    for (uint32_t value = 0; value < object->n_values * n_codes; value++) {
      const char *code = object->has_readers ? PAIR_NAME[value % n_codes] : COLOUR_NAME[value % n_codes];
      names[value] = object->n_values == 1 ? code : arena_format(&g->model->arena, "%u.%s", value / n_codes, code);
    }
  }
}
