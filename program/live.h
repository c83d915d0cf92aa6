/* live.h: which locals of a thread may still be asked for. */
#ifndef PROGRAM_LIVE_H
#define PROGRAM_LIVE_H

#include "program/flow.h"

/* Of the thread's tracked locals that are brief (ProgramTracked). */
typedef struct {
  Heap *heap;
  U32Vec locals;  /* their numbers, of Program.tracked */
  uint32_t width; /* words per operation of the flow */
  uint64_t *sets; /* per operation those that may be asked for from there on, by their places in `locals` */
} Live;

/* Finds them, of Program.tracked[tracked] .. [tracked + n - 1]; to be freed with live_fini(). */
void live_find(Live *live, const Program *program, const Flow *flow, uint32_t tracked, uint32_t n);
void live_fini(Live *live);

/* May number i of `locals` be asked for from that operation of the flow on, before it is given a value? */
static inline bool live_has(const Live *live, uint32_t op, uint32_t i) {
  return live->sets[(size_t)op * live->width + i / 64] >> i % 64 & 1;
}

#endif
