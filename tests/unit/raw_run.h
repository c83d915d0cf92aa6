/* raw_run.h: random runs of threads for distil/, as deeds, which the oracle judges, and as a raw log. */
#ifndef TESTS_UNIT_RAW_RUN_H
#define TESTS_UNIT_RAW_RUN_H

#include "tests/unit/distil_oracle.h"
#include "tests/unit/raw_log.h"

enum { RAW_RUN_MOST_AREAS = 6, RAW_RUN_MOST_THREADS = 130, RAW_RUN_NAMES = 3, RAW_RUN_PLACES = 6, RAW_RUN_CODES = 3 };

/* Where memory is, and where something ends or begins: a line, a page, a region; where code is; labels of blocks. */
extern const uint64_t RAW_RUN_PLACE[RAW_RUN_PLACES], RAW_RUN_CODE[RAW_RUN_CODES];
extern const char RAW_RUN_NAME[RAW_RUN_NAMES][8];

typedef struct {
  Heap *heap;
  uint64_t random;
  uint32_t n_threads, n_areas;
  Area areas[RAW_RUN_MOST_AREAS];
  uint64_t clock[RAW_RUN_MOST_THREADS];
  uint32_t quick;   /* the clocks move once in so many deeds */
  uint32_t regular; /* all accesses to an area are of the same size, and aligned, but one in so many; or 0 */
  DeedVec deeds;
  RawLog log;
} RawRun;

/* A run of n threads in which nothing has been done yet. */
RawRun raw_run_new(Heap *heap, uint64_t seed, uint32_t n_threads);

/* The first thread forks the others; at last threads end, or break off. */
void raw_run_begin(RawRun *run);
void raw_run_end(RawRun *run);

/* An access somewhere in the run's areas; is the deed one? */
Deed raw_run_access(RawRun *run);
bool raw_run_is_access(const Deed *d);

/* The thread does something: an access, accesses to a whole area, anything at all; its clock moves on. */
void raw_run_do_access(RawRun *run, uint32_t thread);
void raw_run_do_sweep(RawRun *run, uint32_t thread);
void raw_run_do_row(RawRun *run, uint32_t thread, uint64_t at, uint32_t n); /* n writes of 8 bytes, side by side */
void raw_run_do_free(RawRun *run, uint32_t thread, uint64_t at, uint64_t size);
void raw_run_do_loop(RawRun *run, uint32_t thread); /* a few accesses, again and again; mostly as a loop of the log */
void raw_run_do(RawRun *run, uint32_t thread);
void raw_run_move_clock(RawRun *run, uint32_t thread);

void raw_run_fill_chunk(RawRun *run, uint32_t thread,
                        uint32_t left); /* accesses until its chunk has room for `left` words */

#endif
