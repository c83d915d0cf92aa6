/* What a run with locks says of itself in several ways, found anew in the slowest one. */
#include "predict/locks/lock_runs.h"

static bool fault(Err *err, const char *what, uint32_t number) {
  return err_set(err, ERR_CHECK, "bad run with locks: %s (number %u)", what, (unsigned)number);
}

/* ---- threads ---- */

static bool audit_step(const LockRun *run, const LockThread *thread, uint32_t p, Err *err) {
  const LockStep *step = &thread->steps[p];
  const bool access = step->op <= STEP_WRITE, lock = step->op == STEP_ACQUIRE || step->op == STEP_RELEASE;
  if (p && thread->steps[p - 1].event >= step->event) return fault(err, "events out of order", p);
  if (p && thread->steps[p - 1].transaction > step->transaction) return fault(err, "transactions out of order", p);
  if (access && step->object >= run->n_objects) return fault(err, "no such object", p);
  if (lock && step->object >= run->n_locks) return fault(err, "no such lock", p);
  if (step->op == STEP_POINT && !step->stop) return fault(err, "a step for nothing", p);
  return step->op <= STEP_POINT || fault(err, "a step of no kind", p);
}

static uint32_t set_size(const LockRun *run, uint32_t set) {
  uint32_t n = 0;
  for (; set; set = run->sets.at[set].rest) n++;
  return n;
}

/* Is the set `more` the other one, and the lock? */
static bool has_one_more(const LockRun *run, uint32_t more, uint32_t set, uint32_t lock) {
  if (set_size(run, more) != set_size(run, set) + 1 || !lock_set_has(run, more, lock) || lock_set_has(run, set, lock))
    return false;
  for (; set; set = run->sets.at[set].rest)
    if (!lock_set_has(run, more, run->sets.at[set].lock)) return false;
  return true;
}

static bool audit_held(const LockRun *run, const LockThread *thread, uint32_t p, Err *err) {
  const LockStep *step = &thread->steps[p];
  const uint32_t before = thread->held[p], after = thread->held[p + 1];
  const bool good = step->op == STEP_ACQUIRE   ? has_one_more(run, after, before, step->object)
                    : step->op == STEP_RELEASE ? has_one_more(run, before, after, step->object)
                                               : before == after;
  return good || fault(err, "the locks that are held", p);
}

static bool audit_idle(const LockThread *thread, uint32_t p, Err *err) {
  uint32_t last = p, next = p;
  while (thread->held[last]) last--;
  while (next <= thread->n && thread->held[next]) next++;
  if (thread->idle[p] != last) return fault(err, "the last position without locks", p);
  return thread->next_idle[p] == (next > thread->n ? TRACE_NONE : next) ||
         fault(err, "the next position without locks", p);
}

static bool audit_stops(const LockThread *thread, Err *err) {
  uint32_t n = 0;
  for (uint32_t p = 0; p < thread->n; p++) {
    if (lock_run_stage(thread, p) != 2 * n + thread->steps[p].stop) return fault(err, "a stage", p);
    if (!thread->steps[p].stop) continue;
    if (n >= thread->n_stops || thread->stops[n] != p) return fault(err, "a stop", p);
    n++;
  }
  return n == thread->n_stops || fault(err, "the number of stops", n);
}

static bool audit_thread(const LockRun *run, const LockThread *thread, Err *err) {
  if (thread->held[0]) return fault(err, "locks held at the start", thread->number);
  for (uint32_t p = 0; p < thread->n; p++)
    if (!audit_step(run, thread, p, err) || !audit_held(run, thread, p, err)) return false;
  for (uint32_t p = 0; p <= thread->n; p++)
    if (!audit_idle(thread, p, err)) return false;
  return audit_stops(thread, err);
}

/* ---- edges ---- */

static bool audit_place(const LockRun *run, LockPlace place, uint32_t e, Err *err) {
  if (place.thread >= run->n_lines || place.step >= run->threads[place.thread].n)
    return fault(err, "an end that is no step", e);
  return run->threads[place.thread].steps[place.step].stop || fault(err, "an end that is no stop", e);
}

static bool has_class(const LockThread *thread, uint32_t step, uint32_t class) {
  uint32_t found;
  for (uint32_t i = 0; lock_run_class(thread, step, i, &found); i++)
    if (found == class) return true;
  return false;
}

static bool audit_edge(const LockRun *run, uint32_t e, Err *err) {
  const LockEdge *edge = &run->edges[e];
  const uint32_t class = 2 * (run->n_objects + e) + 1;
  if (!audit_place(run, edge->from, e, err) || !audit_place(run, edge->to, e, err)) return false;
  const LockThread *from = &run->threads[edge->from.thread], *to = &run->threads[edge->to.thread];
  const uint64_t relayed = edge->from.thread >= run->n_threads; /* by the wait itself */
  if (from->steps[edge->from.step].event >= to->steps[edge->to.step].event + relayed)
    return fault(err, "an edge back", e);
  if (has_class(from, edge->from.step, class) == edge->conflict &&
      has_class(to, edge->to.step, class) == edge->conflict)
    return true;
  return fault(err, "an edge that is no object, or one that should not be", e);
}

static bool is_plain(const LockRun *run) {
  for (uint32_t t = 0; t < run->n_threads; t++)
    for (uint32_t p = 0; p < run->threads[t].n; p++)
      if (run->threads[t].steps[p].stop && (run->threads[t].held[p] || run->threads[t].held[p + 1])) return false;
  return true;
}

/* ---- groups ---- */

static bool has_number(const uint32_t *numbers, uint32_t n, uint32_t number) {
  for (uint32_t i = 0; i < n; i++)
    if (numbers[i] == number) return true;
  return false;
}

static bool audit_group(const LockRun *run, uint32_t g, Err *err) {
  const LockGroup *group = &run->groups[g];
  const LockThread *thread = &run->threads[group->thread];
  if (lock_run_group(run, group->class, group->thread) != group) return fault(err, "a group that is not found", g);
  if (!has_number(run->thread_groups[group->thread], run->n_thread_groups[group->thread], g))
    return fault(err, "a group that its thread does not know", g);
  for (uint32_t i = 0; i < group->n; i++) {
    if (i && group->steps[i - 1] > group->steps[i]) return fault(err, "a group out of order", g);
    if (!has_class(thread, group->steps[i], group->class)) return fault(err, "a group with a step of another class", g);
    if (!has_number(group->sets, group->n_sets, thread->held[group->steps[i]]))
      return fault(err, "a group without a set", g);
  }
  for (uint32_t i = 0; i < group->n_sets; i++)
    if (has_number(group->sets, i, group->sets[i])) return fault(err, "a group with a set twice", g);
  return group->n > 0 || fault(err, "an empty group", g);
}

/* Every class of every step is in its group: as many, and those of a group were looked at. */
static bool audit_groups(const LockRun *run, Err *err) {
  uint64_t in_groups = 0, classes = 0;
  uint32_t class;
  for (uint32_t g = 0; g < run->n_groups; g++) {
    if (!audit_group(run, g, err)) return false;
    in_groups += run->groups[g].n;
  }
  for (uint32_t t = 0; t < run->n_threads; t++)
    for (uint32_t p = 0; p < run->threads[t].n; p++)
      for (uint32_t i = 0; lock_run_class(&run->threads[t], p, i, &class); i++) classes++;
  return in_groups == classes || fault(err, "the number of accesses in groups", (uint32_t)in_groups);
}

bool lock_run_audit(const LockRun *run, Err *err) {
  for (uint32_t s = 1; s < run->sets.n; s++)
    if (run->sets.at[s].rest >= s) return fault(err, "a set of locks", s);
  for (uint32_t t = 0; t < run->n_lines; t++)
    if (!audit_thread(run, &run->threads[t], err)) return false;
  for (uint32_t e = 0; e < run->n_edges; e++)
    if (!audit_edge(run, e, err)) return false;
  if (run->plain != is_plain(run)) return fault(err, "whether locks are held at edges", run->plain);
  return audit_groups(run, err);
}
