/* show.c: prints a log as STD, with lines "# THREAD LOCATION from LOCATION..." for call stacks, the innermost call
 * first; for run.sh. Exit 1 if the log is wrong, 2 if it was cut short. */
#include "trace/trace.h"

static const char *name_of(const TraceReader *reader, TraceNameKind kind, uint32_t number) {
  return number == TRACE_NONE ? "?" : trace_name(trace_names(reader), kind, number);
}

/* Those of the events that were read last. */
static void show_calls(const TraceReader *reader) {
  uint32_t n;
  const TraceCalls *calls = trace_calls(reader, &n);
  for (; n--; calls++) {
    printf("# %s %s from", name_of(reader, TRACE_THREAD_NAME, calls->thread),
           name_of(reader, TRACE_LOCATION_NAME, calls->location));
    for (uint32_t i = 0; i < calls->n; i++) printf(" %s", name_of(reader, TRACE_LOCATION_NAME, calls->callers[i]));
    printf("\n");
  }
}

int main(int argc, char **argv) {
  Heap *heap = heap_new(0);
  const TraceOptions options = {.format = TRACE_BINARY, .calls = true};
  const TraceEvent *events;
  uint32_t n;
  Err err;
  TraceReader *reader = argc == 2 ? trace_open(heap, argv[1], &options, &err) : NULL;
  if (!reader) return 1;
  TraceWriter *writer = trace_writer_new(heap, stdout, TRACE_STD, trace_names(reader));
  bool good;
  while ((good = trace_next(reader, &events, &n, &err)) && n) {
    show_calls(reader);
    trace_write(writer, events, n);
  }
  if (!good) fprintf(stderr, "%s\n", err.text);
  if (!trace_writer_end(writer, &err)) good = false;
  const bool short_ = trace_cut_short(reader);
  trace_close(reader);
  heap_free(heap);
  return good ? short_ ? 2 : 0 : 1;
}
