/* statistics.h: what a piece of work took, as one table: sizes, time, memory. For --stats, and for data formats. */
#ifndef BASE_STATISTICS_H
#define BASE_STATISTICS_H

#include <stdint.h>
#include <stdio.h>

/* What a figure measures. STATISTIC_UNITS is how many kinds there are. */
typedef enum {
  STATISTIC_COUNT,  /* a count of what the name says */
  STATISTIC_TIME,   /* in seconds, of wall-clock time */
  STATISTIC_MEMORY, /* in bytes, the most memory in use */
  STATISTIC_UNITS
} StatisticUnit;

/* One figure. Only the member of its unit counts. */
typedef struct {
  const char *name; /* "cut-offs"; "seconds" of the time of all, "bytes" of memory: these two are not printed */
  StatisticUnit unit;
  uint64_t count; /* STATISTIC_COUNT, STATISTIC_MEMORY */
  double seconds; /* STATISTIC_TIME */
} Statistic;

/* "places 31, cut-offs 0, 0.004 s, 61.4 MB", as a line. */
void statistics_print(const Statistic *at, uint32_t n, FILE *out);

/* Rows of a table. */
#define STATISTIC(what, number) ((Statistic){.name = (what), .unit = STATISTIC_COUNT, .count = (number)})
#define STATISTIC_SECONDS(number) ((Statistic){.name = "seconds", .unit = STATISTIC_TIME, .seconds = (number)})
#define STATISTIC_BYTES(number) ((Statistic){.name = "bytes", .unit = STATISTIC_MEMORY, .count = (number)})

#endif
