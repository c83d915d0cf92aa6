/* csv.c: a column per thread. */
#include "trace/reader.h"

#include <assert.h>

struct Csv {
  bool begun;        /* the header, or what stands in its place, was read */
  U32Vec columns;    /* the numbers of the threads */
  CharVec cell;      /* a cell without its quotes, after as many bytes as may be read in front of a name */
};

enum { FRONT = 8 };

/* row ::= cell (',' cell)*, cell ::= bytes but ',' and '"' | '"' (bytes but '"' | '""')* '"', blanks around it */
typedef struct {
  const char *at, *end;
} Row;

static void skip_blanks(Row *row) {
  assert(row->at <= row->end);
  while (row->at < row->end && (*row->at == ' ' || *row->at == '\t')) row->at++;
}

static bool quoted_cell(TraceReader *reader, Row *row, Part *cell) {
  CharVec *text = &reader->csv->cell;
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

/* The next cell; *last if there is none behind it. NULL, or what was expected. */
static const char *next_cell(TraceReader *reader, Row *row, Part *cell, bool *last) {
  skip_blanks(row);
  if (row->at < row->end && *row->at == '"') {
    if (!quoted_cell(reader, row, cell)) return "a '\"' at the end of the cell is expected";
  } else {
    const char *start = row->at, *comma = memchr(start, ',', (size_t)(row->end - start)), *end = comma ? comma : row->end;
    row->at = end;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t')) end--;
    *cell = (Part){start, (size_t)(end - start)};
  }
  *last = row->at == row->end;
  row->at += !*last;
  return NULL;
}

/* ---- the header ---- */

static bool is_header(TraceReader *reader, Row row) {
  Part cell;
  for (bool last = false; !last;)
    if (next_cell(reader, &row, &cell, &last) || !cell.length || memchr(cell.at, '(', cell.length)) return false;
  return true;
}

static void read_header(TraceReader *reader, Row row) {
  Part cell;
  for (bool last = false; !last;) {
    if (next_cell(reader, &row, &cell, &last)) return;
    vec_push(reader->heap, &reader->csv->columns, reader_number(&reader->threads, cell));
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
  const char *open = memchr(cell.at, '(', cell.length), *at = memchr(cell.at, '@', cell.length), *end = cell.at + cell.length;
  if (open && (!at || open < at)) {
    const char *close = memmem(open, (size_t)(end - open), ")@", 2);
    at = close ? close + 1 : NULL;
  }
  *location = at && at + 1 < end ? (Part){at + 1, (size_t)(end - at - 1)} : (Part){0};
  if (at) end = at;
  for (size_t i = 0; open && i < N_OTHER_WORDS; i++)
    if (is_word(cell.at, open, OTHER_WORDS[i].word)) {
      *op = (OpText){OTHER_WORDS[i].op, {open + 1, (size_t)(end - open - 2)}};
      return end[-1] == ')' && op->object.length ? NULL : "an object and ')' are expected";
    }
  return op_parse(cell.at, (size_t)(end - cell.at), op);
}

static uint32_t thread_of(TraceReader *reader, uint32_t column) {
  char room[FRONT + 16] = {0};
  U32Vec *columns = &reader->csv->columns;
  while (column >= columns->n) {
    const int length = snprintf(room + FRONT, 16, "T%lu", (unsigned long)columns->n);
    vec_push(reader->heap, columns, name_number(&reader->threads, room + FRONT, (size_t)length));
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
static const char *filled_cell(TraceReader *reader, Row row, uint32_t *column, Part *filled) {
  uint32_t i = 0;
  *filled = (Part){0};
  for (bool last = false; !last; i++) {
    Part cell;
    const char *message = next_cell(reader, &row, &cell, &last);
    if (message) return message;
    if (!cell.length) continue;
    if (filled->at) return "only the column of one thread may be filled";
    *filled = cell;
    *column = i;
  }
  return filled->at ? NULL : "the column of a thread is to be filled";
}

static bool csv_line(TraceReader *reader, const char *line, size_t length, Err *err) {
  Csv *csv = reader->csv;
  const Row row = {line, line + length};
  uint32_t column = 0;
  Part cell;
  if (!length || line[0] == '#') return true;
  if (!csv->begun && is_header(reader, row)) return read_header(reader, row), csv->begun = true;
  const char *message = filled_cell(reader, row, &column, &cell);
  if (message) return reader_fault(reader, err, message);
  if (csv->begun && column >= csv->columns.n) return reader_fault(reader, err, "a column that the header does not have");
  return add_event(reader, column, cell, err);
}

bool csv_parse(TraceReader *reader, Err *err) { return reader_lines(reader, csv_line, err); }

void csv_begin(TraceReader *reader) {
  reader->csv = heap_zeroed(reader->heap, sizeof *reader->csv);
  vec_resize_zeroed(reader->heap, &reader->csv->cell, FRONT);
}

void csv_end(TraceReader *reader) {
  if (!reader->csv) return;
  vec_fini(reader->heap, &reader->csv->columns);
  vec_fini(reader->heap, &reader->csv->cell);
  heap_release(reader->heap, reader->csv);
}
