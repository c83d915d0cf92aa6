/* One pass over the text. What a letter in a line means is in tables, one per section; what is not in them is an error.
 */
#include "petri/llnet.h"

#include "base/hash.h"
#include "base/vec.h"
#include "petri/double_arc.h"

#include <stdarg.h>
#include <string.h>

enum { MAX_NUMBER = 2147483647 };

/* ---- numbers of nodes ---- */

/* From the number of a node in the file to its index in the net: open addressing, at most half full. */
typedef struct {
  uint32_t number, index; /* number 0: a free slot, since nodes are counted from 1 */
} NumberSlot;

typedef struct {
  NumberSlot *slots;
  uint32_t n_slots, n;
  bool positions; /* all numbers so far were positions */
} Numbers;

static NumberSlot *find_number(const Numbers *numbers, uint32_t number) {
  const uint32_t mask = numbers->n_slots - 1;
  uint32_t i = (uint32_t)hash_word(number) & mask;
  while (numbers->slots[i].number && numbers->slots[i].number != number) i = (i + 1) & mask;
  return &numbers->slots[i];
}

static void grow_numbers(Heap *heap, Numbers *numbers) {
  const Numbers old = *numbers;
  numbers->n_slots = old.n_slots ? old.n_slots * 2 : 64;
  numbers->slots = heap_zeroed(heap, heap_product(heap, numbers->n_slots, sizeof *numbers->slots));
  for (uint32_t i = 0; i < old.n_slots; i++)
    if (old.slots[i].number) *find_number(numbers, old.slots[i].number) = old.slots[i];
  heap_release(heap, old.slots);
}

/* ---- the reader ---- */

typedef struct {
  Heap *heap;
  Err *err;
  const char *file;
  const char *at, *end;
  uint32_t line;
  NetBuilder *builder;
  Numbers places, transitions;
  uint32_t n_phantoms;
  VEC(ArcKey) arcs; /* with their lines */
  int64_t default_weight;
  CharVec name;
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

/* ---- characters ---- */

/* Skips blanks and a comment; stops before the line's end. */
static void skip_blanks(Reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')) r->at++;
  if (r->at < r->end && *r->at == '%')
    while (r->at < r->end && *r->at != '\n') r->at++;
}

/* The next character of this line that is no blank; '\n' at its end. */
static char peek(Reader *r) {
  skip_blanks(r);
  return r->at < r->end ? *r->at : '\n';
}

static bool at_end(const Reader *r) { return r->at >= r->end; }

static void next_line(Reader *r) {
  if (at_end(r)) return;
  r->at++;
  r->line++;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/* What stands there, to be shown: a word of at most 30 bytes. */
static int shown_length(const Reader *r, const char *at) {
  int n = 0;
  while (n < 30 && at + n < r->end && !strchr(" \t\r\n%", at[n])) n++;
  return n;
}

static bool expected(Reader *r, const char *what) {
  const int length = shown_length(r, r->at);
  if (!length) return fail(r, r->line, "expected %s, found the end of the line", what);
  return fail(r, r->line, "expected %s, found '%.*s'", what, length, r->at);
}

/* Numbers that are too large are all the same one, which is refused or skipped. */
static bool read_number(Reader *r, int64_t *number) {
  const bool negative = peek(r) == '-';
  if (negative) r->at++;
  if (at_end(r) || !is_digit(*r->at)) return expected(r, "a number");
  int64_t value = 0;
  for (; !at_end(r) && is_digit(*r->at); r->at++)
    if (value <= MAX_NUMBER) value = value * 10 + (*r->at - '0');
  *number = negative ? -value : value;
  return true;
}

static bool read_coordinates(Reader *r) {
  int64_t number;
  if (!read_number(r, &number)) return false;
  if (peek(r) != '@') return expected(r, "'@'");
  r->at++;
  return read_number(r, &number);
}

/* A quoted string, which may go over several lines. */
static bool read_string(Reader *r, const char **text, size_t *length) {
  const char quote = peek(r);
  const uint32_t line = r->line;
  if (quote != '"' && quote != '\'') return expected(r, "a string");
  const char *const from = ++r->at, *const to = memchr(from, quote, (size_t)(r->end - from));
  if (!to) return fail(r, line, "unterminated string");
  if (memchr(from, '\0', (size_t)(to - from))) return fail(r, line, "a NUL byte in a string");
  for (const char *c = from; (c = memchr(c, '\n', (size_t)(to - c))); c++) r->line++;
  r->at = to + 1;
  *text = from;
  *length = (size_t)(to - from);
  return true;
}

/* ---- fields ---- */

/* The letters of a section's fields, by what follows the letter. */
typedef struct {
  const char *strings, *numbers, *coordinates, *flags;
  const char *high_level; /* not to be read */
} Fields;

static const Fields place_fields = {"bRuT", "mkvstc", "nNaAB", "ex", "Zzy"};
static const Fields transition_fields = {"buPRT", "vstc", "nNaAhHj", "Sr", "gi"};
static const Fields arc_fields = {"", "vtc", "J,nNqQ", "", "p"};
static const Fields default_fields = {"", "st", "na", "", ""};

/* A field that does not matter. */
static bool skip_field(Reader *r, const Fields *fields) {
  const char letter = *r->at;
  const char *text;
  size_t length;
  int64_t number;
  if (!letter || strchr(fields->high_level, letter)) {
    if (letter)
      return fail(r, r->line, "field '%c': part of a high-level net; only place/transition nets are supported", letter);
  } else {
    r->at++;
    if (strchr(fields->strings, letter)) return read_string(r, &text, &length);
    if (strchr(fields->numbers, letter)) return read_number(r, &number);
    if (strchr(fields->coordinates, letter)) return read_coordinates(r);
    if (strchr(fields->flags, letter)) return true;
    r->at--;
  }
  return fail(r, r->line, "unknown field '%.*s'", shown_length(r, r->at), r->at);
}

/* ---- nodes ---- */

typedef struct {
  int64_t number; /* 0: none */
  const char *name;
  size_t length;
  int64_t tokens;
  uint32_t line;
} Node;

/* node ::= (number | x '@' y | string | 'M' number | field)* newline */
static bool read_node(Reader *r, const Fields *fields, bool is_place, Node *node) {
  const char *const kind = is_place ? "place" : "transition";
  int64_t number;
  *node = (Node){.line = r->line};
  for (char c; (c = peek(r)) != '\n';) {
    if (is_digit(c) || c == '-') {
      if (!read_number(r, &number)) return false;
      if (peek(r) == '@') {
        r->at++;
        if (!read_number(r, &number)) return false;
      } else if (node->number) {
        return fail(r, r->line, "a %s with two numbers", kind);
      } else if (number <= 0 || number > MAX_NUMBER) {
        return fail(r, r->line, "%s numbers are from 1 to %d", kind, MAX_NUMBER);
      } else {
        node->number = number;
      }
    } else if (c == '"' || c == '\'') {
      if (node->name) return fail(r, r->line, "a %s with two names", kind);
      if (!read_string(r, &node->name, &node->length)) return false;
    } else if (c == 'M' && is_place) {
      r->at++;
      if (!read_number(r, &number)) return false;
      if (node->tokens == 0 || number < 0 || number > 1) node->tokens = number; /* M1 may be there twice */
    } else if (!skip_field(r, fields)) {
      return false;
    }
  }
  return true;
}

/* The node's name, NUL-terminated. */
static const char *node_name(Reader *r, char letter, const Node *node) {
  char by_number[16];
  const char *name = node->name;
  size_t length = node->length;
  if (!length) {
    length = (size_t)snprintf(by_number, sizeof by_number, "%c%u", letter, (uint32_t)node->number);
    name = by_number;
  }
  vec_clear(&r->name);
  vec_reserve(r->heap, &r->name, length + 1);
  memcpy(r->name.at, name, length);
  r->name.at[length] = '\0';
  return r->name.at;
}

/* Gives the node its number, and enters it. */
static bool number_node(Reader *r, Numbers *numbers, const char *kind, Node *node) {
  const uint32_t position = numbers->n + 1;
  if (!node->number && !numbers->positions)
    return fail(r, node->line, "a %s without a number, after others whose numbers are not their positions", kind);
  if (!node->number) node->number = position;
  numbers->positions = numbers->positions && node->number == position;
  if (position > numbers->n_slots / 2) grow_numbers(r->heap, numbers);
  NumberSlot *slot = find_number(numbers, (uint32_t)node->number);
  if (slot->number) return fail(r, node->line, "%s number %u is used twice", kind, slot->number);
  *slot = (NumberSlot){(uint32_t)node->number, numbers->n++};
  return true;
}

static bool read_place(Reader *r) {
  Node node;
  if (!read_node(r, &place_fields, true, &node) || !number_node(r, &r->places, "place", &node)) return false;
  const char *name = node_name(r, 'P', &node);
  if (node.tokens < 0) return fail(r, node.line, "place '%.200s': its initial marking is negative", name);
  if (node.tokens > 1)
    return fail(r, node.line,
                "place '%.200s': its initial marking is above 1, but a place of a 1-safe net holds at most 1 token",
                name);
  net_add_place(r->builder, name, node.tokens == 1);
  return true;
}

static bool read_transition(Reader *r) {
  Node node;
  if (!read_node(r, &transition_fields, false, &node) || !number_node(r, &r->transitions, "transition", &node))
    return false;
  net_set_line(r->builder, net_add_trans(r->builder, node_name(r, 'T', &node)), node.line);
  return true;
}

/* ---- arcs ---- */

/* Where an arc stands in the text, for messages. */
static bool fail_arc(Reader *r, const char *arc, const char *why) {
  return fail(r, r->line, "arc '%.*s': %s", shown_length(r, arc), arc, why);
}

static bool find_node(const Numbers *numbers, int64_t number, uint32_t *index) {
  const NumberSlot *slot = number > 0 && number <= MAX_NUMBER ? find_number(numbers, (uint32_t)number) : NULL;
  if (slot && slot->number) *index = slot->index;
  return slot && slot->number;
}

/* The rest of an arc's line: its weight, and fields that do not matter. */
static bool read_arc_fields(Reader *r, int64_t *weight) {
  *weight = r->default_weight;
  for (char c; (c = peek(r)) != '\n';) {
    if (c == 'w') {
      r->at++;
      if (!read_number(r, weight)) return false;
    } else if (!skip_field(r, &arc_fields)) {
      return false;
    }
  }
  return true;
}

/* arc ::= transition '<' place field* newline | place '>' transition field* newline */
static bool read_arc(Reader *r, bool is_input) {
  const char *const arc = r->at;
  int64_t from, to, weight;
  uint32_t place = 0, trans = 0;
  if (!read_number(r, &from)) return false;
  if (peek(r) != (is_input ? '>' : '<')) return expected(r, is_input ? "'>'" : "'<'");
  r->at++;
  if (!read_number(r, &to) || !read_arc_fields(r, &weight)) return false;
  if (!find_node(&r->places, is_input ? from : to, &place)) return fail_arc(r, arc, "its place does not exist");
  if (!find_node(&r->transitions, is_input ? to : from, &trans))
    return fail_arc(r, arc, "its transition does not exist");
  if (weight != 1) return fail_arc(r, arc, "its weight is not 1, but arcs of a 1-safe net have the weight 1");
  vec_push(r->heap, &r->arcs, arc_key(is_input, place, trans, r->line));
  if (is_input) net_add_input(r->builder, (PlaceId){place}, (TransId){trans});
  else net_add_output(r->builder, (TransId){trans}, (PlaceId){place});
  return true;
}

static bool read_output(Reader *r) { return read_arc(r, false); }
static bool read_input(Reader *r) { return read_arc(r, true); }

/* ---- sections ---- */

static bool read_defaults(Reader *r) {
  while (peek(r) != '\n')
    if (!skip_field(r, &default_fields)) return false;
  return true;
}

static bool read_arc_defaults(Reader *r) {
  while (peek(r) != '\n') {
    if (*r->at != 'w') {
      if (!skip_field(r, &default_fields)) return false;
      continue;
    }
    r->at++;
    if (!read_number(r, &r->default_weight)) return false;
  }
  return true;
}

/* A line of which only the strings must be whole, since they may hold line ends. */
static bool skip_line(Reader *r) {
  const char *text;
  size_t length;
  for (char c; (c = peek(r)) != '\n';) {
    if (c != '"' && c != '\'') r->at++;
    else if (!read_string(r, &text, &length)) return false;
  }
  return true;
}

static bool skip_phantom(Reader *r) {
  r->n_phantoms++;
  return skip_line(r);
}

static bool refuse_line(Reader *r) { return fail(r, r->line, "read arcs and reset arcs (RD, RS) are not read"); }

typedef struct {
  const char *keyword;
  bool needed, on_line;    /* its content follows on the keyword's line */
  bool (*read)(Reader *r); /* one line of it, up to its end */
} Section;

/* In the order in which they stand. */
static const Section sections[] = {
    {"DBL", false, true, read_defaults},     {"DPL", false, true, read_defaults}, {"DTR", false, true, read_defaults},
    {"DPT", false, true, read_arc_defaults}, {"BL", false, false, skip_line},     {"PL", true, false, read_place},
    {"TR", true, false, read_transition},    {"PTR", false, false, skip_phantom}, {"TP", true, false, read_output},
    {"PT", true, false, read_input},         {"RD", false, false, refuse_line},   {"RS", false, false, refuse_line},
    {"PTP", false, false, skip_line},        {"PPT", false, false, skip_line},    {"TX", false, false, skip_line},
};
enum { N_SECTIONS = sizeof sections / sizeof *sections };

/* Two capitals begin a section, and nothing else begins with them. */
static bool at_keyword(Reader *r) { return is_upper(peek(r)) && r->at + 1 < r->end && is_upper(r->at[1]); }

/* A word of capitals, digits and '_': its length, from where the reader stands. */
static size_t word_length(const Reader *r) {
  size_t n = 0;
  while (r->at + n < r->end &&
         (is_upper(r->at[n]) || is_digit(r->at[n]) || r->at[n] == '_' || (r->at[n] >= 'a' && r->at[n] <= 'z')))
    n++;
  return n;
}

static bool is_word(const Reader *r, size_t length, const char *word) {
  return length == strlen(word) && memcmp(r->at, word, length) == 0;
}

/* Finds the section that begins here among those from `from` on. None may be left out that is needed. */
static bool find_section(Reader *r, uint32_t from, uint32_t *section) {
  size_t length = 0;
  while (r->at + length < r->end && is_upper(r->at[length])) length++;
  uint32_t i = from;
  while (i < N_SECTIONS && !is_word(r, length, sections[i].keyword)) i++;
  if (i == N_SECTIONS) {
    for (i = 0; i < from && !is_word(r, length, sections[i].keyword);) i++;
    return fail(r, r->line, i < from ? "section '%.*s' is out of order, or a duplicate" : "unknown section '%.*s'",
                (int)(length < 30 ? length : 30), r->at);
  }
  for (uint32_t k = from; k < i; k++)
    if (sections[k].needed)
      return fail(r, r->line, "section '%s' is missing before '%s'", sections[k].keyword, sections[i].keyword);
  r->at += length;
  *section = i;
  return true;
}

static bool end_line(Reader *r) {
  if (peek(r) != '\n')
    return fail(r, r->line, "expected the end of the line, found '%.*s'", shown_length(r, r->at), r->at);
  next_line(r);
  return true;
}

static bool read_section(Reader *r, const Section *section) {
  if (section->on_line) return section->read(r) && end_line(r);
  if (!end_line(r)) return false;
  while (!at_end(r) && !at_keyword(r)) {
    if (peek(r) != '\n' && !section->read(r)) return false;
    next_line(r);
  }
  return true;
}

static bool read_sections(Reader *r) {
  uint32_t next = 0;
  for (;;) {
    while (!at_end(r) && peek(r) == '\n') next_line(r);
    if (at_end(r)) break;
    uint32_t section = 0;
    if (!at_keyword(r)) return expected(r, "a section (PL, ...)");
    if (!find_section(r, next, &section) || !read_section(r, &sections[section])) return false;
    next = section + 1;
  }
  for (uint32_t k = next; k < N_SECTIONS; k++)
    if (sections[k].needed) return fail(r, r->line, "the file ends before the section '%s'", sections[k].keyword);
  return true;
}

/* One of the words, on a line of its own. */
static bool read_header(Reader *r, const char *word, const char *other) {
  while (!at_end(r) && peek(r) == '\n') next_line(r);
  const size_t length = word_length(r);
  if (!is_word(r, length, word) && !is_word(r, length, other)) {
    const int shown = shown_length(r, r->at);
    return fail(r, r->line, "expected '%s', found %s%.*s%s; an ll_net begins with the lines PEP, PTNet, FORMAT_N", word,
                shown ? "'" : "the end of the file", shown, r->at, shown ? "'" : "");
  }
  r->at += length;
  return end_line(r);
}

/* ---- the net ---- */

static void reader_fini(Reader *r) {
  net_builder_free(r->builder);
  heap_release(r->heap, r->places.slots);
  heap_release(r->heap, r->transitions.slots);
  vec_fini(r->heap, &r->arcs);
  vec_fini(r->heap, &r->name);
}

static Net *finish(Reader *r) {
  NetBuilder *builder = r->builder;
  net_set_phantoms(builder, r->n_phantoms);
  r->builder = NULL;
  Err freezing;
  Net *net = net_freeze(builder, &freezing);
  if (net) return net;
  fail(r, double_arc_find(r->arcs.at, r->arcs.n), "%.900s", freezing.text);
  return NULL;
}

Net *llnet_read(Heap *heap, const InFile *file, Err *err) {
  Reader r = {
      .heap = heap, .err = err, .file = file->name, .at = file->text, .end = file->text + file->length, .line = 1};
  r.default_weight = 1;
  r.places.positions = r.transitions.positions = true;
  r.builder = net_builder_new(heap);
  grow_numbers(heap, &r.places);
  grow_numbers(heap, &r.transitions);
  if (file->length >= 3 && memcmp(r.at, "\xef\xbb\xbf", 3) == 0) r.at += 3; /* some editors put this in front */
  const bool good = read_header(&r, "PEP", "PEP") && read_header(&r, "PTNet", "PetriBox") &&
                    read_header(&r, "FORMAT_N", "FORMAT_N2") && read_sections(&r);
  Net *net = good ? finish(&r) : NULL;
  reader_fini(&r);
  return net;
}
