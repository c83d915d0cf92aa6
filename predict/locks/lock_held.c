#include "predict/locks/lock_held.h"

void lock_held_fini(LockHeld *held) { vec_fini(held->run->heap, &held->locks); }

void lock_held_begin(LockHeld *held, uint32_t set) {
  vec_clear(&held->locks);
  for (; set; set = held->run->sets.at[set].rest) vec_push(held->run->heap, &held->locks, held->run->sets.at[set].lock);
}

void lock_held_pass(LockHeld *held, const LockStep *step) {
  if (step->op != STEP_RELEASE) return;
  for (uint32_t i = 0; i < held->locks.n; i++)
    if (held->locks.at[i] == step->object) held->locks.at[i--] = vec_last(&held->locks), held->locks.n--;
}

bool lock_held_avoids(const LockHeld *held, uint32_t set) {
  for (uint32_t i = 0; i < held->locks.n; i++)
    if (lock_set_excludes(held->run, set, held->locks.at[i])) return false;
  return true;
}

bool lock_held_avoids_any(const LockHeld *held, const LockGroup *group) {
  for (uint32_t i = 0; i < group->n_sets; i++)
    if (lock_held_avoids(held, group->sets[i])) return true;
  return false;
}
