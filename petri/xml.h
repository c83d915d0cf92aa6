/* xml.h: XML files, element by element. No file but the one that is read is ever opened, and no entity expanded but the
 * five of XML itself. */
#ifndef PETRI_XML_H
#define PETRI_XML_H

#include "base/file.h"

/* An attribute: `length` bytes, not NUL-terminated. */
typedef struct {
  const char *name; /* NUL-terminated */
  const char *value;
  size_t length;
} XmlAttribute;

/* The attributes of one element, without those of other namespaces. They live as long as its start is looked at. */
typedef struct {
  const XmlAttribute *at;
  uint32_t n;
} XmlAttributes;

/* Who is told of a document. After false, which comes with ERR_INPUT, the reading ends. Each may leave the heap_try(),
 * but `wants` and `wants_text`. */
typedef struct {
  const char *what;               /* is read, for messages: "PNML" */
  bool (*wants)(const void *doc); /* is anything looked at of the next element? */
  bool (*start)(void *doc, const char *element, XmlAttributes attributes, uint32_t line); /* "": of another namespace */
  bool (*wants_text)(const void *doc);                      /* is the text that comes next wanted? */
  void (*text)(void *doc, const char *text, size_t length); /* in one or several pieces */
  bool (*end)(void *doc);                                   /* of the element that was started last and has not ended */
} XmlHandler;

/* Reads the file. False, with *err, if the handler said so, if it is no well-formed XML or one that could cost more
 * time than its length (xml_scan.h), ERR_INPUT with "file:line: ...", or if libxml2 cannot be loaded, ERR_LIMIT. */
bool xml_read(Heap *heap, const InFile *file, const XmlHandler *handler, void *doc, Err *err);

/* The attribute of that name, or NULL; and whether there is one of that value. */
const XmlAttribute *xml_attribute(XmlAttributes attributes, const char *name);
bool xml_attribute_is(XmlAttributes attributes, const char *name, const char *value);

/* Sets *err to "file:line: ..." and returns false. Control characters are shown as '?'. */
bool xml_fail(const char *file, uint32_t line, Err *err, const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
