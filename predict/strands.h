/* strands.h: what comes before what by fork and join.
 *
 * A strand is what one thread does. Its points, numbered from 0 in its order, are whatever its user counts: steps, or
 * stages, each of which has one order to the points of other strands. An edge says that point `at` of its strand, and
 * so all after it, comes after a point of another strand, and so after all before that. Where many points come after
 * the same ones, as at a barrier, these make a hub: edges lead from it, one for each later point, not one for each two.
 */
#ifndef PREDICT_STRANDS_H
#define PREDICT_STRANDS_H

#include "base/vec.h"

/* A point of a strand. */
typedef struct {
  uint32_t strand, at;
  uint64_t event; /* which one it is; for who adds it, the order does not look at it */
} StrandPoint;

/* Points that come before all that an edge from the hub leads to. */
typedef struct {
  VEC(StrandPoint) points;
  uint32_t *past; /* once asked for: how many points of each strand come before; else NULL */
} StrandHub;

#define STRANDS_HUB UINT32_MAX /* as the strand of a point: `at` is the number of a hub */

/* An edge into a strand. */
typedef struct {
  uint32_t at;      /* of the later point */
  uint64_t to;      /* its event, likewise */
  StrandPoint from; /* or a hub */
  uint32_t *past; /* once asked for: how many points of each strand come before `at`, by the edges up to this one; else
                     NULL */
} StrandEdge;

/* What one thread does. */
typedef struct {
  VEC(StrandEdge) edges; /* into the strand, by `at`, then as they were added */
} Strand;

/* Starts as {0}, but for the heap. */
typedef struct {
  Heap *heap;
  VEC(Strand) list;
  VEC(StrandHub) hubs;
  U32Vec stack;
} Strands;

/* Releases the strands and all that was asked of them. */
void strands_fini(Strands *strands);

/* A strand without edges; its number, from 0. */
uint32_t strands_add(Strands *strands);

/* A hub without points; its number, from 0. Then its points. */
uint32_t strands_add_hub(Strands *strands);
void strands_join_hub(Strands *strands, uint32_t hub, StrandPoint point);

/* Edges into a strand are added in the order of their `at`. All strands and edges must have been added before
 * anything is asked. There must be no circle. */
void strands_add_edge(Strands *strands, uint32_t strand, const StrandEdge *edge);

/* How many points of the other strand come before this one; of its own strand: all before it. Takes time and memory for
 * the strands once for each edge and hub that is asked about, and then a search among the edges of its strand. */
uint32_t strands_before(Strands *strands, uint32_t strand, uint32_t at, uint32_t other);

/* How many points of each other strand come before a point. */
typedef struct {
  const uint32_t
      *row; /* per strand; of the point's own strand it says nothing. NULL: none. Lives as long as the strands */
  uint32_t strand, count; /* of this strand, at least so many, whatever the row says */
} StrandPast;

/* The same for all other strands at once. The point is `at` of `strand`, as for strands_before. */
StrandPast strands_past(Strands *strands, uint32_t strand, uint32_t at);

/* How many points of the strand, not the point's own, come before it. */
static inline uint32_t strand_past_of(const StrandPast *past, uint32_t strand) {
  const uint32_t count = past->row ? past->row[strand] : 0;
  return strand == past->strand && past->count > count ? past->count : count;
}

#endif
