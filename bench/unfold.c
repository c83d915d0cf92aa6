/* unfold.c: times the unfolder.
 *
 *     unfold [-n RUNS] [-m] TABLE FOLDER     the nets of the table, which are FOLDER/NAME.ll_net; -m: McMillan's order
 *
 * A line of the table is a net: its name, the events, conditions and cut-offs of its complete prefix (ERV), and the CPU seconds and
 * MB that the best existing unfolder in C needs, "-" where they are not known; '#' begins a comment. A time is the least
 * of RUNS (default 3), of reading and of unfolding; MB is the most memory at one time, net included. Exit 1 if a count is
 * wrong, 3 if a file cannot be read; a file that is not there is a printed SKIP. */
#include "petri/llnet.h"
#include "unfold/unfold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  char name[64], seconds[16], mb[16];
  unsigned long events, conditions, cutoffs;
} Row;

typedef struct {
  UnfoldCounts counts;
  double reading, unfolding; /* seconds */
  double mb;
} Result;

typedef struct {
  Heap *heap;
  const char *path;
  UnfoldOrder order;
  Result result;
  Err err;
  bool good;
} Run;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void run_body(void *argument) {
  Run *run = argument;
  InFile file;
  const double start = now();
  if (!file_read(run->heap, run->path, &file, &run->err)) return;
  Net *net = llnet_read(run->heap, &file, &run->err);
  if (!net) return;
  file_release(run->heap, &file);
  const double middle = now();
  Prefix *prefix = unfold(run->heap, net, &(UnfoldOptions){.order = run->order, .counts = &run->result.counts}, &run->err);
  run->result.unfolding = now() - middle;
  run->result.reading = middle - start;
  run->good = prefix != NULL;
}

static bool run_once(const char *path, UnfoldOrder order, Result *result) {
  Run run = {.heap = heap_new((size_t)8 << 30), .path = path, .order = order};
  if (!run.heap) return perror("unfold"), false;
  if (!heap_try(run.heap, run_body, &run)) err_set(&run.err, ERR_LIMIT, "%s: out of memory", path);
  run.result.mb = (double)heap_peak(run.heap) / 1e6;
  heap_free(run.heap);
  if (!run.good) fprintf(stderr, "unfold: %s\n", run.err.text);
  else *result = run.result;
  return run.good;
}

static bool run_best(const char *path, UnfoldOrder order, int runs, Result *best) {
  for (int i = 0; i < runs; i++) {
    Result result;
    if (!run_once(path, order, &result)) return false;
    if (i == 0) *best = result;
    if (result.reading < best->reading) best->reading = result.reading;
    if (result.unfolding < best->unfolding) best->unfolding = result.unfolding;
  }
  return true;
}

/* 0, or the exit status. */
static int bench_net(const Row *row, const char *folder, UnfoldOrder order, int runs) {
  char path[4096];
  Result r = {0};
  snprintf(path, sizeof path, "%s/%s.ll_net", folder, row->name);
  if (access(path, R_OK)) return printf("SKIP: no %s\n", path), 0;
  if (!run_best(path, order, runs, &r)) return 3;
  const double seconds = r.reading + r.unfolding;
  const bool right = order == UNFOLD_MCMILLAN || (r.counts.events == row->events && r.counts.conditions == row->conditions &&
                                                  r.counts.cutoffs == row->cutoffs);
  printf("| %-22s | %7lu | %10lu | %7lu | %6.3f | %6.3f | %6.1f | %9.0f | %6s | %5s |%s\n", row->name,
         (unsigned long)r.counts.events, (unsigned long)r.counts.conditions, (unsigned long)r.counts.cutoffs, seconds,
         r.unfolding, r.mb, (double)r.counts.events / r.unfolding, row->seconds, row->mb, right ? "" : " WRONG COUNTS");
  return right ? 0 : 1;
}

static int bench_table(FILE *table, const char *folder, UnfoldOrder order, int runs) {
  char line[256];
  int status = 0;
  printf("| net                    |  events | conditions | cutoffs |  total | unfold |     MB |  events/s | others | their |\n");
  printf("|                        |         |            |         |      s |      s |        |           |      s |    MB |\n");
  printf("|------------------------|---------|------------|---------|--------|--------|--------|-----------|--------|-------|\n");
  while (fgets(line, sizeof line, table)) {
    Row row;
    if (line[0] == '#' || line[0] == '\n') continue;
    if (sscanf(line, "%63s %lu %lu %lu %15s %15s", row.name, &row.events, &row.conditions, &row.cutoffs, row.seconds, row.mb) != 6)
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
