#include "trace/reader.h"

#include <assert.h>
#include <string.h>

enum { FIRST_ROOM = 1 << 18 };

/* ---- the buffer ---- */

static void make_buffer(TraceReader *reader, size_t room) {
  char *buffer = heap_zeroed(reader->heap, room + 2 * READER_MARGIN);
  memcpy(buffer + READER_MARGIN, reader->buffer + reader->from, reader->to - reader->from);
  heap_release(reader->heap, reader->buffer);
  reader->buffer = buffer;
  reader->room = room;
}

/* Makes room after the bytes that are yet to be parsed, if little is left: so a byte is moved once in a while, and not
 * whenever a few others come. */
static void make_room(TraceReader *reader) {
  assert(reader->from >= READER_MARGIN && reader->from <= reader->to);
  const size_t there = reader->to - reader->from;
  if (READER_MARGIN + reader->room - reader->to >= reader->room / 4) return;
  if (there > reader->room / 2) make_buffer(reader, heap_product(reader->heap, reader->room, 2));
  else memmove(reader->buffer + READER_MARGIN, reader->buffer + reader->from, there);
  reader->searched = reader->searched > reader->from ? reader->searched - reader->from + READER_MARGIN : 0;
  reader->from = READER_MARGIN;
  reader->to = READER_MARGIN + there;
}

/* The last line ends, even where its end is missing; unless the file breaks off in it. */
static void end_text(TraceReader *reader) {
  reader->searched = 0;
  if (reader->cut_short) {
    while (reader->to > reader->from && reader->buffer[reader->to - 1] != '\n') reader->to--;
  } else if (reader->to > reader->from && reader->buffer[reader->to - 1] != '\n') {
    reader->buffer[reader->to++] = '\n';
  }
}

static bool fill(TraceReader *reader, Err *err) {
  size_t n = 0;
  make_room(reader);
  if (!input_read(reader->input, reader->buffer + reader->to, reader->room + READER_MARGIN - reader->to, &n, err))
    return false;
  reader->to += n;
  reader->taken += n;
  assert(reader->to <= reader->room + READER_MARGIN);
  reader->ended = n == 0;
  if (reader->ended) reader->cut_short = input_cut_short(reader->input);
  return true;
}

bool reader_fault(const TraceReader *reader, Err *err, const char *what) {
  return err_set(err, ERR_INPUT, "%s:%llu: %s", input_name(reader->input), (unsigned long long)reader->lines + 1, what);
}

/* The end of the line at `from`, or NULL. No byte is looked at twice. */
static const char *find_end(TraceReader *reader) {
  const size_t start = reader->searched > reader->from ? reader->searched : reader->from;
  reader->searched = reader->to;
  return memchr(reader->buffer + start, '\n', reader->to - start);
}

/* A line without its end yet. What is known to be skipped is dropped at once. */
static bool wait_for_end(TraceReader *reader, Err *err) {
  if (reader->to - reader->from <= READER_LONGEST_LINE) return true;
  if (!reader->lenient) return reader_fault(reader, err, "the line is longer than 1048576 bytes");
  reader->in_long_line = true;
  reader->from = reader->to;
  return true;
}

static bool parse_line(TraceReader *reader, ReaderLine *parse, const char *line, size_t length, Err *err) {
  if (reader->in_long_line || length > READER_LONGEST_LINE)
    return reader_fault(reader, err, "the line is longer than 1048576 bytes");
  if (length && line[length - 1] == '\r') length--;
  if (memchr(line, '\0', length)) return reader_fault(reader, err, "a NUL byte in a line of text");
  return parse(reader, line, length, err);
}

bool reader_line(TraceReader *reader, ReaderLine *parse, bool *more, Err *err) {
  assert(reader->from <= reader->to && reader->n <= TRACE_BATCH);
  const char *line = reader->buffer + reader->from, *end = find_end(reader);
  *more = end != NULL;
  if (!end) return wait_for_end(reader, err);
  reader->searched = 0;
  const bool good = parse_line(reader, parse, line, (size_t)(end - line), err);
  assert(reader->n <= TRACE_BATCH);
  if (!good && !reader->lenient) return false;
  reader->skipped += !good;
  reader->in_long_line = false;
  reader->from += (size_t)(end + 1 - line);
  reader->lines++;
  return true;
}

bool reader_lines(TraceReader *reader, ReaderLine *parse, Err *err) {
  for (bool more = true; more && reader->n <= TRACE_BATCH - READER_SLACK;)
    if (!reader_line(reader, parse, &more, err)) return false;
  return true;
}

/* ---- beginning and end ---- */

static void init_names(TraceReader *reader) {
  trace_names_init(&reader->names, reader->heap);
  trace_name_table_init(&reader->threads, &reader->names.list[TRACE_THREAD_NAME]);
  trace_name_table_init(&reader->variables, &reader->names.list[TRACE_OBJECT_NAME]);
  trace_name_table_init(&reader->locks, &reader->names.list[TRACE_OBJECT_NAME]);
  trace_name_table_init(&reader->handovers, &reader->names.list[TRACE_OBJECT_NAME]);
  trace_name_table_init(&reader->labels, &reader->names.list[TRACE_LABEL_NAME]);
  trace_name_table_init(&reader->locations, &reader->names.list[TRACE_LOCATION_NAME]);
}

static void fini_names(TraceReader *reader) {
  trace_name_table_fini(&reader->threads);
  trace_name_table_fini(&reader->variables);
  trace_name_table_fini(&reader->locks);
  trace_name_table_fini(&reader->handovers);
  trace_name_table_fini(&reader->labels);
  trace_name_table_fini(&reader->locations);
  trace_names_fini(&reader->names);
}

static void init(TraceReader *reader) {
  Heap *heap = reader->heap;
  init_names(reader);
  NameTable *const tables[TRACE_SORTS] = {&reader->variables, &reader->locks,  &reader->handovers,
                                          &reader->threads,   &reader->labels, NULL}; /* ORDER TraceSort */
  for (uint32_t op = 0; op < TRACE_OPS; op++) reader->objects[op] = tables[TRACE_SORT[op]];
  reader->events = heap_alloc(heap, TRACE_BATCH * sizeof *reader->events);
  reader->buffer = heap_zeroed(heap, FIRST_ROOM + 2 * READER_MARGIN);
  reader->room = FIRST_ROOM;
  reader->from = reader->to = READER_MARGIN;
}

static bool begin(TraceReader *reader, int wanted, Err *err) {
  bool found = false;
  while (reader_detect(reader, wanted, &found, err) && !found)
    if (!fill(reader, err)) return false;
  if (!found) return false;
  const TraceReading *reading = &reader->kind->methods->reading;
  if (reading->state_size) reader->state = heap_zeroed(reader->heap, reading->state_size);
  if (reading->begin && !reading->begin(reader, err)) return false;
  if (reader->ended && trace_kind_is_text(reader->kind)) end_text(reader);
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
  reader->wants_calls = opening->options->calls;
  reader->wants_where = opening->options->where;
  reader->input = input_open(opening->heap, opening->path, opening->err);
  if (!reader->input) return;
  init(reader);
  opening->good = begin(reader, opening->options->format, opening->err);
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
  if (reader->state && reader->kind->methods->reading.end) reader->kind->methods->reading.end(reader);
  heap_release(reader->heap, reader->state);
  fini_names(reader);
  vec_fini(reader->heap, &reader->calls);
  vec_fini(reader->heap, &reader->where.modules);
  vec_fini(reader->heap, &reader->where.codes);
  vec_fini(reader->heap, &reader->where.objects);
  heap_release(reader->heap, reader->events);
  heap_release(reader->heap, reader->buffer);
  if (reader->input) input_close(reader->input);
  heap_release(reader->heap, reader);
}

bool trace_next(TraceReader *reader, const TraceEvent **events, uint32_t *n, Err *err) {
  vec_clear(&reader->calls);
  for (;;) {
    reader->n = 0;
    const bool good = reader->kind->methods->reading.read(reader, err);
    if (!good && !reader->n) return false;
    if (reader->n || reader->ended) break;
    if (!fill(reader, err)) return false;
    if (reader->ended && trace_kind_is_text(reader->kind)) end_text(reader);
  }
  *events = reader->events;
  *n = reader->n;
  return true;
}

const TraceWhere *trace_where(const TraceReader *reader) { return &reader->where; }

const TraceCalls *trace_calls(const TraceReader *reader, uint32_t *n) {
  *n = reader->calls.n;
  return reader->calls.at;
}

TraceFormat trace_format(const TraceReader *reader) { return (TraceFormat)(reader->kind - TRACE_KINDS); }
uint64_t trace_skipped(const TraceReader *reader) { return reader->skipped; }
const TracePart *trace_part(const TraceReader *reader) { return &reader->part; }
bool trace_cut_short(const TraceReader *reader) { return reader->cut_short; }
const TraceNames *trace_names(const TraceReader *reader) { return &reader->names; }

bool trace_can_forget(const TraceReader *reader) { return reader->kind->methods->reading.forgets; }

void trace_forget(TraceReader *reader, TraceNameKind kind, uint32_t number) {
  assert(trace_can_forget(reader) && (kind == TRACE_THREAD_NAME || kind == TRACE_OBJECT_NAME));
  const TraceReading *reading = &reader->kind->methods->reading;
  if (reading->keeps && reading->keeps(reader, kind, number)) return;
  const bool there = kind == TRACE_THREAD_NAME ? trace_name_table_remove(&reader->threads, number)
                                               : trace_name_table_remove(&reader->variables, number) ||
                                                     trace_name_table_remove(&reader->locks, number) ||
                                                     trace_name_table_remove(&reader->handovers, number);
  assert(there);
  if (there) trace_name_list_forget(&reader->names.list[kind], number);
}

/* ---- the reader, carried from one process into another one ---- */

static void carry_names(TraceReader *reader, Carry *carry) {
  NameTable *const tables[] = {&reader->threads,   &reader->variables, &reader->locks,
                               &reader->handovers, &reader->labels,    &reader->locations};
  if (carry->in) {
    const bool may_repeat = reader->names.may_repeat;
    fini_names(reader);
    init_names(reader);
    reader->names.may_repeat = may_repeat;
  }
  for (int kind = 0; kind < TRACE_NAME_KINDS; kind++) trace_name_list_carry(&reader->names.list[kind], carry);
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) trace_name_table_carry(tables[i], carry);
}

bool trace_has_ended(const TraceReader *reader) { return reader->ended; }

void trace_carry(TraceReader *reader, Carry *carry) {
  assert(carry->in || !reader->ended);
  const uint64_t ahead = reader->to - reader->from;
  uint64_t taken = reader->taken - ahead;
  carry_value(carry, taken);
  if (carry->in) reader->taken = taken;
  carry_value(carry, reader->lines);
  carry_value(carry, reader->in_long_line);
  carry_value(carry, reader->skipped);
  carry_value(carry, reader->part);
  carry_names(reader, carry);
  if (reader->kind->methods->reading.carry) reader->kind->methods->reading.carry(reader, carry);
}

bool trace_go_on(TraceReader *reader, const char *path, Err *err) {
  Input *fresh = input_open(reader->heap, path, err);
  if (!fresh) return false;
  input_close(reader->input);
  reader->input = fresh;
  reader->from = reader->to = READER_MARGIN;
  reader->searched = 0;
  reader->ended = reader->cut_short = false;
  return input_skip(fresh, reader->taken, err);
}
