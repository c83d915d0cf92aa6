/* net_of.c: writes the net of a family (bench/families.h) as ll_net.
 *
 *     net_of FAMILY SIZE FILE */
#include "bench/families.h"

#include "petri/net_io.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  Heap *heap;
  Family family;
  uint32_t n;
  const char *path;
  int status;
} Job;

static void job_body(void *argument) {
  Job *job = argument;
  Err err;
  const Net *net = family_net(job->heap, job->family, job->n);
  if (net_write(job->heap, net, NET_LL_NET, job->path, &err)) job->status = 0;
  else fprintf(stderr, "net_of: %s\n", err.text);
}

static bool find_family(const char *name, Family *family) {
  for (Family i = 0; i < N_FAMILIES; i++)
    if (strcmp(family_name(i), name) == 0) return *family = i, true;
  return false;
}

int main(int argc, char **argv) {
  Job job = {.status = 3};
  const long n = argc == 4 ? strtol(argv[2], NULL, 10) : 0;
  if (n < 1 || n > FAMILY_MAX || !find_family(argv[1], &job.family)) {
    fputs("usage: net_of FAMILY SIZE FILE; the family is dme, key, rw, acquire1, swap or loops\n", stderr);
    return 3;
  }
  job.n = (uint32_t)n;
  job.path = argv[3];
  job.heap = heap_new(0);
  if (!heap_try(job.heap, job_body, &job)) fputs("net_of: out of memory\n", stderr);
  heap_free(job.heap);
  return job.status;
}
