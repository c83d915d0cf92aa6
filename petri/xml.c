/* The one file that knows libxml2, which is loaded when there is something to read: its SAX2 parser in front of a
 * handler.
 *
 * A callback must not leave the parser by longjmp, so each runs in a heap_try of its own; when memory runs out, or the
 * document is wrong, the parser is told to stop, and what follows happens after it is gone. Its memory is not the
 * heap's. Entities: the parser is asked neither to substitute nor to load anything, and a file that declares something
 * does not reach it; so no entity but the five of XML itself is ever expanded. The limits that XML_PARSE_HUGE lifts are
 * on lengths, which do no harm here; depth has its own, and what costs more than its length is found by xml_scan.h. */
#include "petri/xml.h"

#include "base/arena.h"
#include "base/library.h"
#include "petri/xml_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

/* What is used of it. */
#define LIBXML(X)                \
  X(xmlSetStructuredErrorFunc)   \
  X(__xmlStructuredError)        \
  X(__xmlStructuredErrorContext) \
  X(xmlCreateMemoryParserCtxt)   \
  X(xmlCtxtUseOptions)           \
  X(xmlParseDocument)            \
  X(xmlStopParser)               \
  X(xmlFreeDoc)                  \
  X(xmlFreeParserCtxt)

typedef struct {
  LIBXML(LIBRARY_POINTER)
} Libxml;

typedef struct {
  const Libxml *library;
  Heap *heap;
  const XmlHandler *handler;
  void *doc;
  const char *file;
  Err *err;
  Arena arena; /* of one start tag */
  uint32_t depth;
  XmlUnits units;
  xmlParserCtxt *parser;
  const xmlChar *root_uri; /* the namespace of the root element */
  bool failed, out_of_memory;
} Reader;

/* One callback's arguments, for heap_try. */
typedef struct {
  Reader *reader;
  const char *element;
  XmlAttributes attributes;
  XmlAttribute *known; /* the same */
  const char *text;
  size_t length;
  uint32_t line;
  bool done;
} Call;

static void stop(Reader *reader) {
  reader->failed = true;
  reader->library->xmlStopParser(reader->parser);
}

static void run_call(Call *call, void (*body)(void *call)) {
  Reader *reader = call->reader;
  if (reader->failed) return;
  if (!heap_try(reader->heap, body, call)) reader->out_of_memory = true;
  if (reader->out_of_memory || !call->done) stop(reader);
}

static void refuse(Reader *reader, uint32_t line, const char *what, const char *name, const char *why) {
  if (reader->failed) return;
  xml_fail(reader->file, line, reader->err, "%s '%.100s': %s", what, name, why);
  stop(reader);
}

static uint32_t current_line(const Reader *reader) {
  const int line = reader->parser->input ? reader->parser->input->line : 0;
  return line > 0 ? (uint32_t)line : 1;
}

/* The line in which the tag begins that has just been read: a tag may be spread over lines, but has only one '<'. */
static uint32_t tag_line(const Reader *reader) {
  const xmlParserInput *input = reader->parser->input;
  uint32_t line = current_line(reader);
  const xmlChar *from = input->cur;
  while (from > input->base && from[-1] != '<') from--;
  if (from == input->base) return line;
  while ((from = memchr(from, '\n', (size_t)(input->cur - from)))) from++, line--;
  return line;
}

/* A parser that does not substitute entities leaves one trace: '&' comes as "&#38;" in attributes, however it was
 * written. */
static void decode_ampersands(Arena *arena, XmlAttribute *a) {
  static const char coded[] = "&#38;";
  const char *from = a->value, *const end = a->value + a->length, *at;
  if (!memchr(from, '&', a->length)) return;
  char *result = arena_alloc(arena, a->length);
  a->value = result;
  while ((at = memmem(from, (size_t)(end - from), coded, sizeof coded - 1))) {
    memcpy(result, from, (size_t)(at + 1 - from));
    result += at + 1 - from;
    from = at + sizeof coded - 1;
  }
  memcpy(result, from, (size_t)(end - from));
  a->length = (size_t)(result + (end - from) - a->value);
}

static bool is_same(const xmlChar *a, const xmlChar *b) {
  return a == b || (a && b && strcmp((const char *)a, (const char *)b) == 0);
}

static void start_body(void *argument) {
  Call *call = argument;
  Reader *reader = call->reader;
  const bool wants = reader->handler->wants(reader->doc);
  for (uint32_t i = 0; i < call->attributes.n && wants; i++) decode_ampersands(&reader->arena, &call->known[i]);
  call->done = reader->handler->start(reader->doc, call->element, call->attributes, call->line);
}

/* Attributes come as name, prefix, namespace, value, its end. */
static void on_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int n_namespaces,
                     const xmlChar **namespaces, int n_attributes, int n_defaulted, const xmlChar **attributes) {
  (void)n_namespaces, (void)namespaces, (void)n_defaulted;
  Reader *reader = context;
  XmlAttribute known[XML_MOST_ATTRIBUTES];
  Call call = {.reader = reader, .element = (const char *)name, .line = tag_line(reader)};
  call.attributes.at = call.known = known;
  for (int i = 0; i < n_attributes; i++) {
    const xmlChar **a = attributes + 5 * i;
    if (a[1]) continue;
    if (call.attributes.n == XML_MOST_ATTRIBUTES) {
      refuse(reader, call.line, "element", call.element, "it has more than 32 attributes");
      return;
    }
    known[call.attributes.n++] = (XmlAttribute){(const char *)a[0], (const char *)a[3], (size_t)(a[4] - a[3])};
  }
  if (reader->depth++ == 0) reader->root_uri = uri;
  if (prefix && !is_same(uri, reader->root_uri)) call.element = ""; /* of another language: in no table */
  run_call(&call, start_body);
}

static void text_body(void *argument) {
  Call *call = argument;
  call->reader->handler->text(call->reader->doc, call->text, call->length);
  call->done = true;
}

static void on_text(void *context, const xmlChar *text, int length) {
  Reader *reader = context;
  if (length <= 0 || reader->failed || !reader->handler->wants_text(reader->doc)) return;
  run_call(&(Call){.reader = reader, .text = (const char *)text, .length = (size_t)length}, text_body);
}

static void end_body(void *argument) {
  Call *call = argument;
  call->reader->depth--;
  call->done = call->reader->handler->end(call->reader->doc);
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
  (void)name, (void)prefix, (void)uri;
  run_call(&(Call){.reader = context}, end_body);
}

/* ---- what is refused ---- */

static void on_reference(void *context, const xmlChar *name) {
  Reader *reader = context;
  refuse(reader, current_line(reader), "entity", (const char *)name, "it is not declared");
}

/* After the XML declaration. */
static void on_document(void *context) {
  Reader *reader = context;
  const xmlParserCtxt *parser = reader->parser;
  const xmlChar *declared = parser->input && parser->input->encoding ? parser->input->encoding : parser->encoding;
  const char *encoding = (const char *)declared;
  if (encoding && !xml_encoding_fits(reader->units, encoding))
    refuse(reader, 1, "encoding", encoding, "not supported; use UTF-8");
}

/* The parser is in the midst of something, and would not survive being stopped here. */
static void fail_parsing(Reader *reader, const xmlError *error) {
  reader->failed = true;
  if (error->code == XML_ERR_NO_MEMORY) {
    reader->out_of_memory = true;
  } else {
    const char *message = error->message ? error->message : "unknown error";
    const size_t length = strcspn(message, "\n");
    const uint32_t line = error->line > 0 ? (uint32_t)error->line : 1;
    xml_fail(reader->file, line, reader->err, "not well-formed XML: %.*s", (int)(length < 300 ? length : 300), message);
  }
}

/* Errors of the parser: the first that it cannot go on from. Others (a namespace without a declaration) do not
 * matter. */
static void on_error(void *context, xmlErrorPtr error) {
  Reader *reader = context;
  if (!reader->failed && error->level == XML_ERR_FATAL) fail_parsing(reader, error);
}

/* What libxml2 says outside of the parser, and would print by itself: bytes that are no characters of the encoding. */
static void on_outer_error(void *context, xmlErrorPtr error) {
  Reader *reader = context;
  if (!reader->failed && error->level >= XML_ERR_ERROR) fail_parsing(reader, error);
}

static const xmlSAXHandler SAX = {
    .initialized = XML_SAX2_MAGIC,
    .startElementNs = on_start,
    .endElementNs = on_end,
    .characters = on_text,
    .cdataBlock = on_text,
    .ignorableWhitespace = on_text,
    .startDocument = on_document,
    .reference = on_reference,
    .serror = on_error,
};

/* ---- reading ---- */

/* Runs the parser over the whole text. False if it failed; the parser is gone in any case. */
static bool parse(Reader *reader, const InFile *file) {
  const Libxml *library = reader->library;
  xmlParserCtxt *parser = library->xmlCreateMemoryParserCtxt(file->text, (int)file->length);
  if (!parser) {
    reader->out_of_memory = true;
    return false;
  }
  reader->parser = parser;
  library->xmlCtxtUseOptions(parser, XML_PARSE_NONET | XML_PARSE_HUGE);
  *parser->sax = SAX;
  parser->userData = reader;
  library->xmlParseDocument(parser);
  const bool good = parser->wellFormed && !reader->failed;
  if (parser->myDoc) library->xmlFreeDoc(parser->myDoc);
  parser->myDoc = NULL;
  library->xmlFreeParserCtxt(parser);
  return good;
}

/* The same, while what libxml2 would print by itself comes to us, and not to whoever else uses it in this thread. */
static bool parse_quietly(Reader *reader, const InFile *file) {
  const Libxml *library = reader->library;
  const xmlStructuredErrorFunc before = *library->__xmlStructuredError();
  void *const context = *library->__xmlStructuredErrorContext();
  library->xmlSetStructuredErrorFunc(reader, on_outer_error);
  const bool good = parse(reader, file);
  library->xmlSetStructuredErrorFunc(context, before);
  return good && !reader->failed;
}

static bool load(const InFile *file, const char *what, Libxml *library, Err *err) {
  const LibraryName names[] = {LIBXML(LIBRARY_NAME)};
  Err why;
  return library_load(LIBXML2, names, sizeof names / sizeof *names, &why) ||
         err_set(err, ERR_LIMIT, "%.300s: %s is not read: %s", file->name, what, why.text);
}

_Static_assert(FILE_MOST < 0x7fffffff, "libxml2 counts bytes in an int");

static bool check_size(const InFile *file, Err *err) {
  if (file->length == 0) return err_set(err, ERR_INPUT, "%.300s: the file is empty", file->name);
  return true;
}

bool xml_read(Heap *heap, const InFile *file, const XmlHandler *handler, void *doc, Err *err) {
  Libxml library;
  if (!check_size(file, err) || !load(file, handler->what, &library, err)) return false;
  Reader reader = {.library = &library,
                   .heap = heap,
                   .handler = handler,
                   .doc = doc,
                   .file = file->name,
                   .err = err,
                   .units = xml_units(file)};
  arena_init(&reader.arena, heap);
  const bool good = xml_scan(file, reader.units, err) && parse_quietly(&reader, file);
  arena_fini(&reader.arena);
  if (reader.out_of_memory) heap_pass_on(heap);
  return good;
}

/* ---- for handlers ---- */

const XmlAttribute *xml_attribute(XmlAttributes attributes, const char *name) {
  for (uint32_t i = 0; i < attributes.n; i++)
    if (strcmp(attributes.at[i].name, name) == 0) return &attributes.at[i];
  return NULL;
}

bool xml_attribute_is(XmlAttributes attributes, const char *name, const char *value) {
  const XmlAttribute *a = xml_attribute(attributes, name);
  return a && a->length == strlen(value) && memcmp(a->value, value, a->length) == 0;
}

bool xml_fail(const char *file, uint32_t line, Err *err, const char *format, ...) {
  char text[sizeof err->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = '?';
  return err_set(err, ERR_INPUT, "%.300s:%u: %s", file, line, text);
}
