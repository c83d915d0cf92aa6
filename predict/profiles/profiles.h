/* profiles.h: the distinct transactions of threads, as far as prediction needs them.
 *
 * Of a transaction only the order of its accesses counts, and of equal ones the first and the last: the rest is
 * dropped, and equal transactions of a player are one record. Nothing is hashed before a transaction is over.
 *
 * A player is a thread in a run. An access has a code, a small number that stands for object, kind and place. Where a
 * player begins its next stage (predict/strands.h) within a transaction, PROFILE_STAGE stands between the codes. */
#ifndef PREDICT_PROFILES_PROFILES_H
#define PREDICT_PROFILES_PROFILES_H

#include "base/arena.h"
#include "base/err.h"
#include "base/slots.h"
#include "predict/combine.h"

#define PROFILE_STAGE UINT32_MAX

/* The transaction that a player is in: its accesses so far, of some of which only the first and the last are there. */
typedef struct {
  uint32_t player, stage, kind; /* the stage at its begin */
  uint64_t begin;               /* its first event */
  uint32_t n, cap;
  uint32_t *codes;
  uint64_t *events;
} ProfileOpen;

/* A distinct transaction, in one piece of memory. */
typedef struct {
  uint32_t player, stage, kind;
  uint32_t n;
  uint64_t first, last; /* the first events of the first and the last such transaction */
  uint64_t *events[2];  /* per code: the event, in the first and in the last one */
  uint32_t codes[];
} ProfileRecord;

/* What a code stands for, where places count. */
typedef struct {
  uint32_t object, place;
  bool write;
} ProfileCode;

/* A record, wherever it lies. */
typedef struct {
  ProfileRecord *it;
} ProfileRecordRef;

/* The code of an object when it was last used, so that few accesses hash. */
typedef struct {
  uint32_t place, code;
} ProfileMemo;

/* Where a code was met in the current transaction: its index there, if the stamp is the current one. */
typedef struct {
  uint32_t stamp, index;
} ProfileSeen;

/* The distinct transactions of all players. */
typedef struct {
  Heap *heap;
  bool places; /* do they count? Else all are 0 */
  Arena arena;
  uint32_t n_objects;
  VEC(ProfileCode) codes; /* with places; else a code is 2 * object + write */
  HashSlots code_slots;
  VEC(ProfileMemo) memos; /* per 2 * object + write */
  VEC(ProfileRecordRef) records;
  HashSlots record_slots;
  U32Vec singles;        /* per code: the record of one access where it was last found, + 1 */
  VEC(ProfileSeen) seen; /* per code */
  uint32_t stamp;
  VEC(bool) keep; /* per step of a transaction */
} Profiles;

/* No objects and no transactions yet. Memory is the heap's until fini; transactions that are still open are freed by
 * profiles_open_fini. */
void profiles_init(Profiles *p, Heap *heap, bool places);
void profiles_fini(Profiles *p);

/* Checks what is said above of codes and records (for tests). False with ERR_CHECK on the first fault. */
bool profiles_audit(const Profiles *p, Err *err);

/* A new object; its number, from 0. Gives up (heap_give_up) beyond 2^31 - 1 of them. */
static inline uint32_t profiles_add_object(Profiles *p) {
  if (p->n_objects >= UINT32_MAX / 2) heap_give_up(p->heap);
  return p->n_objects++;
}

/* With places. */
uint32_t profiles_find_code(Profiles *p, uint32_t object, bool write, uint32_t place);

/* The code of an access; `place` counts only with places. */
static inline uint32_t profiles_code(Profiles *p, uint32_t object, bool write, uint32_t place) {
  return p->places ? profiles_find_code(p, object, write, place) : 2 * object + write;
}

/* Room for one more access; of a long transaction what does not count is dropped. */
void profiles_make_room(Profiles *p, ProfileOpen *open);

/* Adds an access to the open transaction. */
static inline void profiles_step(Profiles *p, ProfileOpen *open, uint32_t code, uint64_t event) {
  if (open->n == open->cap) profiles_make_room(p, open);
  open->codes[open->n] = code;
  open->events[open->n++] = event;
}

/* The transaction is over; `open` is empty then. */
void profiles_close(Profiles *p, ProfileOpen *open);
void profiles_open_fini(Profiles *p, ProfileOpen *open);

/* An access that is a transaction of its own. */
void profiles_single(Profiles *p, uint32_t player, uint32_t stage, uint32_t code, uint64_t event);

/* What a player's accesses stand for: where they were first and last. */
typedef struct {
  uint64_t first, last; /* events */
} ProfileEvents;

/* Of a player. */
typedef struct {
  ProfileEvents *events; /* per access */
  uint32_t *records;     /* per block: the record */
} ProfileRow;

/* All that was found. The memory is an arena's; players have no names yet. */
typedef struct {
  CombinePlayer *players;
  ProfileRow *rows; /* per player */
} ProfileTable;

/* Fills *table for players 0 to n_players - 1, from the transactions that are over. */
void profiles_table(Profiles *p, Arena *arena, uint32_t n_players, ProfileTable *table);

/* The event of the player's access in the block: the first such one, or the last. */
uint64_t profiles_event(const Profiles *p, const ProfileTable *table, uint32_t player, uint32_t block, uint32_t access,
                        bool last);

#endif
