/* carry.h: the state of a computation, carried by a file from one process into another one of the same program.
 *
 * Each module has one function for both ways, module_carry(it, carry), which names what there is to carry: on the way
 * out that is written, on the way in it is read into what the module has just made. So what is written and what is read
 * cannot differ. Numbers and structures are carried as they lie in memory, but for pointers. */
#ifndef BASE_CARRY_H
#define BASE_CARRY_H

#include "base/heap.h"
#include "base/vec.h"

/* What is on its way. Starts as {.heap = heap} for the way out; for the way in as {.heap = heap, .in = true, .bytes =
 * what came out}. */
typedef struct {
  Heap *heap;
  bool in;
  CharVec bytes;
  size_t at; /* in: how many of them have been read */
  bool bad;  /* in: something else is expected than what is there; all that is read from then on is zero */
} Carry;

/* The bytes are the heap's until then. */
void carry_fini(Carry *carry);

/* The n bytes at `to`, and, as a macro, a number or a structure without pointers. */
void carry_bytes(Carry *carry, void *to, size_t n);
#define carry_value(carry, value) carry_bytes((carry), &(value), sizeof(value))

/* A number of things, each of at least `size` > 0 bytes, that are carried next; n on the way out. On the way in what
 * was n then, or 0, and bad, if there are not so many bytes left. */
uint32_t carry_count(Carry *carry, uint32_t n, size_t size);

/* A VEC of numbers, or of structures without pointers. */
#define carry_vec(carry, v) ((void)((v)->at = carry_items((carry), (v)->at, &(v)->n, &(v)->cap, sizeof *(v)->at)))

/* An array of that many, of which the module knows; on the way in it is made anew. NULL is carried as NULL. */
#define carry_array(carry, at, n) ((void)((at) = carry_piece((carry), (at), (n), sizeof *(at))))

/* A string, which on the way in is the heap's: of no more than 2^32 - 2 bytes. */
const char *carry_string(Carry *carry, const char *string);

/* Something that must be the same at both ends: on the way in, is it? False, too, if there is something else. */
bool carry_same(Carry *carry, const void *bytes, size_t n);

/* For the macros only. */
void *carry_items(Carry *carry, void *at, uint32_t *n, uint32_t *cap, size_t size);
void *carry_piece(Carry *carry, void *at, size_t n, size_t size);

#endif
