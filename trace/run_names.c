#include "trace/run_names.h"

#include <assert.h>

enum { BLOCK = 1 << 16, MEMO_PER_NAME = 4, FIRST_MEMO = 256, MOST_MEMO = 1 << 20 };

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
  heap_release(table->list->arena.heap, table->memo);
  slots_fini(table->list->arena.heap, &table->slots);
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

static void remember(NameTable *table, const char *name, size_t length, uint32_t number) {
  if (table->n_names > (table->memo_mask + 1) / MEMO_PER_NAME && table->memo_mask < MOST_MEMO - 1)
    new_memo(table, (table->memo_mask + 1) * 2);
  if (length - 1 >= 8) return;
  char bytes[16] = {0};
  memcpy(bytes + 8, name, length);
  const uint64_t word = trace_name_word(bytes + 8, length);
  table->memo[trace_name_place(word) & table->memo_mask] = (NameMemo){word, number};
}

uint32_t trace_name_table_add(NameTable *table, const char *name, size_t length) {
  if (table->n_names >= table->slots.n / 4 * 3) slots_grow(table->list->arena.heap, &table->slots);
  assert(table->n_names < table->slots.n); /* so that the search ends */
  const uint32_t hash = hash_name(name, length);
  HashSlot *slot = find_slot(table, name, length, hash);
  if (!slot->number) {
    *slot = (HashSlot){hash, trace_name_list_add(table->list, name, length) + 1};
    table->n_names++;
  }
  remember(table, name, length, slot->number - 1);
  return slot->number - 1;
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
