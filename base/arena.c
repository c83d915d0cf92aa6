#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

typedef struct ArenaChunk {
  alignas(max_align_t) struct ArenaChunk *next; /* what follows is aligned, too */
} ArenaChunk;

void arena_init(Arena *arena, Heap *heap) { *arena = (Arena){.heap = heap, .next_size = FIRST_CHUNK}; }

void arena_fini(Arena *arena) {
  for (ArenaChunk *c = arena->chunks, *next; c; c = next) {
    next = c->next;
    heap_release(arena->heap, c);
  }
  arena_init(arena, arena->heap);
}

static ArenaChunk *new_chunk(Arena *arena, size_t size) {
  ArenaChunk *chunk = heap_alloc(arena->heap, sizeof *chunk + size);
  chunk->next = arena->chunks;
  arena->chunks = chunk;
  return chunk;
}

void *arena_alloc(Arena *arena, size_t size) {
  if (size > SIZE_MAX / 2) heap_give_up(arena->heap);
  size = (size + 15) & ~(size_t)15;
  if (!arena->chunks || size > (size_t)(arena->end - arena->free)) {
    if (size > LARGEST_CHUNK / 4) return new_chunk(arena, size) + 1;
    while (arena->next_size < size) arena->next_size *= 2;
    arena->free = (char *)(new_chunk(arena, arena->next_size) + 1);
    arena->end = arena->free + arena->next_size;
    if (arena->next_size < LARGEST_CHUNK) arena->next_size *= 2;
  }
  void *piece = arena->free;
  arena->free += size;
  return piece;
}

void *arena_zeroed(Arena *arena, size_t count, size_t size) {
  const size_t bytes = heap_product(arena->heap, count, size);
  void *piece = arena_alloc(arena, bytes);
  memset(piece, 0, bytes);
  return piece;
}

char *arena_copy(Arena *arena, const char *text, size_t length) {
  char *copy = arena_alloc(arena, length + 1);
  if (length) memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

char *arena_format(Arena *arena, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  const size_t size = length < 0 ? 1 : (size_t)length + 1;
  char *text = arena_alloc(arena, size);
  text[0] = '\0';
  vsnprintf(text, size, format, again);
  va_end(again);
  return text;
}
