/* Breadth first, so that the run found is a shortest one. A state is one row of words: the marking, the blocks that are
 * open, the graph. States are kept in one array, in the order in which they were met, with a hash table over them. */
#include "serial/model_check.h"

#include "base/bitset.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/slots.h"
#include "base/vec.h"
#include "petri/token.h"
#include "serial/summary.h"

#include <assert.h>
#include <string.h>

#define NONE UINT32_MAX

typedef struct {
  Heap *heap;
  const Net *net;
  const ModelOptions *options;
  ModelCounts own, *counts;
  double next_look;
  Err *err;

  SummaryShape shape;
  uint32_t *object;       /* per object of the notes: its number in the graph, or NONE: no two threads conflict on it */
  uint32_t *access_start; /* per transition and one more: its accesses, as the graph numbers them */
  U32Vec accesses;

  size_t marking_words, state_words;
  uint64_t *states; /* state_words each */
  size_t n_states, room;
  U32Vec parent;
  VEC(TransId) via;
  HashSlots slots;     /* at most half of them in use */
  uint64_t *next;      /* scratch: a state */
  uint32_t found_from; /* the state whose step by found_via is the violation, or NONE */
  TransId found_via;
} Model;

/* ---- is it known what conflicts? ---- */

static bool is_noted(const Notes *notes, TransId t, uint32_t object) {
  const AccessList accesses = notes_accesses(notes, t.v);
  for (uint32_t i = 0; i < accesses.n; i++)
    if (accesses.at[i].object == object) return true;
  return false;
}

/* Do the notes say what each of these neighbours of the place accesses there; or are they all of the one thread? */
static bool are_noted(const Notes *notes, const PlaceNote *note, TransList neighbours, uint32_t *thread) {
  for (uint32_t i = 0; i < neighbours.n; i++) {
    const TransId t = neighbours.at[i];
    if (note->role == ROLE_COPY || note->role == ROLE_LOCK) {
      if (!is_noted(notes, t, note->object)) return false;
    } else {
      if (*thread == NONE) *thread = notes->transitions[t.v].thread;
      if (*thread == NONE || *thread != notes->transitions[t.v].thread) return false;
    }
  }
  return true;
}

/* In a net whose notes are silent about what threads share, all runs would be serializable. */
static bool check_accesses(const Net *net, Err *err) {
  for (uint32_t p = 0; p < net->n_places; p++) {
    uint32_t thread = NONE;
    const PlaceNote *note = &net->notes->places[p];
    if (!are_noted(net->notes, note, net_consumers(net, (PlaceId){p}), &thread) ||
        !are_noted(net->notes, note, net_producers(net, (PlaceId){p}), &thread))
      return err_set(err, ERR_INPUT,
                     "the net does not say which of its events read and write '%.200s'; without that, only causal "
                     "atomicity can be decided",
                     net->place_name[p]);
  }
  return true;
}

/* ---- what conflicts ---- */

/* An object matters if one thread changes it and another one touches it. */
typedef struct {
  uint32_t thread; /* one that touches it; NONE */
  bool shared, written;
} Use;

static void note_use(Use *use, uint32_t thread, bool writes) {
  if (use->thread == NONE) use->thread = thread;
  use->shared |= use->thread != thread;
  use->written |= writes;
}

static void number_objects(Model *m) {
  const Notes *notes = m->net->notes;
  Use *uses = heap_alloc(m->heap, heap_product(m->heap, notes->n_objects, sizeof *uses));
  uint32_t n = 0;
  for (uint32_t o = 0; o < notes->n_objects; o++) uses[o] = (Use){.thread = NONE};
  for (uint32_t t = 0; t < m->net->n_trans; t++) {
    const AccessList list = notes_accesses(notes, t);
    for (uint32_t i = 0; i < list.n; i++)
      note_use(&uses[list.at[i].object], notes->transitions[t].thread, access_changes(list.at[i].mode));
  }
  m->object = heap_alloc(m->heap, heap_product(m->heap, notes->n_objects, sizeof *m->object));
  for (uint32_t o = 0; o < notes->n_objects; o++) {
    const bool matters = notes->objects[o].kind == OBJECT_VARIABLE && uses[o].shared && uses[o].written;
    m->object[o] = matters ? n++ : NONE;
  }
  heap_release(m->heap, uses);
  m->shape = summary_shape(notes->n_threads, n);
}

static void number_accesses(Model *m) {
  const Notes *notes = m->net->notes;
  m->access_start = heap_alloc(m->heap, heap_product(m->heap, (size_t)m->net->n_trans + 1, sizeof *m->access_start));
  for (uint32_t t = 0; t < m->net->n_trans; t++) {
    const AccessList list = notes_accesses(notes, t);
    m->access_start[t] = m->accesses.n;
    for (uint32_t i = 0; i < list.n; i++) {
      const uint32_t object = m->object[list.at[i].object];
      if (object != NONE) vec_push(m->heap, &m->accesses, summary_access(object, access_changes(list.at[i].mode)));
    }
  }
  m->access_start[m->net->n_trans] = m->accesses.n;
}

/* ---- states ---- */

static uint64_t *state_at(const Model *m, size_t s) { return m->states + s * m->state_words; }

/* Of a thread, in a state: the number of the outermost open block, from 1, or 0. */
static uint64_t *open_blocks(const Model *m, uint64_t *state) { return state + m->marking_words; }
static uint64_t *graph_of(const Model *m, uint64_t *state) { return state + m->marking_words + m->shape.n_threads; }

/* Where the state in `next` stands, or belongs. */
static HashSlot *find_slot(const Model *m, uint32_t hash) {
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&m->slots, i);
    if (!slot->number) return slot;
    if (slot->hash == hash && !memcmp(state_at(m, slot->number - 1), m->next, m->state_words * sizeof *m->next))
      return slot;
  }
}

/* Adds the state in `next`, unless it is known. */
static void add_state(Model *m, uint32_t parent, TransId via) {
  assert(m->n_states == 0 || parent < m->n_states);
  const uint32_t hash = (uint32_t)hash_bytes(m->next, m->state_words * sizeof *m->next);
  if (2 * (m->n_states + 1) > m->slots.n) slots_grow(m->heap, &m->slots);
  HashSlot *slot = find_slot(m, hash);
  if (slot->number) return;
  if (m->n_states >= NONE / 4) heap_give_up(m->heap);
  if (m->n_states == m->room) {
    m->room = m->room ? m->room + m->room / 2 + 1 : 64;
    m->states = heap_resize(m->heap, m->states, heap_product(m->heap, m->room, m->state_words * sizeof *m->states));
  }
  memcpy(state_at(m, m->n_states), m->next, m->state_words * sizeof *m->next);
  *slot = (HashSlot){hash, (uint32_t)m->n_states + 1};
  vec_push(m->heap, &m->parent, parent);
  vec_push(m->heap, &m->via, via);
  m->n_states++;
  m->counts->states++;
  m->counts->left++;
}

/* ---- steps ---- */

/* A block that is no transaction is nothing. */
static uint32_t chosen(const Model *m, uint32_t block) {
  return block == NOTE_NONE || !m->options->blocks || m->options->blocks[block] ? block : NOTE_NONE;
}

/* The event in `next`, whose marking has changed already. *violated if it closes a cycle. */
static bool step_graph(Model *m, TransId t, bool *violated) {
  const TransNote *note = &m->net->notes->transitions[t.v];
  const uint32_t *accesses = m->accesses.at + m->access_start[t.v], n = m->access_start[t.v + 1] - m->access_start[t.v];
  const uint32_t begin = chosen(m, note->begin), end = chosen(m, note->end);
  uint64_t *graph = graph_of(m, m->next);
  *violated = false;
  if (note->thread == NOTE_NONE)
    return n == 0 || err_set(m->err, ERR_INPUT, "an event that accesses variables belongs to no thread");
  uint64_t *open = &open_blocks(m, m->next)[note->thread];
  if (begin != NOTE_NONE && *open == (uint64_t)begin + 1)
    return err_set(m->err, ERR_INPUT, "line %u: this block begins inside itself", note->pos.line);
  const bool alone = !*open && begin == NOTE_NONE;
  if (alone && !n) return true;
  if (!*open) summary_begin(&m->shape, graph, note->thread);
  if (!*open && !alone) *open = (uint64_t)begin + 1;
  *violated = n && summary_access_all(&m->shape, graph, note->thread, accesses, n);
  if (*violated || (!alone && (end == NOTE_NONE || (uint64_t)end + 1 != *open))) return true;
  summary_end(&m->shape, graph, note->thread);
  *open = 0;
  return true;
}

/* Steps of the run that leads to a state. */
static uint32_t run_length(const Model *m, uint32_t state) {
  uint32_t n = 0;
  for (uint32_t s = state; s != 0; s = m->parent.at[s]) n++;
  return n;
}

static bool refuse(const Model *m, uint32_t from, PlaceId twice) {
  const uint32_t n = run_length(m, from) + 1;
  return err_set(
      m->err, ERR_INPUT,
      "the net is not 1-safe: a run of %u step%s puts a second token on place '%.200s' (netunfold prints it)", n,
      n == 1 ? "" : "s", m->net->place_name[twice.v]);
}

/* False if it fails; with a violation, `found_from` is set. */
static bool fire(Model *m, uint32_t from, TransId t) {
  bool violated;
  memcpy(m->next, state_at(m, from), m->state_words * sizeof *m->next);
  const PlaceId twice = token_fire(m->net, m->next, t);
  if (twice.v != PLACE_NONE.v) return refuse(m, from, twice);
  if (!step_graph(m, t, &violated)) return false;
  if (!violated) add_state(m, from, t);
  else m->found_from = from, m->found_via = t;
  return true;
}

static bool is_stopped(Model *m, uint32_t s) {
  const ModelOptions *options = m->options;
  if (s % 16 == 0 && heap_asked(m->heap) != STOP_NOT) return true;
  if (s % 256 || !options->progress) return false;
  const double time = clock_seconds();
  if (time < m->next_look) return false;
  m->next_look = time + 0.1;
  options->progress(options->progress_argument, m->counts);
  return false;
}

static bool explore(Model *m, ModelStatus *status) {
  *status = MODEL_SERIALIZABLE;
  for (uint32_t s = 0; s < m->n_states; s++, m->counts->left--) {
    if (is_stopped(m, s)) return *status = MODEL_CANCELLED, true;
    if (m->options->max_states && m->n_states > m->options->max_states) return *status = MODEL_LIMIT, true;
    for (uint32_t t = 0; t < m->net->n_trans; t++) {
      if (!token_enabled(m->net, state_at(m, s), (TransId){t})) continue;
      if (!fire(m, s, (TransId){t})) return false;
      if (m->found_from != NONE) return *status = MODEL_VIOLATED, true;
    }
  }
  return true;
}

static void take_run(Model *m, ModelResult *result) {
  assert(m->found_from < m->n_states);
  uint32_t n = run_length(m, m->found_from) + 1;
  result->run = heap_alloc(m->heap, heap_product(m->heap, n, sizeof *result->run));
  result->n_run = n;
  result->run[--n] = m->found_via;
  for (uint32_t s = m->found_from; s != 0; s = m->parent.at[s]) result->run[--n] = m->via.at[s];
}

static void start(Model *m) {
  number_objects(m);
  number_accesses(m);
  m->marking_words = marking_words(m->net);
  m->state_words = m->marking_words + m->shape.n_threads + summary_words(&m->shape);
  m->next = heap_zeroed(m->heap, heap_product(m->heap, m->state_words, sizeof *m->next));
  token_initial(m->net, m->next);
  add_state(m, 0, TRANS_NONE);
}

static void finish(Model *m) {
  heap_release(m->heap, m->object);
  heap_release(m->heap, m->access_start);
  heap_release(m->heap, m->states);
  slots_fini(m->heap, &m->slots);
  heap_release(m->heap, m->next);
  vec_fini(m->heap, &m->accesses);
  vec_fini(m->heap, &m->parent);
  vec_fini(m->heap, &m->via);
}

bool model_check(Heap *heap, const Net *net, const ModelOptions *options, ModelResult *result, Err *err) {
  if (!check_accesses(net, err)) return false;
  Model m = {.heap = heap, .net = net, .options = options, .err = err, .found_from = NONE};
  m.counts = options->counts ? options->counts : &m.own;
  *m.counts = (ModelCounts){0};
  start(&m);
  ModelResult found = {0};
  const bool good = explore(&m, &found.status);
  if (good && found.status == MODEL_VIOLATED) take_run(&m, &found);
  found.counts = *m.counts;
  finish(&m);
  if (good) *result = found;
  return good;
}
