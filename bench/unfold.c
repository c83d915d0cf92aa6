/* unfold.c: times the unfolder.
 *
 *     unfold [-n RUNS] [-m] TABLE FOLDER     the nets of the table, which are FOLDER/NAME.ll_net; -m: McMillan's order
 *
 * A line of the table is a net: its name, the events, conditions and cut-offs of its complete prefix (ERV), and the CPU
 * seconds and MB that the best existing unfolder in C needs, "-" where they are not known; '#' begins a comment. A time
 * is the least of RUNS (default 3), of reading and of unfolding; MB is the most memory at one time, net included. Exit
 * 1 if a count is wrong, 3 if a file cannot be read; a file that is not there is a printed SKIP. */
#include "bench/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  char name[64], seconds[16], mb[16];
  unsigned long events, conditions, cutoffs;
} Row;

/* 0, or the exit status. */
static int bench_net(const Row *row, const char *folder, UnfoldOrder order, int runs) {
  char path[4096];
  Measure r;
  snprintf(path, sizeof path, "%s/%s.ll_net", folder, row->name);
  if (access(path, R_OK)) return printf("SKIP: no %s\n", path), 0;
  if (!measure_net(&(Source){.path = path}, order, runs, &r)) return 3;
  const double seconds = r.reading + r.unfolding;
  const bool right =
      order == UNFOLD_MCMILLAN ||
      (r.counts.events == row->events && r.counts.conditions == row->conditions && r.counts.cutoffs == row->cutoffs);
  printf("| %-22s | %7lu | %10lu | %7lu | %6.3f | %6.3f | %6.1f | %9.0f | %6s | %5s |%s\n", row->name,
         (unsigned long)r.counts.events, (unsigned long)r.counts.conditions, (unsigned long)r.counts.cutoffs, seconds,
         r.unfolding, r.mb, (double)r.counts.events / r.unfolding, row->seconds, row->mb, right ? "" : " WRONG COUNTS");
  return right ? 0 : 1;
}

static int bench_table(FILE *table, const char *folder, UnfoldOrder order, int runs) {
  char line[256];
  int status = 0;
  printf(
      "| net                    |  events | conditions | cutoffs |  total | unfold |     MB |  events/s | others | their |\n");
  printf(
      "|                        |         |            |         |      s |      s |        |           |      s |    MB |\n");
  printf(
      "|------------------------|---------|------------|---------|--------|--------|--------|-----------|--------|-------|\n");
  while (fgets(line, sizeof line, table)) {
    Row row;
    if (line[0] == '#' || line[0] == '\n') continue;
    if (sscanf(line, "%63s %lu %lu %lu %15s %15s", row.name, &row.events, &row.conditions, &row.cutoffs, row.seconds,
               row.mb) != 6)
      return fprintf(stderr, "unfold: bad line in the table: %s", line), 3;
    const int result = bench_net(&row, folder, order, runs);
    if (result > status) status = result;
    fflush(stdout);
  }
  return status;
}

int main(int argc, char **argv) {
  UnfoldOrder order = UNFOLD_ERV;
  int runs = 3;
  for (int option; (option = getopt(argc, argv, "mn:")) != -1;) {
    if (option == 'm') order = UNFOLD_MCMILLAN;
    else if (option == 'n') runs = atoi(optarg);
    else return 3;
  }
  if (argc - optind != 2 || runs < 1) return fprintf(stderr, "usage: unfold [-n RUNS] [-m] TABLE FOLDER\n"), 3;
  FILE *table = fopen(argv[optind], "r");
  if (!table) return fprintf(stderr, "unfold: cannot read %s\n", argv[optind]), 3;
  const int status = bench_table(table, argv[optind + 1], order, runs);
  fclose(table);
  return status;
}
