/* csv.c: CSV, a column per thread. */
#include "trace/reader.h"
#include "trace/writer.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

/* ---- is it CSV? ---- */

/* The second line is a row with an event in it. */
static bool csv_looks_like(Part line, uint32_t number) {
  const char *at = line.at, *end = line.at + line.length;
  while (at < end && strchr(", \t\"", *at)) at++;
  return number == 1 && ops_begins(at, end, "(@,");
}

static bool csv_could_be(Part first) { return memchr(first.at, ',', first.length); }

/* ---- cells ---- */

typedef struct {
  bool begun;     /* the header, or what stands in its place, was read */
  U32Vec columns; /* the numbers of the threads */
  CharVec cell;   /* a cell without its quotes, after as many bytes as may be read in front of a name */
} CsvReading;

enum { FRONT = 8 };

static CsvReading *csv_of(TraceReader *reader) { return reader->state; }

/* row ::= cell (',' cell)*, cell ::= bytes but ',' and '"' | '"' (bytes but '"' | '""')* '"', blanks around it */
typedef struct {
  const char *at, *end;
} CsvRow;

static void skip_blanks(CsvRow *row) {
  assert(row->at <= row->end);
  while (row->at < row->end && (*row->at == ' ' || *row->at == '\t')) row->at++;
}

static bool quoted_cell(TraceReader *reader, CsvRow *row, Part *cell) {
  CharVec *text = &csv_of(reader)->cell;
  text->n = FRONT;
  for (row->at++;; row->at++) {
    if (row->at == row->end) return false;
    if (*row->at == '"' && (++row->at == row->end || *row->at != '"')) break;
    vec_push(reader->heap, text, *row->at);
  }
  *cell = (Part){text->at + FRONT, text->n - FRONT};
  skip_blanks(row);
  return row->at == row->end || *row->at == ',';
}

/* The next cell; *last if there is none after it. NULL, or what was expected. */
static const char *next_cell(TraceReader *reader, CsvRow *row, Part *cell, bool *last) {
  skip_blanks(row);
  if (row->at < row->end && *row->at == '"') {
    if (!quoted_cell(reader, row, cell)) return "expected '\"' at the end of the cell";
  } else {
    const char *start = row->at, *comma = memchr(start, ',', (size_t)(row->end - start)),
               *end = comma ? comma : row->end;
    row->at = end;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t')) end--;
    *cell = (Part){start, (size_t)(end - start)};
  }
  *last = row->at == row->end;
  row->at += !*last;
  return NULL;
}

/* ---- the header ---- */

static bool is_header(TraceReader *reader, CsvRow row) {
  Part cell;
  for (bool last = false; !last;)
    if (next_cell(reader, &row, &cell, &last) || !cell.length || memchr(cell.at, '(', cell.length)) return false;
  return true;
}

static void read_header(TraceReader *reader, CsvRow row) {
  Part cell;
  for (bool last = false; !last;) {
    if (next_cell(reader, &row, &cell, &last)) return;
    vec_push(reader->heap, &csv_of(reader)->columns, reader_number(&reader->threads, cell));
  }
}

/* ---- rows ---- */

/* As other tools write it, with an object. */
static const struct {
  const char *word;
  uint8_t op;
} OTHER_WORDS[] = {{"start", TRACE_FORK}, {"enter", TRACE_BEGIN}, {"exit", TRACE_END}};
enum { N_OTHER_WORDS = sizeof OTHER_WORDS / sizeof *OTHER_WORDS };

static bool is_word(const char *at, const char *end, const char *word) {
  return (size_t)(end - at) == strlen(word) && memcmp(at, word, (size_t)(end - at)) == 0;
}

/* OP [ "(" OBJECT ")" ] [ "@" LOCATION ]; NULL, or what was expected. */
static const char *split_cell(Part cell, OpText *op, Part *location) {
  const char *open = memchr(cell.at, '(', cell.length), *at = memchr(cell.at, '@', cell.length),
             *end = cell.at + cell.length;
  if (open && (!at || open < at)) {
    const char *close = memmem(open, (size_t)(end - open), ")@", 2);
    at = close ? close + 1 : NULL;
  }
  *location = at && at + 1 < end ? (Part){at + 1, (size_t)(end - at - 1)} : (Part){0};
  if (at) end = at;
  for (size_t i = 0; open && i < N_OTHER_WORDS; i++)
    if (is_word(cell.at, open, OTHER_WORDS[i].word)) {
      *op = (OpText){OTHER_WORDS[i].op, {open + 1, (size_t)(end - open - 2)}};
      return end[-1] == ')' && op->object.length ? NULL : "expected an object and ')'";
    }
  return ops_parse(cell.at, (size_t)(end - cell.at), op);
}

static uint32_t thread_of(TraceReader *reader, uint32_t column) {
  char room[FRONT + 16] = {0};
  U32Vec *columns = &csv_of(reader)->columns;
  while (column >= columns->n) {
    const int length = snprintf(room + FRONT, 16, "T%lu", (unsigned long)columns->n);
    vec_push(reader->heap, columns, trace_name_number(&reader->threads, room + FRONT, (size_t)length));
  }
  return columns->at[column];
}

static bool add_event(TraceReader *reader, uint32_t column, Part cell, Err *err) {
  OpText op;
  Part location;
  const char *message = split_cell(cell, &op, &location);
  if (message) return reader_fault(reader, err, message);
  if (op.op == OP_NOTHING) return true;
  TraceEvent *event = &reader->events[reader->n];
  event->op = op.op;
  event->thread = thread_of(reader, column);
  event->object = reader_number(reader->objects[op.op], op.object);
  event->location = reader_number(&reader->locations, location);
  reader->n++;
  return true;
}

/* Which column is filled, and what is in it. */
static const char *filled_cell(TraceReader *reader, CsvRow row, uint32_t *column, Part *filled) {
  uint32_t i = 0;
  *filled = (Part){0};
  for (bool last = false; !last; i++) {
    Part cell;
    const char *message = next_cell(reader, &row, &cell, &last);
    if (message) return message;
    if (!cell.length) continue;
    if (filled->at) return "more than one thread's column is filled";
    *filled = cell;
    *column = i;
  }
  return filled->at ? NULL : "no thread's column is filled";
}

static bool csv_line(TraceReader *reader, const char *line, size_t length, Err *err) {
  CsvReading *csv = csv_of(reader);
  const CsvRow row = {line, line + length};
  uint32_t column = 0;
  Part cell;
  if (!length || line[0] == '#') return true;
  if (!csv->begun && is_header(reader, row)) return read_header(reader, row), csv->begun = true;
  const char *message = filled_cell(reader, row, &column, &cell);
  if (message) return reader_fault(reader, err, message);
  if (csv->begun && column >= csv->columns.n)
    return reader_fault(reader, err, "a column that the header does not have");
  return add_event(reader, column, cell, err);
}

static bool csv_read(TraceReader *reader, Err *err) { return reader_lines(reader, csv_line, err); }

static bool csv_begin(TraceReader *reader, Err *err) {
  (void)err;
  vec_resize_zeroed(reader->heap, &csv_of(reader)->cell, FRONT);
  return true;
}

static void csv_end(TraceReader *reader) {
  vec_fini(reader->heap, &csv_of(reader)->columns);
  vec_fini(reader->heap, &csv_of(reader)->cell);
}

/* Columns are threads, to the end. */
static bool csv_keeps(TraceReader *reader, TraceNameKind kind, uint32_t number) {
  (void)reader;
  (void)number;
  return kind == TRACE_THREAD_NAME;
}

static void csv_carry(TraceReader *reader, Carry *carry) {
  CsvReading *csv = csv_of(reader);
  carry_value(carry, csv->begun);
  carry_vec(carry, &csv->columns);
}

/* ---- writing ---- */

typedef struct {
  FILE *rows;         /* all but the header, until the threads are known */
  uint32_t n_threads; /* with a column */
} CsvWriting;

static const char *csv_unfit(TraceNameKind kind, const char *name) {
  const char *strange = writer_strange_start(kind, name);
  if (strange) return strange;
  if (writer_has_any(name, "\r\n")) return "a name with a line end in it";
  if (kind == TRACE_THREAD_NAME)
    return writer_has_any(name, "()") ? "the name of a thread with a parenthesis in it" : NULL;
  return kind != TRACE_LOCATION_NAME && strstr(name, ")@") ? "the name of an object with ')@' in it" : NULL;
}

static void put_quoted(TraceWriter *writer, const char *text) {
  for (; *text; text++) writer_put_bytes(writer, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
}

static void file_fault(TraceWriter *writer) {
  if (!writer->bad) err_set(&writer->fault, ERR_IO, "a temporary file for the rows: %s", strerror(errno));
  writer->bad = true;
}

/* The header has all threads, so it can be written only at the end; until then the rows are kept in a file. */
static void keep_rows(TraceWriter *writer) {
  CsvWriting *csv = writer->state;
  if (!csv->rows) csv->rows = tmpfile();
  if (!csv->rows) file_fault(writer);
  else writer_flush_to(writer, csv->rows);
}

/* Blanks around a cell mean nothing, unless it is quoted; '#' begins a comment, '@' could be RoadRunner's. */
static bool needs_quotes(const char *text) {
  const size_t length = strlen(text);
  return writer_has_any(text, "\",") || !length || strchr(" \t#@", text[0]) || strchr(" \t", text[length - 1]);
}

static void count_thread(TraceWriter *writer, uint32_t thread) {
  CsvWriting *csv = writer->state;
  if (thread >= csv->n_threads) csv->n_threads = thread + 1;
}

static void csv_write(TraceWriter *writer, const TraceEvent *event) {
  WriterTexts texts = {0};
  writer_texts(writer, event, &texts);
  const bool quotes = writer_has_any(texts.object, "\",") || (*texts.location && needs_quotes(texts.location));
  for (uint32_t i = 0; i < event->thread; i++) writer_put(writer, ",");
  if (quotes) writer_put(writer, "\"");
  writer_put(writer, TRACE_OP_TEXT[event->op]);
  if (*texts.object) writer_put(writer, "("), put_quoted(writer, texts.object), writer_put(writer, ")");
  if (*texts.location) writer_put(writer, "@"), put_quoted(writer, texts.location);
  writer_put(writer, quotes ? "\"\n" : "\n");
  count_thread(writer, event->thread);
  if (event->op == TRACE_FORK || event->op == TRACE_JOIN) count_thread(writer, event->object);
  if (writer->text.n >= WRITER_FULL) keep_rows(writer);
}

static void put_header(TraceWriter *writer) {
  CsvWriting *csv = writer->state;
  char room[WRITER_NAME_ROOM] = "";
  const uint32_t n_named = writer->names ? trace_name_count(writer->names, TRACE_THREAD_NAME) : 0;
  if (n_named) count_thread(writer, n_named - 1);
  for (uint32_t i = 0; i < csv->n_threads; i++) {
    const char *name = writer_text_name(writer, TRACE_THREAD_NAME, i, room), *quote = needs_quotes(name) ? "\"" : "";
    if (i) writer_put(writer, ",");
    writer_put(writer, quote);
    put_quoted(writer, name);
    writer_put(writer, quote);
  }
  writer_put(writer, "\n");
}

static void csv_write_end(TraceWriter *writer) {
  CsvWriting *csv = writer->state;
  char bytes[1 << 14];
  if (csv->rows) keep_rows(writer);
  const CharVec last_rows = writer->text; /* of a short run: all of them */
  writer->text = (CharVec){0};
  put_header(writer);
  writer_put_bytes(writer, last_rows.at, last_rows.n);
  heap_release(writer->heap, last_rows.at);
  writer_flush(writer);
  if (!csv->rows) return;
  rewind(csv->rows);
  for (size_t n; !writer->bad && (n = fread(bytes, 1, sizeof bytes, csv->rows));) fwrite(bytes, 1, n, writer->out);
  if (ferror(csv->rows)) file_fault(writer);
  fclose(csv->rows);
}

const TraceMethods trace_csv = {
    {NULL, csv_looks_like, csv_could_be},
    {sizeof(CsvReading), csv_begin, csv_read, csv_end, true, csv_keeps, csv_carry},
    {sizeof(CsvWriting), NULL, NULL, csv_write, csv_write_end, csv_unfit},
};
