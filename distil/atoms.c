#include "distil/atoms.h"

#include "base/hash.h"

#include <assert.h>

typedef struct {
  uint64_t key; /* 1 + its address */
  uint64_t size;
  uint32_t free_value, held_value;
  uint32_t holder; /* 1 + the thread; 0: it is free */
  bool taken;      /* it was once; before that the free value is that of the first read, if `seen` */
  bool seen;
  bool given;   /* back, once */
  bool no_lock; /* something else was done to it */
  bool awaited;
} Atom;

struct Atoms {
  Heap *heap;
  Atom *slots; /* open addressing over a power of two; key 0 is free */
  uint32_t n, n_slots;
  bool second_pass;
};

Atoms *atoms_new(Heap *heap) {
  Atoms *a = heap_zeroed(heap, sizeof *a);
  a->heap = heap;
  a->n_slots = 64;
  a->slots = heap_zeroed(heap, a->n_slots * sizeof *a->slots);
  return a;
}

void atoms_free(Atoms *a) {
  if (!a) return;
  heap_release(a->heap, a->slots);
  heap_release(a->heap, a);
}

static Atom *slot_of(Atom *slots, uint32_t n, uint64_t key) {
  assert(n && (n & (n - 1)) == 0);
  uint32_t slot = (uint32_t)hash_word(key) & (n - 1);
  while (slots[slot].key && slots[slot].key != key) slot = (slot + 1) & (n - 1);
  return &slots[slot];
}

static void grow(Atoms *a) {
  const uint32_t n = a->n_slots * 2;
  Atom *slots = heap_zeroed(a->heap, heap_product(a->heap, n, sizeof *slots));
  for (uint32_t i = 0; i < a->n_slots; i++)
    if (a->slots[i].key) *slot_of(slots, n, a->slots[i].key) = a->slots[i];
  heap_release(a->heap, a->slots);
  a->slots = slots;
  a->n_slots = n;
}

static Atom *atom_of(Atoms *a, uint64_t address) {
  Atom *atom = slot_of(a->slots, a->n_slots, address + 1);
  if (atom->key) return atom;
  if (++a->n > a->n_slots / 2) {
    grow(a);
    atom = slot_of(a->slots, a->n_slots, address + 1);
  }
  atom->key = address + 1;
  return atom;
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
    atom->held_value = e->new;
    return true;
  }
  if (sets) return !known || is_same(e->new, atom->free_value);
  return e->kind == RAW_ATOMIC_READ && is_same(e->old, atom->free_value);
}

static bool note_held(Atom *atom, const RawEvent *e) {
  if (is_giving(atom, e)) {
    atom->given = true;
    atom->holder = 0;
    return true;
  }
  return !changes(e) && e->kind != RAW_ATOMIC_WRITE && e->old == atom->held_value;
}

static bool is_lock(const Atom *atom) { return atom->given && !atom->no_lock; }

void atoms_note(Atoms *a, const RawEvent *e) {
  assert(!a->second_pass);
  Atom *atom = atom_of(a, e->address);
  if (e->kind == RAW_SYNC || e->flags & RAW_AWAITED) atom->awaited = true;
  if (e->kind == RAW_SYNC) return;
  if (!atom->size) atom->size = e->size;
  if (atom->size != e->size) atom->no_lock = true;
  if (!atom->no_lock && !(atom->holder ? note_held(atom, e) : note_free(atom, e))) atom->no_lock = true;
}

/* --- second pass --- */

static void begin_second_pass(Atoms *a) {
  a->second_pass = true;
  for (uint32_t i = 0; i < a->n_slots; i++) a->slots[i].holder = 0;
}

AtomStep atoms_step(Atoms *a, const RawEvent *e) {
  if (!a->second_pass) begin_second_pass(a);
  Atom *atom = slot_of(a->slots, a->n_slots, e->address + 1);
  assert(atom->key); /* the first pass has noted it */
  if (!is_lock(atom)) {
    const bool waits = atom->awaited && (e->kind == RAW_SYNC || e->flags & RAW_AWAITED);
    return (AtomStep){e->kind == RAW_SYNC ? ATOM_NOTHING : ATOM_ACCESS, waits,
                      atom->awaited && e->kind != RAW_SYNC && changes(e)};
  }
  AtomRole role = ATOM_NOTHING;
  if (!atom->holder && e->kind == RAW_ATOMIC_UPDATE) role = ATOM_ACQUIRE;
  if (atom->holder && e->kind == RAW_ATOMIC_WRITE) role = ATOM_RELEASE;
  if (role != ATOM_NOTHING) atom->holder = role == ATOM_ACQUIRE ? e->thread + 1 : 0;
  return (AtomStep){role, false, false};
}
