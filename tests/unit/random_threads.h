/* random_threads.h: random programs for prediction: loops, branches, blocks, atomics; with procs that call
 * themselves, or without. */
#ifndef TESTS_UNIT_RANDOM_THREADS_H
#define TESTS_UNIT_RANDOM_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/* The program of that seed; malloc'd. 2 to 4 threads, 3 globals or fewer. */
char *random_threads(uint64_t seed, bool recursive);

#endif
