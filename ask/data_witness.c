#include "ask/data_witness.h"

enum { EVENTS = 1 << 12 };

static bool has_lock(const Question *q, const Witness *witness) {
  for (uint32_t k = 0; k < witness->n_edges; k++) {
    const CausalEdge *edge = &witness->edges[k];
    if (edge->on_chain && edge->object != NOTE_NONE && q->net->notes->objects[edge->object].kind == OBJECT_LOCK)
      return true;
  }
  return false;
}

/* The threads of the witness, ascending; how many. */
static uint32_t list_threads(const Question *q, const Witness *witness, uint32_t *threads) {
  const uint32_t all = q->net->notes->n_threads;
  bool *is_in = heap_zeroed(q->heap, (size_t)all + 1);
  uint32_t n = 0;
  for (uint32_t s = 0; s < witness->n_steps; s++)
    if (witness->steps[s].thread != NOTE_NONE) is_in[witness->steps[s].thread] = true;
  for (uint32_t t = 0; t < all; t++)
    if (is_in[t]) threads[n++] = t;
  heap_release(q->heap, is_in);
  return n;
}

static bool colour_part(Question *q, uint32_t block) {
  ColourOptions options = q->options->colour;
  bool *blocks = heap_zeroed(q->heap, (size_t)q->net->notes->n_blocks + 1);
  blocks[block] = true;
  options.blocks = blocks;
  options.by_data = true;
  q->unfolding.coloured = colour_net(q->heap, q->unfolding.part.net, &options, q->err);
  heap_release(q->heap, blocks);
  return q->unfolding.coloured || q->err->kind == ERR_LIMIT || question_fail(q);
}

static bool unfold_part(Question *q, PlaceId red) {
  const UnfoldOptions options = {
      .order = q->options->order, .max_events = EVENTS, .targets = &red, .n_targets = 1, .stop_at_targets = true};
  q->unfolding.prefix = unfold(q->heap, colour_result_net(q->unfolding.coloured), &options, q->err);
  return q->unfolding.prefix || question_fail(q);
}

static bool take(Question *q, uint32_t i, EventId event) {
  const uint32_t n = prefix_local_run(q->unfolding.prefix, event, NULL);
  TransId *run = heap_alloc(q->heap, heap_product(q->heap, (size_t)n + 1, sizeof *run)), *steps;
  uint32_t n_steps;
  prefix_local_run(q->unfolding.prefix, event, run);
  const bool expanded = colour_expand_run(q->unfolding.coloured, run, n, &steps, &n_steps, q->err);
  heap_release(q->heap, run);
  if (!expanded) return question_fail_unless_unsafe(q);
  if (subnet_run_to_whole(&q->unfolding.part, steps, n_steps)) return question_change_run(q, i, steps, n_steps);
  heap_release(q->heap, steps);
  return true;
}

static bool find(Question *q, uint32_t i) {
  const uint32_t block = q->result->blocks[i].block;
  if (!colour_part(q, block)) return false;
  const PlaceId red = q->unfolding.coloured ? colour_result_red(q->unfolding.coloured, block) : PLACE_NONE;
  if (red.v == PLACE_NONE.v) return true;
  if (!unfold_part(q, red)) return false;
  const EventId event = q->unfolding.prefix->target_event[0];
  return event.v == EVENT_NONE.v || q->unfolding.prefix->status == UNFOLD_NOT_SAFE || take(q, i, event);
}

bool data_witness_find(Question *q, uint32_t i) {
  const Witness *witness = &q->result->witnesses[i];
  if (q->options->colour.colouring != COLOURING_CHAIN || !has_lock(q, witness)) return true;
  uint32_t *threads = heap_alloc(q->heap, heap_product(q->heap, (size_t)q->net->notes->n_threads + 1, sizeof *threads));
  const uint32_t n = list_threads(q, witness, threads);
  subnet_init(&q->unfolding.part, q->heap, q->net, threads, n);
  const bool good = find(q, i);
  unfolding_clear(q);
  heap_release(q->heap, threads);
  return good;
}
