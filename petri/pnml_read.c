#include "petri/pnml.h"

#include "petri/pnml_doc.h"

static bool wants(const void *doc) { return !((const PnmlDoc *)doc)->skipped; }
static bool start(void *doc, const char *element, XmlAttributes attributes, uint32_t line) {
  return pnml_doc_start(doc, element, attributes, line);
}
static bool wants_text(const void *doc) { return pnml_doc_wants_text(doc); }
static void text(void *doc, const char *text, size_t length) { pnml_doc_text(doc, text, length); }
static bool end(void *doc) { return pnml_doc_end(doc); }

static const XmlHandler HANDLER = {"PNML", wants, start, wants_text, text, end};

static Net *read_net(Heap *heap, const InFile *file, bool with_ids, Err *err) {
  PnmlDoc doc;
  pnml_doc_init(&doc, heap, file->name, err);
  doc.keeps_ids = with_ids;
  Net *net = xml_read(heap, file, &HANDLER, &doc, err) ? pnml_doc_finish(&doc) : NULL;
  pnml_doc_fini(&doc);
  return net;
}

Net *pnml_read(Heap *heap, const InFile *file, Err *err) { return read_net(heap, file, false, err); }
Net *pnml_read_with_ids(Heap *heap, const InFile *file, Err *err) { return read_net(heap, file, true, err); }
