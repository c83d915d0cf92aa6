/* strands.h: what comes before what by fork and join.
 *
 * A strand is what one thread does. Its points, numbered from 0 in its order, are whatever its user counts: steps, or
 * stages, each of which has one order to the points of other strands. An edge says that point `at` of its strand, and
 * so all after it, comes after a point of another strand, and so after all before that. Where many points come after
 * the same ones, as at a barrier, these make a hub: edges lead from it, one for each later point, not one for each two.
 *
 * What comes before a point is a row, a number for each lane: strands stand behind each other in a lane where all
 * points of one that have anything after them come before the next one. So a thread that is forked when another one has
 * been joined needs no room of its own, and of a million threads, of which ten live at a time, there are some ten
 * lanes. (Like the clocks of M. Christiaens, K. De Bosschere, *Accordion clocks*, Euro-Par 2001, which shrink at
 * joins.) */
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
  uint32_t *past; /* once asked for, its row; else NULL */
} StrandHub;

#define STRANDS_HUB UINT32_MAX /* as the strand of a point: `at` is the number of a hub */

/* An edge into a strand. */
typedef struct {
  uint32_t at;      /* of the later point */
  uint64_t to;      /* its event, likewise */
  StrandPoint from; /* or a hub */
} StrandEdge;

/* What one thread does. */
typedef struct {
  VEC(StrandEdge) edges; /* into the strand, by `at`, then as they were added */
} Strand;

/* Where a strand is in a lane: its point p is point `from` + p there. */
typedef struct {
  uint32_t lane, from;
  uint32_t count; /* points, the first ones, that others may come after */
  uint32_t edges; /* of the lane, that lead into strands before this one */
} StrandPlace;

/* An edge into a lane; all is counted in lanes. */
typedef struct {
  uint32_t at;
  uint32_t begin;         /* of the strand that it leads into */
  uint32_t from, from_at; /* or STRANDS_HUB, and which */
  uint32_t *past;         /* once made: the row of `at`, by the edges up to this one; else NULL */
} StrandLaneEdge;

/* Strands behind each other. */
typedef struct {
  VEC(StrandLaneEdge) edges; /* by `at`, then as they were added */
} StrandLane;

/* Starts as {0}, but for the heap. */
typedef struct {
  Heap *heap;
  VEC(Strand) list;
  VEC(StrandHub) hubs;
  U32Vec added; /* into which strand each edge leads, as they were added */
  /* Once anything is asked: */
  StrandPlace *places; /* per strand; else NULL */
  VEC(StrandLane) lanes;
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
 * anything is asked. There must be no circle. Lanes are few where edges are added in the order in which they happen. */
void strands_add_edge(Strands *strands, uint32_t strand, const StrandEdge *edge);

/* How many numbers all rows together have at most. */
uint64_t strands_room(Strands *strands);

/* Forgets all edges if that is more than `most`: then nothing is known between different strands. The places are there
 * after it. */
void strands_limit(Strands *strands, uint64_t most);

/* How many points of the other strand come before this one; of its own strand: all before it. Takes time and memory for
 * the lanes once for each edge and hub that is asked about, and then a search among the edges of its lane. */
uint32_t strands_before(Strands *strands, uint32_t strand, uint32_t at, uint32_t other);

/* How many points of each other strand come before a point. */
typedef struct {
  const uint32_t *row;    /* per lane. NULL: none. Lives as long as the strands */
  uint32_t strand, count; /* of this strand, at least so many, whatever the row says */
} StrandPast;

/* The same for all other strands at once. The point is `at` of `strand`, as for strands_before. */
StrandPast strands_past(Strands *strands, uint32_t strand, uint32_t at);

/* How many points of the strand, not the point's own, come before it. */
static inline uint32_t strand_past_of(const Strands *strands, const StrandPast *past, uint32_t strand) {
  const StrandPlace *place = &strands->places[strand];
  const uint32_t reached = past->row ? past->row[place->lane] : 0;
  const uint32_t behind = reached > place->from ? reached - place->from : 0;
  const uint32_t count = behind < place->count ? behind : place->count;
  return strand == past->strand && past->count > count ? past->count : count;
}

#endif
