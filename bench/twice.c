/* twice.c: what a second core could bring at most.
 *
 *     twice [-s SECONDS] NET...      NET is a ll_net file, or FAMILY:N, as in dme:25
 *
 * For each net the time of one unfolding while nothing else runs, and while another process unfolds the same net on the
 * other core, which shares nothing with it but the hardware: caches, memory, and perhaps the core. Both repeat it for
 * SECONDS (default 2) from the same moment on; the least time of each counts, and of two processes the slower one's.
 * With t1 and t2 these times, no division of the work over two cores is faster than 2 * t1 / t2 times, however good.
 *
 * CPU time: on a quiet machine it is the time on the wall, and on any other it does not count the waiting for a core.
 */
#include "bench/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void sleep_until(double time) {
  const struct timespec at = {.tv_sec = (time_t)time, .tv_nsec = (long)((time - (double)(time_t)time) * 1e9)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL)) continue;
}

static bool parse_net(const char *text, Source *source) {
  const char *colon = strchr(text, ':');
  *source = (Source){.path = text};
  for (Family family = 0; colon && family < N_FAMILIES; family++) {
    const char *name = family_name(family);
    const unsigned long n = strtoul(colon + 1, NULL, 10);
    if (strlen(name) != (size_t)(colon - text) || strncmp(name, text, strlen(name)) != 0) continue;
    if (n < 2 || n > FAMILY_MAX) return fprintf(stderr, "twice: a size is from 2 to %d\n", FAMILY_MAX), false;
    *source = (Source){.family = family, .n = (uint32_t)n};
  }
  return true;
}

typedef struct {
  const Source *source;
  double start, seconds; /* of the monotonic clock, which all processes share */
  double time;           /* the least of an unfolding, in CPU seconds; 0: failed */
} Worker;

/* The least time of those unfoldings that begin before the end. */
static double unfold_until(Heap *heap, const Net *net, double end) {
  double least = 0;
  while (now(CLOCK_MONOTONIC) < end) {
    Err err;
    const double start = now(CLOCK_PROCESS_CPUTIME_ID);
    prefix_free(unfold(heap, net, &(UnfoldOptions){0}, &err));
    const double time = now(CLOCK_PROCESS_CPUTIME_ID) - start;
    if (least == 0 || time < least) least = time;
  }
  return least;
}

static void worker_body(void *argument) {
  Worker *worker = argument;
  Heap *heap = heap_new(0);
  const Net *net = measure_read(heap, worker->source);
  if (!net) return;
  sleep_until(worker->start);
  worker->time = unfold_until(heap, net, worker->start + worker->seconds);
}

/* The workers' times come back through a pipe, one double each. */
static bool run_workers(const Source *source, int n, double seconds, double *slowest) {
  int ends[2];
  *slowest = 0;
  if (pipe(ends)) return perror("twice"), false;
  Worker worker = {.source = source, .start = now(CLOCK_MONOTONIC) + 0.3, .seconds = seconds};
  for (int i = 0; i < n; i++) {
    const pid_t child = fork();
    if (child < 0) return perror("twice"), false;
    if (child > 0) continue;
    worker_body(&worker);
    _exit(write(ends[1], &worker.time, sizeof worker.time) != sizeof worker.time);
  }
  close(ends[1]);
  bool good = true;
  for (double time; read(ends[0], &time, sizeof time) == sizeof time;) {
    if (time <= 0) good = false;
    if (time > *slowest) *slowest = time;
  }
  close(ends[0]);
  while (wait(NULL) > 0) continue;
  return good && *slowest > 0;
}

int main(int argc, char **argv) {
  double seconds = 2;
  for (int option; (option = getopt(argc, argv, "s:")) != -1;) {
    if (option != 's') return 3;
    seconds = atof(optarg);
  }
  if (optind == argc) return fprintf(stderr, "usage: twice [-s SECONDS] NET...\n"), 3;
  printf("| net                          | alone, s | two at once, s | at most |\n");
  printf("|------------------------------|---------:|---------------:|--------:|\n");
  fflush(stdout);
  for (; optind < argc; optind++) {
    Source source;
    double alone, both;
    const char *slash = strrchr(argv[optind], '/');
    if (!parse_net(argv[optind], &source)) return 3;
    if (!run_workers(&source, 1, seconds, &alone) || !run_workers(&source, 2, seconds, &both)) return 3;
    printf("| %-28s | %8.4f | %14.4f | %7.2f |\n", slash ? slash + 1 : argv[optind], alone, both, 2 * alone / both);
    fflush(stdout);
  }
  return 0;
}
