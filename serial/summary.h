/* summary.h: the summarized conflict graph as a state: of fixed size for one program, so that it can be part of the
 * state of a finite automaton (A. Farzan, P. Madhusudan, "Monitoring atomicity in concurrent programs", CAV 2008,
 * section 4; with the rules as docs/serializability.md has them).
 *
 * Threads have at most one open transaction each, v_i of thread i. Per thread, all bits:
 *
 *     open     is there one?
 *     S        its accesses: two bits per object, read and written
 *     C.Acc    accesses of completed transactions that must come after it
 *     C.Thr    threads of such transactions
 *     E        the threads whose open transactions must come after it
 *
 * "Must come after" is meant with all that follows from it (E and C are closed under E), and what is not open has zeros
 * everywhere: so runs after which the same can happen mostly have equal words. */
#ifndef SERIAL_SUMMARY_H
#define SERIAL_SUMMARY_H

#include "base/err.h"
#include "base/heap.h"

#include <stdint.h>

/* What the words of a graph are. */
typedef struct {
  uint32_t n_threads, n_objects;
  uint32_t access_words, thread_words; /* of a set of accesses, of threads */
  uint32_t row_words;                  /* all that belongs to a thread */
} SummaryShape;

/* Of graphs for threads and objects with numbers below these; and the words of such a graph, all 0 at first. */
SummaryShape summary_shape(uint32_t n_threads, uint32_t n_objects);
static inline size_t summary_words(const SummaryShape *shape) { return (size_t)shape->n_threads * shape->row_words; }

/* The number of an access in sets of accesses. */
static inline uint32_t summary_access(uint32_t object, bool writes) { return 2 * object + writes; }

/* Is a transaction of the thread open? */
bool summary_is_open(const SummaryShape *shape, const uint64_t *graph, uint32_t thread);

/* The thread's transaction begins, ends; it must not be open, must be. */
void summary_begin(const SummaryShape *shape, uint64_t *graph, uint32_t thread);
void summary_end(const SummaryShape *shape, uint64_t *graph, uint32_t thread);

/* The thread, whose transaction is open, does all of these accesses at once. True if that closes a cycle: then the run
 * is not serializable, and the graph is not to be used any more. */
bool summary_access_all(const SummaryShape *shape, uint64_t *graph, uint32_t thread, const uint32_t *accesses,
                        uint32_t n);

/* Checks what is said above (for tests): what is not open has zeros, E leads to open transactions, to none from itself,
 * and E and C are closed under E. False with ERR_CHECK on the first fault. */
bool summary_audit(const SummaryShape *shape, const uint64_t *graph, Err *err);

#endif
