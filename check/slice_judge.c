#include "check/slice_judge.h"

static bool keeps_step(const ThreadFacts *f, const bool *kept, uint32_t step) {
  return kept[thread_facts_thread(f, f->steps.at[step].from)];
}

static bool keeps_begins(const ThreadFacts *f, uint32_t block, const bool *kept, Err *err) {
  for (uint32_t s = 0; s < f->steps.n; s++) {
    const TransId t = f->steps.at[s].transition;
    if (f->net->notes->transitions[t.v].begin == block && !keeps_step(f, kept, s))
      return err_set(err, ERR_CHECK, "transition '%.200s', of a thread that is left out, begins block %u",
                     f->net->trans_name[t.v], block + 1);
  }
  return true;
}

/* ---- what the kept threads find ---- */

/* Per object: it is held, and nobody but the holder finds it off its initial value. */
static bool *find_locks(const ThreadFacts *f) {
  bool *is_lock = heap_zeroed(f->heap, (size_t)thread_facts_objects(f) + 1);
  for (uint32_t o = 0; o < thread_facts_objects(f); o++) is_lock[o] = f->bit_of.at[o] != FACT_NONE;
  for (uint32_t s = 0; s < f->steps.n; s++) {
    const FactEffects effects = thread_facts_effects(f, f->steps.at[s].transition);
    const uint32_t kind = f->control_kind.at[f->steps.at[s].from];
    for (uint32_t i = 0; i < effects.n; i++) {
      const uint32_t o = effects.at[i].object;
      if (effects.at[i].pre != f->initial.at[o] && !thread_facts_holds(f, kind, o)) is_lock[o] = false;
    }
  }
  return is_lock;
}

/* Per place: a transition of a thread that is left out which changes it, or FACT_NONE. */
static uint32_t *find_changes(const ThreadFacts *f, const bool *kept) {
  uint32_t *change = heap_alloc(f->heap, ((size_t)f->net->n_places + 1) * sizeof *change);
  for (uint32_t p = 0; p < f->net->n_places; p++) change[p] = FACT_NONE;
  for (uint32_t s = 0; s < f->steps.n; s++) {
    const TransId t = f->steps.at[s].transition;
    const PlaceList pre = net_pre(f->net, t), post = net_post(f->net, t);
    if (keeps_step(f, kept, s)) continue;
    for (uint32_t i = 0; i < pre.n; i++)
      if (!net_place_list_has(post, pre.at[i])) change[pre.at[i].v] = t.v;
    for (uint32_t i = 0; i < post.n; i++)
      if (!net_place_list_has(pre, post.at[i])) change[post.at[i].v] = t.v;
  }
  return change;
}

/* Is each place from which it takes as it is with all threads, or that of a lock? */
static bool finds_the_same(const ThreadFacts *f, TransId t, const uint32_t *change, const bool *is_lock, Err *err) {
  const PlaceList pre = net_pre(f->net, t);
  for (uint32_t i = 0; i < pre.n; i++) {
    const uint32_t p = pre.at[i].v, value = f->value_of[p];
    if (change[p] == FACT_NONE || (value != FACT_NONE && is_lock[thread_facts_object_of(f, value)])) continue;
    return err_set(err, ERR_CHECK, "'%.100s', from which '%.100s' takes, is changed by '%.100s', which is left out",
                   f->net->place_name[p], f->net->trans_name[t.v], f->net->trans_name[change[p]]);
  }
  return true;
}

static bool keeps_changers(const ThreadFacts *f, const bool *kept, Err *err) {
  bool *is_lock = find_locks(f), good = true;
  uint32_t *change = find_changes(f, kept);
  for (uint32_t s = 0; good && s < f->steps.n; s++)
    if (keeps_step(f, kept, s)) good = finds_the_same(f, f->steps.at[s].transition, change, is_lock, err);
  heap_release(f->heap, is_lock);
  heap_release(f->heap, change);
  return good;
}

bool slice_judge(AtomicJudge *judge, uint32_t block, const bool *kept, Err *err) {
  const ThreadFacts *f = judge->facts;
  return keeps_begins(f, block, kept, err) && keeps_changers(f, kept, err) &&
         atomic_judge_chains(judge, block, kept, err);
}
