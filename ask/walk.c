#include "ask/walk.h"

#include "base/hash.h"
#include "petri/token.h"

#include <string.h>

typedef struct {
  const Net *net;
  uint64_t *marking;
  uint32_t *at; /* per thread: its control place that is marked, or NOTE_NONE */
  bool *begun;
  uint32_t left; /* blocks that were not begun */
  uint64_t random;
  uint64_t steps; /* that may still be taken in this run */
} Walk;

/* Runs from the start; the steps of one, per transition of the net; how long a thread goes on at most. */
enum { WALKS = 6, STEPS_PER_TRANSITION = 16, STEPS_IN_TURN = 64 };

static uint32_t below(Walk *w, uint32_t n) {
  w->random = hash_word(w->random);
  return (uint32_t)(w->random % n);
}

static void note_control(Walk *w, PlaceId place) {
  const PlaceNote *note = &w->net->notes->places[place.v];
  if (note->role == ROLE_CONTROL && note->thread != NOTE_NONE) w->at[note->thread] = place.v;
}

static void start(Walk *w) {
  token_initial(w->net, w->marking);
  for (uint32_t i = 0; i < w->net->notes->n_threads; i++) w->at[i] = NOTE_NONE;
  for (uint32_t p = 0; p < w->net->n_places; p++)
    if (w->net->marked[p]) note_control(w, (PlaceId){p});
}

/* An enabled transition of the thread, or TRANS_NONE. */
static TransId choose(Walk *w, uint32_t thread) {
  if (w->at[thread] == NOTE_NONE) return TRANS_NONE;
  const TransList list = net_consumers(w->net, (PlaceId){w->at[thread]});
  const uint32_t first = list.n ? below(w, list.n) : 0;
  for (uint32_t i = 0; i < list.n; i++) {
    const TransId t = list.at[(first + i) % list.n];
    if (w->net->notes->transitions[t.v].thread == thread && token_enabled(w->net, w->marking, t)) return t;
  }
  return TRANS_NONE;
}

/* False if it cannot be fired safely. */
static bool fire(Walk *w, TransId t) {
  if (token_fire(w->net, w->marking, t).v != PLACE_NONE.v) return false;
  const PlaceList post = net_post(w->net, t);
  for (uint32_t i = 0; i < post.n; i++) note_control(w, post.at[i]);
  const uint32_t block = w->net->notes->transitions[t.v].begin;
  if (block == NOTE_NONE || w->begun[block]) return true;
  w->begun[block] = true;
  w->left--;
  return true;
}

/* Up to `most` steps of the thread; how many there were. UINT32_MAX: the walk has ended. */
static uint32_t go_on(Walk *w, uint32_t thread, uint32_t most) {
  uint32_t n = 0;
  for (; n < most && w->left && w->steps; n++, w->steps--) {
    const TransId t = choose(w, thread);
    if (t.v == TRANS_NONE.v) break;
    if (!fire(w, t)) return UINT32_MAX;
  }
  return n;
}

/* Each thread as long as it can, or a few steps each in turn. */
static void walk_once(Walk *w, const Heap *heap, uint32_t most) {
  const uint32_t n = w->net->notes->n_threads;
  w->steps = STEPS_PER_TRANSITION * ((uint64_t)w->net->n_trans + 1);
  start(w);
  for (bool moved = true; moved && w->left && w->steps && !heap_asked(heap);) {
    moved = false;
    const uint32_t first = below(w, n);
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t steps = go_on(w, (first + i) % n, most);
      if (steps == UINT32_MAX) return;
      moved |= steps > 0;
    }
  }
}

void walk_to_blocks(Heap *heap, const Net *net, bool *begun) {
  const Notes *notes = net->notes;
  if (!notes->n_threads) return;
  Walk w = {.net = net, .begun = begun, .left = notes->n_blocks};
  memset(begun, 0, notes->n_blocks * sizeof *begun);
  w.marking = heap_alloc(heap, (marking_words(net) + 1) * sizeof *w.marking);
  w.at = heap_alloc(heap, ((size_t)notes->n_threads + 1) * sizeof *w.at);
  for (uint32_t i = 0; i < WALKS && w.left; i++) walk_once(&w, heap, i % 2 ? 1 + below(&w, 4) : STEPS_IN_TURN);
  heap_release(heap, w.marking);
  heap_release(heap, w.at);
}
