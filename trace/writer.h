/* writer.h: what the writers of the formats share; for trace/ alone. */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

#include "base/vec.h"
#include "trace/kinds.h"

#include <string.h>

struct TraceWriter {
  Heap *heap;
  FILE *out;
  const TraceKind *kind;
  void *state; /* of the format, or NULL */
  const TraceNames *names;
  VEC(uint8_t) uses;                    /* texts: of objects, by number, a bit for each TraceSort that they were */
  Err fault;                            /* the first thing that the format cannot represent ... */
  bool bad;                             /* ... if there is one: then nothing more is written */
  CharVec text;                         /* texts: bytes that wait to be written */
  uint32_t n_checked[TRACE_NAME_KINDS]; /* texts: the names below are fit */
};

/* The name; one made up from the number where it has none, which is in `room` then. */
enum { WRITER_NAME_ROOM = 16 };
const char *writer_name(TraceWriter *writer, TraceNameKind kind, uint32_t number, char room[WRITER_NAME_ROOM]);

/* The format cannot represent this. */
void writer_fault(TraceWriter *writer, const char *detail);

/* ---- for texts ---- */

/* Bytes that are worth being written. */
enum { WRITER_FULL = 1 << 16 };

/* Looks at the names up to a number, each once: one that is not fit makes a fault. */
void writer_check_up_to(TraceWriter *writer, TraceNameKind kind, uint32_t number);

/* The name, which has been found fit, else there is a fault; "" for TRACE_NONE. */
static inline const char *writer_text_name(TraceWriter *writer, TraceNameKind kind, uint32_t number,
                                           char room[WRITER_NAME_ROOM]) {
  if (number == TRACE_NONE) return "";
  if (number >= writer->n_checked[kind]) writer_check_up_to(writer, kind, number);
  return writer_name(writer, kind, number, room);
}

/* An event's names; "" for what it does not have. They live as long as this and the writer's names. */
typedef struct {
  const char *thread, *object, *location;
  char room[3][WRITER_NAME_ROOM];
} WriterTexts;

/* Fills *texts with the event's names. */
static inline void writer_texts(TraceWriter *writer, const TraceEvent *event, WriterTexts *texts) {
  texts->thread = writer_text_name(writer, TRACE_THREAD_NAME, event->thread, texts->room[0]);
  texts->object = writer_text_name(writer, ops_name(event->op), event->object, texts->room[1]);
  texts->location = writer_text_name(writer, TRACE_LOCATION_NAME, event->location, texts->room[2]);
}

/* Appends to writer->text. */
static inline void writer_put_bytes(TraceWriter *writer, const char *bytes, size_t n) {
  if (!n) return;
  vec_reserve(writer->heap, &writer->text, n);
  memcpy(writer->text.at + writer->text.n, bytes, n);
  writer->text.n += (uint32_t)n;
}

/* Appends the NUL-terminated text to writer->text. */
static inline void writer_put(TraceWriter *writer, const char *text) { writer_put_bytes(writer, text, strlen(text)); }

/* Writes writer->text, unless there was a fault; it is empty then. */
void writer_flush_to(TraceWriter *writer, FILE *out);
void writer_flush(TraceWriter *writer); /* to writer->out */

/* Has the text one of these bytes? */
bool writer_has_any(const char *text, const char *bytes);

/* NULL, or what is wrong with the name of a thread that comes first in a file, where its first bytes would be taken for
 * something else. */
const char *writer_strange_start(TraceNameKind kind, const char *name);

#endif
