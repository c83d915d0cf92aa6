#include "base/statistics.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

/* The time of all of it needs no name. */
static bool is_total(const Statistic *it) { return strcmp(it->name, "seconds") == 0; }

static void print_one(const Statistic *it, FILE *out) {
  assert((unsigned)it->unit < STATISTIC_UNITS);
  switch (it->unit) {
  case STATISTIC_COUNT: fprintf(out, "%s %llu", it->name, (unsigned long long)it->count); break;
  case STATISTIC_TIME:
    fprintf(out, "%s%s%.3f s", is_total(it) ? "" : it->name, is_total(it) ? "" : " ", it->seconds);
    break;
  case STATISTIC_MEMORY: fprintf(out, "%.1f MB", (double)it->count / 1e6); break;
  case STATISTIC_UNITS: break;
  }
}

void statistics_print(const Statistic *at, uint32_t n, FILE *out) {
  for (uint32_t i = 0; i < n; i++) {
    if (i) fputs(", ", out);
    print_one(&at[i], out);
  }
  fputc('\n', out);
}
