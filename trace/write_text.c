/* write_text.c: STD, CSV and RoadRunner text. */
#include "trace/writer.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

enum { FULL = 1 << 16 }; /* bytes that are written at once */

static bool has_any(const char *text, const char *bytes) { return text[strcspn(text, bytes)]; }

/* ---- names ---- */

static bool is_balanced(const char *text) {
  int open = 0;
  for (; *text && open >= 0; text++) open += (*text == '(') - (*text == ')');
  return !open;
}

/* What the format cannot say: such a name; NULL if it can. */
/* A file whose first bytes are these would be taken for a packed one, or lose them. A thread's name may be the first
 * thing in a file. */
static bool begins_strangely(TraceNameKind kind, const char *name) {
  static const char *const FIRST[] = {"\x1f\x8b", "\x28\xb5\x2f\xfd", "\xef\xbb\xbf"};
  bool strange = false;
  for (size_t i = 0; i < sizeof FIRST / sizeof *FIRST; i++) strange |= strncmp(name, FIRST[i], strlen(FIRST[i])) == 0;
  return strange && kind == TRACE_THREAD_NAME;
}

static const char STRANGE[] = "the name of a thread that begins as a packed file does, or with a byte order mark";

static const char *std_unfit(TraceNameKind kind, const char *name) {
  if (begins_strangely(kind, name)) return STRANGE;
  if (kind == TRACE_THREAD_NAME && name[0] == '#') return "the name of a thread that begins with '#'";
  return has_any(name, "|\r\n") ? "a name with a '|' or a line end in it" : NULL;
}

static const char *csv_unfit(TraceNameKind kind, const char *name) {
  if (begins_strangely(kind, name)) return STRANGE;
  if (has_any(name, "\r\n")) return "a name with a line end in it";
  if (kind == TRACE_THREAD_NAME) return has_any(name, "()") ? "the name of a thread with a parenthesis in it" : NULL;
  return kind != TRACE_LOCATION_NAME && strstr(name, ")@") ? "the name of an object with ')@' in it" : NULL;
}

static const char *roadrunner_unfit(TraceNameKind kind, const char *name) {
  if (has_any(name, "\r\n")) return "a name with a line end in it";
  if (kind == TRACE_THREAD_NAME) return has_any(name, ",()") ? "the name of a thread with a comma or parenthesis in it" : NULL;
  if (kind == TRACE_LOCATION_NAME) return has_any(name, " \t") ? "a location with blanks in it" : NULL;
  if (kind == TRACE_LABEL_NAME && strcmp(name, "-") == 0) return "a transaction that is called '-'";
  return is_balanced(name) ? NULL : "the name of an object with parentheses that are no pairs";
}

static const struct {
  const char *name;
  const char *(*unfit)(TraceNameKind kind, const char *name);
} FORMATS[] = {
    [TRACE_STD] = {"STD", std_unfit},
    [TRACE_CSV] = {"CSV", csv_unfit},
    [TRACE_ROADRUNNER] = {"RoadRunner text", roadrunner_unfit},
};

static void fault(TraceWriter *writer, const char *detail) { writer_fault(writer, FORMATS[writer->format].name, detail); }

/* Looks at each name once, when its number or a higher one is met first. */
static void check_up_to(TraceWriter *writer, TraceNameKind kind, uint32_t number) {
  char room[WRITER_NAME_ROOM] = "";
  for (uint32_t *n = &writer->n_checked[kind]; *n <= number; ++*n) {
    const char *detail = FORMATS[writer->format].unfit(kind, writer_name(writer, kind, *n, room));
    if (detail) fault(writer, detail);
  }
}

/* "" for TRACE_NONE. */
static const char *get_name(TraceWriter *writer, TraceNameKind kind, uint32_t number, char room[WRITER_NAME_ROOM]) {
  if (number == TRACE_NONE) return "";
  if (number >= writer->n_checked[kind]) check_up_to(writer, kind, number);
  return writer_name(writer, kind, number, room);
}

/* An event's names; "" for what it does not have. */
typedef struct {
  const char *thread, *object, *location;
  char room[3][WRITER_NAME_ROOM];
} Texts;

static void get_texts(TraceWriter *writer, const TraceEvent *event, Texts *texts) {
  /* ORDER TraceOp */
  static const TraceNameKind KIND[] = {TRACE_OBJECT_NAME, TRACE_OBJECT_NAME, TRACE_OBJECT_NAME, TRACE_OBJECT_NAME,
                                                TRACE_THREAD_NAME, TRACE_THREAD_NAME, TRACE_LABEL_NAME,  TRACE_LABEL_NAME,
                                                TRACE_LABEL_NAME,  TRACE_LABEL_NAME,  TRACE_OBJECT_NAME};
  _Static_assert(sizeof KIND / sizeof *KIND == TRACE_OPS, "ORDER TraceOp");
  texts->thread = get_name(writer, TRACE_THREAD_NAME, event->thread, texts->room[0]);
  texts->object = get_name(writer, KIND[event->op], event->object, texts->room[1]);
  texts->location = get_name(writer, TRACE_LOCATION_NAME, event->location, texts->room[2]);
}

/* ---- bytes ---- */

static void put_bytes(TraceWriter *writer, const char *bytes, size_t n) {
  if (!n) return;
  vec_reserve(writer->heap, &writer->text, n);
  memcpy(writer->text.at + writer->text.n, bytes, n);
  writer->text.n += (uint32_t)n;
}

static void put(TraceWriter *writer, const char *text) { put_bytes(writer, text, strlen(text)); }

static void put_quoted(TraceWriter *writer, const char *text) {
  for (; *text; text++) put_bytes(writer, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
}

static void flush(TraceWriter *writer, FILE *out) {
  if (writer->text.n) fwrite(writer->text.at, 1, writer->text.n, out);
  vec_clear(&writer->text);
}

/* ---- STD ---- */

void std_write(TraceWriter *writer, const TraceEvent *event) {
  Texts texts = {0};
  get_texts(writer, event, &texts);
  put(writer, texts.thread);
  put(writer, "|");
  put(writer, TRACE_OP_TEXT[event->op]);
  if (*texts.object) put(writer, "("), put(writer, texts.object), put(writer, ")");
  if (*texts.location) put(writer, "|"), put(writer, texts.location);
  put(writer, "\n");
  if (writer->text.n >= FULL) flush(writer, writer->out);
}

void text_write_end(TraceWriter *writer) { flush(writer, writer->out); }

/* ---- CSV ---- */

static void file_fault(TraceWriter *writer) {
  if (!writer->bad) err_set(&writer->fault, ERR_IO, "a temporary file for the rows: %s", strerror(errno));
  writer->bad = true;
}

/* The header has all threads, so it can be written only at the end; until then the rows are kept in a file. */
static void keep_rows(TraceWriter *writer) {
  if (!writer->rows) writer->rows = tmpfile();
  if (!writer->rows) file_fault(writer);
  else flush(writer, writer->rows);
}

/* Blanks around a cell mean nothing, unless it is quoted; '#' begins a comment, '@' could be RoadRunner's. */
static bool needs_quotes(const char *text) {
  const size_t length = strlen(text);
  return has_any(text, "\",") || !length || strchr(" \t#@", text[0]) || strchr(" \t", text[length - 1]);
}

static void count_thread(TraceWriter *writer, uint32_t thread) {
  if (thread >= writer->n_threads) writer->n_threads = thread + 1;
}

void csv_write(TraceWriter *writer, const TraceEvent *event) {
  Texts texts = {0};
  get_texts(writer, event, &texts);
  const bool quotes = has_any(texts.object, "\",") || (*texts.location && needs_quotes(texts.location));
  for (uint32_t i = 0; i < event->thread; i++) put(writer, ",");
  if (quotes) put(writer, "\"");
  put(writer, TRACE_OP_TEXT[event->op]);
  if (*texts.object) put(writer, "("), put_quoted(writer, texts.object), put(writer, ")");
  if (*texts.location) put(writer, "@"), put_quoted(writer, texts.location);
  put(writer, quotes ? "\"\n" : "\n");
  count_thread(writer, event->thread);
  if (event->op == TRACE_FORK || event->op == TRACE_JOIN) count_thread(writer, event->object);
  if (writer->text.n >= FULL) keep_rows(writer);
}

static void put_header(TraceWriter *writer) {
  assert(writer->format == TRACE_CSV);
  char room[WRITER_NAME_ROOM] = "";
  const uint32_t n_named = writer->names ? trace_name_count(writer->names, TRACE_THREAD_NAME) : 0;
  if (n_named) count_thread(writer, n_named - 1);
  for (uint32_t i = 0; i < writer->n_threads; i++) {
    const char *name = get_name(writer, TRACE_THREAD_NAME, i, room), *quote = needs_quotes(name) ? "\"" : "";
    if (i) put(writer, ",");
    put(writer, quote);
    put_quoted(writer, name);
    put(writer, quote);
  }
  put(writer, "\n");
}

void csv_write_end(TraceWriter *writer) {
  char bytes[1 << 14];
  if (writer->rows) keep_rows(writer);
  const CharVec last_rows = writer->text; /* of a short run: all of them */
  writer->text = (CharVec){0};
  put_header(writer);
  put_bytes(writer, last_rows.at, last_rows.n);
  heap_release(writer->heap, last_rows.at);
  if (!writer->bad) flush(writer, writer->out);
  if (!writer->rows) return;
  rewind(writer->rows);
  for (size_t n; !writer->bad && (n = fread(bytes, 1, sizeof bytes, writer->rows));) fwrite(bytes, 1, n, writer->out);
  if (ferror(writer->rows)) file_fault(writer);
  fclose(writer->rows);
}

/* ---- RoadRunner ---- */

void roadrunner_write(TraceWriter *writer, const TraceEvent *event) {
  /* ORDER TraceOp; NULL: it cannot be said */
  static const char *const WORD[] = {"Rd", "Wr", "Acquire", "Release", "Start", "Join", "Enter", "Exit", NULL, NULL, NULL};
  _Static_assert(sizeof WORD / sizeof *WORD == TRACE_OPS, "ORDER TraceOp");
  Texts texts = {0};
  get_texts(writer, event, &texts);
  if (!WORD[event->op]) fault(writer, "the start or exit of a thread, or that a variable is freed");
  const int times = event->op == TRACE_FORK || event->op == TRACE_JOIN ? 2 : 1; /* before and after */
  for (int i = 0; i < times && !writer->bad; i++) {
    put(writer, "@ "), put(writer, WORD[event->op]);
    put(writer, "("), put(writer, texts.thread);
    put(writer, ","), put(writer, *texts.object ? texts.object : "-"), put(writer, ")");
    if (*texts.location) put(writer, "  -  "), put(writer, texts.location);
    put(writer, "\n");
  }
  if (writer->text.n >= FULL) flush(writer, writer->out);
}
