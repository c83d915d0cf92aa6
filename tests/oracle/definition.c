#include "tests/oracle/definition.h"

#include "base/intern.h"

#include <stdlib.h>
#include <string.h>

/* Who put a token there: 0 no token, 1 it was there at first, n + 2 the event number n. */
typedef uint32_t Producer;
enum { NO_TOKEN, INITIAL_TOKEN, FIRST_EVENT };

typedef struct {
  uint32_t transition;
  const uint32_t *past; /* the numbers of the events that it depends on and its own, ascending */
  uint32_t n_past;
} Event;

typedef VEC(Event) EventVec;

typedef struct {
  Heap *heap;
  Arena arena;
  const Net *net;
  DefinitionLimits limits;
  Intern events;   /* transition, then the producers of what it takes */
  EventVec event;  /* by the number in `events` */
  Intern traces;   /* the sorted numbers of a trace's events */
  Answer *answers; /* ANSWER_ATOMIC until an instance is found */
  bool cut;
  Err *err;
} Search;

static const TransNote *note_of(const Search *search, uint32_t event) {
  return &search->net->notes->transitions[search->event.at[event].transition];
}

static bool depends_on(const Event *event, uint32_t cause) {
  for (uint32_t i = 0; i < event->n_past; i++)
    if (event->past[i] == cause) return true;
  return false;
}

/* ---- Definition 3 ---- */

/* Is there an f of another thread with e1 <= f <= e2? */
static bool is_visited(const Search *search, uint32_t e1, const Event *e2, uint32_t thread) {
  for (uint32_t i = 0; i < e2->n_past; i++) {
    const uint32_t f = e2->past[i];
    if (note_of(search, f)->thread != thread && depends_on(&search->event.at[f], e1)) return true;
  }
  return false;
}

/* Does an event of the thread end the block between e1 and e2, or is e2 that end? */
static bool is_ended(const Search *search, uint32_t e1, const Event *e2, uint32_t thread, uint32_t block) {
  for (uint32_t i = 0; i < e2->n_past; i++) {
    const uint32_t g = e2->past[i];
    if (g != e1 && note_of(search, g)->thread == thread && note_of(search, g)->end == block &&
        depends_on(&search->event.at[g], e1))
      return true;
  }
  return false;
}

/* Looks for an e1 that makes the new event an e2. */
static void judge(Search *search, uint32_t number) {
  const Event *e2 = &search->event.at[number];
  const uint32_t thread = note_of(search, number)->thread;
  for (uint32_t i = 0; i < e2->n_past; i++) {
    const uint32_t e1 = e2->past[i], block = note_of(search, e1)->begin;
    if (e1 == number || block == NOTE_NONE || note_of(search, e1)->thread != thread) continue;
    if (!is_ended(search, e1, e2, thread, block) && is_visited(search, e1, e2, thread))
      search->answers[block] = ANSWER_VIOLATED;
  }
}

/* ---- events ---- */

static int by_number(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Sorts and removes doubles; returns how many are left. */
static uint32_t sort_set(uint32_t *at, uint32_t n) {
  if (n) qsort(at, n, sizeof *at, by_number);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++)
    if (!kept || at[kept - 1] != at[i]) at[kept++] = at[i];
  return kept;
}

/* The causes of a new event: those who produced what it takes, what they depend on, and itself. */
static void add_event(Search *search, uint32_t number, uint32_t t, const Producer *tokens) {
  const PlaceList pre = net_pre(search->net, (TransId){t});
  U32Vec past = {0};
  vec_push(search->heap, &past, number);
  for (uint32_t i = 0; i < pre.n; i++) {
    if (tokens[pre.at[i].v] < FIRST_EVENT) continue;
    const Event *cause = &search->event.at[tokens[pre.at[i].v] - FIRST_EVENT];
    for (uint32_t k = 0; k < cause->n_past; k++) vec_push(search->heap, &past, cause->past[k]);
  }
  past.n = sort_set(past.at, past.n);
  uint32_t *kept = arena_alloc(&search->arena, past.n * sizeof *kept);
  memcpy(kept, past.at, past.n * sizeof *kept);
  vec_push(search->heap, &search->event, ((Event){t, kept, past.n}));
  vec_fini(search->heap, &past);
}

/* The number of the event that fires t on these tokens. */
static uint32_t find_event(Search *search, uint32_t t, const Producer *tokens) {
  const PlaceList pre = net_pre(search->net, (TransId){t});
  uint32_t *key = heap_alloc(search->heap, (pre.n + 1) * sizeof *key);
  key[0] = t;
  for (uint32_t i = 0; i < pre.n; i++) key[i + 1] = tokens[pre.at[i].v];
  bool is_new;
  const uint32_t number = intern_add(&search->events, (const char *)key, (pre.n + 1) * sizeof *key, &is_new);
  heap_release(search->heap, key);
  if (is_new) {
    add_event(search, number, t, tokens);
    judge(search, number);
  }
  return number;
}

/* ---- traces ---- */

static bool is_enabled(const Net *net, uint32_t t, const Producer *tokens) {
  const PlaceList pre = net_pre(net, (TransId){t});
  for (uint32_t i = 0; i < pre.n; i++)
    if (tokens[pre.at[i].v] == NO_TOKEN) return false;
  return true;
}

static bool move_tokens(Search *search, uint32_t t, Producer producer, Producer *tokens) {
  const PlaceList pre = net_pre(search->net, (TransId){t}), post = net_post(search->net, (TransId){t});
  for (uint32_t i = 0; i < pre.n; i++) tokens[pre.at[i].v] = NO_TOKEN;
  for (uint32_t i = 0; i < post.n; i++) {
    if (tokens[post.at[i].v] != NO_TOKEN)
      return err_set(search->err, ERR_CHECK, "'%.200s' puts a second token on '%.200s'", search->net->trans_name[t],
                     search->net->place_name[post.at[i].v]);
    tokens[post.at[i].v] = producer;
  }
  return true;
}

static bool play(Search *search, const Producer *tokens, const uint32_t *trace, uint32_t n_trace);

/* Plays t, and on from there unless the trace so reached was played before. */
static bool play_step(Search *search, const Producer *tokens, const uint32_t *trace, uint32_t n_trace, uint32_t t) {
  const uint32_t event = find_event(search, t, tokens);
  uint32_t *next_trace = heap_alloc(search->heap, (n_trace + 1) * sizeof *next_trace);
  if (n_trace) memcpy(next_trace, trace, n_trace * sizeof *next_trace);
  next_trace[n_trace] = event;
  sort_set(next_trace, n_trace + 1);
  bool good = true, is_new;
  intern_add(&search->traces, (const char *)next_trace, (n_trace + 1) * sizeof *next_trace, &is_new);
  if (is_new) {
    const size_t size = search->net->n_places * sizeof *tokens;
    Producer *next = heap_alloc(search->heap, size);
    memcpy(next, tokens, size);
    good = move_tokens(search, t, event + FIRST_EVENT, next) && play(search, next, next_trace, n_trace + 1);
    heap_release(search->heap, next);
  }
  heap_release(search->heap, next_trace);
  return good;
}

static bool play(Search *search, const Producer *tokens, const uint32_t *trace, uint32_t n_trace) {
  for (uint32_t t = 0; t < search->net->n_trans; t++) {
    if (!is_enabled(search->net, t, tokens)) continue;
    if (n_trace >= search->limits.max_length || search->traces.strings.n >= search->limits.max_traces) {
      search->cut = true;
      return true;
    }
    if (!play_step(search, tokens, trace, n_trace, t)) return false;
  }
  return true;
}

static bool run_search(Search *search) {
  const Net *net = search->net;
  Producer *tokens = heap_alloc(search->heap, net->n_places * sizeof *tokens);
  for (uint32_t p = 0; p < net->n_places; p++) tokens[p] = net->marked[p] ? INITIAL_TOKEN : NO_TOKEN;
  const bool good = play(search, tokens, NULL, 0);
  heap_release(search->heap, tokens);
  return good;
}

bool definition_search(Heap *heap, const Net *net, DefinitionLimits limits, Answer *answers, Err *err) {
  if (!answer_check_net(net, err)) return false;
  const uint32_t n_blocks = net->notes->n_blocks;
  Search search = {.heap = heap, .net = net, .limits = limits, .err = err};
  search.answers = heap_alloc(heap, n_blocks * sizeof *answers);
  for (uint32_t b = 0; b < n_blocks; b++) search.answers[b] = ANSWER_ATOMIC;
  arena_init(&search.arena, heap);
  intern_init(&search.events, heap);
  intern_init(&search.traces, heap);
  const bool good = run_search(&search);
  for (uint32_t b = 0; good && b < n_blocks; b++)
    answers[b] = search.answers[b] == ANSWER_ATOMIC && search.cut ? ANSWER_UNKNOWN : search.answers[b];
  intern_fini(&search.traces);
  intern_fini(&search.events);
  vec_fini(heap, &search.event);
  arena_fini(&search.arena);
  heap_release(heap, search.answers);
  return good;
}
