/* stages.h: what comes before what by fork and join.
 *
 * A strand is what one thread number does in one run. Its stages are parts of it, numbered from 0, each of which has one
 * order to the events of other strands: an event that another strand must wait for ends its stage, one that must wait begins
 * the next. An Edge says that event `to` of its strand comes after event `from` of another one. */
#ifndef PREDICT_STAGES_H
#define PREDICT_STAGES_H

#include "base/vec.h"

typedef struct {
  uint32_t strand, stage;
  uint64_t event;
} StagePoint;

typedef struct {
  uint32_t stage; /* of the later event, in which it is the first one */
  uint64_t to;
  StagePoint from;
} StageEdge;

typedef struct {
  VEC(StageEdge) edges; /* into the strand, in its order */
  VEC(uint32_t *) rows; /* per stage, once asked for: how many stages of each strand come before it; NULL before */
} Strand;

/* Starts as {0}, but for the heap. */
typedef struct {
  Heap *heap;
  VEC(Strand) strands;
  U32Vec stack;
} Stages;

void stages_fini(Stages *stages);

uint32_t stages_add_strand(Stages *stages);
/* The edges of a strand are added in its order. */
void stages_add_edge(Stages *stages, uint32_t strand, const StageEdge *edge);

/* How many stages of the other strand come before this stage. All strands and edges must have been added. */
uint32_t stages_before(Stages *stages, uint32_t strand, uint32_t stage, uint32_t other);

#endif
