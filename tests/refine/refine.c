/* refine.c: refine NET RUN [rounds]: is a recorded run of a C program a run of the net that c2net has made of it?
 *
 * The events of the run are taken one by one. For each one the net has to have, after any events of that thread that
 * are not in the run, one of that thread, at the same place in the source, that does the same: to an object that stands
 * for the run's object from then on, inside a marked block where the run is in one, or a fork of the thread that is the
 * run's from then on. All states that the net may be in are kept, so that the answer depends on no choice.
 *
 * A thread's own events are looked for only when they are needed. What another thread makes possible comes by an event
 * of the run: a release, a store, an exit, a signal.
 *
 * An object of the net may be a part of a cell: "x, part 2". Then one of the run may be any of them. An access need
 * not be there; but each two of two threads to one object, one of which writes, have an object of the net in common, or
 * a barrier between them, or the creation of a thread; or the first one is to a block of memory that its thread alone
 * has used so far, and locks, and accesses that have an object in common, are between them.
 *
 * What is not asked for: accesses to what no two threads of the run use, or nobody writes; what is done to a lock when
 * all others that use it have been joined; a look at something right before the same look again, since the net has a
 * wait there; with `rounds`, rounds of locks that fail; and the numbers of ticket locks that are taken: what only is
 * updated, each time right before a look at one and the same other object.
 *
 * Exit code 0: it is; 1: it is not, and the first event that the net lacks is printed; 2: too many states; 3: faults.
 */
#include "base/file.h"
#include "base/intern.h"
#include "petri/net_io.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 400000 };

/* Where an event of the run is. */
typedef struct {
  const char *file; /* without its folder */
  uint32_t length;
  uint32_t line, column;
} Place;

typedef VEC(TraceEvent) EventVec;
typedef VEC(Place) PlaceVec;

/* Sets of states, each of `width` words: the marking; per thread of the net how many marked blocks are open; per thread
 * of the run 1 + its thread in the net. */
typedef struct {
  Intern keys;
  U32Vec words;
  uint32_t n;
} States;

/* An access of the run: when it was, and as which objects of the net. */
typedef struct {
  uint32_t thread, time, taken, clock; /* taken: of Refiner.history; clock: of Refiner.clocks */
  bool writes, is_own;                 /* is_own: nobody else has used the block of memory so far */
} Past;

typedef VEC(Past) PastVec;

typedef struct {
  Heap *heap;
  const Net *net;
  const TraceNames *names;
  EventVec events;
  PlaceVec places;
  U32Vec *of_thread;                /* per thread of the net: its transitions */
  bool *is_started, *is_ended;      /* per object: it says whether a thread is created, has ended */
  uint32_t *about;                  /* per object: that thread */
  bool *is_used;                    /* per object of the run: two threads use it, and one writes it; it is no number of
                                       a ticket lock */
  U32Vec depth;                     /* per thread of the run: marked blocks that are open */
  U32Vec before;                    /* per thread of the run: 1 + the last event that was asked for */
  uint32_t marking, threads, width; /* of a state: where the parts begin; the whole */
  uint32_t n_objects;               /* of the net */
  bool *candidates; /* per object of the run, per object of the net, and for those that are left out: may it be that? */
  bool *taken;      /* likewise of the event's object, as far as the net has the event */
  bool *is_part;    /* per object of the net */
  VEC(bool) history; /* rows of what was taken */
  PastVec *past;     /* per object of the run */
  uint32_t n_threads;
  uint32_t *clock;            /* per thread of the run, per thread: what barriers and joins let it come after */
  uint32_t *behind;           /* likewise what comes before by locks, and by accesses with an object in common */
  U32Vec clocks;              /* rows of `behind`, as they were at accesses */
  U32Vec block_of;            /* per object of the run: 1 + the block of memory that it is in, or 0 */
  U32Vec users;               /* per block: 1 + the thread that uses it, or TRACE_NONE: several do */
  uint32_t *rounds;           /* per object of the run, per thread: of those that have arrived */
  uint32_t *used_at;          /* per object of the run, per thread: when that has last taken it, or given it back */
  uint32_t *alone_from;       /* per object of the run: the first of the last events on it, which are of one thread */
  bool *is_barrier, *is_left; /* per object of the run; is_left: a thread has gone on since */
  bool *is_round;             /* per event: it is one of a round of locks that fails, and these are left out */
  bool leaves_rounds;
  States now, next;
  U32Vec scratch;
} Refiner;

static void states_init(States *s, Heap *heap) {
  *s = (States){.n = 0};
  intern_init(&s->keys, heap);
}

static void states_clear(States *s, Heap *heap) {
  intern_fini(&s->keys);
  vec_clear(&s->words);
  s->n = 0;
  intern_init(&s->keys, heap);
}

static void states_add(Refiner *r, States *s, const uint32_t *state) {
  bool is_new;
  intern_add(&s->keys, (const char *)state, r->width * sizeof *state, &is_new);
  if (!is_new) return;
  vec_reserve(r->heap, &s->words, r->width);
  memcpy(s->words.at + s->words.n, state, r->width * sizeof *state);
  s->words.n += r->width;
  s->n++;
}

/* ---- the run ---- */

/* "bank.c:12:3:main" */
static Place place_of(const char *text) {
  Place p = {"", 0, 0, 0};
  for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':')) {
    char *end, *last;
    const unsigned long line = strtoul(at + 1, &end, 10);
    if (end == at + 1 || *end != ':') continue;
    const unsigned long column = strtoul(end + 1, &last, 10);
    const char *name = at;
    while (name > text && name[-1] != '/') name--;
    return (Place){name, (uint32_t)(at - name), (uint32_t)line, last == end + 1 ? 0 : (uint32_t)column};
  }
  return p;
}

static bool read_run(Refiner *r, const char *path, Err *err) {
  TraceReader *reader = trace_open(r->heap, path, &(TraceOptions){.format = -1}, err);
  const TraceEvent *events;
  uint32_t n = 1;
  if (!reader) return false;
  while (n) {
    if (!trace_next(reader, &events, &n, err)) return false;
    for (uint32_t i = 0; i < n; i++) vec_push(r->heap, &r->events, events[i]);
  }
  r->names = trace_names(reader); /* the reader stays open: they are its own */
  for (uint32_t i = 0; i < trace_name_count(r->names, TRACE_LOCATION_NAME); i++)
    vec_push(r->heap, &r->places, place_of(trace_name(r->names, TRACE_LOCATION_NAME, i)));
  return true;
}

static bool is_access(const TraceEvent *e) {
  return e->op == TRACE_READ || e->op == TRACE_WRITE || e->op == TRACE_UPDATE;
}

/* The object that the thread of an event looks at next, or TRACE_NONE if it does something else. */
static uint32_t looks_at(const Refiner *r, uint32_t number) {
  const uint32_t thread = r->events.at[number].thread;
  while (++number < r->events.n)
    if (r->events.at[number].thread == thread && r->events.at[number].op != TRACE_WAIT)
      return r->events.at[number].op == TRACE_READ ? r->events.at[number].object : TRACE_NONE;
  return TRACE_NONE;
}

/* What it begins with may be written by the first thread. */
static bool is_ticket(const Refiner *r, uint32_t object) {
  uint32_t other = TRACE_NONE;
  for (uint32_t i = 0; i < r->events.n; i++) {
    const TraceEvent *e = &r->events.at[i];
    if (!is_access(e) || e->object != object || (e->op == TRACE_WRITE && !e->thread)) continue;
    const uint32_t next = e->op == TRACE_UPDATE ? looks_at(r, i) : TRACE_NONE;
    if (next == TRACE_NONE || next == object || (other != TRACE_NONE && next != other)) return false;
    other = next;
  }
  return other != TRACE_NONE;
}

static void find_used(Refiner *r) {
  const uint32_t n = trace_name_count(r->names, TRACE_OBJECT_NAME);
  uint32_t *user = heap_zeroed(r->heap, (n + 1) * sizeof *user);
  bool *shared = heap_zeroed(r->heap, n + 1), *written = heap_zeroed(r->heap, n + 1);
  r->is_used = heap_zeroed(r->heap, n + 1);
  for (uint32_t i = 0; i < r->events.n; i++) {
    const TraceEvent *e = &r->events.at[i];
    if (!is_access(e) && TRACE_SORT[e->op] != TRACE_ON_LOCK) continue;
    shared[e->object] |= user[e->object] && user[e->object] != e->thread + 1;
    written[e->object] |= e->op != TRACE_READ;
    user[e->object] = e->thread + 1;
  }
  for (uint32_t i = 0; i < n; i++) r->is_used[i] = shared[i] && written[i] && !is_ticket(r, i);
  heap_release(r->heap, user);
  heap_release(r->heap, shared);
  heap_release(r->heap, written);
}

/* A look that is followed by another one, or by the update that it waits for. */
static bool is_repeated(const Refiner *r, uint32_t number) {
  const TraceEvent *e = &r->events.at[number];
  if (e->op != TRACE_READ) return false;
  for (uint32_t i = number + 1; i < r->events.n; i++) {
    const TraceEvent *later = &r->events.at[i];
    if (later->thread != e->thread || later->op == TRACE_WAIT) continue;
    return later->location == e->location && later->object == e->object;
  }
  return true; /* the run ends in a wait */
}

/* ---- rounds that fail ---- */

static bool is_lock(const TraceEvent *e) {
  return e->op == TRACE_ACQUIRE || e->op == TRACE_TRY || e->op == TRACE_RELEASE;
}

static uint32_t next_of_thread(const Refiner *r, uint32_t number) {
  const uint32_t thread = r->events.at[number].thread;
  do number++;
  while (number < r->events.n && r->events.at[number].thread != thread);
  return number;
}

/* How often the lock of that event is held before it by what the thread has taken since `number`. */
static uint32_t held_since(const Refiner *r, uint32_t number, uint32_t event) {
  uint32_t held = 0;
  for (uint32_t i = number; i < event; i = next_of_thread(r, i))
    if (r->events.at[i].object == r->events.at[event].object)
      held += r->events.at[i].op == TRACE_RELEASE ? UINT32_MAX : 1;
  return held;
}

/* Where a round ends that begins there: by giving back all that was taken, and nothing else. */
static uint32_t end_of_round(const Refiner *r, uint32_t number) {
  uint32_t held = 0;
  for (uint32_t i = number; i < r->events.n; i = next_of_thread(r, i)) {
    if (!is_lock(&r->events.at[i])) break;
    if (r->events.at[i].op == TRACE_RELEASE && !held_since(r, number, i)) break;
    held += r->events.at[i].op == TRACE_RELEASE ? UINT32_MAX : 1;
    if (!held) return i;
  }
  return r->events.n;
}

/* Where the lock of event `of` is taken again behind that one, before anything else is done; or the number of events.
 */
static uint32_t again_at(const Refiner *r, uint32_t of, uint32_t number) {
  const uint32_t lock = r->events.at[of].object;
  const uint32_t start = next_of_thread(r, number);
  uint32_t i = start;
  while (i < r->events.n && is_lock(&r->events.at[i]) && r->events.at[i].object != lock) {
    if (r->events.at[i].op == TRACE_RELEASE && !held_since(r, start, i)) return r->events.n;
    i = next_of_thread(r, i);
  }
  const bool taken = i < r->events.n && is_lock(&r->events.at[i]) && r->events.at[i].op != TRACE_RELEASE;
  return taken ? i : r->events.n;
}

/* c2net leaves them out where it sees them. The net then takes a lock where the round that was left out has, wherever
 * that is done again. */
static uint32_t find_rounds(Refiner *r) {
  uint32_t found = 0;
  r->is_round = heap_zeroed(r->heap, r->events.n + 1);
  for (uint32_t i = 0; i < r->events.n; i++) {
    const TraceEvent *e = &r->events.at[i];
    const uint32_t end = e->op == TRACE_ACQUIRE || e->op == TRACE_TRY ? end_of_round(r, i) : r->events.n;
    bool again = end < r->events.n && !r->is_round[i];
    for (uint32_t k = i; again && k <= end; k = next_of_thread(r, k)) again = again_at(r, k, end) < r->events.n;
    for (uint32_t k = i; again && r->leaves_rounds && k <= end; k = next_of_thread(r, k)) {
      r->is_round[k] = true;
      if (r->events.at[k].op != TRACE_RELEASE) r->events.at[again_at(r, k, end)].location = r->events.at[k].location;
    }
    found += again;
  }
  return found;
}

/* ---- the net ---- */

static void read_objects(Refiner *r) {
  const Notes *notes = r->net->notes;
  r->is_started = heap_zeroed(r->heap, notes->n_objects + 1);
  r->is_ended = heap_zeroed(r->heap, notes->n_objects + 1);
  r->about = heap_zeroed(r->heap, (notes->n_objects + 1) * sizeof *r->about);
  for (uint32_t i = 0; i < notes->n_objects; i++) {
    const char *name = notes->objects[i].name, *blank = strrchr(name, ' ');
    if (!blank || name[0] != 'T') continue;
    r->about[i] = (uint32_t)strtoul(name + 1, NULL, 10) - 1;
    r->is_started[i] = strcmp(blank, " started") == 0;
    r->is_ended[i] = strcmp(blank, " ended") == 0;
  }
}

static void find_parts(Refiner *r) {
  const Notes *notes = r->net->notes;
  r->is_part = heap_zeroed(r->heap, notes->n_objects + 1);
  for (uint32_t i = 0; i < notes->n_objects; i++) r->is_part[i] = strstr(notes->objects[i].name, ", part ") != NULL;
}

static void read_transitions(Refiner *r) {
  r->of_thread = heap_zeroed(r->heap, (r->net->notes->n_threads + 1) * sizeof *r->of_thread);
  for (uint32_t t = 0; t < r->net->n_trans; t++) {
    const uint32_t thread = r->net->notes->transitions[t].thread;
    if (thread != NOTE_NONE) vec_push(r->heap, &r->of_thread[thread], t);
  }
}

static bool is_marked(const uint32_t *state, uint32_t place) { return state[place / 32] >> place % 32 & 1; }

static bool is_enabled(const Refiner *r, const uint32_t *state, uint32_t t) {
  const PlaceList pre = net_pre(r->net, (TransId){t});
  for (uint32_t i = 0; i < pre.n; i++)
    if (!is_marked(state, pre.at[i].v)) return false;
  return true;
}

/* The state after t, in r->scratch. */
static uint32_t *fire(Refiner *r, const uint32_t *state, uint32_t t) {
  const PlaceList pre = net_pre(r->net, (TransId){t}), post = net_post(r->net, (TransId){t});
  const TransNote *note = &r->net->notes->transitions[t];
  uint32_t *to = r->scratch.at;
  memcpy(to, state, r->width * sizeof *to);
  for (uint32_t i = 0; i < pre.n; i++) to[pre.at[i].v / 32] &= ~(1U << pre.at[i].v % 32);
  for (uint32_t i = 0; i < post.n; i++) to[post.at[i].v / 32] |= 1U << post.at[i].v % 32;
  to[r->marking + note->thread] += note->begin != NOTE_NONE;
  to[r->marking + note->thread] -= note->end != NOTE_NONE;
  return to;
}

/* std::lock takes all but one by trylock; in the net it takes all by lock, at another line. */
static bool is_of_mutexes(const Place *p) {
  static const char FILE_NAME[] = "gthr-default.h";
  return p->length == sizeof FILE_NAME - 1 && strncmp(p->file, FILE_NAME, p->length) == 0;
}

/* What the library does, as starting a thread of C++, has no line: it may be anywhere. */
static bool is_there(const Refiner *r, uint32_t t, uint32_t location) {
  if (location == TRACE_NONE) return false;
  const SrcPos pos = r->net->notes->transitions[t].pos;
  const Place *p = &r->places.at[location];
  const char *file = notes_file_of(r->net->notes, pos), *slash = strrchr(file, '/');
  if (!p->line) return true;
  const bool other = pos.line != p->line || (pos.column && p->column && pos.column != p->column);
  if (other && !is_of_mutexes(p)) return false;
  file = slash ? slash + 1 : file;
  return strlen(file) == p->length && strncmp(file, p->file, p->length) == 0;
}

/* ---- one step ---- */

/* Copies of a thread have one object for all. */
static bool is_like(const Refiner *r, uint32_t a, uint32_t b) {
  const NoteThread *threads = r->net->notes->threads;
  return a != NOTE_NONE && b != NOTE_NONE && threads[a].group == threads[b].group;
}

static bool creates(const Refiner *r, uint32_t t) {
  const AccessList list = notes_accesses(r->net->notes, t);
  for (uint32_t i = 0; i < list.n; i++)
    if (list.at[i].mode == ACCESS_WRITE && r->is_started[list.at[i].object]) return true;
  return false;
}

static bool ends(const Refiner *r, uint32_t t) {
  const AccessList list = notes_accesses(r->net->notes, t);
  for (uint32_t i = 0; i < list.n; i++)
    if (r->is_ended[list.at[i].object] && is_like(r, r->about[list.at[i].object], r->net->notes->transitions[t].thread))
      return true;
  return false;
}

/* Locks at a place where the run has some are its events alone; so are forks. */
static bool is_silent(const Refiner *r, uint32_t t, const bool *has_locks) {
  const AccessList list = notes_accesses(r->net->notes, t);
  if (creates(r, t)) return false;
  for (uint32_t i = 0; i < list.n; i++)
    if (has_locks[t] && (list.at[i].mode == ACCESS_ACQUIRE || list.at[i].mode == ACCESS_RELEASE)) return false;
  return true;
}

/* May the run's event be that access? */
static bool does(uint8_t op, AccessMode mode) {
  switch (op) {
  case TRACE_READ: return mode == ACCESS_READ || mode == ACCESS_WRITE;
  case TRACE_WRITE:
  case TRACE_UPDATE: return mode == ACCESS_WRITE;
  case TRACE_ACQUIRE:
  case TRACE_TRY: return mode == ACCESS_WRITE || mode == ACCESS_ACQUIRE;
  default: return true;
  }
}

static bool *candidates_of(const Refiner *r, uint32_t object) {
  return r->candidates + (size_t)object * (r->n_objects + 1);
}

/* Is the event of the net one of an object that is one of many, and left out? */
static bool is_elsewhere(const Refiner *r, uint32_t t) {
  return strcmp(r->net->notes->transitions[t].text, "elsewhere") == 0;
}

/* Can that object of the run be but this one of the net? */
static bool is_only(const Refiner *r, uint32_t object, uint32_t only) {
  for (uint32_t n = 0; n <= r->n_objects; n++)
    if (candidates_of(r, object)[n] != (n == only)) return false;
  return true;
}

/* A lock of the net that stands for two of the run would exclude what they do not. */
static bool is_of_another(const Refiner *r, const TraceEvent *e, const Access *access) {
  if (access->mode != ACCESS_ACQUIRE) return false;
  for (uint32_t o = 0; o < trace_name_count(r->names, TRACE_OBJECT_NAME); o++)
    if (o != e->object && is_only(r, o, access->object)) return true;
  return false;
}

static void take_access(Refiner *r, const uint32_t *state, uint32_t t, const TraceEvent *e) {
  const AccessList list = notes_accesses(r->net->notes, t);
  const uint32_t thread = r->net->notes->transitions[t].thread;
  if ((r->depth.at[e->thread] != 0) != (state[r->marking + thread] != 0)) return;
  if (is_elsewhere(r, t) && candidates_of(r, e->object)[r->n_objects]) {
    r->taken[r->n_objects] = true;
    states_add(r, &r->next, fire(r, state, t));
  }
  for (uint32_t i = 0; i < list.n; i++) {
    if (!does(e->op, list.at[i].mode) || !candidates_of(r, e->object)[list.at[i].object]) continue;
    if (is_of_another(r, e, &list.at[i])) continue;
    r->taken[list.at[i].object] = true;
    states_add(r, &r->next, fire(r, state, t));
  }
}

/* A copy of several objects may be one event of the net: the part before was the same, elsewhere in its object. */
static void take_rest(Refiner *r, const uint32_t *state, const TraceEvent *e) {
  const uint32_t before = r->before.at[e->thread];
  if (!before || !is_access(e)) return;
  const TraceEvent *part = &r->events.at[before - 1];
  if (part->op != e->op || part->location != e->location || part->object == e->object) return;
  bool some = false;
  for (uint32_t n = 0; n < r->n_objects; n++) {
    const bool both = candidates_of(r, part->object)[n] && candidates_of(r, e->object)[n];
    some |= both;
    r->taken[n] |= both;
  }
  if (some) states_add(r, &r->next, state);
}

/* Is a thread of the net one of the run already? */
static bool is_taken(const Refiner *r, const uint32_t *state, uint32_t thread) {
  for (uint32_t k = 0; k < r->n_threads; k++)
    if (state[r->threads + k] == thread + 1) return true;
  return false;
}

static void take_fork(Refiner *r, const uint32_t *state, uint32_t t, const TraceEvent *e) {
  const AccessList list = notes_accesses(r->net->notes, t);
  for (uint32_t i = 0; i < list.n; i++) {
    if (!r->is_started[list.at[i].object] || list.at[i].mode != ACCESS_WRITE) continue;
    for (uint32_t n = 0; n < r->net->notes->n_threads; n++) {
      if (!is_like(r, n, r->about[list.at[i].object]) || is_taken(r, state, n)) continue;
      uint32_t *to = fire(r, state, t);
      to[r->threads + e->object] = n + 1;
      states_add(r, &r->next, to);
    }
  }
}

static void take_join(Refiner *r, const uint32_t *state, uint32_t t, const TraceEvent *e) {
  const AccessList list = notes_accesses(r->net->notes, t);
  for (uint32_t i = 0; i < list.n; i++)
    if (r->is_ended[list.at[i].object] && state[r->threads + e->object] &&
        is_like(r, r->about[list.at[i].object], state[r->threads + e->object] - 1))
      states_add(r, &r->next, fire(r, state, t));
}

/* Adds to r->next what t makes of the state, if it is the event. */
static void take(Refiner *r, const uint32_t *state, uint32_t t, const TraceEvent *e) {
  if (e->op == TRACE_EXIT) {
    if (ends(r, t)) states_add(r, &r->next, fire(r, state, t));
    return;
  }
  if (!is_there(r, t, e->location)) return;
  switch (e->op) {
  case TRACE_FORK: take_fork(r, state, t, e); break;
  case TRACE_JOIN: take_join(r, state, t, e); break;
  case TRACE_RELEASE:
  case TRACE_SHARED_RELEASE:
  case TRACE_SIGNAL:
    if (notes_accesses(r->net->notes, t).n || is_elsewhere(r, t)) states_add(r, &r->next, fire(r, state, t));
    break;
  default: take_access(r, state, t, e); break;
  }
}

/* Is there something in the net that has to be done? */
static bool is_asked(const Refiner *r, uint32_t number) {
  const TraceEvent *e = &r->events.at[number];
  switch (e->op) {
  case TRACE_READ:
  case TRACE_WRITE:
  case TRACE_UPDATE: return r->is_used[e->object] && !is_repeated(r, number);
  case TRACE_ACQUIRE:
  case TRACE_RELEASE:
  case TRACE_SHARED_ACQUIRE:
  case TRACE_SHARED_RELEASE:
  case TRACE_TRY:
  case TRACE_SHARED_TRY: return true;
  case TRACE_EXIT: return e->thread != 0;
  case TRACE_FORK:
  case TRACE_JOIN:
  case TRACE_SIGNAL: return true;
  default: return false;
  }
}

/* Does no other thread use the lock any more, and have those that did been joined? */
static bool is_alone(const Refiner *r, const TraceEvent *e) {
  const uint32_t *clock = r->clock + (size_t)e->thread * r->n_threads,
                 *used_at = r->used_at + (size_t)e->object * r->n_threads;
  bool alone = e - r->events.at >= r->alone_from[e->object];
  for (uint32_t t = 0; t < r->n_threads; t++) alone &= t == e->thread || used_at[t] <= clock[t];
  return alone;
}

/* Rounds that fail may be left out; a signal may have been done with the event before; a lock that one thread alone
 * uses need not be in the net. */
static bool is_optional(const Refiner *r, const TraceEvent *e) {
  return r->is_round[e - r->events.at] || e->op == TRACE_SIGNAL ||
         (TRACE_SORT[e->op] == TRACE_ON_LOCK && (!r->is_used[e->object] || is_alone(r, e)));
}

/* From all that the net may be in to all that it may be in after the event. False: too many. */
static bool step(Refiner *r, const TraceEvent *e, const bool *has_locks) {
  U32Vec state = {0};
  states_clear(&r->next, r->heap);
  vec_resize_zeroed(r->heap, &state, r->width);
  for (uint32_t i = 0; i < r->now.n && r->now.n < MOST_STATES; i++) {
    memcpy(state.at, r->now.words.at + (size_t)i * r->width, r->width * sizeof *state.at);
    if (is_optional(r, e)) states_add(r, &r->next, state.at);
    take_rest(r, state.at, e);
    const uint32_t thread = state.at[r->threads + e->thread];
    if (!thread) continue;
    const U32Vec *list = &r->of_thread[thread - 1];
    for (uint32_t k = 0; k < list->n; k++) {
      if (!is_enabled(r, state.at, list->at[k])) continue;
      take(r, state.at, list->at[k], e);
      if (is_silent(r, list->at[k], has_locks)) states_add(r, &r->now, fire(r, state.at, list->at[k]));
    }
  }
  vec_fini(r->heap, &state);
  return r->now.n < MOST_STATES;
}

/* ---- barriers ---- */

/* A thread that arrives leaves next, at the same place. */
static void find_barriers(Refiner *r) {
  for (uint32_t i = 0; i < r->events.n; i++) {
    const TraceEvent *e = &r->events.at[i];
    if (e->op != TRACE_SIGNAL) continue;
    uint32_t k = i + 1;
    while (k < r->events.n && r->events.at[k].thread != e->thread) k++;
    if (k == r->events.n) continue;
    const TraceEvent *next = &r->events.at[k];
    if (next->op == TRACE_WAIT && next->object == e->object && next->location == e->location)
      r->is_barrier[e->object] = true;
  }
}

static void find_alone(Refiner *r) {
  const uint32_t objects = trace_name_count(r->names, TRACE_OBJECT_NAME);
  uint32_t *user = heap_zeroed(r->heap, (objects + 1) * sizeof *user);
  r->alone_from = heap_zeroed(r->heap, (objects + 1) * sizeof *r->alone_from);
  for (uint32_t i = 0; i < r->events.n; i++) {
    const TraceEvent *e = &r->events.at[i];
    if (TRACE_SORT[e->op] != TRACE_ON_LOCK || user[e->object] == e->thread + 1) continue;
    user[e->object] = e->thread + 1;
    r->alone_from[e->object] = i;
  }
  heap_release(r->heap, user);
}

static void join_clocks(const Refiner *r, uint32_t *to, const uint32_t *from) {
  for (uint32_t t = 0; t < r->n_threads; t++)
    if (from[t] > to[t]) to[t] = from[t];
}

/* Whoever takes a lock comes behind those that have had it. */
static void pass_lock(Refiner *r, const TraceEvent *e) {
  uint32_t *behind = r->behind + (size_t)e->thread * r->n_threads;
  if (TRACE_SORT[e->op] != TRACE_ON_LOCK) return;
  r->used_at[(size_t)e->object * r->n_threads + e->thread] = r->clock[(size_t)e->thread * r->n_threads + e->thread];
  uint32_t *last = r->rounds + (size_t)e->object * r->n_threads;
  join_clocks(r, behind, last);
  join_clocks(r, last, behind);
}

static void pass_order(Refiner *r, const TraceEvent *e) {
  uint32_t *clock = r->clock + (size_t)e->thread * r->n_threads;
  clock[e->thread]++;
  r->behind[(size_t)e->thread * r->n_threads + e->thread]++;
  if (e->op == TRACE_FORK) {
    join_clocks(r, r->clock + (size_t)e->object * r->n_threads, clock);
    join_clocks(r, r->behind + (size_t)e->object * r->n_threads, r->behind + (size_t)e->thread * r->n_threads);
  }
  if (e->op == TRACE_JOIN) {
    join_clocks(r, clock, r->clock + (size_t)e->object * r->n_threads);
    join_clocks(r, r->behind + (size_t)e->thread * r->n_threads, r->behind + (size_t)e->object * r->n_threads);
  }
  pass_lock(r, e);
  if ((e->op != TRACE_SIGNAL && e->op != TRACE_WAIT) || !r->is_barrier[e->object]) return;
  uint32_t *round = r->rounds + (size_t)e->object * r->n_threads;
  if (e->op == TRACE_WAIT) {
    join_clocks(r, clock, round);
  } else {
    if (r->is_left[e->object]) memset(round, 0, r->n_threads * sizeof *round);
    join_clocks(r, round, clock);
  }
  r->is_left[e->object] = e->op == TRACE_WAIT;
}

/* ---- parts ---- */

static bool share(const Refiner *r, const Past *a, const Past *b) {
  const bool *x = r->history.at + (size_t)a->taken * r->n_objects, *y = r->history.at + (size_t)b->taken * r->n_objects;
  for (uint32_t n = 0; n < r->n_objects; n++)
    if (x[n] && y[n]) return true;
  return false;
}

/* "a.c:12:main(48)#T1.2->x": up to the "->"; the main thread's blocks have no "#T". */
static void find_own_blocks(Refiner *r) {
  Intern names;
  intern_init(&names, r->heap);
  for (uint32_t o = 0; o < trace_name_count(r->names, TRACE_OBJECT_NAME); o++) {
    const char *name = trace_name(r->names, TRACE_OBJECT_NAME, o),
               *number = strchr(name, ':') ? strrchr(name, ')') : NULL;
    const size_t length = number ? (size_t)(number - name) + strcspn(number, "-[+") : 0;
    vec_push(r->heap, &r->block_of, number ? 1 + intern_add(&names, name, length, NULL) : 0);
  }
  vec_resize_zeroed(r->heap, &r->users, names.strings.n);
  intern_fini(&names);
}

/* Has the event's thread alone used the block of memory so far? */
static bool uses_own(Refiner *r, const TraceEvent *e) {
  uint32_t *user = r->block_of.at[e->object] ? &r->users.at[r->block_of.at[e->object] - 1] : NULL;
  if (!user) return false;
  *user = *user && *user != e->thread + 1 ? TRACE_NONE : e->thread + 1;
  return *user != TRACE_NONE;
}

/* Has what was taken something in common with each access before that it depends on? */
static bool keeps_order(Refiner *r, const TraceEvent *e) {
  const uint32_t *clock = r->clock + (size_t)e->thread * r->n_threads;
  uint32_t *behind = r->behind + (size_t)e->thread * r->n_threads;
  PastVec *past = &r->past[e->object];
  const Past now = {.thread = e->thread,
                    .time = clock[e->thread],
                    .taken = (uint32_t)(r->history.n / (r->n_objects + !r->n_objects)),
                    .clock = r->clocks.n,
                    .writes = e->op != TRACE_READ,
                    .is_own = uses_own(r, e)};
  for (uint32_t n = 0; n < r->n_objects; n++) vec_push(r->heap, &r->history, r->taken[n]);
  for (uint32_t i = past->n; i-- > 0 && i + 100 > past->n;) {
    const Past *p = &past->at[i];
    if (p->thread == now.thread || (!p->writes && !now.writes) || p->time <= clock[p->thread]) continue;
    if (share(r, p, &now)) join_clocks(r, behind, r->clocks.at + p->clock);
    else if (!p->is_own || p->time > behind[p->thread]) return false;
  }
  vec_push(r->heap, past, now);
  for (uint32_t t = 0; t < r->n_threads; t++) vec_push(r->heap, &r->clocks, behind[t]);
  return true;
}

static size_t word_length(const char *name) {
  return strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
}

/* A global of the net is none of the blocks of memory that are named by where they come from: "a.c:12:main(48)". What
 * is a part of one has its name: "x", "x[2].y". */
static void find_candidates(Refiner *r) {
  for (uint32_t o = 0; o < trace_name_count(r->names, TRACE_OBJECT_NAME); o++) {
    const char *name = trace_name(r->names, TRACE_OBJECT_NAME, o);
    const size_t length = word_length(name);
    for (uint32_t n = 0; n < r->n_objects; n++) {
      const char *other = r->net->notes->objects[n].name;
      if (strstr(other, " of ")) continue;
      candidates_of(r, o)[n] =
          r->is_part[n] ? word_length(other) == length && strncmp(other, name, length) == 0 : strchr(name, ':') == NULL;
    }
  }
}

static void begin(Refiner *r) {
  const uint32_t threads = trace_name_count(r->names, TRACE_THREAD_NAME),
                 objects = trace_name_count(r->names, TRACE_OBJECT_NAME);
  r->n_objects = r->net->notes->n_objects;
  r->taken = heap_zeroed(r->heap, r->n_objects + 1);
  r->candidates = heap_alloc(r->heap, (size_t)objects * (r->n_objects + 1) + 1);
  memset(r->candidates, true, (size_t)objects * (r->n_objects + 1) + 1);
  r->marking = (r->net->n_places + 31) / 32;
  r->threads = r->marking + r->net->notes->n_threads;
  r->width = r->threads + threads;
  vec_resize_zeroed(r->heap, &r->scratch, r->width + 1);
  vec_resize_zeroed(r->heap, &r->depth, threads + 1);
  vec_resize_zeroed(r->heap, &r->before, threads + 1);
  r->n_threads = threads;
  r->past = heap_zeroed(r->heap, (objects + 1) * sizeof *r->past);
  r->clock = heap_zeroed(r->heap, ((size_t)threads * threads + 1) * sizeof *r->clock);
  r->behind = heap_zeroed(r->heap, ((size_t)threads * threads + 1) * sizeof *r->behind);
  find_own_blocks(r);
  r->used_at = heap_zeroed(r->heap, ((size_t)objects * threads + 1) * sizeof *r->used_at);
  find_alone(r);
  r->rounds = heap_zeroed(r->heap, ((size_t)objects * threads + 1) * sizeof *r->rounds);
  r->is_barrier = heap_zeroed(r->heap, objects + 1);
  r->is_left = heap_zeroed(r->heap, objects + 1);
  for (uint32_t p = 0; p < r->net->n_places; p++)
    if (r->net->marked[p]) r->scratch.at[p / 32] |= 1U << p % 32;
  r->scratch.at[r->threads] = 1;
  states_init(&r->now, r->heap);
  states_init(&r->next, r->heap);
  states_add(r, &r->now, r->scratch.at);
}

static bool *find_locks(const Refiner *r) {
  bool *has = heap_zeroed(r->heap, r->net->n_trans + 1);
  bool *seen = heap_zeroed(r->heap, r->places.n + 1);
  for (uint32_t i = 0; i < r->events.n; i++) {
    const TraceEvent *e = &r->events.at[i];
    if (e->location == TRACE_NONE || TRACE_SORT[e->op] != TRACE_ON_LOCK || seen[e->location] || !r->is_used[e->object])
      continue;
    seen[e->location] = true;
    for (uint32_t t = 0; t < r->net->n_trans; t++) has[t] |= is_there(r, t, e->location);
  }
  heap_release(r->heap, seen);
  return has;
}

static void print_lack(const Refiner *r, uint32_t number) {
  static const char *const NAMES[TRACE_OPS] = {
      "read", "write",  "acquire",        "release",        "fork", "join",       "begin",  "end", "start", "exit",
      "free", "update", "shared acquire", "shared release", "try",  "shared try", "signal", "wait"}; /* ORDER TraceOp */
  const TraceEvent *e = &r->events.at[number];
  const TraceSort sort = TRACE_SORT[e->op];
  const bool named = sort == TRACE_ON_VARIABLE || sort == TRACE_ON_LOCK || sort == TRACE_ON_HANDOVER;
  printf("the net lacks event %u of the run: T%u: %s %s, at %s\n", number + 1, e->thread + 1, NAMES[e->op],
         named ? trace_name(r->names, TRACE_OBJECT_NAME, e->object) : "",
         e->location == TRACE_NONE ? "" : trace_name(r->names, TRACE_LOCATION_NAME, e->location));
}

/* Has one of the objects that were taken a cell beside it, or is it one, that has parts? Then the event may be one of
 * that cell, which need not be in the net. */
static bool has_parts(const Refiner *r) {
  for (uint32_t n = 0; n < r->n_objects; n++) {
    const char *name = r->net->notes->objects[n].name;
    const size_t length = strcspn(name, "+,");
    for (uint32_t k = 0; k < r->n_objects && r->taken[n]; k++) {
      const char *other = r->net->notes->objects[k].name;
      if (r->is_part[k] && strcspn(other, "+,") == length && strncmp(other, name, length) == 0) return true;
    }
  }
  return false;
}

/* What the event's object may be from now on. */
static void narrow(Refiner *r, const TraceEvent *e) {
  bool some = false;
  for (uint32_t n = 0; n <= r->n_objects; n++) some |= r->taken[n];
  if (some && !has_parts(r)) memcpy(candidates_of(r, e->object), r->taken, r->n_objects + 1);
  memset(r->taken, false, r->n_objects + 1);
}

static void print_apart(const Refiner *r, uint32_t number) {
  const TraceEvent *e = &r->events.at[number];
  printf("event %u of the run has nothing in common with one before that it depends on: T%u: %s, at %s\n", number + 1,
         e->thread + 1, trace_name(r->names, TRACE_OBJECT_NAME, e->object),
         e->location == TRACE_NONE ? "" : trace_name(r->names, TRACE_LOCATION_NAME, e->location));
}

static int follow(Refiner *r) {
  const bool *has_locks = find_locks(r);
  const uint32_t rounds = find_rounds(r);
  uint32_t asked = 0;
  begin(r);
  find_barriers(r);
  find_candidates(r);
  for (uint32_t i = 0; i < r->events.n; i++) {
    const TraceEvent *e = &r->events.at[i];
    if (e->op == TRACE_BEGIN) r->depth.at[e->thread]++;
    if (e->op == TRACE_END) r->depth.at[e->thread]--;
    pass_order(r, e);
    if (!is_asked(r, i)) continue;
    asked++;
    if (!step(r, e, has_locks)) return puts("too many states"), 2;
    if (!r->next.n && !is_access(e)) return print_lack(r, i), 1;
    if (is_access(e) && !keeps_order(r, e)) return print_apart(r, i), 1;
    narrow(r, e);
    if (!r->next.n) continue;
    const States before = r->now;
    r->now = r->next;
    r->next = before;
    r->before.at[e->thread] = i + 1;
  }
  printf("%u events of %u%s\n", asked, r->events.n, rounds ? ", with rounds that fail" : "");
  return 0;
}

/* ---- the whole ---- */

typedef struct {
  Heap *heap;
  char **argv;
  int code;
} Work;

static bool read_all(Refiner *r, char **argv, Err *err) {
  InFile file;
  if (!file_read(r->heap, argv[1], &file, err)) return false;
  Net *net = net_read(r->heap, &file, err);
  if (!net) return false;
  if (!net->notes) return err_set(err, ERR_INPUT, "%.300s has no notes", argv[1]);
  r->net = net;
  return read_run(r, argv[2], err);
}

static void run_body(void *argument) {
  Work *work = argument;
  Refiner refiner = {.heap = work->heap};
  Err err;
  if (!read_all(&refiner, work->argv, &err)) {
    fprintf(stderr, "refine: %s\n", err.text);
    return;
  }
  find_used(&refiner);
  read_objects(&refiner);
  find_parts(&refiner);
  read_transitions(&refiner);
  refiner.leaves_rounds = work->argv[3] != NULL;
  work->code = follow(&refiner);
}

int main(int argc, char **argv) {
  Work work = {heap_new((uint64_t)2 << 30), argv, 3};
  if (argc < 3 || argc > 4 || (argc == 4 && strcmp(argv[3], "rounds") != 0) || !work.heap) {
    fputs("usage: refine NET RUN [rounds]\n", stderr);
    return 3;
  }
  if (!heap_try(work.heap, run_body, &work)) work.code = 2; /* out of memory */
  heap_free(work.heap);
  return work.code;
}
