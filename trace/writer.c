#include "trace/writer.h"

#include "trace/run_names.h"

#include <assert.h>
#include <string.h>

static WriterEvent *const WRITE[] = {[TRACE_STD] = std_write, [TRACE_CSV] = csv_write, [TRACE_ROADRUNNER] = roadrunner_write,
                                     [TRACE_BINARY] = log_write};

/* What made-up names begin with. */
static const char LETTER[TRACE_NAME_KINDS] = {'T', 'V', 'L', '\0'};

const char *writer_name(TraceWriter *writer, TraceNameKind kind, uint32_t number, char room[WRITER_NAME_ROOM]) {
  assert(kind < TRACE_NAME_KINDS && number != TRACE_NONE);
  if (writer->names && number < trace_name_count(writer->names, kind)) {
    const char *name = trace_name(writer->names, kind, number);
    if (*name) return name;
  }
  char digits[10];
  uint32_t n = 0, at = 0;
  do digits[n++] = (char)('0' + number % 10);
  while (number /= 10);
  if (LETTER[kind]) room[at++] = LETTER[kind];
  while (n) room[at++] = digits[--n];
  assert(at < WRITER_NAME_ROOM);
  room[at] = '\0';
  return room;
}

void writer_fault(TraceWriter *writer, const char *format, const char *detail) {
  if (writer->bad) return;
  err_set(&writer->fault, ERR_INPUT, "%s cannot say %s", format, detail);
  writer->bad = true;
}

static void note_use(TraceWriter *writer, const TraceEvent *event) {
  const bool lock = event->op == TRACE_ACQUIRE || event->op == TRACE_RELEASE;
  if (!lock && event->op != TRACE_READ && event->op != TRACE_WRITE && event->op != TRACE_FREE) return;
  if (event->object >= writer->uses.n) vec_resize_zeroed(writer->heap, &writer->uses, event->object + 1);
  uint8_t *use = &writer->uses.at[event->object];
  *use |= lock ? USED_AS_LOCK : USED_AS_VARIABLE;
  if (*use == (USED_AS_LOCK | USED_AS_VARIABLE)) writer_fault(writer, "a text", "that an object is a variable and a lock");
}

TraceWriter *trace_writer_new(Heap *heap, FILE *out, TraceFormat format, const TraceNames *names) {
  TraceWriter *writer = heap_zeroed(heap, sizeof *writer);
  *writer = (TraceWriter){.heap = heap, .out = out, .format = format, .names = names};
  if (format == TRACE_BINARY) log_write_begin(writer);
  return writer;
}

void trace_write(TraceWriter *writer, const TraceEvent *events, uint32_t n) {
  for (uint32_t i = 0; i < n && !writer->bad; i++) {
    if (writer->format != TRACE_BINARY) note_use(writer, &events[i]);
    WRITE[writer->format](writer, &events[i]);
  }
}

/* ---- can a text tell things apart by their names? ---- */

/* Do all names that were used, or made up, differ? `use`: as what; 0 is any. */
static bool all_differ(TraceWriter *writer, TraceNameKind kind, uint8_t use) {
  NameList list;
  NameTable table;
  char room[WRITER_NAME_ROOM];
  bool differ = true;
  name_list_init(&list, writer->heap);
  name_table_init(&table, &list);
  for (uint32_t i = 0, n = trace_name_count(writer->names, kind); i < n && differ; i++) {
    if (use && (i >= writer->uses.n || writer->uses.at[i] != use)) continue;
    const char *name = writer_name(writer, kind, i, room);
    const uint32_t before = list.at.n;
    differ = name_table_add(&table, name, strlen(name)) == before;
  }
  name_table_fini(&table);
  name_list_fini(&list);
  return differ;
}

/* In a text there is one thing to a name; in a binary log there may be several, or one without. */
static void check_names(TraceWriter *writer) {
  if (!writer->names || !writer->names->may_repeat || writer->bad) return;
  static const char TEXT[] = "a text";
  if (!all_differ(writer, TRACE_THREAD_NAME, 0)) writer_fault(writer, TEXT, "that two threads have the same name");
  if (!all_differ(writer, TRACE_OBJECT_NAME, USED_AS_VARIABLE))
    writer_fault(writer, TEXT, "that two variables have the same name");
  if (!all_differ(writer, TRACE_OBJECT_NAME, USED_AS_LOCK)) writer_fault(writer, TEXT, "that two locks have the same name");
}

bool trace_writer_end(TraceWriter *writer, Err *err) {
  if (writer->format == TRACE_BINARY) log_write_end(writer);
  else if (writer->format == TRACE_CSV) csv_write_end(writer);
  else text_write_end(writer);
  if (writer->format != TRACE_BINARY) check_names(writer);
  const bool good = !writer->bad;
  if (!good) *err = writer->fault;
  vec_fini(writer->heap, &writer->uses);
  vec_fini(writer->heap, &writer->text);
  heap_release(writer->heap, writer);
  return good;
}
