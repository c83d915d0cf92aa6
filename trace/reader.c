#include "trace/reader.h"

#include "trace/log.h"

#include <string.h>

enum { FIRST_ROOM = 1 << 18, ENOUGH_TO_TELL = 4096 };

static ReaderParse *const PARSERS[] = {[TRACE_STD] = std_parse, [TRACE_CSV] = csv_parse, [TRACE_ROADRUNNER] = roadrunner_parse,
                                       [TRACE_BINARY] = binary_parse};

/* ---- the buffer ---- */

static void make_buffer(TraceReader *reader, size_t room) {
  char *buffer = heap_zeroed(reader->heap, room + 2 * READER_MARGIN);
  memcpy(buffer + READER_MARGIN, reader->buffer + reader->from, reader->to - reader->from);
  heap_release(reader->heap, reader->buffer);
  reader->buffer = buffer;
  reader->room = room;
}

/* Makes room behind the bytes that are yet to be parsed; a line may be as long as it wants. */
static void make_room(TraceReader *reader) {
  const size_t there = reader->to - reader->from;
  if (there > reader->room / 2) make_buffer(reader, heap_product(reader->heap, reader->room, 2));
  else memmove(reader->buffer + READER_MARGIN, reader->buffer + reader->from, there);
  reader->from = READER_MARGIN;
  reader->to = READER_MARGIN + there;
}

/* The last line ends, even where its end is missing; unless the file breaks off in it. */
static void end_text(TraceReader *reader) {
  if (reader->cut_short) {
    while (reader->to > reader->from && reader->buffer[reader->to - 1] != '\n') reader->to--;
  } else if (reader->to > reader->from && reader->buffer[reader->to - 1] != '\n') {
    reader->buffer[reader->to++] = '\n';
  }
}

static bool fill(TraceReader *reader, Err *err) {
  size_t n = 0;
  make_room(reader);
  if (!input_read(reader->input, reader->buffer + reader->to, reader->room + READER_MARGIN - reader->to, &n, err)) return false;
  reader->to += n;
  reader->ended = n == 0;
  if (reader->ended) reader->cut_short = input_cut_short(reader->input);
  return true;
}

bool reader_fault(const TraceReader *reader, Err *err, const char *what) {
  return err_set(err, ERR_INPUT, "%s:%llu: %s", input_name(reader->input), (unsigned long long)reader->lines + 1, what);
}

bool reader_line(TraceReader *reader, ReaderLine *parse, bool *more, Err *err) {
  const char *line = reader->buffer + reader->from, *end = memchr(line, '\n', reader->to - reader->from);
  *more = end != NULL;
  if (!end) return true;
  size_t length = (size_t)(end - line);
  if (length && line[length - 1] == '\r') length--;
  const bool good = memchr(line, '\0', length) ? reader_fault(reader, err, "a NUL byte in a line of text")
                                               : parse(reader, line, length, err);
  if (!good && !reader->lenient) return false;
  reader->skipped += !good;
  reader->from += (size_t)(end + 1 - line);
  reader->lines++;
  return true;
}

bool reader_lines(TraceReader *reader, ReaderLine *parse, Err *err) {
  for (bool more = true; more && reader->n <= TRACE_BATCH - READER_SLACK;)
    if (!reader_line(reader, parse, &more, err)) return false;
  return true;
}

/* ---- which format ---- */

typedef struct {
  const char *at, *end;
} Lines;

/* The next line that says something, without its end. */
static bool next_line(Lines *lines, Part *line) {
  while (lines->at < lines->end) {
    const char *newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at)), *end = newline ? newline : lines->end;
    *line = (Part){lines->at, (size_t)(end - lines->at)};
    lines->at = newline ? end + 1 : end;
    if (line->length && line->at[line->length - 1] == '\r') line->length--;
    if (line->length && line->at[0] != '#') return true;
  }
  return false;
}

static bool is_roadrunner(Part line) {
  return line.length > 1 && line.at[0] == '@' && (line.at[1] == ' ' || line.at[1] == '\t');
}

/* Does it begin with an operation, and one of the bytes behind it? */
static bool begins_with_op(const char *at, const char *end, const char *behind) {
  const char *start = at;
  while (at < end && !strchr(behind, *at)) at++;
  return op_find(start, (size_t)(at - start)) != TRACE_OPS;
}

static bool is_std(Part line) {
  const char *bar = memchr(line.at, '|', line.length);
  return bar && begins_with_op(bar + 1, line.at + line.length, "(|");
}

static bool is_csv(Part first, Lines rest) {
  Part second;
  if (memchr(first.at, ',', first.length)) return true;
  if (!next_line(&rest, &second)) return false;
  const bool quoted = second.at[0] == '"';
  return begins_with_op(second.at + quoted, second.at + second.length, "(@");
}

static bool has_roadrunner(Lines lines) {
  for (Part line; next_line(&lines, &line);)
    if (is_roadrunner(line)) return true;
  return false;
}

/* The format of a text, or -1. An empty run may be in any. */
static int text_format(const char *text, size_t length) {
  Lines lines = {text, text + length};
  Part first;
  if (!next_line(&lines, &first)) return TRACE_STD;
  if (is_std(first)) return TRACE_STD;
  if (is_roadrunner(first)) return TRACE_ROADRUNNER;
  if (has_roadrunner(lines)) return TRACE_ROADRUNNER;
  if (is_csv(first, lines)) return TRACE_CSV;
  return memchr(first.at, '|', first.length) ? TRACE_STD : -1;
}

static bool begins_with(const TraceReader *reader, const char *text, size_t length) {
  const size_t there = reader->to - reader->from;
  return there >= length && memcmp(reader->buffer + reader->from, text, length) == 0;
}

static bool is_log(const TraceReader *reader) { return begins_with(reader, TRACE_MAGIC, TRACE_MAGIC_LENGTH); }

/* A version that is not known, or bytes that were changed on the way. */
static bool is_strange_log(const TraceReader *reader) {
  return begins_with(reader, TRACE_MAGIC, 6) && (unsigned char)reader->buffer[reader->from + 6] < ' ' && !is_log(reader);
}

static bool tell_format(TraceReader *reader, int wanted, Err *err) {
  const char *name = input_name(reader->input), *text = reader->buffer + reader->from;
  const size_t length = reader->to - reader->from;
  if (wanted < 0 ? is_strange_log(reader) : wanted == TRACE_BINARY && !is_log(reader))
    return err_set(err, ERR_INPUT, "%s: a binary log of version 2 is expected, which begins with \"CAUSAL\\x02\\n\"", name);
  const int format = wanted >= 0 ? wanted : is_log(reader) ? TRACE_BINARY : text_format(text, length);
  if (format < 0)
    return err_set(err, ERR_INPUT, "%s:1: neither STD (THREAD|OP(OBJECT)|LOCATION), nor CSV, RoadRunner text or a binary log",
                   name);
  reader->format = (TraceFormat)format;
  return true;
}

/* ---- beginning and end ---- */

static void init(TraceReader *reader) {
  Heap *heap = reader->heap;
  trace_names_init(&reader->names, heap);
  name_table_init(&reader->threads, &reader->names.list[TRACE_THREAD_NAME]);
  name_table_init(&reader->variables, &reader->names.list[TRACE_OBJECT_NAME]);
  name_table_init(&reader->locks, &reader->names.list[TRACE_OBJECT_NAME]);
  name_table_init(&reader->labels, &reader->names.list[TRACE_LABEL_NAME]);
  name_table_init(&reader->locations, &reader->names.list[TRACE_LOCATION_NAME]);
  reader->objects[TRACE_READ] = reader->objects[TRACE_WRITE] = reader->objects[TRACE_FREE] = &reader->variables;
  reader->objects[TRACE_ACQUIRE] = reader->objects[TRACE_RELEASE] = &reader->locks;
  reader->objects[TRACE_FORK] = reader->objects[TRACE_JOIN] = &reader->threads;
  reader->objects[TRACE_BEGIN] = &reader->labels;
  reader->events = heap_alloc(heap, TRACE_BATCH * sizeof *reader->events);
  reader->buffer = heap_zeroed(heap, FIRST_ROOM + 2 * READER_MARGIN);
  reader->room = FIRST_ROOM;
  reader->from = reader->to = READER_MARGIN;
}

/* Reads enough for telling the format: the first two lines of a text. */
static bool fill_to_tell(TraceReader *reader, Err *err) {
  uint32_t n_lines = 0;
  for (size_t seen = 0; !reader->ended && (n_lines < 2 || seen < ENOUGH_TO_TELL) && !is_log(reader);) {
    if (!fill(reader, err)) return false;
    for (; seen < reader->to - reader->from; seen++) n_lines += reader->buffer[reader->from + seen] == '\n';
  }
  return true;
}

static bool begin(TraceReader *reader, const TraceOptions *options, Err *err) {
  static const char BYTE_ORDER_MARK[] = "\xef\xbb\xbf";
  if (!fill_to_tell(reader, err)) return false;
  if (begins_with(reader, BYTE_ORDER_MARK, 3)) reader->from += 3;
  if (!tell_format(reader, options->format, err)) return false;
  if (reader->format == TRACE_CSV) csv_begin(reader);
  if (reader->format == TRACE_ROADRUNNER) roadrunner_begin(reader);
  if (reader->format == TRACE_BINARY) binary_begin(reader);
  else if (reader->ended) end_text(reader);
  return true;
}

typedef struct {
  Heap *heap;
  const char *path;
  const TraceOptions *options;
  Err *err;
  TraceReader *reader;
  bool good;
} Opening;

static void open_body(void *argument) {
  Opening *opening = argument;
  TraceReader *reader = opening->reader = heap_zeroed(opening->heap, sizeof *reader);
  reader->heap = opening->heap;
  reader->lenient = opening->options->lenient;
  reader->input = input_open(opening->heap, opening->path, opening->err);
  if (!reader->input) return;
  init(reader);
  opening->good = begin(reader, opening->options, opening->err);
}

TraceReader *trace_open(Heap *heap, const char *path, const TraceOptions *options, Err *err) {
  Opening opening = {heap, path, options, err, NULL, false};
  const bool enough_memory = heap_try(heap, open_body, &opening);
  if (opening.good) return opening.reader;
  trace_close(opening.reader);
  if (!enough_memory) heap_pass_on(heap);
  return NULL;
}

void trace_close(TraceReader *reader) {
  if (!reader) return;
  csv_end(reader);
  roadrunner_end(reader);
  binary_end(reader);
  name_table_fini(&reader->threads);
  name_table_fini(&reader->variables);
  name_table_fini(&reader->locks);
  name_table_fini(&reader->labels);
  name_table_fini(&reader->locations);
  trace_names_fini(&reader->names);
  heap_release(reader->heap, reader->events);
  heap_release(reader->heap, reader->buffer);
  if (reader->input) input_close(reader->input);
  heap_release(reader->heap, reader);
}

bool trace_next(TraceReader *reader, const TraceEvent **events, uint32_t *n, Err *err) {
  for (;;) {
    reader->n = 0;
    const bool good = PARSERS[reader->format](reader, err);
    if (!good && !reader->n) return false;
    if (reader->n || reader->ended) break;
    if (!fill(reader, err)) return false;
    if (reader->ended && reader->format != TRACE_BINARY) end_text(reader);
  }
  *events = reader->events;
  *n = reader->n;
  return true;
}

TraceFormat trace_format(const TraceReader *reader) { return reader->format; }
uint64_t trace_skipped(const TraceReader *reader) { return reader->skipped; }
bool trace_cut_short(const TraceReader *reader) { return reader->cut_short; }
const TraceNames *trace_names(const TraceReader *reader) { return &reader->names; }
