/* detect.c: which format is it? A run may come from a pipe that stays open; so as soon as the lines that are there show
 * the format, no more are waited for, and the answer does not depend on how the bytes come. */
#include "trace/reader.h"

#include <assert.h>

/* Of a text that does not begin with an event: the bytes in which another line is looked for that shows the format. */
enum { ENOUGH = 1 << 16 };

enum { NO_FORMAT = -1, NOT_YET = -2 };

/* Whole lines; the last one may be without its end, if there is nothing after it. */
typedef struct {
  const char *at, *end;
  bool all; /* nothing comes after them */
} DetectLines;

/* The next line that says something, without its end. */
static bool next_line(DetectLines *lines, Part *line) {
  assert(lines->at <= lines->end);
  while (lines->at < lines->end) {
    const char *newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    const char *end = newline ? newline : lines->end;
    if (!newline && !lines->all) return false;
    *line = (Part){lines->at, (size_t)(end - lines->at)};
    lines->at = newline ? end + 1 : end;
    if (line->length && line->at[line->length - 1] == '\r') line->length--;
    if (line->length && line->at[0] != '#') return true;
  }
  return false;
}

/* The format whose line it is, or NO_FORMAT. */
static int claimed(Part line, uint32_t number) {
  for (int i = 0; i < TRACE_N_FORMATS; i++)
    if (trace_kind_is_text(&TRACE_KINDS[i]) && TRACE_KINDS[i].methods->look.looks_like(line, number)) return i;
  return NO_FORMAT;
}

/* The format whose faulty line it could be, or NO_FORMAT. */
static int guessed(Part first) {
  for (int i = 0; i < TRACE_N_FORMATS; i++)
    if (TRACE_KINDS[i].methods->look.could_be && TRACE_KINDS[i].methods->look.could_be(first)) return i;
  return NO_FORMAT;
}

/* The format of a text, NO_FORMAT, or NOT_YET. An empty run may be in any: in the first one. */
static int text_format(DetectLines lines) {
  const bool enough = lines.all || lines.end - lines.at >= ENOUGH;
  Part first = {0}, line;
  uint32_t n = 0;
  for (; next_line(&lines, &line); n++) {
    const int format = claimed(line, n);
    if (format != NO_FORMAT) return format;
    if (!n) first = line;
  }
  if (!n) return lines.all ? 0 : NOT_YET;
  return lines.all || (enough && n > 1) ? guessed(first) : NOT_YET;
}

/* ---- the first bytes ---- */

static bool begins_with(const TraceReader *reader, const char *text, size_t length) {
  const size_t there = reader->to - reader->from;
  return there >= length && memcmp(reader->buffer + reader->from, text, length) == 0;
}

/* Is all that is there the beginning of the bytes, and may the rest come? */
static bool may_become(const TraceReader *reader, const char *text, size_t length) {
  const size_t there = reader->to - reader->from;
  return !reader->ended && there < length && memcmp(reader->buffer + reader->from, text, there) == 0;
}

/* The format with a magic that claims the first bytes, or NO_FORMAT. */
static int magic_format(const TraceReader *reader) {
  const size_t there = reader->to - reader->from;
  for (int i = 0; i < TRACE_N_FORMATS; i++) {
    const TraceLook *look = &TRACE_KINDS[i].methods->look;
    const size_t length = look->magic ? strlen(look->magic) : 0;
    const Part first = {reader->buffer + reader->from, there < length ? there : length};
    if (look->magic && look->looks_like(first, 0)) return i;
  }
  return NO_FORMAT;
}

/* May it become a file that begins with a magic, or is it one whose magic is not whole yet? */
static bool may_have_magic(const TraceReader *reader) {
  const int claims = magic_format(reader);
  bool may = false;
  for (int i = 0; i < TRACE_N_FORMATS; i++) {
    const char *magic = TRACE_KINDS[i].methods->look.magic;
    const bool short_of = magic && reader->to - reader->from < strlen(magic);
    may |= magic && (may_become(reader, magic, strlen(magic)) || (i == claims && short_of && !reader->ended));
  }
  return may;
}

static bool check_length(const TraceReader *reader, Err *err) {
  const char *text = reader->buffer + reader->from;
  const size_t there = reader->to - reader->from;
  return there <= READER_LONGEST_LINE || memchr(text, '\n', READER_LONGEST_LINE) ||
         reader_fault(reader, err, "the line is longer than 1048576 bytes");
}

static bool refuse(const TraceReader *reader, Err *err) {
  const char *name = input_name(reader->input);
  if (input_is_packed_again(reader->input, reader->buffer + reader->from, reader->to - reader->from))
    return err_set(err, ERR_INPUT, "%s: compressed twice; decompress it once first", name);
  char formats[TRACE_LIST_ROOM];
  trace_kinds_neither(formats);
  return err_set(err, ERR_INPUT, "%s:1: neither %s", name, formats);
}

bool reader_detect(TraceReader *reader, int wanted, bool *found, Err *err) {
  static const char BYTE_ORDER_MARK[] = "\xef\xbb\xbf";
  if (may_become(reader, BYTE_ORDER_MARK, 3) || may_have_magic(reader)) return true;
  const size_t mark = begins_with(reader, BYTE_ORDER_MARK, 3) ? 3 : 0;
  const DetectLines lines = {reader->buffer + reader->from + mark, reader->buffer + reader->to, reader->ended};
  int format = wanted >= 0 ? wanted : magic_format(reader);
  if (format == NO_FORMAT) format = text_format(lines);
  if (format == NOT_YET) return check_length(reader, err);
  if (format == NO_FORMAT) return refuse(reader, err);
  reader->kind = &TRACE_KINDS[format];
  if (trace_kind_is_text(reader->kind)) reader->from += mark;
  return *found = true;
}
