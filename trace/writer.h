/* writer.h: what the writers of the formats share; for trace/ alone. */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

#include "base/vec.h"
#include "trace/ops.h"
#include "trace/trace.h"

typedef struct LogWriter LogWriter;

enum { USED_AS_VARIABLE = 1, USED_AS_LOCK = 2 };

struct TraceWriter {
  Heap *heap;
  FILE *out;
  TraceFormat format;
  const TraceNames *names;
  VEC(uint8_t) uses;              /* texts: of objects, by number, as what they were used */
  Err fault;                      /* the first thing that the format cannot say ... */
  bool bad;                       /* ... if there is one: then nothing more is written */
  FILE *rows;                     /* CSV: all but the header, until the threads are known */
  uint32_t n_threads;             /* CSV: of those with a column */
  CharVec text;                   /* texts: bytes that wait to be written */
  uint32_t n_checked[TRACE_NAME_KINDS]; /* texts: the names below can be said */
  LogWriter *log;
};

/* The name; one made up from the number where it has none, which is in `room` then. */
enum { WRITER_NAME_ROOM = 16 };
const char *writer_name(TraceWriter *writer, TraceNameKind kind, uint32_t number, char room[WRITER_NAME_ROOM]);

/* The format cannot say this. */
void writer_fault(TraceWriter *writer, const char *format, const char *detail);

typedef void WriterEvent(TraceWriter *writer, const TraceEvent *event);
WriterEvent std_write, csv_write, roadrunner_write, log_write;

void text_write_end(TraceWriter *writer); /* STD, RoadRunner */
void csv_write_end(TraceWriter *writer);
void log_write_begin(TraceWriter *writer);
void log_write_end(TraceWriter *writer);

#endif
