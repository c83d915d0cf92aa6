#include "check/replay.h"

#include "base/vec.h"

#include <stdlib.h>

/* What stands on a place: nothing, a token of the initial marking, or that of the step with this number. */
#define EMPTY UINT32_MAX
#define INITIAL (UINT32_MAX - 1)

typedef VEC(Cause) CauseVec;

static int compare_causes(const void *a, const void *b) {
  const Cause *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return (x->place.v > y->place.v) - (x->place.v < y->place.v);
}

static bool take_tokens(Heap *heap, const Net *net, uint32_t step, TransId t, uint32_t *token, CauseVec *causes,
                        Err *err) {
  const PlaceList pre = net_pre(net, t);
  const uint32_t first = causes->n;
  for (uint32_t i = 0; i < pre.n; i++) {
    const uint32_t from = token[pre.at[i].v];
    if (from == EMPTY)
      return err_set(err, ERR_CHECK, "step %u of the witness, '%.200s', cannot fire: no token on '%.200s'", step + 1,
                     net->trans_name[t.v], net->place_name[pre.at[i].v]);
    if (from != INITIAL) vec_push(heap, causes, ((Cause){from, pre.at[i]}));
    token[pre.at[i].v] = EMPTY;
  }
  if (causes->n > first) qsort(causes->at + first, causes->n - first, sizeof *causes->at, compare_causes);
  return true;
}

static bool put_tokens(const Net *net, uint32_t step, TransId t, uint32_t *token, Err *err) {
  const PlaceList post = net_post(net, t);
  for (uint32_t i = 0; i < post.n; i++) {
    if (token[post.at[i].v] != EMPTY)
      return err_set(err, ERR_CHECK, "step %u of the witness, '%.200s', puts a second token on '%.200s'", step + 1,
                     net->trans_name[t.v], net->place_name[post.at[i].v]);
    token[post.at[i].v] = step;
  }
  return true;
}

static bool play(Heap *heap, const Net *net, const TransId *run, uint32_t n_run, uint32_t *token, uint32_t *start,
                 CauseVec *causes, Err *err) {
  for (uint32_t p = 0; p < net->n_places; p++) token[p] = net->marked[p] ? INITIAL : EMPTY;
  for (uint32_t i = 0; i < n_run; i++) {
    if (run[i].v >= net->n_trans)
      return err_set(err, ERR_CHECK, "step %u of the witness is not a transition of the net", i + 1);
    start[i] = causes->n;
    if (!take_tokens(heap, net, i, run[i], token, causes, err) || !put_tokens(net, i, run[i], token, err)) return false;
  }
  start[n_run] = causes->n;
  return true;
}

bool replay_run(Heap *heap, const Net *net, const TransId *run, uint32_t n_run, Replay *replay, Err *err) {
  uint32_t *token = heap_alloc(heap, heap_product(heap, net->n_places, sizeof *token));
  uint32_t *start = heap_alloc(heap, heap_product(heap, (size_t)n_run + 1, sizeof *start));
  CauseVec causes = {0};
  const bool fired = play(heap, net, run, n_run, token, start, &causes, err);
  heap_release(heap, token);
  if (fired) {
    *replay = (Replay){heap, n_run, start, causes.at};
  } else {
    heap_release(heap, start);
    vec_fini(heap, &causes);
  }
  return fired;
}

void replay_fini(Replay *replay) {
  heap_release(replay->heap, replay->start);
  heap_release(replay->heap, replay->causes);
  *replay = (Replay){0};
}
