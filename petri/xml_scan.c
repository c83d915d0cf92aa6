/* The markup is found as a parser finds it: a tag ends at the '>' that stands in no quotation marks; comments, CDATA
 * and processing instructions end at their own ends. Where the XML is not well-formed the scan may see something
 * else than the parser, which stops there. */
#include "petri/xml_scan.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

typedef struct {
  const InFile *file;
  const uint8_t *at, *end; /* units that are yet to be looked at */
  XmlUnits units;
  uint32_t width; /* bytes of a unit */
  Err *err;
} Scan;

static Scan begin(const InFile *file, XmlUnits units, Err *err) {
  const uint8_t *at = (const uint8_t *)file->text;
  const uint32_t width = units == XML_BYTES ? 1 : 2;
  return (Scan){file, at, at + file->length / width * width, units, width, err};
}

/* ---- units ---- */

static bool at_end(const Scan *scan) { return scan->at >= scan->end; }
static void step(Scan *scan) { scan->at += scan->width; }

/* The next unit; 0 at the end. */
static uint32_t peek(const Scan *scan) {
  if (at_end(scan)) return 0;
  switch (scan->units) {
  case XML_BYTES: return scan->at[0];
  case XML_UTF16_LE: return scan->at[0] | (uint32_t)scan->at[1] << 8;
  case XML_UTF16_BE: return scan->at[1] | (uint32_t)scan->at[0] << 8;
  }
  return 0;
}

static bool fail(const Scan *scan, const char *what) {
  Scan before = begin(scan->file, scan->units, scan->err);
  uint32_t line = 1;
  for (; before.at < scan->at; step(&before)) line += peek(&before) == '\n';
  return err_set(scan->err, ERR_INPUT, "%.300s:%u: %s", scan->file->name, line, what);
}

/* Passes the word, if it stands there. */
static bool take(Scan *scan, const char *word) {
  Scan ahead = *scan;
  for (; *word && peek(&ahead) == (uint8_t)*word; word++) step(&ahead);
  if (!*word) scan->at = ahead.at;
  return !*word;
}

static void skip_behind(Scan *scan, const char *word) {
  while (!at_end(scan) && !take(scan, word)) step(scan);
}

static void skip_blanks(Scan *scan) {
  while (peek(scan) && peek(scan) < 0x80 && strchr(" \t\r\n", (int)peek(scan))) step(scan);
}

/* Passes what stands in quotation marks, from the first of them on. */
static void skip_quoted(Scan *scan) {
  const uint32_t quote = peek(scan);
  do step(scan);
  while (!at_end(scan) && peek(scan) != quote);
}

static bool is_quote(uint32_t unit) { return unit == '"' || unit == '\''; }

/* ---- characters ---- */

static bool is_high(uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
static bool is_low(uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

static bool check_pairs(Scan scan) {
  for (; !at_end(&scan); step(&scan)) {
    const uint32_t unit = peek(&scan);
    if (!unit) return fail(&scan, "not well-formed XML: a NUL");
    if (is_high(unit)) step(&scan);
    if (is_high(unit) ? !is_low(peek(&scan)) : is_low(unit))
      return fail(&scan, "not well-formed XML: half a pair of UTF-16 (a lone surrogate)");
  }
  return scan.file->length % 2 == 0 || fail(&scan, "not well-formed XML: it ends with half a character of UTF-16");
}

static bool check_characters(Scan scan) {
  if (scan.units != XML_BYTES) return check_pairs(scan);
  const uint8_t *nul = memchr(scan.at, '\0', (size_t)(scan.end - scan.at));
  if (nul) scan.at = nul;
  return !nul || fail(&scan, "not well-formed XML: a NUL byte");
}

/* ---- markup ---- */

static bool scan_tag(Scan *scan) {
  const Scan start = *scan;
  uint32_t n_attributes = 0;
  for (uint32_t unit; !at_end(scan) && (unit = peek(scan)) != '>'; step(scan)) {
    if (is_quote(unit)) skip_quoted(scan);
    n_attributes += unit == '=';
    if (n_attributes > XML_MOST_ATTRIBUTES) return fail(&start, "the tag has more than 32 attributes");
  }
  return true;
}

static const char DECLARATIONS[] = "declarations in the DOCTYPE are not allowed";

static bool scan_doctype(Scan *scan) {
  for (uint32_t unit; !at_end(scan) && (unit = peek(scan)) != '>'; step(scan)) {
    if (is_quote(unit)) skip_quoted(scan);
    if (unit == '[') return fail(scan, DECLARATIONS);
  }
  return true;
}

static bool scan_markup(Scan *scan) {
  while (!at_end(scan)) {
    if (peek(scan) != '<') step(scan);
    else if (take(scan, "<!--")) skip_behind(scan, "-->");
    else if (take(scan, "<![CDATA[")) skip_behind(scan, "]]>");
    else if (take(scan, "<?")) skip_behind(scan, "?>");
    else if (take(scan, "<!") ? !scan_doctype(scan) : !scan_tag(scan)) return false;
  }
  return true;
}

/* ---- all of it ---- */

XmlUnits xml_units(const InFile *file) {
  static const struct {
    const char *bytes;
    XmlUnits units;
  } BEGINNINGS[] = {
      {"\xff\xfe", XML_UTF16_LE}, {"<\0", XML_UTF16_LE}, {"\xfe\xff", XML_UTF16_BE}, {"\0<", XML_UTF16_BE}};
  for (size_t i = 0; file->length >= 2 && i < sizeof BEGINNINGS / sizeof *BEGINNINGS; i++)
    if (memcmp(file->text, BEGINNINGS[i].bytes, 2) == 0) return BEGINNINGS[i].units;
  return XML_BYTES;
}

bool xml_encoding_fits(XmlUnits units, const char *encoding) {
  static const char *const BYTES[] = {"UTF-8",     "UTF8",  "ASCII",       "US-ASCII", "ISO-8859-", "ISO8859-",
                                      "ISO_8859-", "LATIN", "WINDOWS-125", "CP125",    "KOI8-"};
  if (units != XML_BYTES) return strncasecmp(encoding, "UTF-16", 6) == 0;
  for (size_t i = 0; i < sizeof BYTES / sizeof *BYTES; i++)
    if (strncasecmp(encoding, BYTES[i], strlen(BYTES[i])) == 0) return true;
  return false;
}

bool xml_scan(const InFile *file, XmlUnits units, Err *err) {
  Scan scan = begin(file, units, err);
  if (!check_characters(scan)) return false;
  if (units == XML_BYTES) take(&scan, "\xef\xbb\xbf");
  else if (peek(&scan) == 0xfeff) step(&scan);
  skip_blanks(&scan);
  return peek(&scan) == '<' ? scan_markup(&scan) : fail(&scan, "not well-formed XML: expected '<'");
}
