/* vec.h: growing arrays. `typedef VEC(uint32_t) U32Vec;` starts as {0}; its memory belongs to the heap it grew from. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/heap.h"

#include <stdint.h>

/* `n` elements in use of `cap`, at most 2^32 - 1. Invariant: n <= cap, and at is NULL iff cap is 0. */
#define VEC(T)       \
  struct {           \
    T *at;           \
    uint32_t n, cap; \
  }

/* Numbers; bytes. */
typedef VEC(uint32_t) U32Vec;
typedef VEC(char) CharVec;

/* Appends one element. */
#define vec_push(heap, v, element) (vec_reserve(heap, v, 1), (void)((v)->at[(v)->n++] = (element)))

/* Room for `more` elements after the n in use. */
#define vec_reserve(heap, v, more) \
  ((v)->cap - (v)->n >= (more)     \
       ? (void)0                   \
       : (void)((v)->at = vec_grow(heap, (v)->at, (v)->n, &(v)->cap, (more), sizeof *(v)->at)))

/* Sets the number of elements to `count`; new ones are all zero bytes. */
#define vec_resize_zeroed(heap, v, count)                                                                        \
  ((count) > (v)->n                                                                                              \
       ? (vec_reserve(heap, v, (count) - (v)->n), vec_zero((v)->at + (v)->n, (count) - (v)->n, sizeof *(v)->at)) \
       : (void)0,                                                                                                \
   (void)((v)->n = (count)))

#define vec_clear(v) ((void)((v)->n = 0))
#define vec_fini(heap, v) (heap_release(heap, (v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)
#define vec_last(v) ((v)->at[(v)->n - 1])

/* For the macros only. vec_grow gives up (heap_give_up) where 2^32 - 1 elements do not suffice. */
void *vec_grow(Heap *heap, void *at, uint32_t n, uint32_t *cap, size_t more, size_t size);
void vec_zero(void *from, size_t count, size_t size);

#endif
