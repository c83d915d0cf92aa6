/* trace_read.c: times the reading of runs alone.
 *
 *     trace_read [-n TIMES] FILE...     per file: events, seconds (the least of TIMES, default 3), million events and
 * MB per second, memory */
#include "base/clock.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  Heap *heap;
  const char *path;
  uint64_t events, sum; /* of all fields, so that each of them is made */
  Err err;
  bool good;
} Reading;

static void read_body(void *argument) {
  Reading *reading = argument;
  const TraceEvent *events;
  uint32_t n = 0;
  TraceReader *reader = trace_open(reading->heap, reading->path, &(TraceOptions){.format = -1}, &reading->err);
  if (!reader) return;
  while ((reading->good = trace_next(reader, &events, &n, &reading->err)) && n) {
    reading->events += n;
    reading->sum += events[n - 1].thread + events[n - 1].object + events[n - 1].location + events[n - 1].op;
  }
  trace_close(reader);
}

static bool time_once(const char *path, Reading *reading, double *seconds, double *mb) {
  *reading = (Reading){.heap = heap_new(0), .path = path};
  if (!reading->heap) return perror("trace_read"), false;
  const double start = clock_cpu_seconds();
  if (!heap_try(reading->heap, read_body, reading)) err_set(&reading->err, ERR_LIMIT, "%s: out of memory", path);
  *seconds = clock_cpu_seconds() - start;
  *mb = (double)heap_peak(reading->heap) / 1e6;
  heap_free(reading->heap);
  if (!reading->good) fprintf(stderr, "trace_read: %s\n", reading->err.text);
  return reading->good;
}

static bool time_file(const char *path, int times) {
  Reading reading;
  struct stat info;
  double best = 0, seconds = 0, mb = 0;
  for (int i = 0; i < times; i++) {
    if (!time_once(path, &reading, &seconds, &mb)) return false;
    if (!i || seconds < best) best = seconds;
  }
  const double bytes = stat(path, &info) == 0 ? (double)info.st_size : 0;
  printf("%-32s %10llu events %7.3f s %7.1f M/s %7.0f MB/s %7.1f MB  (%llu)\n", path,
         (unsigned long long)reading.events, best, (double)reading.events / best / 1e6, bytes / best / 1e6, mb,
         (unsigned long long)reading.sum);
  return true;
}

int main(int argc, char **argv) {
  int times = 3;
  bool good = true;
  for (int option; (option = getopt(argc, argv, "n:")) != -1;) times = option == 'n' ? atoi(optarg) : 0;
  if (times < 1 || optind == argc) return fprintf(stderr, "usage: trace_read [-n TIMES] FILE...\n"), 3;
  for (int i = optind; i < argc; i++) good &= time_file(argv[i], times);
  return good ? 0 : 3;
}
