/* packing.h: ways to pack a file, each in a file of its own, which is the only one that knows its library. */
#ifndef TRACE_PACKING_H
#define TRACE_PACKING_H

#include "base/heap.h"

/* Bytes yet to be read, and room yet to be filled. */
typedef struct {
  const char *in;
  size_t n_in;
  char *out;
  size_t n_out;
} PackingStep;

typedef struct {
  const char *name, *magic; /* the first bytes of every such file */
  void *(*open)(Heap *heap); /* the state of unpacking; all its memory is the heap's */
  /* Unpacks a part, and moves the pointers on. False if the data are damaged. *whole: the data may end here, all of them are
   * out; more may follow, if it is packed the same way. True at first; where it is, there are bytes to be read. */
  bool (*step)(void *state, PackingStep *step, bool *whole);
  void (*close)(void *state);
} Packing;

extern const Packing GZIP, ZSTD;

#endif
