#include "ask/converting.h"

#include <assert.h>
#include <string.h>

typedef struct {
  RunInput input;
  TraceFormat format;
  bool plain;
  FILE *out;
  TraceWriter *writer; /* once the input has names; NULL before */
} Converting;

static void write_as(Converting *c, TraceEvent event, TraceOp op) {
  event.op = (uint8_t)op;
  trace_write(c->writer, &event, 1);
}

/* Without the later operations. */
static void write_plain(Converting *c, const TraceEvent *event) {
  switch ((TraceOp)event->op) {
  case TRACE_UPDATE:
    write_as(c, *event, TRACE_READ);
    write_as(c, *event, TRACE_WRITE);
    break;
  case TRACE_TRY: write_as(c, *event, TRACE_ACQUIRE); break;
  case TRACE_SHARED_ACQUIRE:
  case TRACE_SHARED_RELEASE:
  case TRACE_SHARED_TRY:
  case TRACE_SIGNAL:
  case TRACE_WAIT: break;
  case TRACE_READ:
  case TRACE_WRITE:
  case TRACE_ACQUIRE:
  case TRACE_RELEASE:
  case TRACE_FORK:
  case TRACE_JOIN:
  case TRACE_BEGIN:
  case TRACE_END:
  case TRACE_START:
  case TRACE_EXIT:
  case TRACE_FREE: trace_write(c->writer, event, 1); break;
  }
}

static bool take(void *argument, uint32_t run, const TraceEvent *events, uint32_t n) {
  Converting *c = argument;
  (void)run;
  if (!c->writer) {
    c->writer = trace_writer_new(c->input.heap, c->out, c->format, run_input_names(&c->input));
    trace_write_part(c->writer, &c->input.remarks.part);
  }
  if (!c->plain) trace_write(c->writer, events, n);
  for (uint32_t i = 0; c->plain && i < n; i++) write_plain(c, &events[i]);
  return true;
}

/* What is piped in and has no events has most likely failed. */
static bool expect_events(const Converting *c, Err *err) {
  const Spool *spool = c->input.source.inputs;
  return strcmp(spool->name, "<stdin>") != 0 ||
         run_input_expect(spool->name, c->input.n_events, c->input.remarks.skipped, err);
}

bool converting_run(Heap *heap, const RunSource *source, TraceFormat format, bool plain, FILE *out, RunRemarks *remarks,
                    Err *err) {
  assert(source->n == 1);
  const AskLimits limits = {.allow_empty = true};
  Converting c = {.format = format, .plain = plain, .out = out};
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
