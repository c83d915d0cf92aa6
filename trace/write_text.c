/* write_text.c: STD, CSV and RoadRunner text. */
#include "trace/writer.h"

#include <errno.h>
#include <string.h>

/* What stands in the parentheses. ORDER TraceOp */
static const TraceNameKind KIND[TRACE_OPS] = {TRACE_OBJECT_NAME, TRACE_OBJECT_NAME, TRACE_OBJECT_NAME, TRACE_OBJECT_NAME,
                                              TRACE_THREAD_NAME, TRACE_THREAD_NAME, TRACE_LABEL_NAME,  TRACE_LABEL_NAME,
                                              TRACE_LABEL_NAME,  TRACE_LABEL_NAME,  TRACE_OBJECT_NAME};

/* An event's names; "" for what it does not have. */
typedef struct {
  const char *thread, *object, *location;
  char room[3][WRITER_NAME_ROOM];
} Texts;

static void get_texts(TraceWriter *writer, const TraceEvent *event, Texts *texts) {
  const uint32_t object = event->object, location = event->location;
  texts->thread = writer_name(writer, TRACE_THREAD_NAME, event->thread, texts->room[0]);
  texts->object = object == TRACE_NONE ? "" : writer_name(writer, KIND[event->op], object, texts->room[1]);
  texts->location = location == TRACE_NONE ? "" : writer_name(writer, TRACE_LOCATION_NAME, location, texts->room[2]);
}

static bool has_any(const char *text, const char *bytes) { return text[strcspn(text, bytes)]; }

static void put(FILE *out, const char *text) { fputs(text, out); }

/* ---- STD ---- */

void std_write(TraceWriter *writer, const TraceEvent *event) {
  FILE *out = writer->out;
  Texts texts;
  get_texts(writer, event, &texts);
  if (texts.thread[0] == '#') writer_fault(writer, "STD", "the name of a thread that begins with '#'");
  if (has_any(texts.thread, "|\r\n") || has_any(texts.object, "|\r\n") || has_any(texts.location, "|\r\n"))
    writer_fault(writer, "STD", "a name with a '|' or a line end in it");
  if (writer->bad) return;
  put(out, texts.thread);
  putc('|', out);
  put(out, TRACE_OP_TEXT[event->op]);
  if (*texts.object) putc('(', out), put(out, texts.object), putc(')', out);
  if (*texts.location) putc('|', out), put(out, texts.location);
  putc('\n', out);
}

/* ---- CSV ---- */

/* The header has all threads, so it can be written only at the end; until then the rows are kept in a file. */
static FILE *rows(TraceWriter *writer) {
  if (!writer->rows) writer->rows = tmpfile();
  if (!writer->rows && !writer->bad) {
    err_set(&writer->fault, ERR_IO, "a temporary file for the rows: %s", strerror(errno));
    writer->bad = true;
  }
  return writer->rows;
}

static void put_quoted(FILE *out, const char *text) {
  for (; *text; text++) {
    if (*text == '"') putc('"', out);
    putc(*text, out);
  }
}

/* Blanks around a cell mean nothing, unless it is quoted; '#' begins a comment, '@' could be RoadRunner's. */
static bool needs_quotes(const char *text) {
  const size_t length = strlen(text);
  return has_any(text, "\",") || !length || strchr(" \t#@", text[0]) || strchr(" \t", text[length - 1]);
}

void csv_write(TraceWriter *writer, const TraceEvent *event) {
  Texts texts;
  get_texts(writer, event, &texts);
  if (has_any(texts.object, "\r\n") || has_any(texts.location, "\r\n")) writer_fault(writer, "CSV", "a name with a line end in it");
  if (strstr(texts.object, ")@")) writer_fault(writer, "CSV", "the name of an object with ')@' in it");
  FILE *out = rows(writer);
  if (writer->bad) return;
  const bool quotes = has_any(texts.object, "\",") || (*texts.location && needs_quotes(texts.location));
  for (uint32_t i = 0; i < event->thread; i++) putc(',', out);
  if (quotes) putc('"', out);
  put(out, TRACE_OP_TEXT[event->op]);
  if (*texts.object) putc('(', out), put_quoted(out, texts.object), putc(')', out);
  if (*texts.location) putc('@', out), put_quoted(out, texts.location);
  if (quotes) putc('"', out);
  putc('\n', out);
  if (event->thread >= writer->n_threads) writer->n_threads = event->thread + 1;
  if (event->op == TRACE_FORK || event->op == TRACE_JOIN)
    if (event->object >= writer->n_threads) writer->n_threads = event->object + 1;
}

static void put_header(TraceWriter *writer) {
  char room[WRITER_NAME_ROOM];
  if (writer->names && trace_name_count(writer->names, TRACE_THREAD_NAME) > writer->n_threads)
    writer->n_threads = trace_name_count(writer->names, TRACE_THREAD_NAME);
  for (uint32_t i = 0; i < writer->n_threads; i++) {
    const char *name = writer_name(writer, TRACE_THREAD_NAME, i, room);
    const bool quotes = needs_quotes(name);
    if (has_any(name, "()\r\n")) writer_fault(writer, "CSV", "the name of a thread with a parenthesis or a line end in it");
    if (i) putc(',', writer->out);
    if (quotes) putc('"', writer->out);
    put_quoted(writer->out, name);
    if (quotes) putc('"', writer->out);
  }
  putc('\n', writer->out);
}

void csv_write_end(TraceWriter *writer) {
  char bytes[1 << 14];
  if (!writer->bad) put_header(writer);
  if (!writer->rows) return;
  rewind(writer->rows);
  for (size_t n; !writer->bad && (n = fread(bytes, 1, sizeof bytes, writer->rows));) fwrite(bytes, 1, n, writer->out);
  if (ferror(writer->rows) && !writer->bad) {
    err_set(&writer->fault, ERR_IO, "a temporary file for the rows: %s", strerror(errno));
    writer->bad = true;
  }
  fclose(writer->rows);
}

/* ---- RoadRunner ---- */

static bool is_balanced(const char *text) {
  int open = 0;
  for (; *text && open >= 0; text++) open += (*text == '(') - (*text == ')');
  return !open;
}

static void check_roadrunner(TraceWriter *writer, uint8_t op, const Texts *texts) {
  static const char FORMAT[] = "RoadRunner text";
  if (has_any(texts->thread, ",()\r\n")) writer_fault(writer, FORMAT, "the name of a thread with a comma, parenthesis or line end in it");
  if (has_any(texts->object, "\r\n")) writer_fault(writer, FORMAT, "the name of an object with a line end in it");
  if (!is_balanced(texts->object)) writer_fault(writer, FORMAT, "the name of an object with parentheses that are no pairs");
  if (op == TRACE_BEGIN && strcmp(texts->object, "-") == 0) writer_fault(writer, FORMAT, "a transaction that is called '-'");
  if (has_any(texts->location, " \t\r\n")) writer_fault(writer, FORMAT, "a location with blanks in it");
}

void roadrunner_write(TraceWriter *writer, const TraceEvent *event) {
  static const char *const WORD[TRACE_OPS] = {"Rd", "Wr", "Acquire", "Release", "Start", "Join", "Enter", "Exit", NULL, NULL, NULL};
  Texts texts;
  get_texts(writer, event, &texts);
  check_roadrunner(writer, event->op, &texts);
  if (!WORD[event->op]) writer_fault(writer, "RoadRunner text", "the start or exit of a thread, or that a variable is freed");
  const int times = event->op == TRACE_FORK || event->op == TRACE_JOIN ? 2 : 1; /* before and after */
  for (int i = 0; i < times && !writer->bad; i++) {
    fprintf(writer->out, "@ %s(%s,%s)", WORD[event->op], texts.thread, *texts.object ? texts.object : "-");
    if (*texts.location) fprintf(writer->out, "  -  %s", texts.location);
    putc('\n', writer->out);
  }
}
