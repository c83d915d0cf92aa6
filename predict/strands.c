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
  vec_fini(strands->heap, &strands->list);
  vec_fini(strands->heap, &strands->stack);
}

uint32_t strands_add(Strands *strands) {
  vec_push(strands->heap, &strands->list, (Strand){0});
  return strands->list.n - 1;
}

void strands_add_edge(Strands *strands, uint32_t strand, const StrandEdge *edge) {
  assert(strand < strands->list.n && edge->from.strand < strands->list.n && !edge->past);
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

/* Follows the edges from where reach() has come. */
static void follow(Strands *strands, uint32_t *row) {
  while (strands->stack.n) {
    const uint32_t from = strands->stack.at[--strands->stack.n], strand = strands->stack.at[--strands->stack.n];
    const Strand *it = &strands->list.at[strand];
    for (uint32_t i = edges_before(it, from); i < it->edges.n && it->edges.at[i].at < row[strand]; i++)
      reach(strands, row, it->edges.at[i].from.strand, it->edges.at[i].from.at + 1);
  }
}

/* The row of edge i of the strand. */
static uint32_t *make_row(Strands *strands, uint32_t strand, uint32_t i) {
  uint32_t *row = heap_zeroed(strands->heap, heap_product(strands->heap, strands->list.n, sizeof *row));
  const StrandEdge *edges = strands->list.at[strand].edges.at;
  uint32_t first = i;
  vec_clear(&strands->stack);
  row[strand] = edges[i].at + 1; /* whose edges are followed here */
  while (first > 0 && !edges[first - 1].past) first--;
  if (first > 0) join_rows(row, edges[first - 1].past, strands->list.n);
  for (uint32_t e = first; e <= i; e++) {
    reach(strands, row, edges[e].from.strand, edges[e].from.at + 1);
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
  return (StrandPast){row_at(strands, from.strand, from.at), from.strand, from.at + 1};
}

uint32_t strands_before(Strands *strands, uint32_t strand, uint32_t at, uint32_t other) {
  assert(other < strands->list.n);
  if (strand == other) return at;
  const StrandPast past = strands_past(strands, strand, at);
  return strand_past_of(&past, other);
}
