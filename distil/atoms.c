#include "distil/atoms.h"

#include "base/vec.h"
#include "base/keys.h"

#include <assert.h>
#include <string.h>

typedef struct {
  uint64_t size;
  uint32_t free_value, held_value;
  uint32_t holder; /* 1 + the thread; 0: it is free */
  bool taken;      /* it was once; before that the free value is that of the first read, if `seen` */
  bool seen;
  bool several;            /* threads have taken it, so one has given it back */
  uint32_t taker;          /* 1 + the first one */
  bool no_lock;            /* something else was done to it */
  bool awaited, signalled; /* signalled: in the second pass, so far */
  bool hidden;             /* of the library's table */
  uint64_t told;           /* when, in a run that is going on, something was last taken for an access; 0: never */
  struct {                 /* likewise, what was taken for a lock's: */
    uint64_t last;         /* when; 0: never */
    uint32_t by;           /* 1 + the thread, since it was quiet; */
    bool several;          /* there were others; */
    bool ever;             /* and once, if not since then */
  } hushed;
} Atom;

/* Of a program counter: does it wait whenever it reads? */
typedef struct {
  uint64_t code;
  bool waits;
} Waiting;

enum { RECENT = 256 };

struct Atoms {
  Heap *heap;
  Keys keys;       /* addresses */
  VEC(Atom) atoms; /* by the numbers of their addresses */
  Places *places;
  uint64_t *read_last; /* by thread: the address; but for hidden ones */
  Waiting recent[RECENT];
  bool second_pass;
  bool late; /* the log begins in the middle: a variable may be a lock that was held then */
  bool unsure;
  uint64_t told; /* the latest of what was taken for an access to a lock */
};

Atoms *atoms_new(Heap *heap, Places *places, uint32_t n_threads) {
  Atoms *a = heap_zeroed(heap, sizeof *a);
  a->heap = heap;
  a->places = places;
  a->read_last = heap_zeroed(heap, heap_product(heap, n_threads + (size_t)1, sizeof *a->read_last));
  return a;
}

void atoms_begin_late(Atoms *a) { a->late = true; }

void atoms_free(Atoms *a) {
  if (!a) return;
  heap_release(a->heap, a->read_last);
  keys_fini(a->heap, &a->keys);
  vec_fini(a->heap, &a->atoms);
  heap_release(a->heap, a);
}

/* --- the C++ library --- */

/* Is the address in a symbol whose name begins so? */
static bool is_in(Places *places, uint64_t address, const char *prefix) {
  uint32_t length;
  uint64_t start;
  const char *name = places_symbol(places, address, &length, &start);
  const size_t n = strlen(prefix);
  return name && length >= n && memcmp(name, prefix, n) == 0;
}

/* An operation of a barrier, or one that takes from a semaphore: the order in which they are done is always one. */
static bool waits_always(Atoms *a, uint64_t code) {
  Waiting *recent = &a->recent[code % RECENT];
  if (recent->code != code)
    *recent = (Waiting){code, is_in(a->places, code - 1, "std::__atomic_ref<std::__barrier_phase_t") ||
                                  is_in(a->places, code - 1, "std::__atomic_semaphore::_M_acquire") ||
                                  is_in(a->places, code - 1, "std::__atomic_semaphore::_M_try_acquire")};
  return recent->waits;
}

static Atom *atom_of(Atoms *a, uint64_t address) {
  bool is_new;
  const uint32_t number = keys_add(a->heap, &a->keys, address, &is_new);
  const Atom atom = {.hidden = is_new && is_in(a->places, address, "std::__detail::__waiter_pool_base::")};
  if (is_new) vec_push(a->heap, &a->atoms, atom);
  return &a->atoms.at[number];
}

/* Of values that are not told apart none is known to be the same. */
static bool is_same(uint32_t a, uint32_t b) { return a == b && a != RAW_FAR; }

static bool changes(const RawEvent *e) { return e->kind != RAW_ATOMIC_READ && !is_same(e->old, e->new); }

/* --- first pass --- */

static bool is_taking(const Atom *atom, const RawEvent *e) {
  return e->kind == RAW_ATOMIC_UPDATE && (e->flags & RAW_CLAIMS) && changes(e) && is_same(e->old, atom->free_value);
}

static bool is_giving(const Atom *atom, const RawEvent *e) {
  return e->kind == RAW_ATOMIC_WRITE && e->thread + 1 == atom->holder && e->old == atom->held_value &&
         is_same(e->new, atom->free_value);
}

/* Nobody has it. False: this is not what is done to a lock. */
static bool note_free(Atom *atom, const RawEvent *e) {
  const bool sets = e->kind == RAW_ATOMIC_WRITE, known = atom->taken || atom->seen;
  if (!known && !sets) {
    atom->free_value = e->old;
    atom->seen = true;
  }
  if (is_taking(atom, e)) {
    atom->taken = true;
    atom->holder = e->thread + 1;
    if (!atom->taker) atom->taker = atom->holder;
    if (atom->taker != atom->holder) atom->several = true;
    atom->held_value = e->new;
    return true;
  }
  if (sets) return !known || is_same(e->new, atom->free_value);
  return e->kind == RAW_ATOMIC_READ && is_same(e->old, atom->free_value);
}

static bool note_held(Atom *atom, const RawEvent *e) {
  if (is_giving(atom, e)) {
    atom->holder = 0;
    return true;
  }
  return !changes(e) && e->kind != RAW_ATOMIC_WRITE && e->old == atom->held_value;
}

/* Can this be done to no lock, whoever may hold it? */
static bool is_no_lock_operation(const RawEvent *e) {
  return e->kind == RAW_ATOMIC_UPDATE && changes(e) && !(e->flags & RAW_CLAIMS);
}

static bool is_lock(const Atom *atom) { return atom->several && !atom->no_lock; }

/* Does the thread leave the library's table? */
static bool is_leaving(const RawEvent *e) { return e->kind == RAW_ATOMIC_UPDATE && e->new < e->old; }

static bool is_awaited(Atoms *a, const RawEvent *e) {
  return e->flags & RAW_AWAITED || (e->kind != RAW_ATOMIC_WRITE && waits_always(a, e->code));
}

static void note_hidden(Atoms *a, const RawEvent *e) {
  const uint64_t read = a->read_last[e->thread];
  if (read && is_leaving(e)) atom_of(a, read)->awaited = true;
}

void atoms_note(Atoms *a, const RawEvent *e) {
  assert(!a->second_pass);
  Atom *atom = atom_of(a, e->address);
  if (atom->hidden) {
    note_hidden(a, e);
    return;
  }
  a->read_last[e->thread] = e->kind == RAW_ATOMIC_WRITE ? 0 : e->address;
  if (is_awaited(a, e)) atom->awaited = true;
  if (!atom->size) atom->size = e->size;
  if (atom->size != e->size) atom->no_lock = true;
  if (a->late) atom->no_lock |= is_no_lock_operation(e);
  else if (!atom->no_lock && !(atom->holder ? note_held(atom, e) : note_free(atom, e))) atom->no_lock = true;
}

/* --- second pass --- */

static void begin_second_pass(Atoms *a) {
  a->second_pass = true;
  for (uint32_t i = 0; i < a->atoms.n; i++) a->atoms.at[i].holder = 0;
}

static Atom *known_atom(const Atoms *a, uint64_t address) {
  const uint32_t number = keys_find(&a->keys, address);
  assert(number != KEYS_NONE); /* the first pass has noted it */
  return &a->atoms.at[number];
}

static AtomStep step_hidden(const Atoms *a, const RawEvent *e) {
  const uint64_t read = a->read_last[e->thread];
  const bool waits = read && is_leaving(e) && !is_lock(known_atom(a, read)) && known_atom(a, read)->signalled;
  return (AtomStep){ATOM_NOTHING, waits, false, read};
}

static AtomStep step_lock(Atom *atom, const RawEvent *e) {
  AtomRole role = ATOM_NOTHING;
  if (!atom->holder && e->kind == RAW_ATOMIC_UPDATE) role = ATOM_ACQUIRE;
  if (atom->holder && e->kind == RAW_ATOMIC_WRITE) role = ATOM_RELEASE;
  if (role != ATOM_NOTHING) atom->holder = role == ATOM_ACQUIRE ? e->thread + 1 : 0;
  return (AtomStep){role, false, false, 0};
}

AtomStep atoms_step(Atoms *a, const RawEvent *e) {
  if (!a->second_pass) begin_second_pass(a);
  Atom *atom = known_atom(a, e->address);
  if (atom->hidden) return step_hidden(a, e);
  a->read_last[e->thread] = e->kind == RAW_ATOMIC_WRITE ? 0 : e->address;
  if (is_lock(atom)) return step_lock(atom, e);
  const bool waits = is_awaited(a, e) && atom->signalled, signals = atom->awaited && changes(e);
  if (signals) atom->signalled = true;
  return (AtomStep){a->late && !atom->no_lock ? ATOM_NOTHING : ATOM_ACCESS, waits, signals, e->address};
}

/* --- a run that is going on --- */

/* It was a lock's so far. */
static void hush(Atom *atom, const RawEvent *e, uint64_t now, uint64_t quiet) {
  if (atom->hushed.last <= quiet) atom->hushed.by = 0, atom->hushed.several = false;
  if (atom->hushed.by && atom->hushed.by != e->thread + 1) atom->hushed.several = atom->hushed.ever = true;
  if (!atom->hushed.by) atom->hushed.by = e->thread + 1;
  atom->hushed.last = now;
}

/* It is no lock: does what was hushed matter? The same thread's write orders as much, and more. */
static bool was_wrong(const Atom *atom, const RawEvent *e, uint64_t quiet) {
  const bool own = atom->hushed.by == e->thread + 1 && !atom->hushed.several && changes(e);
  return atom->hushed.ever || (atom->hushed.last > quiet && !own);
}

bool atoms_is_access(Atoms *a, const RawEvent *e, uint64_t now, uint64_t quiet) {
  Atom *atom = atom_of(a, e->address);
  const bool was = !atom->no_lock, taken = atom->taken;
  if (atom->hidden) return false;
  if (!atom->size) atom->size = e->size;
  if (atom->size != e->size) atom->no_lock = true;
  if (!atom->no_lock && !(atom->holder ? note_held(atom, e) : note_free(atom, e))) atom->no_lock = true;
  if (atom->no_lock && was && was_wrong(atom, e, quiet)) a->unsure = true;
  if (!atom->no_lock && atom->taken && !taken && atom->told > a->told) a->told = atom->told;
  if (!atom->no_lock && atom->taken) {
    hush(atom, e, now, quiet);
    return false;
  }
  atom->told = now;
  return true;
}

bool atoms_are_sound(const Atoms *a, uint64_t quiet) { return a->told <= quiet; }

bool atoms_is_no_lock(const Atoms *a, uint64_t address) {
  const uint32_t number = keys_find(&a->keys, address);
  return number == KEYS_NONE || a->atoms.at[number].no_lock;
}

bool atoms_are_sure(const Atoms *a) {
  bool sure = !a->unsure;
  for (uint32_t i = 0; i < a->atoms.n; i++)
    sure = sure && (a->atoms.at[i].no_lock || is_lock(&a->atoms.at[i]) || !a->atoms.at[i].hushed.ever);
  return sure;
}
