/* key_set.h: what belongs to an open transaction, with an event for each, to be found by its key. */
#ifndef SERIAL_KEY_SET_H
#define SERIAL_KEY_SET_H

#include "base/carry.h"
#include "base/vec.h"
#include "serial/paths.h"

#define KEY_SET_GONE UINT32_MAX

/* One thing that belongs to a transaction: an access, or a thread. */
typedef struct {
  uint64_t event;
  uint32_t key; /* an access: 2 * object + (does it write?); or a thread; KEY_SET_GONE: none any more */
  uint32_t location;
  PathId path; /* to the transaction of the event */
  uint8_t op;  /* of the event; of a thread: TRACE_FORK, or TRACE_END for any event that it did */
} KeySetMember;

/* In the order of their coming. A long list has a table of its keys, made when something is looked for. */
typedef struct {
  VEC(KeySetMember) list;
  uint32_t gone;
  uint32_t *slots; /* a power of two of them, a member's number plus 1 each; 0: free */
  uint32_t n_slots, n_indexed;
} KeySet;

#define key_set_add(heap, members, member) vec_push(heap, &(members)->list, member)
KeySetMember *key_set_find(Heap *heap, KeySet *members, uint32_t key); /* NULL if there is none */
void key_set_remove(Heap *heap, KeySet *members,
                    KeySetMember *member);       /* the others may move; its path has been dropped */
void key_set_clear(Heap *heap, KeySet *members); /* keeps the memory, but for that of a table much too large */
void key_set_fini(Heap *heap, KeySet *members);
void key_set_carry(KeySet *members, Carry *carry);

#endif
