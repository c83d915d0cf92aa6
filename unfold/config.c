#include "unfold/config.h"

#include "base/bitset.h"

#include <assert.h>

void config_init(Config *config, Branch *branch, const Effects *effects) {
  Heap *heap = branch->heap;
  const uint32_t n = branch->net->n_places;
  *config = (Config){.heap = heap, .branch = branch, .effects = effects};
  config->places = heap_alloc(heap, heap_product(heap, n, sizeof *config->places));
  config->marked = heap_zeroed(heap, bitset_words(n) * sizeof *config->marked);
  uint32_t n_marked = 0;
  for (uint32_t p = 0; p < n; p++) {
    config->places[p] = (PlaceState){.cut = NONE, .producer = NONE, .alternatives = NONE};
    if (!branch->net->marked[p]) continue;
    config->places[p].cut = n_marked++;
    config->places[p].n_live = 1;
    bitset_add(config->marked, p);
  }
  assert(n_marked == branch->conditions.n);
}

void config_fini(Config *config) {
  heap_release(config->heap, config->places);
  heap_release(config->heap, config->marked);
  vec_fini(config->heap, &config->trail);
  vec_fini(config->heap, &config->path);
  vec_fini(config->heap, &config->work);
}

void config_note_event(Config *config, uint32_t e) {
  const TransId t = {config->branch->events.at[e].trans};
  const PlaceList post = net_post(config->branch->net, t);
  for (uint32_t i = 0; i < post.n; i++) config->places[post.at[i].v].n_live++;
}

/* Firing and taking back are the same for the set of marked places. */
static void toggle(Config *config, uint32_t trans) {
  const Effects *effects = config->effects;
  for (uint32_t i = effects->start[2 * trans]; i < effects->start[2 * trans + 2]; i++)
    config->marked[effects->places[i] / 64] ^= (uint64_t)1 << effects->places[i] % 64;
}

static void fire(Config *config, uint32_t e) {
  Event *event = &config->branch->events.at[e];
  const PlaceList pre = net_pre(config->branch->net, (TransId){event->trans});
  const PlaceList post = net_post(config->branch->net, (TransId){event->trans});
  for (uint32_t i = 0; i < pre.n; i++) config->places[pre.at[i].v].cut = NONE;
  for (uint32_t i = 0; i < post.n; i++) {
    assert(config->places[post.at[i].v].cut == NONE);
    config->places[post.at[i].v].cut = event->post + i;
    config->places[post.at[i].v].producer = e;
  }
  toggle(config, event->trans);
  event->inside = true;
  vec_push(config->heap, &config->trail, e);
}

static void take_back(Config *config, uint32_t e) {
  Event *event = &config->branch->events.at[e];
  const PlaceList pre = net_pre(config->branch->net, (TransId){event->trans});
  const PlaceList post = net_post(config->branch->net, (TransId){event->trans});
  const Input *inputs = branch_pre(config->branch, event->pre);
  for (uint32_t i = 0; i < post.n; i++) config->places[post.at[i].v].cut = NONE;
  for (uint32_t i = 0; i < pre.n; i++) {
    config->places[pre.at[i].v].cut = inputs[i].condition;
    config->places[pre.at[i].v].producer = inputs[i].producer;
  }
  toggle(config, event->trans);
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
  const Input *inputs = branch_pre(branch, event->pre);
  for (uint32_t i = 0; i < pre.n; i++) {
    const PlaceState *place = &config->places[pre.at[i].v];
    if (place->cut == inputs[i].condition) {
      if (place->guarded) return false;
      continue;
    }
    const uint32_t producer = inputs[i].producer;
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
