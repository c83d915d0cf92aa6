#include "prove/links.h"

static void count_touchers(Links *l) {
  const Known *facts = l->facts;
  for (uint32_t step = 0; step < facts->classes->n_steps; step++) {
    if (!known_is_live(facts, step)) continue;
    const TouchList touches = classes_touches(facts->classes, step);
    for (uint32_t i = 0; i < touches.n; i++) l->start[touches.at[i].object + 1]++;
  }
  for (uint32_t o = 0; o < facts->classes->n_objects; o++) l->start[o + 1] += l->start[o];
}

static void add_touchers(Links *l) {
  const Known *facts = l->facts;
  const uint32_t n_objects = facts->classes->n_objects;
  l->touchers = heap_alloc(l->heap, heap_product(l->heap, (uint64_t)l->start[n_objects] + 1, sizeof *l->touchers));
  uint32_t *next = heap_alloc(l->heap, heap_product(l->heap, (uint64_t)n_objects + 1, sizeof *next));
  for (uint32_t o = 0; o < n_objects; o++) next[o] = l->start[o];
  for (uint32_t step = 0; step < facts->classes->n_steps; step++) {
    if (!known_is_live(facts, step)) continue;
    const TouchList touches = classes_touches(facts->classes, step);
    for (uint32_t i = 0; i < touches.n; i++) l->touchers[next[touches.at[i].object]++] = (Toucher){step, touches.at[i]};
  }
  heap_release(l->heap, next);
}

void links_init(Links *links, const Known *facts) {
  *links = (Links){.heap = facts->heap, .facts = facts};
  links->start = heap_zeroed(facts->heap,
                             heap_product(facts->heap, (uint64_t)facts->classes->n_objects + 1, sizeof *links->start));
  count_touchers(links);
  add_touchers(links);
}

void links_fini(Links *links) {
  heap_release(links->heap, links->start);
  heap_release(links->heap, links->touchers);
}

bool links_picks_up(const Links *links, uint32_t step, uint32_t next) {
  const Known *facts = links->facts;
  const ClassStep *at = &facts->classes->steps[step];
  return known_meet(facts, facts->classes->steps[next].from, at->from) && known_pass(facts, next, at->to);
}

bool links_leave(const Links *links, uint32_t step) {
  const TouchList touches = classes_touches(links->facts->classes, step);
  for (uint32_t i = 0; i < touches.n; i++) {
    const ToucherList others = links_touchers(links, touches.at[i].object);
    for (uint32_t k = 0; k < others.n; k++)
      if (links_join(&touches.at[i], &others.at[k].touch) && links_picks_up(links, step, others.at[k].step))
        return true;
  }
  return false;
}

bool links_enter(const Links *links, uint32_t step) {
  const TouchList touches = classes_touches(links->facts->classes, step);
  const uint32_t from = links->facts->classes->steps[step].from;
  for (uint32_t i = 0; i < touches.n; i++) {
    const ToucherList others = links_touchers(links, touches.at[i].object);
    for (uint32_t k = 0; k < others.n; k++)
      if (links_join(&others.at[k].touch, &touches.at[i]) && known_pass(links->facts, others.at[k].step, from))
        return true;
  }
  return false;
}
