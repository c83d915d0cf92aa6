/* A place is a thread's own if it is noted as its control, or as a lock that it holds, or if it is the copy of a
 * variable by which that thread alone reads. The own places of two counted threads, in their order, belong to each
 * other, and so do their transitions. An instance has the first one's as often as there are threads; where a transition
 * touches the other one's place, it touches those of all other threads. */
#include "petri/instance.h"

#include "base/intern.h"
#include "petri/copies.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The counted threads of a net, and whose its places are. All arrays are the heap's. */
typedef struct {
  Heap *heap;
  const Net *net;
  const Notes *notes;
  uint32_t *partner;       /* per thread: the other one of its group, or NOTE_NONE if it is not counted */
  uint32_t *owner;         /* per place: the thread whose own it is, or NOTE_NONE */
  uint32_t *place_partner; /* per place of a counted thread: the one of the other thread; else the place itself */
} Counting;

static bool is_counted(const Counting *c, uint32_t thread) {
  return thread != NOTE_NONE && c->notes->threads[thread].count != NOTE_NONE;
}

/* ---- whose is a place? ---- */

static bool is_copy_of(const Notes *notes, PlaceId p, uint32_t object) {
  return notes->places[p.v].role == ROLE_COPY && notes->places[p.v].object == object;
}

/* Takes t this place, and puts it back, and no other one of the variable? */
static bool reads_by(const Net *net, TransId t, PlaceId p) {
  const PlaceList pre = net_pre(net, t);
  for (uint32_t i = 0; i < pre.n; i++)
    if (pre.at[i].v != p.v && is_copy_of(net->notes, pre.at[i], net->notes->places[p.v].object)) return false;
  return net_place_list_has(net_post(net, t), p);
}

#define SEVERAL_READERS (NOTE_NONE - 1)

/* The one thread that reads by the place, or NOTE_NONE, or SEVERAL_READERS. */
static uint32_t reader_of(const Net *net, PlaceId p) {
  const TransList takers = net_consumers(net, p);
  uint32_t reader = NOTE_NONE;
  for (uint32_t i = 0; i < takers.n; i++) {
    const uint32_t thread = net->notes->transitions[takers.at[i].v].thread;
    if (thread == reader || !reads_by(net, takers.at[i], p)) continue;
    if (reader != NOTE_NONE || thread == NOTE_NONE) return SEVERAL_READERS;
    reader = thread;
  }
  return reader;
}

/* Per variable: its copies, each of which is marked once. */
static uint32_t *count_copies(Heap *heap, const Net *net) {
  uint32_t *n = heap_zeroed(heap, ((size_t)net->notes->n_objects + 1) * sizeof *n);
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->marked[p] && net->notes->places[p].role == ROLE_COPY) n[net->notes->places[p].object]++;
  return n;
}

/* The number of the copy that the place is a value of. */
static uint32_t copy_of(Intern *copies, const PlaceNote *note) {
  const uint32_t key[] = {note->object, note->copy};
  return intern_add(copies, (const char *)key, sizeof key, NULL);
}

/* The readers of the copies: all values of one are of the same thread. */
static void find_readers(Counting *c) {
  uint32_t *n_copies = count_copies(c->heap, c->net);
  U32Vec readers = {0};
  Intern copies;
  intern_init(&copies, c->heap);
  for (uint32_t p = 0; p < c->net->n_places; p++) {
    const PlaceNote *note = &c->notes->places[p];
    if (note->role != ROLE_COPY || n_copies[note->object] < 2) continue;
    const uint32_t copy = copy_of(&copies, note), reader = reader_of(c->net, (PlaceId){p});
    if (copy == readers.n) vec_push(c->heap, &readers, NOTE_NONE);
    if (readers.at[copy] == NOTE_NONE) readers.at[copy] = reader;
    else if (reader != NOTE_NONE && reader != readers.at[copy]) readers.at[copy] = SEVERAL_READERS;
  }
  for (uint32_t p = 0; p < c->net->n_places; p++) {
    const PlaceNote *note = &c->notes->places[p];
    if (note->role != ROLE_COPY || n_copies[note->object] < 2) continue;
    const uint32_t reader = readers.at[copy_of(&copies, note)];
    if (reader != SEVERAL_READERS) c->owner[p] = reader;
  }
  intern_fini(&copies);
  vec_fini(c->heap, &readers);
  heap_release(c->heap, n_copies);
}

static void find_owners(Counting *c) {
  for (uint32_t p = 0; p < c->net->n_places; p++) {
    const PlaceNote *note = &c->notes->places[p];
    c->owner[p] = note->role == ROLE_CONTROL || note->role == ROLE_HELD ? note->thread : NOTE_NONE;
  }
  find_readers(c);
}

static bool is_of(const Counting *c, TransList list, uint32_t thread) {
  bool all = true;
  for (uint32_t i = 0; all && i < list.n; i++) all = c->notes->transitions[list.at[i].v].thread == thread;
  return all;
}

/* Who holds a lock is nobody else's business, and neither is where one of any number of threads is: who waits for all
 * of these waits for none if there are none, and longer the more there are. */
static bool check_control(const Counting *c, Err *err) {
  for (uint32_t p = 0; p < c->net->n_places; p++) {
    const PlaceNote *note = &c->notes->places[p];
    if (note->role != ROLE_HELD && (note->role != ROLE_CONTROL || !is_counted(c, note->thread))) continue;
    if (is_of(c, net_producers(c->net, (PlaceId){p}), note->thread) &&
        is_of(c, net_consumers(c->net, (PlaceId){p}), note->thread))
      continue;
    return err_set(err, ERR_INPUT, "place '%.100s' says that thread '%.100s' %s, but another thread changes it",
                   c->net->place_name[p], c->notes->threads[note->thread].name,
                   note->role == ROLE_HELD ? "holds a lock" : "is there");
  }
  return true;
}

/* Of copies that any number of threads have, who looks at all sees what is on one. */
static bool check_copies(const Counting *c, Err *err) {
  bool *agree = heap_alloc(c->heap, (size_t)c->notes->n_objects + 1);
  uint32_t bad = NOTE_NONE;
  copies_find(c->heap, c->net, agree);
  for (uint32_t p = 0; p < c->net->n_places; p++) {
    const PlaceNote *note = &c->notes->places[p];
    if (note->role == ROLE_COPY && is_counted(c, c->owner[p]) && !agree[note->object]) bad = note->object;
  }
  heap_release(c->heap, agree);
  return bad == NOTE_NONE ||
         err_set(err, ERR_INPUT, "the copies of '%.200s' are not always all of one value", c->notes->objects[bad].name);
}

/* ---- are the two alike? ---- */

static bool not_alike(const Counting *c, uint32_t thread, Err *err) {
  return err_set(err, ERR_INPUT,
                 "the annotations count threads '%.100s' and '%.100s', but these are not alike in the net",
                 c->notes->threads[thread].name, c->notes->threads[c->partner[thread]].name);
}

static bool pair_threads(Counting *c, Err *err) {
  const uint32_t n = c->notes->n_threads;
  uint32_t *first = heap_alloc(c->heap, ((size_t)n + 1) * sizeof *first); /* per group */
  bool good = true;
  for (uint32_t i = 0; i < n; i++) first[i] = c->partner[i] = NOTE_NONE;
  for (uint32_t i = 0; good && i < n; i++) {
    const uint32_t group = c->notes->threads[i].group, other = group < n ? first[group] : NOTE_NONE;
    good = group < n;
    if (good && other == NOTE_NONE) first[group] = i;
    if (!good || other == NOTE_NONE || (!is_counted(c, i) && !is_counted(c, other))) continue;
    good = c->notes->threads[i].count == c->notes->threads[other].count && c->partner[other] == NOTE_NONE;
    c->partner[i] = other;
    c->partner[other] = i;
  }
  for (uint32_t i = 0; i < n; i++) good = good && (!is_counted(c, i) || c->partner[i] != NOTE_NONE);
  heap_release(c->heap, first);
  return good || err_set(err, ERR_INPUT, "the annotations count threads that are not two in a group of their own");
}

static bool is_first(const Counting *c, uint32_t thread) { return thread < c->partner[thread]; }

/* The place that comes behind `from` of those of the thread; n_places if there is none. */
static uint32_t next_own(const Counting *c, uint32_t from, uint32_t thread) {
  while (from < c->net->n_places && c->owner[from] != thread) from++;
  return from;
}

static bool pair_places(Counting *c, uint32_t thread, Err *err) {
  const uint32_t other = c->partner[thread], n = c->net->n_places;
  uint32_t p = next_own(c, 0, thread), q = next_own(c, 0, other);
  for (; p < n && q < n; p = next_own(c, p + 1, thread), q = next_own(c, q + 1, other)) {
    const PlaceNote *a = &c->notes->places[p], *b = &c->notes->places[q];
    if (a->role != b->role || a->object != b->object || a->value != b->value || a->state != b->state ||
        c->net->marked[p] != c->net->marked[q])
      return not_alike(c, thread, err);
    c->place_partner[p] = q;
    c->place_partner[q] = p;
  }
  return p == q || not_alike(c, thread, err);
}

/* Is the list of places the other one, with the places of these two threads swapped? */
static bool is_swapped(const Counting *c, PlaceList list, PlaceList other, uint32_t thread) {
  bool good = list.n == other.n;
  for (uint32_t i = 0; good && i < list.n; i++) {
    const uint32_t p = list.at[i].v, owner = c->owner[p];
    const bool swaps = owner == thread || (owner != NOTE_NONE && owner == c->partner[thread]);
    good = net_place_list_has(other, (PlaceId){swaps ? c->place_partner[p] : p});
  }
  return good;
}

static bool is_swapped_transition(const Counting *c, TransId t, TransId other, uint32_t thread) {
  const TransNote *a = &c->notes->transitions[t.v], *b = &c->notes->transitions[other.v];
  return a->begin == b->begin && a->end == b->end && a->sync == b->sync &&
         is_swapped(c, net_pre(c->net, t), net_pre(c->net, other), thread) &&
         is_swapped(c, net_post(c->net, t), net_post(c->net, other), thread);
}

static uint32_t next_of(const Counting *c, uint32_t from, uint32_t thread) {
  while (from < c->net->n_trans && c->notes->transitions[from].thread != thread) from++;
  return from;
}

static bool check_transitions(const Counting *c, uint32_t thread, Err *err) {
  const uint32_t other = c->partner[thread], n = c->net->n_trans;
  uint32_t t = next_of(c, 0, thread), u = next_of(c, 0, other);
  for (; t < n && u < n; t = next_of(c, t + 1, thread), u = next_of(c, u + 1, other))
    if (!is_swapped_transition(c, (TransId){t}, (TransId){u}, thread)) return not_alike(c, thread, err);
  if (t != u) return not_alike(c, thread, err);
  for (t = 0; t < n; t++) {
    const uint32_t who = c->notes->transitions[t].thread;
    if (who != thread && who != other && !is_swapped_transition(c, (TransId){t}, (TransId){t}, thread))
      return not_alike(c, thread, err);
  }
  return true;
}

static bool find_counting(Counting *c, Heap *heap, const Net *net, Err *err) {
  const Notes *notes = net->notes;
  *c = (Counting){.heap = heap, .net = net, .notes = notes};
  c->partner = heap_alloc(heap, ((size_t)notes->n_threads + 1) * sizeof *c->partner);
  c->owner = heap_alloc(heap, ((size_t)net->n_places + 1) * sizeof *c->owner);
  c->place_partner = heap_alloc(heap, ((size_t)net->n_places + 1) * sizeof *c->place_partner);
  for (uint32_t p = 0; p < net->n_places; p++) c->place_partner[p] = p;
  if (!pair_threads(c, err)) return false;
  find_owners(c);
  for (uint32_t i = 0; i < notes->n_threads; i++)
    if (is_counted(c, i) && is_first(c, i) && (!pair_places(c, i, err) || !check_transitions(c, i, err))) return false;
  return check_control(c, err) && check_copies(c, err);
}

static void end_counting(Counting *c) {
  heap_release(c->heap, c->partner);
  heap_release(c->heap, c->owner);
  heap_release(c->heap, c->place_partner);
}

bool instance_check(Heap *heap, const Net *net, Err *err) {
  Counting c;
  const bool good = find_counting(&c, heap, net, err);
  end_counting(&c);
  return good;
}

bool instance_pairs(Heap *heap, const Net *net, uint32_t *thread, uint32_t *place, Err *err) {
  Counting c;
  const bool good = find_counting(&c, heap, net, err);
  for (uint32_t i = 0; good && i < net->notes->n_threads; i++) thread[i] = c.partner[i];
  for (uint32_t p = 0; good && p < net->n_places; p++) place[p] = c.place_partner[p];
  end_counting(&c);
  return good;
}

/* ---- an instance ---- */

typedef struct {
  Counting c;
  const uint32_t *numbers;
  NetBuilder *builder;
  NotesBuilder *made;
  uint32_t *thread_number; /* per thread: its first number in the instance */
  uint32_t *place_number;  /* per place: likewise; NOTE_NONE: it has none */
  uint32_t *last_copy;     /* per variable: the largest number of a copy */
} Making;

/* How many threads there are for this one: all of a group stand for the first one of it. */
static uint32_t count_of(const Making *m, uint32_t thread) {
  if (!is_counted(&m->c, thread)) return 1;
  return is_first(&m->c, thread) ? m->numbers[m->c.notes->threads[thread].count] : 0;
}

static bool number_threads(Making *m, Err *err) {
  const Notes *notes = m->c.notes;
  uint64_t n = 0;
  for (uint32_t i = 0; i < notes->n_threads && n <= INSTANCE_MAX_THREADS; i++) {
    m->thread_number[i] = (uint32_t)n;
    n += count_of(m, i);
  }
  return n <= INSTANCE_MAX_THREADS ||
         err_set(err, ERR_LIMIT, "the net would have more than %d threads", INSTANCE_MAX_THREADS);
}

static void add_names(Making *m) {
  net_set_name(m->builder, m->c.net->name);
  notes_declare_as(m->made, m->c.notes);
  notes_add_states_of(m->made, m->c.notes);
}

/* What begins with the name of the thread begins with the name of the n-th one for it, if they are called T1, T2, ...;
 * malloc'd by the builder's heap. */
static char *rename_for(const Making *m, const char *name, uint32_t thread, uint32_t n) {
  const char *own = thread == NOTE_NONE ? "" : m->c.notes->threads[thread].name;
  const size_t length = strlen(own), room = strlen(name) + 16;
  char expected[16], *result = heap_alloc(m->c.heap, room);
  snprintf(expected, sizeof expected, "T%" PRIu32, thread + 1);
  if (thread == NOTE_NONE || strcmp(own, expected) != 0 || strncmp(name, own, length) != 0)
    snprintf(result, room, "%s", name);
  else snprintf(result, room, "T%" PRIu32 "%s", m->thread_number[thread] + n + 1, name + length);
  return result;
}

static void add_threads(Making *m) {
  for (uint32_t i = 0; i < m->c.notes->n_threads; i++)
    for (uint32_t n = 0; n < count_of(m, i); n++) {
      const NoteThread *thread = &m->c.notes->threads[i];
      char *name = rename_for(m, thread->name, i, n);
      notes_add_thread(m->made, name, thread->group, thread->pos);
      heap_release(m->c.heap, name);
    }
}

/* ---- places ---- */

/* Variables of which no copy is left keep the first one. */
static bool *find_kept(Making *m) {
  const Net *net = m->c.net;
  const Notes *notes = m->c.notes;
  bool *is_left = heap_zeroed(m->c.heap, (size_t)notes->n_objects + 1);
  bool *kept = heap_zeroed(m->c.heap, (size_t)net->n_places + 1);
  uint32_t *copy = heap_zeroed(m->c.heap, ((size_t)notes->n_objects + 1) * sizeof *copy); /* from 1 */
  for (uint32_t p = 0; p < net->n_places; p++) {
    const PlaceNote *note = &notes->places[p];
    if (note->role != ROLE_COPY) continue;
    if (note->copy > m->last_copy[note->object]) m->last_copy[note->object] = note->copy;
    if (m->c.owner[p] == NOTE_NONE || count_of(m, m->c.owner[p])) is_left[note->object] = true;
    if (!copy[note->object]) copy[note->object] = note->copy + 1;
  }
  for (uint32_t p = 0; p < net->n_places; p++) {
    const PlaceNote *note = &notes->places[p];
    kept[p] = note->role == ROLE_COPY && !is_left[note->object] && copy[note->object] == note->copy + 1;
  }
  heap_release(m->c.heap, is_left);
  heap_release(m->c.heap, copy);
  return kept;
}

/* The copies of a variable have different numbers. */
static void add_place(Making *m, uint32_t p, uint32_t n) {
  const uint32_t owner = m->c.owner[p];
  PlaceNote note = m->c.notes->places[p];
  char *name = rename_for(m, m->c.net->place_name[p], owner, n);
  const PlaceId added = net_add_place(m->builder, name, m->c.net->marked[p]);
  heap_release(m->c.heap, name);
  if (note.thread != NOTE_NONE) note.thread = m->thread_number[note.thread] + n;
  if (note.role == ROLE_COPY && n) note.copy = m->last_copy[note.object] + 1 + m->thread_number[owner] + n;
  notes_set_place(m->made, added.v, note);
}

static void add_places(Making *m) {
  bool *kept = find_kept(m);
  for (uint32_t p = 0; p < m->c.net->n_places; p++) {
    const uint32_t owner = m->c.owner[p], n = kept[p] || owner == NOTE_NONE ? 1 : count_of(m, owner);
    m->place_number[p] = n ? net_builder_places(m->builder) : NOTE_NONE;
    for (uint32_t i = 0; i < n; i++) add_place(m, p, i);
    if (kept[p]) m->c.owner[p] = NOTE_NONE; /* from here on it is nobody's */
  }
  heap_release(m->c.heap, kept);
}

/* ---- transitions ---- */

/* Calls `add` for the places of the instance that the n-th thread for this one touches where it touches p. */
static void for_each_place(const Making *m, uint32_t p, uint32_t thread, uint32_t n, TransId t,
                           void (*add)(NetBuilder *builder, TransId t, PlaceId p)) {
  const uint32_t owner = m->c.owner[p], first = m->place_number[p];
  if (!is_counted(&m->c, owner)) {
    if (first != NOTE_NONE) add(m->builder, t, (PlaceId){first});
    return;
  }
  const bool own = owner == thread, others = thread != NOTE_NONE && owner == m->c.partner[thread];
  const uint32_t base = is_first(&m->c, owner) ? first : m->place_number[m->c.place_partner[p]];
  const uint32_t count = count_of(m, is_first(&m->c, owner) ? owner : m->c.partner[owner]);
  if (!own && !others && !is_first(&m->c, owner)) return; /* it touches both: once for all */
  for (uint32_t i = 0; i < count; i++)
    if (own ? i == n : !others || i != n) add(m->builder, t, (PlaceId){base + i});
}

static void add_input(NetBuilder *builder, TransId t, PlaceId p) { net_add_input(builder, p, t); }

static void add_transition(Making *m, TransId t, uint32_t n) {
  const Net *net = m->c.net;
  TransNote note = m->c.notes->transitions[t.v];
  const PlaceList pre = net_pre(net, t), post = net_post(net, t);
  const AccessList accesses = notes_accesses(m->c.notes, t.v);
  char *name = rename_for(m, net->trans_name[t.v], note.thread, n);
  const TransId added = net_add_trans(m->builder, name);
  heap_release(m->c.heap, name);
  for (uint32_t i = 0; i < pre.n; i++) for_each_place(m, pre.at[i].v, note.thread, n, added, add_input);
  for (uint32_t i = 0; i < post.n; i++) for_each_place(m, post.at[i].v, note.thread, n, added, net_add_output);
  net_set_line(m->builder, added, net->trans_line[t.v]);
  for (uint32_t i = 0; i < accesses.n; i++) notes_add_access(m->made, added.v, accesses.at[i]);
  if (note.thread != NOTE_NONE) note.thread = m->thread_number[note.thread] + n;
  notes_set_trans(m->made, added.v, note);
}

static void add_transitions(Making *m) {
  for (uint32_t t = 0; t < m->c.net->n_trans; t++) {
    const uint32_t thread = m->c.notes->transitions[t].thread, count = thread == NOTE_NONE ? 1 : count_of(m, thread);
    for (uint32_t n = 0; n < count; n++) add_transition(m, (TransId){t}, n);
  }
}

static Net *make(Making *m, Err *err) {
  if (!number_threads(m, err)) return NULL;
  m->builder = net_builder_new(m->c.heap);
  m->made = net_builder_notes(m->builder);
  add_names(m);
  add_threads(m);
  add_places(m);
  add_transitions(m);
  return net_freeze(m->builder, err);
}

Net *instance_of(Heap *heap, const Net *net, const uint32_t *numbers, Err *err) {
  Making m = {.numbers = numbers};
  Net *made = NULL;
  m.thread_number = heap_alloc(heap, ((size_t)net->notes->n_threads + 1) * sizeof *m.thread_number);
  m.place_number = heap_alloc(heap, ((size_t)net->n_places + 1) * sizeof *m.place_number);
  m.last_copy = heap_zeroed(heap, ((size_t)net->notes->n_objects + 1) * sizeof *m.last_copy);
  if (find_counting(&m.c, heap, net, err)) made = make(&m, err);
  end_counting(&m.c);
  heap_release(heap, m.thread_number);
  heap_release(heap, m.place_number);
  heap_release(heap, m.last_copy);
  return made;
}
