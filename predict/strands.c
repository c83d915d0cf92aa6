/* A row is made when it is asked for, from rows that are there and, where none is, by following the edges back.
 * Asked for in the order in which edges happen, each row takes one pass over the lanes. */
#include "predict/strands.h"

#include <assert.h>
#include <string.h>

void strands_fini(Strands *strands) {
  Heap *heap = strands->heap;
  for (uint32_t i = 0; i < strands->list.n; i++) vec_fini(heap, &strands->list.at[i].edges);
  for (uint32_t i = 0; i < strands->lanes.n; i++) {
    StrandLane *lane = &strands->lanes.at[i];
    for (uint32_t e = 0; e < lane->edges.n; e++) heap_release(heap, lane->edges.at[e].past);
    vec_fini(heap, &lane->edges);
  }
  for (uint32_t i = 0; i < strands->hubs.n; i++) {
    vec_fini(heap, &strands->hubs.at[i].points);
    heap_release(heap, strands->hubs.at[i].past);
  }
  heap_release(heap, strands->places);
  strands->places = NULL;
  vec_fini(heap, &strands->list);
  vec_fini(heap, &strands->hubs);
  vec_fini(heap, &strands->added);
  vec_fini(heap, &strands->lanes);
  vec_fini(heap, &strands->stack);
}

uint32_t strands_add(Strands *strands) {
  assert(!strands->places);
  vec_push(strands->heap, &strands->list, (Strand){0});
  return strands->list.n - 1;
}

uint32_t strands_add_hub(Strands *strands) {
  assert(!strands->places);
  vec_push(strands->heap, &strands->hubs, (StrandHub){0});
  return strands->hubs.n - 1;
}

void strands_join_hub(Strands *strands, uint32_t hub, StrandPoint point) {
  assert(!strands->places && hub < strands->hubs.n && point.strand < strands->list.n);
  vec_push(strands->heap, &strands->hubs.at[hub].points, point);
}

void strands_add_edge(Strands *strands, uint32_t strand, const StrandEdge *edge) {
  assert(!strands->places && strand < strands->list.n);
  assert(edge->from.strand == STRANDS_HUB ? edge->from.at < strands->hubs.n : edge->from.strand < strands->list.n);
  Strand *it = &strands->list.at[strand];
  assert(!it->edges.n || vec_last(&it->edges).at <= edge->at);
  vec_push(strands->heap, &it->edges, *edge);
  vec_push(strands->heap, &strands->added, strand);
}

/* ---- lanes ---- */

#define NONE UINT32_MAX

/* What is known of a strand while lanes are made. */
typedef struct {
  uint32_t least;       /* of its points that come before others; NONE: there is no such point */
  uint32_t seen;        /* edges into it so far */
  StrandPoint fork;     /* where its first edge comes from; strand NONE: not known */
  uint32_t ended, last; /* strands that are before it, behind which others may stand: a list by `next`, oldest first */
  uint32_t next, since; /* in such a list: the next one, and the point of the list's strand that it is before */
  uint32_t ahead;       /* the strand before it in its lane; NONE: it is the first */
  bool followed;        /* it is in a list, or was */
} LaneDraft;

typedef struct {
  Strands *strands;
  LaneDraft *drafts; /* by strand, as places */
  StrandPlace *places;
} Laning;

static void see_source(Laning *laning, StrandPoint point) {
  LaneDraft *draft = &laning->drafts[point.strand];
  StrandPlace *place = &laning->places[point.strand];
  if (point.at < draft->least) draft->least = point.at;
  if (point.at >= place->count) place->count = point.at + 1;
}

static void see_sources(Laning *laning) {
  const Strands *strands = laning->strands;
  for (uint32_t i = 0; i < strands->list.n; i++)
    for (uint32_t e = 0; e < strands->list.at[i].edges.n; e++) {
      const StrandPoint from = strands->list.at[i].edges.at[e].from;
      if (from.strand != STRANDS_HUB) see_source(laning, from);
    }
  for (uint32_t i = 0; i < strands->hubs.n; i++)
    for (uint32_t k = 0; k < strands->hubs.at[i].points.n; k++) see_source(laning, strands->hubs.at[i].points.at[k]);
}

/* May the strand stand behind another one, if its first edge says so? */
static bool may_follow(const Laning *laning, uint32_t strand) {
  return laning->strands->list.at[strand].edges.at[0].at <= laning->drafts[strand].least;
}

/* So far up a strand looks for one that has ended: at who has forked its forker, and so on. */
enum { GENERATIONS = 8 };

/* A strand that is before the point, and has none behind it; it leaves its list. NONE: none was found. */
static uint32_t take_ended(Laning *laning, StrandPoint point) {
  for (uint32_t i = 0; i < GENERATIONS && point.strand != NONE; i++) {
    LaneDraft *draft = &laning->drafts[point.strand];
    const uint32_t ended = draft->ended;
    if (ended != NONE && laning->drafts[ended].since <= point.at) {
      draft->ended = laning->drafts[ended].next;
      return ended;
    }
    point = draft->fork;
  }
  return NONE;
}

static void put_behind(Laning *laning, uint32_t strand, StrandPoint fork) {
  const uint32_t ahead = take_ended(laning, fork);
  if (ahead == NONE) return;
  const StrandPlace *place = &laning->places[ahead];
  if (place->count > UINT32_MAX / 2 - place->from) return; /* numbers have an end */
  laning->drafts[strand].ahead = ahead;
  laning->places[strand].from = place->from + place->count;
}

static void append(Laning *laning, uint32_t strand, uint32_t other, uint32_t since) {
  LaneDraft *to = &laning->drafts[strand], *it = &laning->drafts[other];
  it->next = NONE;
  it->since = since;
  if (to->ended == NONE) to->ended = other;
  else laning->drafts[to->last].next = other;
  to->last = other;
}

/* All of the other strand that anything comes after is before the edge, and nothing after that is: others may stand
 * behind it, and behind what had ended before its end. */
static void end_strand(Laning *laning, uint32_t strand, const StrandEdge *edge) {
  const uint32_t other = edge->from.strand;
  LaneDraft *it = &laning->drafts[other];
  const Strand *list = &laning->strands->list.at[other];
  if (it->followed || edge->from.at + 1 != laning->places[other].count) return;
  if (list->edges.n && vec_last(&list->edges).at > edge->from.at) return;
  it->followed = true;
  for (uint32_t i = it->ended, next; i != NONE; i = next) {
    next = laning->drafts[i].next;
    append(laning, strand, i, edge->at);
  }
  it->ended = NONE;
  append(laning, strand, other, edge->at);
}

static void see_edge(Laning *laning, uint32_t strand) {
  const uint32_t number = laning->drafts[strand].seen++;
  const StrandEdge *edge = &laning->strands->list.at[strand].edges.at[number];
  if (edge->from.strand == STRANDS_HUB || edge->from.strand == strand) return;
  if (number == 0 && may_follow(laning, strand)) {
    laning->drafts[strand].fork = edge->from;
    put_behind(laning, strand, edge->from);
  }
  end_strand(laning, strand, edge);
}

static StrandLaneEdge lane_edge(const Laning *laning, const StrandPlace *place, const StrandEdge *edge) {
  const StrandPoint from = edge->from;
  const StrandPlace none = {0}, *source = from.strand == STRANDS_HUB ? &none : &laning->places[from.strand];
  return (StrandLaneEdge){place->from + edge->at, place->from, from.strand == STRANDS_HUB ? STRANDS_HUB : source->lane,
                          source->from + from.at, NULL};
}

/* The strands that begin lanes, and then those behind them, as their lists say. */
static void number_lanes(Laning *laning) {
  Strands *strands = laning->strands;
  for (uint32_t i = 0; i < strands->list.n; i++) laning->drafts[i].next = NONE;
  for (uint32_t i = 0; i < strands->list.n; i++)
    if (laning->drafts[i].ahead != NONE) laning->drafts[laning->drafts[i].ahead].next = i;
  for (uint32_t i = 0; i < strands->list.n; i++) {
    if (laning->drafts[i].ahead != NONE) continue;
    for (uint32_t s = i; s != NONE; s = laning->drafts[s].next) laning->places[s].lane = strands->lanes.n;
    vec_push(strands->heap, &strands->lanes, (StrandLane){0});
  }
}

static void fill_lanes(Laning *laning) {
  Strands *strands = laning->strands;
  for (uint32_t i = 0; i < strands->list.n; i++) {
    if (laning->drafts[i].ahead != NONE) continue;
    for (uint32_t s = i; s != NONE; s = laning->drafts[s].next) {
      StrandLane *lane = &strands->lanes.at[laning->places[s].lane];
      laning->places[s].edges = lane->edges.n;
      for (uint32_t e = 0; e < strands->list.at[s].edges.n; e++)
        vec_push(strands->heap, &lane->edges, lane_edge(laning, &laning->places[s], &strands->list.at[s].edges.at[e]));
    }
  }
}

static void make_lanes(Strands *strands) {
  if (strands->places) return;
  const uint32_t n = strands->list.n;
  Laning laning = {strands, heap_alloc(strands->heap, heap_product(strands->heap, n, sizeof *laning.drafts)),
                   heap_zeroed(strands->heap, heap_product(strands->heap, n, sizeof *laning.places))};
  for (uint32_t i = 0; i < n; i++)
    laning.drafts[i] = (LaneDraft){.least = NONE, .fork.strand = NONE, .ended = NONE, .next = NONE, .ahead = NONE};
  see_sources(&laning);
  for (uint32_t i = 0; i < strands->added.n; i++) see_edge(&laning, strands->added.at[i]);
  number_lanes(&laning);
  fill_lanes(&laning);
  heap_release(strands->heap, laning.drafts);
  strands->places = laning.places;
}

/* A strand before which only its fork is needs no row, if nothing is after it. */
uint64_t strands_room(Strands *strands) {
  make_lanes(strands);
  uint64_t rows = strands->hubs.n;
  for (uint32_t i = 0; i < strands->list.n; i++) {
    const uint32_t n = strands->list.at[i].edges.n;
    rows += n > 0 && strands->places[i].count == 0 ? n - 1 : n;
  }
  return rows * strands->lanes.n;
}

void strands_limit(Strands *strands, uint64_t most) {
  const uint32_t n = strands->list.n;
  if (strands_room(strands) <= most) return;
  strands_fini(strands);
  for (uint32_t i = 0; i < n; i++) strands_add(strands);
  make_lanes(strands);
}

/* ---- rows ---- */

/* How many edges lead to points of the lane before this one. Each look halves what is left, so there are 32 at
 * most. */
static uint32_t edges_before(const StrandLane *lane, uint32_t at) {
  uint32_t low = 0, high = lane->edges.n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    assert(low <= middle && middle < high);
    if (lane->edges.at[middle].at < at) low = middle + 1;
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

/* The lane's first `count` points come before: so does what they wait for. */
static void reach(Strands *strands, uint32_t *row, uint32_t lane, uint32_t count) {
  const uint32_t before = row[lane];
  if (count <= before) return;
  const StrandLane *it = &strands->lanes.at[lane];
  const uint32_t n = edges_before(it, count), followed = edges_before(it, before);
  row[lane] = count;
  if (n == followed) return;
  if (n - followed > FEW && it->edges.at[n - 1].past) {
    join_rows(row, it->edges.at[n - 1].past, strands->lanes.n);
  } else {
    vec_push(strands->heap, &strands->stack, lane);
    vec_push(strands->heap, &strands->stack, before);
  }
}

/* Where an edge comes from comes before. */
static void reach_source(Strands *strands, uint32_t *row, uint32_t from, uint32_t at) {
  if (from != STRANDS_HUB) {
    reach(strands, row, from, at + 1);
    return;
  }
  const StrandHub *hub = &strands->hubs.at[at];
  if (hub->past) join_rows(row, hub->past, strands->lanes.n);
  for (uint32_t i = 0; i < hub->points.n && !hub->past; i++) {
    const StrandPlace *place = &strands->places[hub->points.at[i].strand];
    reach(strands, row, place->lane, place->from + hub->points.at[i].at + 1);
  }
}

/* Follows the edges from where reach() has come. */
static void follow(Strands *strands, uint32_t *row) {
  while (strands->stack.n) {
    const uint32_t from = strands->stack.at[--strands->stack.n], lane = strands->stack.at[--strands->stack.n];
    const StrandLane *it = &strands->lanes.at[lane];
    for (uint32_t i = edges_before(it, from); i < it->edges.n && it->edges.at[i].at < row[lane]; i++)
      reach_source(strands, row, it->edges.at[i].from, it->edges.at[i].from_at);
  }
}

static uint32_t *empty_row(const Strands *strands) {
  return heap_zeroed(strands->heap, heap_product(strands->heap, strands->lanes.n, sizeof(uint32_t)));
}

/* The row of a hub, each of whose points brings what comes before it. */
static const uint32_t *row_of_hub(Strands *strands, uint32_t hub) {
  if (strands->hubs.at[hub].past) return strands->hubs.at[hub].past;
  uint32_t *row = empty_row(strands);
  vec_clear(&strands->stack);
  reach_source(strands, row, STRANDS_HUB, hub);
  follow(strands, row);
  return strands->hubs.at[hub].past = row;
}

/* What comes before a point of its own strand depends on the point; the strands ahead in the lane do. */
static void end_row(uint32_t *row, uint32_t lane, const StrandLaneEdge *edge) { row[lane] = edge->begin; }

/* After so many edges a row is left behind, so that none is far from the one that it is made from. */
enum { OFTEN = 32 };

static void leave_row(Strands *strands, uint32_t lane, StrandLaneEdge *edge, const uint32_t *row) {
  edge->past = empty_row(strands);
  memcpy(edge->past, row, strands->lanes.n * sizeof *row);
  end_row(edge->past, lane, edge);
}

/* The row of edge i of the lane. */
static uint32_t *make_row(Strands *strands, uint32_t lane, uint32_t i) {
  uint32_t *row = empty_row(strands);
  StrandLaneEdge *edges = strands->lanes.at[lane].edges.at;
  uint32_t first = i;
  while (first > 0 && !edges[first - 1].past) first--;
  if (first > 0) join_rows(row, edges[first - 1].past, strands->lanes.n);
  for (uint32_t e = first; e <= i; e++) {
    row[lane] = edges[e].at + 1; /* whose edges are followed here */
    if (edges[e].from == STRANDS_HUB) row_of_hub(strands, edges[e].from_at);
    vec_clear(&strands->stack);
    reach_source(strands, row, edges[e].from, edges[e].from_at);
    follow(strands, row);
    if (e < i && (e - first) % OFTEN == OFTEN - 1) leave_row(strands, lane, &edges[e], row);
  }
  end_row(row, lane, &edges[i]);
  return row;
}

/* How many edges lead to points of the strand up to this one. */
static uint32_t edges_up_to(const Strand *strand, uint32_t at) {
  uint32_t low = 0, high = strand->edges.n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (strand->edges.at[middle].at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* The row of what comes before the point, or NULL. */
static const uint32_t *row_at(Strands *strands, uint32_t strand, uint32_t at) {
  const StrandPlace *place = &strands->places[strand];
  const uint32_t n = edges_up_to(&strands->list.at[strand], at);
  if (!n) return NULL;
  const uint32_t last = place->edges + n - 1;
  uint32_t **past = &strands->lanes.at[place->lane].edges.at[last].past;
  if (!*past) *past = make_row(strands, place->lane, last);
  return *past;
}

/* After the first edge into a strand, the row is that of where the edge comes from: most threads need none of their
 * own. */
StrandPast strands_past(Strands *strands, uint32_t strand, uint32_t at) {
  assert(strand < strands->list.n && at < UINT32_MAX);
  make_lanes(strands);
  const Strand *it = &strands->list.at[strand];
  if (edges_up_to(it, at) != 1) return (StrandPast){row_at(strands, strand, at), 0, 0};
  const StrandPoint from = it->edges.at[0].from;
  if (from.strand == STRANDS_HUB) return (StrandPast){row_of_hub(strands, from.at), 0, 0};
  return (StrandPast){row_at(strands, from.strand, from.at), from.strand, from.at + 1};
}

uint32_t strands_before(Strands *strands, uint32_t strand, uint32_t at, uint32_t other) {
  assert(other < strands->list.n);
  if (strand == other) return at;
  const StrandPast past = strands_past(strands, strand, at);
  return strand_past_of(strands, &past, other);
}
