/* gen_trace.c: writes a run of a family (bench/trace_families.h) on stdout.
 *
 *     gen_trace [-f FORMAT] [-t THREADS] [-n ENTITIES] [-e EVENTS] [-s SEED] sor|lufact|elevator|chain */
#include "bench/trace_families.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char USAGE[] =
    "usage: gen_trace [-f FORMAT] [-t THREADS] [-n ENTITIES] [-e EVENTS] [-s SEED] sor|lufact|elevator|chain\n"
    "at least 2 threads, 4 entities for each\n";

typedef struct {
  Heap *heap;
  FamilyRun run;
  TraceFormat format;
  int status;
} Job;

static void take(void *writer, const TraceEvent *events, uint32_t n) { trace_write(writer, events, n); }

static void job_body(void *argument) {
  Job *job = argument;
  Err err;
  TraceWriter *writer = trace_writer_new(job->heap, stdout, job->format, NULL);
  if (!family_make(job->heap, &job->run, take, writer)) fputs(USAGE, stderr);
  else if (!trace_writer_end(writer, &err)) fprintf(stderr, "gen_trace: %s\n", err.text);
  else if (fflush(stdout) || ferror(stdout)) perror("gen_trace");
  else job->status = 0;
}

static bool format_of(const char *name, TraceFormat *format) {
  static const char *const NAMES[] = {TRACE_FORMAT_NAMES};
  for (int i = 0; i < TRACE_N_FORMATS; i++)
    if (strcmp(NAMES[i], name) == 0) return *format = (TraceFormat)i, true;
  return false;
}

static bool read_arguments(int argc, char **argv, Job *job) {
  FamilyRun *run = &job->run;
  for (int option; (option = getopt(argc, argv, "f:t:n:e:s:")) != -1;) {
    if (option == '?' || (option == 'f' && !format_of(optarg, &job->format))) return false;
    if (option == 't') run->threads = (uint32_t)strtoul(optarg, NULL, 10);
    if (option == 'n') run->entities = (uint32_t)strtoul(optarg, NULL, 10);
    if (option == 'e') run->events = strtoull(optarg, NULL, 10);
    if (option == 's') run->seed = strtoull(optarg, NULL, 10);
  }
  run->family = argc - optind == 1 ? argv[optind] : "";
  return argc - optind == 1;
}

int main(int argc, char **argv) {
  Job job = {.heap = heap_new(0), .run = {.threads = 3, .entities = 400, .events = 1000000, .seed = 1}, .status = 3};
  if (!job.heap) return perror("gen_trace"), 3;
  if (!read_arguments(argc, argv, &job)) fputs(USAGE, stderr);
  else if (!heap_try(job.heap, job_body, &job)) fputs("gen_trace: out of memory\n", stderr);
  heap_free(job.heap);
  return job.status;
}
