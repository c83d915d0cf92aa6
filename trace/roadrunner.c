/* roadrunner.c: what RoadRunner's tool P prints.
 *
 * It prints some things twice, before and after: a thread that starts another one, joins it, or waits, does nothing
 * else in between. The fork is the first of the two lines, the join the second one; a wait gives the lock back, then
 * takes it again. A join that stands alone is taken where its thread goes on. */
#include "trace/reader.h"
#include "trace/writer.h"

#include <assert.h>
#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static bool roadrunner_looks_like(Part line, uint32_t number) {
  (void)number;
  return line.length > 1 && line.at[0] == '@' && is_blank(line.at[1]);
}

typedef enum { NOTHING, FORKED, JOINS, WAITS } Last;

/* What a thread has printed last, if it may come again. */
typedef struct {
  uint8_t last;
  uint32_t object, location;
  uint32_t awaited; /* how many threads may fork or join this one again: the states that have it as object */
} RoadRunnerState;

typedef struct {
  VEC(RoadRunnerState) states; /* by thread */
  uint32_t n_flushed;          /* at the end: threads whose joins were taken */
} RoadRunner;

typedef struct {
  const char *word;
  uint8_t op;
} Word;

enum { WAIT = TRACE_OPS };

static const Word WORDS[] = {
    {"Rd", TRACE_READ},         {"Wr", TRACE_WRITE},        {"ARd", TRACE_READ},
    {"AWr", TRACE_WRITE},       {"VRd", TRACE_READ},        {"VWr", TRACE_WRITE},
    {"Acquire", TRACE_ACQUIRE}, {"Release", TRACE_RELEASE}, {"Acq", TRACE_ACQUIRE},
    {"Rel", TRACE_RELEASE},     {"Start", TRACE_FORK},      {"Join", TRACE_JOIN},
    {"Enter", TRACE_BEGIN},     {"Exit", TRACE_END},        {"Wait", WAIT},
};

typedef struct {
  uint8_t op; /* TraceOp, or WAIT */
  Part thread, object, location;
} RoadRunnerLine;

/* ---- a line ---- */

static const Word *find_word(const char *text, size_t length) {
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
    if (strlen(WORDS[i].word) == length && memcmp(WORDS[i].word, text, length) == 0) return &WORDS[i];
  return NULL;
}

/* After an operand: values in brackets, perhaps, then words; the last one is the location, if it is not the only one.
 */
static Part find_location(const char *at, const char *end) {
  const char *bracket = at < end && *at == '[' ? memchr(at, ']', (size_t)(end - at)) : NULL;
  if (bracket) at = bracket + 1;
  while (end > at && is_blank(end[-1])) end--;
  const char *last = end;
  while (last > at && !is_blank(last[-1])) last--;
  while (at < last && is_blank(*at)) at++;
  return at < last ? (Part){last, (size_t)(end - last)} : (Part){0};
}

/* The parenthesis that belongs to the one in front of `at`, or NULL. */
static const char *find_close(const char *at, const char *end) {
  for (uint32_t open = 1; at < end; at++) {
    open += *at == '(';
    open -= *at == ')';
    if (!open) return at;
  }
  return NULL;
}

/* '@' blanks WORD '(' THREAD ',' OPERAND ')' rest. False if the line is something else; else *message is NULL, or what
 * was expected. */
static bool split(const char *line, size_t length, RoadRunnerLine *parts, const char **message) {
  const char *at = line + 1, *end = line + length;
  if (length < 2 || line[0] != '@' || !is_blank(line[1])) return false;
  while (at < end && is_blank(*at)) at++;
  const char *open = memchr(at, '(', (size_t)(end - at));
  const Word *word = open ? find_word(at, (size_t)(open - at)) : NULL;
  if (!word) return false;
  const char *close = find_close(open + 1, end), *comma = close ? memchr(open, ',', (size_t)(close - open)) : NULL;
  *message = !comma || comma == open + 1 || comma + 1 == close ? "expected (THREAD,OPERAND) after the operation" : NULL;
  if (*message) return true;
  const Part thread = {open + 1, (size_t)(comma - open - 1)}, object = {comma + 1, (size_t)(close - comma - 1)};
  *parts = (RoadRunnerLine){word->op, thread, object, find_location(close + 1, end)};
  return true;
}

/* ---- events ---- */

static void push(TraceReader *reader, uint32_t thread, uint8_t op, uint32_t object, uint32_t location) {
  assert(reader->n < TRACE_BATCH && op < TRACE_OPS);
  reader->events[reader->n++] = (TraceEvent){thread, object, location, op};
}

static RoadRunnerState *state_of(TraceReader *reader, uint32_t thread) {
  RoadRunner *roadrunner = reader->state;
  if (thread >= roadrunner->states.n) vec_resize_zeroed(reader->heap, &roadrunner->states, thread + 1);
  return &roadrunner->states.at[thread];
}

static void set_last(TraceReader *reader, uint32_t thread, Last last, uint32_t object, uint32_t location) {
  RoadRunnerState *state = state_of(reader, thread);
  if (state->last == FORKED || state->last == JOINS) state_of(reader, state->object)->awaited--;
  if (last == FORKED || last == JOINS) state_of(reader, object)->awaited++;
  state = state_of(reader, thread);
  state->last = (uint8_t)last;
  state->object = object;
  state->location = location;
}

static void flush(TraceReader *reader, uint32_t thread) {
  const RoadRunnerState *state = state_of(reader, thread);
  if (state->last == NOTHING) return;
  if (state->last == JOINS) push(reader, thread, TRACE_JOIN, state->object, state->location);
  set_last(reader, thread, NOTHING, 0, 0);
}

/* Of what is printed twice. */
static void push_double(TraceReader *reader, uint32_t thread, uint8_t op, uint32_t object, uint32_t location) {
  assert(op == TRACE_FORK || op == TRACE_JOIN || op == WAIT);
  const Last now = op == TRACE_FORK ? FORKED : op == TRACE_JOIN ? JOINS : WAITS;
  const RoadRunnerState *state = state_of(reader, thread);
  if (state->last == now && state->object == object) {
    set_last(reader, thread, NOTHING, 0, 0);
    if (now == JOINS) push(reader, thread, TRACE_JOIN, object, location);
    if (now == WAITS) push(reader, thread, TRACE_ACQUIRE, object, location);
    return;
  }
  flush(reader, thread);
  set_last(reader, thread, now, object, location);
  if (now == FORKED) push(reader, thread, TRACE_FORK, object, location);
  if (now == WAITS) push(reader, thread, TRACE_RELEASE, object, location);
}

static uint32_t number_object(TraceReader *reader, const RoadRunnerLine *parts) {
  const Part name = parts->object;
  assert(parts->op == WAIT || parts->op < TRACE_OPS);
  if (parts->op == TRACE_BEGIN && name.length == 1 && name.at[0] == '-') return TRACE_NONE;
  return reader_number(parts->op == WAIT ? &reader->locks : reader->objects[parts->op], name);
}

static bool roadrunner_line(TraceReader *reader, const char *line, size_t length, Err *err) {
  RoadRunnerLine parts;
  const char *message;
  if (!split(line, length, &parts, &message)) return true;
  if (message) return reader_fault(reader, err, message);
  const uint32_t thread = reader_number(&reader->threads, parts.thread);
  const uint32_t object = number_object(reader, &parts);
  const uint32_t location = reader_number(&reader->locations, parts.location);
  if (parts.op == TRACE_FORK || parts.op == TRACE_JOIN || parts.op == WAIT) {
    push_double(reader, thread, parts.op, object, location);
  } else {
    flush(reader, thread);
    push(reader, thread, parts.op, object, location);
  }
  return true;
}

static bool roadrunner_read(TraceReader *reader, Err *err) {
  RoadRunner *roadrunner = reader->state;
  if (!reader_lines(reader, roadrunner_line, err)) return false;
  for (; reader->ended && reader->from == reader->to && reader->n < TRACE_BATCH &&
         roadrunner->n_flushed < roadrunner->states.n;
       roadrunner->n_flushed++)
    flush(reader, roadrunner->n_flushed);
  return true;
}

/* A thread that is to print something twice, or of which that is printed. */
static bool roadrunner_keeps(TraceReader *reader, TraceNameKind kind, uint32_t number) {
  if (kind != TRACE_THREAD_NAME) return false;
  const RoadRunnerState *state = state_of(reader, number);
  return state->last != NOTHING || state->awaited;
}

static void roadrunner_end(TraceReader *reader) {
  RoadRunner *roadrunner = reader->state;
  vec_fini(reader->heap, &roadrunner->states);
}

static void roadrunner_carry(TraceReader *reader, Carry *carry) {
  RoadRunner *roadrunner = reader->state;
  carry_vec(carry, &roadrunner->states);
  carry_value(carry, roadrunner->n_flushed);
}

/* ---- writing ---- */

static bool is_balanced(const char *text) {
  int open = 0;
  for (; *text && open >= 0; text++) open += (*text == '(') - (*text == ')');
  return !open;
}

static const char *roadrunner_unfit(TraceNameKind kind, const char *name) {
  if (writer_has_any(name, "\r\n")) return "a name with a line end in it";
  if (kind == TRACE_THREAD_NAME)
    return writer_has_any(name, ",()") ? "the name of a thread with a comma or parenthesis in it" : NULL;
  if (kind == TRACE_LOCATION_NAME) return writer_has_any(name, " \t") ? "a location with blanks in it" : NULL;
  if (kind == TRACE_LABEL_NAME && strcmp(name, "-") == 0) return "a transaction that is called '-'";
  return is_balanced(name) ? NULL : "the name of an object with unbalanced parentheses";
}

/* Of an operation that it has no word for. */
static const char *unsaid(uint32_t op) {
  return op <= TRACE_FREE ? "the start or exit of a thread, or the freeing of a variable"
                          : "an update, a shared lock, a try, a signal or a wait";
}

static void roadrunner_write(TraceWriter *writer, const TraceEvent *event) {
  /* ORDER TraceOp; NULL: it cannot be represented */
  static const char *const WORD[] = {"Rd", "Wr", "Acquire", "Release", "Start", "Join", "Enter", "Exit", NULL,
                                     NULL, NULL, NULL,      NULL,      NULL,    NULL,   NULL,    NULL,   NULL};
  _Static_assert(sizeof WORD / sizeof *WORD == TRACE_OPS, "ORDER TraceOp");
  WriterTexts texts = {0};
  writer_texts(writer, event, &texts);
  if (!WORD[event->op]) writer_fault(writer, unsaid(event->op));
  const int times = event->op == TRACE_FORK || event->op == TRACE_JOIN ? 2 : 1; /* before and after */
  for (int i = 0; i < times && !writer->bad; i++) {
    writer_put(writer, "@ "), writer_put(writer, WORD[event->op]);
    writer_put(writer, "("), writer_put(writer, texts.thread);
    writer_put(writer, ","), writer_put(writer, *texts.object ? texts.object : "-"), writer_put(writer, ")");
    if (*texts.location) writer_put(writer, "  -  "), writer_put(writer, texts.location);
    writer_put(writer, "\n");
  }
  if (writer->text.n >= WRITER_FULL) writer_flush(writer);
}

const TraceMethods trace_roadrunner = {
    {NULL, roadrunner_looks_like, NULL},
    {sizeof(RoadRunner), NULL, roadrunner_read, roadrunner_end, true, roadrunner_keeps, roadrunner_carry},
    {0, NULL, NULL, roadrunner_write, writer_flush, roadrunner_unfit},
};
