/* xml_scan.h: a look at the bytes of an XML file before libxml2 reads them, for what would cost it too much time,
 * or what it lets pass. */
#ifndef PETRI_XML_SCAN_H
#define PETRI_XML_SCAN_H

#include "base/file.h"

/* Of one tag, namespaces included. */
enum { XML_MOST_ATTRIBUTES = 32 };

/* How the characters of markup are written: a byte each, as in UTF-8 and all that is like ASCII; or UTF-16. */
typedef enum { XML_BYTES, XML_UTF16_LE, XML_UTF16_BE } XmlUnits;

/* Detected from the first two bytes: a byte order mark, or a '<' with a NUL beside it. XML_BYTES for all else. */
XmlUnits xml_units(const InFile *file);

/* May a file of such units declare that encoding? Only of those that can is xml_scan's word good. */
bool xml_encoding_fits(XmlUnits units, const char *encoding);

/* False, with ERR_INPUT ("file:line: ..."), if there is a NUL, half a character or half a pair of UTF-16, a tag with
 * too many attributes, a DOCTYPE with declarations in it, or if the first character that is no blank is no '<'. That
 * the XML is well-formed else is not looked at. */
bool xml_scan(const InFile *file, XmlUnits units, Err *err);

#endif
