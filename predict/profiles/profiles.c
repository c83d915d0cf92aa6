#include "predict/profiles/profiles.h"

#include "base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64, LONG = 1 << 12 }; /* steps; of a long transaction some are dropped before its end */

void profiles_init(Profiles *p, Heap *heap, bool places) {
  *p = (Profiles){.heap = heap, .places = places};
  arena_init(&p->arena, heap);
}

void profiles_fini(Profiles *p) {
  arena_fini(&p->arena);
  vec_fini(p->heap, &p->codes);
  slots_fini(p->heap, &p->code_slots);
  vec_fini(p->heap, &p->memos);
  vec_fini(p->heap, &p->records);
  slots_fini(p->heap, &p->record_slots);
  vec_fini(p->heap, &p->singles);
  vec_fini(p->heap, &p->seen);
  vec_fini(p->heap, &p->keep);
}

/* ---- codes ---- */

static uint32_t intern_code(Profiles *p, const ProfileCode *code) {
  const uint32_t hash = (uint32_t)hash_word((uint64_t)code->place << 32 | (2 * code->object + code->write));
  if (2 * p->codes.n >= p->code_slots.n) slots_grow(p->heap, &p->code_slots);
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&p->code_slots, i);
    if (!slot->number) {
      vec_push(p->heap, &p->codes, *code);
      *slot = (HashSlot){hash, p->codes.n};
      return p->codes.n - 1;
    }
    const ProfileCode *other = &p->codes.at[slot->number - 1];
    if (slot->hash == hash && other->object == code->object && other->place == code->place &&
        other->write == code->write)
      return slot->number - 1;
  }
}

uint32_t profiles_find_code(Profiles *p, uint32_t object, bool write, uint32_t place) {
  assert(p->places && object < p->n_objects);
  const uint32_t at = 2 * object + write;
  if (at >= p->memos.n) vec_resize_zeroed(p->heap, &p->memos, 2 * p->n_objects);
  if (p->memos.at[at].code == 0 || p->memos.at[at].place != place)
    p->memos.at[at] = (ProfileMemo){place, intern_code(p, &(ProfileCode){object, place, write}) + 1};
  return p->memos.at[at].code - 1;
}

static ProfileCode code_at(const Profiles *p, uint32_t code) {
  return p->places ? p->codes.at[code] : (ProfileCode){code / 2, 0, code % 2};
}

static uint32_t count_codes(const Profiles *p) { return p->places ? p->codes.n : 2 * p->n_objects; }

/* ---- transactions ---- */

static void next_stamp(Profiles *p) {
  if (++p->stamp) return;
  memset(p->seen.at, 0, p->seen.n * sizeof *p->seen.at);
  p->stamp = 1;
}

/* Keeps of each code the first and the last one, between steps `from` and `to`, which is of the next stage; moves them
 * to `put`. The number after them. */
static uint32_t shorten_stage(Profiles *p, ProfileOpen *open, uint32_t from, uint32_t to, uint32_t put) {
  assert(put <= from && from <= to && to <= open->n);
  next_stamp(p);
  for (uint32_t i = from; i < to; i++) {
    ProfileSeen *seen = &p->seen.at[open->codes[i]];
    p->keep.at[i] = seen->stamp != p->stamp; /* the first */
    *seen = (ProfileSeen){p->stamp, i};
  }
  for (uint32_t i = from; i < to; i++) {
    if (!p->keep.at[i] && p->seen.at[open->codes[i]].index != i) continue;
    open->codes[put] = open->codes[i];
    open->events[put++] = open->events[i];
  }
  return put;
}

static void shorten(Profiles *p, ProfileOpen *open) {
  uint32_t put = 0;
  if (p->seen.n < count_codes(p)) vec_resize_zeroed(p->heap, &p->seen, count_codes(p));
  if (p->keep.n < open->n) vec_resize_zeroed(p->heap, &p->keep, open->n);
  for (uint32_t from = 0, to; from < open->n; from = to + 1) {
    for (to = from; to < open->n && open->codes[to] != PROFILE_STAGE; to++) continue;
    put = shorten_stage(p, open, from, to, put);
    if (to < open->n) open->codes[put++] = PROFILE_STAGE;
  }
  open->n = put;
}

void profiles_make_room(Profiles *p, ProfileOpen *open) {
  if (open->n >= LONG) shorten(p, open);
  if (open->n < open->cap - open->cap / 4) return;
  if (open->cap > UINT32_MAX / 2) heap_give_up(p->heap);
  const uint32_t cap = open->cap ? 2 * open->cap : FIRST_ROOM;
  open->codes = heap_resize(p->heap, open->codes, heap_product(p->heap, cap, sizeof *open->codes));
  open->events = heap_resize(p->heap, open->events, heap_product(p->heap, cap, sizeof *open->events));
  open->cap = cap;
}

void profiles_open_fini(Profiles *p, ProfileOpen *open) {
  heap_release(p->heap, open->codes);
  heap_release(p->heap, open->events);
  *open = (ProfileOpen){0};
}

/* ---- records ---- */

static uint32_t hash_record(const ProfileOpen *open) {
  uint64_t hash = hash_join((uint64_t)open->player << 32 | open->stage, open->kind);
  for (uint32_t i = 0; i < open->n; i++) hash = ((hash << 27 | hash >> 37) ^ open->codes[i]) * 0x9e3779b97f4a7c15u;
  return (uint32_t)hash_word(hash);
}

static bool is_record(const ProfileRecord *record, const ProfileOpen *open) {
  return record->player == open->player && record->stage == open->stage && record->kind == open->kind &&
         record->n == open->n && memcmp(record->codes, open->codes, open->n * sizeof *open->codes) == 0;
}

/* Where the record stands, or belongs. */
static HashSlot *find_record(Profiles *p, const ProfileOpen *open, uint32_t hash) {
  if (2 * p->records.n >= p->record_slots.n) slots_grow(p->heap, &p->record_slots);
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&p->record_slots, i);
    if (!slot->number || (slot->hash == hash && is_record(p->records.at[slot->number - 1].it, open))) return slot;
  }
}

static void add_record(Profiles *p, const ProfileOpen *open, HashSlot *slot, uint32_t hash) {
  assert(open->n > 0 && !slot->number);
  const size_t n = open->n, codes = (n + 1) / 2 * 2;
  const size_t size = sizeof(ProfileRecord) + codes * sizeof(uint32_t) + 2 * n * sizeof(uint64_t);
  ProfileRecord *record = arena_alloc(&p->arena, size);
  uint64_t *events = (uint64_t *)(record->codes + codes);
  *record =
      (ProfileRecord){open->player, open->stage, open->kind, open->n, open->begin, open->begin, {events + n, events}};
  memcpy(record->codes, open->codes, n * sizeof *open->codes);
  for (uint32_t i = 0; i < 2; i++) memcpy(record->events[i], open->events, n * sizeof *open->events);
  vec_push(p->heap, &p->records, (ProfileRecordRef){record});
  *slot = (HashSlot){hash, p->records.n};
}

/* The transaction came again, if it is there. */
static bool note_again(Profiles *p, const ProfileOpen *open, const HashSlot *slot) {
  if (!slot->number) return false;
  ProfileRecord *record = p->records.at[slot->number - 1].it;
  assert(record->n == open->n && record->last <= open->begin);
  record->last = open->begin;
  memcpy(record->events[1], open->events, open->n * sizeof *open->events);
  return true;
}

/* Its number. Shortened or not: a record is as it is when it is shortened. */
static uint32_t note_transaction(Profiles *p, ProfileOpen *open, bool is_short) {
  uint32_t hash = hash_record(open), n = open->n;
  HashSlot *slot = find_record(p, open, hash);
  if (note_again(p, open, slot)) return slot->number - 1;
  if (!is_short) shorten(p, open);
  if (open->n < n) {
    hash = hash_record(open);
    slot = find_record(p, open, hash);
    if (note_again(p, open, slot)) return slot->number - 1;
  }
  add_record(p, open, slot, hash);
  return p->records.n - 1;
}

void profiles_close(Profiles *p, ProfileOpen *open) {
  while (open->n && open->codes[open->n - 1] == PROFILE_STAGE) open->n--;
  if (open->n) note_transaction(p, open, false);
  open->n = 0;
  if (open->cap > LONG) profiles_open_fini(p, open);
}

void profiles_single(Profiles *p, uint32_t player, uint32_t stage, uint32_t code, uint64_t event) {
  if (code >= p->singles.n) vec_resize_zeroed(p->heap, &p->singles, count_codes(p));
  uint32_t *number = &p->singles.at[code];
  if (*number) {
    ProfileRecord *record = p->records.at[*number - 1].it;
    if (record->player == player && record->stage == stage) {
      record->events[1][0] = record->last = event;
      return;
    }
  }
  ProfileOpen open = {
      .player = player, .stage = stage, .begin = event, .n = 1, .cap = 1, .codes = &code, .events = &event};
  *number = note_transaction(p, &open, true) + 1;
}

/* ---- the table ---- */

typedef struct {
  uint32_t code, stage;
} Class;

/* One player's part of the table, as it is made. */
typedef struct {
  Profiles *p;
  Arena *arena;
  const bool *counts; /* per object */
  HashSlots slots, block_slots;
  VEC(Class) classes;
  VEC(ProfileEvents) events;
  VEC(uint64_t) first, last; /* transactions */
  VEC(CombineMark) marks;
  VEC(CombineBlock) blocks;
  U32Vec records;
} Making;

/* Its number; made, if it is not there. */
static uint32_t find_class(Making *m, uint32_t code, uint32_t stage) {
  const uint32_t hash = (uint32_t)hash_word((uint64_t)code << 32 | stage);
  Heap *heap = m->p->heap;
  if (2 * m->classes.n >= m->slots.n) slots_grow(heap, &m->slots);
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&m->slots, i);
    if (slot->number && (slot->hash != hash || m->classes.at[slot->number - 1].code != code ||
                         m->classes.at[slot->number - 1].stage != stage))
      continue;
    if (slot->number) return slot->number - 1;
    vec_push(heap, &m->classes, ((Class){code, stage}));
    vec_push(heap, &m->events, (ProfileEvents){0});
    vec_push(heap, &m->first, UINT64_MAX);
    vec_push(heap, &m->last, 0);
    *slot = (HashSlot){hash, m->classes.n};
    return m->classes.n - 1;
  }
}

static void note_access(Making *m, uint32_t class, const ProfileRecord *record, uint32_t i) {
  if (record->first < m->first.at[class])
    m->first.at[class] = record->first, m->events.at[class].first = record->events[0][i];
  if (record->last >= m->last.at[class])
    m->last.at[class] = record->last, m->events.at[class].last = record->events[1][i];
}

/* Of two marks of an access the first one is first, the other one last. */
static void set_marks(Making *m) {
  Profiles *p = m->p;
  next_stamp(p);
  if (p->seen.n < m->classes.n) vec_resize_zeroed(p->heap, &p->seen, m->classes.n);
  for (uint32_t i = 0; i < m->marks.n; i++) {
    ProfileSeen *seen = &p->seen.at[m->marks.at[i].access];
    m->marks.at[i].first = seen->stamp != p->stamp;
    m->marks.at[i].last = true;
    if (seen->stamp == p->stamp) m->marks.at[seen->index].last = false;
    *seen = (ProfileSeen){p->stamp, i};
  }
}

/* Where the block with these marks stands, or belongs; records that are not equal may be so in what counts. */
static HashSlot *find_block(Making *m, uint32_t kind) {
  uint64_t hash = kind;
  for (uint32_t i = 0; i < m->marks.n; i++) hash = hash_join(hash, m->marks.at[i].access);
  if (2 * m->blocks.n >= m->block_slots.n) slots_grow(m->p->heap, &m->block_slots);
  for (uint32_t i = (uint32_t)hash;; i++) {
    HashSlot *slot = slots_at(&m->block_slots, i);
    if (!slot->number) return slot->hash = (uint32_t)hash, slot;
    const CombineBlock *block = &m->blocks.at[slot->number - 1];
    if (slot->hash != (uint32_t)hash || block->kind != kind || block->n != m->marks.n) continue;
    uint32_t same = 0;
    while (same < block->n && block->marks[same].access == m->marks.at[same].access) same++;
    if (same == block->n) return slot;
  }
}

/* What the record has that counts. */
static void add_block(Making *m, uint32_t number) {
  assert(number < m->p->records.n);
  const ProfileRecord *record = m->p->records.at[number].it;
  uint32_t stage = record->stage;
  vec_clear(&m->marks);
  for (uint32_t i = 0; i < record->n; i++) {
    if (record->codes[i] == PROFILE_STAGE) stage++;
    if (record->codes[i] == PROFILE_STAGE || !m->counts[code_at(m->p, record->codes[i]).object]) continue;
    const uint32_t class = find_class(m, record->codes[i], stage);
    note_access(m, class, record, i);
    vec_push(m->p->heap, &m->marks, ((CombineMark){class, false, false}));
  }
  if (m->marks.n < 2) return;
  HashSlot *slot = find_block(m, record->kind);
  if (slot->number) return;
  slot->number = m->blocks.n + 1;
  set_marks(m);
  CombineMark *marks = arena_alloc(m->arena, m->marks.n * sizeof *marks);
  memcpy(marks, m->marks.at, m->marks.n * sizeof *marks);
  vec_push(m->p->heap, &m->blocks, ((CombineBlock){m->marks.n, marks, record->kind}));
  vec_push(m->p->heap, &m->records, number);
}

static void *copy(Arena *arena, const void *from, size_t size) {
  void *to = arena_alloc(arena, size);
  if (size) memcpy(to, from, size);
  return to;
}

/* Takes what was made into the table, and clears it for the next player. */
static void finish_player(Making *m, uint32_t player, ProfileTable *table) {
  const uint32_t n = m->classes.n;
  CombineAccess *accesses = arena_alloc(m->arena, n * sizeof *accesses);
  for (uint32_t x = 0; x < n; x++) {
    const ProfileCode code = code_at(m->p, m->classes.at[x].code);
    accesses[x] = (CombineAccess){code.object, code.place, m->classes.at[x].stage, code.write};
  }
  table->players[player] = (CombinePlayer){.n = n,
                                           .accesses = accesses,
                                           .first = copy(m->arena, m->first.at, n * sizeof *m->first.at),
                                           .last = copy(m->arena, m->last.at, n * sizeof *m->last.at),
                                           .n_blocks = m->blocks.n,
                                           .blocks = copy(m->arena, m->blocks.at, m->blocks.n * sizeof *m->blocks.at)};
  table->rows[player].events = copy(m->arena, m->events.at, n * sizeof *m->events.at);
  table->rows[player].records = copy(m->arena, m->records.at, m->records.n * sizeof *m->records.at);
  slots_fini(m->p->heap, &m->slots);
  slots_fini(m->p->heap, &m->block_slots);
  vec_clear(&m->classes), vec_clear(&m->events), vec_clear(&m->first), vec_clear(&m->last);
  vec_clear(&m->blocks), vec_clear(&m->records);
}

/* Which objects do two players use, and one writes? */
static bool *find_shared(Profiles *p, Arena *arena) {
  bool *shared = arena_zeroed(arena, p->n_objects, sizeof *shared);
  bool *written = arena_zeroed(arena, p->n_objects, sizeof *written);
  uint32_t *owner = arena_zeroed(arena, p->n_objects, sizeof *owner);
  for (uint32_t r = 0; r < p->records.n; r++) {
    const ProfileRecord *record = p->records.at[r].it;
    for (uint32_t i = 0; i < record->n; i++) {
      if (record->codes[i] == PROFILE_STAGE) continue;
      const ProfileCode code = code_at(p, record->codes[i]);
      shared[code.object] |= owner[code.object] && owner[code.object] != record->player + 1;
      written[code.object] |= code.write;
      owner[code.object] = record->player + 1;
    }
  }
  for (uint32_t o = 0; o < p->n_objects; o++) shared[o] &= written[o];
  return shared;
}

/* The records' numbers, by player; `from` has where each begins. */
static uint32_t *sort_records(const Profiles *p, Arena *arena, uint32_t n_players, uint32_t *from) {
  uint32_t *numbers = arena_zeroed(arena, p->records.n, sizeof *numbers);
  for (uint32_t r = 0; r < p->records.n; r++) from[p->records.at[r].it->player + 2]++;
  for (uint32_t q = 0; q < n_players; q++) from[q + 2] += from[q + 1];
  for (uint32_t r = 0; r < p->records.n; r++) numbers[from[p->records.at[r].it->player + 1]++] = r;
  return numbers;
}

void profiles_table(Profiles *p, Arena *arena, uint32_t n_players, ProfileTable *table) {
  Making m = {.p = p, .arena = arena, .counts = find_shared(p, arena)};
  uint32_t *from = arena_zeroed(arena, (size_t)n_players + 2, sizeof *from);
  const uint32_t *numbers = sort_records(p, arena, n_players, from);
  table->players = arena_zeroed(arena, n_players, sizeof *table->players);
  table->rows = arena_zeroed(arena, n_players, sizeof *table->rows);
  for (uint32_t q = 0; q < n_players; q++) {
    for (uint32_t i = from[q]; i < from[q + 1]; i++) add_block(&m, numbers[i]);
    finish_player(&m, q, table);
  }
  vec_fini(p->heap, &m.classes), vec_fini(p->heap, &m.events), vec_fini(p->heap, &m.first), vec_fini(p->heap, &m.last);
  vec_fini(p->heap, &m.marks), vec_fini(p->heap, &m.blocks), vec_fini(p->heap, &m.records);
}

uint64_t profiles_event(const Profiles *p, const ProfileTable *table, uint32_t player, uint32_t block, uint32_t access,
                        bool last) {
  const ProfileRecord *record = p->records.at[table->rows[player].records[block]].it;
  const CombineAccess *sought = &table->players[player].accesses[access];
  assert(record->player == player && access < table->players[player].n);
  uint32_t stage = record->stage;
  uint64_t event = 0;
  for (uint32_t i = 0; i < record->n; i++) {
    if (record->codes[i] == PROFILE_STAGE && ++stage) continue;
    const ProfileCode code = code_at(p, record->codes[i]);
    if (stage != sought->stage || code.object != sought->object || code.write != sought->write ||
        code.place != sought->place)
      continue;
    event = record->events[0][i];
    if (!last) return event;
  }
  return event;
}
