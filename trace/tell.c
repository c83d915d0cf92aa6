/* tell.c: which format is it? A run may come from a pipe that stays open; so as soon as the lines that are there
 * tell the format, no more are waited for, and what is told does not depend on how the bytes come. */
#include "trace/binary_log.h"
#include "trace/reader.h"

#include <assert.h>

/* Of a text that does not begin with an event: the bytes in which RoadRunner's lines are looked for. */
enum { ENOUGH_TO_TELL = 1 << 16 };

enum { NO_FORMAT = -1, NOT_YET = -2 };

/* Whole lines; the last one may be without its end, if there is nothing behind it. */
typedef struct {
  const char *at, *end;
  bool all; /* nothing comes behind them */
} Lines;

/* The next line that says something, without its end. */
static bool next_line(Lines *lines, Part *line) {
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

static bool is_roadrunner(Part line) {
  return line.length > 1 && line.at[0] == '@' && (line.at[1] == ' ' || line.at[1] == '\t');
}

/* Does it begin with an operation, and one of the bytes behind it? */
static bool begins_with_op(const char *at, const char *end, const char *behind) {
  const char *start = at;
  while (at < end && !strchr(behind, *at)) at++;
  return op_is_word(start, (size_t)(at - start));
}

static bool is_std(Part line) {
  const char *bar = memchr(line.at, '|', line.length);
  return bar && begins_with_op(bar + 1, line.at + line.length, "(|");
}

/* A row with an event in it. */
static bool is_row(Part line) {
  const char *at = line.at, *end = line.at + line.length;
  while (at < end && strchr(", \t\"", *at)) at++;
  return begins_with_op(at, end, "(@,");
}

static bool has_roadrunner(Lines lines) {
  for (Part line; next_line(&lines, &line);)
    if (is_roadrunner(line)) return true;
  return false;
}

/* The format of a text, NO_FORMAT, or NOT_YET. An empty run may be in any. */
static int text_format(Lines lines) {
  const bool enough = lines.all || lines.end - lines.at >= ENOUGH_TO_TELL;
  Part first, second;
  if (!next_line(&lines, &first)) return lines.all ? TRACE_STD : NOT_YET;
  if (is_std(first)) return TRACE_STD;
  if (is_roadrunner(first)) return TRACE_ROADRUNNER;
  const Lines rest = lines;
  const bool two = next_line(&lines, &second);
  if (two && is_roadrunner(second)) return TRACE_ROADRUNNER;
  if (two && is_row(second)) return TRACE_CSV;
  if (has_roadrunner(rest)) return TRACE_ROADRUNNER;
  if (!enough || (!two && !lines.all)) return NOT_YET;
  if (memchr(first.at, ',', first.length)) return TRACE_CSV;
  return memchr(first.at, '|', first.length) ? TRACE_STD : NO_FORMAT;
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

static bool is_log(const TraceReader *reader) { return begins_with(reader, TRACE_MAGIC, TRACE_MAGIC_LENGTH); }

/* A version that is not known, or bytes that were changed on the way. */
static bool is_strange_log(const TraceReader *reader) {
  return begins_with(reader, TRACE_MAGIC, 6) && reader->to - reader->from > 6 &&
         (unsigned char)reader->buffer[reader->from + 6] < ' ' && !is_log(reader);
}

static bool check_length(const TraceReader *reader, Err *err) {
  const char *text = reader->buffer + reader->from;
  const size_t there = reader->to - reader->from;
  return there <= READER_LONGEST_LINE || memchr(text, '\n', READER_LONGEST_LINE) ||
         reader_fault(reader, err, "a line of more than 1048576 bytes");
}

static bool refuse(const TraceReader *reader, Err *err) {
  const char *name = input_name(reader->input);
  if (input_is_packed_again(reader->input, reader->buffer + reader->from, reader->to - reader->from))
    return err_set(err, ERR_INPUT, "%s: packed twice; unpack it once before", name);
  return err_set(err, ERR_INPUT,
                 "%s:1: neither STD (THREAD|OP(OBJECT)|LOCATION), nor CSV, RoadRunner text or a binary log", name);
}

bool reader_tell_format(TraceReader *reader, int wanted, bool *told, Err *err) {
  static const char BYTE_ORDER_MARK[] = "\xef\xbb\xbf";
  if (may_become(reader, BYTE_ORDER_MARK, 3) || may_become(reader, TRACE_MAGIC, TRACE_MAGIC_LENGTH)) return true;
  const size_t mark = begins_with(reader, BYTE_ORDER_MARK, 3) ? 3 : 0;
  const char *text = reader->buffer + reader->from + mark;
  if (wanted < 0 ? is_strange_log(reader) : wanted == TRACE_BINARY && !is_log(reader))
    return err_set(err, ERR_INPUT, "%s: a binary log of version 2 is expected, which begins with \"CAUSAL\\x02\\n\"",
                   input_name(reader->input));
  const int format = wanted >= 0      ? wanted
                     : is_log(reader) ? TRACE_BINARY
                                      : text_format((Lines){text, reader->buffer + reader->to, reader->ended});
  if (format == NOT_YET) return check_length(reader, err);
  if (format == NO_FORMAT) return refuse(reader, err);
  reader->from += mark;
  reader->format = (TraceFormat)format;
  return *told = true;
}
