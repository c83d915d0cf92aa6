#include "ask/converting.h"

#include <assert.h>
#include <string.h>

typedef struct {
  RunInput input;
  TraceFormat format;
  FILE *out;
  TraceWriter *writer; /* once the input has names; NULL before */
} Converting;

static bool take(void *argument, uint32_t run, const TraceEvent *events, uint32_t n) {
  Converting *c = argument;
  (void)run;
  if (!c->writer) c->writer = trace_writer_new(c->input.heap, c->out, c->format, run_input_names(&c->input));
  trace_write(c->writer, events, n);
  return true;
}

/* What is piped in and has no events has most likely failed. */
static bool expect_events(const Converting *c, Err *err) {
  const Spool *spool = c->input.source.inputs;
  return strcmp(spool->name, "<stdin>") != 0 ||
         run_input_expect(spool->name, c->input.n_events, c->input.remarks.skipped, err);
}

bool converting_run(Heap *heap, const RunSource *source, TraceFormat format, FILE *out, RunRemarks *remarks, Err *err) {
  assert(source->n == 1);
  const AskLimits limits = {.allow_empty = true};
  Converting c = {.format = format, .out = out};
  run_input_init(&c.input, heap, source, &limits);
  const bool read = run_input_read(&c.input, take, &c, err);
  if (read && c.input.why[0]) heap_poll_asked(heap);
  const bool good = read && expect_events(&c, err);
  Err at_end;
  const bool ended = !c.writer || trace_writer_end(c.writer, &at_end);
  if (good && !ended) *err = at_end;
  *remarks = c.input.remarks;
  run_input_fini(&c.input);
  return good && ended;
}
