#include "bench/measure.h"

#include "base/clock.h"
#include "petri/llnet.h"

#include <stdio.h>

typedef struct {
  Heap *heap;
  const Source *source;
  UnfoldOrder order;
  Measure measure;
  bool good;
} Run;

static Net *read_file(Heap *heap, const char *path, Err *err) {
  InFile file;
  if (!file_read(heap, path, &file, err)) return NULL;
  Net *net = llnet_read(heap, &file, err);
  file_release(heap, &file);
  return net;
}

Net *measure_read(Heap *heap, const Source *source) {
  Err err;
  if (!source->path) return family_net(heap, source->family, source->n);
  Net *net = read_file(heap, source->path, &err);
  if (!net) fprintf(stderr, "%s\n", err.text);
  return net;
}

static void run_body(void *argument) {
  Run *run = argument;
  Err err;
  const double start = clock_cpu_seconds();
  Net *net = measure_read(run->heap, run->source);
  if (!net) return;
  const double middle = clock_cpu_seconds();
  Prefix *prefix = unfold(run->heap, net, &(UnfoldOptions){.order = run->order, .counts = &run->measure.counts}, &err);
  run->measure.unfolding = clock_cpu_seconds() - middle;
  run->measure.reading = middle - start;
  run->good = prefix != NULL;
  if (!prefix) fprintf(stderr, "%s\n", err.text);
  else run->measure.arcs = (uint64_t)prefix->pre_start[prefix->n_events] + prefix->n_conditions - prefix->post_start[0];
}

static bool run_once(const Source *source, UnfoldOrder order, Measure *measure) {
  Run run = {.heap = heap_new((size_t)8 << 30), .source = source, .order = order};
  if (!run.heap) return perror("heap"), false;
  if (!heap_try(run.heap, run_body, &run)) fprintf(stderr, "out of memory\n");
  run.measure.mb = (double)heap_peak(run.heap) / 1e6;
  heap_free(run.heap);
  if (run.good) *measure = run.measure;
  return run.good;
}

bool measure_net(const Source *source, UnfoldOrder order, int runs, Measure *measure) {
  if (!run_once(source, order, measure)) return false;
  for (int i = 1; i < runs; i++) {
    Measure other;
    if (!run_once(source, order, &other)) return false;
    if (other.reading < measure->reading) measure->reading = other.reading;
    if (other.unfolding < measure->unfolding) measure->unfolding = other.unfolding;
  }
  return true;
}
