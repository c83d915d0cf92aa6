/* naming.c: globals are named after their symbols and members, all else after its address. */
#include "distil/naming.h"

#include "base/intern.h"
#include "distil/keys.h"

#include <string.h>

struct Naming {
  Heap *heap;
  Places *places;
  Log *log;
  Keys locks;            /* twice the address, and 1 for a hand-over */
  VEC(U32Vec) lock_part; /* by the numbers of these: the number of each part (syncs.h), or 0 */
  Intern symbols;
  VEC(uint64_t) symbol_at; /* by the number of the symbol's name */
  uint32_t count;
};

Naming *naming_new(Heap *heap, Places *places, Log *log) {
  Naming *n = heap_zeroed(heap, sizeof *n);
  n->heap = heap;
  n->places = places;
  n->log = log;
  intern_init(&n->symbols, heap);
  return n;
}

void naming_free(Naming *n) {
  keys_fini(n->heap, &n->locks);
  for (uint32_t i = 0; i < n->lock_part.n; i++) vec_fini(n->heap, &n->lock_part.at[i]);
  vec_fini(n->heap, &n->lock_part);
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

static uint32_t number_of(Naming *n, uint64_t address, uint32_t part, bool handover) {
  const uint32_t lock = keys_add(n->heap, &n->locks, address * 2 + handover, NULL);
  vec_resize_zeroed(n->heap, &n->lock_part, n->locks.n);
  U32Vec *parts = &n->lock_part.at[lock];
  if (part >= parts->n) vec_resize_zeroed(n->heap, parts, part + 1);
  if (!parts->at[part]) parts->at[part] = name_lock(n, address, part);
  return parts->at[part];
}

uint32_t naming_lock(Naming *n, uint64_t address) { return number_of(n, address, 0, false); }

uint32_t naming_handover(Naming *n, uint64_t address, uint32_t part) { return number_of(n, address, part, true); }

void naming_thread(Naming *n, uint32_t thread, uint64_t function) {
  char text[512];
  uint32_t length;
  uint64_t start;
  const char *name = function ? places_symbol(n->places, function, &length, &start) : NULL;
  int end = snprintf(text, sizeof text, name ? "T%u:%.*s" : "T%u", thread, (int)(name ? length : 0), name ? name : "");
  if (end >= (int)sizeof text) end = (int)sizeof text - 1;
  log_name(n->log, TRACE_THREAD_NAME, text, (size_t)end);
}
