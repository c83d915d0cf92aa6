/* write_text.c: STD, CSV and RoadRunner text. */
#include "trace/writer.h"

#include <string.h>

void std_write(TraceWriter *writer, const TraceEvent *event) {
  char room[3][WRITER_NAME_ROOM];
  static const TraceNameKind KIND[TRACE_OPS] = {TRACE_OBJECT_NAME, TRACE_OBJECT_NAME, TRACE_OBJECT_NAME, TRACE_OBJECT_NAME, TRACE_THREAD_NAME, TRACE_THREAD_NAME, TRACE_LABEL_NAME, 0, 0, 0, TRACE_OBJECT_NAME};
  fprintf(writer->out, "%s|%s", writer_name(writer, TRACE_THREAD_NAME, event->thread, room[0]), TRACE_OP_TEXT[event->op]);
  if (event->object != TRACE_NONE) fprintf(writer->out, "(%s)", writer_name(writer, KIND[event->op], event->object, room[1]));
  if (event->location != TRACE_NONE) fprintf(writer->out, "|%s", writer_name(writer, TRACE_LOCATION_NAME, event->location, room[2]));
  putc('\n', writer->out);
}
void csv_write(TraceWriter *writer, const TraceEvent *event) { (void)writer; (void)event; }
void roadrunner_write(TraceWriter *writer, const TraceEvent *event) { (void)writer; (void)event; }
void csv_write_end(TraceWriter *writer) { (void)writer; }
