#include "petri/tina.h"

#include "base/intern.h"
#include "base/vec.h"
#include "petri/double_arc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  Heap *heap;
  Err *err;
  const char *file;
  const char *at, *end;
  uint32_t line;
  NetBuilder *builder;
  Intern places, transitions;
  VEC(bool) marked;  /* per place: a line has said its marking */
  VEC(ArcKey) arcs;  /* with their lines */
  CharVec name;      /* the last one that was read, NUL-terminated */
  uint32_t n_length; /* its bytes */
} Reader;

static bool fail(Reader *r, uint32_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool fail(Reader *r, uint32_t line, const char *format, ...) {
  char text[sizeof r->err->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = '?';
  return err_set(r->err, ERR_INPUT, "%.300s:%u: %s", r->file, line, text);
}

/* ---- words ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '\'' || c == '_';
}

/* The next byte of the line that is no blank; '\n' at its end, and at that of the text. */
static char peek(Reader *r) {
  while (r->at < r->end && is_blank(*r->at)) r->at++;
  return r->at < r->end ? *r->at : '\n';
}

static bool expected(Reader *r, const char *what) {
  int n = 0;
  if (peek(r) == '\n') return fail(r, r->line, "expected %s, found the end of the line", what);
  while (n < 30 && r->at + n < r->end && !is_blank(r->at[n]) && r->at[n] != '\n') n++;
  return fail(r, r->line, "expected %s, found '%.*s'", what, n, r->at);
}

static void add_byte(Reader *r, char c) { vec_push(r->heap, &r->name, c); }

/* '{' bytes '}', where '\' stands before '{', '}' and '\'; it may go over several lines. */
static bool read_quoted(Reader *r, const char *what) {
  const uint32_t line = r->line;
  for (r->at++; r->at < r->end && *r->at != '}'; r->at++) {
    if (*r->at == '{') return fail(r, r->line, "%s: '{' in a name is written '\\{'", what);
    if (*r->at == '\0') return fail(r, r->line, "%s: a NUL byte in a name", what);
    if (*r->at == '\n') r->line++;
    if (*r->at == '\\' && r->at + 1 < r->end && r->at[1] && strchr("{}\\", r->at[1])) r->at++;
    add_byte(r, *r->at);
  }
  if (r->at == r->end) return fail(r, line, "%s: the name that begins here has no '}' at its end", what);
  r->at++;
  return true;
}

/* name ::= (letter | digit | "'" | '_')+ | '{' ... '}' */
static bool read_name(Reader *r, const char *what) {
  const char first = peek(r);
  vec_clear(&r->name);
  if (first == '{') {
    if (!read_quoted(r, what)) return false;
  } else {
    if (!is_name_byte(first)) return expected(r, what);
    for (; r->at < r->end && is_name_byte(*r->at); r->at++) add_byte(r, *r->at);
  }
  r->n_length = r->name.n;
  add_byte(r, '\0');
  return r->n_length > 0 || fail(r, r->line, "%s: the name is empty", what);
}

/* Numbers that are too large are all the same one, which is refused. */
static bool read_number(Reader *r, uint32_t *number) {
  if (!is_digit(peek(r))) return expected(r, "a number");
  uint32_t value = 0;
  for (; r->at < r->end && (is_digit(*r->at) || *r->at == 'K' || *r->at == 'M'); r->at++)
    value = is_digit(*r->at) && value < 1000000 ? value * 10 + (uint32_t)(*r->at - '0') : value ? 1000000 : 0;
  *number = value;
  return true;
}

/* ---- nodes ---- */

static bool read_place(Reader *r, PlaceId *place) {
  bool is_new;
  if (!read_name(r, "a place")) return false;
  place->v = intern_add(&r->places, r->name.at, r->n_length, &is_new);
  if (!is_new) return true;
  net_add_place(r->builder, r->name.at, false);
  vec_push(r->heap, &r->marked, false);
  return true;
}

static bool read_transition(Reader *r, TransId *trans) {
  bool is_new;
  if (!read_name(r, "a transition")) return false;
  trans->v = intern_add(&r->transitions, r->name.at, r->n_length, &is_new);
  if (is_new) net_set_line(r->builder, net_add_trans(r->builder, r->name.at), r->line);
  return true;
}

/* label ::= ':' name */
static bool read_label(Reader *r) {
  if (peek(r) != ':') return true;
  r->at++;
  return read_name(r, "a label");
}

/* interval ::= '[0,w[' : no constraint */
static bool read_interval(Reader *r) {
  static const char any[] = "[0,w[";
  const char first = peek(r);
  if (first != '[' && first != ']') return true;
  for (size_t i = 0; any[i]; i++, r->at++)
    if (peek(r) != any[i]) return fail(r, r->line, "a time interval: only [0,w[, which is no constraint, is read");
  return true;
}

/* marking ::= '(' number ')' */
static bool read_marking(Reader *r, PlaceId place) {
  const char *name = r->places.strings.at[place.v];
  uint32_t tokens;
  if (peek(r) != '(') return true;
  r->at++;
  if (!read_number(r, &tokens)) return false;
  if (peek(r) != ')') return expected(r, "')'");
  r->at++;
  if (tokens > 1)
    return fail(r, r->line,
                "place '%.200s': its initial marking is above 1, but a place of a 1-safe net holds at most 1 token",
                name);
  if (r->marked.at[place.v]) return fail(r, r->line, "place '%.200s' has its initial marking twice", name);
  r->marked.at[place.v] = true;
  net_set_marked(r->builder, place, tokens == 1);
  return true;
}

/* ---- arcs ---- */

static void add_arc(Reader *r, bool is_input, PlaceId place, TransId trans) {
  vec_push(r->heap, &r->arcs, arc_key(is_input, place.v, trans.v, r->line));
  if (is_input) net_add_input(r->builder, place, trans);
  else net_add_output(r->builder, trans, place);
}

/* weight ::= '*' number */
static bool read_weight(Reader *r) {
  uint32_t weight;
  switch (peek(r)) {
  case '?': return fail(r, r->line, "read arcs and inhibitor arcs ('?') are not read");
  case '!': return fail(r, r->line, "stopwatch arcs ('!') are not read");
  case '*': break;
  default: return true;
  }
  r->at++;
  if (!read_number(r, &weight)) return false;
  return weight == 1 || fail(r, r->line, "an arc whose weight is not 1, but arcs of a 1-safe net have the weight 1");
}

static bool at_arrow(Reader *r) { return peek(r) == '-' && r->at + 1 < r->end && r->at[1] == '>'; }

/* The nodes on one side of the arrow of the transition's line, and of the place's. */
static bool read_places(Reader *r, TransId trans, bool is_input) {
  PlaceId place;
  while (peek(r) != '\n' && !at_arrow(r)) {
    if (!read_place(r, &place) || !read_weight(r)) return false;
    add_arc(r, is_input, place, trans);
  }
  return true;
}

static bool read_transitions(Reader *r, PlaceId place, bool is_input) {
  TransId trans;
  while (peek(r) != '\n' && !at_arrow(r)) {
    if (!read_transition(r, &trans) || !read_weight(r)) return false;
    add_arc(r, is_input, place, trans);
  }
  return true;
}

static bool read_arrow(Reader *r) {
  if (!at_arrow(r)) return expected(r, "'->'");
  r->at += 2;
  return true;
}

/* ---- lines ---- */

static bool read_net_line(Reader *r) {
  if (!read_name(r, "the net's name")) return false;
  net_set_name(r->builder, r->name.at);
  return true;
}

/* 'tr' name label? interval? (place weight?)* '->' (place weight?)* */
static bool read_tr(Reader *r) {
  TransId trans;
  if (!read_transition(r, &trans) || !read_label(r) || !read_interval(r)) return false;
  if (peek(r) == '\n') return true;
  return read_places(r, trans, true) && read_arrow(r) && read_places(r, trans, false);
}

/* 'pl' name label? marking? (transition weight?)* '->' (transition weight?)* */
static bool read_pl(Reader *r) {
  PlaceId place;
  if (!read_place(r, &place) || !read_label(r) || !read_marking(r, place)) return false;
  if (peek(r) == '\n') return true;
  return read_transitions(r, place, false) && read_arrow(r) && read_transitions(r, place, true);
}

static bool read_lb(Reader *r) { return read_name(r, "a node") && read_name(r, "a label"); }

static bool read_nt(Reader *r) {
  return read_name(r, "a note") && read_name(r, "0 or 1") && read_name(r, "an annotation");
}

static bool read_pr(Reader *r) { return fail(r, r->line, "priorities ('pr') are not read"); }

typedef struct {
  const char *word;
  bool (*read)(Reader *r); /* the rest of its line */
} Line;

static const Line LINES[] = {{"net", read_net_line}, {"tr", read_tr}, {"pl", read_pl},
                             {"lb", read_lb},        {"nt", read_nt}, {"pr", read_pr}};
enum { N_LINES = sizeof LINES / sizeof *LINES };

/* The line that the whole word of that length begins; or NULL. */
static const Line *find_line(const char *word, size_t length) {
  for (int i = 0; i < N_LINES; i++)
    if (strlen(LINES[i].word) == length && memcmp(LINES[i].word, word, length) == 0) return &LINES[i];
  return NULL;
}

static size_t word_length(const char *at, const char *end) {
  size_t n = 0;
  while (at + n < end && is_name_byte(at[n])) n++;
  return n;
}

static bool read_line(Reader *r) {
  const size_t length = word_length(r->at, r->end);
  const Line *line = find_line(r->at, length);
  if (!line) return expected(r, "net, tr, pl, lb, nt or pr");
  r->at += length;
  return line->read(r) && (peek(r) == '\n' || expected(r, "the end of the line"));
}

static void skip_comment(Reader *r) {
  while (r->at < r->end && *r->at != '\n') r->at++;
}

static bool read_lines(Reader *r) {
  for (; r->at < r->end; r->at++, r->line++) {
    if (peek(r) == '#') skip_comment(r);
    else if (peek(r) != '\n' && !read_line(r)) return false;
    if (r->at == r->end) break;
  }
  return true;
}

/* ---- the whole ---- */

static bool has_mark(const char *text, size_t length) { return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0; }

bool tina_recognise(const char *text, size_t length) {
  const char *at = has_mark(text, length) ? text + 3 : text, *const end = text + length;
  for (; at < end && (is_blank(*at) || *at == '\n' || *at == '#'); at++)
    if (*at == '#')
      while (at + 1 < end && *at != '\n') at++;
  const size_t n = word_length(at, end);
  if (!find_line(at, n)) return false;
  for (at += n; at < end && is_blank(*at);) at++;
  return at < end && is_blank(at[-1]) && (is_name_byte(*at) || *at == '{');
}

static Net *finish(Reader *r) {
  NetBuilder *builder = r->builder;
  Err freezing;
  r->builder = NULL;
  Net *net = net_freeze(builder, &freezing);
  if (net) return net;
  fail(r, double_arc_find(r->arcs.at, r->arcs.n), "%.900s", freezing.text);
  return NULL;
}

static void reader_fini(Reader *r) {
  net_builder_free(r->builder);
  intern_fini(&r->places);
  intern_fini(&r->transitions);
  vec_fini(r->heap, &r->marked);
  vec_fini(r->heap, &r->arcs);
  vec_fini(r->heap, &r->name);
}

Net *tina_read(Heap *heap, const InFile *file, Err *err) {
  Reader r = {
      .heap = heap, .err = err, .file = file->name, .at = file->text, .end = file->text + file->length, .line = 1};
  r.builder = net_builder_new(heap);
  intern_init(&r.places, heap);
  intern_init(&r.transitions, heap);
  if (has_mark(r.at, file->length)) r.at += 3;
  Net *net = read_lines(&r) ? finish(&r) : NULL;
  reader_fini(&r);
  return net;
}
