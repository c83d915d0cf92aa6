/* Each transition that is not possible waits for one place of its preset. When that gets its first live condition, the
 * transition looks for another one to wait for: so a transition is looked at once for each place of its preset,
 * whatever the number of events. */
#include "unfold/possible.h"

/* The consumers of a place are kept in ascending order, and come nearly in that order. */
static void add_consumer(Possible *possible, const Net *net, uint32_t p, uint32_t t) {
  Consumer *const at = possible->consumers + net->consumer_start[p];
  uint32_t i = possible->n_consumers[p]++;
  for (; i && at[i - 1].trans > t; i--) at[i] = at[i - 1];
  at[i] = (Consumer){t, p};
}

static void become_possible(Possible *possible, const Net *net, uint32_t t) {
  const PlaceList pre = net_pre(net, (TransId){t});
  const uint64_t wanted = regions_of(possible->regions, pre);
  for (uint32_t i = 0; i < pre.n; i++) {
    const uint32_t p = pre.at[i].v;
    add_consumer(possible, net, p, t);
    possible->wanted[p] |= wanted;
  }
}

static void wait_or_become(Possible *possible, uint32_t t) {
  const Net *net = possible->config->branch->net;
  const PlaceList pre = net_pre(net, (TransId){t});
  for (uint32_t i = pre.n; i-- > 0;) {
    const uint32_t p = pre.at[i].v;
    if (possible->config->places[p].n_live) continue;
    possible->next[t] = possible->waiting[p];
    possible->waiting[p] = t;
    return;
  }
  become_possible(possible, net, t);
}

void possible_init(Possible *possible, const Config *config, const Regions *regions) {
  Heap *heap = config->heap;
  const Net *net = config->branch->net;
  *possible = (Possible){.config = config, .regions = regions};
  possible->waiting = heap_alloc(heap, heap_product(heap, net->n_places, sizeof *possible->waiting));
  possible->next = heap_alloc(heap, heap_product(heap, net->n_trans, sizeof *possible->next));
  possible->consumers = heap_alloc(heap, heap_product(heap, net->n_inputs, sizeof *possible->consumers));
  possible->n_consumers = heap_zeroed(heap, heap_product(heap, net->n_places, sizeof *possible->n_consumers));
  possible->wanted = heap_zeroed(heap, heap_product(heap, net->n_places, sizeof *possible->wanted));
  for (uint32_t p = 0; p < net->n_places; p++) possible->waiting[p] = NONE;
  for (uint32_t t = 0; t < net->n_trans; t++) wait_or_become(possible, t);
}

void possible_fini(Possible *possible) {
  Heap *heap = possible->config->heap;
  heap_release(heap, possible->waiting);
  heap_release(heap, possible->next);
  heap_release(heap, possible->consumers);
  heap_release(heap, possible->n_consumers);
  heap_release(heap, possible->wanted);
}

/* The transitions that wait for the place, which is live now; they were put in front of each other in ascending order.
 */
static uint32_t take_waiting(Possible *possible, uint32_t p) {
  uint32_t first = NONE, t = possible->waiting[p];
  possible->waiting[p] = NONE;
  while (t != NONE) {
    const uint32_t next = possible->next[t];
    possible->next[t] = first;
    first = t;
    t = next;
  }
  return first;
}

void possible_note_event(Possible *possible, uint32_t e) {
  const Branch *branch = possible->config->branch;
  const PlaceList post = net_post(branch->net, (TransId){branch->events.at[e].trans});
  for (uint32_t i = 0; i < post.n; i++) {
    for (uint32_t t = take_waiting(possible, post.at[i].v), next; t != NONE; t = next) {
      next = possible->next[t];
      wait_or_become(possible, t);
    }
  }
}
