/* reader.h: what the readers of the formats share; for trace/ alone.
 *
 * A reader has a buffer of the next bytes. Its format's parser takes from it what is whole (lines, records) and leaves
 * the rest, to which more is read. */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include "trace/input.h"
#include "trace/kinds.h"
#include "trace/run_names.h"

/* Bytes in front of and after the buffer's contents that may be read, though they mean nothing. */
enum { READER_MARGIN = 64 };

/* Bytes of a line of text, or of a name. */
enum { READER_LONGEST_LINE = 1 << 20 };

/* Events that one line can make. */
enum { READER_SLACK = 4 };

struct TraceReader {
  Heap *heap;
  Input *input;
  const TraceKind *kind; /* NULL: not known yet */
  void *state;           /* of the format, or NULL */
  bool lenient;
  bool wants_calls;
  VEC(TraceCalls) calls; /* of this batch */
  bool wants_where;
  TraceWhere where;
  TracePart part;
  uint64_t skipped;

  char *buffer;          /* margins included */
  size_t room, from, to; /* bytes from..to of the buffer are yet to be parsed */
  bool ended;            /* there are no more bytes than those in the buffer */
  bool cut_short;
  uint64_t taken;    /* bytes of the input, unpacked: those up to `to` */
  uint64_t lines;    /* that were parsed */
  size_t searched;   /* from..searched, if that is anything, has no line end */
  bool in_long_line; /* the first part of the line at `from` was dropped */

  TraceEvent *events; /* TRACE_BATCH of them */
  uint32_t n;

  TraceNames names;
  NameTable threads, variables, locks, handovers, labels, locations;
  NameTable *objects[TRACE_OPS]; /* the table of what stands in the parentheses, or NULL */
};

/* A parser of a line, which is without its end and has no NUL. False, with *err, if the line is wrong. */
typedef bool ReaderLine(TraceReader *reader, const char *line, size_t length, Err *err);

/* Parses the line at `from`, if all of it is in the buffer, and else does nothing and makes *more false. */
bool reader_line(TraceReader *reader, ReaderLine *parse, bool *more, Err *err);
/* Parses lines until the batch is full. */
bool reader_lines(TraceReader *reader, ReaderLine *parse, Err *err);

/* The number of the name; TRACE_NONE without a name, or a table. */
static inline uint32_t reader_number(NameTable *table, Part name) {
  return table && name.at ? trace_name_number(table, name.at, name.length) : TRACE_NONE;
}

/* *err becomes "file:line: ..." of the line that is parsed; false. */
bool reader_fault(const TraceReader *reader, Err *err, const char *what);

/* Sets reader->kind by what stands at `from`, and passes the byte order mark of a text; `wanted` as
 * TraceOptions.format. Where more bytes are needed, *found stays as it is. False, with *err, if it is in no known
 * format. */
bool reader_detect(TraceReader *reader, int wanted, bool *found, Err *err);

#endif
