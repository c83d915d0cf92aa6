/* kinds.h: what a format of runs is made of; for trace/ alone.
 *
 * A format is one file, which defines its TraceMethods, and a row of TRACE_FORMATS (trace/trace.h). Nothing else knows
 * which formats there are. A file leaves no method out: what it does not need is NULL or 0, in so many words. */
#ifndef TRACE_KINDS_H
#define TRACE_KINDS_H

#include "base/carry.h"
#include "trace/ops.h"
#include "trace/trace.h"

/* How a file is known to be of a format. Text is shown line by line, without line ends, blank lines and lines that
 * begin with '#', to each format in the order of the rows; the first format to claim a line has the file. */
typedef struct {
  /* The bytes that such a file begins with; NULL: it is lines of text. */
  const char *magic;
  /* Text: is line `number`, from 0, one of this format? Else: do a file's first bytes, `part`, make it one of this
   * format, perhaps with a damaged magic? They are as many as the magic has; fewer where the file has no more. */
  bool (*looks_like)(Part part, uint32_t number);
  /* Text, of which nobody claimed a line: could `first` be a faulty line of this format, so that its reader should say
   * what is wrong? NULL: no. */
  bool (*could_be)(Part first);
} TraceLook;

/* How it is read (trace/reader.h). */
typedef struct {
  size_t state_size; /* bytes of reader->state, zero at first; 0: it has none */
  /* Takes what comes before the events, and prepares the state. False, with *err, if it is wrong. NULL: nothing to do.
   */
  bool (*begin)(TraceReader *reader, Err *err);
  /* Takes events from the buffer, from..to, until it needs more bytes or the batch is full. False, with *err, if what
   * stands at `from` is wrong; nothing of it is taken then. */
  bool (*read)(TraceReader *reader, Err *err);
  /* Releases what the state holds, which may be any part of it. NULL: nothing. */
  void (*end)(TraceReader *reader);
  bool forgets; /* can names be forgotten? Then nothing but the tables of names has their numbers */
  /* Does that name have to stay all the same, since the state has its number? NULL: none has to. */
  bool (*keeps)(TraceReader *reader, TraceNameKind kind, uint32_t number);
  /* What the state knows, between two batches; on the way in it is as `begin` has left it. NULL: nothing. */
  void (*carry)(TraceReader *reader, Carry *carry);
} TraceReading;

/* How it is written (trace/writer.h). */
typedef struct {
  size_t state_size;                                        /* as above, of writer->state */
  void (*begin)(TraceWriter *writer);                       /* NULL: nothing comes before the events */
  void (*part)(TraceWriter *writer, const TracePart *part); /* NULL: the format cannot say it */
  void (*write)(TraceWriter *writer, const TraceEvent *event);
  /* Writes what is left, and releases what the state holds. */
  void (*end)(TraceWriter *writer);
  /* Text: NULL, or what of such a name cannot be represented. */
  const char *(*unfit)(TraceNameKind kind, const char *name);
} TraceWriting;

/* The three things that a format may do: be recognised, be read, be written. */
typedef struct {
  TraceLook look;
  TraceReading reading;
  TraceWriting writing;
} TraceMethods;

#define TRACE_FORMAT_METHODS(format, name, methods, title, line) extern const TraceMethods methods;
TRACE_FORMATS(TRACE_FORMAT_METHODS)
#undef TRACE_FORMAT_METHODS

/* A format: what it is called, and what it does. */
typedef struct {
  const char *name, *title, *line; /* as in TRACE_FORMATS */
  const TraceMethods *methods;
} TraceKind;

extern const TraceKind TRACE_KINDS[TRACE_N_FORMATS]; /* by TraceFormat */

/* Is it lines of text, and not bytes after a magic? */
static inline bool trace_kind_is_text(const TraceKind *kind) { return !kind->methods->look.magic; }

/* "STD (ITS LINE), nor CSV, ... or a binary log": what a run is not that "is neither". */
void trace_kinds_neither(char room[TRACE_LIST_ROOM]);

#endif
