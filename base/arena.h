/* arena.h: memory that is freed all at once, with its owner (a net, an AST, a prefix). */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/heap.h"

/* Starts with arena_init. Chunks grow from 4 KiB to 1 MiB; large pieces get a chunk of their own. */
typedef struct {
  Heap *heap;
  struct ArenaChunk *chunks; /* newest first */
  char *free, *end;          /* what is left of the newest chunk */
  size_t next_size;
} Arena;

/* Allocates nothing yet. Running out of memory in the calls below is the heap's matter (heap_try). */
void arena_init(Arena *arena, Heap *heap);
void arena_fini(Arena *arena); /* frees all pieces */

/* `size` bytes, aligned for all types, uninitialised; or `count` elements of `size` bytes, all zero. Never NULL. */
void *arena_alloc(Arena *arena, size_t size);
void *arena_zeroed(Arena *arena, size_t count, size_t size);

/* A copy of `length` bytes with a NUL after it. */
char *arena_copy(Arena *arena, const char *text, size_t length);

/* A formatted string. */
char *arena_format(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
