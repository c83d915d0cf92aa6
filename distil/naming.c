/* naming.c: globals are named after their symbols and members, all else after its address. */
#include "distil/naming.h"

#include "base/hash.h"
#include "base/intern.h"

#include <assert.h>
#include <string.h>

/* A lock, or a hand-over: a part of one (syncs.h). */
typedef struct {
  uint64_t key; /* 1 + the address */
  uint32_t part;
  bool handover;
  uint32_t number;
} Lock;

struct Naming {
  Heap *heap;
  Places *places;
  Log *log;
  VEC(Lock) locks; /* open addressing over a power of two; key 0 is free */
  uint32_t n_locks;
  Intern symbols;
  VEC(uint64_t) symbol_at; /* by the number of the symbol's name */
  uint32_t count;
};

Naming *naming_new(Heap *heap, Places *places, Log *log) {
  Naming *n = heap_zeroed(heap, sizeof *n);
  n->heap = heap;
  n->places = places;
  n->log = log;
  vec_resize_zeroed(heap, &n->locks, 64);
  intern_init(&n->symbols, heap);
  return n;
}

void naming_free(Naming *n) {
  vec_fini(n->heap, &n->locks);
  vec_fini(n->heap, &n->symbol_at);
  intern_fini(&n->symbols);
  heap_release(n->heap, n);
}

uint32_t naming_count(const Naming *n) { return n->count; }

/* The text, if no other address has it, or else the text with a number; its length. */
static int print_unique(Naming *n, uint64_t address, char *text, int length, size_t size) {
  for (uint32_t i = 1;; i++) {
    bool is_new;
    int end = length;
    if (i > 1) end += snprintf(text + length, size - (size_t)length, "#%u", i);
    const uint32_t number = intern_add(&n->symbols, text, (size_t)end, &is_new);
    if (is_new) vec_push(n->heap, &n->symbol_at, address);
    if (n->symbol_at.at[number] == address) return end;
  }
}

/* The symbol, and what of it; size: 0 for locks. */
static int print_object(Naming *n, uint64_t address, uint64_t bytes, char *text, size_t size) {
  uint32_t length;
  uint64_t start;
  bool inherited;
  const char *name = places_symbol(n->places, address, &length, &start);
  if (!name) return snprintf(text, size, "0x%llx", (unsigned long long)address);
  if (length > size / 2) length = (uint32_t)(size / 2);
  memcpy(text, name, length);
  const int end = print_unique(n, start, text, (int)length, size);
  const Field field = {address - start, bytes};
  if (places_field(n->places, start, field, text + end, size - (size_t)end - 16, &inherited)) {
    const int all = end + (int)strlen(text + end);
    return inherited ? print_unique(n, address, text, all, size) : all;
  }
  if (address == start) return end;
  return end + snprintf(text + end, size - (size_t)end, "+%llu", (unsigned long long)(address - start));
}

/* The parts of an object after the first one have its name with a number that no symbol has. */
static int print_part(Naming *n, uint64_t address, uint32_t part, char *text, size_t size) {
  const int end = print_object(n, address, 0, text, size - 16);
  for (uint32_t i = part; part; i++) {
    bool is_new;
    const int all = end + snprintf(text + end, size - (size_t)end, "#%u", i);
    intern_add(&n->symbols, text, (size_t)all, &is_new);
    if (!is_new) continue;
    vec_push(n->heap, &n->symbol_at, UINT64_MAX);
    return all;
  }
  return end;
}

static uint32_t add_name(Naming *n, const char *text, int length) {
  log_name(n->log, TRACE_OBJECT_NAME, text, (size_t)length);
  return ++n->count;
}

uint32_t naming_object(Naming *n, uint64_t address, uint64_t size) {
  char text[2048];
  return add_name(n, text, print_object(n, address, size, text, sizeof text));
}

static uint32_t name_lock(Naming *n, uint64_t address, uint32_t part) {
  char text[2048] = "&";
  return add_name(n, text, 1 + print_part(n, address, part, text + 1, sizeof text - 1));
}

static Lock *lock_slot(Naming *n, const Lock *lock) {
  assert(n->locks.at);
  const uint64_t hash = hash_word(lock->key ^ (uint64_t)lock->part << 40 ^ (uint64_t)lock->handover << 63);
  for (uint32_t slot = (uint32_t)hash & (n->locks.n - 1);; slot = (slot + 1) & (n->locks.n - 1)) {
    Lock *at = &n->locks.at[slot];
    if (!at->key || (at->key == lock->key && at->part == lock->part && at->handover == lock->handover)) return at;
  }
}

static void grow_locks(Naming *n) {
  Lock *old = n->locks.at;
  const uint32_t room = n->locks.n;
  n->locks.at = NULL;
  n->locks.n = n->locks.cap = 0;
  vec_resize_zeroed(n->heap, &n->locks, room * 2);
  for (uint32_t i = 0; i < room; i++)
    if (old[i].key) *lock_slot(n, &old[i]) = old[i];
  heap_release(n->heap, old);
}

static uint32_t number_of(Naming *n, Lock wanted) {
  if (n->n_locks * 2 >= n->locks.n) grow_locks(n);
  Lock *lock = lock_slot(n, &wanted);
  if (!lock->key) {
    *lock = wanted;
    lock->number = name_lock(n, wanted.key - 1, wanted.part);
    n->n_locks++;
  }
  return lock->number;
}

uint32_t naming_lock(Naming *n, uint64_t address) { return number_of(n, (Lock){.key = address + 1}); }

uint32_t naming_handover(Naming *n, uint64_t address, uint32_t part) {
  return number_of(n, (Lock){.key = address + 1, .part = part, .handover = true});
}

void naming_thread(Naming *n, uint32_t thread, uint64_t function) {
  char text[512];
  uint32_t length;
  uint64_t start;
  const char *name = function ? places_symbol(n->places, function, &length, &start) : NULL;
  int end = snprintf(text, sizeof text, name ? "T%u:%.*s" : "T%u", thread, (int)(name ? length : 0), name ? name : "");
  if (end >= (int)sizeof text) end = (int)sizeof text - 1;
  log_name(n->log, TRACE_THREAD_NAME, text, (size_t)end);
}
