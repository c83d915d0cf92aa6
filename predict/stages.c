#include "predict/stages.h"

#include <assert.h>
#include <string.h>

void stages_fini(Stages *stages) {
  for (uint32_t i = 0; i < stages->strands.n; i++) {
    Strand *strand = &stages->strands.at[i];
    for (uint32_t s = 0; s < strand->rows.n; s++) heap_release(stages->heap, strand->rows.at[s]);
    vec_fini(stages->heap, &strand->rows);
    vec_fini(stages->heap, &strand->edges);
  }
  vec_fini(stages->heap, &stages->strands);
  vec_fini(stages->heap, &stages->stack);
}

uint32_t stages_add_strand(Stages *stages) {
  vec_push(stages->heap, &stages->strands, (Strand){0});
  return stages->strands.n - 1;
}

void stages_add_edge(Stages *stages, uint32_t strand, const StageEdge *edge) {
  vec_push(stages->heap, &stages->strands.at[strand].edges, *edge);
}

/* The first edge into that stage of the strand, or a later one. */
static uint32_t find_edge(const Strand *strand, uint32_t stage) {
  uint32_t low = 0, high = strand->edges.n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (strand->edges.at[middle].stage < stage) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* The strand's first `count` stages come before: so does what they wait for. */
static void reach(Stages *stages, uint32_t *row, uint32_t strand, uint32_t count) {
  if (count <= row[strand]) return;
  vec_push(stages->heap, &stages->stack, strand);
  vec_push(stages->heap, &stages->stack, row[strand]);
  row[strand] = count;
}

static uint32_t *make_row(Stages *stages, uint32_t strand, uint32_t stage) {
  assert(strand < stages->strands.n);
  uint32_t *row = heap_zeroed(stages->heap, heap_product(stages->heap, stages->strands.n, sizeof *row));
  vec_clear(&stages->stack);
  reach(stages, row, strand, stage + 1);
  while (stages->stack.n) {
    const uint32_t from = stages->stack.at[--stages->stack.n], at = stages->stack.at[--stages->stack.n];
    const Strand *it = &stages->strands.at[at];
    for (uint32_t i = find_edge(it, from); i < it->edges.n && it->edges.at[i].stage < row[at]; i++)
      reach(stages, row, it->edges.at[i].from.strand, it->edges.at[i].from.stage + 1);
  }
  row[strand] = stage;
  return row;
}

uint32_t stages_before(Stages *stages, uint32_t strand, uint32_t stage, uint32_t other) {
  assert(strand < stages->strands.n && other < stages->strands.n);
  Strand *it = &stages->strands.at[strand];
  if (stage >= it->rows.n) vec_resize_zeroed(stages->heap, &it->rows, stage + 1);
  if (!it->rows.at[stage]) it->rows.at[stage] = make_row(stages, strand, stage);
  return it->rows.at[stage][other];
}
