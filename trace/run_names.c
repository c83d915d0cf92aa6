#include "trace/run_names.h"

#include <assert.h>

enum { BLOCK = 1 << 16, MEMO_PER_NAME = 4, FIRST_MEMO = 256, MOST_MEMO = 1 << 17 };

/* ---- lists ---- */

void trace_name_list_init(NameList *list, Heap *heap) {
  *list = (NameList){0};
  arena_init(&list->arena, heap);
}

void trace_name_list_fini(NameList *list) {
  Heap *heap = list->arena.heap;
  vec_fini(heap, &list->at);
  arena_fini(&list->arena);
  trace_name_list_init(list, heap);
}

/* Memory for a string; short ones stand side by side. */
static char *take(NameList *list, size_t size) {
  if (size > BLOCK / 16) return arena_alloc(&list->arena, size);
  if (size > list->n_free) {
    list->free = arena_alloc(&list->arena, BLOCK);
    list->n_free = BLOCK;
  }
  char *at = list->free;
  assert(size <= list->n_free);
  list->free += size;
  list->n_free -= size;
  return at;
}

uint32_t trace_name_list_add(NameList *list, const char *name, size_t length) {
  assert(!memchr(name, '\0', length)); /* it is found again as a string */
  Heap *heap = list->arena.heap;
  vec_reserve(heap, &list->at, 1);
  if (list->at.n >= UINT32_MAX - 1) heap_give_up(heap);
  char *copy = length ? take(list, length + 1) : NULL;
  if (copy) {
    memcpy(copy, name, length);
    copy[length] = '\0';
  }
  vec_push(heap, &list->at, copy ? copy : "");
  return list->at.n - 1;
}

/* ---- tables ---- */

static void new_memo(NameTable *table, uint32_t size) {
  assert(size && (size & (size - 1)) == 0);
  Heap *heap = table->list->arena.heap;
  NameMemo *memo = heap_zeroed(heap, heap_product(heap, size, sizeof *memo));
  heap_release(heap, table->memo);
  table->memo = memo;
  table->memo_mask = size - 1;
}

void trace_name_table_init(NameTable *table, NameList *list) {
  *table = (NameTable){.list = list};
  new_memo(table, FIRST_MEMO);
}

void trace_name_table_fini(NameTable *table) {
  if (!table->list) return;
  Heap *heap = table->list->arena.heap;
  heap_release(heap, table->memo);
  if (table->numbered) numbered_fini(heap, table->numbered);
  heap_release(heap, table->numbered);
  slots_fini(heap, &table->slots);
  *table = (NameTable){0};
}

static inline uint64_t load(const char *at) {
  uint64_t word;
  memcpy(&word, at, 8);
  return word;
}

/* The last word overlaps the one before. */
static uint32_t hash_name(const char *name, size_t length) {
  const uint64_t odd = 0x9e3779b97f4a7c15;
  uint64_t hash = length;
  if (length < 8) {
    for (size_t i = 0; i < length; i++) hash = hash << 8 | (unsigned char)name[i];
  } else {
    for (size_t i = 0; i < length - 8; i += 8) hash = (hash ^ hash >> 32 ^ load(name + i)) * odd;
    hash = (hash ^ hash >> 32 ^ load(name + length - 8)) * odd;
  }
  return (uint32_t)((hash ^ hash >> 32) * odd >> 32);
}

/* The slot in which the name with that hash stands, or the free one where it belongs. */
static HashSlot *find_slot(const NameTable *table, const char *name, size_t length, uint32_t hash) {
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&table->slots, i);
    if (!slot->number) return slot;
    const char *other = table->list->at.at[slot->number - 1];
    if (slot->hash == hash && strncmp(other, name, length) == 0 && !other[length]) return slot;
  }
}

/* The memo is too large to be near. */
static void leave_memo(NameTable *table) {
  table->numbered = heap_zeroed(table->list->arena.heap, sizeof *table->numbered);
  new_memo(table, 1);
}

static void remember_short(NameTable *table, const char *name, size_t length, uint32_t number) {
  if (length - 1 >= 8) return;
  char bytes[16] = {0};
  memcpy(bytes + 8, name, length);
  const uint64_t word = trace_name_word(bytes + 8, length);
  table->memo[trace_name_place(word) & table->memo_mask] = (NameMemo){word, number};
}

static void remember(NameTable *table, const char *name, size_t length, uint32_t number) {
  const uint32_t size = table->memo_mask + 1;
  if (!table->numbered && table->n_names > size / MEMO_PER_NAME)
    size < MOST_MEMO ? new_memo(table, 2 * size) : leave_memo(table);
  if (!table->numbered) remember_short(table, name, length, number);
}

static uint32_t add(NameTable *table, const char *name, size_t length) {
  if (table->n_names >= table->slots.n / 4 * 3) slots_grow(table->list->arena.heap, &table->slots);
  assert(table->n_names < table->slots.n); /* so that the search ends */
  const uint32_t hash = hash_name(name, length);
  HashSlot *slot = find_slot(table, name, length, hash);
  if (!slot->number) {
    *slot = (HashSlot){hash, trace_name_list_add(table->list, name, length) + 1};
    table->n_names++;
  }
  return slot->number - 1;
}

uint32_t trace_name_table_add(NameTable *table, const char *name, size_t length) {
  const uint32_t number = add(table, name, length);
  remember(table, name, length, number);
  return number;
}

uint32_t trace_name_far(NameTable *table, const char *name, size_t length) {
  NumberedName split;
  if (!numbered_split(name, length, &split)) return add(table, name, length);
  const uint32_t *there = numbered_find(table->numbered, split);
  if (there && *there) return *there - 1;
  const uint32_t number = add(table, name, length);
  numbered_put(table->list->arena.heap, table->numbered, split, number, table->list->at.n);
  return number;
}

/* ---- looking ahead ---- */

void trace_name_ahead(NameAhead *ahead, const NameTable *table, const char *name, size_t length) {
  assert(ahead->n < NAME_AHEAD && table->numbered);
  NumberedName split;
  const uint32_t *there = numbered_split(name, length, &split) ? numbered_find(table->numbered, split) : NULL;
  __builtin_prefetch(there);
  if (there) return;
  const uint32_t hash = hash_name(name, length);
  __builtin_prefetch(slots_at(&table->slots, hash));
  ahead->tables[ahead->n] = table;
  ahead->hashes[ahead->n++] = hash;
}

/* The number of a name that has the hash. */
static uint32_t likely(const NameTable *table, uint32_t hash) {
  const HashSlot *slot = slots_at(&table->slots, hash);
  return slot->number && slot->hash == hash ? slot->number - 1 : 0;
}

void trace_name_ahead_end(const NameAhead *ahead) {
  for (uint32_t i = 0; i < ahead->n; i++)
    __builtin_prefetch(&ahead->tables[i]->list->at.at[likely(ahead->tables[i], ahead->hashes[i])]);
  for (uint32_t i = 0; i < ahead->n; i++)
    __builtin_prefetch(ahead->tables[i]->list->at.at[likely(ahead->tables[i], ahead->hashes[i])]);
}

/* ---- all kinds ---- */

void trace_names_init(TraceNames *names, Heap *heap) {
  names->heap = heap;
  names->may_repeat = false;
  for (int kind = 0; kind < TRACE_NAME_KINDS; kind++) trace_name_list_init(&names->list[kind], heap);
}

void trace_names_fini(TraceNames *names) {
  for (int kind = 0; kind < TRACE_NAME_KINDS; kind++) trace_name_list_fini(&names->list[kind]);
}

TraceNames *trace_names_new(Heap *heap) {
  TraceNames *names = heap_alloc(heap, sizeof *names);
  trace_names_init(names, heap);
  names->may_repeat = true;
  return names;
}

void trace_names_free(TraceNames *names) {
  if (!names) return;
  trace_names_fini(names);
  heap_release(names->heap, names);
}

uint32_t trace_names_add(TraceNames *names, TraceNameKind kind, const char *name) {
  assert(kind < TRACE_NAME_KINDS);
  return trace_name_list_add(&names->list[kind], name, strlen(name));
}

uint32_t trace_name_count(const TraceNames *names, TraceNameKind kind) { return names->list[kind].at.n; }
const char *trace_name(const TraceNames *names, TraceNameKind kind, uint32_t number) {
  return names->list[kind].at.at[number];
}
