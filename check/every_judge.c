#include "check/every_judge.h"

#include "base/vec.h"
#include "petri/instance.h"

#include <stdlib.h>

/* The two threads of each pair, and their places. */
typedef struct {
  const ThreadFacts *facts;
  uint32_t *thread; /* per thread: the other one, or NOTE_NONE */
  uint32_t *place;  /* per place: the one it is swapped with, maybe itself */
  Err *err;
} Pairs;

static bool is_counted(const Pairs *pairs, uint32_t thread) {
  return thread < pairs->facts->net->notes->n_threads && pairs->thread[thread] != NOTE_NONE;
}

static bool not_alike(const Pairs *pairs, uint32_t place) {
  return err_set(pairs->err, ERR_CHECK, "what is said of place '%.200s' is not said of those like it",
                 pairs->facts->net->place_name[place]);
}

/* Places that are swapped are private to the two threads, or to nobody, and of the same value. */
static bool judge_places(const Pairs *pairs) {
  const ThreadFacts *f = pairs->facts;
  for (uint32_t p = 0; p < f->net->n_places; p++) {
    const uint32_t other = pairs->place[p], owner = f->owner[p];
    if (f->value_of[p] != f->value_of[other]) return not_alike(pairs, p);
    const uint32_t expected = is_counted(pairs, owner) ? pairs->thread[owner] : FACT_NONE;
    if (other != p ? f->owner[other] != expected || (owner != FACT_NONE && !is_counted(pairs, owner))
                   : is_counted(pairs, owner))
      return not_alike(pairs, p);
  }
  return true;
}

static int ascending(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* The other thread has the control, too, of the same kind. */
static bool judge_control(const Pairs *pairs, uint32_t control) {
  const ThreadFacts *f = pairs->facts;
  const uint32_t thread = thread_facts_thread(f, control);
  const PlaceList places = thread_facts_places(f, control);
  U32Vec key = {0};
  if (!is_counted(pairs, thread)) return true;
  vec_push(f->heap, &key, pairs->thread[thread]);
  for (uint32_t i = 0; i < places.n; i++) vec_push(f->heap, &key, pairs->place[places.at[i].v]);
  if (places.n > 1) qsort(key.at + 1, places.n, sizeof *key.at, ascending);
  const uint32_t other = intern_find(&f->controls, (const char *)key.at, key.n * sizeof *key.at);
  vec_fini(f->heap, &key);
  return (other != INTERN_NONE && f->control_kind.at[other] == f->control_kind.at[control]) ||
         err_set(pairs->err, ERR_CHECK, "what is said of a control of thread '%.200s' is not said of the other one's",
                 f->net->notes->threads[thread].name);
}

static bool judge_controls(const Pairs *pairs) {
  for (uint32_t c = 0; c < thread_facts_controls(pairs->facts); c++) {
    heap_poll(pairs->facts->heap);
    if (!judge_control(pairs, c)) return false;
  }
  return true;
}

/* Each place that is private to nobody and of no object keeps its token: then no number of threads puts a second one
 * anywhere. */
static bool judge_tokens(const Pairs *pairs) {
  const ThreadFacts *f = pairs->facts;
  for (uint32_t s = 0; s < f->steps.n; s++) {
    const TransId t = f->steps.at[s].transition;
    const PlaceList pre = net_pre(f->net, t), post = net_post(f->net, t);
    for (uint32_t i = 0; i < post.n; i++) {
      const uint32_t p = post.at[i].v;
      if (f->owner[p] == FACT_NONE && f->value_of[p] == FACT_NONE && !net_place_list_has(pre, post.at[i]))
        return err_set(pairs->err, ERR_CHECK, "'%.200s', which is of no object, gets a token from '%.200s'",
                       f->net->place_name[p], f->net->trans_name[t.v]);
    }
  }
  return true;
}

static bool judge(const Pairs *pairs, bool *many) {
  const ThreadFacts *f = pairs->facts;
  if (!f->net->notes->n_counts) return err_set(pairs->err, ERR_CHECK, "the net leaves no number of threads open");
  if (f->counters.n || f->pairs.n)
    return err_set(pairs->err, ERR_CHECK, "counters and sets of pairs are not about every number of threads");
  if (!instance_pairs(f->heap, f->net, pairs->thread, pairs->place, pairs->err)) {
    pairs->err->kind = ERR_CHECK;
    return false;
  }
  for (uint32_t i = 0; i < f->n_threads; i++) many[i] = is_counted(pairs, i);
  return judge_places(pairs) && judge_controls(pairs) && judge_tokens(pairs);
}

bool every_judge(const ThreadFacts *facts, bool *many, uint32_t *place, Err *err) {
  Heap *heap = facts->heap;
  const Pairs pairs = {facts, heap_alloc(heap, ((size_t)facts->n_threads + 1) * sizeof(uint32_t)), place, err};
  const bool good = judge(&pairs, many);
  heap_release(heap, pairs.thread);
  return good;
}
