/* show.c: prints a log as STD; for run.sh. Exit 1 if the log is wrong, 2 if it was cut short. */
#include "trace/trace.h"

int main(int argc, char **argv) {
  Heap *heap = heap_new(0);
  const TraceOptions options = {.format = TRACE_BINARY};
  const TraceEvent *events;
  uint32_t n;
  Err err;
  TraceReader *reader = argc == 2 ? trace_open(heap, argv[1], &options, &err) : NULL;
  if (!reader) return 1;
  TraceWriter *writer = trace_writer_new(heap, stdout, TRACE_STD, trace_names(reader));
  bool good;
  while ((good = trace_next(reader, &events, &n, &err)) && n) trace_write(writer, events, n);
  if (!good) fprintf(stderr, "%s\n", err.text);
  if (!trace_writer_end(writer, &err)) good = false;
  const bool short_ = trace_cut_short(reader);
  trace_close(reader);
  heap_free(heap);
  return good ? short_ ? 2 : 0 : 1;
}
