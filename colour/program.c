#include "colour/program.h"

#include "base/intern.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LOCAL_STATES = 1 << 22 };

#define NOBODY UINT32_MAX         /* a place without neighbours */
#define SHARED (UINT32_MAX - 1)   /* a place with neighbours in several threads */

/* A family: the places that the notes call copies of one variable. */
typedef struct {
  bool used, valid;
  uint32_t owner;     /* of all its places, or SHARED, or NOBODY */
  uint32_t n_copies;
  uint32_t object;    /* in the program, if valid and shared */
  uint32_t initial;
} Family;

/* One place of a family next to a transition. */
typedef struct {
  uint32_t family, copy, value;
} Item;
typedef VEC(Item) ItemVec;

typedef struct {
  Program *program;
  const Net *net;
  const Notes *notes;
  uint32_t *owner;        /* per place */
  bool *forced;           /* per place: an object, though its neighbours belong to one thread */
  bool again;             /* a place was forced: start anew */
  uint32_t *token;        /* per place: its object if it is a shared token, else NOTE_NONE */
  Family *families;       /* per object of the notes */
  uint32_t *copy_index;   /* per place of a family: its copy, numbered from 0 within the family */
  uint32_t *reader_start; /* per family: where its copies' readers start in `reader` */
  uint32_t *reader;       /* per family and copy: the one thread that reads it, or NOBODY */
  ItemVec before, after;
} Builder;

/* ---- whose is a place? ---- */

static void assign_threads(Builder *b) {
  Program *program = b->program;
  program->thread_of = arena_alloc(&program->arena, b->net->n_trans * sizeof *program->thread_of);
  program->n_threads = b->notes->n_threads;
  for (uint32_t t = 0; t < b->net->n_trans; t++) {
    const uint32_t thread = b->notes->transitions[t].thread;
    program->thread_of[t] = thread == NOTE_NONE ? program->n_threads++ : thread;
  }
}

static void join_owner(uint32_t *owner, uint32_t other) {
  if (other == NOBODY || *owner == other) return;
  *owner = *owner == NOBODY ? other : SHARED;
}

static void assign_owners(Builder *b) {
  for (uint32_t p = 0; p < b->net->n_places; p++) {
    b->owner[p] = NOBODY;
    const TransList in = net_producers(b->net, (PlaceId){p}), out = net_consumers(b->net, (PlaceId){p});
    for (uint32_t i = 0; i < in.n; i++) join_owner(&b->owner[p], b->program->thread_of[in.at[i].v]);
    for (uint32_t i = 0; i < out.n; i++) join_owner(&b->owner[p], b->program->thread_of[out.at[i].v]);
  }
}

/* ---- are the threads sequential? ---- */

/* Counts the control places in a list, thread by thread: n[thread], with the threads met added to `met`. */
static void count_control(const Builder *b, PlaceList places, uint32_t *n, U32Vec *met) {
  for (uint32_t i = 0; i < places.n; i++) {
    const PlaceNote *note = &b->notes->places[places.at[i].v];
    if (note->role != ROLE_CONTROL) continue;
    vec_push(b->program->heap, met, note->thread);
    n[note->thread]++;
  }
}

static bool not_sequential(const Builder *b, uint32_t thread, TransId t, uint32_t taken, uint32_t put, Err *err) {
  return err_set(err, ERR_INPUT, "thread '%.100s' is not sequential: transition '%.100s' takes %u of its control tokens and puts %u",
                 b->notes->threads[thread].name, b->net->trans_name[t.v], taken, put);
}

/* Each transition of a thread takes its one control token; nobody puts a second one. taken and put are all zero before and
 * after. */
static bool check_control(const Builder *b, TransId t, uint32_t *taken, uint32_t *put, U32Vec *met, Err *err) {
  const uint32_t own = b->notes->transitions[t.v].thread;
  bool good = true;
  vec_clear(met);
  if (own != NOTE_NONE) vec_push(b->program->heap, met, own);
  count_control(b, net_pre(b->net, t), taken, met);
  count_control(b, net_post(b->net, t), put, met);
  for (uint32_t i = 0; good && i < met->n; i++) {
    const uint32_t thread = met->at[i], n = taken[thread];
    if (n > 1 || put[thread] > n || (thread == own && n == 0)) good = not_sequential(b, thread, t, n, put[thread], err);
  }
  for (uint32_t i = 0; i < met->n; i++) taken[met->at[i]] = put[met->at[i]] = 0;
  return good;
}

/* Then a thread never has two control tokens, and its events happen one after the other. */
static bool check_threads(Builder *b, Err *err) {
  Heap *heap = b->program->heap;
  uint32_t *taken = heap_zeroed(heap, ((size_t)b->notes->n_threads + 1) * sizeof *taken);
  uint32_t *put = heap_zeroed(heap, ((size_t)b->notes->n_threads + 1) * sizeof *put);
  U32Vec met = {0};
  bool good = true;
  for (uint32_t p = 0; good && p < b->net->n_places; p++) {
    const PlaceNote *note = &b->notes->places[p];
    if (note->role == ROLE_CONTROL && b->net->marked[p] && ++taken[note->thread] > 1)
      good = err_set(err, ERR_INPUT, "thread '%.100s' is not sequential: it has two control tokens at first",
                     b->notes->threads[note->thread].name);
  }
  for (uint32_t i = 0; i < b->notes->n_threads; i++) taken[i] = 0;
  for (uint32_t t = 0; good && t < b->net->n_trans; t++) good = check_control(b, (TransId){t}, taken, put, &met, err);
  heap_release(heap, taken);
  heap_release(heap, put);
  vec_fini(heap, &met);
  return good;
}

/* ---- families of copies ---- */

static Family *family_of(const Builder *b, uint32_t place) {
  const PlaceNote *note = &b->notes->places[place];
  return note->role == ROLE_COPY ? &b->families[note->object] : NULL;
}

static int compare_words(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Numbers the copies of each family from 0: sorts the pairs (family, copy) with the place behind. */
static void number_copies(Builder *b) {
  Heap *heap = b->program->heap;
  VEC(uint64_t) keys = {0};
  for (uint32_t p = 0; p < b->net->n_places; p++)
    if (b->notes->places[p].role == ROLE_COPY)
      vec_push(heap, &keys, (uint64_t)b->notes->places[p].object << 32 | b->notes->places[p].copy);
  if (keys.n) qsort(keys.at, keys.n, sizeof *keys.at, compare_words);
  uint32_t n = 0;
  for (uint32_t i = 0; i < keys.n; i++)
    if (!i || keys.at[i] != keys.at[n - 1]) keys.at[n++] = keys.at[i];
  b->reader_start = heap_zeroed(heap, ((size_t)b->notes->n_objects + 1) * sizeof *b->reader_start);
  b->reader = heap_alloc(heap, ((size_t)n + 1) * sizeof *b->reader);
  for (uint32_t i = 0; i < n; i++) {
    b->families[keys.at[i] >> 32].n_copies++;
    b->reader_start[(keys.at[i] >> 32) + 1] = i + 1;
    b->reader[i] = NOBODY;
  }
  for (uint32_t o = 0; o < b->notes->n_objects; o++)
    if (b->reader_start[o + 1] < b->reader_start[o]) b->reader_start[o + 1] = b->reader_start[o];
  for (uint32_t p = 0; p < b->net->n_places; p++) {
    const PlaceNote *note = &b->notes->places[p];
    if (note->role != ROLE_COPY) continue;
    const uint64_t key = (uint64_t)note->object << 32 | note->copy;
    const uint64_t *found = bsearch(&key, keys.at, n, sizeof key, compare_words);
    b->copy_index[p] = (uint32_t)(found - keys.at) - b->reader_start[note->object];
  }
  vec_fini(heap, &keys);
}

/* Owner and initial value of each family; all copies must hold the same one value at first. */
static void start_families(Builder *b) {
  Heap *heap = b->program->heap;
  uint32_t *marked = heap_zeroed(heap, ((size_t)b->notes->n_objects + 1) * sizeof *marked);
  for (uint32_t p = 0; p < b->net->n_places; p++) {
    Family *family = family_of(b, p);
    if (!family) continue;
    const PlaceNote *note = &b->notes->places[p];
    const uint32_t n_values = b->notes->objects[note->object].n_values;
    if (!family->used) *family = (Family){true, true, NOBODY, family->n_copies, NOTE_NONE, VALUE_ABSENT};
    join_owner(&family->owner, b->owner[p]);
    if (note->value >= (n_values ? n_values : 1)) family->valid = false;
    if (!b->net->marked[p]) continue;
    marked[note->object]++;
    if (family->initial != VALUE_ABSENT && family->initial != note->value) family->valid = false;
    family->initial = note->value;
  }
  for (uint32_t o = 0; o < b->notes->n_objects; o++)
    if (marked[o] != b->families[o].n_copies) b->families[o].valid = false;
  heap_release(heap, marked);
}

static int compare_items(const void *a, const void *b) {
  const Item *x = a, *y = b;
  if (x->family != y->family) return x->family < y->family ? -1 : 1;
  return (x->copy > y->copy) - (x->copy < y->copy);
}

static void collect_items(Builder *b, PlaceList places, ItemVec *items) {
  vec_clear(items);
  for (uint32_t i = 0; i < places.n; i++) {
    const PlaceNote *note = &b->notes->places[places.at[i].v];
    if (note->role == ROLE_COPY)
      vec_push(b->program->heap, items, ((Item){note->object, b->copy_index[places.at[i].v], note->value}));
  }
  if (items->n > 1) qsort(items->at, items->n, sizeof *items->at, compare_items);
}

/* The end of the run of items of one family that starts at `from`. */
static uint32_t run_end(const ItemVec *items, uint32_t from, uint32_t family) {
  while (from < items->n && items->at[from].family == family) from++;
  return from;
}

/* Are the items from..to one per copy, all with one value? */
static bool is_whole(const ItemVec *items, uint32_t from, uint32_t to, uint32_t n_copies) {
  if (to - from != n_copies) return false;
  for (uint32_t i = from; i < to; i++)
    if (items->at[i].copy != i - from || items->at[i].value != items->at[from].value) return false;
  return true;
}

/* A transition's items of one family: before[i..i2), after[j..j2). False if that is neither a read nor a write. */
static bool classify(Builder *b, uint32_t thread, uint32_t family, uint32_t i, uint32_t i2, uint32_t j, uint32_t j2,
                     ProgramAccess *access) {
  const uint32_t n_copies = b->families[family].n_copies;
  if (i == i2 || j == j2) return false;
  const Item *taken = &b->before.at[i], *put = &b->after.at[j];
  *access = (ProgramAccess){family, true, taken->value, put->value};
  if (is_whole(&b->before, i, i2, n_copies) && is_whole(&b->after, j, j2, n_copies)) return true;
  if (i2 - i != 1 || j2 - j != 1 || taken->copy != put->copy || taken->value != put->value) return false;
  access->writes = false;
  uint32_t *reader = &b->reader[b->reader_start[family] + taken->copy];
  if (*reader == NOBODY) *reader = thread;
  return *reader == thread;
}

/* Calls classify for each family next to t; a family that it refuses becomes invalid. In the second pass (`keep`) the accesses
 * to shared, valid families are kept. */
static void visit_families(Builder *b, uint32_t t, bool keep) {
  Program *program = b->program;
  collect_items(b, net_pre(b->net, (TransId){t}), &b->before);
  collect_items(b, net_post(b->net, (TransId){t}), &b->after);
  for (uint32_t i = 0, j = 0; i < b->before.n || j < b->after.n;) {
    uint32_t family = NOTE_NONE;
    if (i < b->before.n) family = b->before.at[i].family;
    if (j < b->after.n && b->after.at[j].family < family) family = b->after.at[j].family;
    const uint32_t i2 = run_end(&b->before, i, family), j2 = run_end(&b->after, j, family);
    ProgramAccess access;
    Family *f = &b->families[family];
    if (f->valid && !classify(b, program->thread_of[t], family, i, i2, j, j2, &access)) f->valid = false;
    if (keep && f->valid && f->owner == SHARED) {
      access.object = f->object;
      vec_push(program->heap, &program->accesses, access);
    }
    i = i2;
    j = j2;
  }
}

/* ---- objects and accesses ---- */

/* Is the place part of a thread's local state? */
static bool is_private(const Builder *b, uint32_t place) {
  if (b->forced[place]) return false;
  const Family *family = family_of(b, place);
  if (family && family->valid && family->owner == SHARED) return false;
  return b->owner[place] != SHARED && b->owner[place] != NOBODY;
}

static void add_objects(Builder *b) {
  Program *program = b->program;
  for (uint32_t o = 0; o < b->notes->n_objects; o++) {
    Family *family = &b->families[o];
    if (!family->used || !family->valid || family->owner != SHARED) continue;
    const NoteObject *note = &b->notes->objects[o];
    family->object = program->objects.n;
    vec_push(program->heap, &program->objects,
             ((ProgramObject){note->name, false, family->n_copies > 1, note->n_values ? note->n_values : 1, family->initial}));
  }
  for (uint32_t p = 0; p < b->net->n_places; p++) {
    const Family *family = family_of(b, p);
    b->token[p] = NOTE_NONE;
    if (!b->forced[p] && (b->owner[p] != SHARED || (family && family->valid))) continue;
    b->token[p] = program->objects.n;
    vec_push(program->heap, &program->objects,
             ((ProgramObject){b->net->place_name[p], true, false, 1, b->net->marked[p] ? 0 : VALUE_ABSENT}));
  }
}

/* The tokens that t takes, puts, or both. */
static void add_token_accesses(Builder *b, TransId t) {
  Program *program = b->program;
  const PlaceList pre = net_pre(b->net, t), post = net_post(b->net, t);
  for (uint32_t i = 0; i < pre.n; i++)
    if (b->token[pre.at[i].v] != NOTE_NONE) {
      const bool returned = place_list_has(post, pre.at[i]);
      vec_push(program->heap, &program->accesses,
               ((ProgramAccess){b->token[pre.at[i].v], true, 0, returned ? 0 : VALUE_ABSENT}));
    }
  for (uint32_t i = 0; i < post.n; i++)
    if (b->token[post.at[i].v] != NOTE_NONE && !place_list_has(pre, post.at[i]))
      vec_push(program->heap, &program->accesses, ((ProgramAccess){b->token[post.at[i].v], true, VALUE_ABSENT, 0}));
}

static int compare_accesses(const void *a, const void *b) {
  const uint32_t x = ((const ProgramAccess *)a)->object, y = ((const ProgramAccess *)b)->object;
  return (x > y) - (x < y);
}

static void add_accesses(Builder *b) {
  Program *program = b->program;
  program->access_start = arena_zeroed(&program->arena, (size_t)b->net->n_trans + 1, sizeof *program->access_start);
  for (uint32_t t = 0; t < b->net->n_trans; t++) {
    const uint32_t from = program->access_start[t];
    visit_families(b, t, true);
    add_token_accesses(b, (TransId){t});
    if (program->accesses.n - from > 1)
      qsort(program->accesses.at + from, program->accesses.n - from, sizeof *program->accesses.at, compare_accesses);
    program->access_start[t + 1] = program->accesses.n;
  }
}

/* ---- local states ---- */

typedef struct {
  Builder *builder;
  uint32_t thread;
  Intern states;                 /* each the bytes of the ascending list of its places */
  VEC(PlaceId) next;
  const U32Vec *free_transitions; /* the thread's transitions without a private input */
} Exploration;

static const char *state_name(Builder *b, uint32_t thread, const PlaceId *places, uint32_t n) {
  if (n) return b->net->place_name[places[0].v];
  return thread < b->notes->n_threads ? b->notes->threads[thread].name : "";
}

static uint32_t intern_state(Exploration *e, const PlaceId *places, uint32_t n) {
  Program *program = e->builder->program;
  bool is_new;
  const uint32_t number = intern_add(&e->states, (const char *)places, n * sizeof *places, &is_new);
  if (is_new) vec_push(program->heap, &program->state_name, state_name(e->builder, e->thread, places, n));
  return number;
}

static bool has_place(const PlaceId *places, uint32_t n, PlaceId p) {
  return place_list_has((PlaceList){places, n}, p);
}

/* The first private input of t, or PLACE_NONE. */
static PlaceId first_private(const Builder *b, TransId t) {
  const PlaceList pre = net_pre(b->net, t);
  for (uint32_t i = 0; i < pre.n; i++)
    if (is_private(b, pre.at[i].v)) return pre.at[i];
  return PLACE_NONE;
}

static bool is_enabled(const Builder *b, TransId t, const PlaceId *places, uint32_t n) {
  const PlaceList pre = net_pre(b->net, t);
  for (uint32_t i = 0; i < pre.n; i++)
    if (is_private(b, pre.at[i].v) && !has_place(places, n, pre.at[i])) return false;
  return true;
}

static int compare_places(const void *a, const void *b) {
  const uint32_t x = ((const PlaceId *)a)->v, y = ((const PlaceId *)b)->v;
  return (x > y) - (x < y);
}

/* The local state after t, in e->next. False if a private place would get a second token: as far as the thread itself knows that
 * could happen, as when it acquires a lock that it holds. Then the place becomes an object, for the unfolder to see. */
static bool fire_locally(Exploration *e, TransId t, const PlaceId *places, uint32_t n) {
  Builder *b = e->builder;
  const PlaceList pre = net_pre(b->net, t), post = net_post(b->net, t);
  Heap *heap = b->program->heap;
  vec_clear(&e->next);
  for (uint32_t i = 0; i < n; i++)
    if (!place_list_has(pre, places[i])) vec_push(heap, &e->next, places[i]);
  const uint32_t kept = e->next.n;
  for (uint32_t i = 0; i < post.n; i++) {
    if (!is_private(b, post.at[i].v)) continue;
    if (has_place(e->next.at, kept, post.at[i])) {
      b->forced[post.at[i].v] = b->again = true;
      return false;
    }
    vec_push(heap, &e->next, post.at[i]);
  }
  if (e->next.n > 1) qsort(e->next.at, e->next.n, sizeof *e->next.at, compare_places);
  return true;
}

static bool add_move(Exploration *e, TransId t, const PlaceId *places, uint32_t n) {
  Program *program = e->builder->program;
  if (!fire_locally(e, t, places, n)) return false;
  const uint32_t first = program->state_start[e->thread];
  vec_push(program->heap, &program->moves, ((Move){t, first + intern_state(e, e->next.at, e->next.n)}));
  return true;
}

static int compare_moves(const void *a, const void *b) {
  const uint32_t x = ((const Move *)a)->transition.v, y = ((const Move *)b)->transition.v;
  return (x > y) - (x < y);
}

static bool expand_state(Exploration *e, uint32_t state) {
  Builder *b = e->builder;
  Program *program = b->program;
  const PlaceId *places = (const PlaceId *)(const void *)e->states.strings.at[state];
  const uint32_t n = e->states.lengths.at[state] / (uint32_t)sizeof *places;
  const uint32_t first_move = program->moves.n;
  for (uint32_t i = 0; i < n; i++) {
    const TransList out = net_consumers(b->net, places[i]);
    for (uint32_t k = 0; k < out.n; k++)
      if (first_private(b, out.at[k]).v == places[i].v && is_enabled(b, out.at[k], places, n) &&
          !add_move(e, out.at[k], places, n))
        return false;
  }
  for (uint32_t i = 0; n == 0 && i < e->free_transitions->n; i++)
    if (!add_move(e, (TransId){e->free_transitions->at[i]}, places, n)) return false;
  Move *moves = program->moves.at + first_move;
  const uint32_t n_moves = program->moves.n - first_move;
  if (n_moves > 1) qsort(moves, n_moves, sizeof *moves, compare_moves);
  vec_push(program->heap, &program->move_start, program->moves.n);
  return true;
}

static bool explore_thread(Exploration *e, const U32Vec *marked, Err *err) {
  Program *program = e->builder->program;
  vec_clear(&e->next);
  for (uint32_t i = 0; i < marked->n; i++) vec_push(program->heap, &e->next, ((PlaceId){marked->at[i]}));
  intern_state(e, e->next.at, e->next.n);
  for (uint32_t s = 0; s < e->states.strings.n; s++) {
    if (program->state_name.n > MAX_LOCAL_STATES)
      return err_set(err, ERR_LIMIT, "the threads have more than %d local states", MAX_LOCAL_STATES);
    if (!expand_state(e, s)) return false;
  }
  return true;
}

/* The numbers 0 .. n_items - 1 by thread; `thread` says whose each is, NOBODY for none. */
static U32Vec *group_by_thread(Heap *heap, const uint32_t *thread, uint32_t n_items, uint32_t n_threads) {
  U32Vec *groups = heap_zeroed(heap, ((size_t)n_threads + 1) * sizeof *groups);
  for (uint32_t i = 0; i < n_items; i++)
    if (thread[i] != NOBODY) vec_push(heap, &groups[thread[i]], i);
  return groups;
}

static void free_groups(Heap *heap, U32Vec *groups, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) vec_fini(heap, &groups[i]);
  heap_release(heap, groups);
}

static bool explore_threads(Builder *b, Err *err) {
  Program *program = b->program;
  Heap *heap = program->heap;
  uint32_t *place_thread = heap_alloc(heap, ((size_t)b->net->n_places + 1) * sizeof *place_thread);
  uint32_t *free_thread = heap_alloc(heap, ((size_t)b->net->n_trans + 1) * sizeof *free_thread);
  for (uint32_t p = 0; p < b->net->n_places; p++)
    place_thread[p] = b->net->marked[p] && is_private(b, p) ? b->owner[p] : NOBODY;
  for (uint32_t t = 0; t < b->net->n_trans; t++)
    free_thread[t] = first_private(b, (TransId){t}).v == PLACE_NONE.v ? program->thread_of[t] : NOBODY;
  U32Vec *marked = group_by_thread(heap, place_thread, b->net->n_places, program->n_threads);
  U32Vec *free_transitions = group_by_thread(heap, free_thread, b->net->n_trans, program->n_threads);
  heap_release(heap, place_thread);
  heap_release(heap, free_thread);

  program->state_start = arena_zeroed(&program->arena, (size_t)program->n_threads + 1, sizeof *program->state_start);
  vec_push(heap, &program->move_start, 0);
  bool good = true;
  for (uint32_t i = 0; good && i < program->n_threads; i++) {
    Exploration e = {.builder = b, .thread = i, .free_transitions = &free_transitions[i]};
    intern_init(&e.states, heap);
    program->state_start[i] = program->state_name.n;
    good = explore_thread(&e, &marked[i], err);
    intern_fini(&e.states);
    vec_fini(heap, &e.next);
    program->state_start[i + 1] = program->state_name.n;
  }
  free_groups(heap, marked, program->n_threads);
  free_groups(heap, free_transitions, program->n_threads);
  return good;
}

/* ---- twins ---- */

/* Everything that the thread can do, as words: two threads with equal words differ in nothing but their names. */
static void describe_thread(const Program *program, uint32_t thread, U32Vec *words) {
  Heap *heap = program->heap;
  const uint32_t first = program->state_start[thread];
  vec_clear(words);
  for (uint32_t s = first; s < program->state_start[thread + 1]; s++) {
    vec_push(heap, words, program->move_start.at[s + 1] - program->move_start.at[s]);
    for (uint32_t m = program->move_start.at[s]; m < program->move_start.at[s + 1]; m++) {
      const Move *move = &program->moves.at[m];
      const TransNote *note = &program->net->notes->transitions[move->transition.v];
      const uint32_t a = program->access_start[move->transition.v], z = program->access_start[move->transition.v + 1];
      vec_push(heap, words, move->to - first);
      vec_push(heap, words, note->begin);
      vec_push(heap, words, note->end);
      vec_push(heap, words, z - a);
      for (uint32_t i = a; i < z; i++) {
        const ProgramAccess *access = &program->accesses.at[i];
        vec_push(heap, words, access->object);
        vec_push(heap, words, access->writes);
        vec_push(heap, words, access->pre);
        vec_push(heap, words, access->post);
      }
    }
  }
}

static void find_twins(Program *program) {
  Heap *heap = program->heap;
  program->twin = arena_alloc(&program->arena, program->n_threads * sizeof *program->twin);
  Intern seen;
  intern_init(&seen, heap);
  U32Vec words = {0}, first = {0};
  for (uint32_t i = 0; i < program->n_threads; i++) {
    describe_thread(program, i, &words);
    bool is_new;
    const uint32_t number = intern_add(&seen, (const char *)words.at, words.n * sizeof *words.at, &is_new);
    if (is_new) vec_push(heap, &first, i);
    program->twin[i] = first.at[number]; // NOLINT(clang-analyzer-core.NullDereference): the first one was new
  }
  vec_fini(heap, &words);
  vec_fini(heap, &first);
  intern_fini(&seen);
}

/* ---- the whole ---- */

static bool build(Builder *b, Err *err) {
  if (!check_threads(b, err)) return false;
  assign_threads(b);
  assign_owners(b);
  number_copies(b);
  start_families(b);
  for (uint32_t t = 0; t < b->net->n_trans; t++) visit_families(b, t, false);
  add_objects(b);
  add_accesses(b);
  if (!explore_threads(b, err)) return false;
  find_twins(b->program);
  return true;
}

/* One attempt; forced[] is as the last one left it. */
static bool try_build(Program *program, Heap *heap, const Net *net, bool *forced, bool *again, Err *err) {
  *program = (Program){.heap = heap, .net = net};
  arena_init(&program->arena, heap);
  Builder b = {.program = program, .net = net, .notes = net->notes, .forced = forced};
  b.owner = heap_alloc(heap, ((size_t)net->n_places + 1) * sizeof *b.owner);
  b.token = heap_alloc(heap, ((size_t)net->n_places + 1) * sizeof *b.token);
  b.copy_index = heap_zeroed(heap, ((size_t)net->n_places + 1) * sizeof *b.copy_index);
  b.families = heap_zeroed(heap, ((size_t)net->notes->n_objects + 1) * sizeof *b.families);
  const bool good = build(&b, err);
  *again = b.again;
  heap_release(heap, b.owner);
  heap_release(heap, b.token);
  heap_release(heap, b.copy_index);
  heap_release(heap, b.families);
  heap_release(heap, b.reader_start);
  heap_release(heap, b.reader);
  vec_fini(heap, &b.before);
  vec_fini(heap, &b.after);
  if (!good) program_fini(program);
  return good;
}

bool program_init(Program *program, Heap *heap, const Net *net, Err *err) {
  bool *forced = heap_zeroed(heap, (size_t)net->n_places + 1), good, again;
  do good = try_build(program, heap, net, forced, &again, err);
  while (again);
  heap_release(heap, forced);
  return good;
}

void program_fini(Program *program) {
  Heap *heap = program->heap;
  vec_fini(heap, &program->objects);
  vec_fini(heap, &program->accesses);
  vec_fini(heap, &program->move_start);
  vec_fini(heap, &program->moves);
  vec_fini(heap, &program->state_name);
  arena_fini(&program->arena);
}
