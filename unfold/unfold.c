#include "unfold/unfold.h"

#include "unfold/extend.h"
#include "unfold/finish.h"

typedef struct {
  const UnfoldOptions *options;
  Branch branch;
  Effects effects;
  Marks marks;
  Config config;
  Queue queue;
  Limits limits;
  Extend extend;
  bool *wanted; /* per place: a target that is not yet covered */
  uint32_t n_wanted;
  bool one_found;      /* one has been covered by an event */
  bool stop_reached;   /* there is an event of stop_at */
  uint64_t next_rival; /* the number of events at which the rival is called */
  UnfoldStatus status;
} Unfolding;

static void begin(Unfolding *u, Heap *heap, const Net *net, const UnfoldOptions *options) {
  u->options = options;
  u->next_rival = UNFOLD_RIVAL;
  limits_init(&u->limits, heap, options);
  branch_init(&u->branch, heap, net);
  effects_init(&u->effects, heap, net);
  marks_init(&u->marks, heap, net, &u->effects);
  config_init(&u->config, &u->branch, &u->effects);
  queue_init(&u->queue, &u->branch, &u->marks, options->order == UNFOLD_ERV);
  extend_init(&u->extend, &u->branch, &u->config, &u->queue, &u->limits);
  u->wanted = heap_zeroed(heap, net->n_places);
  u->n_wanted = 0;
  for (uint32_t i = 0; i < options->n_targets; i++) {
    bool *wanted = &u->wanted[options->targets[i].v];
    if (*wanted || net->marked[options->targets[i].v]) continue;
    *wanted = true;
    u->n_wanted++;
  }
  u->limits.counts->conditions = u->branch.conditions.n;
}

/* All but the branching process. */
static void end(Unfolding *u, Heap *heap) {
  extend_fini(&u->extend);
  queue_fini(&u->queue);
  config_fini(&u->config);
  marks_fini(&u->marks);
  effects_fini(&u->effects);
  heap_release(heap, u->wanted);
}

static void count_event(Unfolding *u, uint32_t ext) {
  const Ext *from = &u->branch.exts.at[ext];
  const PlaceList post = net_post(u->branch.net, (TransId){from->trans});
  UnfoldCounts *counts = u->limits.counts;
  vec_push(u->branch.heap, &u->branch.order, ext);
  counts->events++;
  counts->conditions += post.n;
  counts->cutoffs += from->fate != EXT_LIVE;
  counts->queued--;
  if (u->options->stop_at && u->options->stop_at->v == from->trans) u->stop_reached = true;
  if (!u->n_wanted) return;
  for (uint32_t i = 0; i < post.n; i++) {
    if (!u->wanted[post.at[i].v]) continue;
    u->one_found = true;
    u->n_wanted--;
    u->wanted[post.at[i].v] = false;
  }
}

static bool all_found(const Unfolding *u) {
  return u->stop_reached || (u->options->stop_at_targets && u->options->n_targets && !u->n_wanted) ||
         (u->options->stop_at_first && u->one_found);
}

/* Lets the rival go on where it is its turn. */
static bool rival_wins(Unfolding *u) {
  if (!u->options->rival || u->limits.counts->events < u->next_rival) return false;
  u->next_rival *= 2;
  return u->options->rival(u->options->rival_argument);
}

/* May one more event be added? If not, the status says why. */
static bool may_go_on(Unfolding *u) {
  const UnfoldOptions *options = u->options;
  if (all_found(u)) u->status = UNFOLD_STOPPED;
  else if (limits_tick(&u->limits, 4)) u->status = UNFOLD_CANCELLED;
  else if (options->max_events && u->limits.counts->events >= options->max_events) u->status = UNFOLD_LIMIT;
  else if (rival_wins(u)) u->status = UNFOLD_LIMIT;
  else return true;
  return false;
}

/* Adds the events of one size: first those that are no cut-offs, with what they make possible, then the others. */
static bool add_live(Unfolding *u, uint32_t first) {
  for (uint32_t ext = first, next; ext != NONE; ext = next) {
    next = u->branch.exts.at[ext].next;
    if (u->branch.exts.at[ext].fate != EXT_WAITING) continue;
    if (!may_go_on(u)) return false;
    const uint32_t e = branch_add_event(&u->branch, ext, u->queue.size);
    count_event(u, ext);
    if (all_found(u) || extend_event(&u->extend, e)) continue;
    u->status = UNFOLD_NOT_SAFE;
    return false;
  }
  return true;
}

static bool add_cutoffs(Unfolding *u, uint32_t first) {
  for (uint32_t ext = first; ext != NONE; ext = u->branch.exts.at[ext].next) {
    if (u->branch.exts.at[ext].fate == EXT_LIVE) continue;
    if (!may_go_on(u)) return false;
    count_event(u, ext);
  }
  return true;
}

static void grow(Unfolding *u) {
  u->status = UNFOLD_NOT_SAFE;
  if (!extend_initial(&u->extend)) return;
  for (;;) {
    const uint32_t first = queue_take(&u->queue);
    if (first == NONE) break;
    if (!add_live(u, first) || !add_cutoffs(u, first)) return;
  }
  /* where it was cancelled in the middle of an event, extensions may be missing */
  u->status = all_found(u) ? UNFOLD_STOPPED : u->limits.stopped ? UNFOLD_CANCELLED : UNFOLD_COMPLETE;
}

/* The prefix without its events. */
static Prefix *begin_prefix(const Unfolding *u) {
  Heap *heap = u->branch.heap;
  const U32Vec *run = &u->extend.run;
  Prefix *prefix = heap_zeroed(heap, sizeof *prefix);
  *prefix = (Prefix){.heap = heap, .net = u->branch.net, .status = u->status, .counts = *u->limits.counts};
  prefix->unsafe_place = PLACE_NONE;
  if (u->status != UNFOLD_NOT_SAFE) return prefix;
  prefix->unsafe_place.v = u->extend.unsafe_place;
  prefix->n_unsafe_run = run->n;
  prefix->unsafe_run = heap_alloc(heap, heap_product(heap, run->n, sizeof *prefix->unsafe_run));
  for (uint32_t i = 0; i < run->n; i++) prefix->unsafe_run[i] = (TransId){run->at[i]};
  return prefix;
}

Prefix *unfold(Heap *heap, const Net *net, const UnfoldOptions *options, Err *err) {
  for (uint32_t t = 0; t < net->n_trans; t++) {
    if (net_pre(net, (TransId){t}).n) continue;
    err_set(err, ERR_INPUT,
            "transition '%s' has no input place, so it could fire forever, and the net has no finite prefix",
            net->trans_name[t]);
    return NULL;
  }
  Unfolding *u = heap_zeroed(heap, sizeof *u);
  begin(u, heap, net, options);
  grow(u);
  Prefix *prefix = begin_prefix(u);
  end(u, heap);
  finish_prefix(&u->branch, options, prefix);
  branch_fini(&u->branch);
  heap_release(heap, u);
  return prefix;
}
