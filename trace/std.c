/* std.c: STD, THREAD|OP(OBJECT)|LOCATION.
 *
 * Nearly all lines are short and plain. Of such a line, which is found in a block of 32 bytes, one look tells where all
 * its delimiters are; then nothing of what follows waits for anything else, and the processor does much of it at once.
 * All other lines go the long way, with the same result. */
#include "trace/reader.h"
#include "trace/writer.h"

#ifdef __SSE2__
#include <assert.h>
#include <emmintrin.h>
#endif

/* ---- is it STD? ---- */

static bool std_looks_like(Part line, uint32_t number) {
  const char *bar = memchr(line.at, '|', line.length);
  return !number && bar && ops_begins(bar + 1, line.at + line.length, "(|");
}

static bool std_could_be(Part first) {
  return memchr(first.at, '|', first.length) && !memchr(first.at, ',', first.length);
}

/* ---- reading ---- */

typedef struct {
  Part thread, location;
  OpText op;
} StdLine;

/* NULL, or what was expected. */
static const char *split(const char *line, size_t length, StdLine *parts) {
  const char *end = line + length, *bar = memchr(line, '|', length);
  if (!bar || bar == line) return "expected THREAD|OP(OBJECT)|LOCATION, such as T0|w(V1)|12";
  const char *op = bar + 1, *second = memchr(op, '|', (size_t)(end - op));
  const char *message = ops_parse(op, (size_t)((second ? second : end) - op), &parts->op);
  if (message) return message;
  parts->thread = (Part){line, (size_t)(bar - line)};
  parts->location = second && second + 1 < end ? (Part){second + 1, (size_t)(end - second - 1)} : (Part){0};
  const bool more = memchr(end - parts->location.length, '|', parts->location.length);
  return more ? "expected the end of the line after the location" : NULL;
}

static bool std_line(TraceReader *reader, const char *line, size_t length, Err *err) {
  StdLine parts;
  if (!length || line[0] == '#') return true;
  const char *message = split(line, length, &parts);
  if (message) return reader_fault(reader, err, message);
  if (parts.op.op == OP_NOTHING) return true;
  TraceEvent *event = &reader->events[reader->n];
  event->op = parts.op.op;
  event->thread = reader_number(&reader->threads, parts.thread);
  event->object = reader_number(reader->objects[parts.op.op], parts.op.object);
  event->location = reader_number(&reader->locations, parts.location);
  reader->n++;
  return true;
}

#ifdef __SSE2__

enum { BLOCK = 32, LONGEST = 2 * BLOCK };

/* The operation by a perfect hash of its word and what is around it. No word is 0. ORDER TraceOp */
typedef struct {
  uint64_t word;
  uint8_t op;
} OpSlot;

#define PLACE(word) ((word)*0x8b4eb7817f86ead9ull >> 59)
#define WORD(a, b, c, d, e, f)                                                                                        \
  ('|' | (uint64_t)(a) << 8 | (uint64_t)(b) << 16 | (uint64_t)(c) << 24 | (uint64_t)(d) << 32 | (uint64_t)(e) << 40 | \
   (uint64_t)(f) << 48)
#define SLOT(op, a, b, c, d, e, f) [PLACE(WORD(a, b, c, d, e, f))] = {WORD(a, b, c, d, e, f), op}
_Static_assert(TRACE_OPS == 18, "ORDER TraceOp: each has a slot");
static const OpSlot OPS[32] = {
    SLOT(TRACE_READ, 'r', '(', 0, 0, 0, 0),
    SLOT(TRACE_WRITE, 'w', '(', 0, 0, 0, 0),
    SLOT(TRACE_ACQUIRE, 'a', 'c', 'q', '(', 0, 0),
    SLOT(TRACE_RELEASE, 'r', 'e', 'l', '(', 0, 0),
    SLOT(TRACE_FORK, 'f', 'o', 'r', 'k', '(', 0),
    SLOT(TRACE_JOIN, 'j', 'o', 'i', 'n', '(', 0),
    SLOT(TRACE_BEGIN, 'b', 'e', 'g', 'i', 'n', '('),
    SLOT(TRACE_END, 'e', 'n', 'd', '(', 0, 0),
    SLOT(TRACE_START, 's', 't', 'a', 'r', 't', '('),
    SLOT(TRACE_EXIT, 'e', 'x', 'i', 't', '(', 0),
    SLOT(TRACE_FREE, 'f', 'r', 'e', 'e', '(', 0),
    SLOT(TRACE_UPDATE, 'r', 'm', 'w', '(', 0, 0),
    SLOT(TRACE_SHARED_ACQUIRE, 's', 'a', 'c', 'q', '(', 0),
    SLOT(TRACE_SHARED_RELEASE, 's', 'r', 'e', 'l', '(', 0),
    SLOT(TRACE_TRY, 't', 'r', 'y', '(', 0, 0),
    SLOT(TRACE_SHARED_TRY, 's', 't', 'r', 'y', '(', 0),
    SLOT(TRACE_SIGNAL, 's', 'i', 'g', '(', 0, 0),
    SLOT(TRACE_WAIT, 'w', 'a', 'i', 't', '(', 0),
};

/* The operation between two delimiters; `flip` makes the second one a parenthesis. */
static inline const OpSlot *find_op(const char *line, uint32_t bar, uint32_t open, uint64_t flip, bool *found) {
  uint64_t word;
  memcpy(&word, line + bar, 8);
  const uint32_t length = open - bar;
  word = (word & ~(UINT64_MAX << ((8 * length + 8) & 63))) ^ flip << ((8 * length) & 63);
  const OpSlot *slot = &OPS[PLACE(word)];
  *found = slot->word == word;
  return slot;
}

/* A bit for each byte of a block that is a delimiter, or a control character up to the carriage return: the first of
 * those of a plain line are its delimiters and its end. */
static inline uint32_t marks16(const char *at) {
  const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
  const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8('\r')), bytes);
  const __m128i bars = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('|'));
  const __m128i parentheses = _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(1)), _mm_set1_epi8(')'));
  return (uint32_t)_mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(bars, parentheses)));
}

static inline uint64_t marks_of(const char *at) { return marks16(at) | (uint64_t)marks16(at + 16) << 16; }
static inline uint64_t after_first(uint64_t marks) { return marks & (marks - 1); }
static inline uint32_t first(uint64_t marks) { return (uint32_t)__builtin_ctzll(marks); }

/* Those of the next block, too, if the first one does not have the ends of a line's five parts. */
static inline uint64_t more_marks(const char *at, uint64_t marks) {
  const uint64_t m2 = after_first(after_first(marks));
  return after_first(after_first(m2)) ? marks : marks | marks_of(at + BLOCK) << BLOCK;
}

/* Where the parts of a line are. */
typedef struct {
  const char *at;
  uint32_t bar, open, close, end; /* the object is between `open` and `close`, and after that is '|' */
  uint8_t op;
} Plain;

/* The numbers of names that are long, new, or stand in no memo. */
static __attribute__((noinline)) void look_up(TraceReader *reader, const Plain *line, TraceEvent *event) {
  assert(line->open <= line->close && line->close <= line->end);
  NameTable *objects = reader->objects[line->op];
  event->thread = trace_name_number(&reader->threads, line->at, line->bar);
  event->object =
      objects ? trace_name_number(objects, line->at + line->open + 1, line->close - line->open - 1) : TRACE_NONE;
  event->location = trace_name_number(&reader->locations, line->at + line->close + 2, line->end - line->close - 2);
}

/* THREAD|OP(OBJECT)|LOCATION, nothing of it missing. */
static inline bool split_plain(const char *at, uint64_t marks, Plain *line) {
  const uint64_t m1 = after_first(marks), m2 = after_first(m1), m4 = after_first(after_first(m2));
  uint16_t tail;
  bool found;
  if (!m4) return false;
  *line = (Plain){.at = at, .bar = first(marks), .open = first(m1), .close = first(m2), .end = first(m4)};
  memcpy(&tail, at + line->close, 2);
  line->op = find_op(at, line->bar, line->open, 0, &found)->op;
  return found & (tail == (')' | '|' << 8)) & (at[line->end] == '\n');
}

static inline bool get_plain(TraceReader *reader, const Plain *line, TraceEvent *event) {
  const NameTable *objects = reader->objects[line->op];
  /* lengths, - 1 */
  const uint32_t thread = line->bar - 1, object = line->close - line->open - 2, location = line->end - line->close - 3;
  if ((thread | object | location) >= LONGEST || !objects) return false;
  event->op = line->op;
  if ((thread | object | location) < 8) {
    const uint64_t words[3] = {trace_name_word(line->at, thread + 1),
                               trace_name_word(line->at + line->open + 1, object + 1),
                               trace_name_word(line->at + line->close + 2, location + 1)};
    const NameMemo *a = trace_name_memo(&reader->threads, words[0]), *b = trace_name_memo(objects, words[1]);
    const NameMemo *c = trace_name_memo(&reader->locations, words[2]);
    event->thread = a->number;
    event->object = b->number;
    event->location = c->number;
    if (!((a->word ^ words[0]) | (b->word ^ words[1]) | (c->word ^ words[2]))) return true;
  }
  look_up(reader, line, event);
  return true;
}

/* THREAD|OP|LOCATION, where OP needs no object. */
static __attribute__((noinline)) bool get_short(TraceReader *reader, const char *at, uint64_t marks, Plain *line,
                                                TraceEvent *event) {
  const uint64_t m1 = after_first(marks), m2 = after_first(m1);
  bool found;
  if (!m2) return false;
  const uint32_t bar = first(marks), second = first(m1), end = first(m2);
  const uint8_t op = find_op(at, bar, second, '|' ^ '(', &found)->op;
  if (!found || ops_object(op) == OP_ALWAYS) return false;
  if (!bar || at[second] != '|' || second + 1 == end || at[end] != '\n') return false;
  line->end = end;
  *event = (TraceEvent){trace_name_number(&reader->threads, at, bar), TRACE_NONE,
                        trace_name_number(&reader->locations, at + second + 1, end - second - 1), op};
  return true;
}

/* The plain and short lines at `from` that are not long, where names are near. A comment is none. */
static void near_lines(TraceReader *reader) {
  const char *at = reader->buffer + reader->from, *last = reader->buffer + reader->to - LONGEST;
  TraceEvent *event = reader->events + reader->n, *full = reader->events + TRACE_BATCH;
  for (Plain line; at <= last && event < full && *at != '#'; event++, at += line.end + 1) {
    const uint64_t marks = more_marks(at, marks_of(at));
    if (split_plain(at, marks, &line) && get_plain(reader, &line, event)) continue;
    if (!get_short(reader, at, marks, &line, event)) break;
  }
  reader->lines += (uint64_t)(event - reader->events) - reader->n;
  reader->n = (uint32_t)(event - reader->events);
  reader->from = (size_t)(at - reader->buffer);
}

/* ---- many names ---- */

enum { SIDE_BY_SIDE = 32 };

/* An object that is looked for while the next lines are read. */
typedef struct {
  NameTable *table;
  const char *name;
  uint32_t length;
  uint32_t *number;
  NameSought sought;
} Pending;

typedef struct {
  uint32_t n;
  Pending at[SIDE_BY_SIDE];
} PendingList;

/* As get_plain, of a line whose object's table is far, but the others are not; the object is left pending. */
static inline bool get_far(TraceReader *reader, const Plain *line, TraceEvent *event, PendingList *list) {
  NameTable *objects = reader->objects[line->op];
  const uint32_t thread = line->bar - 1, object = line->close - line->open - 2, location = line->end - line->close - 3;
  if (!objects || !trace_name_is_far(objects) || (thread | location) >= 8 || object >= LONGEST) return false;
  const uint64_t words[2] = {trace_name_word(line->at, thread + 1),
                             trace_name_word(line->at + line->close + 2, location + 1)};
  const NameMemo *a = trace_name_memo(&reader->threads, words[0]), *c = trace_name_memo(&reader->locations, words[1]);
  if ((a->word ^ words[0]) | (c->word ^ words[1])) return false;
  const char *name = line->at + line->open + 1;
  list->at[list->n++] =
      (Pending){objects, name, object + 1, &event->object, trace_name_seek(objects, name, object + 1)};
  event->op = line->op;
  event->thread = a->number;
  event->location = c->number;
  return true;
}

static inline void finish(PendingList *list) {
  for (uint32_t i = 0; i < list->n; i++) trace_name_seek_list(list->at[i].table, &list->at[i].sought);
  for (uint32_t i = 0; i < list->n; i++) trace_name_seek_text(list->at[i].table, &list->at[i].sought);
  for (uint32_t i = 0; i < list->n; i++) {
    const Pending *it = &list->at[i];
    *it->number = trace_name_sought(it->table, &it->sought, it->name, it->length);
  }
  list->n = 0;
}

/* As near_lines, where the names of objects may be far. Nothing else adds to these while some are pending. */
static __attribute__((noinline)) void far_lines(TraceReader *reader) {
  const char *at = reader->buffer + reader->from, *last = reader->buffer + reader->to - LONGEST;
  TraceEvent *event = reader->events + reader->n, *full = reader->events + TRACE_BATCH;
  PendingList list;
  list.n = 0;
  for (Plain line; at <= last && event < full && *at != '#'; event++, at += line.end + 1) {
    const uint64_t marks = more_marks(at, marks_of(at));
    if (list.n == SIDE_BY_SIDE) finish(&list);
    if (split_plain(at, marks, &line)) {
      if (!get_far(reader, &line, event, &list)) {
        finish(&list);
        if (!get_plain(reader, &line, event)) break;
      }
    } else if (!get_short(reader, at, marks, &line, event)) {
      break;
    }
  }
  finish(&list);
  reader->lines += (uint64_t)(event - reader->events) - reader->n;
  reader->n = (uint32_t)(event - reader->events);
  reader->from = (size_t)(at - reader->buffer);
}

/* ---- long names, or long lines ---- */

enum { N_NAMES = 3, FULL_MARKS = 5, SHORT_MARKS = 3 };

/* A name of a line. */
typedef struct {
  NameTable *table;
  const char *at;
  uint32_t length; /* 0: none */
  bool far;
  NameSought sought; /* if the table is far */
} LineName;

/* A line of any length. */
typedef struct {
  LineName names[N_NAMES]; /* of thread, object, location */
  const char *end;
  uint8_t op;
} Line;

/* The marks of the line up to its end, at most FULL_MARKS; how many. All of them may stand behind `end`. */
static inline uint32_t find_marks(const char *at, const char *end, uint32_t places[FULL_MARKS]) {
  uint32_t n = 0;
  for (uint32_t from = 0; at + from < end; from += BLOCK)
    for (uint64_t marks = marks_of(at + from); marks; marks = after_first(marks)) {
      places[n++] = from + first(marks);
      if (n == FULL_MARKS || (unsigned char)at[places[n - 1]] <= '\r') return n;
    }
  return 0;
}

static inline void set_name(LineName *name, NameTable *table, const char *at, const char *end) {
  *name = (LineName){.table = table, .at = at, .length = (uint32_t)(end - at)};
}

/* THREAD|OP(OBJECT)|LOCATION, or THREAD|OP|LOCATION where OP needs no object; the location may be empty. */
static inline bool split_any(TraceReader *reader, const char *at, const char *end, Line *line) {
  uint32_t places[FULL_MARKS];
  const uint32_t n = find_marks(at, end, places);
  if (n < SHORT_MARKS || n == SHORT_MARKS + 1) return false;
  const bool full = n == FULL_MARKS;
  const char *bar = at + places[0], *open = at + places[1], *close = at + places[full ? 2 : 1];
  const char *location = close + (full ? 2 : 1);
  bool found;
  line->op = find_op(at, places[0], places[1], full ? 0 : '|' ^ '(', &found)->op;
  line->end = at + places[n - 1];
  if (!found || line->end >= end || *line->end != '\n') return false;
  NameTable *objects = reader->objects[line->op];
  set_name(&line->names[0], &reader->threads, at, bar);
  set_name(&line->names[1], objects, full ? open + 1 : open, close);
  set_name(&line->names[2], &reader->locations, location, line->end);
  if (bar == at || *at == '#') return false;
  return full ? close[0] == ')' && close[1] == '|' && objects && close > open + 1
              : *close == '|' && ops_object(line->op) != OP_ALWAYS;
}

static inline void seek(Line *line) {
  for (int i = 0; i < N_NAMES; i++) {
    LineName *name = &line->names[i];
    name->far = name->length && trace_name_is_far(name->table);
    if (name->far) name->sought = trace_name_seek(name->table, name->at, name->length);
  }
}

static void seek_on(const Line *lines, uint32_t n, void (*step)(const NameTable *table, const NameSought *sought)) {
  for (uint32_t l = 0; l < n; l++)
    for (int i = 0; i < N_NAMES; i++)
      if (lines[l].names[i].far) step(lines[l].names[i].table, &lines[l].names[i].sought);
}

static inline uint32_t number_of(const LineName *name) {
  if (!name->length) return TRACE_NONE;
  return name->far ? trace_name_sought(name->table, &name->sought, name->at, name->length)
                   : trace_name_number(name->table, name->at, name->length);
}

/* Some of the next lines, if they are like that; false if the first one is not. */
static __attribute__((noinline)) bool lines_side_by_side(TraceReader *reader) {
  Line lines[SIDE_BY_SIDE];
  const char *at = reader->buffer + reader->from, *end = reader->buffer + reader->to;
  uint32_t n = 0;
  for (; n < SIDE_BY_SIDE && reader->n + n < TRACE_BATCH && split_any(reader, at, end, &lines[n]); n++) {
    seek(&lines[n]);
    at = lines[n].end + 1;
  }
  if (!n) return false;
  seek_on(lines, n, trace_name_seek_list);
  seek_on(lines, n, trace_name_seek_text);
  for (uint32_t l = 0; l < n; l++) {
    TraceEvent *event = &reader->events[reader->n++];
    event->op = lines[l].op;
    event->thread = number_of(&lines[l].names[0]);
    event->object = number_of(&lines[l].names[1]);
    event->location = number_of(&lines[l].names[2]);
  }
  reader->lines += n;
  reader->from = (size_t)(at - reader->buffer);
  return true;
}

/* Has some table so many names that they are not near? */
static bool is_far(const TraceReader *reader) {
  return trace_name_is_far(&reader->threads) || trace_name_is_far(&reader->variables) ||
         trace_name_is_far(&reader->locks) || trace_name_is_far(&reader->locations);
}

static void plain_lines(TraceReader *reader) {
  do (is_far(reader) ? far_lines : near_lines)(reader);
  while (reader->n < TRACE_BATCH && lines_side_by_side(reader));
}

#else
static void plain_lines(TraceReader *reader) { (void)reader; }
#endif

static bool std_read(TraceReader *reader, Err *err) {
  for (bool more = true; more && reader->n < TRACE_BATCH;) {
    plain_lines(reader);
    if (reader->n < TRACE_BATCH && !reader_line(reader, std_line, &more, err)) return false;
  }
  return true;
}

/* ---- writing ---- */

static const char *std_unfit(TraceNameKind kind, const char *name) {
  const char *strange = writer_strange_start(kind, name);
  if (strange) return strange;
  if (kind == TRACE_THREAD_NAME && name[0] == '#') return "the name of a thread that begins with '#'";
  return writer_has_any(name, "|\r\n") ? "a name with a '|' or a line end in it" : NULL;
}

static void std_write(TraceWriter *writer, const TraceEvent *event) {
  WriterTexts texts = {0};
  writer_texts(writer, event, &texts);
  writer_put(writer, texts.thread);
  writer_put(writer, "|");
  writer_put(writer, TRACE_OP_TEXT[event->op]);
  if (*texts.object) writer_put(writer, "("), writer_put(writer, texts.object), writer_put(writer, ")");
  if (*texts.location) writer_put(writer, "|"), writer_put(writer, texts.location);
  writer_put(writer, "\n");
  if (writer->text.n >= WRITER_FULL) writer_flush(writer);
}

const TraceMethods trace_std = {
    {NULL, std_looks_like, std_could_be},
    {0, NULL, std_read, NULL, true, NULL, NULL},
    {0, NULL, NULL, std_write, writer_flush, std_unfit},
};
