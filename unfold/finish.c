#include "unfold/finish.h"

#include <stdlib.h>

static void *new_array(Prefix *prefix, size_t n, size_t size) {
  return heap_alloc(prefix->heap, heap_product(prefix->heap, n, size));
}

/* Numbers the events, and counts conditions and arcs. */
static void number_events(Branch *branch, Prefix *prefix, uint32_t *n_arcs) {
  const Net *net = branch->net;
  uint64_t conditions = branch->events.n ? branch->events.at[0].post : branch->conditions.n, arcs = 0;
  for (uint32_t e = 0; e < branch->order.n; e++) {
    Ext *ext = &branch->exts.at[branch->order.at[e]];
    ext->next = e;
    conditions += net_post(net, (TransId){ext->trans}).n;
    arcs += net_pre(net, (TransId){ext->trans}).n;
  }
  if (conditions >= NONE || arcs >= NONE) heap_give_up(branch->heap);
  prefix->n_events = branch->order.n;
  prefix->n_conditions = (uint32_t)conditions;
  *n_arcs = (uint32_t)arcs;
}

static void make_arrays(Prefix *prefix, uint32_t n_arcs) {
  prefix->event_trans = new_array(prefix, prefix->n_events, sizeof *prefix->event_trans);
  prefix->pre_start = new_array(prefix, (size_t)prefix->n_events + 1, sizeof *prefix->pre_start);
  prefix->post_start = new_array(prefix, (size_t)prefix->n_events + 1, sizeof *prefix->post_start);
  prefix->pre = new_array(prefix, n_arcs, sizeof *prefix->pre);
  prefix->condition_place = new_array(prefix, prefix->n_conditions, sizeof *prefix->condition_place);
  prefix->producer = new_array(prefix, prefix->n_conditions, sizeof *prefix->producer);
  prefix->corresponding = new_array(prefix, prefix->n_events, sizeof *prefix->corresponding);
  prefix->is_cutoff = new_array(prefix, prefix->n_events, sizeof *prefix->is_cutoff);
}

/* The number in the prefix of a condition; post_start must be filled as far as its producer. */
static uint32_t number_of(const Branch *branch, const Prefix *prefix, Input input) {
  if (input.producer == NONE) return input.condition;
  const Event *event = &branch->events.at[input.producer];
  return prefix->post_start[branch->exts.at[event->ext].next] + (input.condition - event->post);
}

enum { SHORT_LIST = 24 };

static int by_number(const void *a, const void *b) {
  const uint32_t x = ((const ConditionId *)a)->v, y = ((const ConditionId *)b)->v;
  return (x > y) - (x < y);
}

/* Most presets are short and nearly in order. */
static void sort_conditions(ConditionId *list, uint32_t n) {
  if (n > SHORT_LIST) {
    qsort(list, n, sizeof *list, by_number);
    return;
  }
  for (uint32_t i = 1; i < n; i++) {
    const ConditionId c = list[i];
    uint32_t k = i;
    for (; k > 0 && list[k - 1].v > c.v; k--) list[k] = list[k - 1];
    list[k] = c;
  }
}

/* An extension that won over another one of its size and marking may have lost to a third one. */
static EventId corresponding_event(const Branch *branch, uint32_t ext) {
  while (branch->exts.at[ext].fate != EXT_LIVE) ext = branch->exts.at[ext].fate;
  return ext == 0 ? EVENT_NONE : (EventId){branch->exts.at[ext].next};
}

static void fill_event(const Branch *branch, Prefix *prefix, uint32_t e) {
  const Ext *ext = &branch->exts.at[branch->order.at[e]];
  const PlaceList pre = net_pre(branch->net, (TransId){ext->trans}),
                  post = net_post(branch->net, (TransId){ext->trans});
  ConditionId *inputs = prefix->pre + prefix->pre_start[e];
  prefix->event_trans[e] = (TransId){ext->trans};
  for (uint32_t i = 0; i < pre.n; i++) inputs[i].v = number_of(branch, prefix, branch->pool.at[ext->pre + i]);
  sort_conditions(inputs, pre.n);
  prefix->pre_start[e + 1] = prefix->pre_start[e] + pre.n;
  for (uint32_t i = 0; i < post.n; i++) {
    prefix->condition_place[prefix->post_start[e] + i] = post.at[i];
    prefix->producer[prefix->post_start[e] + i] = (EventId){e};
  }
  prefix->post_start[e + 1] = prefix->post_start[e] + post.n;
  prefix->is_cutoff[e] = ext->fate != EXT_LIVE;
  prefix->corresponding[e] = prefix->is_cutoff[e] ? corresponding_event(branch, ext->fate) : EVENT_NONE;
}

static void fill_initial(Prefix *prefix) {
  uint32_t n = 0;
  for (uint32_t p = 0; p < prefix->net->n_places; p++) {
    if (!prefix->net->marked[p]) continue;
    prefix->condition_place[n] = (PlaceId){p};
    prefix->producer[n++] = EVENT_NONE;
  }
  prefix->pre_start[0] = 0;
  prefix->post_start[0] = n;
}

static void find_targets(Prefix *prefix, const UnfoldOptions *options) {
  const Net *net = prefix->net;
  prefix->n_targets = options->n_targets;
  prefix->target_covered = new_array(prefix, options->n_targets, sizeof *prefix->target_covered);
  prefix->target_event = new_array(prefix, options->n_targets, sizeof *prefix->target_event);
  uint32_t *first = new_array(prefix, net->n_places, sizeof *first);
  for (uint32_t p = 0; p < net->n_places; p++) first[p] = NONE;
  for (uint32_t c = prefix->n_conditions; c-- > 0;) first[prefix->condition_place[c].v] = c;
  for (uint32_t i = 0; i < options->n_targets; i++) {
    const uint32_t c = first[options->targets[i].v];
    prefix->target_covered[i] = c != NONE;
    prefix->target_event[i] = c == NONE ? EVENT_NONE : prefix->producer[c];
  }
  heap_release(prefix->heap, first);
}

void finish_prefix(Branch *branch, const UnfoldOptions *options, Prefix *prefix) {
  uint32_t n_arcs;
  number_events(branch, prefix, &n_arcs);
  vec_fini(branch->heap, &branch->conditions);
  make_arrays(prefix, n_arcs);
  fill_initial(prefix);
  for (uint32_t e = 0; e < prefix->n_events; e++) fill_event(branch, prefix, e);
  find_targets(prefix, options);
}
