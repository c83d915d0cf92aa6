#include "ask/unfolding.h"

#include "ask/atomic_proof.h"
#include "ask/atomicity_inside.h"
#include "ask/data_witness.h"

#include <stdio.h>

/* ---- what is looked for ---- */

static bool is_chosen(const Question *q, uint32_t i) {
  const BlockVerdict *block = &q->result->blocks[i];
  return block->verdict == VERDICT_UNKNOWN && q->chosen[block->block];
}

static void list_targets(Question *q) {
  Unfolding *u = &q->unfolding;
  const uint32_t n = q->result->n_blocks;
  u->targets = heap_alloc(q->heap, ((size_t)n + 1) * sizeof *u->targets);
  u->target_of = heap_alloc(q->heap, ((size_t)n + 1) * sizeof *u->target_of);
  for (uint32_t i = 0; i < n; i++) {
    u->target_of[i] = NOTE_NONE;
    if (!is_chosen(q, i)) continue;
    const PlaceId red = colour_result_red(u->coloured, q->result->blocks[i].block);
    if (red.v == PLACE_NONE.v) continue;
    u->target_of[i] = u->n_targets;
    u->targets[u->n_targets++] = red;
  }
}

/* ---- colour and unfold ---- */

static void take_net(Question *q) {
  Unfolding *u = &q->unfolding;
  u->net = q->net;
  if (!u->plan->threads) return;
  (u->plan->closed ? subnet_init_closed : subnet_init)(&u->part, q->heap, q->net, u->plan->threads, u->plan->n_threads);
  u->net = u->part.net;
}

static bool colour(Question *q) {
  Unfolding *u = &q->unfolding;
  ColourOptions options = q->options->colour;
  options.blocks = q->chosen;
  u->coloured = colour_net(q->heap, u->net, &options, q->err);
  if (u->coloured) return true;
  if (q->err->kind != ERR_LIMIT) return question_fail(q);
  snprintf(q->result->why, sizeof q->result->why, "%.130s%s", q->err->text,
           remedy_words(q->limits->remedies, REMEDY_VARIANTS));
  return false;
}

static bool show_coloured(Question *q) {
  const AtomicityOptions *options = q->options;
  VerdictStats *stats = &q->result->stats;
  const Net *net = colour_result_net(q->unfolding.coloured);
  if (net->n_trans > stats->transitions || !stats->places) {
    stats->places = net->n_places;
    stats->transitions = net->n_trans;
  }
  return !options->coloured || options->coloured(options->coloured_argument, net, q->err) || question_fail(q);
}

static void show(void *argument, const UnfoldCounts *counts) {
  const Question *q = argument;
  ask_show(q->limits, q->heap, question_events(q), counts);
}

/* How many more events there may be: of the plan, and of all together. */
static uint64_t event_limit(const Question *q) {
  const uint64_t mine = q->unfolding.plan->max_events, all = q->limits->max_events;
  const uint64_t left = all > q->before.events ? all - q->before.events : 0;
  return !all ? mine : mine && mine < left ? mine : left;
}

static bool unfold_coloured(Question *q) {
  Unfolding *u = &q->unfolding;
  list_targets(q);
  if (!u->n_targets && !q->options->proof) return true;
  const UnfoldOptions unfolding = {.order = q->options->order,
                                   .max_events = event_limit(q),
                                   .targets = u->targets,
                                   .n_targets = u->n_targets,
                                   .stop_at_targets = true,
                                   .stop_at_first = u->plan->stop_at_first,
                                   .counts = &u->counts,
                                   .progress = show,
                                   .progress_argument = q};
  u->prefix = unfold(q->heap, colour_result_net(u->coloured), &unfolding, q->err);
  if (!u->prefix) return question_fail(q);
  if (u->prefix->status != UNFOLD_NOT_SAFE || u->plan->closed) return true;
  err_set(q->err, ERR_INPUT, "the coloured net is not 1-safe: '%.200s' can get a second token",
          colour_result_net(u->coloured)->place_name[u->prefix->unsafe_place.v]);
  return question_fail_unless_unsafe(q);
}

/* ---- what it says ---- */

static const char *words_of_unfolding(Question *q) {
  const Unfolding *u = &q->unfolding;
  const unsigned long long events = u->counts.events;
  Arena *arena = &q->result->arena;
  if (!events) return arena_format(arena, "%sno event can close a chain", u->plan->words);
  return arena_format(arena, "%sunfolded, %llu event%s", u->plan->words, events, events == 1 ? "" : "s");
}

/* The witness of result block i, whose red place the event covers: expanded, and put before the judge. */
static bool find_witness(Question *q, uint32_t i, EventId event, const char *grounds) {
  const Unfolding *u = &q->unfolding;
  const uint32_t n = prefix_local_run(u->prefix, event, NULL);
  TransId *coloured_run = heap_alloc(q->heap, ((size_t)n + 1) * sizeof *coloured_run);
  prefix_local_run(u->prefix, event, coloured_run);
  TransId *steps;
  uint32_t n_steps;
  const bool expanded = colour_expand_run(u->coloured, coloured_run, n, &steps, &n_steps, q->err);
  heap_release(q->heap, coloured_run);
  if (!expanded) return question_fail_unless_unsafe(q);
  if (u->part.net && !subnet_run_to_whole(&u->part, steps, n_steps)) {
    heap_release(q->heap, steps);
    q->outcome = UNFOLDING_ADDED;
    return true;
  }
  return question_take_run(q, i, steps, n_steps, grounds);
}

/* The first event that covers the red place of result block i, or EVENT_NONE. */
static EventId red_event(const Question *q, uint32_t i) {
  const Unfolding *u = &q->unfolding;
  return u->target_of[i] == NOTE_NONE ? EVENT_NONE : u->prefix->target_event[u->target_of[i]];
}

/* Is it known that red cannot be marked? */
static bool is_never_red(const Question *q, uint32_t i) {
  const Unfolding *u = &q->unfolding;
  return u->target_of[i] == NOTE_NONE || (u->prefix->status == UNFOLD_COMPLETE && red_event(q, i).v == EVENT_NONE.v);
}

static bool find_witnesses(Question *q, const char *grounds) {
  for (uint32_t i = 0; i < q->result->n_blocks; i++)
    if (is_chosen(q, i) && red_event(q, i).v != EVENT_NONE.v && !find_witness(q, i, red_event(q, i), grounds))
      return false;
  return true;
}

/* A block whose red place cannot be marked is atomic if the net is 1-safe. Sets `atomic`, per block of the notes. */
static bool find_atomic(Question *q, const char *grounds, bool *atomic) {
  const UnfoldingPlan *plan = q->unfolding.plan;
  if (!plan->is_enough) return true;
  for (uint32_t i = 0; i < q->result->n_blocks; i++) {
    if (!is_chosen(q, i) || !is_never_red(q, i)) continue;
    if (!question_is_safe(q)) return false;
    atomic[q->result->blocks[i].block] = q->safe == VERDICT_HOLDS;
    question_decide(q, i, q->safe, grounds);
  }
  return true;
}

static bool certify(Question *q, const bool *atomic) {
  bool any = false;
  for (uint32_t b = 0; b < q->net->notes->n_blocks; b++) any = any || atomic[b];
  if (!any || !q->options->certificate || q->options->colour.colouring != COLOURING_CHAIN) return true;
  return atomic_proof_write(q, atomic);
}

static bool decide_atomic(Question *q, const char *grounds) {
  bool *atomic = heap_zeroed(q->heap, (size_t)q->net->notes->n_blocks + 1);
  const bool good = find_atomic(q, grounds, atomic) && certify(q, atomic);
  heap_release(q->heap, atomic);
  return good;
}

/* Where the prefix is complete and was looked at to the end, no red place is covered. */
static bool show_proof(Question *q) {
  const AtomicityOptions *options = q->options;
  const Unfolding *u = &q->unfolding;
  if (!options->proof || u->prefix->status != UNFOLD_COMPLETE) return true;
  for (uint32_t i = 0; i < q->result->n_blocks; i++)
    if (q->result->blocks[i].verdict != VERDICT_HOLDS) return true;
  q->result->proved = options->proof(options->proof_argument, u->prefix, u->targets, u->n_targets, q->err);
  return q->result->proved || question_fail(q);
}

/* How did it end, and was it by a limit of the whole run? */
static void find_outcome(Question *q) {
  const Prefix *prefix = q->unfolding.prefix;
  if (!prefix || prefix->status == UNFOLD_COMPLETE) return;
  const bool is_over = question_is_over(q);
  if (prefix->status == UNFOLD_STOPPED) q->outcome = UNFOLDING_STOPPED;
  if (prefix->status == UNFOLD_LIMIT && !is_over) q->outcome = UNFOLDING_CUT;
  if (prefix->status == UNFOLD_NOT_SAFE) q->outcome = UNFOLDING_ADDED;
}

static bool decide(Question *q) {
  take_net(q);
  if (!colour(q)) return q->good;
  if (!show_coloured(q) || !unfold_coloured(q)) return false;
  find_outcome(q);
  if (q->outcome == UNFOLDING_ADDED) return true;
  const char *grounds = words_of_unfolding(q);
  return find_witnesses(q, grounds) && decide_atomic(q, grounds) && show_proof(q);
}

bool unfolding_decide(Question *q, const UnfoldingPlan *plan) {
  q->unfolding = (Unfolding){.plan = plan};
  q->outcome = UNFOLDING_ENDED;
  bool good = decide(q);
  unfolding_clear(q);
  for (uint32_t i = 0; i < q->result->n_blocks && good; i++) {
    const BlockVerdict *block = &q->result->blocks[i];
    if (q->chosen[block->block] && block->verdict == VERDICT_VIOLATED) good = data_witness_find(q, i);
  }
  return good;
}

void unfolding_clear(Question *q) {
  Unfolding *u = &q->unfolding;
  q->before.events += u->counts.events;
  q->before.conditions += u->counts.conditions;
  q->before.cutoffs += u->counts.cutoffs;
  prefix_free(u->prefix);
  colour_free(u->coloured);
  heap_release(q->heap, u->targets);
  heap_release(q->heap, u->target_of);
  subnet_fini(&u->part);
  *u = (Unfolding){0};
}
