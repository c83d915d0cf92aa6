/* gen_trace.c: writes a run of a family (bench/trace_families.h) on stdout.
 *
 *     gen_trace [-f FORMAT] [-t THREADS] [-n ENTITIES] [-e EVENTS] [-s SEED] [-p NAMES] FAMILY
 *
 * NAMES of objects: number (V17; the default), field (a long one with a number in it), word (a long one without). */
#include "bench/trace_families.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char USAGE[] =
    "usage: gen_trace [-f FORMAT] [-t THREADS] [-n ENTITIES] [-e EVENTS] [-s SEED] [-p NAMES] FAMILY\n"
    "at least 2 threads, 4 entities for each; NAMES are number, field or word, the family is sor, lufact, elevator,\n"
    "readers, chain or threads\n";

typedef struct {
  Heap *heap;
  FamilyRun run;
  TraceFormat format;
  const char *shape; /* of names; NULL: they are numbers */
  int status;
} Job;

/* The names of the entities, and of what a family has besides. */
static TraceNames *make_names(const Job *job) {
  enum { MORE = 8 };
  char name[80];
  TraceNames *names = trace_names_new(job->heap);
  for (uint32_t i = 0; i < job->run.entities + MORE; i++) {
    if (strcmp(job->shape, "field") == 0) snprintf(name, sizeof name, "shop.inventory.Stock.items[%u].count", i);
    else snprintf(name, sizeof name, "shop.inventory.Stock@%016llx.count", (unsigned long long)hash_word(i));
    trace_names_add(names, TRACE_OBJECT_NAME, name);
  }
  return names;
}

static void take(void *writer, const TraceEvent *events, uint32_t n) { trace_write(writer, events, n); }

static void job_body(void *argument) {
  Job *job = argument;
  Err err;
  TraceNames *names = job->shape ? make_names(job) : NULL;
  TraceWriter *writer = trace_writer_new(job->heap, stdout, job->format, names);
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
  for (int option; (option = getopt(argc, argv, "f:t:n:e:s:p:")) != -1;) {
    if (option == '?' || (option == 'f' && !format_of(optarg, &job->format))) return false;
    if (option == 't') run->threads = (uint32_t)strtoul(optarg, NULL, 10);
    if (option == 'n') run->entities = (uint32_t)strtoul(optarg, NULL, 10);
    if (option == 'e') run->events = strtoull(optarg, NULL, 10);
    if (option == 'p') job->shape = strcmp(optarg, "number") == 0 ? NULL : optarg;
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
