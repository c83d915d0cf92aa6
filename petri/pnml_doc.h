/* pnml_doc.h: the inside of the PNML reader: what the elements of a document mean, apart from the XML parser
 * (petri/xml.h).
 *
 * The parser calls pnml_doc_start, _text and _end, which collect the nodes in a builder, and everything that may name a
 * node that stands further down (arcs, references, units) in lists; pnml_doc_finish resolves these and makes the net.
 */
#ifndef PETRI_PNML_DOC_H
#define PETRI_PNML_DOC_H

#include "base/intern.h"
#include "petri/net.h"
#include "petri/xml.h"

enum { PNML_MAX_DEPTH = 256 };

/* What an id stands for. */
typedef enum { ID_UNKNOWN, ID_PLACE, ID_TRANSITION, ID_ARC, ID_PLACE_REFERENCE, ID_TRANSITION_REFERENCE } IdKind;

/* What an id of the document stands for. */
typedef struct {
  IdKind kind;     /* ID_UNKNOWN: it was referred to, but has not been seen yet */
  uint32_t number; /* of the place or transition; of a reference: the id it refers to */
  uint32_t line;
} IdEntry;

/* An arc as it is written: its ends may come later in the document. */
typedef struct {
  uint32_t source, target; /* ids */
  uint32_t line;
  uint32_t id; /* or INTERN_NONE */
} PnmlArc;

/* A unit of the document. */
typedef struct {
  uint32_t line; /* 0: it was named, but has not been seen yet */
  uint32_t n_places;
  bool has_subunits;
} PnmlUnit;

/* A place named by a unit. */
typedef struct {
  uint32_t unit, place; /* the place: an id */
} UnitPlace;

/* A unit that the annotations declare: a number among `unit_ids`, and its name. */
typedef struct {
  uint32_t unit, line;
  const char *name;
} NamedUnit;

/* Which label is open. */
typedef enum { LABEL_NAME, LABEL_MARKING, LABEL_WEIGHT, LABEL_ARC_TYPE } PnmlLabel;

/* The document so far. */
typedef struct {
  Heap *heap;
  Arena arena; /* strings of annotations, until the builder has copied them */
  Err *err;
  const char *file;
  uint32_t line;       /* of the element that is being looked at */
  const char *element; /* its name, while it starts */

  uint8_t states[PNML_MAX_DEPTH + 1]; /* of the open elements; states[0] is the document's */
  uint32_t depth;
  uint32_t skipped; /* > 0: open elements inside one that is skipped, itself included */
  bool loses;       /* that one is not for other tools: no part of a net may stand there */
  bool has_net, keeps_ids;
  bool in_nodes; /* a page or node was seen: too late for annotations of the net */

  NetBuilder *builder;
  Intern ids;
  VEC(IdEntry) entries; /* by number in ids */
  VEC(PnmlArc) arcs;

  /* the place, transition or arc that is open */
  uint32_t id; /* or INTERN_NONE */
  CharVec name;
  bool has_exact_name, has_marking, marked, has_role, has_event;
  PlaceNote role;
  TransNote event;
  VEC(Access) accesses;
  VEC(uint16_t) values; /* of a state */
  bool has_exact_net_name;

  PnmlLabel label; /* that is open */
  bool has_value;  /* it has had a <text> or <value> */
  CharVec text;    /* of the label or list that is open */

  uint32_t n_files, n_functions, n_counts, n_threads, n_objects, n_blocks, n_states; /* declared so far */
  U32Vec slots; /* likewise: how many values each has */
  VEC(NamedUnit) named_units;
  Intern unit_ids;
  VEC(PnmlUnit) units; /* by number in unit_ids */
  VEC(UnitPlace) unit_places;
  uint32_t unit, root_unit; /* the one that is open; and the root, or INTERN_NONE */
} PnmlDoc;

/* An empty document. The name of the file is not copied; faults go to `err`. fini frees all but the net that was
 * made. */
void pnml_doc_init(PnmlDoc *doc, Heap *heap, const char *file, Err *err);
void pnml_doc_fini(PnmlDoc *doc);

/* An element's start and its end. After false, *err is set and the document is of no more use. */
bool pnml_doc_start(PnmlDoc *doc, const char *element, XmlAttributes attributes, uint32_t line);
bool pnml_doc_end(PnmlDoc *doc);

/* Text, in one or several pieces; for where it is wanted. */
bool pnml_doc_wants_text(const PnmlDoc *doc);
void pnml_doc_text(PnmlDoc *doc, const char *text, size_t length);

/* The net, once the whole document has been read. NULL with *err if something is wrong in it. */
Net *pnml_doc_finish(PnmlDoc *doc);

/* ---- shared by the files of the reader ---- */

/* Sets *err to "file:line: ..." and returns false. Control characters in what is quoted are shown as '?'. */
bool pnml_doc_fail(PnmlDoc *doc, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The number of that unit id, which need not have been seen yet. */
uint32_t pnml_unit_number(PnmlDoc *doc, const XmlAttribute *id);

/* The elements of annotations; false on errors. */
bool pnml_note_source(PnmlDoc *doc, XmlAttributes attributes);
bool pnml_note_count(PnmlDoc *doc, XmlAttributes attributes);
bool pnml_note_function(PnmlDoc *doc, XmlAttributes attributes);
bool pnml_note_thread(PnmlDoc *doc, XmlAttributes attributes);
bool pnml_note_variable(PnmlDoc *doc, XmlAttributes attributes);
bool pnml_note_lock(PnmlDoc *doc, XmlAttributes attributes);
bool pnml_note_slot(PnmlDoc *doc, XmlAttributes attributes);
bool pnml_note_state(PnmlDoc *doc, XmlAttributes attributes);
bool pnml_note_block(PnmlDoc *doc, XmlAttributes attributes);
bool pnml_note_gap(PnmlDoc *doc, XmlAttributes attributes);
bool pnml_note_unit(PnmlDoc *doc, XmlAttributes attributes);
bool pnml_note_net_name(PnmlDoc *doc, XmlAttributes attributes);
bool pnml_note_name(PnmlDoc *doc, XmlAttributes attributes);
bool pnml_note_role(PnmlDoc *doc, PlaceRole role, XmlAttributes attributes);
bool pnml_note_event(PnmlDoc *doc, XmlAttributes attributes);
bool pnml_note_access(PnmlDoc *doc, AccessMode mode, XmlAttributes attributes);

#endif
