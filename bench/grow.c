/* grow.c: how the unfolder's time grows with the net.
 *
 *     grow [-n RUNS] [FAMILY N...]     default: all families, each in sizes that take up to a second or two
 *
 * For each net the least time of RUNS (default 3), by event and by arc of the prefix, and how many times as long the
 * certificate of the prefix takes to be checked ("-": it did not fit the memory). After each family, how much longer an
 * event, and an arc, takes in the largest net than in the smallest one that has at least SCALE_EVENTS events (of
 * acquire1 and swap, whose few events have many arcs each: arcs). */
#include "bench/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCALE_EVENTS = 2000, MAX_SIZES = 16 };

static const uint32_t SIZES[N_FAMILIES][MAX_SIZES] = {
    [FAMILY_DME] = {5, 7, 9, 11, 15, 20, 25, 30},   [FAMILY_KEY] = {2, 3, 4, 5},
    [FAMILY_RW] = {6, 8, 10, 12, 14, 16},           [FAMILY_ACQUIRE1] = {30, 60, 100, 150, 200, 300, 400},
    [FAMILY_SWAP] = {1000, 10000, 100000, 1000000}, [FAMILY_LOOPS] = {1000, 10000, 100000, 1000000},
};

/* Of the nets of one family that count: the smallest one's and the last one's seconds. */
typedef struct {
  bool any;
  double event[2], arc[2];
} Growth;

static void note_growth(Growth *growth, Family family, const Measure *m) {
  const bool is_wide = family == FAMILY_ACQUIRE1 || family == FAMILY_SWAP;
  if ((is_wide ? m->arcs : m->counts.events) < SCALE_EVENTS) return;
  const int last = growth->any;
  growth->any = true;
  for (int i = last; i < 2; i++) {
    growth->event[i] = m->unfolding / (double)m->counts.events;
    growth->arc[i] = m->unfolding / (double)m->arcs;
  }
}

static bool measure_size(Family family, uint32_t n, int runs, Growth *growth) {
  Measure m;
  char name[32], checking[16] = "-";
  snprintf(name, sizeof name, "%s(%u)", family_name(family), (unsigned)n);
  if (!measure_checked(&(Source){.family = family, .n = n}, UNFOLD_ERV, runs, &m)) return false;
  if (m.checking > 0) snprintf(checking, sizeof checking, "%.1f", m.checking / m.unfolding);
  printf("| %-14s | %8lu | %10lu | %8lu | %9lu | %7.3f | %8.2f | %6.3f | %7.1f | %9.0f | %5s |\n", name,
         (unsigned long)m.counts.events, (unsigned long)m.counts.conditions, (unsigned long)m.counts.cutoffs,
         (unsigned long)m.arcs, m.unfolding, 1e6 * m.unfolding / (double)m.counts.events,
         1e6 * m.unfolding / (double)m.arcs, m.mb, (double)m.counts.events / m.unfolding, checking);
  fflush(stdout);
  note_growth(growth, family, &m);
  return true;
}

static void print_head(void) {
  puts(
      "| net            |   events | conditions | cut-offs |      arcs | seconds | us/event | us/arc |      MB |  events/s | check |");
  puts(
      "|----------------|---------:|-----------:|---------:|----------:|--------:|---------:|-------:|--------:|----------:|------:|");
}

static void print_growth(const Growth *growth, Family family) {
  if (!growth->any) return;
  char name[32];
  snprintf(name, sizeof name, "%s grows", family_name(family));
  printf("| %-14s | %8s | %10s | %8s | %9s | %7s | %8.2f | %6.2f | %7s | %9s | %5s |\n", name, "", "", "", "", "",
         growth->event[1] / growth->event[0], growth->arc[1] / growth->arc[0], "", "", "");
}

static bool scale_all(int runs) {
  for (Family family = 0; family < N_FAMILIES; family++) {
    Growth growth = {0};
    for (uint32_t i = 0; i < MAX_SIZES && SIZES[family][i]; i++)
      if (!measure_size(family, SIZES[family][i], runs, &growth)) return false;
    print_growth(&growth, family);
  }
  return true;
}

static bool scale_some(Family family, char **sizes, int runs) {
  Growth growth = {0};
  for (; *sizes; sizes++) {
    const unsigned long n = strtoul(*sizes, NULL, 10);
    if (n < 2 || n > FAMILY_MAX) return fprintf(stderr, "scale: a size is from 2 to %d\n", FAMILY_MAX), false;
    if (!measure_size(family, (uint32_t)n, runs, &growth)) return false;
  }
  print_growth(&growth, family);
  return true;
}

int main(int argc, char **argv) {
  int runs = 3;
  for (int option; (option = getopt(argc, argv, "n:")) != -1;) {
    if (option != 'n') return 3;
    runs = atoi(optarg);
  }
  Family family = 0;
  while (optind < argc && family < N_FAMILIES && strcmp(argv[optind], family_name(family)) != 0) family++;
  if (runs < 1 || family == N_FAMILIES) return fprintf(stderr, "usage: grow [-n RUNS] [FAMILY N...]\n"), 3;
  print_head();
  const bool good = optind == argc ? scale_all(runs) : scale_some(family, argv + optind + 1, runs);
  return good ? 0 : 3;
}
