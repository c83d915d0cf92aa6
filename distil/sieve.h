/* sieve.h: picks what matters out of the chunks of the raw log, on all cores, while what was picked earlier is being
 * read.
 *
 * A chunk is filtered by itself, whatever is in others, by any of the threads; the reader asks for chunks ahead of
 * time, and filters some itself instead of waiting. Memory is bounded: who asks for too many at once is told to read
 * the chunk as it is. */
#ifndef DISTIL_SIEVE_H
#define DISTIL_SIEVE_H

#include "base/heap.h"
#include "record/raw.h"

#include <stdint.h>

enum { SIEVE_THREADS = 4 }; /* at most, the reader's own included */
#define SIEVE_NONE UINT32_MAX

/* Picks some of the n words, as they are or changed, and says how many: not more than three times as many. The tail of
 * their chunk may be NULL. The state is one thread's alone. */
typedef uint32_t (*SieveFilter)(void *state, const uint64_t *words, uint32_t n, const RawTail *tail, uint64_t *picked);

/* The threads that filter, and the chunks that are asked for or filtered. */
typedef struct Sieve Sieve;

/* For the chunks of so many streams; n_words: in a chunk. */
Sieve *sieve_new(Heap *heap, uint32_t n_streams, uint32_t n_words);
void sieve_free(Sieve *sieve); /* ends it first; NULL is allowed */

/* Starts the threads. What the filter reads does not change until the end, or the filter knows how to read it
 * meanwhile. */
void sieve_begin(Sieve *sieve, SieveFilter filter, void *const states[SIEVE_THREADS]);
/* Drops what was asked for and not yet released, and stops the threads. Does nothing where it has not begun. */
void sieve_end(Sieve *sieve);

/* A job: the words of a chunk are to be filtered soon. SIEVE_NONE: no room. */
uint32_t sieve_ask(Sieve *sieve, const uint64_t *words, const RawTail *tail);
/* What was picked, and how much; it is there until the job is released. */
const uint64_t *sieve_take(Sieve *sieve, uint32_t job, uint32_t *n);
void sieve_release(Sieve *sieve, uint32_t job);

#endif
