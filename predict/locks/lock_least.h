/* lock_least.h: the least numbers of lock_closure.h, gone on with along thread A.
 *
 * So many steps of thread B come before each step of A, at least, whatever the run. A has done its steps up to the
 * last one that there are numbers for; then the numbers are exact for two threads and locks, forks and joins not looked
 * at. The last step can be a later one, and more can be asked for, without beginning anew. A step of A is late if at
 * least its limit comes before it. */
#ifndef PREDICT_LOCKS_LOCK_LEAST_H
#define PREDICT_LOCKS_LOCK_LEAST_H

#include "predict/locks/lock_closure.h"

/* So many of B's steps come before A's steps, from `step` on. */
typedef struct {
  uint32_t step, count;
} LockRaise;

/* Its fields are of the module, but for those that have a word. */
typedef struct {
  const LockClosure *closure;
  const LockRun *run;
  uint32_t a, b, from; /* the threads, and the first step of A's that matters */
  uint32_t last;       /* the last step of A's that there are numbers for; or UINT32_MAX */
  bool never;          /* there is no such run */
  uint32_t alive;      /* of the steps that were looked at: those that are not late */
  uint64_t work;       /* what was done so far: it may be set, and when it is `most`, nothing more is done */
  uint64_t most;
  U32Vec limit, least; /* of each step from `from` on: the limit, which may be set; from `low` on: the number */
  VEC(LockRaise) raises;
  uint32_t low, counted;
} LockLeast;

/* The closure outlives it; memory is the heap's of its run. */
void lock_least_init(LockLeast *least, const LockClosure *closure);
void lock_least_fini(LockLeast *least);

/* Other threads, and steps `from` to `to` of A, which holds no lock at `from`. All limits are 0, there are no numbers,
 * and no work was done. */
void lock_least_set(LockLeast *least, uint32_t a, uint32_t from, uint32_t to, uint32_t b, uint64_t most);

/* Begins anew: A does its steps up to that one, and nothing is asked for. */
void lock_least_begin(LockLeast *least, uint32_t last);

/* A goes on up to that step, its last one or a later one; then so many steps of B must come before A's step, which is
 * not after it. False if there is no such run, and then for ever after; or if the work is over. */
bool lock_least_extend(LockLeast *least, uint32_t last);
bool lock_least_ask(LockLeast *least, LockRaise raise);

/* Would it ask for all of `asked` that A goes on up to `last` and `raise` is asked for, a raise at that step? If that
 * takes long to see: no. */
bool lock_least_asks(const LockLeast *least, LockRaise asked, LockRaise raise);

/* The number of a step up to the last one. */
static inline uint32_t lock_least_at(const LockLeast *least, uint32_t step) {
  return step < least->low ? 0 : least->least.at[step - least->from];
}

/* Looks at all steps before the last one: then `alive` is theirs. */
void lock_least_look(LockLeast *least);

static inline bool lock_least_is_over(const LockLeast *least) { return least->work >= least->most; }

#endif
