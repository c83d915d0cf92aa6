/* std.c: STD, THREAD|OP(OBJECT)|LOCATION.
 *
 * Nearly all lines are short and plain. Of such a line, which is found in a block of 32 bytes, one look tells where all its
 * delimiters are; then nothing of what follows waits for anything else, and the processor does much of it at once. All other lines go
 * the long way, with the same result. */
#include "trace/reader.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef struct {
  Part thread, location;
  OpText op;
} StdLine;

/* NULL, or what was expected. */
static const char *split(const char *line, size_t length, StdLine *parts) {
  const char *end = line + length, *bar = memchr(line, '|', length);
  if (!bar || bar == line) return "THREAD|OP(OBJECT)|LOCATION is expected, such as T0|w(V1)|12";
  const char *op = bar + 1, *second = memchr(op, '|', (size_t)(end - op));
  const char *message = op_parse(op, (size_t)((second ? second : end) - op), &parts->op);
  if (message) return message;
  parts->thread = (Part){line, (size_t)(bar - line)};
  parts->location = second && second + 1 < end ? (Part){second + 1, (size_t)(end - second - 1)} : (Part){0};
  return memchr(end - parts->location.length, '|', parts->location.length) ? "the end of the line is expected behind the location" : NULL;
}

static uint32_t number_of(NameTable *table, Part name) {
  return name.at ? name_number(table, name.at, name.length) : TRACE_NONE;
}

static bool std_line(TraceReader *reader, const char *line, size_t length, Err *err) {
  StdLine parts;
  if (!length || line[0] == '#') return true;
  const char *message = split(line, length, &parts);
  if (message) return reader_fault(reader, err, message);
  TraceEvent *event = &reader->events[reader->n];
  event->op = parts.op.op;
  event->thread = number_of(&reader->threads, parts.thread);
  event->object = number_of(reader->objects[parts.op.op], parts.op.object);
  event->location = number_of(&reader->locations, parts.location);
  reader->n++;
  return true;
}

#ifdef __SSE2__

enum { BLOCK = 32 };

/* The operation by a perfect hash of its word. ORDER TraceOp */
typedef struct {
  uint64_t word;
  uint8_t op;
} OpSlot;

#define OP_PLACE(word) ((word) * 0x587fd2803bab6c39 >> 60)
#define WORD(a, b, c, d, e) ((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 | (uint64_t)(d) << 24 | (uint64_t)(e) << 32)
#define SLOT(op, a, b, c, d, e) [OP_PLACE(WORD(a, b, c, d, e))] = {WORD(a, b, c, d, e), op}
static const OpSlot OPS[16] = {
    SLOT(TRACE_READ, 'r', 0, 0, 0, 0),          SLOT(TRACE_WRITE, 'w', 0, 0, 0, 0),       SLOT(TRACE_ACQUIRE, 'a', 'c', 'q', 0, 0),
    SLOT(TRACE_RELEASE, 'r', 'e', 'l', 0, 0),   SLOT(TRACE_FORK, 'f', 'o', 'r', 'k', 0),  SLOT(TRACE_JOIN, 'j', 'o', 'i', 'n', 0),
    SLOT(TRACE_BEGIN, 'b', 'e', 'g', 'i', 'n'), SLOT(TRACE_END, 'e', 'n', 'd', 0, 0),     SLOT(TRACE_START, 's', 't', 'a', 'r', 't'),
    SLOT(TRACE_EXIT, 'e', 'x', 'i', 't', 0),    SLOT(TRACE_FREE, 'f', 'r', 'e', 'e', 0),
};

/* For each of the 32 bytes a bit: is it a newline; is it that, or another control character, or one of |()? */
typedef struct {
  uint32_t newlines, marks;
} Look;

static inline Look look16(const char *at) {
  const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
  const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8('\n')), bytes);
  const __m128i bars = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('|'));
  const __m128i parentheses = _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(1)), _mm_set1_epi8(')'));
  const __m128i newlines = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'));
  return (Look){(uint32_t)_mm_movemask_epi8(newlines),
                (uint32_t)_mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(bars, parentheses)))};
}

static inline Look look(const char *at) {
  const Look low = look16(at), high = look16(at + 16);
  return (Look){low.newlines | high.newlines << 16, low.marks | high.marks << 16};
}

static inline uint32_t place(uint32_t marks) { return (uint32_t)__builtin_ctz(marks); }

/* The plain lines at `from`: THREAD|OP(OBJECT)|LOCATION, in one block, nothing of it missing. */
static void plain_lines(TraceReader *reader) {
  const char *at = reader->buffer + reader->from, *last = reader->buffer + reader->to - BLOCK;
  TraceEvent *event = reader->events + reader->n, *full = reader->events + TRACE_BATCH;
  while (at <= last && event < full) {
    Look here = look(at);
    if (!here.newlines) break;
    const uint32_t end = (uint32_t)__builtin_ctz(here.newlines);
    const uint32_t m0 = here.marks & ((2u << end) - 1), m1 = m0 & (m0 - 1), m2 = m1 & (m1 - 1), m3 = m2 & (m2 - 1);
    if ((m3 & (m3 - 1)) != 1u << end) break;
    const uint32_t bar = place(m0), open = place(m1), close = place(m2), second = place(m3);
    uint64_t word;
    memcpy(&word, at + bar + 1, 8);
    const uint32_t length = open - bar - 1;
    word = length < 8 ? word & ~(UINT64_MAX << 8 * length) : 0;
    const OpSlot *op = &OPS[OP_PLACE(word)];
    const bool plain = at[bar] == '|' && at[open] == '(' && at[close] == ')' && at[second] == '|' && second == close + 1;
    const uint32_t line_end = end - (at[end - 1] == '\r');
    if (!plain || op->word != word || !word || !bar || close == open + 1 || line_end == second + 1) break;
    NameTable *objects = reader->objects[op->op];
    event->op = op->op;
    event->thread = name_number(&reader->threads, at, bar);
    event->object = objects ? name_number(objects, at + open + 1, close - open - 1) : TRACE_NONE;
    event->location = name_number(&reader->locations, at + second + 1, line_end - second - 1);
    event++;
    at += end + 1;
  }
  reader->lines += (uint64_t)(event - reader->events) - reader->n;
  reader->n = (uint32_t)(event - reader->events);
  reader->from = (size_t)(at - reader->buffer);
}

#else
static void plain_lines(TraceReader *reader) { (void)reader; }
#endif

bool std_parse(TraceReader *reader, Err *err) {
  for (bool more = true; more && reader->n < TRACE_BATCH;) {
    plain_lines(reader);
    if (reader->n < TRACE_BATCH && !reader_line(reader, std_line, &more, err)) return false;
  }
  return true;
}
