/* A row is made when it is asked for, from rows that are there and, where none is, by following the edges back.
 * Asked for in the order in which edges happen, each row takes one pass over the strands. */
#include "predict/strands.h"

#include <assert.h>

void strands_fini(Strands *strands) {
  for (uint32_t i = 0; i < strands->list.n; i++) {
    Strand *strand = &strands->list.at[i];
    for (uint32_t e = 0; e < strand->edges.n; e++) heap_release(strands->heap, strand->edges.at[e].past);
    vec_fini(strands->heap, &strand->edges);
  }
  for (uint32_t i = 0; i < strands->hubs.n; i++) {
    vec_fini(strands->heap, &strands->hubs.at[i].points);
    heap_release(strands->heap, strands->hubs.at[i].past);
  }
  vec_fini(strands->heap, &strands->list);
  vec_fini(strands->heap, &strands->hubs);
  vec_fini(strands->heap, &strands->stack);
}

uint32_t strands_add(Strands *strands) {
  vec_push(strands->heap, &strands->list, (Strand){0});
  return strands->list.n - 1;
}

uint32_t strands_add_hub(Strands *strands) {
  vec_push(strands->heap, &strands->hubs, (StrandHub){0});
  return strands->hubs.n - 1;
}

void strands_join_hub(Strands *strands, uint32_t hub, StrandPoint point) {
  assert(hub < strands->hubs.n && point.strand < strands->list.n);
  vec_push(strands->heap, &strands->hubs.at[hub].points, point);
}

void strands_add_edge(Strands *strands, uint32_t strand, const StrandEdge *edge) {
  assert(strand < strands->list.n && !edge->past);
  assert(edge->from.strand == STRANDS_HUB ? edge->from.at < strands->hubs.n : edge->from.strand < strands->list.n);
  Strand *it = &strands->list.at[strand];
  assert(!it->edges.n || vec_last(&it->edges).at <= edge->at);
  vec_push(strands->heap, &it->edges, *edge);
}

/* How many edges lead to points of the strand before this one. Each look halves what is left, so there are 32 at
 * most. */
static uint32_t edges_before(const Strand *strand, uint32_t at) {
  uint32_t low = 0, high = strand->edges.n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    assert(low <= middle && middle < high);
    if (strand->edges.at[middle].at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

static void join_rows(uint32_t *row, const uint32_t *other, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (other[i] > row[i]) row[i] = other[i];
}

/* So few edges are followed sooner than a row is joined. */
enum { FEW = 4 };

/* The strand's first `count` points come before: so does what they wait for. */
static void reach(Strands *strands, uint32_t *row, uint32_t strand, uint32_t count) {
  const uint32_t before = row[strand];
  if (count <= before) return;
  const Strand *it = &strands->list.at[strand];
  const uint32_t n = edges_before(it, count), followed = edges_before(it, before);
  row[strand] = count;
  if (n == followed) return;
  if (n - followed > FEW && it->edges.at[n - 1].past) {
    join_rows(row, it->edges.at[n - 1].past, strands->list.n);
  } else {
    vec_push(strands->heap, &strands->stack, strand);
    vec_push(strands->heap, &strands->stack, before);
  }
}

/* Where an edge comes from comes before. */
static void reach_source(Strands *strands, uint32_t *row, StrandPoint from) {
  if (from.strand != STRANDS_HUB) {
    reach(strands, row, from.strand, from.at + 1);
    return;
  }
  const StrandHub *hub = &strands->hubs.at[from.at];
  if (hub->past) join_rows(row, hub->past, strands->list.n);
  for (uint32_t i = 0; i < hub->points.n && !hub->past; i++)
    reach(strands, row, hub->points.at[i].strand, hub->points.at[i].at + 1);
}

/* Follows the edges from where reach() has come. */
static void follow(Strands *strands, uint32_t *row) {
  while (strands->stack.n) {
    const uint32_t from = strands->stack.at[--strands->stack.n], strand = strands->stack.at[--strands->stack.n];
    const Strand *it = &strands->list.at[strand];
    for (uint32_t i = edges_before(it, from); i < it->edges.n && it->edges.at[i].at < row[strand]; i++)
      reach_source(strands, row, it->edges.at[i].from);
  }
}

static uint32_t *empty_row(const Strands *strands) {
  return heap_zeroed(strands->heap, heap_product(strands->heap, strands->list.n, sizeof(uint32_t)));
}

/* The row of a hub, each of whose points brings what comes before it. */
static const uint32_t *row_of_hub(Strands *strands, uint32_t hub) {
  if (strands->hubs.at[hub].past) return strands->hubs.at[hub].past;
  uint32_t *row = empty_row(strands);
  vec_clear(&strands->stack);
  reach_source(strands, row, (StrandPoint){STRANDS_HUB, hub, 0});
  follow(strands, row);
  return strands->hubs.at[hub].past = row;
}

/* The row of edge i of the strand. */
static uint32_t *make_row(Strands *strands, uint32_t strand, uint32_t i) {
  uint32_t *row = empty_row(strands);
  const StrandEdge *edges = strands->list.at[strand].edges.at;
  uint32_t first = i;
  row[strand] = edges[i].at + 1; /* whose edges are followed here */
  while (first > 0 && !edges[first - 1].past) first--;
  if (first > 0) join_rows(row, edges[first - 1].past, strands->list.n);
  for (uint32_t e = first; e <= i; e++) {
    if (edges[e].from.strand == STRANDS_HUB) row_of_hub(strands, edges[e].from.at);
    vec_clear(&strands->stack);
    reach_source(strands, row, edges[e].from);
    follow(strands, row);
  }
  row[strand] = 0; /* what comes before a point of its own strand depends on the point */
  return row;
}

/* The row of what comes before the point, or NULL. */
static const uint32_t *row_at(Strands *strands, uint32_t strand, uint32_t at) {
  Strand *it = &strands->list.at[strand];
  const uint32_t n = edges_before(it, at + 1);
  if (!n) return NULL;
  StrandEdge *last = &it->edges.at[n - 1];
  if (!last->past) last->past = make_row(strands, strand, n - 1);
  return last->past;
}

/* After the first edge into a strand, the row is that of where the edge comes from: most threads need none of their
 * own. */
StrandPast strands_past(Strands *strands, uint32_t strand, uint32_t at) {
  assert(strand < strands->list.n && at < UINT32_MAX);
  const Strand *it = &strands->list.at[strand];
  if (edges_before(it, at + 1) != 1) return (StrandPast){row_at(strands, strand, at), 0, 0};
  const StrandPoint from = it->edges.at[0].from;
  if (from.strand == STRANDS_HUB) return (StrandPast){row_of_hub(strands, from.at), 0, 0};
  return (StrandPast){row_at(strands, from.strand, from.at), from.strand, from.at + 1};
}

uint32_t strands_before(Strands *strands, uint32_t strand, uint32_t at, uint32_t other) {
  assert(other < strands->list.n);
  if (strand == other) return at;
  const StrandPast past = strands_past(strands, strand, at);
  return strand_past_of(&past, other);
}
