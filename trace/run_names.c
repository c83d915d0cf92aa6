#include "trace/run_names.h"

#include <assert.h>

enum { BLOCK = 1 << 16, MEMO_PER_NAME = 4, FIRST_MEMO = 64, MOST_MEMO = 1 << 17 };

/* ---- lists ---- */

void trace_name_list_init(NameList *list, Heap *heap) {
  *list = (NameList){0};
  arena_init(&list->arena, heap);
}

void trace_name_list_fini(NameList *list) {
  Heap *heap = list->arena.heap;
  vec_fini(heap, &list->at);
  vec_fini(heap, &list->gone);
  arena_fini(&list->arena);
  trace_name_list_init(list, heap);
}

/* Where names with room for so many bytes stand in `rooms`, and what their room is. */
static uint32_t class_of(size_t size, size_t *room) {
  enum { EIGHTS = 8 }; /* up to 64 bytes; then powers of two */
  uint32_t class = EIGHTS;
  *room = (size + 7) / 8 * 8;
  if (*room <= 8 * EIGHTS) return (uint32_t)(*room / 8) - 1;
  for (*room = 16 * EIGHTS; *room < size; *room *= 2) class ++;
  assert(class < NAME_ROOMS);
  return class;
}

/* Memory for a string; short ones stand side by side. */
static char *take(NameList *list, size_t size) {
  size_t room;
  const uint32_t class = class_of(size, &room);
  char *at = list->rooms[class];
  if (at) return memcpy(&list->rooms[class], at, sizeof(char *)), at;
  if (room > BLOCK / 16) return arena_alloc(&list->arena, room);
  if (room > list->n_free) {
    list->free = arena_alloc(&list->arena, BLOCK);
    list->n_free = BLOCK;
  }
  at = list->free;
  assert(room <= list->n_free);
  list->free += room;
  list->n_free -= room;
  return at;
}

static const char *copy_of(NameList *list, const char *name, size_t length) {
  if (!length) return "";
  char *copy = take(list, length + 1);
  memcpy(copy, name, length);
  copy[length] = '\0';
  return copy;
}

uint32_t trace_name_list_add(NameList *list, const char *name, size_t length) {
  assert(!memchr(name, '\0', length)); /* it is found again as a string */
  Heap *heap = list->arena.heap;
  vec_reserve(heap, &list->at, 1);
  if (list->at.n >= UINT32_MAX - 1) heap_give_up(heap);
  const char *copy = copy_of(list, name, length);
  const uint32_t number = list->gone.n ? list->gone.at[--list->gone.n] : list->at.n++;
  list->at.at[number] = copy;
  return number;
}

void trace_name_list_forget(NameList *list, uint32_t number) {
  char *name = (char *)list->at.at[number]; /* its memory is the list's */
  const size_t length = strlen(name);
  size_t room;
  vec_push(list->arena.heap, &list->gone, number);
  list->n_forgotten++;
  list->at.at[number] = "";
  if (!length) return;
  char **first = &list->rooms[class_of(length + 1, &room)];
  memcpy(name, first, sizeof(char *));
  *first = name;
}

void trace_name_list_carry(NameList *list, Carry *carry) {
  Heap *heap = list->arena.heap;
  const uint32_t n = carry_count(carry, list->at.n, sizeof(uint32_t));
  assert(!carry->in || !list->at.n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t length = carry->in ? 0 : (uint32_t)strlen(list->at.at[i]);
    length = carry_count(carry, length, 1);
    if (!carry->in) {
      carry_bytes(carry, (char *)list->at.at[i], length); /* which are only read */
    } else {
      vec_push(heap, &list->at, copy_of(list, carry->bytes.at + carry->at, length));
      carry->at += length;
    }
  }
  carry_vec(carry, &list->gone);
  carry_value(carry, list->n_forgotten);
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

static uint32_t add_new(NameTable *table, const char *name, size_t length) {
  table->n_names++;
  return trace_name_list_add(table->list, name, length);
}

/* Room for one more. */
static void reserve_slot(NameTable *table) {
  if (table->n_hashed >= table->slots.n / 4 * 3) slots_grow(table->list->arena.heap, &table->slots);
  assert(table->n_hashed < table->slots.n); /* so that the search ends */
}

/* Of a name that is not in the table. */
static void put_slot(NameTable *table, HashSlot slot) {
  uint32_t i = slot.hash;
  reserve_slot(table);
  while (slots_at(&table->slots, i)->number) i++;
  *slots_at(&table->slots, i) = slot;
  table->n_hashed++;
  table->n_names++;
}

static uint32_t add_hashed(NameTable *table, const char *name, size_t length, uint32_t hash) {
  reserve_slot(table);
  HashSlot *slot = find_slot(table, name, length, hash);
  if (!slot->number) {
    *slot = (HashSlot){hash, add_new(table, name, length) + 1};
    table->n_hashed++;
  }
  return slot->number - 1;
}

/* ---- many names ---- */

/* Where the number + 1 of the name stands, or is to stand, if not in the hash table. */
static uint32_t *place_of(NameTable *table, const char *name, size_t length) {
  NumberedName split;
  if (!numbered_split(name, length, &split)) return NULL;
  const NumberedCounts counts = {table->n_names, table->n_names - table->n_hashed};
  return numbered_add(table->list->arena.heap, table->numbered, name, length, &split, counts);
}

/* A copy of the name, in front of which bytes may be read; NULL if it is too long to be a numbered one. */
enum { READ_IN_FRONT = 15 };
typedef struct {
  char bytes[READ_IN_FRONT + NUMBERED_LONGEST];
} NameRoom;

static const char *copy_to(NameRoom *room, const char *name, size_t length) {
  if (length > NUMBERED_LONGEST) return NULL;
  memset(room->bytes, 0, READ_IN_FRONT);
  return memcpy(room->bytes + READ_IN_FRONT, name, length);
}

/* The name, which has this number, leaves the hash table, if it is a numbered one. */
static bool move_out(NameTable *table, uint32_t number) {
  NameRoom room;
  const char *name = table->list->at.at[number];
  const size_t length = strlen(name);
  const char *copy = copy_to(&room, name, length);
  uint32_t *place = copy ? place_of(table, copy, length) : NULL;
  if (place) *place = number + 1;
  table->n_names += place != NULL;
  return place;
}

/* The memo is too large to be near. */
static void become_far(NameTable *table) {
  Heap *heap = table->list->arena.heap;
  HashSlots old = table->slots;
  table->numbered = heap_zeroed(heap, sizeof *table->numbered);
  new_memo(table, 1);
  table->slots = (HashSlots){0};
  table->n_hashed = table->n_names = 0;
  slots_grow(heap, &table->slots);
  for (uint32_t i = 0; i < old.n; i++)
    if (old.at[i].number && !move_out(table, old.at[i].number - 1)) put_slot(table, old.at[i]);
  slots_fini(heap, &old);
}

/* A name that may be a numbered one, though it was put into the hash table. */
static uint32_t add_at(NameTable *table, uint32_t *place, const char *name, size_t length) {
  HashSlot *slot = table->n_hashed ? find_slot(table, name, length, hash_name(name, length)) : NULL;
  *place = slot && slot->number ? slot->number : add_new(table, name, length) + 1;
  return *place - 1;
}

uint32_t trace_name_far(NameTable *table, const char *name, size_t length) {
  uint32_t *place = place_of(table, name, length);
  if (!place) return add_hashed(table, name, length, hash_name(name, length));
  return *place ? *place - 1 : add_at(table, place, name, length);
}

uint32_t trace_name_add_sought(NameTable *table, const NameSought *sought, const char *name, size_t length) {
  if (sought->place && sought->moves == table->numbered->moves) return add_at(table, sought->place, name, length);
  const HashSlot *slot = sought->place ? NULL : find_slot(table, name, length, sought->hash);
  return slot && slot->number ? slot->number - 1 : trace_name_far(table, name, length);
}

uint32_t trace_name_seek_hash(const NameTable *table, const char *name, size_t length) {
  const uint32_t hash = hash_name(name, length);
  __builtin_prefetch(slots_at(&table->slots, hash));
  return hash;
}

/* The number of a name that has the hash. */
static uint32_t likely(const NameTable *table, uint32_t hash) {
  const HashSlot *slot = slots_at(&table->slots, hash);
  return slot->number && slot->hash == hash ? slot->number - 1 : 0;
}

void trace_name_seek_list(const NameTable *table, const NameSought *sought) {
  if (!sought->place) __builtin_prefetch(&table->list->at.at[likely(table, sought->hash)]);
}

void trace_name_seek_text(const NameTable *table, const NameSought *sought) {
  if (!sought->place) __builtin_prefetch(table->list->at.at[likely(table, sought->hash)]);
}

/* ---- few names ---- */

static void remember_short(NameTable *table, const char *name, size_t length, uint32_t number) {
  if (length - 1 >= 8) return;
  char bytes[16] = {0};
  memcpy(bytes + 8, name, length);
  const uint64_t word = trace_name_word(bytes + 8, length);
  table->memo[trace_name_place(word) & table->memo_mask] = (NameMemo){word, number};
}

static void remember(NameTable *table, const char *name, size_t length, uint32_t number) {
  const uint32_t size = table->memo_mask + 1;
  if (table->n_names > size / MEMO_PER_NAME) size < MOST_MEMO ? new_memo(table, 2 * size) : become_far(table);
  if (!table->numbered) remember_short(table, name, length, number);
}

uint32_t trace_name_table_add(NameTable *table, const char *name, size_t length) {
  const uint32_t hash = hash_name(name, length);
  NameRoom room;
  if (table->numbered) {
    const char *copy = copy_to(&room, name, length);
    return copy ? trace_name_far(table, copy, length) : add_hashed(table, name, length, hash);
  }
  const uint32_t number = add_hashed(table, name, length, hash);
  remember(table, name, length, number);
  return number;
}

/* ---- names that are forgotten ---- */

static void forget_short(NameTable *table, const char *name, size_t length) {
  if (length > 8) return;
  char bytes[16] = {0};
  memcpy(bytes + 8, name, length);
  const uint64_t word = trace_name_word(bytes + 8, length);
  NameMemo *memo = &table->memo[trace_name_place(word) & table->memo_mask];
  if (memo->word == word) *memo = (NameMemo){0};
}

static HashSlot *find_hashed(const NameTable *table, const char *name, size_t length, uint32_t number) {
  HashSlot *slot = table->slots.n ? find_slot(table, name, length, hash_name(name, length)) : NULL;
  return slot && slot->number == number + 1 ? slot : NULL;
}

static bool remove_hashed(NameTable *table, const char *name, size_t length, uint32_t number) {
  HashSlot *slot = find_hashed(table, name, length, number);
  if (!slot) return false;
  slots_remove(&table->slots, slot);
  table->n_hashed--;
  return true;
}

static uint32_t *find_numbered(const NameTable *table, const char *name, size_t length, uint32_t number) {
  NameRoom room;
  NumberedName split;
  const char *copy = table->numbered ? copy_to(&room, name, length) : NULL;
  if (!copy || !numbered_split(copy, length, &split)) return NULL;
  uint32_t *place = numbered_find(table->numbered, copy, length, &split);
  return place && *place == number + 1 ? place : NULL;
}

static bool remove_numbered(const NameTable *table, const char *name, size_t length, uint32_t number) {
  uint32_t *place = find_numbered(table, name, length, number);
  if (place) *place = 0;
  return place;
}

bool trace_name_table_remove(NameTable *table, uint32_t number) {
  const char *name = table->list->at.at[number];
  const size_t length = strlen(name);
  if (!remove_numbered(table, name, length, number) && !remove_hashed(table, name, length, number)) return false;
  forget_short(table, name, length);
  table->n_names--;
  return true;
}

/* ---- names that are carried ---- */

static bool has_number(const NameTable *table, uint32_t number) {
  const char *name = table->list->at.at[number];
  const size_t length = strlen(name);
  return length && (find_numbered(table, name, length, number) || find_hashed(table, name, length, number));
}

/* The name, which is in the list and not in the table, with its number. */
static void put_number(NameTable *table, uint32_t number) {
  const char *name = table->list->at.at[number];
  const size_t length = strlen(name);
  if (table->numbered && move_out(table, number)) return;
  put_slot(table, (HashSlot){hash_name(name, length), number + 1});
  if (!table->numbered) remember(table, name, length, number);
}

void trace_name_table_carry(NameTable *table, Carry *carry) {
  Heap *heap = table->list->arena.heap;
  U32Vec numbers = {0};
  for (uint32_t i = 0; !carry->in && table->n_names && i < table->list->at.n; i++)
    if (has_number(table, i)) vec_push(heap, &numbers, i);
  carry_vec(carry, &numbers);
  for (uint32_t i = 0; carry->in && i < numbers.n; i++)
    if (numbers.at[i] < table->list->at.n) put_number(table, numbers.at[i]);
    else carry->bad = true;
  vec_fini(heap, &numbers);
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
uint64_t trace_name_total(const TraceNames *names, TraceNameKind kind) {
  return names->list[kind].at.n + names->list[kind].n_forgotten - names->list[kind].gone.n;
}
const char *trace_name(const TraceNames *names, TraceNameKind kind, uint32_t number) {
  return names->list[kind].at.at[number];
}
