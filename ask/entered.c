#include "ask/entered.h"

#include "ask/walk.h"
#include "colour/colour.h"
#include "unfold/unfold.h"

/* What is passed through heap_try. */
typedef struct {
  Heap *heap;
  const Net *net;
  BlockVerdict *blocks;
  uint32_t n_blocks;
  uint64_t max_events;
  bool *wanted;     /* per block of the notes */
  PlaceId *targets; /* per wanted block: marked where it begins */
  uint32_t n_targets;
  Coloured *coloured;
  Prefix *prefix;
} Asking;

/* Is any? */
static bool list_wanted(Asking *a) {
  bool any = false;
  a->wanted = heap_zeroed(a->heap, a->net->notes->n_blocks);
  for (uint32_t i = 0; i < a->n_blocks; i++)
    any |= a->wanted[a->blocks[i].block] =
        a->blocks[i].verdict == VERDICT_HOLDS && a->blocks[i].entered == ENTERED_UNKNOWN;
  return any;
}

static bool is_open(const Asking *a) {
  bool any = false;
  for (uint32_t i = 0; i < a->n_blocks; i++) any |= a->blocks[i].entered == ENTERED_UNKNOWN;
  return any;
}

/* Most blocks are begun by nearly any run. */
static void walk(Asking *a) {
  if (!is_open(a)) return;
  bool *begun = heap_zeroed(a->heap, (size_t)a->net->notes->n_blocks + 1);
  walk_to_blocks(a->heap, a->net, begun);
  for (uint32_t i = 0; i < a->n_blocks; i++)
    if (begun[a->blocks[i].block]) a->blocks[i].entered = ENTERED_SOMETIMES;
  heap_release(a->heap, begun);
}

static void list_targets(Asking *a) {
  a->targets = heap_alloc(a->heap, heap_product(a->heap, a->n_blocks, sizeof *a->targets));
  for (uint32_t i = 0; i < a->n_blocks; i++) {
    const PlaceId begun = colour_result_red(a->coloured, a->blocks[i].block);
    if (a->wanted[a->blocks[i].block] && begun.v != PLACE_NONE.v) a->targets[a->n_targets++] = begun;
  }
}

/* In the order of the targets. */
static void settle(const Asking *a) {
  for (uint32_t i = 0, target = 0; i < a->n_blocks; i++) {
    BlockVerdict *block = &a->blocks[i];
    if (!a->wanted[block->block]) continue;
    const bool possible = colour_result_red(a->coloured, block->block).v != PLACE_NONE.v;
    if (possible && a->prefix->target_event[target++].v != EVENT_NONE.v) block->entered = ENTERED_SOMETIMES;
    else if (!possible || a->prefix->status == UNFOLD_COMPLETE) block->entered = ENTERED_NEVER;
  }
}

static void body(void *argument) {
  Asking *a = argument;
  Err err; /* of the program there is none, and of a limit nothing is to be said */
  walk(a);
  if (!list_wanted(a)) return;
  a->coloured = colour_net(a->heap, a->net,
                           &(ColourOptions){.colouring = COLOURING_ENTRY, .reduce = true, .blocks = a->wanted}, &err);
  if (!a->coloured) return;
  list_targets(a);
  const UnfoldOptions options = {
      .max_events = a->max_events, .targets = a->targets, .n_targets = a->n_targets, .stop_at_targets = true};
  a->prefix = unfold(a->heap, colour_result_net(a->coloured), &options, &err);
  if (a->prefix) settle(a);
}

void entered_find(Heap *heap, const Net *net, BlockVerdict *blocks, uint32_t n_blocks, uint64_t max_events) {
  Asking a = {.heap = heap, .net = net, .blocks = blocks, .n_blocks = n_blocks, .max_events = max_events};
  if (!heap_try(heap, body, &a)) return; /* what it had is given back with the heap */
  prefix_free(a.prefix);
  colour_free(a.coloured);
  heap_release(heap, a.wanted);
  heap_release(heap, a.targets);
}
