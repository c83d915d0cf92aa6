/* measure.h: one unfolding, timed; for the programs of this folder. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "bench/families.h"
#include "unfold/unfold.h"

/* A net: that of a ll_net file, or (path NULL) of a family. */
typedef struct {
  const char *path;
  Family family;
  uint32_t n;
} Source;

typedef struct {
  UnfoldCounts counts;
  uint64_t arcs;             /* of the prefix: all of conditions to events, and of events to conditions */
  double reading, unfolding; /* CPU seconds; reading is making it for a family */
  double
      checking; /* the prefix's certificate, in CPU seconds; 0 if that was not asked for, or did not fit the memory */
  double mb;    /* the most memory at one time, net included, in 10^6 bytes */
} Measure;

/* Unfolds the net `runs` times, at least once, and takes the least times. False, with a message on stderr, where it
 * cannot be read. */
bool measure_net(const Source *source, UnfoldOrder order, int runs, Measure *measure);

/* The same, and has the certificate of the prefix checked. False, with a message, where that is rejected. */
bool measure_checked(const Source *source, UnfoldOrder order, int runs, Measure *measure);

/* The net of the source, NULL with a message on stderr. */
Net *measure_read(Heap *heap, const Source *source);

#endif
