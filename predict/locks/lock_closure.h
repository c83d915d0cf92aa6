/* lock_closure.h: how much of thread B must come before each step of thread A, if so much has to come before one of A's
 * steps, the last that A does. It decides two threads alone, exactly, for any locks, however they are nested or not.
 *
 * Of each step of A it is found how many steps of B come before it, whatever the run: the least numbers that only grow
 * along A, of which that of the last step is at least what was asked for, and for which, where a section of B has begun
 * before A releases its lock, it has ended before A acquires it. (A lock that A does not release counts as released at
 * the end.) In each run the numbers have these properties, so they are not less than the least. And if A goes on
 * whenever it can, and B does what is asked for and no more, it is a run: a section of B that has begun before A's
 * release has ended before A's acquire, so sections of a lock never overlap, and B never has to give back a lock later
 * than it can. So, for a cycle in which A is left by `out`, before B is entered, and then entered by its last step,
 * after B was left, there is a run iff the least number of `out` leaves B's entry for later; and all `out` of one last
 * step are decided at once. (It is the lowest way through the progress graph of E. Dijkstra, see E. Coffman, M.
 * Elphick, A. Shoshani, "System deadlocks", Computing Surveys 1971, and one border of the closure of W. Lipski and C.
 * Papadimitriou, "A fast algorithm for testing for safety and detecting deadlocks in locked transaction systems", J.
 * Algorithms 1981.)
 *
 * Time is O(m log m) for each pass over the m steps of A that have to wait; two or three passes in practice. */
#ifndef PREDICT_LOCKS_LOCK_CLOSURE_H
#define PREDICT_LOCKS_LOCK_CLOSURE_H

#include "predict/locks/lock_start.h"

/* The sections of all locks, and room for the numbers. */
typedef struct LockClosure LockClosure;

/* `run` outlives the closure; memory is the run's heap's. */
LockClosure *lock_closure_new(const LockRun *run);
void lock_closure_free(LockClosure *closure); /* NULL is allowed */

/* A section: its steps; the release may be UINT32_MAX. */
typedef struct {
  uint32_t acquire, release;
} LockSection;

const LockRun *lock_closure_run(const LockClosure *closure);

/* The release of an acquire, or UINT32_MAX; and the other way round. */
uint32_t lock_closure_partner(const LockClosure *closure, uint32_t thread, uint32_t step);

/* The thread's first section with a part of a lock that is not over before the step; its last one that begins before
 * the step. False if there is none. */
bool lock_closure_section(const LockClosure *closure, uint32_t thread, uint32_t lock, uint32_t step,
                          LockSection *section);
bool lock_closure_last(const LockClosure *closure, uint32_t thread, uint32_t lock, uint32_t step, LockSection *section);

/* Where thread `a` holds its part of a lock from that acquire on until `count` steps of thread `b` were done: how many
 * of these must come before the acquire, 0 if it does not matter. UINT32_MAX if there is no such run: a section of b
 * that began before does not end. */
uint32_t lock_closure_need(const LockClosure *closure, uint32_t a, uint32_t acquire, uint32_t b, uint32_t count);

/* What is asked. Each thread begins at a position at which it holds no lock. */
typedef struct {
  uint32_t a, from_a, last;  /* thread A: where it begins, and its last step */
  uint32_t b, from_b, count; /* thread B: where it begins, and how many of its steps come before A's last one */
  uint32_t early, most;      /* where more than `most` must come before A's step `early`, nobody wants to know more */
} LockDemand;

/* Finds the numbers. False if there is no such run, or none that anyone wants to know; or if the heap is asked to stop.
 * Edges between the two threads count, others do not. */
bool lock_closure_solve(LockClosure *closure, const LockDemand *demand);

/* The number of a step of A, from where it begins to its last one. That of the last is where B ends. */
uint32_t lock_closure_before(const LockClosure *closure, uint32_t step);

/* The run, from where the threads begin. */
void lock_closure_tell(const LockClosure *closure, LockTelling *telling);

#endif
