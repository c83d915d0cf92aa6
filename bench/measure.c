#include "bench/measure.h"

#include "base/clock.h"
#include "check/certificate_judge.h"
#include "petri/llnet.h"
#include "unfold/certificate_write.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_MEMORY ((size_t)8 << 30)

typedef struct {
  Heap *heap;
  const Source *source;
  UnfoldOrder order;
  bool check;
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

typedef struct {
  Heap *heap;
  const Net *net;
  InFile file;
  double seconds;
  bool good;
} Checking;

static void check_body(void *argument) {
  Checking *checking = argument;
  CertificateReport report;
  Err err;
  const double start = clock_cpu_seconds();
  checking->good = certificate_judge(checking->heap, checking->net, &checking->file, &report, &err) == VERDICT_HOLDS;
  checking->seconds = clock_cpu_seconds() - start;
  if (!checking->good) fprintf(stderr, "%s\n", err.text);
}

/* With a heap of its own: what is checked is a net and a text. */
static void check_prefix(Run *run, const Net *net, const Prefix *prefix) {
  Checking checking = {.heap = heap_new(MOST_MEMORY), .net = net, .file.name = "certificate"};
  FILE *out = open_memstream(&checking.file.text, &checking.file.length);
  if (!checking.heap || !out) perror("certificate"), exit(3);
  certificate_begin(out, net);
  certificate_prefix(out, prefix, run->order);
  certificate_end(out);
  fclose(out);
  if (heap_try(checking.heap, check_body, &checking)) run->good = checking.good;
  run->measure.checking = checking.seconds;
  heap_free(checking.heap);
  free(checking.file.text);
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
  if (!prefix) {
    fprintf(stderr, "%s\n", err.text);
    return;
  }
  run->measure.arcs = (uint64_t)prefix->pre_start[prefix->n_events] + prefix->n_conditions - prefix->post_start[0];
  if (run->check) check_prefix(run, net, prefix);
}

static bool run_once(const Source *source, UnfoldOrder order, bool check, Measure *measure) {
  Run run = {.heap = heap_new(MOST_MEMORY), .source = source, .order = order, .check = check};
  if (!run.heap) return perror("heap"), false;
  if (!heap_try(run.heap, run_body, &run)) fprintf(stderr, "out of memory\n");
  run.measure.mb = (double)heap_peak(run.heap) / 1e6;
  heap_free(run.heap);
  if (run.good) *measure = run.measure;
  return run.good;
}

static bool run_often(const Source *source, UnfoldOrder order, int runs, bool check, Measure *measure) {
  if (!run_once(source, order, check, measure)) return false;
  for (int i = 1; i < runs; i++) {
    Measure other;
    if (!run_once(source, order, check, &other)) return false;
    if (other.reading < measure->reading) measure->reading = other.reading;
    if (other.unfolding < measure->unfolding) measure->unfolding = other.unfolding;
    if (other.checking < measure->checking) measure->checking = other.checking;
  }
  return true;
}

bool measure_net(const Source *source, UnfoldOrder order, int runs, Measure *measure) {
  return run_often(source, order, runs, false, measure);
}

bool measure_checked(const Source *source, UnfoldOrder order, int runs, Measure *measure) {
  return run_often(source, order, runs, true, measure);
}
