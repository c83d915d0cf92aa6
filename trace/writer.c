#include "trace/writer.h"

#include <string.h>

static WriterEvent *const WRITE[] = {[TRACE_STD] = std_write, [TRACE_CSV] = csv_write, [TRACE_ROADRUNNER] = roadrunner_write,
                                     [TRACE_BINARY] = log_write};

static const char LETTER[TRACE_NAME_KINDS][2] = {"T", "V", "L", ""};

const char *writer_name(TraceWriter *writer, TraceNameKind kind, uint32_t number, char room[WRITER_NAME_ROOM]) {
  const bool named = writer->names && number < trace_name_count(writer->names, kind);
  const char *name = named ? trace_name(writer->names, kind, number) : "";
  if (*name) return name;
  writer->made_up[kind] = true;
  snprintf(room, WRITER_NAME_ROOM, "%s%lu", LETTER[kind], (unsigned long)number);
  return room;
}

void writer_fault(TraceWriter *writer, const char *format, const char *detail) {
  if (writer->bad) return;
  err_set(&writer->fault, ERR_INPUT, "%s cannot say %s", format, detail);
  writer->bad = true;
}

TraceWriter *trace_writer_new(Heap *heap, FILE *out, TraceFormat format, const TraceReader *names) {
  TraceWriter *writer = heap_zeroed(heap, sizeof *writer);
  *writer = (TraceWriter){.heap = heap, .out = out, .format = format, .names = names};
  if (format == TRACE_BINARY) log_write_begin(writer);
  return writer;
}

void trace_write(TraceWriter *writer, const TraceEvent *events, uint32_t n) {
  for (uint32_t i = 0; i < n && !writer->bad; i++) WRITE[writer->format](writer, &events[i]);
}

/* Is the name one that could have been made up? */
static bool looks_made_up(TraceNameKind kind, const char *name) {
  const size_t letters = strlen(LETTER[kind]);
  return *name && strncmp(name, LETTER[kind], letters) == 0 && !name[letters + strspn(name + letters, "0123456789")];
}

/* What has a name must not meet what was given one. */
static void check_names(TraceWriter *writer) {
  for (TraceNameKind kind = 0; kind < TRACE_NAME_KINDS; kind++) {
    if (!writer->made_up[kind] || !writer->names) continue;
    for (uint32_t i = 0, n = trace_name_count(writer->names, kind); i < n; i++)
      if (looks_made_up(kind, trace_name(writer->names, kind, i)))
        writer_fault(writer, "a text", "what has no name, beside things with names such as that which it would get");
  }
}

bool trace_writer_end(TraceWriter *writer, Err *err) {
  if (writer->format == TRACE_CSV) csv_write_end(writer);
  if (writer->format == TRACE_BINARY) log_write_end(writer);
  check_names(writer);
  const bool good = !writer->bad;
  if (!good) *err = writer->fault;
  heap_release(writer->heap, writer);
  return good;
}
