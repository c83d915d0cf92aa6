#include "unfold/config.h"

#include "base/hash.h"

#include <assert.h>

static uint64_t place_hash(PlaceId place) { return hash_word(place.v); }

static void init_places(Config *config) {
  const Branch *branch = config->branch;
  const uint32_t n = branch->net->n_places;
  config->places = heap_alloc(config->heap, heap_product(config->heap, n, sizeof *config->places));
  for (uint32_t p = 0; p < n; p++) config->places[p] = (PlaceState){NONE, NONE, false};
  for (uint32_t c = 0; c < branch->conditions.n; c++) {
    config->places[branch->conditions.at[c].place].cut = c;
    config->hash += place_hash((PlaceId){branch->conditions.at[c].place});
  }
}

/* Adds those of the list that are not in the other one to the changes. */
static void add_changes(Config *config, uint32_t *n, PlaceList list, PlaceList other) {
  for (uint32_t i = 0; i < list.n; i++)
    if (!place_list_has(other, list.at[i])) config->changes[(*n)++] = list.at[i].v;
}

static void init_transitions(Config *config) {
  const Net *net = config->branch->net;
  Heap *heap = config->heap;
  config->trans_hash = heap_zeroed(heap, heap_product(heap, net->n_trans, sizeof *config->trans_hash));
  config->change_start = heap_alloc(heap, heap_product(heap, (size_t)net->n_trans + 1, sizeof *config->change_start));
  if (net->n_outputs > UINT32_MAX - net->n_inputs) heap_give_up(heap);
  config->changes = heap_alloc(heap, heap_product(heap, net->n_inputs + net->n_outputs, sizeof *config->changes));
  uint32_t n = config->change_start[0] = 0;
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const PlaceList pre = net_pre(net, (TransId){t}), post = net_post(net, (TransId){t});
    for (uint32_t i = 0; i < post.n; i++) config->trans_hash[t] += place_hash(post.at[i]);
    for (uint32_t i = 0; i < pre.n; i++) config->trans_hash[t] -= place_hash(pre.at[i]);
    add_changes(config, &n, pre, post);
    add_changes(config, &n, post, pre);
    config->change_start[t + 1] = n;
  }
  config->changes = heap_resize(heap, config->changes, heap_product(heap, n, sizeof *config->changes));
}

void config_init(Config *config, Branch *branch) {
  *config = (Config){.heap = branch->heap, .branch = branch};
  init_places(config);
  init_transitions(config);
  marks_init(&config->marks, branch->heap, branch->net);
}

void config_fini(Config *config) {
  heap_release(config->heap, config->places);
  heap_release(config->heap, config->trans_hash);
  heap_release(config->heap, config->change_start);
  heap_release(config->heap, config->changes);
  marks_fini(&config->marks);
  vec_fini(config->heap, &config->trail);
  vec_fini(config->heap, &config->path);
  vec_fini(config->heap, &config->work);
}

static void fire(Config *config, uint32_t e) {
  Event *event = &config->branch->events.at[e];
  const PlaceList pre = net_pre(config->branch->net, (TransId){event->trans});
  const PlaceList post = net_post(config->branch->net, (TransId){event->trans});
  for (uint32_t i = 0; i < pre.n; i++) config->places[pre.at[i].v].cut = NONE;
  for (uint32_t i = 0; i < post.n; i++) {
    assert(config->places[post.at[i].v].cut == NONE);
    config->places[post.at[i].v].cut = event->post + i;
  }
  config_flip(config, event->trans);
  config->hash += config->trans_hash[event->trans];
  event->inside = true;
  vec_push(config->heap, &config->trail, e);
}

static void take_back(Config *config, uint32_t e) {
  Event *event = &config->branch->events.at[e];
  const PlaceList pre = net_pre(config->branch->net, (TransId){event->trans});
  const PlaceList post = net_post(config->branch->net, (TransId){event->trans});
  const uint32_t *inputs = branch_pre(config->branch, event->pre);
  for (uint32_t i = 0; i < post.n; i++) config->places[post.at[i].v].cut = NONE;
  for (uint32_t i = 0; i < pre.n; i++) config->places[pre.at[i].v].cut = inputs[i];
  config_flip(config, event->trans);
  config->hash -= config->trans_hash[event->trans];
  event->inside = false;
}

void config_undo(Config *config, uint32_t length) {
  while (config->trail.n > length) take_back(config, config->trail.at[--config->trail.n]);
}

/* Pushes those causes of e that are not inside on `work`. False on a condition that is already consumed, or guarded. */
static bool push_missing(Config *config, uint32_t e) {
  const Branch *branch = config->branch;
  const Event *event = &branch->events.at[e];
  const PlaceList pre = net_pre(branch->net, (TransId){event->trans});
  const uint32_t *inputs = branch_pre(branch, event->pre);
  for (uint32_t i = 0; i < pre.n; i++) {
    const PlaceState *place = &config->places[pre.at[i].v];
    if (place->cut == inputs[i]) {
      if (place->guarded) return false;
      continue;
    }
    const uint32_t producer = branch->conditions.at[inputs[i]].producer;
    if (producer == NONE || branch->events.at[producer].inside) return false;
    vec_push(config->heap, &config->work, producer);
  }
  return true;
}

bool config_add(Config *config, uint32_t e) {
  const uint32_t length = config->trail.n;
  vec_clear(&config->work);
  vec_push(config->heap, &config->work, e);
  while (config->work.n) {
    const uint32_t top = vec_last(&config->work), height = config->work.n;
    if (config->branch->events.at[top].inside) {
      config->work.n--;
      continue;
    }
    if (!push_missing(config, top)) {
      config_undo(config, length);
      return false;
    }
    if (config->work.n > height) continue;
    config->work.n--;
    fire(config, top);
  }
  return true;
}

static void leave_path(Config *config, uint32_t ancestor) {
  Event *events = config->branch->events.at;
  while (config->path.n && vec_last(&config->path) != ancestor) events[config->path.at[--config->path.n]].height = 0;
  config_undo(config, ancestor == NONE ? 0 : events[ancestor].height);
}

void config_switch(Config *config, uint32_t e) {
  Event *events = config->branch->events.at;
  uint32_t ancestor = e;
  for (; ancestor != NONE && !events[ancestor].height; ancestor = events[ancestor].parent) continue;
  leave_path(config, ancestor);
  const uint32_t from = config->path.n;
  for (uint32_t x = e; x != ancestor; x = events[x].parent) vec_push(config->heap, &config->path, x);
  for (uint32_t i = from, j = config->path.n; i + 1 < j; i++) {
    const uint32_t x = config->path.at[i];
    config->path.at[i] = config->path.at[--j];
    config->path.at[j] = x;
  }
  for (uint32_t i = from; i < config->path.n; i++) {
    const bool added = config_add(config, config->path.at[i]);
    assert(added);
    (void)added;
    events[config->path.at[i]].height = config->trail.n;
  }
}
