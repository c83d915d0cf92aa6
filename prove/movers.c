#include "prove/movers.h"

enum { LEAVE_KNOWN = 1, LEAVES = 2, ENTER_KNOWN = 4, ENTERS = 8 };

void movers_init(Movers *movers, const Links *links) {
  const Classes *classes = links->facts->classes;
  *movers = (Movers){.links = links};
  movers->known = heap_zeroed(links->heap, (size_t)classes->n_steps + 1);
  movers->visited = heap_zeroed(links->heap, ((size_t)classes->n_controls / 32 + 1) * sizeof *movers->visited);
}

void movers_fini(Movers *movers) {
  Heap *heap = movers->links->heap;
  heap_release(heap, movers->known);
  heap_release(heap, movers->visited);
  vec_fini(heap, &movers->queue);
}

void movers_forget(Movers *movers) {
  for (uint32_t step = 0; step < movers->links->facts->classes->n_steps; step++) movers->known[step] = 0;
}

bool movers_leave(Movers *movers, uint32_t step) {
  uint8_t *known = &movers->known[step];
  if (!(*known & LEAVE_KNOWN)) *known |= links_leave(movers->links, step) ? LEAVE_KNOWN | LEAVES : LEAVE_KNOWN;
  return *known & LEAVES;
}

bool movers_enter(Movers *movers, uint32_t step) {
  uint8_t *known = &movers->known[step];
  if (!(*known & ENTER_KNOWN)) *known |= links_enter(movers->links, step) ? ENTER_KNOWN | ENTERS : ENTER_KNOWN;
  return *known & ENTERS;
}

/* In the queue: a control, twice its number, and 1 more after a step at which a chain may leave. */
static void visit(Movers *m, uint32_t control, bool has_left) {
  const size_t at = 2 * (size_t)control + has_left;
  if (m->visited[at / 64] >> (at % 64) & 1) return;
  m->visited[at / 64] |= (uint64_t)1 << (at % 64);
  vec_push(m->links->heap, &m->queue, 2 * control + has_left);
}

static void start(Movers *m, uint32_t class, uint32_t block) {
  const Classes *classes = m->links->facts->classes;
  const uint32_t first = classes_first_step(classes, class);
  const uint32_t behind = classes_first_step(classes, class + 1);
  for (uint32_t step = first; step < behind; step++)
    if (classes->steps[step].begin == block && known_is_live(m->links->facts, step))
      visit(m, classes->steps[step].to, movers_leave(m, step));
}

/* False if a chain may come back. */
static bool follow(Movers *m, uint32_t control, bool has_left, uint32_t block) {
  const Classes *classes = m->links->facts->classes;
  for (uint32_t step = classes->step_start[control]; step < classes->step_start[control + 1]; step++) {
    if (!movers_is_inside(m->links->facts, step, block)) continue;
    if (has_left && movers_enter(m, step)) return false;
    visit(m, classes->steps[step].to, has_left || movers_leave(m, step));
  }
  return true;
}

bool movers_prove(Movers *movers, uint32_t class, uint32_t block) {
  start(movers, class, block);
  bool good = true;
  for (uint32_t i = 0; good && i < movers->queue.n; i++)
    good = follow(movers, movers->queue.at[i] / 2, movers->queue.at[i] % 2, block);
  for (uint32_t i = 0; i < movers->queue.n; i++) movers->visited[movers->queue.at[i] / 64] = 0;
  vec_clear(&movers->queue);
  return good;
}
