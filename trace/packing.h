/* packing.h: ways to pack a file, each in a file of its own, which is the only one that knows its library. */
#ifndef TRACE_PACKING_H
#define TRACE_PACKING_H

#include "base/err.h"
#include "base/heap.h"

/* Bytes yet to be read, and room yet to be filled. */
typedef struct {
  const char *in;
  size_t n_in;
  char *out;
  size_t n_out;
} PackingStep;

/* Where the memory of unpacking comes from, and where it goes. */
typedef struct {
  void *(*give)(void *owner, size_t size); /* NULL if there is no more */
  void (*take)(void *owner, void *piece);  /* NULL is allowed */
  void *owner;
} PackingMemory;

/* What `step` says is wrong where there is no memory. */
extern const char PACKING_NO_MEMORY[];

/* A way to pack files. The functions work on a state of their own, from `open` to `close`. */
typedef struct {
  const char *magic; /* the first bytes of every such file */
  /* The state of unpacking; it is the heap's, what the library needs comes from `memory`. Where there is none the
   * library is told, and has returned before we leave. NULL, with ERR_LIMIT, if there is no library. */
  void *(*open)(Heap *heap, const PackingMemory *memory, Err *err);
  /* Unpacks a part, and moves the pointers on; on any thread, without a heap. NULL, or what is wrong with the data.
   * *whole: the data may end here, all of them are out; more may follow, if it is packed the same way. True at first;
   * where it is, there are bytes to be read. */
  const char *(*step)(void *state, PackingStep *step, bool *whole);
  void (*close)(void *state);
} Packing;

extern const Packing GZIP, ZSTD;

#endif
