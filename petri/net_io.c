#include "petri/net_io.h"

#include "petri/llnet.h"
#include "petri/net_draw.h"
#include "petri/pnml.h"
#include "petri/tapn.h"
#include "petri/tina.h"

#include <assert.h>
#include <string.h>

const NetFormatRow NET_FORMATS[] = {
    {"pnml", ".pnml .xml", "PNML, with NUPN units and annotations", true, true},
    {"ll_net", ".ll_net", "PEP's low-level nets", true, true},
    {"dot", ".dot .gv", "a drawing, for graphviz", false, true},
    {"tina", ".net", "TINA's nets, without time", true, false},
    {"tapn", ".tapn", "TAPAAL's nets, without time", true, false},
}; /* ORDER NetFormat */
_Static_assert(sizeof NET_FORMATS / sizeof *NET_FORMATS == NET_FORMAT_KINDS, "ORDER NetFormat");

/* ---- what is it? ---- */

/* Skips blanks, comments of ll_net ('%') and the mark that some editors put in front of UTF-8. */
static const char *content_start(const InFile *file) {
  const char *at = file->text, *const end = at + file->length;
  if (file->length >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) at += 3;
  for (; at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n' || *at == '%'); at++)
    if (*at == '%')
      while (at + 1 < end && *at != '\n') at++;
  return at;
}

static bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Do the `length` bytes begin with that whole word? */
static bool begins_with_word(const char *text, size_t length, const char *word) {
  const size_t n = strlen(word);
  return length >= n && memcmp(text, word, n) == 0 && (length == n || !is_word_byte(text[n]));
}

/* A guess, for the message alone. */
static bool looks_like_sml(const char *text, size_t length) {
  static const char *const words[] = {"int", "bool", "lock",    "proc",    "local",  "begin", "while",
                                      "if",  "skip", "acquire", "release", "atomic", "await", "call"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (begins_with_word(text, length, words[i])) return true;
  const bool comment = length >= 2 && text[0] == '/' && (text[1] == '/' || text[1] == '*');
  return comment || (memmem(text, length, ":=", 2) && !memchr(text, '\0', length));
}

const char *net_absence(ErrKind why) {
  return why == ERR_LIMIT ? "<!-- causalnet: no net, because of a limit -->\n"
                          : "<!-- causalnet: no net, because of an error -->\n";
}

bool net_is_absent(const InFile *file, Err *err) {
  const ErrKind kinds[] = {ERR_INPUT, ERR_LIMIT};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(file->text, net_absence(kinds[i])) != 0) continue;
    const bool was_said = strcmp(file->name, file_name("-")) == 0;
    if (was_said) err_set(err, kinds[i], "%s", "");
    else err_set(err, kinds[i], "%.300s: no net, since the program that was to write it failed", file->name);
    return true;
  }
  return false;
}

static Net *read_any(Heap *heap, const InFile *file, bool with_ids, Err *err) {
  if (net_is_absent(file, err)) return NULL;
  const char *start = content_start(file);
  const size_t length = file->length - (size_t)(start - file->text);
  const bool utf16 = length >= 2 && (memcmp(start, "\xff\xfe", 2) == 0 || memcmp(start, "\xfe\xff", 2) == 0);
  if (!length) err_set(err, ERR_INPUT, "%.300s: expected a net, but the file is empty", file->name);
  else if (tapn_recognise(file->text, file->length)) return tapn_read(heap, file, err);
  else if (*start == '<' || utf16) return with_ids ? pnml_read_with_ids(heap, file, err) : pnml_read(heap, file, err);
  else if (begins_with_word(start, length, "PEP")) return llnet_read(heap, file, err);
  else if (tina_recognise(file->text, file->length)) return tina_read(heap, file, err);
  else if (looks_like_sml(start, length))
    err_set(err, ERR_INPUT, "%.300s:1: this looks like an SML program, not a net; compile it with sml2net", file->name);
  else
    err_set(err, ERR_INPUT,
            "%.300s:1: neither PNML, which begins with '<', nor ll_net, which begins with 'PEP', nor TINA's, which "
            "begins with 'net', 'tr' or 'pl'",
            file->name);
  return NULL;
}

Net *net_read(Heap *heap, const InFile *file, Err *err) { return read_any(heap, file, false, err); }
Net *net_read_with_ids(Heap *heap, const InFile *file, Err *err) { return read_any(heap, file, true, err); }

Net *net_read_as(Heap *heap, const InFile *file, NetFormat format, Err *err) {
  if (net_is_absent(file, err)) return NULL;
  switch (format) {
  case NET_PNML: return pnml_read(heap, file, err);
  case NET_LL_NET: return llnet_read(heap, file, err);
  case NET_TINA: return tina_read(heap, file, err);
  case NET_TAPN: return tapn_read(heap, file, err);
  case NET_DOT: break;
  }
  assert(NET_FORMATS[format].reads);
  return NULL;
}

/* ---- out ---- */

typedef struct {
  Heap *heap;
  const Net *net;
  NetFormat format;
} Writing;

static bool write_body(void *argument, FILE *out, Err *err) {
  const Writing *writing = argument;
  if (writing->format == NET_DOT) return net_write_dot(writing->heap, writing->net, out, err);
  if (writing->format == NET_LL_NET) llnet_write(writing->net, out);
  else pnml_write(writing->net, out);
  return true;
}

bool net_write(Heap *heap, const Net *net, NetFormat format, const char *path, Err *err) {
  Writing writing = {heap, net, format};
  return file_write(heap, path, write_body, &writing, err);
}
