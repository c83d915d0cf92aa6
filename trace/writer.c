#include "trace/writer.h"

#include "trace/packing.h"
#include "trace/run_names.h"

#include <assert.h>
#include <string.h>

/* What made-up names begin with. */
static const char LETTER[] = {
    [TRACE_THREAD_NAME] = 'T', [TRACE_OBJECT_NAME] = 'V', [TRACE_LABEL_NAME] = 'L', [TRACE_LOCATION_NAME] = '\0'};
_Static_assert(sizeof LETTER == TRACE_NAME_KINDS, "a letter for each TraceNameKind");

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

static void set_fault(TraceWriter *writer, const char *who, const char *detail) {
  if (writer->bad) return;
  err_set(&writer->fault, ERR_INPUT, "%s cannot represent %s", who, detail);
  writer->bad = true;
}

void writer_fault(TraceWriter *writer, const char *detail) { set_fault(writer, writer->kind->title, detail); }

/* What no text can represent. */
static void text_fault(TraceWriter *writer, const char *detail) { set_fault(writer, "a text", detail); }

/* ---- text ---- */

bool writer_has_any(const char *text, const char *bytes) { return text[strcspn(text, bytes)]; }

/* Would a file that begins with the name be taken for one of a format with a magic? */
static bool has_magic(const char *name) {
  bool has = false;
  for (int i = 0; i < TRACE_N_FORMATS; i++) {
    const TraceLook *look = &TRACE_KINDS[i].methods->look;
    const size_t length = strnlen(name, look->magic ? strlen(look->magic) : 0);
    has |= look->magic && look->looks_like((Part){name, length}, 0);
  }
  return has;
}

const char *writer_strange_start(TraceNameKind kind, const char *name) {
  const char *const first[] = {GZIP.magic, ZSTD.magic, "\xef\xbb\xbf"};
  bool strange = false;
  if (kind != TRACE_THREAD_NAME) return NULL;
  for (size_t i = 0; i < sizeof first / sizeof *first; i++) strange |= strncmp(name, first[i], strlen(first[i])) == 0;
  if (strange) return "the name of a thread that begins as a packed file does, or with a byte order mark";
  return has_magic(name) ? "the name of a thread that begins as a file of another format does" : NULL;
}

void writer_check_up_to(TraceWriter *writer, TraceNameKind kind, uint32_t number) {
  char room[WRITER_NAME_ROOM] = "";
  for (uint32_t *n = &writer->n_checked[kind]; *n <= number; ++*n) {
    const char *detail = writer->kind->methods->writing.unfit(kind, writer_name(writer, kind, *n, room));
    if (detail) writer_fault(writer, detail);
  }
}

void writer_flush_to(TraceWriter *writer, FILE *out) {
  if (writer->text.n && !writer->bad) fwrite(writer->text.at, 1, writer->text.n, out);
  vec_clear(&writer->text);
}

void writer_flush(TraceWriter *writer) { writer_flush_to(writer, writer->out); }

/* ---- events ---- */

static uint8_t use_of(TraceSort sort) { return (uint8_t)(1 << sort); }

static void note_use(TraceWriter *writer, const TraceEvent *event) {
  if (ops_name(event->op) != TRACE_OBJECT_NAME) return;
  if (event->object >= writer->uses.n) vec_resize_zeroed(writer->heap, &writer->uses, event->object + 1);
  uint8_t *use = &writer->uses.at[event->object];
  *use |= use_of(TRACE_SORT[event->op]);
  if (*use & (*use - 1)) text_fault(writer, "an object that is two of a variable, a lock and a hand-over");
}

TraceWriter *trace_writer_new(Heap *heap, FILE *out, TraceFormat format, const TraceNames *names) {
  TraceWriter *writer = heap_zeroed(heap, sizeof *writer);
  *writer = (TraceWriter){.heap = heap, .out = out, .kind = &TRACE_KINDS[format], .names = names};
  const TraceWriting *writing = &writer->kind->methods->writing;
  if (writing->state_size) writer->state = heap_zeroed(heap, writing->state_size);
  if (writing->begin) writing->begin(writer);
  return writer;
}

void trace_write_part(TraceWriter *writer, const TracePart *part) {
  const TraceWriting *writing = &writer->kind->methods->writing;
  if (writing->part) writing->part(writer, part);
}

void trace_write(TraceWriter *writer, const TraceEvent *events, uint32_t n) {
  const TraceWriting *writing = &writer->kind->methods->writing;
  const bool text = trace_kind_is_text(writer->kind);
  for (uint32_t i = 0; i < n && !writer->bad; i++) {
    if (text) note_use(writer, &events[i]);
    writing->write(writer, &events[i]);
  }
}

/* ---- can a text tell things apart by their names? ---- */

/* Do all names that were used, or made up, differ? `use`: as what; 0 is any. */
static bool all_differ(TraceWriter *writer, TraceNameKind kind, uint8_t use) {
  NameList list;
  NameTable table;
  char room[WRITER_NAME_ROOM];
  bool differ = true;
  trace_name_list_init(&list, writer->heap);
  trace_name_table_init(&table, &list);
  for (uint32_t i = 0, n = trace_name_count(writer->names, kind); i < n && differ; i++) {
    if (use && (i >= writer->uses.n || writer->uses.at[i] != use)) continue;
    const char *name = writer_name(writer, kind, i, room);
    const uint32_t before = list.at.n;
    differ = trace_name_table_add(&table, name, strlen(name)) == before;
  }
  trace_name_table_fini(&table);
  trace_name_list_fini(&list);
  return differ;
}

/* In a text there is one thing to a name; in a binary log there may be several, or one without. */
static void check_names(TraceWriter *writer) {
  if (!writer->names || !writer->names->may_repeat || writer->bad) return;
  if (!all_differ(writer, TRACE_THREAD_NAME, 0)) text_fault(writer, "two threads with the same name");
  if (!all_differ(writer, TRACE_OBJECT_NAME, use_of(TRACE_ON_VARIABLE)))
    text_fault(writer, "two variables with the same name");
  if (!all_differ(writer, TRACE_OBJECT_NAME, use_of(TRACE_ON_LOCK))) text_fault(writer, "two locks with the same name");
  if (!all_differ(writer, TRACE_OBJECT_NAME, use_of(TRACE_ON_HANDOVER)))
    text_fault(writer, "two hand-overs with the same name");
}

bool trace_writer_end(TraceWriter *writer, Err *err) {
  writer->kind->methods->writing.end(writer);
  if (trace_kind_is_text(writer->kind)) check_names(writer);
  const bool good = !writer->bad;
  if (!good) *err = writer->fault;
  vec_fini(writer->heap, &writer->uses);
  vec_fini(writer->heap, &writer->text);
  heap_release(writer->heap, writer->state);
  heap_release(writer->heap, writer);
  return good;
}
