/* distil_oracle.h: what the distilled log of a run has to be, byte by byte, for tests. */
#ifndef TESTS_UNIT_DISTIL_ORACLE_H
#define TESTS_UNIT_DISTIL_ORACLE_H

#include "base/vec.h"

#include <stdbool.h>

/* Memory that a run uses; bytes that are not in an area are not accessed. The first and the last 8 bytes of an area are
 * not, either. */
typedef struct {
  uint64_t at;   /* a multiple of 8 */
  uint32_t size; /* too */
} Area;

/* What a thread does. */
typedef struct {
  uint64_t clock;
  uint64_t address; /* of memory, of a lock */
  uint64_t size;    /* of memory; of a fork or join the other thread; of a block the index of its name */
  uint32_t thread;
  uint32_t order; /* of what a thread does at one clock */
  uint32_t kind;  /* RawKind without sizes: RAW_READ, RAW_WRITE, RAW_UPDATE, RAW_FREE ... */
} Deed;

typedef VEC(Deed) DeedVec;

/* An event of the distilled log. */
typedef struct {
  uint64_t
      object; /* where it begins, in memory; a lock's address; the other thread; the index of a block's name; or 0 */
  uint32_t thread;
  uint32_t op; /* TraceOp */
} Expected;

typedef VEC(Expected) ExpectedVec;

/* The areas are in order of address, with at least 8 bytes between them. The deeds, at least one, become
 * sorted. Appends the events; the number of objects that are in the log, without locks. */
uint32_t distil_oracle(Heap *heap, DeedVec *deeds, const Area *areas, uint32_t n_areas, bool keep_local,
                       ExpectedVec *events);

#endif
